/**
 * `for (…) sum[i] += a[k]` loads sum[i] before the loop, stores it in each round, and loads it no more. Of such a loop that LLVM 22
 * has unrolled with a remainder, the first of both loads, and the second goes on with what the first has stored. NVVM (nvcc 13.0, its PTX
 * of chemv and of eight small loops) finds what a loop need not load again only when it is unrolled, so that the loop and its remainder have
 * a load each:
 *
 *     P: v = load p                            P: br loop or between
 *        br loop or between                    B: v = load p; br loop
 *     loop:    x = phi [v, P], [x', loop]      loop:    x = phi [v, B], [x', loop]
 *              …; store x', p             =>            …; store x', p
 *     between: u = phi [v, P], [x', loop]      C: w = load p; br rest
 *     rest:    y = phi [u, between], [y', rest] rest:   y = phi [w, C], [y', rest]
 *              …; store y', p                           …; store y', p
 *
 * LLVM's own load is known by having no place in the source. What a loop keeps to itself and stores behind it stays as it is: NVVM has
 * seen that before.
 */
import { blockDominators, type DominatorTree, dominates } from './dominators.ts';
import { targetsOf, usersOf } from './operands.ts';
import { type Draft, type DraftBlock, rebuilt, withBlocks } from './rebuild.ts';
import type { Instruction, IrFunction, IrModule, Operand } from './types.ts';

type Load = Extract<Instruction, { op: 'load' }>;
type Phi = Extract<Instruction, { op: 'phi' }>;

/** A loop that begins with a load's value, and the block before it. */
interface Beginning {
  readonly phi: Phi;
  readonly header: number;
  readonly before: number;
}

interface Kept {
  readonly load: Load;
  readonly beginnings: readonly Beginning[];
  /** Between the loops, and dead without the load. */
  readonly between: readonly Phi[];
}

export function loadForRemainders(module: IrModule): IrModule {
  const functions = new Map<string, IrFunction>();
  for (const [name, fn] of module.functions) functions.set(name, withLoads(fn));
  return { ...module, functions };
}

function withLoads(fn: IrFunction): IrFunction {
  const loads = fn.blocks.flatMap(({ instructions }) => instructions.flatMap((i) => (isHoisted(i) ? [i] : [])));
  if (loads.length === 0) return fn;
  const search = new Search(fn);
  const kept = loads.flatMap((load) => search.keptFrom(load) ?? []);
  return kept.length === 0 ? fn : reloaded(fn, kept);
}

function isHoisted(instruction: Instruction): instruction is Load {
  return instruction.op === 'load' && !instruction.location && !instruction.volatile && !instruction.order;
}

class Search {
  readonly #users: readonly (readonly Instruction[])[];
  readonly #blockOf = new Map<Instruction, number>();
  readonly #tree: DominatorTree;

  constructor(fn: IrFunction) {
    this.#users = usersOf(fn);
    this.#tree = blockDominators(fn.blocks);
    for (const { index, instructions } of fn.blocks) for (const i of instructions) if (i.op === 'phi') this.#blockOf.set(i, index);
  }

  /** The load as one that two loops or more begin with, if it is nothing else. */
  keptFrom(load: Load): Kept | undefined {
    const beginnings: Beginning[] = [];
    const between = new Set<Phi>();
    if (!this.#follow(load, load, { beginnings, between })) return undefined;
    for (const phi of between) if (!this.#follow(phi, load, { beginnings, between })) return undefined;
    return between.size > 0 && beginnings.length > 1 ? { load, beginnings, between: [...between] } : undefined;
  }

  /** Notes where a value goes; false if anything else than the beginnings of loops, and what is between them, uses it. */
  #follow({ id }: Instruction, load: Load, { beginnings, between }: { beginnings: Beginning[]; between: Set<Phi> }): boolean {
    return this.#users[id].every((user) => {
      if (user.op !== 'phi') return false;
      const header = this.#blockOf.get(user)!;
      const others = user.incoming.filter(({ value }) => !(value.kind === 'value' && value.id === id));
      const [own] = user.incoming.filter((each) => !others.includes(each));
      if (user.incoming.length !== 2 || others.length !== 1 || !this.#isStored(others[0].value, load)) return false;
      if (dominates(this.#tree, header, others[0].block)) {
        if (!beginnings.some(({ phi }) => phi === user)) beginnings.push({ phi: user, header, before: own.block });
      } else between.add(user);
      return true;
    });
  }

  /** Whether a loop stores the value where the load has read, in each round. */
  #isStored(value: Operand, { pointer }: Load): boolean {
    return (
      value.kind === 'value' &&
      this.#users[value.id].some((user) => user.op === 'store' && isSame(user.value, value) && isSame(user.pointer, pointer))
    );
  }
}

function isSame(a: Operand, b: Operand): boolean {
  return a.kind === 'value' && b.kind === 'value' && a.id === b.id;
}

function reloaded(fn: IrFunction, kept: readonly Kept[]): IrFunction {
  const gone = new Set<Instruction>(kept.flatMap(({ load, between }) => [load, ...between]));
  let valueCount = fn.valueCount;
  /** By header and the block before it: what is loaded between them. */
  const edges = new Map<string, { readonly header: number; readonly before: number; readonly loads: Draft[] }>();
  const values = new Map<Instruction, Operand>();
  for (const { load, beginnings } of kept) {
    for (const { phi, header, before } of beginnings) {
      const id = valueCount++;
      const key = `${before} ${header}`;
      const edge = edges.get(key) ?? { header, before, loads: [] };
      edges.set(key, edge);
      const { site: _, ...draft } = load;
      edge.loads.push({ ...draft, id } as Draft);
      values.set(phi, { kind: 'value', id, type: load.type });
    }
  }
  return withEdges(fn, { gone, values, valueCount, edges: [...edges.values()] });
}

interface Edge {
  readonly header: number;
  readonly before: number;
  readonly loads: readonly Draft[];
}

/** Each edge's loads are in a block of their own, in front of the loop, unless the block before leads nowhere else. */
function withEdges(
  fn: IrFunction,
  {
    gone,
    values,
    valueCount,
    edges,
  }: { gone: ReadonlySet<Instruction>; values: ReadonlyMap<Instruction, Operand>; valueCount: number; edges: readonly Edge[] },
): IrFunction {
  const leadsOn = (block: number) => fn.blocks[block].successors.length === 1;
  const split = edges.filter(({ before }) => !leadsOn(before)).sort((a, b) => a.header - b.header);
  /** Where a block comes to be: behind all new ones in front of it. */
  const moved = (block: number) => block + split.filter(({ header }) => header <= block).length;
  const newBlock = (edge: Edge) => edge.header + split.indexOf(edge);
  const splitAt = (before: number, header: number) => split.find((edge) => edge.before === before && edge.header === header);
  const blocks = fn.blocks.flatMap(({ index, label, instructions }): DraftBlock[] => {
    const drafts = instructions
      .filter((each) => !gone.has(each))
      .map((each): Draft => {
        const { site: _, ...draft } = each;
        if (draft.op !== 'phi') {
          return withBlocks(draft as Draft, (to) => {
            const edge = targetsOf(each).includes(to) ? splitAt(index, to) : undefined;
            return edge ? newBlock(edge) : moved(to);
          });
        }
        const incoming = draft.incoming.map(({ value, block }) => {
          const edge = splitAt(block, index);
          const isOutside = edges.some((each) => each.before === block && each.header === index);
          return { value: isOutside ? (values.get(each) ?? value) : value, block: edge ? newBlock(edge) : moved(block) };
        });
        return { ...draft, incoming } as Draft;
      });
    const own = edges.filter((edge) => edge.before === index && leadsOn(index)).flatMap(({ loads }) => loads);
    const before = split
      .filter(({ header }) => header === index)
      .map(
        (edge): DraftBlock => ({
          label: `${label}.load`,
          instructions: [...edge.loads, { op: 'br', id: -1, type: { kind: 'void' }, location: undefined, target: moved(index) } as Draft],
        }),
      );
    return [...before, { label, instructions: [...drafts.slice(0, -1), ...own, drafts.at(-1)!] }];
  });
  return rebuilt(fn, blocks, valueCount);
}

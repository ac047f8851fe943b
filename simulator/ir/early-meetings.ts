/**
 * Lanes that part at a branch meet where all its paths do; ptxas has them meet before that, too, where all paths do but those that leave
 * straight for that place (SASS of nvcc 13 for sm_90: two BSSY in front of the branch, and a BREAK where lanes leave the inner one):
 *
 *     for (...) {
 *       if (a) { A; if (b) break; B }     lanes without a wait for those in A and B, though not for those that break
 *       C
 *     }
 *
 * The same holds for a `goto` or `return` of an inlined function out of nested conditions, and for the cases of a `switch` that fall
 * through (it is a tree of comparisons first). There is one such place for each branch: of several joins that only this branch leads to, ptxas takes
 * the last. The IR says so by a block before it, J, to which the lanes that leave go as well; its branch is none on hardware:
 *
 *     b: br leave, exit, B  =>  b: br leave, J, B;   J: gone = phi [true, b], [false, ...];  br gone, exit, C
 */

import { blockDominators, type DominatorTree, dominates } from './dominators.ts';
import { lowerFallThrough } from './fall-through.ts';
import { type Draft, type DraftBlock, rebuilt, withBlocks, withOperands } from './rebuild.ts';
import { FUNCTION_END, reconvergenceBlocks } from './reconvergence.ts';
import { I1, VOID } from './type-table.ts';
import type { Block, Instruction, IrFunction, IrModule, Opcode, Operand, Type } from './types.ts';

/** Numbers of blocks. */
interface Meeting {
  readonly branch: number;
  /** Where all paths meet, and where those do that do not leave for it. */
  readonly all: number;
  readonly most: number;
  /** What lies between the branch and the two. */
  readonly region: ReadonlySet<number>;
}

/** Functions with more than this many blocks, and further meetings of one function, are left as they are. */
const MAX_BLOCKS = 2000;
const MAX_MEETINGS = 100;
/** Instructions, of these kinds, that a condition and what it guards may have to be executed without branches. */
const MOST_PREDICATED = 6;
const COMPUTES: ReadonlySet<string> = new Set<Opcode>([
  'icmp',
  'fcmp',
  'and',
  'or',
  'xor',
  'select',
  'add',
  'sub',
  'trunc',
  'zext',
  'sext',
  'freeze',
]);

export function meetEarly(module: IrModule): IrModule {
  const functions = new Map<string, IrFunction>();
  for (const [name, fn] of module.functions) functions.set(name, withMeetings(lowerFallThrough(fn)));
  return { ...module, functions };
}

function withMeetings(fn: IrFunction): IrFunction {
  if (fn.blocks.length > MAX_BLOCKS) return fn;
  // Branches are known by their block's label, since numbers of blocks change.
  const done = new Set<string>();
  let current = fn;
  while (done.size < MAX_MEETINGS) {
    const meeting = nextMeeting(current, done);
    if (!meeting) break;
    done.add(current.blocks[meeting.branch].label);
    current = withMeeting(current, meeting);
  }
  return current;
}

/** Outer branches come first: what leaves an inner meeting then leaves for the outer one. */
function nextMeeting(fn: IrFunction, done: ReadonlySet<string>): Meeting | undefined {
  const tree = blockDominators(fn.blocks);
  const joins = joinsByDominator(fn.blocks, tree);
  if (joins.size === 0) return undefined;
  const meetings = reconvergenceBlocks(fn);
  for (const index of tree.order) {
    const candidates = joins.get(index);
    if (!candidates || done.has(fn.blocks[index].label) || meetings[index] === FUNCTION_END) continue;
    const meeting = meetingOf(fn, { branch: index, candidates, meetings, tree });
    if (meeting) return meeting;
  }
  return undefined;
}

/** By block that branches: where several ways forward come together that it alone leads to. */
function joinsByDominator(blocks: readonly Block[], tree: DominatorTree): ReadonlyMap<number, readonly number[]> {
  const joins = new Map<number, number[]>();
  for (const { index, predecessors } of blocks) {
    if (tree.position[index] < 0) continue;
    const forward = predecessors.filter((p) => tree.position[p] >= 0 && !dominates(tree, index, p));
    const above = tree.parent[index];
    if (forward.length < 2 || blocks[above].successors.length < 2) continue;
    joins.set(above, [...(joins.get(above) ?? []), index]);
  }
  return joins;
}

function meetingOf(
  fn: IrFunction,
  { branch, candidates, meetings, tree }: { branch: number; candidates: readonly number[]; meetings: Int32Array; tree: DominatorTree },
): Meeting | undefined {
  const all = meetings[branch];
  const isBefore = (join: number, other: number) => {
    for (let at = meetings[join]; at !== FUNCTION_END && at !== join; at = meetings[at]) {
      if (at === other) return true;
      if (at === all) return false;
    }
    return false;
  };
  const others = candidates.filter((join) => join !== all && isBefore(join, all));
  const last = others.filter((join) => !others.some((other) => other !== join && isBefore(join, other)));
  if (last.length !== 1) return undefined;
  const [most] = last;
  const region = regionBetween(fn.blocks, { branch, ends: [most, all], tree });
  if (!region) return undefined;
  const leaves = [...region].some((block) => fn.blocks[block].successors.includes(all));
  return leaves && !isPredicated(fn.blocks, { region, most, all }) ? { branch, all, most, region } : undefined;
}

/**
 * Whether a condition guards so little that ptxas branches for none of it: `if (v < best || (v == best && k < at)) best = v, at = k`, where
 * all that is guarded is which values go on (machine code of 12 such loops).
 */
function isPredicated(blocks: readonly Block[], { region, most, all }: Pick<Meeting, 'region' | 'most' | 'all'>): boolean {
  const guarded = blocks[most].successors.length === 1 && blocks[most].successors[0] === all ? [...region, most] : undefined;
  const work = guarded?.flatMap((block) => blocks[block].instructions).filter(({ op }) => op !== 'phi' && !isEndOfBlock(op));
  return work !== undefined && work.length <= MOST_PREDICATED && work.every(({ op }) => COMPUTES.has(op));
}

function isEndOfBlock(op: Instruction['op']): boolean {
  return op === 'br' || op === 'condbr';
}

/** The blocks between a branch and the two; undefined if there are other ways in. */
function regionBetween(
  blocks: readonly Block[],
  { branch, ends, tree }: { branch: number; ends: readonly number[]; tree: DominatorTree },
): ReadonlySet<number> | undefined {
  const region = new Set<number>();
  const follow = (block: number) => {
    for (const s of blocks[block].successors) if (!ends.includes(s)) region.add(s);
  };
  follow(branch);
  for (const block of region) {
    // An early return of a kernel, which all ways to it share, ends lanes: nobody waits for them.
    if (blocks[block].successors.length === 0 && !dominates(tree, branch, block)) {
      region.delete(block);
      continue;
    }
    if (block === branch || !dominates(tree, branch, block)) return undefined;
    follow(block);
  }
  return region;
}

/** The function with a block before `most` in which lanes meet that leave for `all`. */
function withMeeting(fn: IrFunction, { branch, all, most, region }: Meeting): IrFunction {
  const within = [branch, ...region];
  const into = (target: number) => within.filter((block) => fn.blocks[block].successors.includes(target));
  const [stayers, leavers] = [into(most), into(all)];
  // A block that leads to both needs a block of its own on the way out, since phis tell their values apart by block.
  const split = leavers.filter((block) => stayers.includes(block));
  const place = most > branch ? most : Math.max(...within) + 1;
  const moved = (block: number) => (block < place ? block : block + split.length + 1);
  const meetingBlock = place + split.length;
  const wayOut = (block: number) => (split.includes(block) ? place + split.indexOf(block) : moved(block));
  const edges: readonly Edge[] = [
    ...stayers.map((block) => ({ block, from: moved(block), leaves: false })),
    ...leavers.map((block) => ({ block, from: wayOut(block), leaves: true })),
  ];
  const phis = new MeetingPhis(fn, edges);
  const gone = phis.of(I1, (edge) => ({ kind: 'int', type: I1, value: edge.leaves ? 1n : 0n }));
  const behind = phis.behind(region);
  const blocks = fn.blocks.map(({ index, label, instructions }): DraftBlock => {
    const body = instructions.map(({ site: _, ...rest }): Draft => {
      const draft = rest as Draft;
      if (draft.op === 'phi' && (index === most || index === all))
        return phis.redirected(draft, { index, most, moved, meetingBlock, behind });
      const placed = withBlocks(draft, moved);
      if (region.has(index)) return isEnd(draft) ? ledToMeeting(draft) : placed;
      // A loop may bring what the region computed back to the branch.
      return withOperands(index === branch && isEnd(draft) ? ledToMeeting(draft) : placed, behind);
    });
    return { label, instructions: body };

    function ledToMeeting(end: Draft): Draft {
      const led = withBlocks(end, (to) =>
        to === most ? meetingBlock : to === all ? (split.includes(index) ? wayOut(index) : meetingBlock) : moved(to),
      );
      return led.op === 'condbr' && leavers.includes(index) ? { ...led, onHardware: 'branch' } : led;
    }
  });
  const on: Draft = { op: 'br', id: -1, type: VOID, target: meetingBlock };
  const ways = split.map((block): DraftBlock => ({ label: `${fn.blocks[block].label}.leave`, instructions: [on] }));
  // biome-ignore lint/suspicious/noThenProperty: the instruction's own word
  const end: Draft = { op: 'condbr', id: -1, type: VOID, condition: gone, then: moved(all), else: moved(most), onHardware: 'none' };
  const label = `${fn.blocks[branch].label}.meet`;
  blocks.splice(place, 0, ...ways, { label, instructions: [...phis.drafts, end] });
  return rebuilt(fn, blocks, phis.valueCount);
}

function isEnd({ op }: Draft): boolean {
  return op === 'br' || op === 'condbr' || op === 'switch';
}

/** An edge into the meeting: the old number of the block that it comes from, and the new number of that which leads there. */
interface Edge {
  readonly block: number;
  readonly from: number;
  readonly leaves: boolean;
}

type Phi = Extract<Draft, { op: 'phi' }>;

/** The phis of a meeting. */
class MeetingPhis {
  readonly drafts: Draft[] = [];
  readonly #edges: readonly Edge[];
  readonly #tree: DominatorTree;
  readonly #blockOf = new Map<number, number>();
  /** Values of the region as they are known behind it. */
  readonly #behind = new Map<number, Operand>();
  valueCount: number;

  constructor(fn: IrFunction, edges: readonly Edge[]) {
    this.#edges = edges;
    this.#tree = blockDominators(fn.blocks);
    this.valueCount = fn.valueCount;
    for (const { index, instructions } of fn.blocks) for (const { id } of instructions) if (id >= 0) this.#blockOf.set(id, index);
  }

  of(type: Type, value: (edge: Edge) => Operand): Operand {
    const id = this.valueCount++;
    this.drafts.push({ op: 'phi', id, type, incoming: this.#edges.map((edge) => ({ value: value(edge), block: edge.from })) });
    return { kind: 'value', id, type };
  }

  /** A phi of one of the two places behind the meeting: what came from the region comes from the meeting. */
  redirected(
    phi: Phi,
    to: { index: number; most: number; moved: (block: number) => number; meetingBlock: number; behind: (operand: Operand) => Operand },
  ): Draft {
    const leaves = to.index !== to.most;
    const sources = new Set(this.#edges.filter((edge) => edge.leaves === leaves).map(({ block }) => block));
    const ours = phi.incoming.filter(({ block }) => sources.has(block));
    const others = phi.incoming.filter(({ block }) => !sources.has(block));
    const value = this.of(phi.type, (edge) => {
      const found = edge.leaves === leaves ? ours.find(({ block }) => block === edge.block) : undefined;
      return found?.value ?? { kind: 'undef', type: phi.type };
    });
    return {
      ...phi,
      incoming: [
        ...others.map((each) => ({ value: to.behind(each.value), block: to.moved(each.block) })),
        { value, block: to.meetingBlock },
      ],
    };
  }

  /** What stands behind the meeting for a value of the region; others stand for themselves. */
  behind(region: ReadonlySet<number>): (operand: Operand) => Operand {
    return (operand) => {
      if (operand.kind !== 'value') return operand;
      const home = this.#blockOf.get(operand.id);
      if (home === undefined || !region.has(home)) return operand;
      let known = this.#behind.get(operand.id);
      if (!known) {
        known = this.of(operand.type, ({ block }) =>
          dominates(this.#tree, home, block) ? operand : { kind: 'undef', type: operand.type },
        );
        this.#behind.set(operand.id, known);
      }
      return known;
    };
  }
}

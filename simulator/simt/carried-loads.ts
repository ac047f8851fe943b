/**
 * `s[j] += s[j - 1]`: what a round loads first may be what the round before has loaded or stored last. NVVM's GVN then loads it in front
 * of the loop only, and so for each of what it has unrolled and the remainder, but not wherever it could: it must find the address of the
 * next round among what the loop computes, and that of the first round without computing a sum. It does so
 *
 *   - where the counter alone is the index of an array, or of a dimension of it: not at `x[i * n + j]`, nor behind `r = x + i`;
 *   - where the index is the counter itself, or the counter starts at a number;
 *   - in loops without branches, in front of everything that may write to that place.
 *
 * Read from nvcc's PTX (13.0) of 87 loops. LLVM 22 looks before it unrolls, and so finds what is only loaded.
 */

import { signed } from '../ir/fold.ts';
import { storeSizeOf } from '../ir/layout.ts';
import { memoryRoots } from '../ir/memory-roots.ts';
import { type Draft, type DraftBlock, rebuilt, withBlocks, withOperands } from '../ir/rebuild.ts';
import { VOID } from '../ir/type-table.ts';
import type { AddressSpace, Block, Instruction, IrFunction, IrModule, Operand } from '../ir/types.ts';
import { BlockMemory } from './unrolled-loads.ts';

type Load = Extract<Instruction, { op: 'load' }>;
type Phi = Extract<Instruction, { op: 'phi' }>;

/** A load of a loop of one block, and the value that it has in the next round. */
interface Carried {
  readonly load: Load;
  readonly next: Operand;
  readonly counter: Phi;
  readonly start: Operand;
}

interface Found {
  readonly block: Block;
  /** The block that leads to the loop. */
  readonly before: number;
  readonly loads: readonly Carried[];
}

export function carryLoads(module: IrModule): IrModule {
  const spaceOf = (variable: string) => module.globals.get(variable)?.space;
  const functions = new Map<string, IrFunction>();
  for (const [name, fn] of module.functions) {
    let current = fn;
    // What is found of one loop may be a load of another.
    for (let found = foundIn(current, spaceOf); found; found = foundIn(current, spaceOf)) current = carried(current, found);
    functions.set(name, current);
  }
  return { ...module, functions };
}

/** The first loop of one block with loads that may be in front of it. */
function foundIn(fn: IrFunction, spaceOf: (variable: string) => AddressSpace | undefined): Found | undefined {
  if (fn.variables) return undefined;
  const loops = fn.blocks.filter(
    ({ index, instructions, successors, predecessors }) =>
      successors.includes(index) && predecessors.length === 2 && instructions.some(({ op }) => op === 'load'),
  );
  if (loops.length === 0) return undefined;
  const memory = new BlockMemory(fn, memoryRoots(fn, spaceOf));
  for (const block of loops) {
    const found = new Search(fn, block, memory).run();
    if (found.loads.length > 0) return found;
  }
  return undefined;
}

class Search {
  readonly #definitions = new Map<number, Instruction>();
  readonly #own: ReadonlyMap<number, Instruction>;
  readonly #before: number;

  constructor(
    readonly fn: IrFunction,
    readonly block: Block,
    readonly memory: BlockMemory,
  ) {
    for (const { instructions } of fn.blocks) for (const each of instructions) if (each.id >= 0) this.#definitions.set(each.id, each);
    this.#own = new Map(block.instructions.filter(({ id }) => id >= 0).map((each) => [each.id, each]));
    this.#before = block.predecessors.find((from) => from !== block.index)!;
  }

  run(): Found {
    const { block, memory } = this;
    const { first, last } = memory.ofLoop(block);
    const loads = first.flatMap((load): Carried[] => {
      const index = this.#indexOf(load);
      if (!index) return [];
      const next = last(load, index.further);
      return next ? [{ load, next, counter: index.counter, start: index.start }] : [];
    });
    return { block, before: this.#before, loads };
  }

  /** The counter that a load's address goes on with, and by how many bytes in a round. */
  #indexOf(load: Load): { readonly counter: Phi; readonly start: Operand; readonly further: number } | undefined {
    let found: { counter: Phi; scale: number } | undefined;
    const scales: number[] = [];
    let at: Operand = load.pointer;
    for (;;) {
      const step: Instruction | undefined = at.kind === 'value' ? this.#definitions.get(at.id) : undefined;
      if (step?.op === 'addrspacecast' || step?.op === 'bitcast' || step?.op === 'freeze') at = step.a;
      else if (step?.op === 'getelementptr') {
        for (const { index, scale } of step.terms) {
          const counter = this.#counterIn(index);
          if (counter === 'other' || (counter && found)) return undefined;
          if (counter) found = { counter, scale };
          else scales.push(scale);
        }
        at = step.base;
      } else break;
    }
    const isVariable = at.kind === 'symbol' || (at.kind === 'value' && (this.#definitions.get(at.id)?.op ?? 'alloca') === 'alloca');
    if (!isVariable || !found || scales.includes(found.scale)) return undefined;
    const { counter, scale } = found;
    const step = this.#stepOf(counter);
    const start = counter.incoming.find(({ block }) => block === this.#before)?.value;
    if (step === undefined || step === 0 || !start) return undefined;
    const isItself = Math.floor(this.memory.offsetOf(load.pointer) / scale) === 0;
    return isItself || start.kind === 'int' ? { counter, start, further: scale * step } : undefined;
  }

  /** The phi of the loop that an index is, but for a number and its width; `other` if it depends on the loop otherwise. */
  #counterIn(index: Operand): Phi | 'other' | undefined {
    for (let at = index; at.kind === 'value'; ) {
      const step = this.#own.get(at.id);
      if (!step) return undefined;
      if (step.op === 'phi') return step;
      if (step.op === 'sext' || step.op === 'zext' || step.op === 'trunc' || step.op === 'freeze') at = step.a;
      else if ((step.op === 'add' || (step.op === 'or' && step.disjoint)) && step.b.kind === 'int') at = step.a;
      else return 'other';
    }
    return undefined;
  }

  #stepOf({ id, incoming }: Phi): number | undefined {
    const next = incoming.find(({ block }) => block === this.block.index)?.value;
    const sum = next?.kind === 'value' ? this.#own.get(next.id) : undefined;
    if (sum?.op !== 'add' || sum.a.kind !== 'value' || sum.a.id !== id || sum.b.kind !== 'int') return undefined;
    return Number(signed(sum.b.value, storeSizeOf(sum.type) * 8));
  }
}

/** The function with these loads in front of the loop. */
function carried(fn: IrFunction, { block, before, loads }: Found): IrFunction {
  let valueCount = fn.valueCount;
  const own = new Map(block.instructions.filter(({ id }) => id >= 0).map((each) => [each.id, each]));
  const entering: Draft[] = [];
  const phis: Draft[] = [];
  const values = new Map<number, Operand>();
  const end = fn.blocks[before].instructions.at(-1)!;
  // A block that leads elsewhere, too, gets one behind it.
  const isSplit = end.op !== 'br';
  const place = block.index;
  const moved = (index: number) => (isSplit && index >= place ? index + 1 : index);
  const from = isSplit ? place : moved(before);
  for (const { load, counter, start } of loads) {
    const copies = new Map<number, Operand>([[counter.id, start]]);
    const copied = (operand: Operand): Operand => {
      const definition = operand.kind === 'value' ? own.get(operand.id) : undefined;
      if (!definition || operand.kind !== 'value') return operand;
      let copy = copies.get(operand.id);
      if (!copy) {
        const { site: _, ...draft } = definition;
        const id = valueCount++;
        copy = { kind: 'value', id, type: definition.type };
        copies.set(operand.id, copy);
        entering.push({ ...withOperands(draft as Draft, copied), id });
      }
      return copy;
    };
    const { site: _, ...draft } = load;
    const pointer = copied(load.pointer);
    const [first, id] = [valueCount++, valueCount++];
    entering.push({ ...draft, id: first, pointer });
    values.set(load.id, { kind: 'value', id, type: load.type });
    phis.push({
      op: 'phi',
      id,
      type: load.type,
      location: load.location,
      incoming: [{ value: { kind: 'value', id: first, type: load.type }, block: from }],
    });
  }
  const replaced = (operand: Operand) => (operand.kind === 'value' ? (values.get(operand.id) ?? operand) : operand);
  const blocks = fn.blocks.map(({ index, label, instructions }): DraftBlock => {
    const drafts = instructions
      .filter(({ id }) => !values.has(id))
      .map(({ site: _, ...rest }): Draft => {
        const draft = withOperands(rest as Draft, replaced);
        if (index === before && rest.op !== 'phi' && isSplit) return withBlocks(draft, (to) => (to === block.index ? place : moved(to)));
        if (index === block.index && draft.op === 'phi')
          return {
            ...draft,
            incoming: draft.incoming.map((each) => ({ ...each, block: each.block === before ? from : moved(each.block) })),
          };
        return withBlocks(draft, moved);
      });
    if (index === before && !isSplit) drafts.splice(-1, 0, ...entering);
    if (index !== block.index) return { label, instructions: drafts };
    const kept = phis.map((phi, number): Draft => {
      const next = { value: replaced(loads[number].next), block: moved(block.index) };
      return phi.op === 'phi' ? { ...phi, incoming: [...phi.incoming, next] } : phi;
    });
    return { label, instructions: [...kept, ...drafts] };
  });
  const on: Draft = { op: 'br', id: -1, type: VOID, location: undefined, target: moved(block.index) };
  if (isSplit) blocks.splice(place, 0, { label: `${block.label}.enter`, instructions: [...entering, on] });
  return rebuilt(fn, blocks, valueCount);
}

/** What the values of a function are used for, as far as instructions pass them on without memory. */

import { meaningOf } from '../ir/intrinsics.ts';
import { usersOf } from '../ir/operands.ts';
import type { Instruction, IrFunction, Operand } from '../ir/types.ts';
import { findLoops, type Loops } from '../simt/loops.ts';

/** Operations that pass bits on without looking at them. */
const CARRIES = new Set([
  'phi',
  'select',
  'freeze',
  'bitcast',
  'insertvalue',
  'extractvalue',
  'insertelement',
  'extractelement',
  'shufflevector',
  'trunc',
  'zext',
  'ptrtoint',
  'inttoptr',
]);

/** Where a value leaves the registers, or decides on an address. */
const LEAVES = new Set(['store', 'load', 'getelementptr', 'atomicrmw', 'cmpxchg', 'call', 'callIndirect', 'ret']);

/** What the values of a function are used for. */
export class ValueUses {
  readonly #fn: IrFunction;
  readonly #users: readonly (readonly Instruction[])[];
  /** Number of the block of each instruction. */
  readonly #blocks = new Map<Instruction, number>();
  #loops: Loops | undefined;
  #definitions: Map<number, Instruction> | undefined;

  constructor(fn: IrFunction) {
    this.#fn = fn;
    this.#users = usersOf(fn);
    for (const { index, instructions } of fn.blocks) for (const instruction of instructions) this.#blocks.set(instruction, index);
  }

  /** Somewhere the value is more than carried to a store, or printed. */
  isUsed({ id }: Instruction): boolean {
    return this.#some(id, (user, value) => {
      if (user.op === 'store') return !(user.value.kind === 'value' && user.value.id === value) || this.isPrinted(user.pointer);
      return !carries(user, value);
    });
  }

  /** What is stored there is an argument of printf. */
  isPrinted(pointer: Operand): boolean {
    let at = this.#definitionOf(pointer);
    while (at?.op === 'getelementptr') at = this.#definitionOf(at.base);
    return at?.op === 'alloca' && this.#users[at.id].some(isPrintf);
  }

  /** Some store writes the value as it is, also where it meets others. */
  isStored(load: Instruction): boolean {
    const stores = (value: number): Extract<Instruction, { op: 'store' }>[] =>
      (this.#users[value] ?? [])
        .filter((user) => user.op === 'store')
        .filter(({ value: stored }) => stored.kind === 'value' && stored.id === value);
    if (stores(load.id).length > 0) return true;
    const phis = (this.#users[load.id] ?? []).filter(({ op }) => op === 'phi');
    return phis.some(({ id }) => stores(id).some((store) => this.sourcesOf(store).includes(load)));
  }

  /** Of a store of a value as something has read it: what has. Where values meet there are several: the one that a lane has come from counts. */
  sourcesOf(store: Extract<Instruction, { op: 'store' }>): readonly Instruction[] {
    const at = this.#definitionOf(store.value);
    if (at?.op === 'load' || at?.op === 'call') return [at];
    // Each lane that comes to the meeting stores then, so that nobody has come from anywhere before.
    if (at?.op !== 'phi' || this.#blocks.get(at) !== this.#blocks.get(store)) return [];
    return at.incoming.flatMap(({ value }) => {
      const load = this.#definitionOf(value);
      return load?.op === 'load' && this.#alwaysBrings(load, at) ? [load] : [];
    });
  }

  /** Whoever has read the value comes to where values meet with no other. */
  #alwaysBrings(load: Instruction, phi: Extract<Instruction, { op: 'phi' }>): boolean {
    const meeting = this.#blocks.get(phi)!;
    const seen = new Set<number>();
    const open = [this.#blocks.get(load)!];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      const { successors } = this.#fn.blocks[at];
      for (const next of successors) if (next !== meeting) open.push(next);
    }
    return phi.incoming.every(({ value, block }) => !seen.has(block) || (value.kind === 'value' && value.id === load.id));
  }

  /** Of a store of a sum: the load at the same address of what is added to. */
  addedTo(store: Extract<Instruction, { op: 'store' }>): Instruction | undefined {
    const { type } = store.value;
    if (type.kind !== 'float' && !(type.kind === 'int' && type.bits === 32)) return undefined;
    const changed = this.changes(store);
    return changed && ['add', 'sub', 'fadd', 'fsub'].includes(changed.op) ? changed.load : undefined;
  }

  /** Of a store: the load at the same address from whose value its own is computed, in one step, and how. */
  changes({ value, pointer }: Extract<Instruction, { op: 'store' }>): { readonly load: Instruction; readonly op: string } | undefined {
    const made = this.#definitionOf(value);
    if (!made || !('a' in made) || !('b' in made)) return undefined;
    const loads = [made.a, made.b].map((operand) => this.#definitionOf(operand as Operand));
    const load = loads.find((each) => each?.op === 'load' && samePlace(each.pointer, pointer));
    return load && { load, op: made.op };
  }

  #definitionOf(operand: Operand | undefined): Instruction | undefined {
    if (operand?.kind !== 'value') return undefined;
    this.#definitions ??= new Map([...this.#blocks.keys()].map((instruction) => [instruction.id, instruction]));
    return this.#definitions.get(operand.id);
  }

  /** The value decides branches and does nothing else. */
  isOnlyTested({ id }: Instruction): boolean {
    return !this.#some(
      id,
      ({ op }) => LEAVES.has(op),
      () => true,
    );
  }

  /** The load is repeated until its value says that this is enough. */
  isWaitedFor(load: Instruction): boolean {
    this.#loops ??= findLoops(this.#fn);
    const { loops, innermost } = this.#loops;
    const loop = loops[innermost[this.#blocks.get(load) ?? 0]];
    if (!loop) return false;
    const exits = new Set(loop.exits.map(({ from }) => from));
    const leaves = (user: Instruction): boolean => user.op === 'condbr' && exits.has(this.#blocks.get(user)!);
    return this.#some(load.id, leaves, ({ op }) => !LEAVES.has(op) && op !== 'phi');
  }

  /**
   * The compiler may read a variable earlier than the source does, also for threads that do not read it there: it knows that reading it
   * cannot fault. Such a value is used on some ways only. What has a line in the source counts as read there unless all that is done
   * with it is to choose it or something else.
   */
  isReadAhead(load: Extract<Instruction, { op: 'load' }>): boolean {
    const { id, pointer, location } = load;
    if (pointer.kind !== 'symbol' && !this.#isOwnVariable(pointer)) return false;
    const used = new Set<number>();
    const collect = (user: Instruction, value: number): boolean => {
      if (!isChosenFrom(user, value) && hasEffect(user)) used.add(this.#blocks.get(user)!);
      return false;
    };
    this.#some(id, collect, (user, value) => !isChosenFrom(user, value) && !LEAVES.has(user.op));
    if (used.size === 0) return true;
    return (location === undefined || location.line === 0) && this.#canAvoid(used, this.#blocks.get(load)!);
  }

  /** A variable of the function itself, or a part of it that is always the same one. */
  #isOwnVariable(pointer: Operand): boolean {
    let at = this.#definitionOf(pointer);
    while (at?.op === 'getelementptr' && at.terms.length === 0) at = this.#definitionOf(at.base);
    return at?.op === 'alloca';
  }

  /** Some way from a block to the function's end goes through none of these blocks. */
  #canAvoid(blocks: ReadonlySet<number>, start: number): boolean {
    const seen = new Set<string>();
    const open = [{ from: -1, at: start }];
    for (let way = open.pop(); way !== undefined; way = open.pop()) {
      const { from, at } = way;
      if (blocks.has(at) || seen.has(`${from} ${at}`)) continue;
      seen.add(`${from} ${at}`);
      const successors = this.#successorsFrom(from, at);
      const { instructions } = this.#fn.blocks[at];
      if (successors.length === 0 && instructions[instructions.length - 1].op === 'ret') return true;
      open.push(...successors.map((next) => ({ from: at, at: next })));
    }
    return false;
  }

  /** Where threads go that have come from a block: what they have been told there may decide it. */
  #successorsFrom(from: number, at: number): readonly number[] {
    const { instructions, successors } = this.#fn.blocks[at];
    const end = instructions[instructions.length - 1];
    // One of a loop's copies at least is run, and they are alike.
    if (end.op === 'condbr' && end.beginsRounds) return [end.then];
    const condition = end.op === 'condbr' ? this.#definitionOf(end.condition) : undefined;
    if (end.op !== 'condbr' || condition?.op !== 'phi' || this.#blocks.get(condition) !== at) return successors;
    const told = condition.incoming.find(({ block }) => block === from)?.value;
    return told?.kind === 'int' ? [told.value === 0n ? end.else : end.then] : successors;
  }

  /** A compare-and-swap at the same address expects the value. */
  isFirstGuess({ id, pointer }: Extract<Instruction, { op: 'load' }>): boolean {
    return this.#some(id, (user) => user.op === 'cmpxchg' && samePlace(user.pointer, pointer));
  }

  /** Whether anything that gets the value, or what it becomes, is what is looked for. */
  #some(id: number, wanted: (user: Instruction, value: number) => boolean, passes: Passes = ({ op }) => CARRIES.has(op)): boolean {
    const seen = new Set<number>([id]);
    const work = [id];
    for (let value = work.pop(); value !== undefined; value = work.pop()) {
      for (const user of this.#users[value] ?? []) {
        if (wanted(user, value)) return true;
        if (user.id >= 0 && !seen.has(user.id) && passes(user, value)) {
          seen.add(user.id);
          work.push(user.id);
        }
      }
    }
    return false;
  }
}

/** The result has bits of the operands as they are. */
export function carriesValues({ op }: Instruction): boolean {
  return CARRIES.has(op);
}

function isPrintf(user: Instruction): boolean {
  const meaning = meaningOf(user);
  return meaning?.kind === 'runtime' && meaning.call === 'vprintf';
}

type Passes = (user: Instruction, value: number) => boolean;

/** The value is one of the two that a selection may give. */
function isChosenFrom(user: Instruction, value: number): boolean {
  return user.op === 'select' && !(user.condition.kind === 'value' && user.condition.id === value);
}

function hasEffect({ op }: Instruction): boolean {
  return LEAVES.has(op) || op === 'condbr' || op === 'switch';
}

function carries(user: Instruction, value: number): boolean {
  if (user.op === 'select') return !(user.condition.kind === 'value' && user.condition.id === value);
  if (user.op === 'extractelement' || user.op === 'insertelement') return !(user.index.kind === 'value' && user.index.id === value);
  return CARRIES.has(user.op);
}

function samePlace(a: Operand, b: Operand): boolean {
  if (a.kind === 'value' && b.kind === 'value') return a.id === b.id;
  return a.kind === 'symbol' && b.kind === 'symbol' && a.name === b.name && a.offset === b.offset;
}

/** What the values of a function are used for, as far as instructions pass them on without memory. */

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

  /** Somewhere the value is more than carried to a store. */
  isUsed({ id }: Instruction): boolean {
    return this.#some(id, (user, value) => {
      if (user.op === 'store') return !(user.value.kind === 'value' && user.value.id === value);
      return !carries(user, value);
    });
  }

  /** Some store writes the value as it is. */
  isStored({ id }: Instruction): boolean {
    return (this.#users[id] ?? []).some((user) => user.op === 'store' && user.value.kind === 'value' && user.value.id === id);
  }

  /** Of a store of a value as something has read it: what has. */
  sourceOf({ value }: Extract<Instruction, { op: 'store' }>): Instruction | undefined {
    const at = this.#definitionOf(value);
    return at && (at.op === 'load' || at.op === 'call') ? at : undefined;
  }

  /** Of a store of a sum: the load at the same address of what is added to. */
  addedTo({ value, pointer }: Extract<Instruction, { op: 'store' }>): Instruction | undefined {
    const sum = this.#definitionOf(value);
    if (!sum || !['add', 'sub', 'fadd', 'fsub'].includes(sum.op) || !('a' in sum) || !('b' in sum)) return undefined;
    const { kind } = value.type;
    if (kind !== 'float' && !(kind === 'int' && value.type.bits === 32)) return undefined;
    const loads = [sum.a, sum.b].map((operand) => this.#definitionOf(operand as Operand));
    return loads.find((load) => load?.op === 'load' && samePlace(load.pointer, pointer));
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
    if (pointer.kind !== 'symbol') return false;
    const used = new Set<number>();
    const collect = (user: Instruction, value: number): boolean => {
      if (!isChosenFrom(user, value) && hasEffect(user)) used.add(this.#blocks.get(user)!);
      return false;
    };
    this.#some(id, collect, (user, value) => !isChosenFrom(user, value) && !LEAVES.has(user.op));
    if (used.size === 0) return true;
    return (location === undefined || location.line === 0) && this.#canAvoid(used, this.#blocks.get(load)!);
  }

  /** Some way from a block to the function's end goes through none of these blocks. */
  #canAvoid(blocks: ReadonlySet<number>, from: number): boolean {
    const seen = new Set<number>();
    const open = [from];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (blocks.has(at) || seen.has(at)) continue;
      seen.add(at);
      const { successors, instructions } = this.#fn.blocks[at];
      if (successors.length === 0 && instructions[instructions.length - 1].op === 'ret') return true;
      open.push(...successors);
    }
    return false;
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

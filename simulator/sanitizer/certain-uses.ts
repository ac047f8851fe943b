/** Whether a thread that has loaded a value comes to a use of it, whatever way it goes. */
import { isPureCall } from '../ir/intrinsics.ts';
import { usersOf } from '../ir/operands.ts';
import type { Instruction, IrFunction, Operand } from '../ir/types.ts';
import { carriesValues, type ValueUses } from './value-uses.ts';

/** A value that what was loaded has become. `computed`: it is no copy. */
interface Become {
  readonly id: number;
  readonly computed: boolean;
  /** Block in which it gets a new value. */
  readonly block: number;
}

/** What is made of a value without meetings and choices. */
interface Chain {
  /** Blocks in which it is used. */
  readonly used: ReadonlySet<number>;
  /** By `from to` of the way there: where it meets other values. */
  readonly meetings: ReadonlyMap<string, readonly Become[]>;
}

export class CertainUses {
  readonly #fn: IrFunction;
  readonly #uses: ValueUses;
  readonly #users: readonly (readonly Instruction[])[];
  readonly #blocks = new Map<Instruction, number>();

  constructor(fn: IrFunction, uses: ValueUses) {
    this.#fn = fn;
    this.#uses = uses;
    this.#users = usersOf(fn);
    for (const { index, instructions } of fn.blocks) for (const instruction of instructions) this.#blocks.set(instruction, index);
  }

  /** False if some way to the function's end, or to the next time that it is loaded, leaves all uses aside. */
  has(load: Instruction): boolean {
    const seen = new Set<string>();
    const open: Become[] = [];
    const add = (value: Become): void => {
      const key = `${value.id} ${value.computed}`;
      if (!seen.has(key)) open.push(value);
      seen.add(key);
    };
    add({ id: load.id, computed: false, block: this.#blocks.get(load)! });
    // On a way on which it only becomes itself again, a thread never gets anywhere.
    for (let value = open.pop(); value !== undefined; value = open.pop()) if (!this.#isUsed(value, add)) return false;
    return true;
  }

  #isUsed(value: Become, add: (next: Become) => void): boolean {
    const { used, meetings } = this.#chainOf(value);
    if (used.has(value.block)) return true;
    const seen = new Set<number>();
    const open = [value.block];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const { instructions, successors } = this.#fn.blocks[at];
      if (instructions[instructions.length - 1].op === 'ret') return false;
      for (const next of successors) {
        const met = meetings.get(`${at} ${next}`);
        if (met) met.forEach(add);
        else if (next === value.block) return false;
        else if (!seen.has(next) && !used.has(next) && !this.#leadsTo(next, used)) {
          seen.add(next);
          open.push(next);
        }
      }
    }
    return true;
  }

  /** Whether the block is in front of a loop's copies that use the value. */
  #leadsTo(block: number, used: ReadonlySet<number>): boolean {
    const end = this.#fn.blocks[block].instructions.at(-1)!;
    return end.op === 'condbr' && end.beginsRounds === true && used.has(end.then);
  }

  #chainOf(value: Become): Chain {
    const used = new Set<number>();
    const meetings = new Map<string, Become[]>();
    const seen = new Set<string>();
    const open = [{ id: value.id, computed: value.computed }];
    for (let now = open.pop(); now !== undefined; now = open.pop()) {
      const key = `${now.id} ${now.computed}`;
      if (seen.has(key)) continue;
      seen.add(key);
      for (const user of this.#users[now.id]) {
        const block = this.#blocks.get(user)!;
        if (user.op === 'phi') {
          const { id } = now;
          for (const { value: brought, block: from } of user.incoming) {
            if (!isValue(brought, id)) continue;
            const way = `${from} ${block}`;
            meetings.set(way, [...(meetings.get(way) ?? []), { id: user.id, computed: now.computed, block }]);
          }
        } else if (this.#isUse(user, now)) used.add(block);
        else if (passesOn(user) && !isChoice(user)) open.push({ id: user.id, computed: now.computed || !carriesValues(user) });
      }
    }
    return { used, meetings };
  }

  /** The value decides something there, or it is more than a copy that is stored. */
  #isUse(user: Instruction, { id, computed }: { readonly id: number; readonly computed: boolean }): boolean {
    switch (user.op) {
      case 'store':
        return isValue(user.pointer, id) || computed || this.#uses.isPrinted(user.pointer);
      case 'select':
        return isValue(user.condition, id);
      default:
        return !passesOn(user);
    }
  }
}

function isValue(operand: Operand, id: number): boolean {
  return operand.kind === 'value' && operand.id === id;
}

/** The instruction's result depends on its operands, and nothing else does. */
export function passesOn(instruction: Instruction): boolean {
  switch (instruction.op) {
    case 'load':
    case 'alloca':
    case 'atomicrmw':
    case 'cmpxchg':
    case 'callIndirect':
      return false;
    case 'call':
      return instruction.id >= 0 && isPureCall(instruction.callee);
    default:
      return instruction.id >= 0;
  }
}

/** A selection by one condition, or a conjunction or disjunction of two: only one of the operands may matter. */
export function isChoice(instruction: Instruction): boolean {
  const isBit = ({ type }: Operand): boolean => type.kind === 'int' && type.bits === 1;
  if (instruction.op === 'select') return isBit(instruction.condition);
  return (instruction.op === 'and' || instruction.op === 'or') && isBit(instruction.a);
}

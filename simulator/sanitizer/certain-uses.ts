/** Whether a thread that has loaded a value comes to a use of it, whatever way it goes. */
import { isPureCall } from '../ir/intrinsics.ts';
import { usersOf } from '../ir/operands.ts';
import type { Instruction, IrFunction, Operand } from '../ir/types.ts';
import { carriesValues, type ValueUses } from './value-uses.ts';

/** `computed`: it is no copy of what was loaded. */
interface Become {
  readonly id: number;
  readonly computed: boolean;
}

/** What a loaded value has become on one way into a block, which gives these new values: a use of one is a use of it. */
interface Heirs {
  readonly values: readonly Become[];
  readonly block: number;
}

/** What is made of a value without meetings and choices. */
interface Chain {
  /** Blocks in which it is used. */
  readonly used: ReadonlySet<number>;
  /** By `from to` of the way there: where it meets other values. */
  readonly meetings: ReadonlyMap<string, Heirs>;
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
    const open: Heirs[] = [];
    const add = (heirs: Heirs): void => {
      const key = heirs.values.map(({ id, computed }) => `${id} ${computed}`).join();
      if (!seen.has(key)) open.push(heirs);
      seen.add(key);
    };
    add({ values: [{ id: load.id, computed: false }], block: this.#blocks.get(load)! });
    // On a way on which it only becomes itself again, a thread never gets anywhere.
    for (let heirs = open.pop(); heirs !== undefined; heirs = open.pop()) if (!this.#isUsed(heirs, add)) return false;
    return true;
  }

  #isUsed({ values, block }: Heirs, add: (next: Heirs) => void): boolean {
    const { used, meetings } = this.#chainOf(values);
    if (used.has(block)) return true;
    const seen = new Set<number>();
    const open = [block];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const { instructions, successors } = this.#fn.blocks[at];
      const end = instructions[instructions.length - 1];
      if (end.op === 'ret') return false;
      // A thread runs one of a loop's copies at least, and what goes through the first one goes through all.
      for (const next of end.op === 'condbr' && end.beginsRounds ? [end.then] : successors) {
        const met = meetings.get(`${at} ${next}`);
        if (met) add(met);
        else if (next === block) return false;
        else if (!seen.has(next) && !used.has(next)) {
          seen.add(next);
          open.push(next);
        }
      }
    }
    return true;
  }

  #chainOf(values: readonly Become[]): Chain {
    const used = new Set<number>();
    const meetings = new Map<string, Heirs>();
    const seen = new Set<string>();
    const open = [...values];
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
            const others = meetings.get(way)?.values ?? [];
            meetings.set(way, { values: [...others, { id: user.id, computed: now.computed }], block });
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

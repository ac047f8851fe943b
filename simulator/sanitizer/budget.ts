/**
 * How much of a program is checked in a run of which nobody has asked for more. It is counted in instructions of warps, which are the
 * same for both engines, any number of workers and any machine, so the same program is always checked as far (docs/sanitizer.md).
 */
import { FIELD, SITE_FIELDS, type SiteCounters } from '../counters/site-counters.ts';
import { meaningOf } from '../ir/intrinsics.ts';
import { storeSizeOf } from '../ir/layout.ts';
import { usersOf } from '../ir/operands.ts';
import { type Instruction, type IrFunction, type Operand, ordersOthers } from '../ir/types.ts';
import type { LoadedModule } from '../machine/load-module.ts';

/** Instructions of warps that compiled code checks by itself. */
const ALL = 1 << 25;
/** What an instruction costs of a kernel whose accesses compiled code has to tell. */
const HEAVY = 32;
/** And of one that accesses parts of words, which it has to tell, too: those of numbers of 16 bits, most often. */
const NARROW = 8;
/** What a copy or fill of the host costs, for each row; and where streams make its order matter. */
const CALL = 1 << 5;
const TASK = 1 << 11;
/** What an access costs of which something is reported. */
const FINDING = 128;
/** What a launch takes by itself, for its tables. */
const LAUNCH = 1 << 13;
/** A launch may take so much of what is left: those that come later get something, too. */
const SHARE = 1 / 4;

export class Budget {
  #left = ALL;
  #launch = { most: 0, weight: 1, taken: 0, found: 0 };

  /** A launch begins. `weight`: what an instruction costs. False if nothing is left for it. */
  begin(weight: number): boolean {
    const most = this.#left * SHARE - LAUNCH;
    this.#launch = { most, weight, taken: 0, found: 0 };
    if (most <= 0) return false;
    this.#left -= LAUNCH;
    return true;
  }

  /** The host has written memory, so many bytes of which cost as much as an instruction. */
  write(bytes: number, bytesPerInstruction: number): void {
    this.#left -= CALL + bytes / bytesPerInstruction;
  }

  /** A copy or fill has its place in the order of work. */
  transfer(): void {
    this.#left -= TASK;
  }

  /** No launch gets anything any more. */
  get isEmpty(): boolean {
    return this.#left * SHARE <= LAUNCH;
  }

  /** Something of the launch has been found: compiled code leaves such an access to others. */
  find(): void {
    this.#launch.found += FINDING;
  }

  /** So many instructions of the launch have been executed: whether that is all that it gets. */
  isSpent(steps: number): boolean {
    const launch = this.#launch;
    const cost = steps * launch.weight + launch.found;
    this.#left -= cost - launch.taken;
    launch.taken = cost;
    return cost >= launch.most;
  }
}

/** Instructions of warps in all. */
export function executedInstructions(counters: SiteCounters): number {
  let sum = 0;
  for (const { data } of counters.values()) for (let at = FIELD.executions; at < data.length; at += SITE_FIELDS.length) sum += data[at];
  return sum;
}

const known = new WeakMap<IrFunction, number>();

/** What an instruction of a kernel costs with checks: one where compiled code does them by itself. */
export function weightOf({ ir }: LoadedModule, kernel: string): number {
  const fn = ir.functions.get(kernel)!;
  let weight = known.get(fn);
  if (weight === undefined) {
    weight = !isSimple(fn, (name) => ir.functions.has(name)) ? HEAVY : accessesParts(fn) ? NARROW : 1;
    known.set(fn, weight);
  }
  return weight;
}

/** Of words. */
function accessesParts(fn: IrFunction): boolean {
  return fn.blocks.some(({ instructions }) => instructions.some(isNarrow));
}

function isNarrow(instruction: Instruction): boolean {
  const { op } = instruction;
  return (op === 'load' || op === 'store') && storeSizeOf(op === 'store' ? instruction.value.type : instruction.type) < 4;
}

/** Barriers alone order something, lanes meet as whole warps, and addresses do not depend on what memory holds. */
function isSimple(fn: IrFunction, isDefined: (name: string) => boolean): boolean {
  const instructions = fn.blocks.flatMap((block) => block.instructions);
  if (instructions.some((instruction) => isOrdering(instruction, isDefined))) return false;
  const loaded = valuesOfMemory(fn, instructions);
  const isLoaded = (operand: Operand): boolean => operand.kind === 'value' && loaded.has(operand.id);
  return !instructions.some((instruction) => 'pointer' in instruction && instruction.op !== 'atomicrmw' && isLoaded(instruction.pointer));
}

function isOrdering(instruction: Instruction, isDefined: (name: string) => boolean): boolean {
  switch (instruction.op) {
    case 'fence':
    case 'callIndirect':
    case 'alloca':
    case 'cmpxchg':
      return true;
    case 'call':
      return isDefined(instruction.callee) || isPartial(instruction);
    default:
      return 'order' in instruction && instruction.order !== undefined && ordersOthers(instruction.order);
  }
}

/** A barrier of some warps, or an exchange of lanes that the program names while it runs. */
function isPartial(call: Extract<Instruction, { op: 'call' }>): boolean {
  const meaning = meaningOf(call);
  switch (meaning?.kind) {
    case 'blockBarrier':
      return meaning.counted;
    case 'gridBarrier':
    case 'clusterBarrier':
    case 'copyMemory':
    case 'fillMemory':
      return true;
    case 'warpBarrier':
    case 'shuffle':
    case 'vote':
    case 'match':
      return call.args[0].kind !== 'int';
    default:
      return false;
  }
}

/** Values that depend on what memory holds. */
function valuesOfMemory(fn: IrFunction, instructions: readonly Instruction[]): ReadonlySet<number> {
  const users = usersOf(fn);
  const found = new Set<number>();
  const open = instructions.filter(({ op }) => op === 'load' || op === 'atomicrmw').map(({ id }) => id);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id < 0 || found.has(id)) continue;
    found.add(id);
    for (const user of users[id] ?? []) open.push(user.id);
  }
  return found;
}

/**
 * What makes counters of a launch depend on the order in which warps happen to run, so that hardware would count otherwise in another run
 * and so does the simulator, which has one order. Three kinds are found, by the IR alone:
 *
 *   - What an atomic returned, a clock, or a volatile load in a loop that waits for others decides a branch or an address: retries of a
 *     compare-and-swap, a ticket that says which block is the last, a place in a list that warps append to. The value is followed through
 *     arithmetic, exchanges between lanes and through shared and local variables. A branch that hardware predicates and that guards no
 *     access of memory changes nothing.
 *   - An atomic of shared memory that is a loop of reading and trying (floating point, 64 bits): other warps on the same word spoil tries.
 *   - A barrier of the grid.
 *
 * Known limits: values are not followed through global memory, where one thread's result may decide what another thread does.
 */
import { intrinsicOf } from '../ir/intrinsics.ts';
import type { MemoryRoots } from '../ir/memory-roots.ts';
import { operandsOf, usersOf } from '../ir/operands.ts';
import { FUNCTION_END, reconvergenceBlocks } from '../ir/reconvergence.ts';
import type { Instruction, IrFunction, IrModule, Operand } from '../ir/types.ts';
import { spinsInShared } from './atomics.ts';
import { findLoops } from './loops.ts';
import { waitingBackEdges } from './waiting-loops.ts';

export type TimingCause =
  /** The order of atomics decides which way lanes go, or how often. */
  | 'branch'
  /** It decides where they read or write. */
  | 'address'
  /** A clock decides one of both. */
  | 'clock'
  /** A loop goes on until another thread has written something. */
  | 'awaited'
  /** Tries of a shared atomic are spoiled by other warps. */
  | 'spoiled'
  /** Blocks ask again and again whether the last one has come; hardware counts these loads, and an atomic of each block. */
  | 'grid barrier';

type Origin = 'atomic' | 'clock' | 'awaited';

/** By site of what depends on the order: a launch that executes it has counters that do. */
export function timingSites(
  fn: IrFunction,
  { module, roots, predicated }: { readonly module: IrModule; readonly roots: MemoryRoots; readonly predicated: ReadonlySet<number> },
): ReadonlyMap<number, TimingCause> {
  const origins = new Origins(fn, module, roots);
  const sites = new Map<number, TimingCause>();
  for (const { instructions } of fn.blocks) {
    for (const instruction of instructions) {
      if (instruction.op === 'atomicrmw' && spinsInShared(instruction) && roots.spaceOf(instruction.pointer) === 3) {
        sites.set(instruction.site, 'spoiled');
      }
      if (instruction.op === 'call' && intrinsicOf(instruction.callee)?.waits === 'grid') sites.set(instruction.site, 'grid barrier');
    }
  }
  if (!origins.any) return sites;
  const isIdle = idleBranches(fn, predicated);
  for (const { instructions } of fn.blocks) {
    for (const instruction of instructions) {
      const decided = decidedBy(instruction);
      const origin = decided && !isIdle(instruction.site) ? origins.of(decided.operand) : undefined;
      if (decided && origin) sites.set(instruction.site, origin === 'atomic' ? decided.cause : origin);
    }
  }
  return sites;
}

/** The operand that decides where an instruction goes, or what it touches. */
function decidedBy(instruction: Instruction): { readonly operand: Operand; readonly cause: TimingCause } | undefined {
  switch (instruction.op) {
    case 'condbr':
      return { operand: instruction.condition, cause: 'branch' };
    case 'switch':
      return { operand: instruction.value, cause: 'branch' };
    case 'load':
    case 'store':
    case 'atomicrmw':
    case 'cmpxchg':
      return { operand: instruction.pointer, cause: 'address' };
    default:
      return undefined;
  }
}

/** True for the sites of branches that hardware does not have and between whose ways no memory is touched. */
function idleBranches(fn: IrFunction, predicated: ReadonlySet<number>): (site: number) => boolean {
  const meeting = reconvergenceBlocks(fn);
  const idle = new Set<number>();
  for (const { index, instructions, successors } of fn.blocks) {
    const { site } = instructions[instructions.length - 1];
    if (!predicated.has(site) || meeting[index] === FUNCTION_END) continue;
    const between = new Set(successors.filter((s) => s !== meeting[index]));
    for (const block of between) for (const s of fn.blocks[block].successors) if (s !== meeting[index]) between.add(s);
    if (![...between].some((block) => fn.blocks[block].instructions.some(countsMemory))) idle.add(site);
  }
  return (site) => idle.has(site);
}

function countsMemory({ op }: Instruction): boolean {
  return ['load', 'store', 'atomicrmw', 'cmpxchg', 'call', 'callIndirect', 'ret'].includes(op);
}

/** Which values depend on atomics or clocks. */
class Origins {
  readonly #values = new Map<number, Origin>();
  /** Shared and local variables that hold such values. */
  readonly #variables = new Map<string, Origin>();
  readonly #open: Instruction[] = [];
  readonly #users: readonly (readonly Instruction[])[];
  readonly #loads: Extract<Instruction, { op: 'load' }>[] = [];

  constructor(
    fn: IrFunction,
    readonly module: IrModule,
    readonly roots: MemoryRoots,
  ) {
    const all = fn.blocks.flatMap(({ instructions }) => instructions);
    this.#users = usersOf(fn);
    for (const instruction of all) if (instruction.op === 'load') this.#loads.push(instruction);
    for (const instruction of all) {
      const origin = originOf(instruction, module);
      if (origin) this.#mark(instruction.id, origin);
    }
    for (const load of awaitedLoads(fn, module, roots)) this.#mark(load.id, 'awaited');
    for (let next = this.#open.pop(); next; next = this.#open.pop()) this.#visit(next);
  }

  get any(): boolean {
    return this.#values.size > 0;
  }

  of(operand: Operand): Origin | undefined {
    return operand.kind === 'value' ? this.#values.get(operand.id) : undefined;
  }

  #mark(id: number, origin: Origin): void {
    if (id < 0 || this.#values.has(id)) return;
    this.#values.set(id, origin);
    this.#open.push(...this.#users[id]);
  }

  /** Visits an instruction with an operand of such an origin. */
  #visit(instruction: Instruction): void {
    const origin = operandsOf(instruction)
      .map((operand) => this.of(operand))
      .find((each) => each !== undefined);
    if (!origin) return;
    if (instruction.op === 'store' && this.of(instruction.value)) this.#markVariables(instruction.pointer, origin);
    this.#mark(instruction.id, origin);
  }

  #markVariables(pointer: Operand, origin: Origin): void {
    const keys = this.#keysOf(pointer).filter((key) => !this.#variables.has(key));
    for (const key of keys) this.#variables.set(key, origin);
    if (keys.length === 0) return;
    for (const load of this.#loads) if (this.#keysOf(load.pointer).some((key) => keys.includes(key))) this.#mark(load.id, origin);
  }

  /** The shared and local variables that a pointer may point to. */
  #keysOf(pointer: Operand): readonly string[] {
    return this.roots.rootsOf(pointer).flatMap((root) => {
      if (root.kind === 'variable') return this.module.globals.get(root.name)?.space === 3 ? [root.name] : [];
      return root.kind === 'local' ? [`%${root.id}`] : [];
    });
  }
}

function originOf(instruction: Instruction, module: IrModule): Origin | undefined {
  switch (instruction.op) {
    case 'atomicrmw':
    case 'cmpxchg':
      return 'atomic';
    case 'call': {
      if (intrinsicOf(instruction.callee)?.effect === 'clock') return 'clock';
      return module.functions.has(instruction.callee) && returnsOrder(instruction.callee, module) ? 'atomic' : undefined;
    }
    default:
      return undefined;
  }
}

/** Volatile and atomic loads of memory that all blocks see, in loops that wait for what others write. */
function awaitedLoads(fn: IrFunction, module: IrModule, roots: MemoryRoots): readonly Instruction[] {
  const edges = waitingBackEdges(fn, module);
  if (edges.size === 0) return [];
  const waiting = findLoops(fn).loops.filter(({ header, latches }) => latches.some((latch) => edges.has(`${latch} ${header}`)));
  const inside = new Set(waiting.flatMap(({ blocks }) => blocks));
  return [...inside].flatMap((block) =>
    fn.blocks[block].instructions.filter(
      (i) => i.op === 'load' && (i.volatile || i.order !== undefined) && [0, 1].includes(roots.spaceOf(i.pointer)),
    ),
  );
}

/** A function of the module in which an atomic's result is used may return what depends on it. */
function returnsOrder(name: string, module: IrModule, seen: ReadonlySet<string> = new Set()): boolean {
  const fn = module.functions.get(name);
  if (!fn || seen.has(name)) return false;
  const all = fn.blocks.flatMap(({ instructions }) => instructions);
  const used = new Set(all.flatMap((i) => operandsOf(i).flatMap((operand) => (operand.kind === 'value' ? [operand.id] : []))));
  return all.some((i) => {
    if (i.op === 'atomicrmw' || i.op === 'cmpxchg') return used.has(i.id);
    return i.op === 'call' && returnsOrder(i.callee, module, new Set([...seen, name]));
  });
}

/** Findings of what the checks of one launch tell, in words. */
import { LOCAL_BASE } from '../ir/address-map.ts';
import { reachableFrom } from '../ir/reachable.ts';
import type { Instruction, Operand } from '../ir/types.ts';
import type { DeviceMemory } from '../machine/device-memory.ts';
import type { Dim3, Launch } from '../machine/launch.ts';
import type { LoadedModule } from '../machine/load-module.ts';
import { type Gap, gapOf } from './barrier-gaps.ts';
import type { WarpClock } from './block-clocks.ts';
import type { LaunchClock } from './clocks.ts';
import type { EventTable } from './event-table.ts';
import { type Actor, type FindingLog, placeKey, type Repair } from './finding-log.ts';
import type { GridRecord } from './grids.ts';
import type { LanesAt, MeetingReports } from './meeting-checks.ts';
import { absentMessage, hex, incompleteGridMessage } from './meeting-words.ts';
import { inMemory, nameOf } from './memory-names.ts';
import { warpOf } from './pending-copies.ts';
import type { Conflict, RaceReports } from './race-detector.ts';
import type { Site, Sites } from './sites.ts';
import { type Tasks, threadAt } from './tasks.ts';
import type { Origin } from './unwritten-bytes.ts';

interface ReportParts {
  readonly module: LoadedModule;
  readonly memory: DeviceMemory;
  readonly launch: Launch;
  readonly clock: LaunchClock;
  readonly log: FindingLog;
  readonly events: EventTable;
  readonly sites: Sites;
  readonly grid: GridRecord;
  readonly tasks: Tasks;
  readonly copies: ReadonlyMap<number, Origin>;
}

/** What to do about memory that nothing has written, by its space. */
const INITIALISE: Readonly<Record<string, string>> = {
  local: 'give the array a value first',
  shared: 'give it a value in the kernel, and put a barrier behind it where other threads do',
};

interface Missing {
  readonly text: string;
  readonly repair?: Repair;
  readonly gap?: Gap;
  readonly inBlock?: string;
  readonly isOfGrid?: boolean;
}

const NO_GRID_BARRIER =
  'no barrier of the whole grid orders these: __syncthreads() orders one block; end the kernel between them, or use grid.sync() in a cooperative launch, or atomics';
const IN_PLACE =
  'no barrier of the whole grid orders these: __syncthreads() orders one block; read from one array and write to another, end the kernel between them, or use grid.sync() in a cooperative launch, or atomics';
const COMPARED =
  'each reads it, compares it and writes it, and another thread may come between; use an atomic (atomicMax, atomicMin, atomicCAS)';
const ONE_STATEMENT =
  'several threads write it in one statement, and no barrier comes between these writes; let one thread write, give each a place of its own, or use an atomic';
const BESIDE_SKIPPED = 'a thread that goes past a barrier of the block is not ordered by it; mend that first';

const BARRIER_TEXTS: Readonly<Record<'warp' | 'block', Readonly<Record<Gap['kind'], string>>>> = {
  warp: {
    between: 'lanes of a warp are not ordered by lock step; put __syncwarp() between them',
    loop: 'lanes of a warp are not ordered by lock step, from one iteration of the loop to the next; put __syncwarp() at the end of its body, which all lanes must reach in every round',
    statement:
      'lanes of a warp are not ordered by lock step, and no __syncwarp() fits into the one line that reads and writes; read into a variable, put __syncwarp() behind that, and then write',
  },
  block: {
    between: 'no barrier of the block is between them; put __syncthreads() there',
    loop: 'no barrier of the block is between one iteration of the loop and the next; put __syncthreads() at the end of its body, which all threads must reach in every round',
    statement:
      'no barrier fits into the one line that reads and writes; read into a variable, put __syncthreads() behind that, outside of any condition, and then write',
  },
};

export class LaunchReports implements RaceReports, MeetingReports {
  readonly #parts: ReportParts;

  constructor(parts: ReportParts) {
    this.#parts = parts;
  }

  race(conflict: Conflict): void {
    const { earlier, site, before, warp } = conflict;
    if (before >>> 5 <= this.#parts.clock.start) {
      this.#clash(conflict);
      return;
    }
    const recorded = this.#parts.events.warps[before >>> 5];
    const other = warpOf(recorded);
    const { warpsPerBlock } = this.#parts.clock;
    // Of all pairs of threads, those that are farthest apart say what is missing.
    const width = other === warp.number ? 0 : Math.floor(other / warpsPerBlock) === warp.block.number ? 1 : 2;
    const places = [placeKey(earlier.location), placeKey(site.location)].sort();
    const kind = recorded < 0 ? 'pending' : 'race';
    this.#parts.log.add([kind, this.#kernel, ...places].join('|'), () => this.#raceFinding(conflict), width);
  }

  /** With something that began before the launch. */
  #clash({ before, site, warp, lane, address }: Conflict): void {
    const { tasks, grid } = this.#parts;
    const { location } = site;
    const now = { location, access: accessName(site), kernel: this.#kernel, ...this.#threadOf(warp.number, lane) };
    const { text } = this.#name(address, site);
    tasks.clash({ before, now, task: grid.task, how: tasks.grids.how(before >>> 5, grid), address, text });
  }

  uninitialised(site: Site, warp: WarpClock, lane: number, address: number): void {
    const { location } = site;
    // What is nobody's memory is a fault.
    if (address < LOCAL_BASE && !this.#parts.memory.find(address, 1)) return;
    this.#parts.log.add(['uninitialised-read', this.#kernel, placeKey(location)].join('|'), () => {
      const { space, text } = this.#name(address, site);
      const origin = this.#parts.copies.get(address >>> 2);
      const message = origin
        ? `what is read here, ${inMemory({ space, text })}, is a copy of bytes that nothing has written: on a GPU they hold whatever was there before; initialise what was copied`
        : `nothing has written what is read here, ${inMemory({ space, text })}: on a GPU it holds whatever was there before; ${INITIALISE[space] ?? 'initialise it, with cudaMemset or in the kernel'}`;
      const actor = { location, access: 'read', ...this.#threadOf(warp.number, lane) };
      return { check: 'uninitialised-read', kernel: this.#kernel, message, actors: [actor], where: text, address, origin };
    });
  }

  incomplete(
    instruction: Instruction,
    warp: WarpClock,
    lane: number,
    { gone, expected }: { readonly gone: number; readonly expected: number },
  ): void {
    const { location } = instruction;
    this.#parts.log.add(['divergent-barrier', this.#kernel, placeKey(location)].join('|'), () => {
      const message = `${gone} of the block's ${expected} threads ${gone === 1 ? 'has' : 'have'} gone past this barrier while others wait at it. All threads of a block that have not left the kernel have to reach it, or its behaviour is undefined; take it out of the condition`;
      const actor = { location, access: 'barrier', ...this.#threadOf(warp.number, lane) };
      return { check: 'divergent-barrier', kernel: this.#kernel, message, actors: [actor] };
    });
  }

  incompleteGrid(at: LanesAt, { arrived, expected }: { readonly arrived: number; readonly expected: number }): void {
    this.#parts.log.add(['divergent-barrier', this.#kernel, placeKey(at.instruction.location)].join('|'), () => {
      const message = incompleteGridMessage({ arrived, expected });
      return { check: 'divergent-barrier', kernel: this.#kernel, message, actors: [this.#actorOf(at, 'barrier')] };
    });
  }

  different(a: LanesAt, b: LanesAt): void {
    const places = [placeKey(a.instruction.location), placeKey(b.instruction.location)].sort();
    this.#parts.log.add(['divergent-barrier', this.#kernel, ...places].join('|'), () => {
      const message =
        'threads of one block wait at different barriers of the source: all have to come to the same one, or the behaviour is undefined; move the barrier out of the condition';
      const actors = [a, b].map((at) => this.#actorOf(at, 'barrier'));
      return { check: 'divergent-barrier', kernel: this.#kernel, message, actors };
    });
  }

  leftOut(at: LanesAt, members: number, lane: number): void {
    // Where all lanes are there, all may be named.
    const repair = at.mask === -1 ? 'full-mask' : undefined;
    this.#mask(at, 'left out', repair, () => {
      return `the mask ${hex(members)} leaves out lane ${lane}, which calls with it: the result is undefined; name every lane that calls`;
    });
  }

  absent(at: LanesAt, members: number, absent: number): void {
    this.#mask(at, 'absent', undefined, () => absentMessage({ members, absent }));
  }

  readsAbsent(at: LanesAt, members: number, lane: number, source: number): void {
    this.#mask(at, 'source', undefined, () => {
      return `lane ${lane} takes the value of lane ${source}, which does not take part (the mask is ${hex(members)}): the value is undefined`;
    });
  }

  #mask(at: LanesAt, what: string, repair: Repair | undefined, message: () => string): void {
    this.#parts.log.add(['wrong-mask', what, this.#kernel, placeKey(at.instruction.location)].join('|'), () => {
      return { check: 'wrong-mask', kernel: this.#kernel, message: message(), actors: [this.#actorOf(at, 'exchange')], repair };
    });
  }

  #raceFinding({ before, earlier, site, warp, lane, address }: Conflict) {
    const recorded = this.#parts.events.warps[before >>> 5];
    const otherWarp = warpOf(recorded);
    const { space, text } = this.#name(address, site);
    const actors: Actor[] = [
      { location: site.location, access: accessName(site), ...this.#threadOf(warp.number, lane) },
      { location: earlier.location, access: accessName(earlier), ...this.#threadOf(otherWarp, before & 31) },
    ];
    if (recorded < 0) {
      const message = `${accessName(site)} of ${inMemory({ space, text })}, which an asynchronous copy may still be writing: the thread that began the copy has not waited for it; wait with cp.async.wait_group (__pipeline_wait_prior), and then put __syncthreads() there if other threads use what was copied`;
      return { check: 'race' as const, kernel: this.#kernel, message, actors, where: text, address };
    }
    const missing = this.#missing(otherWarp, warp, earlier, site, { lane, before });
    const message = (what: string) =>
      `${accessName(site)} and ${accessName(earlier)} of ${inMemory({ space, text })} by two threads, in no order: ${what}`;
    const { repair, gap, inBlock, isOfGrid } = missing;
    const isOfBlock = otherWarp === warp.number || Math.floor(otherWarp / this.#parts.clock.warpsPerBlock) === warp.block.number;
    return {
      check: 'race' as const,
      kernel: this.#kernel,
      message: message(missing.text),
      actors,
      where: text,
      address,
      repair,
      gap,
      ...(inBlock && { inBlock: message(inBlock) }),
      ...(isOfBlock && { besideSkipped: message(BESIDE_SKIPPED) }),
      ...(isOfGrid && { cause: `${missing.text}|${objectIn(text)}` }),
    };
  }

  /** What would have to be there for the two to be ordered. */
  #missing(
    other: number,
    warp: WarpClock,
    earlier: Site,
    site: Site,
    { lane, before }: { readonly lane: number; readonly before: number },
  ): Missing {
    const perBlock = this.#parts.clock.warpsPerBlock;
    const sameBlock = Math.floor(other / perBlock) === warp.block.number;
    const know = (how: { pendingToo: boolean; anyScope: boolean }): boolean => this.#parts.clock.linksKnow(warp, lane, before, how);
    if (know({ pendingToo: true, anyScope: false })) {
      return { text: 'the flag or lock between them is read without an acquire; put __threadfence() behind the read' };
    }
    if (!sameBlock && know({ pendingToo: true, anyScope: true })) {
      return {
        text: 'the fence or atomic between them orders threads of one block only; use __threadfence(), and an atomic of the device (without _block, or cuda::thread_scope_device)',
      };
    }
    if (earlier.strength === 'atomic' && site.strength === 'atomic') {
      return {
        text: 'an atomic for one block is not atomic for the others; use one of the device (without _block, or cuda::thread_scope_device)',
      };
    }
    if (earlier.strength === 'atomic' || site.strength === 'atomic') {
      const plain = earlier.strength === 'atomic' ? site : earlier;
      if (plain.access !== 'read' && sameBlock && other !== warp.number) return this.#barrier('block', earlier, site);
      if (plain.access !== 'read') return { text: 'only one of them is atomic; make both so, or put a barrier between them' };
    }
    const added = isOneChange(site, earlier, ({ adds }) => adds) ? 'atomic-add' : undefined;
    const changing = changedTogether(site, earlier);
    if (changing && !this.#hasFlags) return { text: changing, repair: added };
    if (!added && !this.#hasFlags && this.#isOneStatement(earlier, site)) return { text: ONE_STATEMENT, isOfGrid: !sameBlock };
    if (other === warp.number) return { ...this.#barrier('warp', earlier, site), ...(added && { repair: added }) };
    if (sameBlock) return { ...this.#barrier('block', earlier, site), ...(added && { repair: added }) };
    const { cluster } = this.#parts.clock.launch;
    if (cluster && this.#parts.clock.clusterAt(warp.block.number).includes(Math.floor(other / perBlock)))
      return { text: 'no barrier of the cluster is between them; put cluster.sync() there, or use atomics', repair: added };
    if (this.#hasFlags) {
      const text =
        'neither a barrier of the whole grid nor a flag or lock that both use orders these: with one, put __threadfence() in front of the write that sets or frees it, and behind the read that sees it; __syncthreads() orders one block';
      return { text, repair: added };
    }
    if (earlier.access === 'write' && site.access === 'read' && this.#drawsTickets) {
      const text =
        'the count by which a block learns that others are done orders nothing by itself: put __threadfence() between what they write and the atomic that counts them, and behind the count that tells';
      return { text, repair: added };
    }
    if (isOnePlace(site, earlier) && !added) return { text: COMPARED };
    const isInPlace = [earlier, site].some(({ access }) => access === 'read') && !added;
    return { text: isInPlace ? IN_PLACE : NO_GRID_BARRIER, repair: added, isOfGrid: true };
  }

  /** Not one that a loop comes to again: a barrier in the loop may order its rounds. */
  #isOneStatement(earlier: Site, site: Site): boolean {
    if (earlier.instruction !== site.instruction || earlier.access !== 'write' || site.access !== 'write') return false;
    const fn = this.#parts.module.ir.functions.get(site.function);
    return fn !== undefined && gapOf(earlier, site, fn, 'warp') === undefined;
  }

  #barrier(level: 'warp' | 'block', earlier: Site, site: Site): Missing {
    const fn = earlier.function === site.function ? this.#parts.module.ir.functions.get(site.function) : undefined;
    const gap = fn && gapOf(earlier, site, fn, level);
    const kind = gap?.kind ?? 'between';
    return {
      text: BARRIER_TEXTS[level][kind],
      repair: kind === 'between' ? `${level}-barrier` : undefined,
      gap,
      inBlock: level === 'warp' && kind !== 'between' ? BARRIER_TEXTS.block[kind] : undefined,
    };
  }

  /** Threads wait for, or take, words of global memory. */
  get #hasFlags(): boolean {
    const { ir } = this.#parts.module;
    return [...reachableFrom(ir, this.#kernel)].some((name) =>
      ir.functions.get(name)?.blocks.some((block) => block.instructions.some(isFlag)),
    );
  }

  /** Threads count themselves in global memory and compare how many have come, as the last block of a reduction does. */
  get #drawsTickets(): boolean {
    const { ir } = this.#parts.module;
    return [...reachableFrom(ir, this.#kernel)].some((name) => {
      const instructions = ir.functions.get(name)?.blocks.flatMap((block) => block.instructions) ?? [];
      const tickets = new Set(instructions.filter(isCount).map(({ id }) => id));
      const isTicket = (operand: Operand) => operand.kind === 'value' && tickets.has(operand.id);
      return instructions.some((each) => each.op === 'icmp' && /^(eq|ne)$/.test(each.predicate) && (isTicket(each.a) || isTicket(each.b)));
    });
  }

  get #kernel(): string {
    return this.#parts.launch.kernel;
  }

  #name(address: number, { instruction }: Site) {
    const { module, memory } = this.#parts;
    return nameOf(address, elementBytes(instruction), { module, memory, kernel: this.#kernel });
  }

  #actorOf({ instruction, warp, mask }: LanesAt, access: string): Actor {
    return { location: instruction.location, access, ...this.#threadOf(warp.number, 31 - Math.clz32(mask & -mask)) };
  }

  #threadOf(warp: number, lane: number): { readonly block: Dim3; readonly thread: Dim3 } {
    return threadAt(this.#parts.grid, warp, lane);
  }
}

function accessName({ access, strength, isAsync }: Site): string {
  if (isAsync) return 'asynchronous copy';
  if (access === 'atomic') return 'atomic';
  return strength === 'volatile' ? `volatile ${access}` : access;
}

/** A read that may be waiting, or a swap: as of flags and locks. */
function isFlag(instruction: Instruction): boolean {
  if (!('pointer' in instruction) || isShared(instruction.pointer)) return false;
  switch (instruction.op) {
    case 'cmpxchg':
      return true;
    case 'atomicrmw': {
      const { operation, value } = instruction;
      return operation === 'xchg' || (value.kind === 'int' && value.value === 0n);
    }
    case 'load':
      return instruction.volatile || (instruction.order !== undefined && instruction.order.ordering !== 'unordered');
    default:
      return false;
  }
}

function isCount(instruction: Instruction): boolean {
  return instruction.op === 'atomicrmw' && /^(add|sub|uinc_wrap|udec_wrap)$/.test(instruction.operation) && !isShared(instruction.pointer);
}

/** Both are of one read-modify-write in the source: a load, and a store at its address of what is made of it. */
function isOneChange(a: Site, b: Site, loadOf: (store: Site) => Instruction | undefined): boolean {
  const store = [a, b].find(({ access }) => access === 'write');
  const load = store && loadOf(store);
  return load !== undefined && [a, b].every(({ instruction }) => instruction === store!.instruction || instruction === load);
}

/** `if (x > *best) *best = x;`: a load, and a store by the very same pointer. */
function isOnePlace(a: Site, b: Site): boolean {
  const [read, write] = a.access === 'read' ? [a, b] : [b, a];
  if (read.access !== 'read' || write.access !== 'write') return false;
  const [from, to] = [read.instruction, write.instruction];
  if (from.op !== 'load' || to.op !== 'store' || placeKey(read.location) !== placeKey(write.location)) return false;
  return from.pointer.kind === 'value' && to.pointer.kind === 'value' && from.pointer.id === to.pointer.id;
}

/** Atomics that do in one step what is computed of a value and stored in its place. */
const ATOMICS: Readonly<Record<string, string>> = {
  add: 'atomicAdd',
  fadd: 'atomicAdd',
  sub: 'atomicSub',
  fsub: 'atomicAdd',
  and: 'atomicAnd',
  or: 'atomicOr',
  xor: 'atomicXor',
};

function changedTogether(a: Site, b: Site): string | undefined {
  if (!isOneChange(a, b, ({ changes }) => changes?.load)) return undefined;
  const changes = a.changes ?? b.changes;
  const atomic = changes && ATOMICS[changes.op];
  return `each reads it, changes it and writes it back, and another thread may come between; use ${atomic ?? 'an atomic'}`;
}

/** `cudaMalloc no. 1` of `element 15 of cudaMalloc no. 1 (65536 bytes)`. */
function objectIn(text: string): string {
  return text.replace(/^(element|byte) \d+ of /, '').replace(/\[.*/, '');
}

function isShared({ type }: Operand): boolean {
  return type.kind === 'ptr' && type.space === 3;
}

function elementBytes(instruction: Instruction): number {
  const type = instruction.op === 'store' ? instruction.value.type : instruction.type;
  if (type.kind === 'int') return Math.ceil(type.bits / 8);
  if (type.kind === 'float') return type.format === 'double' ? 8 : type.format === 'float' ? 4 : 2;
  return type.kind === 'ptr' ? 8 : 4;
}

/**
 * The sanitizer of one program: what is remembered of its memory from launch to launch, and what was found. For each launch it gives the
 * probes that the engine tells (docs/sanitizer.md says what orders what).
 */
import { LOCAL_BASE } from '../ir/address-map.ts';
import type { Instruction, Location } from '../ir/types.ts';
import type { Allocation, DeviceMemory, MemoryObserver } from '../machine/device-memory.ts';
import type { Dim3, Launch } from '../machine/launch.ts';
import { type LoadedModule, sharedLimit } from '../machine/load-module.ts';
import type { LaunchOutcome } from '../scheduling/engine.ts';
import type { Probes } from '../scheduling/probes.ts';
import { BarrierSkips } from './barrier-skips.ts';
import { BriefReports } from './brief-reports.ts';
import { Budget, executedInstructions, weightOf } from './budget.ts';
import { LaunchClock, type WarpClock } from './clocks.ts';
import { BYTES_PER_EVENT, EventTable, LONG_AGO, MOST_EVENTS, NEVER } from './event-table.ts';
import { type Actor, type CountedFinding, FindingLog, placeKey } from './finding-log.ts';
import type { GridRecord, LaunchedBy } from './grids.ts';
import type { SyncVariable } from './knowledge.ts';
import { LocalWrites } from './local-writes.ts';
import { type LanesAt, MeetingChecks, type MeetingReports } from './meeting-checks.ts';
import { absentMessage, hex, incompleteGridMessage } from './meeting-words.ts';
import { nameOf } from './memory-names.ts';
import { type Conflict, RaceDetector, type RaceReports } from './race-detector.ts';
import { GlobalShadow } from './shadow.ts';
import { type Site, Sites } from './sites.ts';
import { SkippedBarriers } from './skipped-barriers.ts';
import { Store } from './store.ts';
import type { Task } from './task-order.ts';
import { Tasks, threadAt } from './tasks.ts';
import { type WrittenRange, writtenRanges } from './written-memory.ts';

export interface SanitizerOptions {
  readonly memory: DeviceMemory;
  /** Report stores of one value by several threads, too. */
  readonly equalValues?: boolean;
  /**
   * Nobody has asked for it: races and uninitialised reads, as far as the budget goes (budget.ts), with the program's memory where it is
   * without the sanitizer. What the scheduler sees by itself is told by others, and the source's blocks, which barriers need, are not known.
   */
  readonly brief?: boolean;
}

/** Events that may be kept when a launch begins before which everything is ordered. */
const FEW_EVENTS = 1 << 20;
/** Behind each allocation, so that an index that is too large does not lead into the next one. */
const GUARD_BYTES = 1 << 14;
/** Freed memory is not given out again before the program has freed so much more. */
const QUARANTINE_BYTES = 1 << 28;
/** Allocations whose bytes mean nothing before a kernel or a copy writes them; the host writes the others as it likes. */
const UNWRITTEN = /^(cudaMalloc(Async|FromPoolAsync|Pitch|3D)? no|device malloc)/;

export class Sanitizer {
  readonly #options: SanitizerOptions;
  readonly tasks: Tasks;
  /** Grids that a kernel has launched and that have not begun. */
  readonly #launched = new Map<Launch, { readonly parent: GridRecord; readonly by: LaunchedBy }>();
  #task: Task | undefined;
  readonly #store: Store;
  readonly #events: EventTable;
  readonly #global: GlobalShadow;
  readonly #log = new FindingLog();
  readonly #allSites: Site[] = [];
  readonly #sites = new Map<LoadedModule, Sites>();
  readonly #skips = new Map<LoadedModule, Map<string, BarrierSkips>>();
  #variables = new Map<number, SyncVariable>();
  /** Words that hold copies of what nothing has written, for messages. */
  readonly #copies = new Set<number>();

  constructor(options: SanitizerOptions) {
    this.#options = options;
    const { memory } = options;
    this.#store = new Store(memory);
    this.#events = new EventTable(this.#store);
    this.#global = new GlobalShadow(this.#store);
    const hostPlace = (): Location | undefined => this.hostPlace?.();
    this.tasks = new Tasks({
      events: this.#events,
      global: this.#global,
      log: this.#log,
      memory,
      sites: this.#allSites,
      hostPlace,
      reachesHost: (address, bytes, call) => this.#reachesHost(address, bytes, call),
    });
    for (const { address, sizeBytes } of memory.allocations) this.#global.reset(address, sizeBytes, LONG_AGO);
    memory.observer = this.#observer();
    if (options.brief) return;
    memory.guardBytes = GUARD_BYTES;
    memory.quarantineBytes = QUARANTINE_BYTES;
  }

  /** Memory that the host sees, too; set by who runs it, as is what follows. */
  sharedRanges: () => readonly WrittenRange[] = () => [];
  /** Where in the program's text the host is. */
  hostPlace: (() => Location | undefined) | undefined;

  get isBrief(): boolean {
    return this.#options.brief ?? false;
  }

  /** Launches of a brief sanitizer: those that it has looked at as a whole, and in part. */
  readonly launches = { all: 0, whole: 0, part: 0 };
  readonly #budget = new Budget();
  #isCut = false;

  get findings(): readonly CountedFinding[] {
    return this.#log.findings;
  }

  /** Bytes of what is remembered of memory and of accesses, for measurements. */
  get sizeBytes(): { readonly shadow: number; readonly events: number } {
    return { shadow: this.#global.sizeBytes, events: this.#events.last * BYTES_PER_EVENT };
  }

  /** As `probes`, as far as the budget goes: undefined for a launch that is not looked at. */
  probesWithin(module: LoadedModule, launch: Launch, isChild: boolean): Probes | undefined {
    this.launches.all++;
    // Who has not been looked at has not told of what it launches.
    if (isChild && !this.#launched.has(launch)) return undefined;
    if (!this.#budget.begin(weightOf(module, launch.kernel))) return undefined;
    this.#isCut = false;
    return this.probes(module, launch);
  }

  #enough(clock: LaunchClock): Probes['enough'] {
    if (!this.#options.brief) return undefined;
    return (steps) => {
      if (!this.#budget.isSpent(steps)) return false;
      this.#isCut = true;
      clock.tellAll();
      return true;
    };
  }

  /** A launch has ended of which not all may have been looked at: what it may have written counts as written. */
  endWithin(probes: Probes | undefined, { counters, footprint }: LaunchOutcome): void {
    if (probes && !this.#isCut) {
      this.#budget.isSpent(executedInstructions(counters));
      this.launches.whole++;
      return;
    }
    if (probes) this.launches.part++;
    for (const { address, sizeBytes } of this.#options.memory.allocations) {
      if (footprint.written.has(address)) this.#global.reset(address, sizeBytes, LONG_AGO);
    }
  }

  /** What an engine has to tell of a launch. */
  probes(module: LoadedModule, launch: Launch): Probes {
    const grid = this.#begin(launch);
    this.#variables = new Map();
    const { memory } = this.#options;
    const sites = this.#sitesOf(module);
    const sharedBytes = sharedLimit(module, launch.kernel, launch.dynamicSharedBytes);
    const { grids, order } = this.tasks;
    const clock = new LaunchClock(launch, this.#events, { floor: grids.floorOf(grid, this.#events.last), sharedBytes, store: this.#store });
    const words = new LaunchReports({
      module,
      memory,
      launch,
      clock,
      log: this.#log,
      events: this.#events,
      sites,
      grid,
      tasks: this.tasks,
      copies: this.#copies,
    });
    const local = LocalWrites.of(module, launch);
    const detector = new RaceDetector({
      clock,
      events: this.#events,
      sites,
      global: this.#global,
      local,
      copies: this.#copies,
      memory: memory.bytes,
      variables: this.#variables,
      isBefore: clock.isAlone ? undefined : (cell) => grids.isBefore(cell, grid),
      // Others may write, or have written, what this launch only reads.
      written: order.isConcurrent || !clock.isAlone ? undefined : this.#writtenOrShared(module, launch),
      reports: words,
      equalValues: this.#options.equalValues ?? false,
    });
    const { brief } = this.#options;
    const skipped = brief ? undefined : this.#skippedOf(module, launch.kernel, clock);
    const meetings = new MeetingChecks(clock, brief ? new BriefReports(words) : words, skipped);
    return {
      ledger: this.#store.ledger.address,
      blockBegin: ({ block }) => clock.beginBlock(block),
      access: (event) => (this.#hasRoom ? detector.access(event) : undefined),
      atomic: (event) => (this.#hasRoom ? detector.atomic(event) : undefined),
      fence: (event) => detector.fence(event),
      barrier: (event) => meetings.barrier(event),
      exchange: (event) => meetings.exchange(event),
      meeting: (event) => meetings.meeting(event),
      childLaunch: ({ child, block, warp, lane, stream }) => {
        const node = clock.knowledgeOf(clock.block(block).warps[warp], lane);
        this.#launched.set(child, { parent: grid, by: { block, lane, stream, tail: child.tail, node } });
      },
      enough: this.#enough(clock),
      branch: skipped && ((event) => skipped.branch(event)),
      branches: skipped?.branches,
      blockEnd: ({ block }) => {
        clock.endBlock(block);
        local?.endBlock(block * clock.warpsPerBlock, clock.warpsPerBlock);
        skipped?.endBlock(block);
      },
    };
  }

  /** Where readers matter: the host may write while they read. */
  #writtenOrShared(module: LoadedModule, launch: Launch): readonly WrittenRange[] | undefined {
    const written = writtenRanges(module, launch, this.#options.memory);
    return written && [...written, ...this.sharedRanges()];
  }

  /** A kernel of the host has ended, with all that it has launched. */
  endKernel(): void {
    if (this.#task) this.tasks.order.end(this.#task, this.#events.last);
    this.#task = undefined;
    this.#launched.clear();
  }

  #begin(launch: Launch): GridRecord {
    const child = this.#launched.get(launch);
    if (!child) {
      this.#forgetIfMany();
      this.#task = this.tasks.beginKernel(launch);
    }
    const threads = launch.block[0] * launch.block[1] * launch.block[2];
    const shape = { launch, task: this.#task!, warpsPerBlock: Math.ceil(threads / 32), first: this.#events.last };
    return this.tasks.grids.add({ ...shape, ...child });
  }

  #skippedOf(module: LoadedModule, kernel: string, { warpsPerBlock }: LaunchClock): SkippedBarriers | undefined {
    const known = this.#skips.get(module) ?? new Map<string, BarrierSkips>();
    this.#skips.set(module, known);
    const skips = known.get(kernel) ?? new BarrierSkips(module, kernel);
    known.set(kernel, skips);
    return skips.canDiffer ? new SkippedBarriers(skips, warpsPerBlock) : undefined;
  }

  #sitesOf(module: LoadedModule): Sites {
    let sites = this.#sites.get(module);
    if (!sites) {
      sites = new Sites(this.#allSites, (name) => module.ir.functions.get(name), this.#store);
      this.#sites.set(module, sites);
    }
    return sites;
  }

  #observer(): MemoryObserver {
    return {
      allocated: ({ address, sizeBytes, label }: Allocation) => {
        this.#global.reset(address, sizeBytes, UNWRITTEN.test(label) ? NEVER : LONG_AGO);
        for (const word of this.#copies) if (4 * word >= address && 4 * word < address + sizeBytes) this.#copies.delete(word);
      },
      written: (address, bytes) => this.#global.reset(address, bytes, LONG_AGO),
      copied: (to, from, bytes) => this.#global.copy(to, from, bytes),
    };
  }

  /** The host gets bytes that nothing has written: copies that kernels have made of such, or a whole range of them. */
  #reachesHost(address: number, bytes: number, call: string): void {
    const { memory } = this.#options;
    const allocation = memory.find(address, 1);
    if (!allocation || !UNWRITTEN.test(allocation.label)) return;
    const isCopy = (word: number): boolean =>
      4 * word + 4 > address && 4 * word < address + bytes && this.#global.isUnwrittenIn(4 * word, 4);
    const copied = [...this.#copies].filter(isCopy).sort((a, b) => a - b)[0];
    if (copied === undefined && this.#global.isWrittenIn(address, bytes)) return;
    const location = this.hostPlace?.();
    this.#log.add(['uninitialised-read', 'host', call, placeKey(location)].join('|'), () => {
      const first = copied === undefined ? address : Math.max(address, 4 * copied);
      const text = `byte ${first - allocation.address} of ${allocation.label} (${allocation.sizeBytes} bytes)`;
      const what =
        copied === undefined ? 'none of the bytes has been written' : 'a kernel has stored what it had read where nothing was written';
      const message = `${call} brings bytes to the host that nothing has given a value, from ${text} on: ${what}; on a GPU they hold whatever was there before`;
      return {
        check: 'uninitialised-read',
        kernel: '',
        message,
        actors: [{ location, access: `read by ${call}` }],
        where: text,
        address: first,
      };
    });
  }

  #forgetIfMany(): void {
    const { last } = this.#events;
    const { order } = this.tasks;
    const matters = order.isConcurrent || this.sharedRanges().length > 0;
    if (last < FEW_EVENTS || (matters && !order.isSettled && last < MOST_EVENTS / 2)) return;
    order.synchronizeAll();
    this.#global.forgetEvents();
    this.#events.clear();
  }

  /** A launch with more accesses between synchronisations than there are numbers is checked as far as these go. */
  get #hasRoom(): boolean {
    return this.#events.last < MOST_EVENTS - 1;
  }
}

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
  readonly copies: ReadonlySet<number>;
}

/** Makes findings of what the checks of one launch tell. */
class LaunchReports implements RaceReports, MeetingReports {
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
    const other = this.#parts.events.warps[before >>> 5];
    const { warpsPerBlock } = this.#parts.clock;
    // Of all pairs of threads, those that are farthest apart say what is missing.
    const width = other === warp.number ? 0 : Math.floor(other / warpsPerBlock) === warp.block.number ? 1 : 2;
    const places = [placeKey(earlier.instruction.location), placeKey(site.instruction.location)].sort();
    this.#parts.log.add(['race', this.#kernel, ...places].join('|'), () => this.#raceFinding(conflict), width);
  }

  /** With something that began before the launch. */
  #clash({ before, site, warp, lane, address }: Conflict): void {
    const { tasks, grid } = this.#parts;
    const { location } = site.instruction;
    const now = { location, access: accessName(site), kernel: this.#kernel, ...this.#threadOf(warp.number, lane) };
    const { text } = this.#name(address, site);
    tasks.clash({ before, now, task: grid.task, how: tasks.grids.how(before >>> 5, grid), address, text });
  }

  uninitialised(site: Site, warp: WarpClock, lane: number, address: number): void {
    const { location } = site.instruction;
    // What is nobody's memory is a fault.
    if (address < LOCAL_BASE && !this.#parts.memory.find(address, 1)) return;
    this.#parts.log.add(['uninitialised-read', this.#kernel, placeKey(location)].join('|'), () => {
      const { space, text } = this.#name(address, site);
      const message = this.#parts.copies.has(address >>> 2)
        ? `what is read here, ${text} in ${space} memory, is a copy of bytes that nothing has written: on a GPU they hold whatever was there before; initialise what was copied`
        : `nothing has written what is read here, ${text} in ${space} memory: on a GPU it holds whatever was there before; ${space === 'local' ? 'give the array a value first' : 'initialise it, with cudaMemset or in the kernel'}`;
      const actor = { location, access: 'read', ...this.#threadOf(warp.number, lane) };
      return { check: 'uninitialised-read', kernel: this.#kernel, message, actors: [actor], where: text, address };
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
      const message = `${gone} of the block's ${expected} threads have gone past this barrier while others wait at it. All threads of a block that have not left the kernel have to reach it, or its behaviour is undefined; take it out of the condition`;
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
    this.#mask(at, 'left out', () => {
      return `the mask ${hex(members)} leaves out lane ${lane}, which calls with it: the result is undefined; name every lane that calls`;
    });
  }

  absent(at: LanesAt, members: number, absent: number): void {
    this.#mask(at, 'absent', () => absentMessage({ members, absent }));
  }

  readsAbsent(at: LanesAt, members: number, lane: number, source: number): void {
    this.#mask(at, 'source', () => {
      return `lane ${lane} takes the value of lane ${source}, which does not take part (the mask is ${hex(members)}): the value is undefined`;
    });
  }

  #mask(at: LanesAt, what: string, message: () => string): void {
    this.#parts.log.add(['wrong-mask', what, this.#kernel, placeKey(at.instruction.location)].join('|'), () => {
      return { check: 'wrong-mask', kernel: this.#kernel, message: message(), actors: [this.#actorOf(at, 'exchange')] };
    });
  }

  #raceFinding({ before, earlier, site, warp, lane, address }: Conflict) {
    const otherWarp = this.#parts.events.warps[before >>> 5];
    const { space, text } = this.#name(address, site);
    const actors: Actor[] = [
      { location: site.instruction.location, access: accessName(site), ...this.#threadOf(warp.number, lane) },
      { location: earlier.instruction.location, access: accessName(earlier), ...this.#threadOf(otherWarp, before & 31) },
    ];
    const message = `${accessName(site)} and ${accessName(earlier)} of ${text} in ${space} memory by two threads, in no order: ${this.#missing(otherWarp, warp, earlier, site, { lane, before })}`;
    return { check: 'race' as const, kernel: this.#kernel, message, actors, where: text, address };
  }

  /** What would have to be there for the two to be ordered. */
  #missing(
    other: number,
    warp: WarpClock,
    earlier: Site,
    site: Site,
    { lane, before }: { readonly lane: number; readonly before: number },
  ): string {
    const perBlock = this.#parts.clock.warpsPerBlock;
    const sameBlock = Math.floor(other / perBlock) === warp.block.number;
    const know = (how: { pendingToo: boolean; anyScope: boolean }): boolean => this.#parts.clock.linksKnow(warp, lane, before, how);
    if (know({ pendingToo: true, anyScope: false })) {
      return 'the flag or lock between them is read without an acquire; put __threadfence() behind the read';
    }
    if (know({ pendingToo: true, anyScope: true })) {
      return 'the fence or atomic between them orders threads of one block only; use __threadfence() and an atomic without _block';
    }
    if (earlier.strength === 'atomic' && site.strength === 'atomic') {
      return 'an atomic for one block is not atomic for the others; use the one without _block';
    }
    if (earlier.strength === 'atomic' || site.strength === 'atomic') {
      const plain = earlier.strength === 'atomic' ? site : earlier;
      if (plain.access !== 'read') return 'only one of them is atomic; make both so, or put a barrier between them';
    }
    if (other === warp.number) return 'lanes of a warp are not ordered by lock step; put __syncwarp() between them';
    if (sameBlock) return 'no barrier of the block is between them; put __syncthreads() there';
    return 'no barrier of the whole grid orders these: __syncthreads() orders one block; end the kernel between them, or use grid.sync() in a cooperative launch, or atomics';
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

function accessName({ access, strength }: Site): string {
  if (access === 'atomic') return 'atomic';
  return strength === 'volatile' ? `volatile ${access}` : access;
}

function elementBytes(instruction: Instruction): number {
  const type = instruction.op === 'store' ? instruction.value.type : instruction.type;
  if (type.kind === 'int') return Math.ceil(type.bits / 8);
  if (type.kind === 'float') return type.format === 'double' ? 8 : type.format === 'float' ? 4 : 2;
  return type.kind === 'ptr' ? 8 : 4;
}

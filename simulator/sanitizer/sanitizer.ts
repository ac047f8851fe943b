import type { Location } from '../ir/types.ts';
import type { Allocation, DeviceMemory, MemoryObserver } from '../machine/device-memory.ts';
import type { Launch } from '../machine/launch.ts';
import { type LoadedModule, sharedLimit } from '../machine/load-module.ts';
import type { LaunchOutcome } from '../scheduling/engine.ts';
import { LEDGER } from '../scheduling/ledger.ts';
import type { Probes } from '../scheduling/probes.ts';
import { BarrierSkips } from './barrier-skips.ts';
import { BriefReports } from './brief-reports.ts';
import { Budget, executedInstructions, weightOf } from './budget.ts';
import { LaunchClock } from './clocks.ts';
import { Compaction } from './compaction.ts';
import { BYTES_PER_EVENT, EventTable, LONG_AGO, MOST_EVENTS, NEVER } from './event-table.ts';
import { type CountedFinding, FindingLog, placeKey } from './finding-log.ts';
import { FlowPlans } from './flow-plan.ts';
import { FollowedValues } from './followed-values.ts';
import type { GridRecord, LaunchedBy } from './grids.ts';
import type { SyncVariable } from './knowledge.ts';
import { LaunchReports } from './launch-reports.ts';
import { LocalWrites } from './local-writes.ts';
import { MeetingChecks } from './meeting-checks.ts';
import { RaceDetector, type RaceReports } from './race-detector.ts';
import { GlobalShadow } from './shadow.ts';
import { type Site, Sites } from './sites.ts';
import { SkippedBarriers } from './skipped-barriers.ts';
import { Store } from './store.ts';
import type { Task } from './task-order.ts';
import { Tasks } from './tasks.ts';
import type { Origin } from './unwritten-bytes.ts';
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

/** Of what threads know of each other by publications, in a launch: some 24 bytes each. */
const MOST_CHANGES = { asked: 2 ** 25, brief: 2 ** 21 };
/** Bytes of a fill, and of a copy within the device, that cost as much as an instruction of a warp. */
const BYTES_RESET = 1 << 14;
const BYTES_COPIED = 1 << 6;
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
  readonly #compaction: Compaction;
  readonly #log = new FindingLog();
  readonly #allSites: Site[] = [];
  readonly #sites = new Map<LoadedModule, Sites>();
  readonly #skips = new Map<LoadedModule, Map<string, BarrierSkips>>();
  readonly #plans = new Map<LoadedModule, Map<string, FlowPlans>>();
  #variables = new Map<number, SyncVariable>();
  /** By word that holds a copy of what nothing has written: who has read that first. */
  readonly #copies = new Map<number, Origin>();

  constructor(options: SanitizerOptions) {
    this.#options = options;
    const { memory } = options;
    this.#store = new Store(memory);
    this.#events = new EventTable(this.#store);
    this.#global = new GlobalShadow(this.#store);
    this.#compaction = new Compaction(this.#events, this.#global);
    const hostPlace = (): Location | undefined => this.hostPlace?.();
    this.tasks = new Tasks({
      events: this.#events,
      global: this.#global,
      log: this.#log,
      memory,
      sites: this.#allSites,
      hostPlace,
      reachesHost: (address, bytes, call) => this.#reachesHost(address, bytes, call),
      transferred: () => this.#spend(() => this.#budget.transfer()),
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
  /** Launches that have been looked at up to what can be remembered. */
  readonly overfull = new Set<Launch>();
  readonly #budget = new Budget();
  #isCut = false;

  get findings(): readonly CountedFinding[] {
    return this.#log.findings;
  }

  /** Bytes of what is remembered of memory and of accesses, for measurements. */
  get sizeBytes(): { readonly shadow: number; readonly events: number } {
    return { shadow: this.#global.sizeBytes, events: this.#events.warps.length * BYTES_PER_EVENT };
  }

  /** As `probes`, as far as the budget goes: undefined for a launch that is not looked at. */
  probesWithin(module: LoadedModule, launch: Launch, isChild: boolean): Probes | undefined {
    this.launches.all++;
    // Who has not been looked at has not told of what it launches.
    if (isChild && !this.#launched.has(launch)) return undefined;
    if (!this.#budget.begin(weightOf(module, launch.kernel))) {
      this.#stop();
      return undefined;
    }
    this.#isCut = false;
    return this.probes(module, launch);
  }

  #counted(reports: RaceReports): RaceReports {
    const budget = this.#budget;
    return {
      race: (conflict) => {
        budget.find();
        reports.race(conflict);
      },
      uninitialised: (site, warp, lane, address) => {
        budget.find();
        reports.uninitialised(site, warp, lane, address);
      },
    };
  }

  #spend(cost: () => void): void {
    if (!this.#options.brief) return;
    cost();
    if (this.#budget.isEmpty) this.#stop();
  }

  /** Nothing is looked at any more. */
  #stop(): void {
    this.#options.memory.observer = undefined;
    this.tasks.isOver = true;
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
    if (this.#budget.isEmpty) return;
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
    const reports = this.#options.brief ? this.#counted(words) : words;
    const plans = this.#plansOf(module, launch.kernel);
    const followed = new FollowedValues({
      plans,
      follows: (any) => this.#store.set(LEDGER.flows, Number(any)),
      read: () => (this.#options.brief ? this.#budget.find() : undefined),
      used: ({ load, function: name, warp, lane, address }) => reports.uninitialised(sites.of(load, 'read', name), warp, lane, address),
    });
    this.#store.set(LEDGER.flows, 0);
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
      reports,
      followed,
      unfenced: this.sharedRanges().length > 0 ? (event) => this.tasks.unfenced.add(event) : undefined,
      equalValues: this.#options.equalValues ?? false,
    });
    this.#compaction.begin();
    const { brief } = this.#options;
    const skipped = brief ? undefined : this.#skippedOf(module, launch.kernel, clock);
    const meetings = new MeetingChecks(clock, brief ? new BriefReports(words) : words, skipped);
    return {
      ledger: this.#store.ledger.address,
      blockBegin: ({ block }) => clock.beginBlock(block),
      access: (event) => (this.#hasRoom(clock) ? detector.access(event) : undefined),
      atomic: (event) => (this.#hasRoom(clock) ? detector.atomic(event) : undefined),
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
      flow: plans.points.size > 0 ? (event) => detector.flow(event) : undefined,
      flows: plans.points,
      blockEnd: ({ block }) => {
        detector.endBlock(block);
        clock.endBlock(block);
        if (this.#launched.size === 0) this.#compaction.blockEnded(clock);
        local?.endBlock(block * clock.warpsPerBlock, clock.warpsPerBlock);
        skipped?.endBlock(block);
        followed.endBlock(block * clock.warpsPerBlock, clock.warpsPerBlock);
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

  #plansOf(module: LoadedModule, kernel: string): FlowPlans {
    const known = this.#plans.get(module) ?? new Map<string, FlowPlans>();
    this.#plans.set(module, known);
    const plans = known.get(kernel) ?? new FlowPlans(module, kernel);
    known.set(kernel, plans);
    return plans;
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
        for (const word of this.#copies.keys()) if (4 * word >= address && 4 * word < address + sizeBytes) this.#copies.delete(word);
      },
      written: (address, bytes) => {
        this.#global.reset(address, bytes, LONG_AGO);
        this.#spend(() => this.#budget.write(bytes, BYTES_RESET));
      },
      copied: (to, from, bytes) => {
        this.#global.copy(to, from, bytes);
        this.#spend(() => this.#budget.write(bytes, BYTES_COPIED));
      },
    };
  }

  /** The host gets bytes that nothing has written: copies that kernels have made of such, or a whole range of them. */
  #reachesHost(address: number, bytes: number, call: string): void {
    const { memory } = this.#options;
    const allocation = memory.find(address, 1);
    if (!allocation || !UNWRITTEN.test(allocation.label)) return;
    const isCopy = (word: number): boolean =>
      4 * word + 4 > address && 4 * word < address + bytes && this.#global.isUnwrittenIn(4 * word, 4);
    const copied = [...this.#copies.keys()].filter(isCopy).sort((a, b) => a - b)[0];
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
        origin: copied === undefined ? undefined : this.#copies.get(copied),
      };
    });
  }

  #forgetIfMany(): void {
    const { last } = this.#events;
    const { order } = this.tasks;
    const matters = order.isConcurrent || this.sharedRanges().length > 0;
    if (!this.#compaction.isDue || (matters && !order.isSettled && last < MOST_EVENTS / 2)) return;
    order.synchronizeAll();
    this.#global.forgetEvents();
    this.tasks.unfenced.clear();
    this.#events.clear();
  }

  /** A launch with more accesses between synchronisations than there are numbers, or that publishes more than can be remembered, is checked as far as that goes. */
  #hasRoom(clock: LaunchClock): boolean {
    const { brief } = this.#options;
    const most = brief ? MOST_CHANGES.brief : MOST_CHANGES.asked;
    if (this.#events.last < MOST_EVENTS - 1 && clock.knowledgeSize.changes < most) return true;
    if (brief) this.#isCut = true;
    else this.overfull.add(clock.launch);
    return false;
  }
}

/**
 * Accesses of what runs on the device side by side: kernels, what they launch, and the host's copies and fills. Says of a cell who it is,
 * marks what copies touch, and words races between them.
 */
import type { Instruction, Location } from '../ir/types.ts';
import type { DeviceMemory } from '../machine/device-memory.ts';
import type { Dim3, Launch } from '../machine/launch.ts';
import type { EventTable } from './event-table.ts';
import { type Actor, type FindingLog, placeKey, type RawFinding } from './finding-log.ts';
import { type GridRecord, Grids, type Unordered } from './grids.ts';
import { warpOf } from './pending-copies.ts';
import type { GlobalShadow } from './shadow.ts';
import type { Site } from './sites.ts';
import { type Task, TaskOrder } from './task-order.ts';

/** Bytes of memory that the device sees, by the device's addresses. */
export interface TransferRange {
  readonly to?: number;
  readonly from?: number;
  readonly bytes: number;
}

export interface TaskParts {
  readonly events: EventTable;
  readonly global: GlobalShadow;
  readonly log: FindingLog;
  readonly memory: DeviceMemory;
  /** Of all modules, and of the host's calls. */
  readonly sites: Site[];
  /** Where in the program's text the host is. */
  readonly hostPlace: () => Location | undefined;
  /** Bytes of the device are copied to the host, by a call of its. */
  readonly reachesHost: (address: number, bytes: number, call: string) => void;
  /** A copy or fill has its place in the order of work. */
  readonly transferred: () => void;
}

/** What a conflict is between: a cell, and a task or a grid now. */
export interface Clash {
  readonly before: number;
  readonly now: Actor;
  readonly task: Task;
  readonly how: Unordered;
  readonly address: number;
  /** The memory, in words. */
  readonly text: string;
}

const MISSING: Readonly<Record<Exclude<Unordered, 'streams'>, string>> = {
  parent:
    'what a kernel does after it has launched another one is in no order with that one; do it before, or launch into cudaStreamTailLaunch',
  siblings:
    'launches of different blocks, or into different streams, run side by side; launch both in one block into one stream, or the second into cudaStreamTailLaunch',
};

/** Bytes of one task in no order with the host that are looked at; the rest is of the same kind. */
const MOST_HOST_RACES = 256;

export class Tasks {
  readonly order = new TaskOrder();
  readonly grids: Grids;
  readonly #parts: TaskParts;
  readonly #hostSites = new Map<string, Site>();
  readonly #hostRaces = new WeakMap<Task, number>();
  /** Volatile writes of threads that had released nothing. */
  readonly unfenced = new Set<number>();
  /** Kernels of which the host has read such a write. */
  readonly #unfencedTasks = new WeakSet<Task>();
  /** Nobody asks any more what comes in which order. */
  isOver = false;
  #inCallback = false;
  #stream = 0;
  #call = '';

  constructor(parts: TaskParts) {
    this.#parts = parts;
    this.grids = new Grids(this.order, parts.events);
  }

  /** What is done next is this call's, in this stream. */
  enter(stream: number, call: string): void {
    this.#stream = stream;
    this.#call = call;
  }

  /** In the stream in which something is done already. */
  call(call: string): void {
    this.#call = call;
  }

  get isAsynchronous(): boolean {
    return this.#call.endsWith('Async');
  }

  get stream(): number {
    return this.#stream;
  }

  /** Told when there is work that the host does not know to have ended. */
  onOpen: (() => void) | undefined;

  beginKernel(launch: Launch): Task {
    this.onOpen?.();
    return this.order.begin(this.#stream, { name: launch.kernel, isKernel: true, first: this.#parts.events.last });
  }

  /**
   * A copy or a fill is about to happen. What is returned is to be called when it has; `waits`: the host has waited for its end then.
   * Without several streams nothing but the host can be in no order with it; `isShared`: the host sees some of the memory.
   */
  transfer(ranges: readonly TransferRange[], { waits, isShared }: { readonly waits: boolean; readonly isShared: boolean }): () => void {
    const { events } = this.#parts;
    if (this.isOver) return () => undefined;
    for (const { to, from, bytes } of ranges) if (to === undefined && from !== undefined) this.#parts.reachesHost(from, bytes, this.#call);
    if (!this.order.isConcurrent && (waits || !isShared)) return () => waits && this.order.synchronizeStream(this.#stream);
    if (!waits) this.onOpen?.();
    this.#parts.transferred();
    const stream = this.#stream;
    const task = this.order.begin(stream, { name: this.#call, isKernel: false, first: events.last });
    const [read, written] = (['read', 'write'] as const).map((access) => events.add(0, this.#siteOf(access).index) << 5);
    this.order.end(task, events.last);
    const floor = this.order.floorOf(task, task.first);
    if (floor < task.first) {
      for (const { to, from, bytes } of ranges) {
        if (from !== undefined) this.#check(task, from, { bytes, writes: false, floor });
        if (to !== undefined) this.#check(task, to, { bytes, writes: true, floor });
      }
    }
    return () => {
      if (waits) {
        this.order.synchronizeStream(stream);
        return;
      }
      for (const { to, from, bytes } of ranges) {
        if (from !== undefined) this.#markRead(from, bytes, read, task);
        if (to !== undefined) this.#parts.global.forEach(to, bytes, (cells, at) => mark(cells, at, written));
      }
    };
  }

  /** The host runs a callback of a stream: that is in order with the stream's work. */
  callback<T>(run: () => T): T {
    this.#inCallback = true;
    try {
      return run();
    } finally {
      this.#inCallback = false;
    }
  }

  /** The host accesses memory that the device sees, too. */
  hostAccess(address: number, bytes: number, writes: boolean): void {
    if (this.#inCallback || bytes <= 0) return;
    const meets = (cell: number, at: number): void => {
      const task = this.order.taskOf(cell >>> 5);
      if (task) this.#meetsHost(task, { cell, at, writes });
    };
    this.#parts.global.forEachKnown(address, bytes, (cells, at, stride, where) => {
      meets(cells[at], where);
      if (!writes) return;
      meets(cells[at + stride], where);
      meets(cells[at + 2 * stride], where);
    });
  }

  #meetsHost(task: Task, { cell, at, writes }: { readonly cell: number; readonly at: number; readonly writes: boolean }): void {
    const { events, sites, hostPlace, log } = this.#parts;
    const { strength, access, call } = sites[events.sites[cell >>> 5] - 1];
    // A flag that is written for the host tells it what came before.
    if (access !== 'read' && strength !== 'plain' && !writes) {
      if (this.unfenced.has(cell >>> 5)) this.#unfencedTasks.add(task);
      else this.order.hostLearns(task);
      return;
    }
    const told = this.#hostRaces.get(task) ?? 0;
    if (told >= MOST_HOST_RACES) return;
    this.#hostRaces.set(task, told + 1);
    const location = hostPlace();
    const earlier = this.#actorOf(cell);
    const kernel = earlier.kernel ?? '';
    log.add(['race', kernel, 'host', placeKey(earlier.location), placeKey(location), earlier.access, writes].join('|'), () => {
      const now = { location, access: `${writes ? 'write' : 'read'} by the host` };
      const text = this.#nameOf(at);
      const what = call ?? 'the kernel';
      const missing = this.#unfencedTasks.has(task)
        ? 'the flag that the host has read was written without a fence, so it says nothing of what was written before; put __threadfence_system() in front of it'
        : `the host does not wait for ${what}, which may still run; call cudaDeviceSynchronize() between them, or wait for its stream or an event`;
      const message = `${now.access} and ${earlier.access} of ${text}, in no order: ${missing}`;
      return { check: 'race', kernel, message, actors: [now, { ...earlier, kernel: undefined }], where: text, address: at };
    });
  }

  #nameOf(address: number): string {
    const allocation = this.#parts.memory.find(address, 1);
    return allocation ? `byte ${address - allocation.address} of ${allocation.label} (${allocation.sizeBytes} bytes)` : 'memory';
  }

  /** A race with what another grid, or the host, did before. */
  clash({ before, now, task, how, address, text }: Clash): void {
    const earlier = this.#actorOf(before);
    const other = this.order.taskOf(before >>> 5) ?? task;
    const kernel = now.kernel ?? earlier.kernel ?? '';
    const places = [placeKey(earlier.location), placeKey(now.location)].sort();
    const key = ['race', kernel, how, ...places, now.access, earlier.access].join('|');
    this.#parts.log.add(key, () => {
      const missing = how === 'streams' ? this.#betweenStreams(other, task) : MISSING[how];
      const message = `${now.access} and ${earlier.access} of ${text} in global memory, in no order: ${missing}`;
      const actors = [now, earlier].map((actor) => ({ ...actor, kernel: actor.kernel === kernel ? undefined : actor.kernel }));
      return { check: 'race', kernel, message, actors, where: text, address } satisfies RawFinding;
    });
  }

  #betweenStreams(earlier: Task, task: Task): string {
    const what = (each: Task): string => `${each.isKernel ? 'the kernel' : each.name} in ${this.order.label(each)}`;
    if (this.order.isOfGraph(earlier) && this.order.isOfGraph(task)) {
      return 'neither of these two nodes of a graph depends on the other; make the second depend on the first, with cudaGraphAddDependencies or where it is added';
    }
    return `nothing orders ${what(earlier)} and ${what(task)}; use one stream, cudaStreamWaitEvent with an event recorded behind the first, or wait for the first on the host`;
  }

  #actorOf(cell: number): Actor {
    const { events, sites } = this.#parts;
    const event = cell >>> 5;
    const site = sites[events.sites[event] - 1];
    const { location } = site;
    if (site.call !== undefined) return { location, access: doneBy(site.call, site.access) };
    const grid = this.grids.gridOf(event);
    const access = site.access === 'atomic' ? 'atomic' : site.strength === 'volatile' ? `volatile ${site.access}` : site.access;
    if (!grid) return { location, access };
    return { location, access, kernel: grid.launch.kernel, ...threadAt(grid, warpOf(events.warps[event]), cell & 31) };
  }

  #check(task: Task, address: number, { bytes, writes, floor }: { bytes: number; writes: boolean; floor: number }): void {
    const { global } = this.#parts;
    const meets = (cell: number, at: number): void => {
      const event = cell >>> 5;
      if (event > floor && event <= task.first && !this.order.isBefore(event, task)) this.#report(task, cell, at, writes);
    };
    global.forEachKnown(address, bytes, (cells, at, stride, where) => {
      meets(cells[at], where);
      if (!writes) return;
      meets(cells[at + stride], where);
      meets(cells[at + 2 * stride], where);
    });
  }

  #report(task: Task, before: number, address: number, writes: boolean): void {
    const site = this.#siteOf(writes ? 'write' : 'read');
    const text = this.#nameOf(address);
    const now = { location: site.location, access: doneBy(this.#call, site.access) };
    this.clash({ before, now, task, how: 'streams', address, text });
  }

  #markRead(address: number, bytes: number, read: number, task: Task): void {
    const isFree = (cell: number): boolean => this.order.isBefore(cell >>> 5, task);
    this.#parts.global.forEach(address, bytes, (cells, at, stride) => {
      cells[isFree(cells[at + stride]) ? at + stride : at + 2 * stride] = read;
    });
  }

  #siteOf(access: 'read' | 'write'): Site {
    const { sites, hostPlace } = this.#parts;
    const location = hostPlace();
    const call = this.#call;
    const key = `${call}|${access}|${placeKey(location)}`;
    let site = this.#hostSites.get(key);
    if (!site) {
      const instruction = { op: 'fence', id: -1, site: -1, location } as unknown as Instruction;
      const none = {
        order: undefined,
        releases: false,
        acquires: false,
        used: false,
        copies: false,
        copyOf: [],
        isAsync: false,
        function: '',
      } as const;
      site = { index: sites.length + 1, slot: 0, instruction, location, access, call, strength: 'plain', scope: 'system', ...none };
      sites.push(site);
      this.#hostSites.set(key, site);
    }
    return site;
  }
}

function doneBy(call: string, access: Site['access']): string {
  return `${call.startsWith('cudaFree') ? 'free' : access} by ${call}`;
}

/** Bytes that have never been written and have been copied stay so. */
function mark(cells: Int32Array, at: number, written: number): void {
  if (cells[at] !== 0) cells[at] = written;
}

export function threadAt({ launch, warpsPerBlock }: Pick<GridRecord, 'launch' | 'warpsPerBlock'>, warp: number, lane: number) {
  return {
    block: placeIn(Math.floor(warp / warpsPerBlock), launch.grid),
    thread: placeIn((warp % warpsPerBlock) * 32 + lane, launch.block),
  };
}

export function placeIn(linear: number, [x, y]: Dim3): Dim3 {
  return [linear % x, Math.floor(linear / x) % y, Math.floor(linear / (x * y))];
}

/**
 * The definition of a race, as slow as it is plain: a vector clock for each thread, all accesses of each byte, all pairs. For small
 * grids. Whether atomics of different scopes are atomic for each other is not asked. What orders what is in docs/sanitizer.md.
 */
import { LOCAL_BASE, SHARED_BASE } from '../../simulator/ir/address-map.ts';
import type { Instruction, MemoryOrder } from '../../simulator/ir/types.ts';
import type { AccessEvent, Arrival, ExchangeEvent, Probes, WarpEvent } from '../../simulator/scheduling/probes.ts';

interface Access {
  readonly writes: boolean;
  readonly atomic: boolean;
}

interface Past extends Access {
  readonly thread: number;
  readonly time: number;
}

/** What is for threads of one's block, and what for all threads. */
interface Reach {
  near?: Uint32Array;
  far?: Uint32Array;
}

export class SlowDetector {
  /** Addresses of racing bytes; those of shared memory with the block in front. */
  readonly racing = new Set<string>();
  readonly #clocks: Uint32Array[];
  /** What a thread knew at its last fence, and at its last one for the whole device. */
  readonly #released: Reach[];
  /** What it has read of releases in its block and in others since its last fence for these, or barrier. */
  readonly #pending: Reach[];
  /** By word: what read-modify-writes have published there, by block for its own threads, and for all. */
  readonly #published = new Map<string, { readonly near: Map<number, Uint32Array>; far?: Uint32Array }>();
  readonly #past = new Map<string, Past[]>();
  readonly #block: number;

  constructor(blocks: number, threadsPerBlock: number) {
    this.#block = threadsPerBlock;
    const threads = blocks * threadsPerBlock;
    this.#clocks = Array.from({ length: threads }, (_, thread) => {
      const clock = new Uint32Array(threads);
      clock[thread] = 1;
      return clock;
    });
    this.#released = this.#clocks.map(() => ({}));
    this.#pending = this.#clocks.map(() => ({}));
  }

  readonly probes: Probes = {
    access: (event) => this.#access(event),
    atomic: (event) => this.#access(event),
    fence: (event) => this.#fence(event),
    exchange: (event) => this.#exchange(event),
    barrier: (event) => {
      if (event.scope === 'warp') this.#exchange(event);
    },
    meeting: ({ scope, arrivals }) => {
      if (scope !== 'warp') this.#meet(arrivals.flatMap((arrival) => this.#threads(arrival)));
    },
  };

  #threads({ block, warp, mask }: Arrival): number[] {
    const first = block * this.#block + warp * 32;
    return Array.from({ length: 32 }, (_, lane) => lane)
      .filter((lane) => (mask >>> lane) & 1)
      .map((lane) => first + lane);
  }

  #meet(threads: readonly number[]): void {
    const all = new Uint32Array(this.#clocks.length);
    const released = new Uint32Array(this.#clocks.length);
    for (const thread of threads) {
      join(all, this.#clocks[thread]);
      join(all, this.#pending[thread].near);
      join(all, this.#pending[thread].far);
      join(released, this.#released[thread].far);
    }
    const anyReleased = threads.some((thread) => this.#released[thread].far);
    for (const thread of threads) {
      this.#clocks[thread] = all.slice();
      this.#clocks[thread][thread]++;
      this.#pending[thread] = {};
      if (anyReleased) this.#released[thread].far = joined(this.#released[thread].far, released);
    }
  }

  #exchange(event: ExchangeEvent): void {
    const groups = new Map<number, number>();
    for (let lane = 0; lane < 32; lane++) {
      if ((event.mask >>> lane) & 1) groups.set(event.members[lane], (groups.get(event.members[lane]) ?? 0) | (1 << lane));
    }
    for (const [members, lanes] of groups) this.#meet(this.#threads({ block: event.block, warp: event.warp, mask: members & lanes }));
  }

  #fence(event: WarpEvent): void {
    const wide = isWide((event.instruction as { order?: MemoryOrder }).order);
    for (const thread of this.#threads(event)) {
      const clock = this.#clocks[thread];
      const pending = this.#pending[thread];
      join(clock, pending.near);
      if (wide) join(clock, pending.far);
      this.#pending[thread] = wide ? {} : { far: pending.far };
      this.#released[thread].near = clock.slice();
      if (wide) this.#released[thread].far = clock.slice();
      clock[thread]++;
    }
  }

  #access(event: AccessEvent): void {
    const { block, warp, mask, addresses, bytes, instruction } = event;
    const atomic = event.access === 'atomic' || isVolatile(instruction);
    for (let lane = 0; lane < 32; lane++) {
      if (((mask >>> lane) & 1) === 0 || (addresses[lane] >= LOCAL_BASE && addresses[lane] < SHARED_BASE)) continue;
      const thread = block * this.#block + warp * 32 + lane;
      const key = (address: number): string => (address >= SHARED_BASE ? `${block}:${address}` : `${address}`);
      const wide = isWide((instruction as { order?: MemoryOrder }).order);
      if (event.access === 'atomic') this.#synchronise(thread, block, key(addresses[lane]), wide);
      for (let k = 0; k < bytes; k++) this.#byte(key(addresses[lane] + k), thread, { writes: event.access !== 'read', atomic });
    }
  }

  /** A read-modify-write acquires what the word has, and adds what its thread has released. */
  #synchronise(thread: number, block: number, word: string, wide: boolean): void {
    const published = this.#published.get(word) ?? { near: new Map<number, Uint32Array>() };
    const pending = this.#pending[thread];
    const near = published.near.get(block);
    if (near) pending.near = joined(pending.near, near);
    if (published.far && wide) pending.far = joined(pending.far, published.far);
    const { near: own, far } = this.#released[thread];
    if (own || far) published.near.set(block, joined(joined(own, far), near));
    if (far && wide) published.far = joined(far, published.far);
    this.#published.set(word, published);
  }

  #byte(key: string, thread: number, access: Access): void {
    const past = this.#past.get(key) ?? [];
    this.#past.set(key, past);
    const { near, far } = this.#pending[thread];
    const clock = access.atomic ? joined(joined(this.#clocks[thread], near), far) : this.#clocks[thread];
    for (const other of past) {
      if (other.thread === thread || !(access.writes || other.writes) || (access.atomic && other.atomic)) continue;
      if (clock[other.thread] < other.time) this.racing.add(key);
    }
    past.push({ ...access, thread, time: this.#clocks[thread][thread] });
  }
}

function isWide(order: MemoryOrder | undefined): boolean {
  return order === undefined || order.scope === 'device' || order.scope === 'system';
}

function isVolatile(instruction: Instruction): boolean {
  return ('volatile' in instruction && instruction.volatile) || (instruction as { order?: MemoryOrder }).order !== undefined;
}

function join(into: Uint32Array | undefined, from: Uint32Array | undefined): void {
  if (into && from) for (let k = 0; k < into.length; k++) if (from[k] > into[k]) into[k] = from[k];
}

function joined(a: Uint32Array | undefined, b: Uint32Array | undefined): Uint32Array {
  const all = (a ?? b)!.slice();
  join(all, b);
  return all;
}

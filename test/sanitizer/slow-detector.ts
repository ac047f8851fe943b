/**
 * The definition of a race, as slow as it is plain: a vector clock for each thread, all accesses of each byte, all pairs. For small
 * grids. What orders what is in docs/sanitizer.md.
 */
import { LOCAL_BASE, SHARED_BASE } from '../../simulator/ir/address-map.ts';
import type { Instruction, MemoryOrder } from '../../simulator/ir/types.ts';
import type { AccessEvent, Arrival, ExchangeEvent, Probes, WarpEvent } from '../../simulator/scheduling/probes.ts';

interface Past {
  readonly thread: number;
  readonly time: number;
  readonly writes: boolean;
  readonly atomic: boolean;
}

export class SlowDetector {
  /** Addresses of racing bytes; those of shared memory with the block in front. */
  readonly racing = new Set<string>();
  readonly #clocks: Uint32Array[];
  /** What a thread knew at its last fence. */
  readonly #released: (Uint32Array | undefined)[] = [];
  /** What it has read of others' releases since its last fence or barrier. */
  readonly #pending: (Uint32Array | undefined)[] = [];
  /** By word: what read-modify-writes have published there. */
  readonly #published = new Map<string, Uint32Array>();
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
      join(all, this.#pending[thread]);
      join(released, this.#released[thread]);
    }
    for (const thread of threads) {
      this.#clocks[thread] = all.slice();
      this.#clocks[thread][thread]++;
      this.#pending[thread] = undefined;
      if (threads.some((other) => this.#released[other])) this.#released[thread] ??= new Uint32Array(this.#clocks.length);
    }
    for (const thread of threads) join(this.#released[thread], released);
  }

  #exchange(event: ExchangeEvent): void {
    const groups = new Map<number, number>();
    for (let lane = 0; lane < 32; lane++) {
      if ((event.mask >>> lane) & 1) groups.set(event.members[lane], (groups.get(event.members[lane]) ?? 0) | (1 << lane));
    }
    for (const [members, lanes] of groups) this.#meet(this.#threads({ block: event.block, warp: event.warp, mask: members & lanes }));
  }

  #fence(event: WarpEvent): void {
    for (const thread of this.#threads(event)) {
      const clock = this.#clocks[thread];
      join(clock, this.#pending[thread]);
      this.#pending[thread] = undefined;
      this.#released[thread] = clock.slice();
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
      if (event.access === 'atomic') this.#synchronise(thread, key(addresses[lane]));
      for (let k = 0; k < bytes; k++) this.#byte(key(addresses[lane] + k), thread, { writes: event.access !== 'read', atomic });
    }
  }

  /** A read-modify-write acquires what the word has, and adds what its thread has released. */
  #synchronise(thread: number, word: string): void {
    const published = this.#published.get(word);
    if (published) this.#pending[thread] = joined(this.#pending[thread], published);
    const released = this.#released[thread];
    if (released) this.#published.set(word, joined(published, released));
  }

  #byte(key: string, thread: number, { writes, atomic }: { readonly writes: boolean; readonly atomic: boolean }): void {
    const past = this.#past.get(key) ?? [];
    this.#past.set(key, past);
    const clock = atomic ? joined(this.#clocks[thread], this.#pending[thread]) : this.#clocks[thread];
    for (const other of past) {
      if (other.thread === thread || !(writes || other.writes) || (atomic && other.atomic)) continue;
      if (clock[other.thread] < other.time) this.racing.add(key);
    }
    past.push({ thread, time: this.#clocks[thread][thread], writes, atomic });
  }
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

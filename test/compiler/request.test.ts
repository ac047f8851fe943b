/** The compiled helpers of memory instructions against the definition of a request: random lanes, spaces, masks, widths, allocations. */
import { describe, expect, it } from 'vitest';
import { SITE_COUNTS } from '../../simulator/compiler/block-runner.ts';
import { REDUCTION } from '../../simulator/compiler/helper-parts.ts';
import type { MemorySiteFacts } from '../../simulator/compiler/kernel-plan.ts';
import { COUNTERS, INFO, RECORD } from '../../simulator/compiler/layout.ts';
import { emitMemoryHelpers } from '../../simulator/compiler/memory-helpers.ts';
import { KernelFault, type KnownAllocation, MemoryHost } from '../../simulator/compiler/memory-host.ts';
import { servedTogether } from '../../simulator/compiler/pattern-helper.ts';
import { ModuleBuilder } from '../../simulator/compiler/wasm-encoder.ts';
import { LOCAL_BASE, SHARED_BASE } from '../../simulator/ir/address-map.ts';
import { FootprintRecorder } from '../../simulator/machine/footprint.ts';
import { type AtomicRules, price, REQUEST_COLUMNS, type Reach, Request, resolve } from '../../simulator/machine/request.ts';

const W = 4096;
const ADDRESSES = W + COUNTERS + RECORD.bytes;
const VALUES = ADDRESSES + 256;
const SHARED = { at: 0x80000, bytes: 6000 };
const LOCAL = { at: 0x90000, stride: 256 };
const PARAMETER_BYTES = 32;
const ALLOCATIONS: readonly KnownAllocation[] = [
  { address: 0x100000, sizeBytes: 20000, constant: false },
  { address: 0x110000, sizeBytes: 512, constant: true },
  { address: 0x120000, sizeBytes: 4096, constant: false },
];

type Helper = (...args: number[]) => number;

/** The helpers as a kernel has them, in a memory of their own, for one memory instruction. */
class Bench {
  readonly words: Int32Array<SharedArrayBuffer>;
  readonly host: MemoryHost;
  readonly helpers: Readonly<Record<'check' | 'uniform' | 'atomic' | 'reduceAdd', Helper>>;
  readonly record = W + COUNTERS;

  constructor(site: Omit<MemorySiteFacts, 'record' | 'site'>) {
    const memory = new WebAssembly.Memory({ initial: 64, maximum: 65536, shared: true });
    const buffer = memory.buffer as unknown as SharedArrayBuffer;
    this.words = new Int32Array(buffer);
    const sites = [{ ...site, record: COUNTERS, site: 7 }];
    this.host = new MemoryHost(buffer, { sites, allocations: ALLOCATIONS, parameterBytes: PARAMETER_BYTES });
    const set = (field: number, value: number): void => {
      this.words[(W + field) >> 2] = value;
    };
    set(INFO.sharedBase, SHARED.at);
    set(INFO.sharedLimit, SHARED.bytes);
    set(INFO.localBase, LOCAL.at);
    set(INFO.localStride, LOCAL.stride);
    this.helpers = this.#instantiate(memory);
  }

  /** Counts of the site so far, in the order of REQUEST_COLUMNS. */
  counts(): number[] {
    this.host.settle(this.record);
    const data = new DataView(this.words.buffer);
    return SITE_COUNTS.map(({ fields }) => fields.reduce((sum, field) => sum + Number(data.getBigInt64(this.record + field, true)), 0));
  }

  /** Where the helper says that the lanes of a mask are. */
  places(mask: number): number[] {
    const at = this.words[(W + INFO.addresses) >> 2] >> 2;
    const delta = this.words[(W + INFO.delta) >> 2];
    return lanesOf(mask).map((lane) => (this.words[at + lane] + delta) >>> 0);
  }

  #instantiate(memory: WebAssembly.Memory): Bench['helpers'] {
    const builder = new ModuleBuilder();
    const five = ['i32', 'i32', 'i32', 'i32', 'i32'] as const;
    const imports = {
      describe: builder.importFunction('describe', { parameters: five, results: ['i32'] }),
      describeUniform: builder.importFunction('describeUniform', { parameters: five.slice(1), results: ['i32'] }),
      describeAtomic: builder.importFunction('describeAtomic', { parameters: [...five, 'i32'], results: [] }),
      traced: builder.importFunction('traced', { parameters: five, results: [] }),
      tracedUniform: builder.importFunction('tracedUniform', { parameters: five.slice(1), results: [] }),
    };
    const emitted = emitMemoryHelpers(builder, imports, PARAMETER_BYTES);
    for (const name of ['check', 'uniform', 'atomic', 'reduceAdd'] as const) builder.export(emitted[name] as never, name);
    const host = {
      memory,
      describe: (w: number, a: number, mask: number, record: number) => this.host.describe(w, a, mask, record),
      describeUniform: (w: number, address: number, mask: number, record: number) => this.host.describeUniform(w, address, mask, record),
      describeAtomic: (w: number, addresses: number, mask: number, record: number, _: number, flags: number) =>
        this.host.describeAtomic(w, { addresses, mask, record, flags }),
      traced: () => {},
      tracedUniform: () => {},
    };
    const instance = new WebAssembly.Instance(new WebAssembly.Module(builder.encode()), { host });
    return instance.exports as unknown as Bench['helpers'];
  }
}

/** The definition, on the same memory. */
class Definition implements Reach<KnownAllocation> {
  readonly sharedBytes = SHARED.bytes;
  readonly sharedAt = SHARED.at;
  readonly localBytes = LOCAL.stride;
  readonly parameterBytes = PARAMETER_BYTES;
  readonly footprint = new FootprintRecorder();
  readonly request = new Request<KnownAllocation>();
  readonly counts: number[] = REQUEST_COLUMNS.map(() => 0);

  sharedOfRank(): undefined {
    return undefined;
  }

  localPlace(): { at: number; stride: number } {
    return LOCAL;
  }

  find(address: number, bytes: number, access: 'read' | 'write' | 'atomic'): KnownAllocation | undefined {
    const found = ALLOCATIONS.find((a) => address >= a.address && address + bytes <= a.address + a.sizeBytes);
    if (found) this.footprint.add(found.address, access);
    return found;
  }

  isConstant({ constant }: KnownAllocation): boolean {
    return constant;
  }

  places(mask: number): number[] {
    return lanesOf(mask).map((lane) => this.request.offsets[lane]);
  }

  /** A sentence about the fault if there is one. */
  run(pointers: Int32Array, mask: number, site: Omit<MemorySiteFacts, 'record' | 'site'>, rules?: AtomicRules): string | undefined {
    this.request.allocation = undefined;
    if (!resolve(this.request, pointers, mask, site, this)) {
      const { kind, lane, address } = this.request.fault!;
      return `${kind} ${lane} ${address}`;
    }
    price(this.request, site, rules).forEach((amount, column) => {
      this.counts[column] += amount;
    });
    return undefined;
  }
}

function lanesOf(mask: number): number[] {
  return Array.from({ length: 32 }, (_, lane) => lane).filter((lane) => (mask >>> lane) & 1);
}

function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return ((state ^ (state >>> 13)) >>> 4) % below;
  };
}

const pick = <T>(next: (below: number) => number, of: readonly T[]): T => of[next(of.length)];

/** Pointers of a warp, relative to the site's base: mostly where they may be. */
function lanes(
  next: (below: number) => number,
  { base, bytes, align }: Pick<MemorySiteFacts, 'base' | 'bytes' | 'align'>,
  allocations = ALLOCATIONS,
): Int32Array {
  const windows: readonly { readonly start: number; readonly bytes: number }[] =
    base === SHARED_BASE
      ? [{ start: 0, bytes: SHARED.bytes }]
      : base === LOCAL_BASE
        ? [{ start: 0, bytes: LOCAL.stride }]
        : [
            ...allocations.map(({ address, sizeBytes }) => ({ start: address, bytes: sizeBytes })),
            { start: SHARED_BASE, bytes: SHARED.bytes },
            { start: LOCAL_BASE, bytes: LOCAL.stride },
          ];
  const window = pick(next, windows);
  const slots = Math.floor((window.bytes - bytes) / align);
  const first = next(Math.max(1, slots - 32));
  const stride = pick(next, [0, 1, 1, 1, bytes / align, 2, 3, 8, 33]);
  const kind = next(6);
  return Int32Array.from({ length: 32 }, (_, lane) => {
    const from = kind === 5 && lane % 3 === 0 ? pick(next, windows) : window;
    const fits = Math.floor((from.bytes - bytes) / align) + 1;
    const slot = kind >= 3 ? next(fits) : (first + lane * stride) % fits;
    const wild = next(4000);
    if (wild === 0) return from.start + from.bytes + lane;
    if (wild === 1) return -4096;
    if (wild === 2 && align > 1) return from.start + slot * align + 1;
    return from.start + slot * align;
  });
}

const mask = (next: (below: number) => number): number =>
  pick(next, [-1, -1, -1, 0xffff, 1 << next(32), (next(1 << 16) << 16) | next(1 << 16) | 1, 0x55555555]);

/** What a helper did, as a sentence about its fault if it had one. */
function outcome(run: () => void): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (!(error instanceof KernelFault)) throw error;
    return `${error.kind} ${error.lane} ${error.address}`;
  }
}

const SEEDS = Array.from({ length: 16 }, (_, index) => index + 1);
const REQUESTS = 300;

describe('loads and stores', () => {
  it.each(SEEDS)('are checked, placed and counted as the definition says (seed %i)', (seed) => {
    const next = random(seed * 7919);
    const bytes = pick(next, [1, 2, 4, 4, 8, 16]);
    const align = pick(next, [bytes, bytes, Math.max(1, bytes / 2)]);
    const alone = { bytes, offset: 0 };
    const site = {
      access: pick(next, ['read', 'write'] as const),
      base: pick(next, [0, 0, SHARED_BASE, LOCAL_BASE]),
      bytes,
      align,
      counted: bytes <= 8 && next(6) === 0 ? { bytes: 2 * bytes, offset: -bytes } : next(8) === 0 ? undefined : alone,
    };
    const bench = new Bench(site);
    const definition = new Definition();
    const patterns = Array.from({ length: 6 }, () => lanes(next, site));
    for (let n = 0; n < REQUESTS; n++) {
      const pointers = next(3) > 0 ? pick(next, patterns) : lanes(next, site);
      const active = mask(next);
      bench.words.set(pointers, ADDRESSES >> 2);
      const got = outcome(() => bench.helpers.check(W, ADDRESSES, active, bench.record, site.base));
      expect(got).toBe(definition.run(pointers, active, site));
      if (got !== undefined) continue;
      expect(bench.places(active)).toEqual(definition.places(active));
    }
    if (site.counted) expect(bench.counts()).toEqual(definition.counts);
    expect(bench.host.footprint).toEqual(definition.footprint);
  });

  it.each(SEEDS)('of one address in all lanes likewise (seed %i)', (seed) => {
    const next = random(seed * 104729);
    const bytes = pick(next, [1, 2, 4, 8]);
    const base = pick(next, [0, 0, SHARED_BASE]);
    // Counted with its neighbours, as one wide access.
    const counted = { bytes: base === 0 ? bytes : bytes * pick(next, [1, 2, 4]), offset: 0 };
    const site = { access: 'read', base, bytes, align: bytes, counted } as const;
    const bench = new Bench(site);
    const definition = new Definition();
    for (let n = 0; n < REQUESTS; n++) {
      const active = mask(next);
      const pointers = new Int32Array(32).fill(lanes(next, site)[0]);
      // Local memory is different in each lane: no load from it is one of all lanes.
      if (pointers[0] >>> 0 >= LOCAL_BASE && pointers[0] >>> 0 < SHARED_BASE) continue;
      let place = 0;
      const got = outcome(() => {
        place = bench.helpers.uniform(W, pointers[0] + base, active, bench.record, bytes, bytes, servedTogether(counted.bytes));
      });
      expect(got).toBe(definition.run(pointers, active, site));
      if (got === undefined) expect(place >>> 0).toBe(definition.request.offsets[31 - Math.clz32(active & -active)]);
    }
    expect(bench.counts()).toEqual(definition.counts);
  });
});

describe('atomics', () => {
  it.each(SEEDS)('are checked, placed and counted as the definition says (seed %i)', (seed) => {
    const next = random(seed * 15485863);
    const bytes = pick(next, [4, 4, 8]);
    const reduces = bytes === 4 && next(2) === 0;
    const rules = { combined: next(3) === 0, countsUp: reduces && next(2) === 0, spins: !reduces && next(2) === 0 };
    const flags = (Object.keys(rules) as (keyof AtomicRules)[]).reduce((sum, rule) => sum | (rules[rule] ? REDUCTION[rule] : 0), 0);
    const site = { access: 'atomic', base: pick(next, [0, SHARED_BASE]), bytes, align: bytes, counted: { bytes, offset: 0 } } as const;
    const bench = new Bench(site);
    const definition = new Definition();
    for (let n = 0; n < REQUESTS; n++) {
      const pointers = lanes(next, site);
      const active = mask(next);
      bench.words.set(pointers, ADDRESSES >> 2);
      const { record, helpers, host } = bench;
      const got = outcome(() => {
        if (!reduces) helpers.atomic(W, ADDRESSES, active, record, site.base, bytes, flags);
        else if (helpers.reduceAdd(W, ADDRESSES, VALUES, active, record, site.base, flags) === 0)
          host.reduceAdd(W, { addresses: ADDRESSES, values: VALUES, mask: active, record, flags });
      });
      expect(got).toBe(definition.run(pointers, active, site, rules));
      if (got !== undefined || reduces) continue;
      expect(bench.places(active)).toEqual(definition.places(active));
    }
    expect(bench.counts()).toEqual(definition.counts);
  });
});

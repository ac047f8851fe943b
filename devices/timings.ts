/**
 * Throughputs and latencies that times are estimated with. Throughputs of arithmetic: CUDA C++ Programming Guide, "Arithmetic Instructions",
 * operations per clock and multiprocessor. The rest was measured or fitted on one NVIDIA H200 as docs/time.md says; other devices have
 * its latencies in cycles, and its throughputs of L2 and DRAM scaled by multiprocessors, clocks and bus.
 */
import type { DeviceProfile } from './profile.ts';

export interface Timings {
  /** Lanes per clock and multiprocessor. */
  readonly lanes: Readonly<Record<Pipe, number>>;
  /** Cycles from an instruction to one that uses its result. */
  readonly latency: Readonly<Record<Latency, number>>;
  /** Bytes of L1 and shared memory together, of one multiprocessor. */
  readonly l1Bytes: number;
  /** How much of it can be shared memory. */
  readonly sharedSizesKB: readonly number[];
  /** Sectors per clock of the device from L2, and atomic operations of different addresses. */
  readonly l2SectorsPerClock: number;
  /** Lines of which one sector is asked for. */
  readonly l2LinesPerClock: number;
  readonly atomicsPerClock: number;
  /** Atomic operations per clock on one address, of integers and floats. */
  readonly integersAtAddressPerClock: number;
  readonly floatsAtAddressPerClock: number;
  /** Sectors of one piece of memory per clock, where warps want all words of each. */
  readonly wholeSectorsPerClock: number;
  /** Cycles of a round of a shared atomic that is a loop of compare-and-swaps: of one warp, and on one word that all warps want. */
  readonly spinCycles: { readonly alone: number; readonly contended: number };
  /** Of loops that try a compare-and-swap in global memory until it succeeds. */
  readonly retries: {
    /** From one success at a word to the next. */
    readonly cycles: number;
    /** Tries per clock of one multiprocessor. */
    readonly perClock: number;
    /** Where lanes look first whether they need to: tries, divided by lanes that look at once. */
    readonly ofThoseThatLook: number;
  };
  /** Exponent with which the rates at an address and of the device are combined for several addresses. */
  readonly atomicSpread: number;
  /** What L2 holds of data that comes again from all over, while other data goes through: share of its size that is not set aside. */
  readonly l2Share: number;
  /** The same for what a window covers and does not keep: it goes first. */
  readonly uncoveredShare: number;
  /** How sharply L2 ends: the larger, the fewer misses of data that nearly fills what it holds. */
  readonly l2Knee: number;
  /** For a sector from anywhere, DRAM takes as long as for so many in order. */
  readonly farSectorCost: number;
  /** Clocks of the device for an atomic whose sector L2 does not have: it is read, and another one written back. */
  readonly atomicMissClocks: number;
  /** Cycles that a branch takes longer whose lanes part, and one inside of a division, a root or a function. */
  readonly parting: { readonly branch: number; readonly inside: number };
  /** Cycles of a barrier for each warp of the block, besides its latency. */
  readonly barrierPerWarp: number;
  /** Cycles of the barrier of a cluster or a grid besides those of the block's, and for each block of the grid. */
  readonly barriers: {
    readonly cluster: number;
    readonly grid: number;
    readonly blocks: { readonly few: number; readonly perFew: number; readonly perMany: number };
  };
  /** From the end of what one does under a lock to the next one's turn; what is added by the square of those who wait. */
  readonly lock: { readonly pass: number; readonly crowd: number };
  /** Cycles of a warp by itself for each line of a request but the first. */
  readonly lineCycles: number;
  /** Shares of the DRAM's peak rate that kernels reach when they read, and when they write. */
  readonly dramEfficiency: number;
  readonly dramWriteEfficiency: number;
  /** From the start of an empty grid to its end. */
  readonly emptyNs: number;
  /** What the first instructions wait for when caches are cold, and what they and the first load wait for. */
  readonly coldCodeNs: number;
  readonly coldNs: number;
  /** What every warp executes besides what the IR has: it reads its indices and parameters. */
  readonly perWarpIssues: number;
  readonly perWarpCycles: number;
  /** Of sectors that neighbouring multiprocessors ask for, the share that reaches L2 once. */
  readonly coalescedShare: number;
  /** Parts of the device that ask L2 for the same code, each once. */
  readonly codeReaders: number;
  /** Bytes of code that come before they are needed when caches are cold, and cycles that a warp waits for each byte after them. */
  readonly codeAhead: number;
  readonly cyclesPerCodeByte: number;
  /** Share of L2 that holds what was written until the end of a launch, of whole sectors and of those that are written in part. */
  readonly dirtyShare: { readonly whole: number; readonly partial: number };
  /** What is read pushes out what was written: bytes that count as one written. */
  readonly readsPushOut: number;
  /** What L2 takes for a sector that is written in part, in sectors, and cycles of the multiprocessor besides those of a whole one. */
  readonly partialStoreCost: number;
  readonly partialStoreCycles: number;
  /** Instructions among which ptxas finds something else to do while one waits. */
  readonly window: number;
  /**
   * How many loads from global memory ptxas lets be under way before their values are used. One with an address of its own, which is no constant
   * distance from another's, counts as so many more, and one of several words as many times `perWord`, at least once.
   */
  readonly loadsAhead: { readonly loads: number; readonly perWord: number; readonly ownAddress: number };
  /** Cycles from the answer of L2 or DRAM to one load of a warp to that to its next. */
  readonly spacing: { readonly l2: number; readonly dram: number };
  /** Cycles of L1 for each line of a request, of shared memory for each wavefront, of the constant cache for each address of a warp. */
  readonly l1Cost: number;
  readonly sharedCost: number;
  readonly constantCost: number;
  /** Exponent with which busy times are combined: 1 would be one after the other, a large number the longest alone. */
  readonly overlap: number;
  /** What is added to it for long launches. */
  readonly longOverlap: number;
  /** The same for warps that wait and DRAM that is busy, at most. */
  readonly dramOverlap: number;
  /** Clocks of the device from the start of one block to that of the next. */
  readonly blockCycles: number;
  /** From the end of a block to the first instruction of the one in its place, and what each warp of that adds. */
  readonly turnCycles: { readonly block: number; readonly warp: number };
  /** Cycles of the multiprocessor for a sector that is stored to local memory. */
  readonly localStoreCycles: number;
}

export type Pipe = 'fp32' | 'int' | 'fp64' | 'special';
export type Latency = 'alu' | 'fp64' | 'special' | 'shared' | 'l1' | 'l2' | 'dram' | 'barrier' | 'branch' | 'test' | 'exchange' | 'fence';

/** What the compute capability fixes. */
type ByCapability = Pick<Timings, 'lanes' | 'l1Bytes' | 'sharedSizesKB'>;

const KB = 1024;

/**
 * Lanes: CUDA C++ Programming Guide, "Arithmetic Instructions" (32-bit addition, integer addition, 64-bit addition, reciprocal). L1 and the
 * sizes of shared memory: the same guide, "Shared Memory" of each capability.
 */
const CAPABILITIES: Readonly<Record<string, ByCapability>> = {
  '7.0': { lanes: { fp32: 64, int: 64, fp64: 32, special: 16 }, l1Bytes: 128 * KB, sharedSizesKB: [0, 8, 16, 32, 64, 96] },
  '7.5': { lanes: { fp32: 64, int: 64, fp64: 2, special: 16 }, l1Bytes: 96 * KB, sharedSizesKB: [32, 64] },
  '8.0': {
    lanes: { fp32: 64, int: 64, fp64: 32, special: 16 },
    l1Bytes: 192 * KB,
    sharedSizesKB: [0, 8, 16, 32, 64, 100, 132, 164],
  },
  '8.6': { lanes: { fp32: 128, int: 64, fp64: 2, special: 16 }, l1Bytes: 128 * KB, sharedSizesKB: [0, 8, 16, 32, 64, 100] },
  '8.7': {
    lanes: { fp32: 128, int: 64, fp64: 2, special: 16 },
    l1Bytes: 192 * KB,
    sharedSizesKB: [0, 8, 16, 32, 64, 100, 132, 164],
  },
  '8.9': { lanes: { fp32: 128, int: 64, fp64: 2, special: 16 }, l1Bytes: 128 * KB, sharedSizesKB: [0, 8, 16, 32, 64, 100] },
  '9.0': {
    lanes: { fp32: 128, int: 64, fp64: 64, special: 16 },
    l1Bytes: 256 * KB,
    sharedSizesKB: [0, 8, 16, 32, 64, 100, 132, 164, 196, 228],
  },
  '10.0': {
    lanes: { fp32: 128, int: 64, fp64: 64, special: 16 },
    l1Bytes: 256 * KB,
    sharedSizesKB: [0, 8, 16, 32, 64, 100, 132, 164, 196, 228],
  },
  '12.0': { lanes: { fp32: 128, int: 64, fp64: 2, special: 16 }, l1Bytes: 128 * KB, sharedSizesKB: [0, 8, 16, 32, 64, 100] },
};

/** Of the H200, for whose number of multiprocessors these hold; scaled by that for other devices. */
const MULTIPROCESSORS = 132;
/** Measured: 125 with loads of 4 bytes of 64 warps, 140 with loads of 16 bytes (test/fixtures/hardware/h200-loads.json). */
const L2_SECTORS = 125;
/** Measured: loads of one word of each of 32 lines (h200-waits.json). */
const L2_LINES = 81;
/** Measured: 268 million atomics to 5 million words in 2.63 ms (h200-headline.json). */
const ATOMICS = 51.6;

/** In cycles of the H200, and taken for all devices. The two rates at one address were measured on it (docs/time.md); the rest is fitted. */
const COMMON: Omit<Timings, keyof ByCapability | 'l2SectorsPerClock' | 'l2LinesPerClock' | 'atomicsPerClock' | 'atomicMissClocks'> = {
  latency: {
    alu: 4.5,
    fp64: 8.5,
    special: 20,
    shared: 28,
    l1: 42,
    l2: 300,
    dram: 690,
    barrier: 12,
    branch: 22,
    test: 13.5,
    exchange: 30,
    fence: 265,
  },
  parting: { branch: 37, inside: 18 },
  integersAtAddressPerClock: 0.69,
  floatsAtAddressPerClock: 0.288,
  // Measured: 0.86 with 32 neighbouring words (h200-microbenchmarks.md, C), 0.81 with the 256 bins of 262,144 blocks.
  wholeSectorsPerClock: 0.83,
  // Measured: 3,043 cycles for 32 floats of one warp on one word (h200-microbenchmarks.md), 0.0215 per clock for a full multiprocessor.
  spinCycles: { alone: 95, contended: 46.6 },
  // Measured: 480 to 790 cycles; 0.45 for 1,024 lanes of one multiprocessor; 0.55 to 0.9 for maxima of random numbers, by their number.
  retries: { cycles: 600, perClock: 0.45, ofThoseThatLook: 0.7 },
  atomicSpread: 0.75,
  l2Share: 0.65,
  uncoveredShare: 0.35,
  // Measured: of random atomics, 1.6 % miss with 33.5 MB, 4.6 % with 39, 19 % with 50 and 39 % with 67 (h200-microbenchmarks.json, windows).
  l2Knee: 11,
  farSectorCost: 4,
  barrierPerWarp: 2,
  // Measured: 17 to 20 cycles between one lane on a slow path and all 32 (h200-waits.json, arithmetic).
  // The next three: measured (test/fixtures/hardware/h200-waits.json). A barrier of the grid takes 740 ns with up to 8 blocks, 1,000 with 33 to
  // 264, 1,240 with 528 and 2,200 with 1,056; one of a cluster 340 to 420 cycles. From one turn at a lock to the next, 0.64 microseconds with two
  // fences alone and 1.13 with two updates, on 40 blocks, and 1.26 to 1.6 on 1,056. Lanes in 32 lines: 63 to 72 cycles more than in one.
  barriers: { cluster: 320, grid: 1400, blocks: { few: 33, perFew: 16, perMany: 2.4 } },
  lock: { pass: 650, crowd: 0.0013 },
  lineCycles: 2.1,
  dramEfficiency: 0.92,
  dramWriteEfficiency: 0.75,
  emptyNs: 1400,
  // Measured: 30 to 330 more than with warm ones, for kernels that load nothing (h200-cold-caches.json, h200-reference.json).
  coldCodeNs: 430,
  coldNs: 570,
  perWarpIssues: 8,
  perWarpCycles: 20,
  coalescedShare: 0.5,
  // The next six: measured on the H200, 2026-11-24 (test/fixtures/hardware/h200-cold-caches.json). Straight code of 0.6 to 131 KB, one block
  // and 528; fills of 8 to 192 MB, whole and in part; copies. How much reads push out: copies say 0.2 to 0.3, streams of HeCBench 0.6.
  codeReaders: 6,
  codeAhead: 64 * 1024,
  cyclesPerCodeByte: 0.66,
  dirtyShare: { whole: 0.467, partial: 0.16 },
  readsPushOut: 0.55,
  partialStoreCost: 3,
  // Measured there, too: 1.5 cycles for a word of each sector on 16 multiprocessors, 1.8 and 2.2 where sectors lie in lines of their own.
  partialStoreCycles: 1.1,
  window: 11,
  // Measured: of 8 and 16 independent loads of 4 bytes, about 5 wait together, and of 16 bytes, 2 to 4 (h200-loads.json). Where addresses are
  // constant distances apart, nvcc 13's code has 8 (sums over structures) to 12 (rows of sparse matrices) under way; 9 was fitted on half A.
  loadsAhead: { loads: 9, perWord: 0.36, ownAddress: 0.8 },
  // Measured: one, two and four loads under way take 343, 357 and 369 cycles from L2, and 738, 814 and 898 from DRAM (h200-loads.json).
  spacing: { l2: 13, dram: 53 },
  l1Cost: 0.9,
  sharedCost: 1.05,
  constantCost: 2,
  overlap: 1.45,
  longOverlap: 3.1,
  // Measured: where the waiting of warps would take as long as DRAM is busy, both take 1.2 to 1.3 times as long (h200-loads.json).
  dramOverlap: 2.7,
  // The next three: measured (test/fixtures/hardware/h200-blocks.json). Empty blocks one after the other take 332 cycles with one warp and 452
  // with 32, of which a warp by itself has about 30; arrays of 165 words in local memory, 2.3 to 2.6 cycles per sector for 1 to 16 blocks on each
  // multiprocessor.
  blockCycles: 1.2,
  turnCycles: { block: 300, warp: 3.8 },
  localStoreCycles: 2.3,
};

const H200_BYTES_PER_CLOCK = (2 * 3_201_000 * (6016 / 8)) / 1_980_000;
/** Measured on the H200: l2-window.cu with 50 MB of bins took 722 microseconds longer for the 19 % of 67 million atomics that missed. */
const ATOMIC_MISS_CLOCKS = 0.112;

const known = new Map<string, Timings>();

export function timingsOf(device: DeviceProfile): Timings {
  const { id, computeCapability, multiprocessors } = device;
  let timings = known.get(id);
  if (!timings) {
    const scale = multiprocessors / MULTIPROCESSORS;
    const capability = CAPABILITIES[computeCapability.join('.')];
    timings = {
      ...{ ...COMMON, ...capability },
      ...{ l2SectorsPerClock: L2_SECTORS * scale, l2LinesPerClock: L2_LINES * scale, atomicsPerClock: ATOMICS * scale },
      atomicMissClocks: (ATOMIC_MISS_CLOCKS * H200_BYTES_PER_CLOCK) / bytesPerClock(device),
    };
    known.set(id, timings);
  }
  return timings;
}

/** Of its memory's peak: two transfers per clock. */
export function bytesPerClock({ memoryClockKHz, memoryBusBits, clockKHz }: DeviceProfile): number {
  return (2 * memoryClockKHz * (memoryBusBits / 8)) / clockKHz;
}

/**
 * What the host pays, in nanoseconds. Where no source is named the number is a rule of thumb for a server of today: of the right size, and
 * no measurement.
 */

/**
 * One operation that the host program executes (toolchain/lowering/work.ts). Thirteen small programs (loops over arrays, sorting, trees,
 * recursion, mathematical functions, text) got 0.2 to 3.2 times what they took on one core of a server when GCC 12 had compiled them with
 * -O2, half of them 0.6 to 2.2 times.
 */
export const OPERATION_NS = 0.1;
/** A system call that does nothing. */
export const SYSTEM_CALL_NS = 100;
/** Reading a clock needs no system call on Linux (vdso(7)). */
export const CLOCK_READ_NS = 25;

/*
 * Unless it says otherwise, what follows was measured on one H200 (test/fixtures/hardware/h200-microbenchmarks.json, whose names are in
 * quotes), on a server with PCI Express 5.0 x16.
 */

/** "host ns: launch call, device idle". */
export const LAUNCH_CALL_NS = 3500;
/**
 * From the end of the call to the start on a device that has nothing to do, and from the end of what the host waits for to the end of the
 * wait. Together 3.3 microseconds ("host ns: launch and synchronize", less the calls and an empty kernel); which has how much of it
 * nobody can see.
 */
export const ARRIVAL_NS = 1300;
export const WAKE_NS = 2000;
/** Between operations of one stream that different engines do: a copy and a kernel, copies in two directions (streams.cu, one stream). */
export const ENGINE_CHANGE_NS = 3800;
/** By so much less of a kernel is seen behind another one in a graph ("event ns: graph of 100 kernels of 5000 cycles, each"). */
export const GRAPH_OVERLAP_NS = 900;
/** A device takes one launch of a kernel after the other, and each block by itself takes longer (nested.cu). */
export const DEVICE_LAUNCH_NS = 850;
export const BLOCK_LAUNCH_NS = 6050;
/** Until the first one of a grid begins, and until a tail launch does. */
export const FIRST_DEVICE_LAUNCH_NS = 9000;
export const TAIL_LAUNCH_NS = 22_000;
/**
 * With cold caches, as Nsight Compute measures, grids that a grid launches begin so much later ("one thread launches 1" of h200-waits.json: 30 and
 * 46 microseconds after an empty parent).
 */
export const COLD_DEVICE_LAUNCH_NS = 29_000;
/** A host function in a stream begins so long behind what comes before it: a thread has to wake. Half of "a host function in a stream". */
export const HOST_FUNCTION_GAP_NS = 3500;
/** Rule of thumb: launches, copies and events that may be pending before a call waits for the first of them. */
export const MOST_PENDING = 1024;

/** Calls that do more than look at what the runtime knows. */
const CALLS: readonly (readonly [RegExp, number])[] = [
  [/^cudaLaunch/, LAUNCH_CALL_NS],
  [/^cudaGraphLaunch/, 2150],
  [/^cudaMem(cpy|set|Prefetch)/, 1650],
  [/^cuda(Malloc|Free)(Async|FromPoolAsync)/, 400],
  [/^cudaMallocHost|^cudaHostAlloc/, 500_000],
  [/^cudaHostRegister/, 67_000],
  // Rule of thumb.
  [/^cudaFreeHost|^cudaHostUnregister/, 50_000],
  [/^cudaMallocManaged/, 2400],
  [/^cudaMalloc/, 31_000],
  [/^cudaFree/, 27_000],
  [/^cudaStream(Create|Destroy)/, 2100],
  [/^cudaEvent(Create|Destroy)/, 220],
  [/^cudaEventRecord/, 1000],
  [/^cudaStreamWaitEvent|^cudaStreamQuery|^cudaEventQuery/, 180],
  // Of 100 kernels.
  [/^cudaGraphInstantiate/, 80_000],
  [/Synchronize$/, 390],
];
const OTHER_CALL_NS = 60;

const known = new Map<string, number>();

/** What a call of the runtime takes on the host, without what it waits for. */
export function callNs(name: string): number {
  let ns = known.get(name);
  if (ns === undefined) {
    ns = CALLS.find(([pattern]) => pattern.test(name))?.[1] ?? OTHER_CALL_NS;
    known.set(name, ns);
  }
  return ns;
}

/** Beyond that, for the first of a program: h200-self-timed.json, "instantiate", without a later one. */
const FIRST_CALLS: ReadonlyMap<string, number> = new Map([['cudaGraphInstantiate', 200_000]]);

export function firstCallNs(name: string): number {
  return FIRST_CALLS.get(name) ?? 0;
}

/** Memory of the device is mapped in pieces of 2 MiB ("host ns: cudaMalloc, 1024 MiB"). */
export function mappingNs(sizeBytes: number): number {
  return Math.ceil(sizeBytes / 2 ** 21) * 95;
}

/** Pinning touches and locks each page of 4 KiB, those that are new and those that the program has touched. */
export function pinningNs(sizeBytes: number, isNew: boolean): number {
  return sizeBytes * (isNew ? 0.344 : 0.035);
}

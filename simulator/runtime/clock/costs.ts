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

/**
 * A launch and a wait for it took 6.5 microseconds more than the kernel: H200, HeCBench's mrc, 9.1 in all with a kernel of 2.6 in
 * shared/hardware/h200-hecbench.json. "Getting Started with CUDA Graphs" (NVIDIA Technical Blog, 2019) has 9.6 with a kernel of 2.9, 3.8
 * without the wait, and 3.4 in a graph. The parts are chosen so that they add up to these.
 */
export const LAUNCH_CALL_NS = 2500;
/** From the end of the call to the start on a device that has nothing to do. */
export const ARRIVAL_NS = 1500;
/** From the end of what the host waits for to the end of the wait. */
export const WAKE_NS = 2500;
/** Between two kernels, or copies, of one stream. */
export const STREAM_GAP_NS = 900;
/** The same between nodes of a graph. */
export const GRAPH_GAP_NS = 500;
/** A kernel's launch of another one, as far as it does not go on beside others. */
export const DEVICE_LAUNCH_NS = 1000;
/** A host function in a stream begins so long behind what comes before it: a thread has to wake. */
export const HOST_FUNCTION_GAP_NS = 10_000;
/** Launches, copies and events that may be pending before a call waits for the first of them. */
export const MOST_PENDING = 1024;

/** Calls that do more than look at what the runtime knows. */
const CALLS: readonly (readonly [RegExp, number])[] = [
  [/^cudaLaunch|^cudaGraphLaunch/, LAUNCH_CALL_NS],
  [/^cudaMem(cpy|set|Prefetch)/, 2000],
  [/^cuda(Malloc|Free)(Async|FromPoolAsync)/, 1000],
  [/^cudaMallocHost|^cudaHostAlloc|^cudaFreeHost|^cudaHost(Unr|R)egister/, 20_000],
  [/^cuda(Malloc|Free)/, 10_000],
  [/^cudaStream(Create|Destroy)/, 5000],
  [/^cudaEvent(Create|Destroy)/, 500],
  [/^cudaEventRecord|^cudaStreamWaitEvent|^cudaStreamQuery|^cudaEventQuery/, 1000],
  [/^cudaGraphInstantiate/, 20_000],
  [/Synchronize$/, 1000],
];
const OTHER_CALL_NS = 100;

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

/** Memory of the device is mapped in pieces of 2 MiB, a microsecond each. */
export function mappingNs(sizeBytes: number): number {
  return Math.ceil(sizeBytes / 2 ** 21) * 1000;
}

/** Pinning touches and locks each page of 4 KiB: about 5 bytes per nanosecond. */
export function pinningNs(sizeBytes: number): number {
  return sizeBytes / 5;
}

/** The report of one run, as `lanewise run --json` writes it and as the editor shows it. Plain data: it crosses processes. */
import type { LineCounters } from '../counters/counters.ts';
import type { TimeLimit } from '../counters/limits.ts';
import type { Fix } from './finding.ts';
import type { NestedLaunches, Timeline } from './timeline.ts';

export interface Report {
  schema: 1;
  /** Base name of the program's first file. */
  program: string;
  args: string[];
  device: string;
  /** All devices that the program had, `device` first; missing if it had one. */
  devices?: string[];
  /** How many ranks of the program ran, each with such devices; missing for one. */
  ranks?: number;
  /** Exit code of the program; 1 after a fault. */
  exit: number;
  stdout: string;
  stderr: string;
  compileMs: number;
  simulateMs: number;
  /** In launch order. */
  kernels: KernelReport[];
  /**
   * By kernel (as in `kernels[].kernel`), then by `file:line`; summed over the kernel's launches. A file goes by its base name, and where
   * several share one, by its path from the innermost folder around these, with forward slashes.
   */
  lines: Record<string, Record<string, LineCounters>>;
  /**
   * By kernel and line as in `lines`, nanoseconds of the estimated time of the kernel's launches; what starting a grid and its blocks takes
   * is in no line. Missing where there are no estimates.
   */
  lineTimes?: Record<string, Record<string, number>>;
  faults: FaultReport[];
  /** What the sanitizer found. Of runs without it: wrong masks and barriers that came up by themselves; missing if there are none. */
  findings?: SanitizerFinding[];
  /** What the program did with its threads in several orders, the first of which the rest of the report is about; missing for one run. */
  schedules?: ScheduledRun[];
  /** What happened before without a word and may explain faults or results: memory that ran out, calls that failed. Full sentences. */
  notes?: string[];
  /** Names of the GPUs for which all times that the program read are estimated; missing if it measured nothing. */
  estimatedFor?: string[];
  /** Kernels whose grids launched others; missing if none did. */
  nested?: NestedParent[];
  /** What each device can do at most, in the order of `devices`. */
  peaks?: DevicePeaks[];
  /** When what the program did would have run; missing unless asked for. */
  timeline?: Timeline;
  /** Arrays that a harness hands over; missing if there are none. */
  buffers?: BufferReport[];
  /** Where `kernels[].measured` comes from; missing where no such file was given. */
  measured?: MeasuredSource;
  /** Files that the program was not allowed to read or write, each once, in the order in which it tried. */
  refusedFiles?: RefusedFile[];
  /** Kernels that the fast engine left to the interpreter, which is much slower, and why. */
  interpreted?: Record<string, string>;
}

export interface KernelReport {
  /** Demangled signature. */
  kernel: string;
  grid: [number, number, number];
  block: [number, number, number];
  /** Nsight Compute's metric names. */
  metrics: Record<string, number>;
  /** Why counters of the launch depend on the order in which warps happen to run, so that a GPU may count otherwise each time. */
  timing?: string;
  /** Rank that launched it, unless that is 0. */
  rank?: number;
  /** Number of the device that it ran on, unless that is 0. */
  device?: number;
  /** What it would take on the device: estimated. Missing where it faulted. */
  estimate?: TimeEstimate;
  /** A library (`Thrust/CUB`, else its namespace) whose kernels here are Lanewise's own headers': the one that CUDA brings launches others, with other counters. */
  library?: string;
  /** By a GPU, of the same launch: all numbers of a file of Nsight Compute's, by their names and in base units. */
  measured?: Readonly<Record<string, number>>;
  /** The launch would have changed nothing and was not executed: these are the metrics of an equal one before. */
  repeats?: true;
}

export interface MeasuredSource {
  /** Base name. */
  file: string;
  /** The GPU's name, where the file has it. */
  device?: string;
  launches: number;
  /** Those of them that no launch of the run has kernel, grid and block of. */
  alone: number;
  /** By kernel and line as in `lines`, what was measured of the launches beside those here; missing where the file has no lines. */
  lines?: Record<string, Readonly<Record<string, Readonly<Record<string, number>>>>>;
}

/** Estimated for the report's device, with caches that are cold at the start, as Nsight Compute measures. */
export interface TimeEstimate {
  /** Nanoseconds from the grid's start to its end, as gpu__time_duration. */
  ns: number;
  /** To the end of all that it has launched, where it has launched something: what Nsight Compute measures. */
  wholeNs?: number;
  /** What takes longest. */
  limit: TimeLimit;
  /** Nanoseconds that each unit or cause would take by itself, the longest first: what keeps a unit busy, against `ns`, is its share of the peak. */
  parts: { limit: TimeLimit; ns: number }[];
  /** Registers of a thread, estimated from the values that are live at once. */
  registers: number;
  /** Blocks on one multiprocessor at a time, what limits them, and how often the grid fills all multiprocessors. */
  residentBlocks: number;
  residentWarps: number;
  residentLimit: 'blocks' | 'warps' | 'shared memory' | 'registers';
  waves: number;
  /** Warp instructions by pipe, as machine code would have them. */
  instructions: Record<string, number>;
  /** Floating-point operations of all lanes, as the source has them: a fused multiply-add is two, a division or a function one. Simulated. */
  flops: { fp16: number; fp32: number; fp64: number };
  /** Share of loaded sectors that L1 has. */
  l1HitRate: number;
  /** Share of the sectors that are asked of L2 for which DRAM was not asked. */
  l2HitRate: number;
  /** Sectors that L2 is asked for; Nsight Compute counts those of the far part of L2 twice (docs/time.md). */
  l2Sectors: { read: number; write: number; atomic: number };
  dramReadBytes: number;
  dramWrittenBytes: number;
  /** Machine code and local memory in the traffic above, where there is any: the rest is global memory's. */
  code?: OtherBytes;
  local?: OtherBytes;
}

export interface OtherBytes {
  l2Bytes: number;
  dramReadBytes: number;
  dramWrittenBytes: number;
}

/** The roofs under which launches stay. */
export interface DevicePeaks {
  /** "H200". */
  device: string;
  /** Of the multiprocessors: times are estimated for it. */
  clockHz: number;
  /** Floating-point operations per nanosecond; a fused multiply-add is two. */
  fp32FlopsPerNs: number;
  fp64FlopsPerNs: number;
  /** Warp instructions that all multiprocessors issue per nanosecond. */
  warpInstructionsPerNs: number;
  l2BytesPerNs: number;
  dramBytesPerNs: number;
}

/** An array in device memory, before the kernel of a harness and after it: its first elements. Numbers that JSON lacks are texts. */
export interface BufferReport {
  name: string;
  /** Of an element, in C++. */
  type: string;
  count: number;
  before: (number | string)[];
  after: (number | string)[];
  /** By a reference on the host, if there is one, and how many elements of the whole array differ from it. */
  expected?: (number | string)[];
  wrong?: number;
}

/** Of all launches of a kernel by the host together. */
export interface NestedParent {
  /** As in `kernels`. */
  kernel: string;
  /** Those that launched others. */
  launches: number;
  /** What they launched, with what these launched; times are estimated, with warm caches. */
  nested: NestedLaunches[];
}

export interface RefusedFile {
  access: 'read' | 'write';
  /** As the program sees it. */
  path: string;
  /** In a folder that may be written, but under a name that is never written. */
  protected: boolean;
}

export interface FaultReport {
  kind: string;
  message: string;
  kernel?: string;
  /** As the user named it, or seen from the folder that was named. */
  file?: string;
  line?: number;
  block?: [number, number, number];
  thread?: [number, number, number];
  address?: string;
}

/** A run with the threads in some order. */
export interface ScheduledRun {
  /** "as-launched", "reversed", "adversarial", "random:1". */
  schedule: string;
  /** Why there is no result. */
  notRun?: string;
  exit?: number;
  stdout?: string;
  stderr?: string;
  faults?: FaultReport[];
}

/** A race, a barrier, a mask or a read that is wrong: once for each pair of lines. */
export interface SanitizerFinding {
  /** Names a section of docs/sanitizer.md. */
  check: 'race' | 'divergent-barrier' | 'wrong-mask' | 'uninitialised-read';
  /** What is wrong, why it matters, what to do. */
  message: string;
  kernel?: string;
  /** Who did what where; the place to look at first. */
  places: SanitizerPlace[];
  /** The memory that it is about: a variable or an allocation with the element. */
  where?: string;
  address?: string;
  /** Found in no run before the one in this order of threads, of several. */
  schedule?: string;
  /** How often it was found. */
  count: number;
  /** What would mend it, where that is mechanical. */
  repair?: 'block-barrier' | 'warp-barrier' | 'full-mask' | 'atomic-add';
  /** The same as edits of the file of the first place, as it ran; where its text leaves no doubt. */
  fix?: Fix;
}

export interface SanitizerPlace {
  /** "read", "write", "atomic", "volatile read", "barrier". */
  access: string;
  /** If it is not the finding's. */
  kernel?: string;
  /** As the user named it, or seen from the folder that was named. */
  file?: string;
  line?: number;
  block?: [number, number, number];
  thread?: [number, number, number];
}

/** A compile error or warning, or a fault, at a place in a file. */
/** What the compiler would write instead, from 1; the end is behind the last character. */
export interface CompilerEdit {
  readonly start: { readonly line: number; readonly column: number };
  readonly end: { readonly line: number; readonly column: number };
  readonly text: string;
}

export interface ProgramDiagnostic {
  severity: 'error' | 'warning' | 'note';
  file: string;
  /** 1-based. */
  line: number;
  column: number;
  message: string;
  /** In the same file, all together. */
  edits?: readonly CompilerEdit[];
}

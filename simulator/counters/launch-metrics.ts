/**
 * Counters of a launch under Nsight Compute's names, and per source line. What the simulator cannot know is absent: time, registers
 * and what follows from them (waves, occupancy), the driver's choice of a shared memory carve-out, caches, and SASS instruction
 * counts. What it knows instead goes by names of its own: `lanewise__inst_executed.sum` and `lanewise__thread_inst_executed.sum`, of
 * LLVM instructions, and `lanewise__occupancy_limit_shared_mem`.
 */

import { paths } from '#platform';
import {
  type Counter,
  LINE_COUNTERS,
  type LineCounters,
  METRICS,
  type MemoryOp,
  noCounts,
  type ShapeMetric,
} from '../../counters/counters.ts';
import { occupancyLimits } from '../../devices/occupancy.ts';
import type { DeviceProfile } from '../../devices/profile.ts';
import { intrinsicOf } from '../ir/intrinsics.ts';
import { slowPathsOf } from '../ir/slow-paths.ts';
import type { Instruction, IrFunction, IrModule, Location } from '../ir/types.ts';
import type { Launch } from '../machine/launch.ts';
import type { LoadedModule } from '../machine/load-module.ts';
import { functionFacts } from '../simt/analyze.ts';
import { liveValues } from '../simt/live-values.ts';
import { entriesOf, headerLine, isSetApart, usesOf } from './nvcc-rows.ts';
import { FIELD, SITE_FIELDS, type SiteCounters } from './site-counters.ts';

export interface MetricsInput {
  readonly module: LoadedModule;
  readonly launch: Launch;
  readonly device: DeviceProfile;
  readonly counters: SiteCounters;
  /** True for files whose lines are not the user's (our own headers): their counts go to the call that brought them in. */
  readonly isHeader: (file: string) => boolean;
  /** The caller's unless given. */
  readonly lineTable?: LineTable;
}

/** Where the code of CUDA's headers counts: at the line that calls it, or as nvcc's line table has it. */
export type LineTable = 'caller' | 'nvcc';

/** Metrics of one launch by Nsight Compute's names, zeros included. */
export function launchMetrics(input: MetricsInput): Record<string, number> {
  const sums = new Float64Array(METRICS.length);
  for (const { site, data, row } of sitesThatRan(input)) {
    for (const { into, field, less } of site.metrics) sums[into] += data[row + field] - (less === undefined ? 0 : data[row + less]);
  }
  return { ...Object.fromEntries(METRICS.map(({ name }, index) => [name, sums[index]])), ...launchShape(input) };
}

/** Line tables of one launch, or of counters summed over launches, keyed `file:line` with the file's path. */
export function lineCounters(input: MetricsInput): Record<string, LineCounters> {
  const lines: Record<string, LineCounters> = {};
  for (const ran of sitesThatRan(input)) {
    for (const key of lineKeys(ran, input)) {
      lines[key] ??= noCounts();
      for (const { into, field } of ran.site.lines) lines[key][LINE_COUNTERS[into].line] += ran.data[ran.row + field];
    }
  }
  return lines;
}

/** `file:line` that counts of an instruction go to. */
export function lineKey(location: Location | undefined, isHeader: (file: string) => boolean): string | undefined {
  const at = lineLocation(location, isHeader);
  return at && `${paths.normalizePosix(at.file)}:${at.line}`;
}

/** The innermost inlined location outside our own headers. */
export function lineLocation(location: Location | undefined, isHeader: (file: string) => boolean): Location | undefined {
  let at = location;
  while (at && (at.line === 0 || isHeader(at.file)) && at.inlinedAt) at = at.inlinedAt;
  return !at || at.line === 0 || isHeader(at.file) ? undefined : at;
}

/** The rows that counts of a site go to. */
function lineKeys(ran: RanSite, { module, isHeader, lineTable }: MetricsInput): Iterable<string> {
  const { instruction, fn } = ran.site;
  const header = lineTable === 'nvcc' ? headerLine(instruction.location) : undefined;
  const own = header ?? lineKey(instruction.location, isHeader);
  const keys = new Set(own ? [own] : []);
  if (lineTable !== 'nvcc') return keys;
  const facts = functionFacts(fn, module.ir);
  if (header && isSetApart(instruction, { fn, uses: usesOf(fn), facts, inShared: ran.data[ran.row + FIELD.sharedRequests] > 0 }))
    return keys;
  for (const call of entriesOf(fn).get(instruction.site) ?? []) if (!isHeader(call.file)) keys.add(lineKey(call, isHeader)!);
  return keys;
}

function launchShape({ module, launch, device }: MetricsInput): Record<ShapeMetric, number> {
  const staticBytes = module.sharedBytes.get(launch.kernel) ?? 0;
  const threads = launch.block[0] * launch.block[1] * launch.block[2];
  const limits = occupancyLimits(device, { threads, sharedBytes: staticBytes + launch.dynamicSharedBytes });
  return {
    launch__shared_mem_per_block_static: staticBytes,
    launch__shared_mem_per_block_dynamic: launch.dynamicSharedBytes,
    launch__occupancy_limit_blocks: limits.blocks,
    launch__occupancy_limit_warps: limits.warps,
    lanewise__occupancy_limit_shared_mem: limits.sharedMemory,
  };
}

/** A column of an instruction's row, less another, that goes into a metric or a line's counter of this index. */
interface Contribution {
  readonly into: number;
  readonly field: number;
  readonly less?: number;
}

/** What does not change from launch to launch. */
interface Site {
  readonly fn: IrFunction;
  readonly instruction: Instruction;
  readonly metrics: readonly Contribution[];
  readonly lines: readonly Contribution[];
}

/** What counters ask of an instruction. */
interface SiteKind {
  readonly op: MemoryOp | undefined;
  /** Half of an asynchronous copy. */
  readonly isCopy: boolean;
  /** Part of a barrier in shared memory. */
  readonly isOfBarrier: boolean;
  readonly isBranch: boolean;
  /** Has branches inside. */
  readonly hasSlowPath: boolean;
  /** A machine executes it. */
  readonly isExecuted: boolean;
}

/** Programs may launch a kernel thousands of times. */
const knownSites = new WeakMap<IrFunction, readonly Site[]>();

function sitesOf(fn: IrFunction, module: IrModule): readonly Site[] {
  const known = knownSites.get(fn);
  if (known) return known;
  const live = liveValues(fn);
  const { predicated } = functionFacts(fn, module);
  const isRelocatable = isLinkedWithRuntime(module);
  const sites = fn.blocks.flatMap(({ instructions }) =>
    instructions.map((instruction): Site => {
      const conditional = instruction.op === 'condbr' || instruction.op === 'switch';
      const hasSlowPath = slowPathsOf(instruction).length > 0;
      const isBranch = (conditional && !predicated.has(instruction.site)) || hasSlowPath;
      const kind: SiteKind = {
        op: memoryOp(instruction, (id) => live.has(id) || isRelocatable),
        isCopy: isHalfOfCopy(instruction),
        isOfBarrier: 'order' in instruction && instruction.order?.ofBarrier === true,
        isBranch,
        hasSlowPath,
        isExecuted: !isFree(instruction),
      };
      return {
        fn,
        instruction,
        metrics: METRICS.flatMap(({ counter, operations }, into) => contribution(counter, kind, into, operations)),
        lines: LINE_COUNTERS.flatMap((counter, into) => contribution(counter, kind, into)),
      };
    }),
  );
  knownSites.set(fn, sites);
  return sites;
}

/** Nothing if the counter does not look at instructions of this kind. */
function contribution(counter: Counter, kind: SiteKind, into: number, operations?: readonly MemoryOp[]): Contribution[] {
  const { op, isCopy, isOfBarrier, isBranch, hasSlowPath, isExecuted } = kind;
  const isAtomic = op === 'red' || op === 'atom';
  if ((operations && !(op && operations.includes(op))) || (counter.notOfCopies && isCopy)) return [];
  if (isOfBarrier && counter.column.startsWith('shared')) return [];
  const looksAt = { all: true, executed: isExecuted, branches: isBranch, slowPaths: hasSlowPath, atomics: isAtomic }[counter.of ?? 'all'];
  if (!looksAt) return [];
  const column = isAtomic && counter.ofAtomics ? counter.ofAtomics : counter.column;
  return [{ into, field: FIELD[column], less: counter.less && FIELD[counter.less] }];
}

/** An instruction that ran, and where its row of counters begins. */
interface RanSite {
  readonly site: Site;
  readonly data: Float64Array;
  readonly row: number;
}

function* sitesThatRan({ module, counters }: MetricsInput): Generator<RanSite> {
  for (const [name, { data }] of counters) {
    const fn = module.ir.functions.get(name);
    if (!fn) throw new Error(`counters of ${name}, which the module does not define`);
    for (const site of sitesOf(fn, module.ir)) {
      const row = site.instruction.site * SITE_FIELDS.length;
      if (data[row + FIELD.executions] > 0) yield { site, data, row };
    }
  }
}

function isHalfOfCopy(instruction: Instruction): boolean {
  return (instruction.op === 'load' || instruction.op === 'store') && instruction.async === true;
}

/** Launches from device code need -rdc=true, with which ptxas has no RED: its atomics in global memory are all ATOM (machine code of nvcc 13). */
function isLinkedWithRuntime({ declarations }: IrModule): boolean {
  return declarations.has('cudaLaunchDevice') || declarations.has('cudaGetParameterBuffer');
}

function memoryOp(instruction: Instruction, returns: (id: number) => boolean): MemoryOp | undefined {
  switch (instruction.op) {
    case 'load':
      return 'ld';
    case 'store':
      return 'st';
    case 'atomicrmw':
      // ptxas picks RED where nobody reads the old value; RED knows no exchange.
      return returns(instruction.id) || instruction.operation === 'xchg' || instruction.returns ? 'atom' : 'red';
    case 'cmpxchg':
      return 'atom';
    case 'call':
      if (slowPathsOf(instruction).some(({ conditions }) => conditions.reads !== undefined)) return 'ld';
      // A copy's row counts what it writes.
      return intrinsicOf(instruction.callee)?.effect === 'writes' ? 'st' : undefined;
    default:
      return undefined;
  }
}

/** Instructions of the IR that no machine executes: names for values. */
function isFree(instruction: Instruction): boolean {
  return instruction.op === 'phi' || instruction.op === 'freeze' || instruction.op === 'bitcast' || instruction.op === 'addrspacecast';
}

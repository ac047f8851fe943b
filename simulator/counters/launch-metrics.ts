/**
 * Counters of a launch under Nsight Compute's names, and per source line. What the simulator cannot know is absent: time, registers
 * and what follows from them (waves, occupancy), the driver's choice of a shared memory carve-out, caches, and SASS instruction
 * counts. What it knows instead goes by names of its own: `lanewise__inst_executed.sum` and `lanewise__thread_inst_executed.sum`, of
 * LLVM instructions, and `lanewise__occupancy_limit_shared_mem`.
 */

import { posix } from 'node:path';
import { occupancyLimits } from '../../devices/occupancy.ts';
import type { DeviceProfile } from '../../devices/profile.ts';
import type { LineCounters } from '../../protocol/report.ts';
import type { Instruction, IrFunction, IrModule, Location } from '../ir/types.ts';
import type { Launch } from '../machine/launch.ts';
import type { LoadedModule } from '../machine/load-module.ts';
import { functionFacts } from '../simt/analyze.ts';
import { emptyLine } from './line-counters.ts';
import { entriesOf, headerLine, isSetApart, type Uses, usesOf } from './nvcc-rows.ts';
import { FIELD, type FunctionCounters, SITE_FIELDS, type SiteCounters, type SiteField } from './site-counters.ts';

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

type MemoryOp = 'ld' | 'st' | 'red' | 'atom';

interface Totals {
  readonly global: Record<MemoryOp, { requests: number; sectors: number }>;
  readonly shared: Record<'ld' | 'st' | 'atom', { requests: number; wavefronts: number; ideal: number }>;
  readonly local: Record<'ld' | 'st', { requests: number; sectors: number }>;
  /** Sectors of all kinds of access, and the fewest possible. */
  theoreticalSectors: number;
  idealSectors: number;
  branches: number;
  divergent: number;
  inst: number;
  threadInst: number;
}

/** Metrics of one launch by Nsight Compute's names, zeros included. */
export function launchMetrics(input: MetricsInput): Record<string, number> {
  const totals = emptyTotals();
  for (const site of sitesThatRan(input)) addSite(totals, site);
  const metrics: Record<string, number> = {};
  for (const op of ['ld', 'st', 'red', 'atom'] as const) {
    metrics[`l1tex__t_requests_pipe_lsu_mem_global_op_${op}.sum`] = totals.global[op].requests;
    metrics[`l1tex__t_sectors_pipe_lsu_mem_global_op_${op}.sum`] = totals.global[op].sectors;
    metrics[`smsp__sass_inst_executed_op_global_${op}.sum`] = totals.global[op].requests;
  }
  for (const op of ['ld', 'st', 'atom'] as const) {
    const { requests, wavefronts, ideal } = totals.shared[op];
    metrics[`l1tex__data_pipe_lsu_wavefronts_mem_shared_op_${op}.sum`] = wavefronts;
    metrics[`l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_${op}.sum`] = wavefronts - ideal;
    metrics[`smsp__sass_inst_executed_op_shared_${op}.sum`] = requests;
  }
  for (const op of ['ld', 'st'] as const) {
    metrics[`l1tex__t_requests_pipe_lsu_mem_local_op_${op}.sum`] = totals.local[op].requests;
    metrics[`l1tex__t_sectors_pipe_lsu_mem_local_op_${op}.sum`] = totals.local[op].sectors;
    metrics[`smsp__sass_inst_executed_op_local_${op}.sum`] = totals.local[op].requests;
  }
  metrics.memory_l2_theoretical_sectors_global = totals.theoreticalSectors;
  metrics.memory_l2_theoretical_sectors_global_ideal = totals.idealSectors;
  metrics['smsp__sass_branch_targets.sum'] = totals.branches;
  metrics['smsp__sass_branch_targets_threads_divergent.sum'] = totals.divergent;
  metrics['smsp__sass_branch_targets_threads_uniform.sum'] = totals.branches - totals.divergent;
  metrics['lanewise__inst_executed.sum'] = totals.inst;
  metrics['lanewise__thread_inst_executed.sum'] = totals.threadInst;
  return { ...metrics, ...launchShape(input) };
}

/** Line tables of one launch, or of counters summed over launches, keyed `file:line` with the file's path. */
export function lineCounters(input: MetricsInput): Record<string, LineCounters> {
  const lines: Record<string, LineCounters> = {};
  for (const site of sitesThatRan(input)) {
    for (const key of lineKeys(site, input)) {
      lines[key] ??= emptyLine();
      addToLine(lines[key], site);
    }
  }
  return lines;
}

/** `file:line` that counts of an instruction go to: the innermost inlined location outside our own headers. */
export function lineKey(location: Location | undefined, isHeader: (file: string) => boolean): string | undefined {
  let at = location;
  while (at && (at.line === 0 || isHeader(at.file)) && at.inlinedAt) at = at.inlinedAt;
  if (!at || at.line === 0 || isHeader(at.file)) return undefined;
  return `${posix.normalize(at.file)}:${at.line}`;
}

/** The rows that counts of a site go to. */
function lineKeys(ran: RanSite, { module, isHeader, lineTable }: MetricsInput): Iterable<string> {
  const { instruction, fn } = ran.site;
  const header = lineTable === 'nvcc' ? headerLine(instruction.location) : undefined;
  const own = header ?? lineKey(instruction.location, isHeader);
  const keys = new Set(own ? [own] : []);
  if (lineTable !== 'nvcc') return keys;
  const facts = functionFacts(fn, module.ir);
  if (header && isSetApart(instruction, { fn, uses: usesOf(fn), facts, inShared: ran.count('sharedRequests') > 0 })) return keys;
  for (const call of entriesOf(fn).get(instruction.site) ?? []) if (!isHeader(call.file)) keys.add(lineKey(call, isHeader)!);
  return keys;
}

function launchShape({ module, launch, device }: MetricsInput): Record<string, number> {
  const staticBytes = module.sharedBytes.get(launch.kernel) ?? 0;
  const threads = launch.block[0] * launch.block[1] * launch.block[2];
  const limits = occupancyLimits(device, { threads, sharedBytes: staticBytes + launch.dynamicSharedBytes });
  return {
    launch__shared_mem_per_block_static: staticBytes,
    launch__shared_mem_per_block_dynamic: launch.dynamicSharedBytes,
    launch__occupancy_limit_blocks: limits.blocks,
    launch__occupancy_limit_warps: limits.warps,
    // How much of its memory the driver makes shared memory for a kernel is its secret: hardware's launch__occupancy_limit_shared_mem
    // says what that leaves room for, this what the whole does.
    lanewise__occupancy_limit_shared_mem: limits.sharedMemory,
  };
}

/** What does not change from launch to launch. */
interface Site {
  readonly fn: IrFunction;
  readonly instruction: Instruction;
  readonly op: MemoryOp | undefined;
  readonly isBranch: boolean;
  /** No machine executes it. */
  readonly isFree: boolean;
}

/** Programs may launch a kernel thousands of times. */
const knownSites = new WeakMap<IrFunction, readonly Site[]>();

function sitesOf(fn: IrFunction, module: IrModule): readonly Site[] {
  const known = knownSites.get(fn);
  if (known) return known;
  const uses = usesOf(fn);
  const { predicated } = functionFacts(fn, module);
  const sites = fn.blocks.flatMap(({ instructions }) =>
    instructions.map((instruction): Site => {
      const conditional = instruction.op === 'condbr' || instruction.op === 'switch';
      const isBranch = conditional && !predicated.has(instruction.site);
      return { fn, instruction, op: memoryOp(instruction, uses), isBranch, isFree: isFree(instruction) };
    }),
  );
  knownSites.set(fn, sites);
  return sites;
}

/** An instruction that ran, with its row of counters. */
class RanSite {
  readonly site: Site;
  readonly #data: Float64Array;
  readonly #row: number;

  constructor(site: Site, { data }: FunctionCounters) {
    this.site = site;
    this.#data = data;
    this.#row = site.instruction.site * SITE_FIELDS.length;
  }

  count(field: SiteField): number {
    return this.#data[this.#row + FIELD[field]];
  }
}

function* sitesThatRan({ module, counters }: MetricsInput): Generator<RanSite> {
  for (const [name, rows] of counters) {
    const fn = module.ir.functions.get(name);
    if (!fn) throw new Error(`counters of ${name}, which the module does not define`);
    for (const site of sitesOf(fn, module.ir)) {
      if (rows.data[site.instruction.site * SITE_FIELDS.length + FIELD.executions] > 0) yield new RanSite(site, rows);
    }
  }
}

function memoryOp(instruction: Instruction, uses: Uses): MemoryOp | undefined {
  switch (instruction.op) {
    case 'load':
      return 'ld';
    case 'store':
      return 'st';
    case 'atomicrmw':
      // ptxas picks RED where nobody reads the old value; RED knows no exchange.
      return uses.has(instruction.id) || instruction.operation === 'xchg' ? 'atom' : 'red';
    case 'cmpxchg':
      return 'atom';
    case 'call':
      // A copy's row counts what it writes.
      return /^llvm\.mem(cpy|move|set)/.test(instruction.callee) ? 'st' : undefined;
    default:
      return undefined;
  }
}

function addSite(totals: Totals, ran: RanSite): void {
  const { op, isBranch, isFree } = ran.site;
  const count = (field: SiteField): number => ran.count(field);
  if (!isFree) {
    totals.inst += count('executions');
    totals.threadInst += count('lanes');
  }
  if (isBranch) {
    totals.branches += count('executions');
    totals.divergent += count('divergent');
  }
  totals.theoreticalSectors += count('globalSectors');
  totals.idealSectors += count('globalSectorsIdeal');
  if (!op) return;
  const atomic = op === 'red' || op === 'atom';
  totals.global[op].requests += count('globalRequests');
  totals.global[op].sectors += count(atomic ? 'globalAtomicSectors' : 'globalSectors');
  const shared = totals.shared[op === 'red' ? 'atom' : op];
  shared.requests += count('sharedRequests');
  shared.wavefronts += count('sharedWavefronts');
  shared.ideal += count('sharedWavefrontsIdeal');
  const local = totals.local[op === 'ld' ? 'ld' : 'st'];
  local.requests += count('localRequests');
  local.sectors += count('localSectors');
}

function addToLine(line: LineCounters, ran: RanSite): void {
  const { isBranch, isFree } = ran.site;
  const count = (field: SiteField): number => ran.count(field);
  if (!isFree) {
    line.inst += count('executions');
    line.threadInst += count('lanes');
  }
  if (isBranch) line.divergentBranches += count('divergent');
  line.globalSectors += count('globalSectors');
  line.globalSectorsIdeal += count('globalSectorsIdeal');
  line.sharedWavefronts += count('sharedWavefronts');
  line.sharedWavefrontsIdeal += count('sharedWavefrontsIdeal');
}

/** Instructions of the IR that no machine executes: names for values. */
function isFree(instruction: Instruction): boolean {
  return instruction.op === 'phi' || instruction.op === 'freeze' || instruction.op === 'bitcast' || instruction.op === 'addrspacecast';
}

function emptyTotals(): Totals {
  const global = () => ({ requests: 0, sectors: 0 });
  const shared = () => ({ requests: 0, wavefronts: 0, ideal: 0 });
  return {
    global: { ld: global(), st: global(), red: global(), atom: global() },
    shared: { ld: shared(), st: shared(), atom: shared() },
    local: { ld: global(), st: global() },
    theoreticalSectors: 0,
    idealSectors: 0,
    branches: 0,
    divergent: 0,
    inst: 0,
    threadInst: 0,
  };
}

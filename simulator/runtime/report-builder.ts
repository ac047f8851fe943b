/** Collects what the launches of one run counted, and what went wrong, into the report's plain data. */
import type { FaultReport, KernelReport, LineCounters } from '../../protocol/report.ts';
import { type LineTable, launchMetrics, lineCounters, type MetricsInput } from '../counters/launch-metrics.ts';
import type { Fault } from '../engine.ts';
import type { Location } from '../ir/types.ts';
import { demangle } from './demangle.ts';

export interface ReportOptions {
  readonly isHeader: (file: string) => boolean;
  readonly lineTable: LineTable;
  /** How faults name the user's files. */
  readonly nameOf: (file: string) => string;
}

export class ReportBuilder {
  readonly kernels: KernelReport[] = [];
  readonly lines: Record<string, Record<string, LineCounters>> = {};
  readonly interpreted: Record<string, string> = {};
  readonly #options: ReportOptions;

  constructor(options: ReportOptions) {
    this.#options = options;
  }

  add(input: Omit<MetricsInput, 'isHeader' | 'lineTable'>, interpretedBecause?: string): void {
    const { launch } = input;
    const { isHeader, lineTable } = this.#options;
    const full = { ...input, isHeader, lineTable };
    const kernel = demangle(launch.kernel);
    if (interpretedBecause) this.interpreted[kernel] = interpretedBecause;
    const lines = Object.entries(lineCounters(full));
    const metrics = launchMetrics(full);
    this.kernels.push({ kernel, grid: [...launch.grid], block: [...launch.block], metrics });
    this.lines[kernel] ??= {};
    for (const [line, counters] of lines) addLine(this.lines[kernel], line, counters);
  }

  fault({ kind, message, kernel, location, block, thread, address }: Fault): FaultReport {
    const at = this.#userLocation(location);
    return {
      kind,
      message,
      kernel: demangle(kernel),
      ...(at && { file: this.#options.nameOf(at.file), line: at.line }),
      ...(block && { block: [...block] as [number, number, number] }),
      ...(thread && { thread: [...thread] as [number, number, number] }),
      ...(address !== undefined && { address: `0x${(address >>> 0).toString(16).padStart(8, '0')}` }),
    };
  }

  /** The innermost place in the user's own files. */
  #userLocation(location: Location | undefined): Location | undefined {
    let at = location;
    while (at && (at.line === 0 || this.#options.isHeader(at.file))) at = at.inlinedAt;
    return at;
  }
}

function addLine(lines: Record<string, LineCounters>, line: string, counters: LineCounters): void {
  const into = lines[line];
  if (!into) {
    lines[line] = counters;
    return;
  }
  for (const [key, value] of Object.entries(counters) as [keyof LineCounters, number][]) into[key] += value;
}

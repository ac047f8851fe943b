/** Collects what the launches of one run counted, and what went wrong, into the report's plain data. */
import { basename } from 'node:path';
import type { FaultReport, KernelReport, LineCounters } from '../../protocol/report.ts';
import { type LineTable, launchMetrics, lineCounters, type MetricsInput } from '../counters/launch-metrics.ts';
import type { Fault } from '../engine.ts';
import type { Location } from '../ir/types.ts';
import { demangle } from './demangle.ts';

export class ReportBuilder {
  readonly kernels: KernelReport[] = [];
  readonly lines: Record<string, Record<string, LineCounters>> = {};
  readonly #isHeader: (file: string) => boolean;

  readonly #lineTable: LineTable;

  constructor(isHeader: (file: string) => boolean, lineTable: LineTable) {
    this.#isHeader = isHeader;
    this.#lineTable = lineTable;
  }

  add(input: Omit<MetricsInput, 'isHeader' | 'lineTable'>): void {
    const { launch } = input;
    const full = { ...input, isHeader: this.#isHeader, lineTable: this.#lineTable };
    const kernel = demangle(launch.kernel);
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
      ...(at && { file: basename(at.file), line: at.line }),
      ...(block && { block: [...block] as [number, number, number] }),
      ...(thread && { thread: [...thread] as [number, number, number] }),
      ...(address !== undefined && { address: `0x${(address >>> 0).toString(16).padStart(8, '0')}` }),
    };
  }

  /** The innermost place in the user's own files. */
  #userLocation(location: Location | undefined): Location | undefined {
    let at = location;
    while (at && (at.line === 0 || this.#isHeader(at.file))) at = at.inlinedAt;
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

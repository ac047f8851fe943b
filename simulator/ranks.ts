/** What the ranks of a program did, in one report and one output. */
import { addLine } from '../counters/counters.ts';
import type { FaultReport, Report } from '../protocol/report.ts';
import type { Timeline } from '../protocol/timeline.ts';
import { type RunLimits, withDefaults } from './options/limits.ts';
import { mergedFindings } from './runtime/merged-findings.ts';
import { KeptText } from './runtime/program-output.ts';

type Stream = 'stdout' | 'stderr';

interface Readers {
  stdout?(bytes: Uint8Array): void | Promise<void>;
  stderr?(bytes: Uint8Array): void | Promise<void>;
}

/** Threads send what they print each by itself: here it gets back its order. */
export class RankOutput {
  readonly #early = new Map<number, () => void>();
  readonly #kept: Readonly<Record<Stream, KeptText>>;
  readonly #readers: Readers;
  #next = 0;

  constructor(limits: Partial<RunLimits> | undefined, readers: Readers) {
    const kept = withDefaults(limits).outputMB * 500_000;
    this.#kept = { stdout: new KeptText(kept), stderr: new KeptText(kept) };
    this.#readers = readers;
  }

  get texts(): Readonly<Record<Stream, string>> {
    return { stdout: this.#kept.stdout.toString(), stderr: this.#kept.stderr.toString() };
  }

  /** `order`: 0 for what is printed first. */
  async take(stream: Stream, bytes: Uint8Array, order: number): Promise<void> {
    if (order !== this.#next) await new Promise<void>((resolve) => this.#early.set(order, resolve));
    this.#kept[stream].add(bytes);
    const read = this.#readers[stream]?.(bytes);
    this.#next++;
    this.#early.get(this.#next)?.();
    this.#early.delete(this.#next);
    await read;
  }
}

/** `reports`: by rank. */
export function rankReport(reports: readonly Report[], { stdout, stderr }: Readonly<Record<Stream, string>>): Report {
  const [first] = reports;
  const lines: Report['lines'] = {};
  for (const report of reports) {
    for (const [kernel, table] of Object.entries(report.lines)) {
      lines[kernel] ??= {};
      for (const [line, counters] of Object.entries(table)) {
        if (lines[kernel][line]) addLine(lines[kernel][line], counters);
        else lines[kernel][line] = { ...counters };
      }
    }
  }
  const lineTimes: NonNullable<Report['lineTimes']> = {};
  for (const [kernel, table] of reports.flatMap((report) => Object.entries(report.lineTimes ?? {}))) {
    lineTimes[kernel] ??= {};
    for (const [line, ns] of Object.entries(table)) lineTimes[kernel][line] = (lineTimes[kernel][line] ?? 0) + ns;
  }
  const notes = [...new Set(reports.flatMap((report) => report.notes ?? []))];
  const nested = reports.flatMap((report) => report.nested ?? []);
  const findings = mergedFindings(reports.flatMap((report) => report.findings ?? []));
  const timelines = reports.flatMap(({ timeline }) => timeline ?? []);
  const measured = reports.flatMap(({ estimatedFor = [] }) => estimatedFor);
  return {
    ...first,
    ranks: reports.length,
    exit: reports.find(({ exit }) => exit !== 0)?.exit ?? 0,
    stdout,
    stderr,
    simulateMs: Math.max(...reports.map(({ simulateMs }) => simulateMs)),
    kernels: reports.flatMap(({ kernels }, rank) => kernels.map((each) => (rank > 0 ? { ...each, rank } : each))),
    lines,
    ...(first.lineTimes && { lineTimes }),
    faults: reports.flatMap(({ faults }, rank) => faults.map((fault) => ofRank(fault, rank))),
    ...(notes.length > 0 && { notes }),
    ...(findings.length > 0 && { findings }),
    ...(nested.length > 0 && { nested }),
    ...(measured.length > 0 && { estimatedFor: [...new Set(measured)] }),
    ...(timelines.length > 0 && { timeline: joined(timelines) }),
    ...(reports.some(({ interpreted }) => interpreted) && { interpreted: Object.assign({}, ...reports.map((each) => each.interpreted)) }),
  };
}

function ofRank(fault: FaultReport, rank: number): FaultReport {
  return fault.kind === 'deadlock' ? fault : { ...fault, message: `rank ${rank}: ${fault.message}` };
}

/** Each rank has its devices behind those of the ranks before it. */
function joined(timelines: readonly Timeline[]): Timeline {
  let before = 0;
  const tracks = timelines.flatMap(({ tracks: own, devices }, rank) => {
    const first = before;
    before += devices.length;
    return own.map(({ device, name, spans }) => ({
      name: `rank ${rank} ${name}`,
      spans,
      ...(device !== undefined && { device: first + device }),
    }));
  });
  return {
    devices: timelines.flatMap(({ devices }) => devices),
    endNs: Math.max(...timelines.map(({ endNs }) => endNs)),
    tracks,
    ...(timelines.some(({ leftOut }) => leftOut) && { leftOut: timelines.reduce((sum, { leftOut = 0 }) => sum + leftOut, 0) }),
  };
}

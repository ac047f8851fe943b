/** A timeline in Chrome's trace event format, which Perfetto, chrome://tracing and viewers of VS Code open. */
import type { NestedLaunches, Timeline, TimelineSpan } from '../../protocol/timeline.ts';

/** Times are in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly ph: 'X' | 'M';
  readonly pid: number;
  readonly tid: number;
  readonly ts?: number;
  readonly dur?: number;
  readonly cat?: string;
  readonly args?: Readonly<Record<string, unknown>>;
}

const HOST = 0;

/** JSON text. The host is process 0, the devices are those behind it. */
export function chromeTrace(timeline: Timeline, program: string): string {
  const events: TraceEvent[] = [named('process_name', { pid: HOST, tid: 0 }, `host: ${program}`)];
  timeline.devices.forEach((device, index) => {
    const name = `device ${index}: ${device} (estimated)`;
    events.push(named('process_name', { pid: index + 1, tid: 0 }, name));
  });
  timeline.tracks.forEach(({ name, device, spans }, tid) => {
    const at = { pid: device === undefined ? HOST : device + 1, tid };
    events.push(named('thread_name', at, name));
    for (const span of spans) events.push(...eventsOf(span, at));
  });
  const lines = events.map((event) => JSON.stringify(event)).join(',\n');
  const about = { program, devices: timeline.devices, times: 'estimated, not measured', leftOut: timeline.leftOut ?? 0 };
  return `{"displayTimeUnit":"ns","otherData":${JSON.stringify(about)},"traceEvents":[\n${lines}\n]}\n`;
}

type Place = Pick<TraceEvent, 'pid' | 'tid'>;

function named(what: string, at: Place, name: string): TraceEvent {
  return { name: what, ph: 'M', ...at, args: { name } };
}

function eventsOf(span: TimelineSpan, at: Place): TraceEvent[] {
  const { kind, name, startNs, endNs, bytes, grid, block, ownNs, nested = [] } = span;
  const perSecond =
    bytes !== undefined && endNs > startNs && kind !== 'kernel' ? { 'GB/s': Number((bytes / (endNs - startNs)).toFixed(2)) } : {};
  const launches = nested.length > 0 ? { 'nested launches': launchesIn(nested), 'own us': ownNs! / 1000 } : {};
  const args = {
    ...(grid && { grid: grid.join(' x '), block: block!.join(' x ') }),
    ...(bytes !== undefined && { [kind === 'kernel' ? 'migrated bytes' : 'bytes']: bytes, ...perSecond }),
    ...launches,
  };
  const event: TraceEvent = { name, ph: 'X', ...at, ts: microseconds(startNs), dur: microseconds(endNs - startNs), cat: kind, args };
  return [event, ...below(nested, { startNs: startNs + (ownNs ?? 0), endNs }, at)];
}

/** Kernels that a kernel launched lie below it, side by side in the time behind its own, in proportion to what they took. */
function below(nested: readonly NestedLaunches[], { startNs, endNs }: { startNs: number; endNs: number }, at: Place): TraceEvent[] {
  const whole = nested.reduce((sum, each) => sum + totalNs(each), 0);
  let from = startNs;
  return nested.flatMap((each) => {
    const to = from + ((endNs - startNs) * totalNs(each)) / whole;
    const inner = { startNs: from + ((to - from) * each.totalNs) / totalNs(each), endNs: to };
    const args = { launches: each.launches, 'total us': each.totalNs / 1000, place: 'when in the parent is not modelled' };
    const event: TraceEvent = {
      ...{ name: `${each.name} x${each.launches.toLocaleString('en-US')}`, ph: 'X', ...at },
      ...{ ts: microseconds(from), dur: microseconds(to - from), cat: 'kernel', args },
    };
    from = to;
    return [event, ...below(each.nested ?? [], inner, at)];
  });
}

/** With three digits. */
function microseconds(ns: number): number {
  return Math.round(ns) / 1000;
}

/** With all that they launched. */
function totalNs({ totalNs: own, nested = [] }: NestedLaunches): number {
  return nested.reduce((sum, each) => sum + totalNs(each), own);
}

export function launchesIn(nested: readonly NestedLaunches[]): number {
  return nested.reduce((sum, each) => sum + each.launches + launchesIn(each.nested ?? []), 0);
}

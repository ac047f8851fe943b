/** What the kernels of a run would take on the device, as a table for a terminal of 100 columns, and how versions of one kernel compare. */
import { TIME_LIMITS } from '../counters/limits.ts';
import { deviceNamed } from '../devices/devices.ts';
import type { KernelReport, Report, TimeEstimate } from '../protocol/report.ts';
import type { NestedLaunches } from '../protocol/timeline.ts';
import { cutNames, rowName, shortName } from './summary.ts';
import type { Palette } from './terminal.ts';

const NAME_WIDTH = 40;
/** Up to this many times as long as the next limit; "1.0 times shorter" says nothing. */
const ABOUT_AS_LONG = 1.05;
/** A difference that is worth a sentence. */
const FASTER = 1.1;
/** Versions of one kernel read about the same: up to this many times as much. */
const SAME_WORK = 2;

interface KernelTime {
  readonly name: string;
  /** `int const*, int`. */
  readonly parameters: string;
  launches: number;
  ns: number;
  /** The launch that takes longest. */
  longest: TimeEstimate;
}

/** One row per kernel, in order of first launch: `time` of its launches together, `limit` of the longest, `share` of all kernels' time. */
export function timeTable(report: Report, palette: Palette): string {
  const times = timesOf(report.kernels);
  const total = times.reduce((sum, { ns }) => sum + ns, 0);
  if (total === 0) return '';
  const width = Math.min(NAME_WIDTH, Math.max(6, ...times.map((time) => title(time).length)));
  const row = (name: string, time: string, share: string, limit: string) =>
    `${name.padEnd(width)}  ${time.padStart(8)}  ${share.padStart(6)}  ${limit}`;
  const heading = row('kernel', 'time', 'share', `limit (time estimated for ${deviceName(report.device)}, with cold caches)`);
  const names = cutNames(times.map(title), width);
  const rows = times.map((time, index) => `${row(names[index], duration(time.ns), share(time.ns / total), limits(time.longest))}\n`);
  return `\n${palette.quiet(heading)}\n${rows.join('')}${comparisons(times, palette)}${nestedLaunches(report)}`;
}

/** What kernels launched is added up under those that the host launched: how many, how deep, and their time one after the other. */
function nestedLaunches({ kernels, nested = [] }: Report): string {
  return nested
    .map(({ kernel, launches, nested: below }) => {
      const sums = new Map<string, { launches: number; ns: number }>();
      const depth = addUp(below, sums);
      const parts = [...sums].map(
        ([name, { launches: count, ns }]) => `${shortName(name)} x${count.toLocaleString('en-US')}, ${duration(ns)}`,
      );
      const parent = `${shortName(kernel)}${launches > 1 ? ` x${launches}` : ''}`;
      const whole = kernels.reduce((sum, each) => sum + (each.kernel === kernel ? (each.estimate?.wholeNs ?? 0) : 0), 0);
      const all = whole > 0 ? `; ${duration(whole)} until all have ended` : '';
      return `${parent} launched, ${depth} deep: ${parts.join('; ')} (estimated with warm caches, added up)${all}\n`;
    })
    .join('');
}

/** By kernel; how deep. */
function addUp(nested: readonly NestedLaunches[], into: Map<string, { launches: number; ns: number }>): number {
  let depth = 0;
  for (const { name, launches, totalNs, nested: below = [] } of nested) {
    const sum = into.get(name) ?? { launches: 0, ns: 0 };
    into.set(name, { launches: sum.launches + launches, ns: sum.ns + totalNs });
    depth = Math.max(depth, 1 + addUp(below, into));
  }
  return depth;
}

/** Lines as one looks at. */
const MOST_LINES = 12;
/** Smaller shares would be shown as nothing. */
const LEAST_SHARE = 0.0005;
/** So would shorter times, which kernels of a few microseconds have. */
const LEAST_NS = 50;
const SHORT_SHARE = 0.02;

export interface LineTimeContext {
  readonly palette: Palette;
  /** What stands in a line. */
  textOf(line: string): string;
  /** By line, of a GPU's samples, where some were taken. */
  readonly measured?: ReadonlyMap<string, number>;
}

/** The lines in which kernels take longest, with their shares of the time of all kernels, and beside them of a GPU's samples. */
export function lineTimeTable({ kernels, lineTimes = {}, device }: Report, { palette, textOf, measured }: LineTimeContext): string {
  const total = kernels.reduce((sum, { estimate }) => sum + (estimate?.ns ?? 0), 0);
  const sums = new Map<string, number>();
  for (const table of Object.values(lineTimes)) for (const [line, ns] of Object.entries(table)) sums.set(line, (sums.get(line) ?? 0) + ns);
  // What compilers put at the end of a block takes what nobody could write otherwise.
  const isShown = ([line, ns]: [string, number]) =>
    ns >= LEAST_SHARE * total && (ns >= LEAST_NS || ns >= SHORT_SHARE * total) && !/^[\s{}]+$/.test(textOf(line));
  const shown = [...sums].filter(isShown);
  const longest = shown.sort(([, a], [, b]) => b - a).slice(0, MOST_LINES);
  if (longest.length === 0 || total === 0) return '';
  const width = Math.max(...longest.map(([line]) => line.length));
  const rows = longest.map(([line, ns]) => {
    const sampled = measured ? `  ${share(measured.get(line) ?? 0).padStart(8)}` : '';
    const text = textOf(line);
    const room = 100 - width - 22 - sampled.length;
    const cut = text.length > room ? `${text.slice(0, room - 1)}…` : text;
    return `${palette.cyan(line.padEnd(width))}  ${duration(ns).padStart(8)}  ${share(ns / total).padStart(6)}${sampled}  ${cut}\n`;
  });
  const also = measured ? "; then of a GPU's samples: measured" : '';
  const title = `lines that take longest (time estimated for ${deviceName(device)}, share of all kernels' time${also})`;
  return `\n${palette.quiet(title)}\n${rows.join('')}`;
}

function timesOf(kernels: readonly KernelReport[]): KernelTime[] {
  const times = new Map<string, KernelTime>();
  for (const { kernel, library, estimate } of kernels) {
    if (!estimate) continue;
    const key = library ?? kernel;
    const time = times.get(key) ?? {
      name: rowName({ kernel, library }),
      parameters: parametersOf(kernel),
      launches: 0,
      ns: 0,
      longest: estimate,
    };
    times.set(key, time);
    time.launches++;
    time.ns += estimate.ns;
    if (estimate.ns > time.longest.ns) time.longest = estimate;
  }
  return [...times.values()];
}

function title({ name, launches }: KernelTime): string {
  return launches > 1 ? `${name} x${launches}` : name;
}

/** `atomics (then DRAM, 272 times shorter)`. */
function limits({ limit, parts }: TimeEstimate): string {
  const next = parts.find((part) => part.limit !== limit);
  if (!next) return TIME_LIMITS[limit];
  const times = parts[0].ns / next.ns;
  const shorter = times < ABOUT_AS_LONG ? 'about as long' : `${times < 10 ? times.toFixed(1) : times.toFixed(0)} times shorter`;
  return `${TIME_LIMITS[limit]} (then ${TIME_LIMITS[next.limit]}, ${shorter})`;
}

/** Those of a demangled signature, without the result's type. */
function parametersOf(kernel: string): string {
  return kernel.slice(kernel.indexOf(shortName(kernel)) + shortName(kernel).length);
}

/** A sentence for each family of kernels whose names begin alike, which take the same parameters and read about the same. */
function comparisons(times: readonly KernelTime[], palette: Palette): string {
  const families = new Map<string, KernelTime[]>();
  for (const time of times) {
    const family = `${time.name.split(/(?=[A-Z])|_|<|\d/)[0]}${time.parameters}`;
    families.set(family, [...(families.get(family) ?? []), time]);
  }
  return [...families.values()]
    .map((family) => comparison(family))
    .filter((text) => text !== '')
    .map((text) => `${palette.bold(text)}\n`)
    .join('');
}

function comparison(family: readonly KernelTime[]): string {
  const slowest = family.reduce((a, b) => (b.longest.ns > a.longest.ns ? b : a));
  const alike = family.filter(({ longest }) => {
    const [a, b] = [longest.dramReadBytes, slowest.longest.dramReadBytes];
    return Math.max(a, b) <= SAME_WORK * Math.min(a, b);
  });
  const fastest = alike.reduce((a, b) => (b.longest.ns < a.longest.ns ? b : a), slowest);
  const ratio = slowest.longest.ns / fastest.longest.ns;
  if (ratio < FASTER) return '';
  const [before, after] = [slowest, fastest].map(({ longest }) => TIME_LIMITS[longest.limit]);
  const limit = before === after ? before : `${before} → ${after}`;
  return `estimated: ${fastest.name} ${ratio < 10 ? ratio.toFixed(1) : ratio.toFixed(0)} times faster than ${slowest.name}; limit: ${limit}`;
}

function deviceName(id: string): string {
  return deviceNamed(id)?.name.replace(/^NVIDIA /, '') ?? id;
}

function duration(ns: number): string {
  if (ns < 1e4) return `${(ns / 1e3).toFixed(1)} µs`;
  if (ns < 1e6) return `${(ns / 1e3).toFixed(0)} µs`;
  return ns < 1e9 ? `${(ns / 1e6).toPrecision(3)} ms` : `${(ns / 1e9).toPrecision(3)} s`;
}

function share(part: number): string {
  return part >= 0.1 ? `${(100 * part).toFixed(0)} %` : `${(100 * part).toFixed(1)} %`;
}

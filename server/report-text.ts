/** A report as text: for the lens over a kernel, for the end of a costly line, and for the end of the output. */

import { codeSpan } from '../analyzers/printable.ts';
import { addLine, LINE_COUNTERS, type LineCounter, type LineCounters, noCounts, WASTES } from '../counters/counters.ts';
import { timeChange } from '../counters/differences.ts';
import { duration } from '../counters/durations.ts';
import { FEW_LANES, figure, PHRASE_FIGURES, type PhraseFigure, sumOfMetrics } from '../counters/figures.ts';
import { nameOfFile } from '../counters/file-names.ts';
import { grouped } from '../counters/grouped.ts';
import { unqualifiedName } from '../counters/kernel-names.ts';
import { percent } from '../counters/percent.ts';
import { l10n, spoken } from '../counters/spoken.ts';
import { SM_90 } from '../devices/prices.ts';
import type { FaultReport, KernelReport, Report, SanitizerFinding } from '../protocol/report.ts';
import type { KernelSummary, LineAnnotation } from '../protocol/run.ts';
import { alike } from './alike-findings.ts';
import { saidOfRuns } from './run-texts.ts';

/** Lines below these shares of what the program's lines in the file cost stay unmarked, and so do all but the costliest. */
const leastShare = 0.05;
const leastWastefulShare = 0.01;
const mostLines = 12;

/** Smaller ratios to the ideal are noise at the edges of an array, not a pattern. */
const wasteRatio = 1.25;
/** Of the instructions: fewer branches that diverge are none of a pattern. */
const leastDivergence = 0.001;
/** From this share of active lanes on, idle lanes are not worth a mention. */
const nearlyAllLanes = 0.9;

type LineTable = Readonly<Record<string, LineCounters>>;

/** `before`: launches of the run before, whose difference is told. */
export function summarise(
  report: Pick<Report, 'kernels' | 'lines' | 'faults' | 'findings'>,
  before: readonly KernelReport[] = [],
): KernelSummary[] {
  const launchedBefore = groupBy(before, ({ kernel }) => unqualifiedName(kernel));
  const launches = groupBy(report.kernels, ({ kernel }) => unqualifiedName(kernel));
  return [...launches].map(([name, kernels]) => {
    const signatures = new Set(kernels.map(({ kernel }) => kernel));
    const fault = report.faults.find(({ kernel }) => kernel !== undefined && signatures.has(kernel));
    const lines = [...signatures].flatMap((kernel) => Object.values(report.lines[kernel] ?? {}));
    // What was counted before a fault is no ground for praise.
    const verdict = fault ? [faultVerdict(fault)] : costText(total(lines));
    const found = (report.findings ?? []).filter(({ kernel }) => kernel !== undefined && signatures.has(kernel));
    const change = fault ? [] : changeText(launchedBefore.get(name) ?? [], kernels);
    // What has changed says more than praise, and a lens has one line, of which a narrow window shows the beginning.
    const said = change.length > 0 && !fault ? wasteText(total(lines)) : verdict;
    return { name, launches: kernels.length, text: [...foundText(found), ...change, launchText(kernels), ...said].join(' · ') };
  });
}

/** What a kernel's launches did otherwise than those of the run before: figures that differ by a tenth and more. */
function changeText(before: readonly KernelReport[], now: readonly KernelReport[]): string[] {
  if (before.length === 0) return [];
  const [then, today] = [sumOfMetrics(before), sumOfMetrics(now)];
  const figures = PHRASE_FIGURES.flatMap((one) => {
    const [was, is] = [figure(one, then)?.value ?? 0, figure(one, today)?.value ?? 0];
    const isChanged = Math.abs(is - was) > 0.1 * Math.max(is, was);
    return one.as !== 'count' && isChanged ? [spoken(one.phrase).replace('*', `${figureText(one, was)} → ${figureText(one, is)}`)] : [];
  });
  return [...figures, ...timeChange(before, now)];
}

/** What the sanitizer found, before all that was counted. */
function foundText(findings: readonly SanitizerFinding[]): string[] {
  if (findings.length === 0) return [];
  const [{ check, places }] = findings;
  const line = places.find((place) => place.line !== undefined)?.line;
  const what = saidOfRuns(check.replaceAll('-', ' '));
  const first = line === undefined ? what : l10n.t('{0} at line {1}', what, line);
  return [findings.length > 1 ? l10n.t('{0} and {1} more', first, findings.length - 1) : first];
}

function faultVerdict({ kind, line }: FaultReport): string {
  const what = saidOfRuns(kind.replaceAll('-', ' '));
  return line === undefined ? l10n.t('faulted: {0}', what) : l10n.t('faulted at line {0}: {1}', line, what);
}

/** What was counted of a line, from 0, in the run before; undefined where it is new. */
export type CountedBefore = (line: number) => LineCounters | undefined;

/**
 * Annotations of the lines of the file at `path` that were counted, in order of line. Lines of `source` that only close a block get none.
 * What is remarkable about a line is told with what it was before.
 */
export function annotate(
  report: Pick<Report, 'lines' | 'lineTimes'> & Partial<Pick<Report, 'kernels'>>,
  path: string,
  { source = [], before = () => undefined }: { readonly source?: readonly string[]; readonly before?: CountedBefore } = {},
): LineAnnotation[] {
  const { lines: counters, timed: timedKernels } = linesOf(report, path);
  const all = [...counters.values()];
  const [costHere, instHere] = [all.reduce((sum, line) => sum + cost(line.sum), 0), all.reduce((sum, line) => sum + line.sum.inst, 0)];
  // What is said is of the kernels that have lines in the file, wherever their other lines are: what files say of one kernel adds up.
  const kernelsHere = new Set(all.flatMap(({ kernels }) => kernels.map(([kernel]) => kernel)));
  const everywhere = total([...kernelsHere].flatMap((kernel) => Object.values((report.lines as Record<string, LineTable>)[kernel])));
  const totalCost = cost(everywhere);
  const totalInst = everywhere.inst;
  const totalTime = all.reduce((total, { nanoseconds = 0 }) => total + nanoseconds, 0);
  const counted = ({ sum }: CountedIn) => Math.max(cost(sum) / costHere, sum.inst / instHere);
  const timed = ({ nanoseconds = 0 }: CountedIn) => (totalTime === 0 ? 0 : nanoseconds / totalTime);
  const launches = report.kernels?.filter(({ kernel }) => timedKernels.has(kernel)) ?? [];
  // Of a short kernel most goes to its start: its lines take little of what it takes.
  const whole = Math.max(
    totalTime,
    launches.reduce((sum, { estimate }) => sum + (estimate?.ns ?? 0), 0),
  );
  const timeShare = ({ nanoseconds = 0 }: CountedIn) => (whole === 0 ? 0 : nanoseconds / whole);
  const share = (line: CountedIn) => Math.max(counted(line), timed(line));
  const shown = [...counters].filter(([line]) => !/^[\s{}]+$/.test(source[line] ?? ''));
  const costly = new Set(
    shown
      .filter(([at, line]) => share(line) > (wasteText(line.sum, before(at)).length > 0 ? leastWastefulShare : leastShare))
      .sort(([, a], [, b]) => share(b) - share(a))
      .slice(0, mostLines)
      .map(([line]) => line),
  );
  return shown
    .sort(([a], [b]) => a - b)
    .map(([line, of]) => {
      const { sum, kernels, nanoseconds } = of;
      const waste = wasteText(sum);
      const work =
        waste.length === 0 || sum.inst > leastWastefulShare * instHere
          ? [l10n.t('{0} of instructions', percent(sum.inst / totalInst))]
          : [];
      // Where it says more than what was counted.
      const long =
        timeShare(of) > leastShare && timeShare(of) > 2 * Math.max(cost(sum) / totalCost, sum.inst / totalInst)
          ? [l10n.t('{0} of the time (estimated)', percent(timeShare(of)))]
          : [];
      return {
        line,
        text: [...wasteText(sum, before(line)), ...long, ...work].join(' · '),
        ...(waste.length > 0 && { waste: waste.join(' · ') }),
        details: [detailsTable(kernels), ...timeText(nanoseconds)].join('\n\n'),
        wasteful: waste.length > 0,
        costly: costly.has(line),
        share: cost(sum) / totalCost,
        instructionShare: sum.inst / totalInst,
        ...(nanoseconds !== undefined && { nanoseconds, timeShare: timeShare(of) }),
        counters: sum,
      };
    });
}

/** For the end of the output: two lines per kernel and launch configuration, in order of first launch; then the faults. */
export function reportTable(report: Pick<Report, 'kernels' | 'lines' | 'faults' | 'findings' | 'interpreted' | 'notes'>): string {
  const groups = groupBy(report.kernels, ({ kernel, grid, block }) => `${kernel}|${grid}|${block}`);
  const kernels = [...groups.values()].flatMap((launches) => {
    const [{ kernel, grid, block }] = launches;
    const times = launches.length > 1 ? `  ${l10n.t('{0} launches', grouped(launches.length))}` : '';
    return [`${kernel}  <<<${shape(grid)}, ${shape(block)}>>>${times}`, `    ${counterText(launches)}`];
  });
  const interpreted = Object.entries(report.interpreted ?? {}).map(([kernel, why]) =>
    l10n.t('{0} was interpreted, which is much slower than compiled code: {1}', unqualifiedName(kernel), why),
  );
  const repeated = report.kernels.filter(({ repeats }) => repeats).length;
  const all = grouped(report.kernels.length);
  const counted =
    repeated === 0 ? [] : [l10n.t('{0} of {1} launches repeat an earlier one: counted, not executed', grouped(repeated), all)];
  const ends = [
    ...counted,
    ...report.faults.map(faultText),
    ...alike(report.findings ?? []).map(findingText),
    ...(report.notes ?? []).map(saidOfRuns),
  ];
  return [...(kernels.length > 0 ? kernels : [l10n.t('No kernel was launched.')]), ...interpreted, ...ends].join('\n');
}

export function faultText(fault: FaultReport): string {
  const place = fault.file ? `${fault.file}:${fault.line ?? '?'}: ` : '';
  const origin = faultOrigin(fault);
  return `${place}${saidOfRuns(fault.message)}${origin && ` [${saidOfRuns(origin)}]`}`;
}

/** `others`: the same in other kernels. */
export function findingText([{ check, message, places, kernel }, ...others]: readonly [SanitizerFinding, ...SanitizerFinding[]]): string {
  const [first] = places;
  const place = first?.file ? `${first.file}:${first.line ?? '?'}: ` : '';
  const text = `${place}${saidOfRuns(`${check}: ${message}`)}`;
  const kernels = new Set([kernel, ...others.map((other) => other.kernel)]).size;
  return kernels > 1 ? l10n.t('{0} (in {1} kernels)', text, kernels) : text;
}

export function faultOrigin({ kernel, block, thread }: FaultReport): string {
  const parts = [kernel && `kernel ${kernel}`, block && `block (${block.join(', ')})`, thread && `thread (${thread.join(', ')})`];
  return parts.filter(Boolean).join(', ');
}

function launchText(launches: readonly KernelReport[]): string {
  const shapes = new Set(launches.map(({ grid, block }) => `${shape(grid)} × ${shape(block)}`));
  const count = launches.length === 1 ? l10n.t('1 launch') : l10n.t('{0} launches', grouped(launches.length));
  return shapes.size === 1 ? l10n.t('{0} of {1} threads', count, [...shapes][0]) : count;
}

function costText(sum: LineCounters): string[] {
  const waste = wasteText(sum);
  if (waste.length > 0) return waste;
  if (sum.inst === 0) return [];
  const active = sum.threadInst / (32 * sum.inst);
  const lanes = active < nearlyAllLanes ? l10n.t('{0} of lanes active', percent(active)) : l10n.t('little divergence');
  const atomics =
    sum.atomicRequests > 0 ? [sum.atomicRequests === 1 ? l10n.t('1 atomic') : l10n.t('{0} atomics', grouped(sum.atomicRequests))] : [];
  return [[...(sum.globalSectors > 0 ? [l10n.t('coalesced')] : []), lanes, ...atomics].join(', ')];
}

/** `before`: what was wasted then is told, too, where it is another number: `8.0 → 1.0× ideal sectors`. */
function wasteText(line: LineCounters, before?: LineCounters): string[] {
  const texts = WASTES.flatMap(({ line: actual, ideal, waste }) => {
    const least = Math.max(wasteRatio, waste.tolerance);
    const text = remarkable(ratioOf(line, actual, ideal), ratioOf(before, actual, ideal), {
      isWaste: (ratio) => ratio > least,
      text: (ratio) => ratio.toFixed(1),
    });
    return text === undefined ? [] : [spoken(waste.ratio).replace('*', text)];
  });
  const lanes = remarkable(ratioOf(line, 'threadInst', 'inst'), ratioOf(before, 'threadInst', 'inst'), {
    isWaste: (active) => active < FEW_LANES,
    text: (active) => percent(active / 32),
  });
  if (lanes !== undefined) texts.push(l10n.t('{0} of lanes active', lanes));
  else if (line.divergentBranches > leastDivergence * line.inst) texts.push(divergenceText(line));
  return texts;
}

function ratioOf(line: LineCounters | undefined, actual: LineCounter, ideal: LineCounter): number {
  return line ? line[actual] / line[ideal] : Number.NaN;
}

/** Smaller changes are those of other data. */
const leastChange = 0.1;

/** A number that is waste, or was; nothing where it is unremarkable. */
function remarkable(
  is: number,
  was: number,
  { isWaste, text }: { readonly isWaste: (value: number) => boolean; readonly text: (value: number) => string },
): string | undefined {
  const isOther = Math.abs(was - is) > leastChange * Math.max(was, is) && text(was) !== text(is);
  if (isOther && (isWaste(is) || isWaste(was))) return `${text(was)} → ${text(is)}`;
  return isWaste(is) ? text(is) : undefined;
}

/** A line without a branch of its own says where its branches are. */
function divergenceText({ divergentBranches, slowPathBranches }: LineCounters): string {
  if (divergentBranches > slowPathBranches)
    return divergentBranches === 1 ? l10n.t('1 divergent branch') : l10n.t('{0} divergent branches', grouped(divergentBranches));
  return divergentBranches === 1
    ? l10n.t('1 divergent branch in a slow path')
    : l10n.t('{0} divergent branches in slow paths', grouped(divergentBranches));
}

/**
 * Cycles that a line keeps a multiprocessor's pipes busy, roughly: a further turn of an atomic as much as a sector. Only for ranking.
 */
export function cost(line: LineCounters): number {
  const { warpInstruction, sharedWavefront, globalSector } = SM_90.busyCycles;
  const sectors = line.globalSectors + line.atomicTurns - line.atomicRequests;
  return warpInstruction * line.inst + sharedWavefront * line.sharedWavefronts + globalSector * sectors;
}

function timeText(nanoseconds: number | undefined): string[] {
  return nanoseconds === undefined ? [] : [l10n.t('{0} of the time of kernels (estimated)', duration(nanoseconds))];
}

function detailsTable(kernels: readonly (readonly [kernel: string, LineCounters])[]): string {
  return kernels
    .map(([kernel, line]) => {
      const rows = LINE_COUNTERS.filter((counter) => !counter.isIdeal && line[counter.line] > 0).map((counter) => {
        const ideal = counter.ideal === undefined ? '' : grouped((counter.idealTimes ?? 1) * line[counter.ideal]);
        return `| ${spoken(counter.words)} | ${grouped(line[counter.line])} | ${ideal} |`;
      });
      const head = `| ${l10n.t('simulated')} | ${l10n.t('count')} | ${l10n.t('ideal')} |`;
      return [codeSpan(kernel), '', head, '|:--|--:|--:|', ...rows].join('\n');
    })
    .join('\n\n');
}

function counterText(launches: readonly KernelReport[]): string {
  const sums = sumOfMetrics(launches);
  const figures = PHRASE_FIGURES.flatMap((one) => {
    const value = figure(one, sums)?.value ?? 0;
    return value === 0 ? [] : [spoken(one.phrase).replace('*', figureText(one, value))];
  });
  const nanoseconds = launches.reduce((sum, { estimate }) => sum + (estimate?.ns ?? Number.NaN), 0);
  return [...(nanoseconds > 0 ? [l10n.t('{0} (estimated)', duration(nanoseconds))] : []), ...figures].join(' · ');
}

function figureText({ as, whole = 1 }: PhraseFigure, value: number): string {
  return as === 'count' ? grouped(value) : as === 'share' ? percent(value / whole) : value.toFixed(1);
}

interface CountedIn {
  readonly sum: LineCounters;
  readonly kernels: readonly (readonly [kernel: string, LineCounters])[];
  readonly nanoseconds?: number;
}

/** `timed`: the kernels that have a time in the file. */
function linesOf(report: Pick<Report, 'lines' | 'lineTimes'>, path: string): { lines: Map<number, CountedIn>; timed: Set<string> } {
  const places = Object.values(report.lines).flatMap((table) => Object.keys(table));
  const file = nameOfFile(path, new Set(places.map((place) => place.slice(0, place.lastIndexOf(':')))));
  const found = new Map<number, [string, LineCounters][]>();
  const times = new Map<number, number>();
  const lineIn = (place: string) => {
    const colon = place.lastIndexOf(':');
    return place.slice(0, colon) === file ? Number(place.slice(colon + 1)) - 1 : undefined;
  };
  for (const [kernel, table] of Object.entries(report.lines as Record<string, LineTable>)) {
    for (const [place, counters] of Object.entries(table)) {
      const line = lineIn(place);
      if (line !== undefined) found.set(line, [...(found.get(line) ?? []), [kernel, counters]]);
    }
  }
  const timed = new Set<string>();
  for (const [kernel, table] of Object.entries(report.lineTimes ?? {})) {
    for (const [place, ns] of Object.entries(table)) {
      const line = lineIn(place);
      if (line === undefined) continue;
      times.set(line, (times.get(line) ?? 0) + ns);
      timed.add(kernel);
    }
  }
  const lines = new Map(
    [...found].map(([line, kernels]) => {
      const nanoseconds = times.get(line);
      return [line, { kernels, sum: total(kernels.map(([, counters]) => counters)), ...(nanoseconds !== undefined && { nanoseconds }) }];
    }),
  );
  return { lines, timed };
}

function total(lines: readonly LineCounters[]): LineCounters {
  const sum = noCounts();
  for (const line of lines) addLine(sum, line);
  return sum;
}

export function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const found = groups.get(key(item));
    if (found) found.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}

function shape(dimensions: readonly number[]): string {
  const [x, y, z] = dimensions;
  return z > 1 ? `${x}×${y}×${z}` : y > 1 ? `${x}×${y}` : `${x}`;
}

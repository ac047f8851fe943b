/** A run as the report page shows it: kernels by what they cost, lines beside what was predicted of them, and what costs most in words. */

import { addLine, LINE_COUNTERS, type LineCounters, noCounts } from '../counters/counters.ts';
import { duration } from '../counters/durations.ts';
import { COLUMN_FIGURES, figure, PHRASE_FIGURES } from '../counters/figures.ts';
import { plainName, unqualifiedName } from '../counters/kernel-names.ts';
import { TIME_LIMITS, type TimeLimit } from '../counters/limits.ts';
import { percent } from '../counters/percent.ts';
import { l10n, spoken } from '../counters/spoken.ts';
import { deviceNamed } from '../devices/devices.ts';
import { occupancyLimits, residentBlocks } from '../devices/occupancy.ts';
import type { Finding } from '../protocol/finding.ts';
import type { KernelReport, SanitizerFinding, TimeEstimate } from '../protocol/report.ts';
import type {
  EarlierRun,
  FigureView,
  FileView,
  Headline,
  KernelView,
  LaunchView,
  LineView,
  PredictedView,
  ReportView,
} from '../protocol/report-view.ts';
import type { CountedRun, LineAnnotation } from '../protocol/run.ts';
import { atomicsPicture } from '../simulator/timeline/atomics-picture.ts';
import { blocksPicture } from '../simulator/timeline/blocks-picture.ts';
import { memoryPicture } from '../simulator/timeline/memory-chart.ts';
import { rooflinePicture } from '../simulator/timeline/roofline.ts';
import { bothWidths } from '../simulator/timeline/svg.ts';
import { alike } from './alike-findings.ts';
import { cost, faultText, findingText, groupBy } from './report-text.ts';
import { saidOfRuns } from './run-texts.ts';

/** A file of the program, as it ran. */
export interface RanSource {
  readonly path: string;
  readonly lines: readonly string[];
  readonly annotations: readonly LineAnnotation[];
  /** What the text says, if it is open. */
  readonly findings: readonly PredictedFinding[];
}

export interface PredictedFinding extends Pick<Finding, 'rule' | 'severity' | 'message' | 'range'> {
  readonly fix?: string;
  readonly picture?: PredictedView['picture'];
}

export interface ViewedRun {
  readonly counted: CountedRun;
  readonly stale: boolean;
  readonly sources: readonly RanSource[];
  /** The newest first. */
  readonly earlier: readonly CountedRun[];
}

export function reportView({ counted, stale, sources, earlier }: ViewedRun): ReportView {
  const { report } = counted;
  const files = sources.filter(({ annotations }) => annotations.length > 0).map(fileView);
  const kernels = kernelViews(counted);
  return {
    program: report.program,
    device: deviceNamed(report.device)?.name ?? report.device,
    args: report.args,
    exit: report.exit,
    headline: headlineOf(counted, files, kernels),
    stale,
    kernels,
    files,
    faults: [
      ...report.faults.map((fault) => ({ text: faultText(fault), ...placeIn(files, fault.file, fault.line) })),
      ...alike(report.findings ?? []).map((found) => ({ text: findingText(found), ...placeOf(files, found[0]) })),
    ],
    notes: (report.notes ?? []).map(saidOfRuns),
    roofline: bothWidths((width) => rooflinePicture(report, { width })),
    timeline: counted.timeline,
    buffers: report.buffers ?? [],
    expectations: counted.expectations ?? [],
    orders: counted.orders,
    earlier: earlier.map((run, index): EarlierRun => earlierRun(run, earlier.length - index, report.device)),
    report,
  };
}

/** Its device is named where the newest run has another one. */
function earlierRun(counted: CountedRun, number: number, newest: string): EarlierRun {
  const { args, device } = counted.report;
  const run = device === newest ? l10n.t('run {0}', number) : l10n.t('run {0} on {1}', number, device);
  const name = args.length === 0 ? run : l10n.t('{0}, arguments {1}', run, args.join(' '));
  return { name, device, kernels: kernelViews(counted).map(({ kernel, metrics, figures }) => ({ kernel, metrics, figures })) };
}

function kernelViews({ report }: CountedRun): KernelView[] {
  const costs = new Map(Object.entries(report.lines).map(([kernel, lines]) => [kernel, cost(total(Object.values(lines)))]));
  const all = [...costs.values()].reduce((sum, each) => sum + each, 0);
  const kernels = [...groupBy(report.kernels, ({ kernel }) => kernel)]
    .map(([kernel, launches]): KernelView => {
      const sums = sumsOf(launches);
      return {
        kernel,
        share: all === 0 ? 0 : (costs.get(kernel) ?? 0) / all,
        launches: launchViews(launches, report.device),
        time: timeOf(launches),
        memory: bothWidths((width) => memoryPicture(launches, width)),
        blocks: blocksOf(launches, report.device),
        contention: bothWidths((width) => atomicsPicture(report.lines[kernel] ?? {}, width)),
        metrics: Object.fromEntries(Object.entries(sums).filter(([, value]) => value !== 0)),
        figures: figuresOf(sums),
        timing: launches.find(({ timing }) => timing)?.timing,
      };
    })
    .sort((a, b) => b.share - a.share);
  if (!kernels.every(({ time }) => time)) return kernels;
  const taken = kernels.reduce((sum, { time }) => sum + time!.nanoseconds, 0);
  return kernels
    .map((kernel) => ({ ...kernel, time: { ...kernel.time!, share: kernel.time!.nanoseconds / taken } }))
    .sort((a, b) => b.time.nanoseconds - a.time.nanoseconds);
}

/** A launch whose time has been estimated. */
interface Estimated {
  readonly estimate?: { readonly ns: number; readonly parts: readonly { readonly limit: TimeLimit; readonly ns: number }[] };
}

/** The sum over launches; undefined where one has no estimate. */
function timeOf(launches: readonly (KernelReport & Estimated)[]): KernelView['time'] {
  const parts = new Map<TimeLimit, number>();
  let nanoseconds = 0;
  for (const { estimate } of launches) {
    if (!estimate) return undefined;
    nanoseconds += estimate.ns;
    for (const { limit, ns } of estimate.parts) parts.set(limit, (parts.get(limit) ?? 0) + ns);
  }
  const longest = [...parts].sort(([, a], [, b]) => b - a).map(([limit, ns]) => [spoken(TIME_LIMITS[limit]), ns] as const);
  return { nanoseconds, limit: longest[0]?.[0] ?? '', parts: longest };
}

/** Metrics of a launch's shape are alike for all launches of a shape: their sum would say nothing. */
const NO_SUM = /occupancy_limit|shared_mem_per_block/;

function sumsOf(launches: readonly KernelReport[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { metrics } of launches) {
    for (const [name, value] of Object.entries(metrics)) {
      if (typeof value === 'number') sums[name] = NO_SUM.test(name) ? value : (sums[name] ?? 0) + value;
    }
  }
  return sums;
}

function figuresOf(sums: Readonly<Record<string, number>>): FigureView[] {
  const columns = COLUMN_FIGURES.filter(({ title }) => title === 'sectors/req').map((one) => ({
    ...one,
    words: 'sectors per request',
    phrase: '* sectors per request',
    whole: 1,
  }));
  const phrases = PHRASE_FIGURES.map((one) => ({ ...one, whole: one.whole ?? 1 }));
  return [...columns, ...phrases].flatMap((one) => {
    const found = figure(one, sums);
    if (!found || found.value === 0) return [];
    const ideal = found.ideal > 0 && found.ideal < found.value ? { ideal: found.ideal } : {};
    return [{ words: spoken(one.words), phrase: spoken(one.phrase), value: found.value / one.whole, as: one.as, ...ideal }];
  });
}

function launchViews(launches: readonly KernelReport[], deviceId: string): LaunchView[] {
  const groups = groupBy(launches, ({ grid, block }) => `${grid}|${block}`);
  return [...groups.values()].map((group) => {
    const [{ grid, block }] = group;
    return { count: group.length, grid, block, ...occupancyOf(group[0], deviceId) };
  });
}

function blocksOf(launches: readonly KernelReport[], deviceId: string): KernelView['blocks'] {
  const device = deviceNamed(deviceId);
  return device && bothWidths((width) => blocksPicture(launches, device.multiprocessors, width));
}

/** With registers where they are estimated: what the time is estimated with. */
function occupancyOf({ block, metrics, estimate }: KernelReport, deviceId: string): Occupancy {
  const device = deviceNamed(deviceId);
  if (!device) return {};
  const most = device.maxThreadsPerMultiprocessor / device.warpSize;
  if (estimate) {
    const { registers, residentBlocks: blocks, residentWarps, residentLimit } = estimate;
    return { residentBlocks: blocks, limit: limitWords(residentLimit), warps: [residentWarps, most], registers };
  }
  const threads = block[0] * block[1] * block[2];
  const sharedBytes = (metrics.launch__shared_mem_per_block_static ?? 0) + (metrics.launch__shared_mem_per_block_dynamic ?? 0);
  const limits = occupancyLimits(device, { threads, sharedBytes });
  const resident = residentBlocks(limits);
  const limit = limits.sharedMemory === resident && sharedBytes > 0 && limits.sharedMemory < Math.min(limits.warps, limits.blocks);
  return {
    residentBlocks: resident,
    limit: limitWords(limit ? 'shared memory' : limits.warps <= limits.blocks ? 'warps' : 'blocks'),
    warps: [resident * Math.ceil(threads / device.warpSize), most],
  };
}

type Occupancy = Pick<LaunchView, 'residentBlocks' | 'limit' | 'warps' | 'registers'>;

function limitWords(limit: TimeEstimate['residentLimit']): string {
  switch (limit) {
    case 'shared memory':
      return l10n.t('shared memory');
    case 'warps':
      return l10n.t('the number of warps');
    case 'blocks':
      return l10n.t('the number of blocks');
    case 'registers':
      return l10n.t('registers');
  }
}

function fileView({ path, lines, annotations, findings }: RanSource): FileView {
  return {
    name: path.split(/[\\/]/).at(-1)!,
    path,
    lines,
    counted: annotations.map(lineView),
    predicted: findings.map(({ rule, severity, message, range, fix, picture }) => ({
      line: range.start.line + 1,
      rule,
      severity,
      message,
      ...(fix !== undefined && { fix }),
      ...(picture && { picture }),
    })),
  };
}

function lineView({ line, share, text, waste, wasteful, counters, nanoseconds, timeShare }: LineAnnotation): LineView {
  const shown = LINE_COUNTERS.filter((counter) => !counter.isIdeal && counters[counter.line] > 0);
  return {
    line: line + 1,
    share,
    text,
    ...(waste !== undefined && { waste }),
    wasteful,
    counters: shown.map(({ words, line: name, ideal, idealTimes = 1 }) =>
      ideal === undefined ? [spoken(words), counters[name]] : [spoken(words), counters[name], idealTimes * counters[ideal]],
    ),
    ...(nanoseconds !== undefined && { nanoseconds, timeShare }),
  };
}

/** Of what its kernel costs: what is wasted in less is not worth a look first. */
const LEAST_SHARE = 0.05;

/** The fault that ended the program, or what the sanitizer found; else the kernel that costs most, and its line that costs most of those that waste, with what was predicted of it. */
function headlineOf({ report, trouble }: CountedRun, files: readonly FileView[], kernels: readonly KernelView[]): Headline {
  const [fault] = report.faults;
  if (fault)
    return { text: l10n.t('The program faulted: {0}. Counters end there.', faultText(fault)), ...placeIn(files, fault.file, fault.line) };
  // Who gets wrong results does not ask how fast.
  const [finding] = report.findings ?? [];
  if (finding) return { text: trouble?.text ?? findingText([finding]), ...placeOf(files, finding) };
  const [kernel] = kernels;
  if (!kernel) return { text: l10n.t('No kernel was launched.') };
  const first = costliest(kernels);
  const lines = linesOf(kernel, report, files);
  const wasteful = lines.find(({ line, share }) => line.wasteful && share >= LEAST_SHARE);
  if (!wasteful) return nothingWasted(first, lines[0]);
  const { file, line, share, isTime } = wasteful;
  const [predicted] = file.predicted.filter((each) => each.line === line.line);
  const fix =
    predicted && (predicted.fix === undefined ? `${predicted.message}.` : l10n.t('{0}. Quick fix: {1}.', predicted.message, predicted.fix));
  const place = `${file.name}:${line.line}`;
  const text = isTime
    ? l10n.t('{0}. Look at {1}, {2} of its time: {3}.', first, place, percent(share), line.waste ?? line.text)
    : l10n.t('{0}. Look at {1}, {2} of its cost: {3}.', first, place, percent(share), line.waste ?? line.text);
  return { text, ...(fix !== undefined && { fix }), place: { path: file.path, line: line.line } };
}

interface LineOf {
  readonly file: FileView;
  readonly line: LineView;
  /** Of what the kernel costs: of its estimated time, where there is one. */
  readonly share: number;
  readonly isTime: boolean;
}

/** The kernel's own, the costliest first. What is remarkable about a line is said of all kernels that have it. */
function linesOf({ kernel, time }: KernelView, { lines, lineTimes }: CountedRun['report'], files: readonly FileView[]): LineOf[] {
  const counted = Object.entries(lines[kernel] ?? {});
  const times = lineTimes?.[kernel];
  const isTime = time !== undefined && time.nanoseconds > 0 && times !== undefined;
  const all = counted.reduce((sum, [, line]) => sum + cost(line), 0);
  const found = counted.flatMap(([key, counters]) => {
    const colon = key.lastIndexOf(':');
    const place = placeIn(files, key.slice(0, colon), Number(key.slice(colon + 1))).place;
    const file = place && files.find(({ path }) => path === place.path);
    const line = file?.counted.find((each) => each.line === place?.line);
    const share = isTime ? (times[key] ?? 0) / time.nanoseconds : all === 0 ? 0 : cost(counters) / all;
    return file && line ? [{ file, line, share, isTime }] : [];
  });
  return found.sort((a, b) => b.share - a.share);
}

/** The line that costs most all the same: that is where time goes. */
function nothingWasted(first: string, most: LineOf | undefined): Headline {
  if (!most) return { text: l10n.t('{0}. No line of it has divergence, bank conflicts or excess sectors worth a mention.', first) };
  const { file, line, share, isTime } = most;
  const [place, part] = [`${file.name}:${line.line}`, percent(share)];
  const text = isTime
    ? l10n.t(
        '{0}. Its costliest line is {1}, {2} of its time. No line of it has divergence, bank conflicts or excess sectors worth a mention.',
        first,
        place,
        part,
      )
    : l10n.t(
        '{0}. Its costliest line is {1}, {2} of its cost. No line of it has divergence, bank conflicts or excess sectors worth a mention.',
        first,
        place,
        part,
      );
  return { text, place: { path: file.path, line: line.line } };
}

/** The kernel that stands first, and its part where there are several. */
function costliest([{ kernel, share, time }, ...others]: readonly KernelView[]): string {
  const plain = unqualifiedName(kernel);
  // Instantiations of one template are told apart by their arguments.
  const name = others.some((other) => unqualifiedName(other.kernel) === plain) ? plainName(kernel) : plain;
  if (time?.share === undefined)
    return others.length === 0
      ? l10n.t('{0} costs most', name)
      : l10n.t("{0} costs most ({1} of the program's cost)", name, percent(share));
  return others.length === 0
    ? l10n.t('{0} takes {1}, limited by {2} (estimated)', name, duration(time.nanoseconds), time.limit)
    : l10n.t('{0} takes longest ({1} of the estimated time of kernels), limited by {2}', name, percent(time.share), time.limit);
}

/** The first one that has a line. */
function placeOf(files: readonly FileView[], { places }: SanitizerFinding) {
  const first = places.find(({ line }) => line !== undefined);
  return placeIn(files, first?.file, first?.line);
}

function placeIn(files: readonly FileView[], name: string | undefined, line: number | undefined) {
  const file = files.find(({ path }) => name !== undefined && `/${path}`.endsWith(`/${name}`));
  return file && line !== undefined ? { place: { path: file.path, line } } : {};
}

function total(lines: readonly LineCounters[]): LineCounters {
  const sum = noCounts();
  for (const line of lines) addLine(sum, line);
  return sum;
}

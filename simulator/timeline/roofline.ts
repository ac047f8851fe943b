/**
 * A roofline: how much each kernel of a report computes for every byte that DRAM moves for it, and how fast, beside what the device could do.
 * Both axes are logarithmic. Where a program computes little with floating-point numbers, warp instructions stand in their place.
 */
import { plainName } from '../../counters/kernel-names.ts';
import { TIME_LIMITS } from '../../counters/limits.ts';
import { l10n, spoken } from '../../counters/spoken.ts';
import type { DevicePeaks, KernelReport, Report, TimeEstimate } from '../../protocol/report.ts';
import { coordinate, escaped, type Picture, picture, WIDE, wrapped } from './svg.ts';

export interface RooflineOptions {
  /** What counts as work: what fits the program unless given. */
  readonly of?: RooflineWork;
  /** Number of the device; 0 unless given. */
  readonly device?: number;
  readonly width?: number;
  readonly alone?: boolean;
}

export type RooflineWork = 'flops' | 'instructions';

/** Launches of one kernel together. */
interface KernelWork {
  readonly name: string;
  readonly launches: number;
  readonly ns: number;
  readonly flops: number;
  readonly instructions: number;
  readonly dramBytes: number;
  /** Of the launch that takes longest. */
  readonly longest: TimeEstimate;
}

interface Point {
  readonly kernel: KernelWork;
  /** Work for each byte, and for each nanosecond. */
  readonly intensity: number;
  readonly rate: number;
  /** Of what the roof above it would allow. */
  readonly share: number;
}

interface Ceiling {
  readonly words: string;
  readonly rate: number;
}

const PLOT = { left: 62, top: 34, height: 300 };
/** Right of the plot: half of the last number. */
const MARGIN = 24;
const LEGEND_ROW = 16;
const LEGEND_LEFT = 16;
const MOST_KERNELS = 20;
/** With fewer operations for each instruction of a thread, a program's work is not in them. */
const FEW_FLOPS = 0.05;
const WARP = 32;

/** Undefined where no kernel of the device has an estimate. */
export function rooflinePicture(report: Pick<Report, 'kernels' | 'peaks'>, options: RooflineOptions = {}): Picture | undefined {
  const { device = 0, width = WIDE, alone } = options;
  const peaks = report.peaks?.[device];
  const all = peaks ? workOf(report.kernels.filter((each) => (each.device ?? 0) === device)) : [];
  if (!peaks || all.length === 0) return undefined;
  const of = options.of ?? usualWork(all);
  const ceilings = ceilingsOf(peaks, of);
  const points = pointsOf(all.slice(0, MOST_KERNELS), of, { peaks, ceilings });
  const idle = all.filter((kernel) => points.every((point) => point.kernel !== kernel));
  const scale = scaleOf(points, { ceilings, peaks, width: width - PLOT.left - MARGIN });
  const notes = [
    ...idle
      .slice(0, MOST_KERNELS)
      .map(({ name }) => `${name}: ${of === 'flops' ? l10n.t('no floating-point operations') : l10n.t('no bytes of DRAM')}`),
    ...(all.length > MOST_KERNELS ? [l10n.t('the {0} kernels that take longest, of {1}', MOST_KERNELS, all.length)] : []),
  ];
  const legend = [...points.map((point, index) => `${index + 1}  ${said(point, of)}`), ...notes].flatMap((text) =>
    wrapped(text, width - 2 * LEGEND_LEFT),
  );
  const title = l10n.t('roofline, estimated for {0}, with cold caches', peaks.device);
  const height = PLOT.top + PLOT.height + 48 + legend.length * LEGEND_ROW + 6;
  const parts = [
    `<text x="${LEGEND_LEFT}" y="14" font-weight="bold">${escaped(title)}</text>`,
    ...grid(scale, of),
    ...roofs(scale, ceilings, peaks),
    ...marks(points, scale),
    ...legend.map((text, k) => `<text x="${LEGEND_LEFT}" y="${PLOT.top + PLOT.height + 54 + k * LEGEND_ROW}">${escaped(text)}</text>`),
  ];
  const words = [title, ...ceilings.map((each) => each.words), dramWords(peaks), ...points.map((each) => said(each, of)), ...notes];
  return picture(parts, `${words.join('; ')}.`, { width, height, alone });
}

/** By kernel, what takes longest first. */
function workOf(kernels: readonly KernelReport[]): KernelWork[] {
  const work = new Map<string, KernelWork>();
  for (const { kernel, estimate } of kernels) {
    if (!estimate) continue;
    const { ns, flops, instructions, dramReadBytes, dramWrittenBytes } = estimate;
    const before = work.get(kernel);
    work.set(kernel, {
      name: plainName(kernel),
      launches: (before?.launches ?? 0) + 1,
      ns: (before?.ns ?? 0) + ns,
      flops: (before?.flops ?? 0) + flops.fp16 + flops.fp32 + flops.fp64,
      instructions: (before?.instructions ?? 0) + instructions.issued,
      dramBytes: (before?.dramBytes ?? 0) + dramReadBytes + dramWrittenBytes,
      longest: before && before.longest.ns >= ns ? before.longest : estimate,
    });
  }
  return [...work.values()].sort((a, b) => b.ns - a.ns);
}

/** Of the kernels that compute a tenth of the time or more, any one with floating-point numbers decides. */
function usualWork(kernels: readonly KernelWork[]): RooflineWork {
  const total = kernels.reduce((sum, { ns }) => sum + ns, 0);
  const decides = kernels.some(({ ns, flops, instructions }) => ns >= total / 10 && flops > FEW_FLOPS * WARP * instructions);
  return decides ? 'flops' : 'instructions';
}

function ceilingsOf(peaks: DevicePeaks, of: RooflineWork): readonly Ceiling[] {
  if (of === 'instructions') {
    const rate = peaks.warpInstructionsPerNs;
    return [{ words: l10n.t('issue {0} warp instructions/ns', number(rate)), rate }];
  }
  const ceiling = (name: string, rate: number): Ceiling => ({ words: `${name} ${number(rate / 1000)} TFLOP/s`, rate });
  return [ceiling('fp32', peaks.fp32FlopsPerNs), ceiling('fp64', peaks.fp64FlopsPerNs)];
}

function dramWords({ dramBytesPerNs }: DevicePeaks): string {
  return l10n.t('DRAM {0} GB/s', number(dramBytesPerNs));
}

function pointsOf(
  kernels: readonly KernelWork[],
  of: RooflineWork,
  { peaks, ceilings }: { readonly peaks: DevicePeaks; readonly ceilings: readonly Ceiling[] },
): readonly Point[] {
  const highest = Math.max(...ceilings.map(({ rate }) => rate));
  return kernels.flatMap((kernel) => {
    const work = of === 'flops' ? kernel.flops : kernel.instructions;
    if (work === 0 || kernel.dramBytes === 0 || kernel.ns === 0) return [];
    const intensity = work / kernel.dramBytes;
    const rate = work / kernel.ns;
    return [{ kernel, intensity, rate, share: rate / Math.min(highest, intensity * peaks.dramBytesPerNs) }];
  });
}

/** `matmul: 1,230 GFLOP/s, 21 FLOP/byte, 35 % of its roof, limited by L2 cache`. */
function said({ kernel, intensity, rate, share }: Point, of: RooflineWork): string {
  const [rates, densities] =
    of === 'flops'
      ? [`${number(rate)} GFLOP/s`, l10n.t('{0} FLOP/byte', number(intensity))]
      : [l10n.t('{0} warp instructions/ns', number(rate)), l10n.t('{0} per byte', number(intensity))];
  const count = kernel.launches > 1 ? ` x${kernel.launches}` : '';
  const limit = spoken(TIME_LIMITS[kernel.longest.limit]);
  const said = [rates, densities, l10n.t('{0} % of its roof', number(100 * share)), l10n.t('limited by {0}', limit)];
  return `${kernel.name}${count}: ${said.join(', ')}`;
}

/** Powers of ten at both ends of both axes. */
interface Scale {
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
  /** Of the plot. */
  readonly width: number;
}

function scaleOf(
  points: readonly Point[],
  {
    ceilings,
    peaks: { dramBytesPerNs },
    width,
  }: { readonly ceilings: readonly Ceiling[]; readonly peaks: DevicePeaks; readonly width: number },
): Scale {
  const rates = ceilings.map(({ rate }) => rate);
  const ridge = Math.max(...rates) / dramBytesPerNs;
  const powers = (values: readonly number[]): readonly [number, number] => [
    Math.floor(Math.log10(Math.min(...values))),
    Math.ceil(Math.log10(Math.max(...values) * 1.2)),
  ];
  return {
    x: powers([...points.map(({ intensity }) => intensity), ridge / 30, ridge * 10]),
    y: powers([...points.map(({ rate }) => rate), Math.min(...rates) / 50, ...rates]),
    width,
  };
}

function x(scale: Scale, value: number): number {
  return coordinate(PLOT.left + (scale.width * (Math.log10(value) - scale.x[0])) / (scale.x[1] - scale.x[0]));
}

function y(scale: Scale, value: number): number {
  return coordinate(PLOT.top + PLOT.height * (1 - (Math.log10(value) - scale.y[0]) / (scale.y[1] - scale.y[0])));
}

function grid(scale: Scale, of: RooflineWork): readonly string[] {
  const line = (path: string): string => `<path d="${path}" stroke="currentColor" stroke-opacity="0.18" fill="none"/>`;
  const bottom = PLOT.top + PLOT.height;
  const parts: string[] = [];
  for (let power = scale.x[0]; power <= scale.x[1]; power++) {
    const at = x(scale, 10 ** power);
    parts.push(line(`M${at} ${PLOT.top}V${bottom}`), `<text x="${at}" y="${bottom + 15}" text-anchor="middle">${powerOfTen(power)}</text>`);
  }
  for (let power = scale.y[0]; power <= scale.y[1]; power++) {
    const at = y(scale, 10 ** power);
    const text = `<text x="${PLOT.left - 6}" y="${at + 4}" text-anchor="end">${powerOfTen(power)}</text>`;
    parts.push(line(`M${PLOT.left} ${at}H${PLOT.left + scale.width}`), text);
  }
  const [across, up] =
    of === 'flops'
      ? [l10n.t('FLOP per byte of DRAM'), 'GFLOP/s']
      : [l10n.t('warp instructions per byte of DRAM'), l10n.t('warp instructions/ns')];
  const middle = PLOT.top + PLOT.height / 2;
  parts.push(
    `<text x="${PLOT.left + scale.width / 2}" y="${bottom + 32}" text-anchor="middle">${across}</text>`,
    `<text x="14" y="${middle}" text-anchor="middle" transform="rotate(-90 14 ${middle})">${up}</text>`,
  );
  return parts;
}

/** Each ceiling from where DRAM could feed it on, with its words above its end, of the lower one below it; below, the slope of DRAM. */
function roofs(scale: Scale, ceilings: readonly Ceiling[], peaks: DevicePeaks): readonly string[] {
  const right = 10 ** scale.x[1];
  const bandwidth = peaks.dramBytesPerNs;
  const highest = Math.max(...ceilings.map(({ rate }) => rate));
  const start = Math.max(10 ** scale.x[0], 10 ** scale.y[0] / bandwidth);
  const stroke = 'stroke="currentColor" stroke-width="1.5" fill="none"';
  const slope = `M${x(scale, start)} ${y(scale, start * bandwidth)}L${x(scale, highest / bandwidth)} ${y(scale, highest)}`;
  const seen = [...new Map(ceilings.map((each) => [each.rate, each])).values()];
  const flat = seen.map(({ rate }, index) => {
    const dashes = index > 0 ? ' stroke-dasharray="5 3"' : '';
    return `<path d="M${x(scale, rate / bandwidth)} ${y(scale, rate)}H${x(scale, right)}" ${stroke}${dashes}/>`;
  });
  const words = ceilings.map(({ words: text, rate }, index) => {
    const above = index === 0 ? -5 : 13;
    return `<text x="${PLOT.left + scale.width - 4}" y="${coordinate(y(scale, rate) + above)}" text-anchor="end">${text}</text>`;
  });
  // Half way up the slope, below it.
  const middle = Math.sqrt((start * highest) / bandwidth);
  const foot = `<text x="${coordinate(x(scale, middle) + 10)}" y="${coordinate(y(scale, middle * bandwidth) + 12)}">${dramWords(peaks)}</text>`;
  return [`<path d="${slope}" ${stroke}/>`, ...flat, ...words, foot];
}

/** Circles with the number of the legend; where several lie on each other, the numbers stand side by side. */
function marks(points: readonly Point[], scale: Scale): readonly string[] {
  const placed: { readonly left: number; readonly top: number }[] = [];
  return points.map(({ kernel, intensity, rate }, index) => {
    const [left, top] = [x(scale, intensity), y(scale, rate)];
    let label = left + 7;
    while (placed.some((other) => Math.abs(other.left - label) < 13 && Math.abs(other.top - top) < 11)) label += 14;
    placed.push({ left: label, top });
    const circle = `<circle cx="${left}" cy="${top}" r="4" stroke="currentColor" stroke-width="1.5" fill="currentColor" fill-opacity="0.35"/>`;
    return `<g><title>${escaped(kernel.name)}</title>${circle}<text x="${coordinate(label)}" y="${coordinate(top + 4)}">${index + 1}</text></g>`;
  });
}

function powerOfTen(power: number): string {
  return power >= -4 && power <= 5 ? (10 ** power).toLocaleString('en-US', { maximumFractionDigits: 4 }) : `1e${power}`;
}

/** Three digits. */
function number(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString('en-US', { maximumSignificantDigits: 3 });
}

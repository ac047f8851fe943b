/** One kernel: its launches, what limits the blocks that are resident, figures against the ideal, and all counters with what they are compared with. */
import { metricWords } from '../../counters/counters.ts';
import type { EarlierRun, FigureView, KernelView, LaunchView, TimeView } from '../../protocol/report-view.ts';
import { duration, element, grouped, headings, percent, shape, share, widePicture } from './dom.ts';
import type { MeasuredKernel } from './nsight-csv.ts';

export interface Compared {
  readonly earlier: EarlierRun | undefined;
  readonly measured: MeasuredKernel | undefined;
}

export function kernelDetails(kernel: KernelView, { earlier, measured }: Compared): HTMLElement {
  const before = earlier?.kernels.find((each) => each.kernel === kernel.kernel);
  return element(
    'section',
    { id: 'kernel', set: { 'aria-labelledby': 'kernel-name' } },
    element('h2', { id: 'kernel-name', set: { tabindex: '-1' } }, element('code', {}, kernel.kernel)),
    kernel.timing !== undefined && element('p', { class: 'note' }, `Counters depend on timing, as ${kernel.timing}.`),
    kernel.time && times(kernel.time),
    kernel.memory && element('div', { id: 'memory' }, widePicture(kernel.memory)),
    figures(kernel.figures, before?.figures, earlier?.name),
    launches(kernel.launches),
    metrics(kernel, { before: before?.metrics, name: earlier?.name, measured }),
  );
}

function times({ nanoseconds, limit, parts }: TimeView): HTMLElement {
  const rows = parts.map(([words, ns]) =>
    element(
      'tr',
      {},
      element('th', { set: { scope: 'row' } }, words),
      element('td', { class: 'right' }, duration(ns)),
      element('td', { class: 'cost' }, share(nanoseconds === 0 ? 0 : ns / nanoseconds)),
    ),
  );
  return element(
    'table',
    { id: 'time' },
    element('caption', {}, `${duration(nanoseconds)} in all launches, limited by ${limit} (estimated). What each would take by itself:`),
    headings('Unit or cause', ['Time', 'right'], ['Of the whole', 'cost']),
    element('tbody', {}, ...rows),
  );
}

function figures(now: readonly FigureView[], before: readonly FigureView[] | undefined, name: string | undefined): HTMLElement {
  const rows = now.map((figure) => {
    const then = before?.find(({ words }) => words === figure.words);
    const { ideal } = figure;
    return element(
      'tr',
      { class: ideal !== undefined && figure.value > 1.05 * ideal ? 'wasteful' : '' },
      element('th', { set: { scope: 'row' } }, figure.words),
      element('td', { class: 'right' }, figureText(figure, figure.value)),
      element('td', { class: 'right' }, ideal === undefined ? '' : figureText(figure, ideal)),
      ...(name === undefined ? [] : [element('td', { class: 'right' }, then ? figureText(figure, then.value) : '–')]),
    );
  });
  return element(
    'table',
    {},
    element('caption', {}, 'In short (simulated)'),
    headings('What', ['Counted', 'right'], ['Ideal', 'right'], ...(name === undefined ? [] : [[name, 'right'] as const])),
    element('tbody', {}, ...rows),
  );
}

function figureText({ as }: FigureView, value: number): string {
  return as === 'share' ? percent(value) : as === 'mean' ? value.toFixed(1) : grouped(value);
}

function launches(all: readonly LaunchView[]): HTMLElement {
  const rows = all.map(({ count, grid, block, residentBlocks, limit, warps }) =>
    element(
      'tr',
      {},
      element('td', { class: 'right' }, grouped(count)),
      element('td', {}, shape(grid)),
      element('td', {}, shape(block)),
      element('td', {}, residentBlocks === undefined ? '' : `${residentBlocks} blocks, ${warps![0]} of ${warps![1]} warps`),
      element('td', {}, limit ?? ''),
    ),
  );
  return element(
    'table',
    {},
    element('caption', {}, 'Launches, and what fits on a multiprocessor as far as it is known without registers (predicted)'),
    headings(['Launches', 'right'], 'Grid', 'Block', 'Resident at once', 'Limited by'),
    element('tbody', {}, ...rows),
  );
}

interface Beside {
  readonly before: Readonly<Record<string, number>> | undefined;
  readonly name: string | undefined;
  readonly measured: MeasuredKernel | undefined;
}

function metrics(kernel: KernelView, { before, name, measured }: Beside): HTMLElement {
  const shown = new Set([...Object.keys(kernel.metrics), ...Object.keys(before ?? {})]);
  const rows = [...shown].map((metric) => {
    const now = kernel.metrics[metric] ?? 0;
    const then = before?.[metric] ?? 0;
    const gpu = measured?.metrics[metric];
    return element(
      'tr',
      {},
      element('th', { set: { scope: 'row' } }, metricWords(metric)),
      element('td', {}, element('code', {}, metric)),
      element('td', { class: 'right' }, grouped(now)),
      ...(before ? [element('td', { class: 'right' }, grouped(then)), element('td', { class: 'right' }, change(then, now))] : []),
      ...(measured ? [element('td', { class: 'right' }, gpu === undefined ? '–' : grouped(gpu))] : []),
      ...(measured ? [element('td', { class: 'right' }, gpu === undefined ? '' : change(gpu, now))] : []),
    );
  });
  const columns = [
    'Counter',
    'Name in Nsight Compute',
    ['Simulated', 'right'] as const,
    ...(before
      ? ([
          [name ?? 'Before', 'right'],
          ['Change', 'right'],
        ] as const)
      : []),
    ...(measured
      ? ([
          ['Measured', 'right'],
          ['Simulated to measured', 'right'],
        ] as const)
      : []),
  ];
  return element(
    'table',
    { id: 'counters' },
    element('caption', {}, 'Counters of all launches; those that are zero are left out'),
    headings(...columns),
    element('tbody', {}, ...rows),
  );
}

/** `÷ 8.0`, `× 1.5`, `+12 %`. */
function change(from: number, to: number): string {
  if (from === to) return 'equal';
  if (from === 0) return 'new';
  if (to === 0) return 'gone';
  const ratio = to / from;
  if (ratio >= 1.5) return `× ${ratio.toFixed(1)}`;
  if (ratio <= 1 / 1.5) return `÷ ${(1 / ratio).toFixed(1)}`;
  return `${ratio > 1 ? '+' : '−'}${Math.abs(100 * (ratio - 1)).toFixed(1)} %`;
}

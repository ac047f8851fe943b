/** One kernel: its launches, what limits the blocks that are resident, figures against the ideal, and all counters with what they are compared with. */

import { change } from '../../counters/changes.ts';
import { metricWords } from '../../counters/counters.ts';
import { duration } from '../../counters/durations.ts';
import { grouped } from '../../counters/grouped.ts';
import { percent } from '../../counters/percent.ts';
import { l10n } from '../../counters/spoken.ts';
import { estimateText, estimateWords, type KernelBeside, measuredOf } from '../../measured/beside.ts';
import type { EarlierRun, FigureView, KernelView, LaunchView, TimeView } from '../../protocol/report-view.ts';
import { type Child, element, headings, metricName, shape, share, widePicture } from './dom.ts';

/** The same kernel in another run, or another kernel. */
export interface Baseline {
  readonly name: string;
  /** Undefined where the run has no such kernel. */
  readonly kernel: EarlierRun['kernels'][number] | undefined;
}

export interface Compared {
  readonly baseline: Baseline | undefined;
  readonly measured: KernelBeside | undefined;
}

export function kernelDetails(kernel: KernelView, { baseline, measured }: Compared): HTMLElement {
  const before = baseline?.kernel;
  return element(
    'section',
    { id: 'kernel', set: { 'aria-labelledby': 'kernel-name' } },
    element('h2', { id: 'kernel-name', set: { tabindex: '-1' } }, element('code', {}, kernel.kernel)),
    kernel.timing !== undefined && element('p', { class: 'note' }, l10n.t('Counters depend on timing, as {0}.', kernel.timing)),
    kernel.time && times(kernel.time),
    measured && measured.estimates.length > 0 && estimates(measured),
    kernel.memory && element('div', { id: 'memory' }, widePicture(kernel.memory)),
    kernel.blocks && element('div', { id: 'blocks' }, widePicture(kernel.blocks)),
    kernel.contention && element('div', { id: 'contention' }, widePicture(kernel.contention)),
    figures(kernel.figures, before?.figures, baseline?.name),
    launches(kernel.launches),
    metrics(kernel, { before: before?.metrics, name: baseline?.name, measured }),
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
    element(
      'caption',
      {},
      l10n.t('{0} in all launches, limited by {1} (estimated). What each would take by itself:', duration(nanoseconds), limit),
    ),
    headings(l10n.t('Unit or cause'), [l10n.t('Time'), 'right'], [l10n.t('Of the whole'), 'cost']),
    element('tbody', {}, ...rows),
  );
}

/** How good the estimates are, where a GPU has measured the same. */
function estimates({ estimates: all, launches: paired, of }: KernelBeside): HTMLElement {
  const rows = all.map(({ what, metric, estimated, measured }) => {
    return element(
      'tr',
      {},
      element('th', { set: { scope: 'row' } }, estimateWords(what), metricName(metric, 'below')),
      element('td', { class: 'name' }, metricName(metric)),
      element('td', { class: 'right' }, estimateText(what, estimated)),
      element('td', { class: 'right' }, estimateText(what, measured)),
      element('td', { class: 'right' }, change(measured, estimated)),
    );
  });
  const table = element(
    'table',
    { id: 'estimates' },
    element('caption', {}, l10n.t('Estimated and measured, {0} of {1} launches', grouped(paired), grouped(of))),
    headings(
      l10n.t('What'),
      [l10n.t('Name in Nsight Compute'), 'name'],
      [l10n.t('Estimated'), 'right'],
      [l10n.t('Measured'), 'right'],
      [l10n.t('Estimated to measured'), 'right'],
    ),
    element('tbody', {}, ...rows),
  );
  return wide(l10n.t('Estimated'), table);
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
    element('caption', {}, l10n.t('In short (simulated)')),
    headings(
      l10n.t('What'),
      [l10n.t('Counted'), 'right'],
      [l10n.t('Ideal'), 'right'],
      ...(name === undefined ? [] : [[name, 'right'] as const]),
    ),
    element('tbody', {}, ...rows),
  );
}

function figureText({ as }: FigureView, value: number): string {
  return as === 'share' ? percent(value) : as === 'mean' ? value.toFixed(1) : grouped(value);
}

function launches(all: readonly LaunchView[]): HTMLElement {
  const withRegisters = all.every(({ registers }) => registers !== undefined);
  const rows = all.map(({ count, grid, block, residentBlocks, limit, warps, registers }) =>
    element(
      'tr',
      {},
      element('td', { class: 'right' }, grouped(count)),
      element('td', {}, shape(grid)),
      element('td', {}, shape(block)),
      element('td', {}, residentBlocks === undefined ? '' : l10n.t('{0} blocks, {1} of {2} warps', residentBlocks, warps![0], warps![1])),
      element('td', {}, limit ?? ''),
      ...(withRegisters ? [element('td', { class: 'right' }, grouped(registers!))] : []),
    ),
  );
  return element(
    'table',
    { id: 'launches' },
    element(
      'caption',
      {},
      withRegisters
        ? l10n.t('Launches, and what fits on a multiprocessor (estimated)')
        : l10n.t('Launches, and what fits on a multiprocessor as far as it is known without registers (predicted)'),
    ),
    headings(
      [l10n.t('Launches'), 'right'],
      l10n.t('Grid'),
      l10n.t('Block'),
      l10n.t('Resident at once'),
      l10n.t('Limited by'),
      ...(withRegisters ? [[l10n.t('Registers of a thread'), 'right'] as const] : []),
    ),
    element('tbody', {}, ...rows),
  );
}

interface Beside {
  readonly before: Readonly<Record<string, number>> | undefined;
  readonly name: string | undefined;
  readonly measured: KernelBeside | undefined;
}

function metrics(kernel: KernelView, { before, name, measured }: Beside): HTMLElement {
  const shown = new Set([...Object.keys(kernel.metrics), ...Object.keys(before ?? {})]);
  const isPart = measured !== undefined && measured.launches < measured.of;
  const rows = [...shown].map((metric) => {
    const now = kernel.metrics[metric] ?? 0;
    const then = before?.[metric] ?? 0;
    return element(
      'tr',
      {},
      element('th', { class: 'counter', set: { scope: 'row' } }, metricWords(metric), metricName(metric, 'below')),
      element('td', { class: 'name' }, metricName(metric)),
      element('td', { class: 'right' }, grouped(now)),
      ...(measured ? measuredCells(measured, { metric, isPart }) : []),
      ...(before ? [element('td', { class: 'right' }, grouped(then)), element('td', { class: 'right' }, change(then, now))] : []),
    );
  });
  const columns = [
    l10n.t('Counter'),
    [l10n.t('Name in Nsight Compute'), 'name'] as const,
    [l10n.t('Simulated'), 'right'] as const,
    // What a GPU says comes first: in a narrow panel the last columns are out of sight.
    ...(isPart ? ([[l10n.t('Simulated, {0} of {1} launches', grouped(measured.launches), grouped(measured.of)), 'right']] as const) : []),
    ...(measured
      ? ([
          [l10n.t('Measured'), 'right'],
          [l10n.t('Simulated to measured'), 'right'],
        ] as const)
      : []),
    ...(before
      ? ([
          [name ?? l10n.t('Before'), 'right'],
          [l10n.t('Change'), 'right'],
        ] as const)
      : []),
  ];
  const table = element(
    'table',
    { id: 'counters' },
    element('caption', {}, l10n.t('Counters of all launches; those that are zero are left out')),
    headings(...columns),
    element('tbody', {}, ...rows),
  );
  return wide(l10n.t('Counter'), table);
}

/** By keyboard, too, where its columns are wider than the panel. */
function wide(label: string, table: HTMLTableElement): HTMLElement {
  return element('div', { class: 'wide', set: { tabindex: '0', role: 'group', 'aria-label': label } }, table);
}

/** Where not all launches were measured, those that were are what it is compared with. */
function measuredCells(measured: KernelBeside, { metric, isPart }: { readonly metric: string; readonly isPart: boolean }): HTMLElement[] {
  const own = measured.simulated[metric] ?? 0;
  const gpu = measuredOf(measured, metric);
  const other = gpu && gpu.name !== metric && metricName(gpu.name, 'other');
  const cell = (...children: readonly Child[]) => element('td', { class: 'right' }, ...children);
  return [
    ...(isPart ? [cell(grouped(own))] : []),
    gpu ? cell(grouped(gpu.value), other) : cell('–'),
    // Machine instructions are no LLVM instructions: a ratio would look like an error.
    cell(gpu && !other ? change(gpu.value, own) : ''),
  ];
}

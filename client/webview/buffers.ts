/** What the kernel of a harness read and wrote: a small plot and a table for each array. */

import { grouped } from '../../counters/grouped.ts';
import { l10n } from '../../counters/spoken.ts';
import type { BufferReport } from '../../protocol/report.ts';
import type { ExpectationOutcome } from '../../protocol/run.ts';
import { drawing, element, headings } from './dom.ts';

const MOST_ROWS = 32;
const [WIDTH, HEIGHT, PAD] = [560, 140, 6];
/** One for each column of pixels says all. */
const MOST_POINTS = 280;

type Value = BufferReport['after'][number];

export function expectations(all: readonly ExpectationOutcome[]): HTMLElement | undefined {
  if (all.length === 0) return undefined;
  const rows = all.map(({ text, kept, found }) =>
    element(
      'tr',
      { class: kept ? '' : 'wasteful' },
      element('th', { set: { scope: 'row' } }, text),
      element('td', { class: 'right' }, found),
      element('td', {}, kept ? l10n.t('kept') : l10n.t('not kept')),
    ),
  );
  return element(
    'section',
    { id: 'expectations', set: { 'aria-label': l10n.t('Budget') } },
    element('h2', {}, l10n.t('Budget')),
    element(
      'table',
      {},
      element('caption', {}, l10n.t('Counters are simulated, times estimated.')),
      headings(l10n.t('Expected'), [l10n.t('Found'), 'right'], l10n.t('Result')),
      element('tbody', {}, ...rows),
    ),
  );
}

export function buffers(all: readonly BufferReport[]): HTMLElement | undefined {
  if (all.length === 0) return undefined;
  return element(
    'section',
    { id: 'buffers', set: { 'aria-label': l10n.t('Inputs and outputs') } },
    element('h2', {}, l10n.t('Inputs and outputs')),
    ...all.flatMap(buffer),
  );
}

function buffer({ name, type, count, before, after, expected, wrong }: BufferReport): HTMLElement[] {
  const isChanged = after.some((value, index) => value !== before[index]);
  const verdict =
    wrong === undefined ? '' : wrong === 0 ? l10n.t('as the reference has it') : l10n.t('{0} differ from the reference', grouped(wrong));
  const change = isChanged ? l10n.t('written by the kernel') : l10n.t('not changed by the kernel');
  const title = [`${name}: ${grouped(count)} × ${type}`, change, ...(verdict === '' ? [] : [verdict])].join(', ');
  return [
    element('h3', {}, title),
    plot({ name, before: isChanged ? before : undefined, after, expected }),
    table({ before, after, expected, isChanged, count }),
  ];
}

interface Rows extends Pick<BufferReport, 'before' | 'after' | 'expected' | 'count'> {
  readonly isChanged: boolean;
}

/** The first elements, and the first of those that are wrong. */
function table({ before, after, expected, isChanged, count }: Rows): HTMLElement {
  const differs = (index: number) => expected !== undefined && !isNear(after[index], expected[index]);
  const first = after.findIndex((_, index) => differs(index));
  const start = first < MOST_ROWS ? 0 : first - 2;
  const shown = after.slice(start, start + MOST_ROWS).map((_, offset) => start + offset);
  const rows = shown.map((index) =>
    element(
      'tr',
      { class: differs(index) ? 'wasteful' : '' },
      element('th', { set: { scope: 'row' } }, String(index)),
      ...(isChanged ? [cell(before[index])] : []),
      cell(after[index]),
      ...(expected ? [cell(expected[index])] : []),
    ),
  );
  const columns = [...(isChanged ? [l10n.t('Before'), l10n.t('After')] : [l10n.t('Value')]), ...(expected ? [l10n.t('Reference')] : [])];
  return element(
    'details',
    { set: first >= 0 ? { open: '' } : {} },
    element('summary', {}, l10n.t('Elements {0} to {1} of {2}', start, start + shown.length - 1, grouped(count))),
    element('table', {}, headings(l10n.t('Index'), ...columns.map((title) => [title, 'right'] as const)), element('tbody', {}, ...rows)),
  );
}

function cell(value: Value): HTMLElement {
  return element('td', { class: 'right' }, typeof value === 'number' ? String(Number(value.toPrecision(7))) : value);
}

/** As harnesses compare, roughly: for the mark in a row only. */
function isNear(a: Value, b: Value): boolean {
  if (typeof a !== 'number' || typeof b !== 'number') return a === b;
  return a === b || Math.abs(a - b) <= 1e-5 * Math.max(Math.abs(a), Math.abs(b));
}

interface Plot {
  readonly name: string;
  readonly before: readonly Value[] | undefined;
  readonly after: readonly Value[];
  readonly expected: readonly Value[] | undefined;
}

/** Of as many neighbours as share a point, the lowest and the highest: no peak is left out. */
function extremes(values: readonly Value[]): (readonly [index: number, value: number])[] {
  const step = Math.max(1, Math.ceil(values.length / MOST_POINTS));
  const shown: (readonly [number, number])[] = [];
  for (let start = 0; start < values.length; start += step) {
    const group = values
      .slice(start, start + step)
      .flatMap((value, offset) => (typeof value === 'number' ? [[start + offset, value] as const] : []));
    if (group.length === 0) continue;
    const low = group.reduce((a, b) => (b[1] < a[1] ? b : a));
    const high = group.reduce((a, b) => (b[1] > a[1] ? b : a));
    shown.push(...(low[0] === high[0] ? [low] : low[0] < high[0] ? [low, high] : [high, low]));
  }
  return shown;
}

function plot({ name, before, after, expected }: Plot): HTMLElement {
  const finite = [before, after, expected].flatMap((values) => (values ?? []).filter((value) => typeof value === 'number'));
  const [low, high] = [finite.reduce((a, b) => Math.min(a, b), 0), finite.reduce((a, b) => Math.max(a, b), 0)];
  const y = (value: number) => HEIGHT - PAD - ((value - low) / (high - low || 1)) * (HEIGHT - 2 * PAD);
  const line = (values: readonly Value[], paint: string) => {
    const points = extremes(values).map(
      ([index, value]) => `${(PAD + (index / Math.max(1, values.length - 1)) * (WIDTH - 2 * PAD)).toFixed(1)},${y(value).toFixed(1)}`,
    );
    return `<polyline fill="none" ${paint} points="${points.join(' ')}"/>`;
  };
  const bar = getComputedStyle(document.body).getPropertyValue('--bar').trim() || '#b35900';
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">`,
    `<line x1="${PAD}" x2="${WIDTH - PAD}" y1="${y(0)}" y2="${y(0)}" stroke="currentColor" stroke-opacity="0.5"/>`,
    before ? line(before, 'stroke="currentColor" stroke-width="1.5" stroke-dasharray="2 4"') : '',
    line(after, `stroke="${bar}" stroke-width="2"`),
    expected ? line(expected, 'stroke="currentColor" stroke-width="1.5" stroke-dasharray="8 6"') : '',
    '</svg>',
  ].join('');
  const key = [
    before && l10n.t('dotted: before'),
    // One line by itself needs no key.
    before ? l10n.t('solid: after') : expected && l10n.t('solid: values'),
    expected && l10n.t('dashed: reference'),
  ]
    .filter(Boolean)
    .join(', ');
  const range = l10n.t('from {0} to {1}', Number(low.toPrecision(6)), Number(high.toPrecision(6)));
  return element(
    'figure',
    { class: 'plot' },
    drawing(svg, `${l10n.t('{0} over its first {1} elements', name, grouped(after.length))}, ${range}`),
    element('figcaption', {}, `${l10n.t('{0} elements', grouped(after.length))}, ${range}${key && `; ${key}`}`),
  );
}

/** The program's lines with what was counted beside what was predicted. Rows are made when they come near the window: programs are long. */

import { l10n } from '../../counters/spoken.ts';
import type { FileView, LineView, Place, PredictedView } from '../../protocol/report-view.ts';
import { element, grouped, headings, share } from './dom.ts';

const ROWS_AT_ONCE = 100;
/** As the style sheet has it. */
const ROW_PIXELS = 22;

export interface SourceTable {
  readonly element: HTMLElement;
  /** Scrolls to the line and gives it the focus. */
  reveal(line: number): void;
}

export function sourceTable(file: FileView, open: ((place: Place) => void) | undefined): SourceTable {
  const counted = new Map(file.counted.map((line) => [line.line, line]));
  const predicted = new Map<number, PredictedView[]>();
  for (const each of file.predicted) predicted.set(each.line, [...(predicted.get(each.line) ?? []), each]);
  const body = (start: number) => {
    const rows = Math.min(ROWS_AT_ONCE, file.lines.length - start);
    const made = element('tbody', {}, placeholder(rows));
    const fill = () => {
      if (made.dataset.filled) return;
      made.dataset.filled = 'yes';
      made.replaceChildren(
        ...Array.from({ length: rows }, (_, index) => {
          const line = start + index + 1;
          return row(file, line, { counted: counted.get(line), predicted: predicted.get(line) ?? [], open });
        }),
      );
    };
    return { made, fill };
  };
  const bodies = Array.from({ length: Math.ceil(file.lines.length / ROWS_AT_ONCE) }, (_, index) => body(index * ROWS_AT_ONCE));
  const table = element(
    'table',
    { class: 'source', set: { 'aria-rowcount': String(file.lines.length + 1) } },
    element('caption', { class: 'hidden' }, l10n.t('{0}: counters of each line (simulated) beside findings (predicted)', file.name)),
    headings([l10n.t('Line'), 'right'], [l10n.t('Cost'), 'cost'], l10n.t('Code'), l10n.t('Simulated'), l10n.t('Predicted')),
    ...bodies.map(({ made }) => made),
  );
  const region = element(
    'div',
    { class: 'scroll', set: { tabindex: '0', role: 'region', 'aria-label': l10n.t('Source of {0}', file.name) } },
    table,
  );
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) bodies.find(({ made }) => made === target)?.fill();
    },
    { root: region, rootMargin: '800px' },
  );
  for (const { made } of bodies) observer.observe(made);
  return {
    element: region,
    reveal(line) {
      bodies[Math.floor((line - 1) / ROWS_AT_ONCE)]?.fill();
      const target = region.querySelector<HTMLElement>(`[data-line="${line}"]`);
      target?.scrollIntoView({ block: 'center' });
      target?.focus();
    },
  };
}

function placeholder(rows: number): HTMLElement {
  const cell = element('td', { set: { colspan: '5' } });
  cell.style.height = `${rows * ROW_PIXELS}px`;
  return element('tr', {}, cell);
}

interface LineFacts {
  readonly counted: LineView | undefined;
  readonly predicted: readonly PredictedView[];
  readonly open: ((place: Place) => void) | undefined;
}

function row(file: FileView, line: number, { counted, predicted, open }: LineFacts): HTMLElement {
  const number = open
    ? element(
        'button',
        {
          class: 'link',
          set: { 'data-line': String(line), 'aria-label': l10n.t('Open line {0} in the editor', line) },
          on: { click: () => open({ path: file.path, line }) },
        },
        String(line),
      )
    : element('span', { set: { 'data-line': String(line), tabindex: '-1' } }, String(line));
  return element(
    'tr',
    { class: counted?.wasteful ? 'wasteful' : '', set: { 'aria-rowindex': String(line + 1) } },
    element('td', { class: 'right' }, number),
    element('td', { class: 'cost' }, counted && share(counted.share)),
    element('td', {}, element('code', {}, file.lines[line - 1])),
    element('td', {}, counted && counters(counted)),
    element('td', {}, ...predicted.map(prediction)),
  );
}

function counters({ text, counters: all }: LineView): HTMLElement {
  const items = all.map(([words, value, ideal]) =>
    element(
      'li',
      {},
      `${words}: ${grouped(value)}${ideal === undefined || ideal === value ? '' : ` (${l10n.t('ideal {0}', grouped(ideal))})`}`,
    ),
  );
  return element('details', {}, element('summary', {}, text === '' ? l10n.t('counted') : text), element('ul', {}, ...items));
}

function prediction({ rule, severity, message }: PredictedView): HTMLElement {
  return element('details', {}, element('summary', {}, `${severity}: ${rule}`), element('p', {}, message));
}

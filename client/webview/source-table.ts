/** The program's lines with what was counted beside what was predicted. Rows are made when they come near the window: programs are long. */

import { l10n } from '../../counters/spoken.ts';
import type { FileView, LineView, Place, PredictedView } from '../../protocol/report-view.ts';
import { element, grouped, headings, share } from './dom.ts';

const ROWS_AT_ONCE = 25;
/** Of a character of code, at most; what the other columns take. */
const CHARACTER_PIXELS = 8.5;
const COLUMNS = [70, 150, undefined, 300, 280] as const;
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
    const made = element('tbody', {}, placeholder(rows * ROW_PIXELS));
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
    /** Thousands of rows would all be laid out again whenever a few come. Somebody reads what is open. */
    const empty = () => {
      if (!made.dataset.filled || made.querySelector('details[open], :focus')) return;
      delete made.dataset.filled;
      made.replaceChildren(placeholder(made.offsetHeight));
    };
    return { made, fill, empty };
  };
  const bodies = Array.from({ length: Math.ceil(file.lines.length / ROWS_AT_ONCE) }, (_, index) => body(index * ROWS_AT_ONCE));
  const table = element(
    'table',
    { class: 'source', set: { 'aria-rowcount': String(file.lines.length + 1) } },
    element('caption', { class: 'hidden' }, l10n.t('{0}: counters of each line (simulated) beside findings (predicted)', file.name)),
    columns(),
    headings([l10n.t('Line'), 'right'], [l10n.t('Cost'), 'cost'], l10n.t('Code'), l10n.t('Simulated'), l10n.t('Predicted')),
    ...bodies.map(({ made }) => made),
  );
  const others = COLUMNS.reduce((sum: number, width) => sum + (width ?? 0), 0);
  table.style.width = `max(100%, ${Math.round(others + CHARACTER_PIXELS * longest(file.lines))}px)`;
  const region = element(
    'div',
    { class: 'scroll', set: { tabindex: '0', role: 'region', 'aria-label': l10n.t('Source of {0}', file.name) } },
    table,
  );
  const byElement = new Map<Element, (typeof bodies)[number]>(bodies.map((each) => [each.made, each]));
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        const found = byElement.get(target);
        if (isIntersecting) found?.fill();
        else found?.empty();
      }
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

/** Columns keep their widths, whatever is in the rows that there are. */
function columns(): HTMLElement {
  const made = COLUMNS.map((width) => {
    const column = element('col', {});
    if (width !== undefined) column.style.width = `${width}px`;
    return column;
  });
  return element('colgroup', {}, ...made);
}

function longest(lines: readonly string[]): number {
  return lines.reduce((most, line) => Math.max(most, line.replaceAll('\t', '        ').length), 0);
}

function placeholder(pixels: number): HTMLElement {
  const cell = element('td', { set: { colspan: '5' } });
  cell.style.height = `${pixels}px`;
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
  return element('details', {}, element('summary', {}, `${severityWords(severity)}: ${rule}`), element('p', {}, message));
}

/** As the report was made: a saved page may have others. */
function severityWords(severity: string): string {
  return (
    { error: l10n.t('error'), warning: l10n.t('warning'), information: l10n.t('information'), hint: l10n.t('hint') }[severity] ?? severity
  );
}

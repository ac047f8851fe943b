/**
 * The program's lines with what was counted beside what was predicted. Rows are made when they come near the window: programs are long.
 * Its parts have a table's roles and are no `<table>`: that one would be laid out and painted as a whole whenever a few rows come.
 */

import { duration } from '../../counters/durations.ts';
import { grouped } from '../../counters/grouped.ts';
import { percent } from '../../counters/percent.ts';
import { l10n } from '../../counters/spoken.ts';
import { type LineBeside, lineCounts, lineInstructions } from '../../measured/beside.ts';
import type { FileView, LineView, Place, PredictedView } from '../../protocol/report-view.ts';
import { type Child, element, prose, share } from './dom.ts';

const ROWS_OF_GROUP = 25;
/** Rows are made this far outside the window, so that they are there when it comes. */
const AHEAD_PIXELS = 800;
/** So many in a frame: the notch of a wheel in each needs five, and what 25 take at once makes a frame late. */
const ROWS_OF_FRAME = 6;
/** Of a character of code, at most; what the other columns take, as the style sheet has it. */
const CHARACTER_PIXELS = 8.5;
const OTHER_COLUMNS_PIXELS = 70 + 150 + 300 + 280;
/** As the style sheet has it. */
const ROW_PIXELS = 26;

export interface SourceTable {
  readonly element: HTMLElement;
  /** Scrolls to the line and gives it the focus. */
  reveal(line: number): void;
}

export interface SourceContext {
  readonly open: ((place: Place) => void) | undefined;
  /** What a GPU measured of a line of the file. */
  measuredOf(line: number): LineBeside | undefined;
}

export function sourceTable(file: FileView, { open, measuredOf }: SourceContext): SourceTable {
  const counted = new Map(file.counted.map((line) => [line.line, line]));
  const predicted = new Map<number, PredictedView[]>();
  for (const each of file.predicted) predicted.set(each.line, [...(predicted.get(each.line) ?? []), each]);
  const isTimed = file.counted.some(({ nanoseconds = 0 }) => nanoseconds > 0);
  /** As kernels are ranked: by estimated time where there is one. */
  const part = ({ share: cost, timeShare = 0 }: LineView) => (isTimed ? timeShare : cost);
  const group = (start: number) => {
    const rows = Math.min(ROWS_OF_GROUP, file.lines.length - start);
    const made = element('div', { class: 'lines', set: { role: 'rowgroup' } });
    const hold = (pixels: number) => {
      made.style.height = `${pixels}px`;
      made.style.contain = 'strict';
    };
    hold(rows * ROW_PIXELS);
    let there = 0;
    /** Makes the next rows; true when all are there. */
    const grow = (most = rows) => {
      const end = Math.min(rows, there + most);
      for (; there < end; there++) {
        const line = start + there + 1;
        made.append(
          row(file, line, {
            counted: counted.get(line),
            predicted: predicted.get(line) ?? [],
            measured: measuredOf(line),
            part,
            open,
          }),
        );
      }
      if (there === rows) {
        made.style.height = '';
        made.style.contain = '';
      }
      return there === rows;
    };
    /** Thousands of rows would all be kept. Somebody reads what is open. */
    const empty = () => {
      if (!made.firstChild || made.querySelector('details[open], :focus')) return;
      hold(made.offsetHeight);
      made.replaceChildren();
      there = 0;
    };
    return { made, grow, empty };
  };
  const groups = Array.from({ length: Math.ceil(file.lines.length / ROWS_OF_GROUP) }, (_, index) => group(index * ROWS_OF_GROUP));
  const caption = l10n.t('{0}: counters of each line (simulated) beside findings (predicted)', file.name);
  const table = element(
    'div',
    { class: 'source', set: { role: 'table', 'aria-label': caption, 'aria-rowcount': String(file.lines.length + 1) } },
    element('div', { class: 'heading', set: { role: 'rowgroup' } }, headings(isTimed)),
    ...groups.map(({ made }) => made),
  );
  table.style.width = `max(100%, ${Math.round(OTHER_COLUMNS_PIXELS + CHARACTER_PIXELS * longest(file.lines))}px)`;
  const region = element(
    'div',
    { class: 'scroll', set: { tabindex: '0', role: 'region', 'aria-label': l10n.t('Source of {0}', file.name) } },
    table,
  );
  const byElement = new Map<Element, (typeof groups)[number]>(groups.map((each) => [each.made, each]));
  const growing = new Set<(typeof groups)[number]>();
  const growNext = () => {
    const [next] = growing;
    if (!next) return;
    if (next.grow(ROWS_OF_FRAME)) growing.delete(next);
    if (growing.size > 0) requestAnimationFrame(growNext);
  };
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target, boundingClientRect: at, rootBounds } of entries) {
        const found = byElement.get(target);
        if (!found) continue;
        growing.delete(found);
        const isSeen = !rootBounds || (at.bottom > rootBounds.top + AHEAD_PIXELS && at.top < rootBounds.bottom - AHEAD_PIXELS);
        if (!isIntersecting) found.empty();
        else if (isSeen) found.grow();
        else if (growing.add(found).size === 1) requestAnimationFrame(growNext);
      }
    },
    { root: region, rootMargin: `${AHEAD_PIXELS}px` },
  );
  for (const { made } of groups) observer.observe(made);
  return {
    element: region,
    reveal(line) {
      groups[Math.floor((line - 1) / ROWS_OF_GROUP)]?.grow();
      const target = region.querySelector<HTMLElement>(`[data-line="${line}"]`);
      target?.scrollIntoView({ block: 'center' });
      target?.focus();
    },
  };
}

function headings(isTimed: boolean): HTMLElement {
  const titles = [
    l10n.t('Line'),
    isTimed ? l10n.t('Time (estimated)') : l10n.t('Cost'),
    l10n.t('Code'),
    l10n.t('Simulated'),
    l10n.t('Predicted'),
  ];
  return element(
    'div',
    { class: 'line', set: { role: 'row', 'aria-rowindex': '1' } },
    ...titles.map((title, index) => element('div', { class: index === 0 ? 'right' : '', set: { role: 'columnheader' } }, title)),
  );
}

function longest(lines: readonly string[]): number {
  return lines.reduce((most, line) => Math.max(most, line.replaceAll('\t', '        ').length), 0);
}

interface LineFacts {
  readonly counted: LineView | undefined;
  readonly predicted: readonly PredictedView[];
  readonly measured: LineBeside | undefined;
  /** Of what all lines of the file take. */
  readonly part: (line: LineView) => number;
  readonly open: ((place: Place) => void) | undefined;
}

function row(file: FileView, line: number, { counted, predicted, measured, part, open }: LineFacts): HTMLElement {
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
    'div',
    { class: counted?.wasteful ? 'line wasteful' : 'line', set: { role: 'row', 'aria-rowindex': String(line + 1) } },
    cell(number, 'right'),
    cell(counted && share(part(counted))),
    cell(element('code', {}, file.lines[line - 1])),
    cell(counted && counters(counted, measured)),
    element('div', { set: { role: 'cell' } }, ...predicted.map(prediction)),
  );
}

function cell(content: Child, name = ''): HTMLElement {
  return element('div', { class: name, set: { role: 'cell' } }, content);
}

function counters({ text, counters: all, nanoseconds }: LineView, measured: LineBeside | undefined): HTMLElement {
  const items = () => [
    ...all.map(([words, value, ideal]) => element('li', {}, `${words}: ${withIdeal(value, ideal)}`)),
    ...(nanoseconds === undefined ? [] : [element('li', {}, l10n.t('{0} of the time of kernels (estimated)', duration(nanoseconds)))]),
    ...(measured ? measuredItems(measured).map((words) => element('li', {}, words)) : []),
  ];
  return folded(text === '' ? l10n.t('counted') : text, () => element('ul', {}, ...items()));
}

function withIdeal(value: number, ideal: number | undefined): string {
  return `${grouped(value)}${ideal === undefined || ideal === value ? '' : ` (${l10n.t('ideal {0}', grouped(ideal))})`}`;
}

function measuredItems(measured: LineBeside): string[] {
  const instructions = lineInstructions(measured);
  const { sampleShare = 0 } = measured;
  return [
    ...lineCounts(measured).map(({ words, value, ideal }) => l10n.t('measured: {0}: {1}', words, withIdeal(value, ideal))),
    ...(instructions
      ? [l10n.t('measured: {0} machine instructions with {1} lanes on average', grouped(instructions.warps), instructions.lanes.toFixed(1))]
      : []),
    ...(sampleShare > 0 ? [l10n.t('measured: {0} of the samples', percent(sampleShare))] : []),
    ...(measured.isPart ? [l10n.t('measured of some of its launches only')] : []),
  ];
}

function prediction({ rule, severity, message }: PredictedView): HTMLElement {
  return folded(`${severityWords(severity)}: ${rule}`, () => element('p', {}, ...prose(message)));
}

/** What is in it is made when somebody opens it. */
function folded(summary: string, content: () => HTMLElement): HTMLElement {
  const made = element('details', {}, element('summary', {}, summary));
  made.addEventListener('toggle', () => made.append(content()), { once: true });
  return made;
}

/** As the report was made: a saved page may have others. */
function severityWords(severity: string): string {
  return (
    { error: l10n.t('error'), warning: l10n.t('warning'), information: l10n.t('information'), hint: l10n.t('hint') }[severity] ?? severity
  );
}

/** The report page. In an editor's panel it gets what it shows by messages; as a file of its own it carries it along. */
import type { Place, ReportView } from '../../protocol/report-view.ts';
import type { ReportPicture } from '../../protocol/run.ts';
import { buffers, expectations } from './buffers.ts';
import { duration, element, grouped, headings, pictureUrl, shape, share, widePicture } from './dom.ts';
import { kernelDetails } from './kernel-details.ts';
import { type MeasuredRun, measuredOf, parseNsightCsv, toNsightCsv } from './nsight-csv.ts';
import { type SourceTable, sourceTable } from './source-table.ts';

/** What the page tells the editor. */
export type PageMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'open'; readonly place: Place }
  | { readonly kind: 'save'; readonly extension: 'csv' | 'json'; readonly text: string }
  | { readonly kind: 'save-page' }
  | { readonly kind: 'choose-measured' }
  | { readonly kind: 'problem'; readonly text: string };

/** What the editor tells the page. */
export type EditorMessage =
  | { readonly kind: 'show'; readonly view: ReportView }
  | { readonly kind: 'measured'; readonly name: string; readonly text: string }
  | { readonly kind: 'ground'; readonly dark: boolean };

declare function acquireVsCodeApi(): { postMessage(message: PageMessage): void };

const editor = typeof acquireVsCodeApi === 'function' ? acquireVsCodeApi() : undefined;
const main = document.querySelector('main')!;

let view: ReportView | undefined;
let chosen: string | undefined;
let baseline: number | undefined;
let measured: MeasuredRun | undefined;
let sources = new Map<string, SourceTable>();

const open = editor && ((place: Place) => editor.postMessage({ kind: 'open', place }));

window.addEventListener('message', ({ data }: MessageEvent<EditorMessage>) => {
  if (data.kind === 'show') show(data.view);
  if (data.kind === 'measured') takeMeasured(data.name, data.text);
});

// Pictures are drawn with the colours of the theme.
new MutationObserver(() => draw()).observe(document.body, { attributes: true, attributeFilter: ['data-vscode-theme-id'] });

const carried = document.getElementById('report');
if (carried?.textContent) show(JSON.parse(carried.textContent) as ReportView);
editor?.postMessage({ kind: 'ready' });

function show(next: ReportView): void {
  if (view?.program !== next.program) {
    chosen = undefined;
    measured = undefined;
  }
  // What was compared with is kept in mind by how long ago it was: a new run is compared with the one before it.
  if (baseline === undefined && view?.program === next.program && next.earlier.length > 0) baseline = 0;
  if (baseline !== undefined && baseline >= next.earlier.length) baseline = undefined;
  view = next;
  draw();
}

function takeMeasured(name: string, text: string): void {
  try {
    measured = parseNsightCsv(name, text);
    draw();
  } catch (error) {
    editor?.postMessage({ kind: 'problem', text: error instanceof Error ? error.message : String(error) });
  }
}

function draw(): void {
  if (!view) return;
  document.title = `${view.program}: report`;
  sources = new Map(view.files.map((file) => [file.path, sourceTable(file, open)]));
  const parts = [
    head(view),
    expectations(view.expectations),
    buffers(view.buffers),
    kernels(view),
    details(view),
    ...overall(view),
    ...pictures(view),
    source(view),
  ];
  main.replaceChildren(...parts.filter((part) => part !== undefined));
}

function head({ program, device, args, exit, headline, stale, faults, notes }: ReportView): HTMLElement {
  const { place } = headline;
  const go = place && element('button', { on: { click: () => reveal(place) } }, `Go to line ${place.line}`);
  return element(
    'header',
    {},
    element('h1', {}, `${[program, ...args].join(' ')} on ${device}`),
    element('p', { class: 'note' }, `Simulated: counted by running the program in the simulator. Exit code ${exit}.`),
    stale && element('p', { class: 'warning', set: { role: 'status' } }, 'A source or a setting has changed since this run.'),
    element('p', { id: 'headline' }, headline.text),
    headline.fix !== undefined && element('p', { id: 'fix' }, element('strong', {}, 'Predicted there: '), headline.fix),
    element('p', { class: 'actions' }, go, ...actions(), compareWith()),
    ...faults.map(({ text }) => element('p', { class: 'warning' }, text)),
    ...notes.map((text) => element('p', { class: 'note' }, text)),
  );
}

function actions(): HTMLElement[] {
  if (!editor || !view) return [];
  const { program, report } = view;
  const button = (text: string, message: () => PageMessage) =>
    element('button', { on: { click: () => editor.postMessage(message()) } }, text);
  return [
    button('Save as HTML…', () => ({ kind: 'save-page' })),
    button('Save as JSON…', () => ({ kind: 'save', extension: 'json', text: `${JSON.stringify(report, null, 1)}\n` })),
    button('Save as CSV…', () => ({ kind: 'save', extension: 'csv', text: toNsightCsv(program, report.kernels) })),
    button('Add Nsight Compute’s CSV…', () => ({ kind: 'choose-measured' })),
  ];
}

function compareWith(): HTMLElement | false {
  if (!view || view.earlier.length === 0) return false;
  const options = view.earlier.map(({ name }, index) => element('option', { set: { value: String(index) } }, name));
  const select = element(
    'select',
    {
      id: 'baseline',
      on: {
        change: () => {
          baseline = select.value === '' ? undefined : Number(select.value);
          draw();
          document.getElementById('baseline')?.focus();
        },
      },
    },
    element('option', { set: { value: '' } }, 'no run'),
    ...options,
  );
  select.value = baseline === undefined ? '' : String(baseline);
  return element('label', {}, 'Compare with ', select);
}

function kernels({ kernels: all }: ReportView): HTMLElement {
  const timed = all.some(({ time }) => time);
  const rows = all.map((kernel) => {
    const launched = kernel.launches.reduce((sum, { count }) => sum + count, 0);
    const [{ grid, block }] = kernel.launches;
    const select = () => {
      chosen = kernel.kernel;
      draw();
      document.getElementById('kernel-name')?.focus();
    };
    return element(
      'tr',
      { class: kernel === current() ? 'chosen' : '' },
      element('th', { set: { scope: 'row' } }, element('button', { class: 'link', on: { click: select } }, kernel.kernel)),
      ...(timed ? [element('td', { class: 'right' }, kernel.time && duration(kernel.time.nanoseconds))] : []),
      ...(timed ? [element('td', { class: 'cost' }, kernel.time?.share !== undefined && share(kernel.time.share))] : []),
      element('td', { class: 'cost' }, share(kernel.share)),
      element('td', { class: 'right' }, grouped(launched)),
      element('td', {}, kernel.launches.length === 1 ? `${shape(grid)} blocks of ${shape(block)}` : `${kernel.launches.length} shapes`),
      element('td', {}, kernel.figures.map(({ words, value, as }) => figureWords(words, value, as)).join(' · ')),
    );
  });
  return element(
    'section',
    { set: { 'aria-label': 'Kernels' } },
    element('h2', {}, 'Kernels'),
    element(
      'table',
      { id: 'kernels' },
      element('caption', {}, 'By share of cost: instructions, sectors, wavefronts and turns of atomics, weighed; only for ranking'),
      headings(
        'Kernel',
        ...(timed
          ? ([
              ['Time (estimated)', 'right'],
              ['Share', 'cost'],
            ] as const)
          : []),
        ['Cost', 'cost'],
        ['Launches', 'right'],
        'Shape',
        'Counted (simulated)',
      ),
      element('tbody', {}, ...rows),
    ),
  );
}

function figureWords(words: string, value: number, as: 'count' | 'mean' | 'share'): string {
  return as === 'count'
    ? `${grouped(value)} ${words}`
    : as === 'mean'
      ? `${value.toFixed(1)} ${words}`
      : `${Math.round(100 * value)} % ${words}`;
}

function current() {
  return view?.kernels.find(({ kernel }) => kernel === chosen) ?? view?.kernels[0];
}

function details({ kernels: all, earlier }: ReportView): HTMLElement {
  const kernel = current();
  if (!kernel) return element('section', { set: { 'aria-label': 'Kernel' } });
  const names = all.map((each) => each.kernel);
  return kernelDetails(kernel, {
    earlier: baseline === undefined ? undefined : earlier[baseline],
    measured: measuredOf(measured, kernel.kernel, names),
  });
}

/** The program as a whole. */
function overall({ roofline, timeline }: ReportView): HTMLElement[] {
  return [
    roofline && drawn('roofline', 'Roofline (estimated)', roofline),
    timeline && drawn('timeline', 'Streams over time (estimated)', timeline),
  ].filter((each) => each !== undefined);
}

function drawn(id: string, title: string, { svg, words }: ReportPicture): HTMLElement {
  return element('section', { id, set: { 'aria-label': title } }, element('h2', {}, title), widePicture({ svg, words }));
}

function pictures({ files }: ReportView): HTMLElement[] {
  const found = files.flatMap((file) => file.predicted.flatMap((each) => (each.picture ? [{ file, each, picture: each.picture }] : [])));
  if (found.length === 0) return [];
  const figures = found.map(({ file, each, picture }) =>
    element(
      'figure',
      {},
      element('img', { set: { src: pictureUrl(picture.svg), alt: picture.words } }),
      element('figcaption', {}, `${file.name}:${each.line}, ${each.rule} (predicted): ${picture.words}`),
    ),
  );
  const title = element('h2', {}, 'Pictures');
  return [element('section', { set: { 'aria-label': 'Pictures' } }, title, element('div', { class: 'pictures' }, ...figures))];
}

function source({ files }: ReportView): HTMLElement {
  return element(
    'section',
    { set: { 'aria-label': 'Source' } },
    element('h2', {}, 'Source'),
    ...files.flatMap(({ name, path }) => [element('h3', {}, name), sources.get(path)!.element]),
  );
}

function reveal(place: Place): void {
  sources.get(place.path)?.reveal(place.line);
}

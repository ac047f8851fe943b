/** The report page. In an editor's panel it gets what it shows by messages; as a file of its own it carries it along. */

import { duration } from '../../counters/durations.ts';
import { fileNamed } from '../../counters/file-names.ts';
import { grouped } from '../../counters/grouped.ts';
import { plainName } from '../../counters/kernel-names.ts';
import { percent } from '../../counters/percent.ts';
import { l10n, speak, type Texts } from '../../counters/spoken.ts';
import {
  besideMeasured,
  clockNote,
  type EstimateBeside,
  type KernelBeside,
  type LineBeside,
  linesBeside,
  type RunBeside,
} from '../../measured/beside.ts';
import type { MeasuredRun } from '../../measured/launches.ts';
import { MOST_MEASURED_BYTES, readMeasured } from '../../measured/read-measured.ts';
import type { FigureView, KernelView, Place, ReportView } from '../../protocol/report-view.ts';
import type { ReportPicture } from '../../protocol/run.ts';
import { buffers, expectations } from './buffers.ts';
import { drawing, element, headings, prose, shape, share, widePicture } from './dom.ts';
import { whenDropped } from './dropped-files.ts';
import { type Baseline, kernelDetails } from './kernel-details.ts';
import { orders } from './orders.ts';
import { type SourceTable, sourceTable } from './source-table.ts';

export type ReportFormat = 'html' | 'json' | 'csv';

/** What the page tells the editor. */
export type PageMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'open'; readonly place: Place }
  | { readonly kind: 'save'; readonly format: ReportFormat }
  | { readonly kind: 'choose-measured' }
  /** A file of the explorer's was dropped. */
  | { readonly kind: 'dropped'; readonly uri: string }
  | { readonly kind: 'problem'; readonly text: string };

/** What the editor tells the page. */
export type EditorMessage =
  | { readonly kind: 'show'; readonly view: ReportView; readonly texts?: Texts }
  | { readonly kind: 'measured'; readonly name: string; readonly bytes: Uint8Array }
  | { readonly kind: 'ground'; readonly dark: boolean };

declare function acquireVsCodeApi(): { postMessage(message: PageMessage): void };

const editor = typeof acquireVsCodeApi === 'function' ? acquireVsCodeApi() : undefined;
const main = document.querySelector('main')!;

let view: ReportView | undefined;
let chosen: string | undefined;
/** How many runs ago, or another kernel of this one. */
let baseline: number | string | undefined;
let measured: MeasuredRun | undefined;
/** What of it stands beside the run that is shown. */
let beside: RunBeside | undefined;
/** Of the last file with measured counters. */
let problem: string | undefined;
let sources = new Map<string, SourceTable>();

const open = editor && ((place: Place) => editor.postMessage({ kind: 'open', place }));

window.addEventListener('message', ({ data }: MessageEvent<EditorMessage>) => {
  if (data.kind === 'show') {
    speak(data.texts ?? {});
    show(data.view);
  }
  if (data.kind === 'measured') takeMeasured(data.name, data.bytes);
});

whenDropped(takeFile, (uri) => editor?.postMessage({ kind: 'dropped', uri }));

// Pictures are drawn with the colours of the theme.
new MutationObserver(() => draw()).observe(document.body, { attributes: true, attributeFilter: ['data-vscode-theme-id'] });

const carried = (id: string) => document.getElementById(id)?.textContent;
speak(JSON.parse(carried('texts') || '{}') as Texts);
const report = carried('report');
if (report) show(JSON.parse(report) as ReportView);
editor?.postMessage({ kind: 'ready' });

function show(next: ReportView): void {
  if (view?.program !== next.program) {
    chosen = undefined;
    measured = undefined;
    problem = undefined;
    baseline = undefined;
    // Of another program, nobody has read anything yet.
    window.scrollTo(0, 0);
  }
  // What was compared with is kept in mind by how long ago it was: a run is compared with the one before it, as at its lines.
  if (baseline === undefined && next.earlier.length > 0) baseline = 0;
  if (typeof baseline === 'number' && baseline >= next.earlier.length) baseline = undefined;
  if (typeof baseline === 'string' && !next.kernels.some(({ kernel }) => kernel === baseline)) baseline = undefined;
  view = next;
  setBeside();
  draw();
}

function setBeside(): void {
  beside = measured && view && besideMeasured(measured.launches, view.report);
}

function takeFile(file: File): void {
  if (file.size > MOST_MEASURED_BYTES) sayProblem(l10n.t('{0} is larger than {1} MiB.', file.name, MOST_MEASURED_BYTES >> 20));
  else file.arrayBuffer().then((bytes) => takeMeasured(file.name, new Uint8Array(bytes)), sayProblem);
}

function takeMeasured(name: string, bytes: Uint8Array): void {
  try {
    measured = readMeasured(name, bytes);
    problem = undefined;
  } catch (error) {
    sayProblem(error);
    return;
  }
  setBeside();
  draw();
}

function sayProblem(error: unknown): void {
  problem = error instanceof Error ? error.message : String(error);
  editor?.postMessage({ kind: 'problem', text: problem });
  draw();
}

function draw(): void {
  if (!view) return;
  document.title = `${view.program}: report`;
  const measuredLines = beside ? linesByPath(beside, view) : new Map<string, LineBeside>();
  sources = new Map(
    view.files.map((file) => [file.path, sourceTable(file, { open, measuredOf: (line) => measuredLines.get(`${file.path}:${line}`) })]),
  );
  const parts = [
    head(view),
    expectations(view.expectations),
    buffers(view.buffers),
    view.orders && orders(view.orders),
    kernels(view),
    details(view),
    ...overall(view),
    ...pictures(view),
    source(view),
  ];
  const shown = inSight();
  main.replaceChildren(...parts.filter((part) => part !== undefined));
  if (shown) keepInSight(shown);
}

/** A part of the page, and how far below the window's top it begins. */
interface InSight {
  readonly name: string;
  readonly top: number;
}

const nameOf = (part: Element) => part.id || (part.getAttribute('aria-label') ?? part.tagName);

/** What somebody looks at: the first part that is not above the window. Nothing where the page is at its top. */
function inSight(): InSight | undefined {
  if (window.scrollY === 0) return undefined;
  const part = [...main.children].find((each) => each.getBoundingClientRect().bottom > 0);
  return part && { name: nameOf(part), top: part.getBoundingClientRect().top };
}

/** So many frames: parts have their heights only when they have been laid out once. */
const SETTLING_FRAMES = 12;

function keepInSight({ name, top }: InSight): void {
  let frames = 0;
  const move = () => {
    const part = [...main.children].find((each) => nameOf(each) === name);
    if (!part) return;
    window.scrollBy(0, part.getBoundingClientRect().top - top);
    if (++frames < SETTLING_FRAMES) requestAnimationFrame(move);
  };
  move();
}

function head({ program, device, args, exit, headline, stale, faults, notes }: ReportView): HTMLElement {
  const { place } = headline;
  const go = place && element('button', { on: { click: () => reveal(place) } }, l10n.t('Go to line {0}', place.line));
  return element(
    'header',
    {},
    element('h1', {}, l10n.t('{0} on {1}', [program, ...args].join(' '), device)),
    element('p', { class: 'note' }, l10n.t('Simulated: counted by running the program in the simulator. Exit code {0}.', exit)),
    stale && element('p', { class: 'warning', set: { role: 'status' } }, l10n.t('A source or a setting has changed since this run.')),
    // A number and its unit stay on one line.
    element('p', { id: 'headline' }, ...prose(headline.text.replace(/(\d) %/g, '$1\u00a0%'))),
    headline.fix !== undefined &&
      element('p', { id: 'fix' }, element('strong', {}, l10n.t('Predicted there:')), ' ', ...prose(headline.fix)),
    element('p', { class: 'actions' }, go, ...actions(), compareWith()),
    // An editor says so by itself.
    !editor && problem !== undefined && element('p', { class: 'warning', set: { role: 'alert' } }, problem),
    // The first one is the headline.
    ...faults
      .slice(1)
      .map(({ text, place: at }) =>
        element(
          'p',
          { class: 'warning' },
          text,
          ' ',
          at && element('button', { on: { click: () => reveal(at) } }, l10n.t('Go to line {0}', at.line)),
        ),
      ),
    ...[...notes, ...measuredNotes()].map((text) => element('p', { class: 'note' }, text)),
  );
}

function measuredNotes(): string[] {
  if (!measured || !beside) return [];
  const source = measured.device === undefined ? measured.name : `${measured.name}, ${measured.device}`;
  const clock = clockNote(beside);
  const further = clock === undefined ? [] : [clock];
  if (beside.alone === 0) return [l10n.t('Beside what is simulated stands what a GPU measured: {0}.', source), ...further];
  const count = measured.launches.length;
  return [
    l10n.t(
      'Beside what is simulated stands what a GPU measured: {0}. {1} of its {2} launches have another kernel, grid or block, and are left out.',
      ...[source, grouped(beside.alone), grouped(count)],
    ),
    ...further,
  ];
}

function actions(): HTMLElement[] {
  if (!editor || !view) return [];
  const button = (text: string, message: PageMessage) => element('button', { on: { click: () => editor.postMessage(message) } }, text);
  return [
    button(l10n.t('Save as HTML…'), { kind: 'save', format: 'html' }),
    button(l10n.t('Save as JSON…'), { kind: 'save', format: 'json' }),
    button(l10n.t('Save as CSV…'), { kind: 'save', format: 'csv' }),
    button(l10n.t('Add What a GPU Measured…'), { kind: 'choose-measured' }),
  ];
}

function compareWith(): HTMLElement | false {
  const shown = current();
  if (!view || !shown) return false;
  const others = view.kernels.filter((kernel) => kernel !== shown);
  if (view.earlier.length + others.length === 0) return false;
  const options = [
    ...view.earlier.map(({ name }, index) => element('option', { set: { value: String(index) } }, name)),
    ...others.map(({ kernel }) => element('option', { set: { value: kernel } }, kernel)),
  ];
  const select = element(
    'select',
    {
      id: 'baseline',
      on: {
        change: () => {
          baseline = select.value === '' ? undefined : /^\d+$/.test(select.value) ? Number(select.value) : select.value;
          draw();
          document.getElementById('baseline')?.focus();
        },
      },
    },
    element('option', { set: { value: '' } }, l10n.t('nothing')),
    ...options,
  );
  select.value = baseline === undefined || baseline === shown.kernel ? '' : String(baseline);
  return element('label', {}, l10n.t('Compare with'), ' ', select);
}

function kernels({ kernels: all }: ReportView): HTMLElement {
  const timed = all.some(({ time }) => time);
  const taken = all.map((kernel) => besideOf(kernel)?.estimates.find(({ what }) => what === 'time'));
  const isTaken = timed && taken.some((each) => each !== undefined);
  const names = shortNames(all.map(({ kernel }) => kernel));
  const rows = all.map((kernel, index) => {
    const launched = kernel.launches.reduce((sum, { count }) => sum + count, 0);
    const [{ grid, block }] = kernel.launches;
    const select = () => {
      chosen = kernel.kernel;
      draw();
      document.getElementById('kernel-name')?.focus();
    };
    const launchedAs =
      kernel.launches.length === 1 ? l10n.t('{0} blocks of {1}', shape(grid), shape(block)) : l10n.t('{0} shapes', kernel.launches.length);
    const counted = kernel.figures.map(figureWords);
    const name = { title: kernel.kernel, 'aria-label': kernel.kernel };
    return element(
      'tr',
      { class: kernel === current() ? 'chosen' : '' },
      element(
        'th',
        { set: { scope: 'row' } },
        element('button', { class: 'link', on: { click: select }, set: name }, names[index]),
        element('span', { class: 'below' }, [launchedAs, ...counted].join(' · ')),
      ),
      ...(timed ? [element('td', { class: 'right' }, kernel.time && duration(kernel.time.nanoseconds))] : []),
      ...(isTaken ? [element('td', { class: 'right' }, measuredTime(taken[index], besideOf(kernel)))] : []),
      ...(timed ? [element('td', { class: 'cost' }, kernel.time?.share !== undefined && share(kernel.time.share))] : []),
      element('td', { class: timed ? 'cost aside' : 'cost' }, share(kernel.share)),
      element('td', { class: 'right' }, grouped(launched)),
      element('td', { class: 'aside' }, launchedAs),
      element('td', { class: 'aside' }, counted.join(' · ')),
    );
  });
  return element(
    'section',
    { set: { 'aria-label': l10n.t('Kernels') } },
    element('h2', {}, l10n.t('Kernels')),
    element(
      'div',
      { class: 'wide', set: { tabindex: '0', role: 'group', 'aria-label': l10n.t('Kernels') } },
      element(
        'table',
        { id: 'kernels' },
        element(
          'caption',
          {},
          timed
            ? l10n.t('By estimated time. Cost is instructions, sectors, wavefronts and turns of atomics, weighed')
            : l10n.t('By share of cost: instructions, sectors, wavefronts and turns of atomics, weighed; only for ranking'),
        ),
        headings(
          l10n.t('Kernel'),
          ...(timed
            ? ([
                [l10n.t('Time (estimated)'), 'right'],
                ...(isTaken ? [[l10n.t('Time (measured)'), 'right'] as const] : []),
                [l10n.t('Share'), 'cost'],
              ] as const)
            : []),
          [l10n.t('Cost'), timed ? 'cost aside' : 'cost'],
          [l10n.t('Launches'), 'right'],
          [l10n.t('Shape'), 'aside'],
          [l10n.t('Counted (simulated)'), 'aside'],
        ),
        element('tbody', {}, ...rows),
      ),
    ),
  );
}

const LONGEST_NAME = 48;

/** Of kernels without what they take, which tooltips have, where that tells them apart. */
function shortNames(kernels: readonly string[]): readonly string[] {
  const short = kernels.map((kernel) => {
    const name = plainName(kernel);
    return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
  });
  return kernels.map((kernel, index) => (short.indexOf(short[index]) === short.lastIndexOf(short[index]) ? short[index] : kernel));
}

/** By `path:line`. */
function linesByPath(run: RunBeside, { files, report: { lines } }: ReportView): ReadonlyMap<string, LineBeside> {
  const paths = files.map(({ path }) => path);
  return new Map(
    [...linesBeside(run, lines)].flatMap(([place, measuredLine]) => {
      const colon = place.lastIndexOf(':');
      const path = fileNamed(place.slice(0, colon), paths);
      return path === undefined ? [] : [[`${path}${place.slice(colon)}`, measuredLine] as const];
    }),
  );
}

function besideOf({ kernel }: KernelView): KernelBeside | undefined {
  return beside?.kernels.find((each) => each.kernel === kernel);
}

function measuredTime(time: EstimateBeside | undefined, kernel: KernelBeside | undefined): string {
  if (!time || !kernel) return '–';
  const text = duration(time.measured);
  return kernel.launches === kernel.of ? text : l10n.t('{0}, {1} of {2} launches', text, grouped(kernel.launches), grouped(kernel.of));
}

function figureWords({ phrase, value, as }: FigureView): string {
  return phrase.replace('*', as === 'count' ? grouped(value) : as === 'mean' ? value.toFixed(1) : percent(value));
}

function current() {
  return view?.kernels.find(({ kernel }) => kernel === chosen) ?? view?.kernels[0];
}

function details({ kernels: all, earlier }: ReportView): HTMLElement {
  const kernel = current();
  if (!kernel) return element('section', { set: { 'aria-label': l10n.t('Kernel') } });
  return kernelDetails(kernel, { baseline: comparedWith(kernel, all, earlier), measured: besideOf(kernel) });
}

function comparedWith(kernel: KernelView, all: readonly KernelView[], earlier: ReportView['earlier']): Baseline | undefined {
  if (typeof baseline === 'number') {
    const { name, kernels: then } = earlier[baseline];
    return { name, kernel: then.find((each) => each.kernel === kernel.kernel) };
  }
  const index = all.findIndex((each) => each.kernel === baseline);
  const other = all[index];
  return other && other !== kernel ? { name: shortNames(all.map((each) => each.kernel))[index], kernel: other } : undefined;
}

/** The program as a whole. */
function overall({ roofline, timeline }: ReportView): HTMLElement[] {
  return [
    roofline && drawn('roofline', l10n.t('Roofline (estimated)'), roofline),
    timeline && drawn('timeline', l10n.t('Streams over time (estimated)'), timeline),
  ].filter((each) => each !== undefined);
}

function drawn(id: string, title: string, shown: ReportPicture): HTMLElement {
  return element('section', { id, set: { 'aria-label': title } }, element('h2', {}, title), widePicture(shown));
}

function pictures({ files }: ReportView): HTMLElement[] {
  const found = files.flatMap((file) => file.predicted.flatMap((each) => (each.picture ? [{ file, each, picture: each.picture }] : [])));
  if (found.length === 0) return [];
  const figures = found.map(({ file, each, picture }) =>
    element(
      'figure',
      {},
      drawing(picture.svg, picture.words),
      element('figcaption', {}, `${l10n.t('{0}:{1}, {2} (predicted)', file.name, each.line, each.rule)}: ${picture.words}`),
    ),
  );
  const title = element('h2', {}, l10n.t('Pictures'));
  return [element('section', { set: { 'aria-label': l10n.t('Pictures') } }, title, element('div', { class: 'pictures' }, ...figures))];
}

function source({ files }: ReportView): HTMLElement {
  return element(
    'section',
    { set: { 'aria-label': l10n.t('Source') } },
    element('h2', {}, l10n.t('Source')),
    ...files.flatMap(({ name, path }) => [element('h3', {}, name), sources.get(path)!.element]),
  );
}

function reveal(place: Place): void {
  sources.get(place.path)?.reveal(place.line);
}

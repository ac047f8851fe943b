/** The report page in a browser: accessible in every theme, fast with long programs, exact in what it compares and exports. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noCounts } from '../../counters/counters.ts';
import { toNsightCsv } from '../../measured/nsight-csv.ts';
import type { KernelReport } from '../../protocol/report.ts';
import type { KernelView, ReportView } from '../../protocol/report-view.ts';
import { NARROW } from '../../simulator/timeline/svg.ts';
import { root, violations } from './vscode.ts';

const GROUNDS = {
  light: { class: 'vscode-light', '--vscode-editor-background': '#ffffff', '--vscode-editor-foreground': '#3b3b3b' },
  dark: {
    class: 'vscode-dark',
    '--vscode-editor-background': '#1f1f1f',
    '--vscode-editor-foreground': '#cccccc',
    '--vscode-textLink-foreground': '#4daafc',
  },
  'high contrast': {
    class: 'vscode-high-contrast',
    '--vscode-editor-background': '#000000',
    '--vscode-editor-foreground': '#ffffff',
    '--vscode-textLink-foreground': '#21a6ff',
    '--vscode-button-background': '#000000',
    '--vscode-contrastBorder': '#6fc3df',
  },
} as const;

/** At 60 a second. */
const FRAME_MICROSECONDS = 1e6 / 60;

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** When it began, in microseconds. */
  readonly ts: number;
  /** Of the thread's processor time, in microseconds. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
  page = await (await browser.newContext({ viewport: { width: 1200, height: 900 } })).newPage();
  page.setDefaultTimeout(60_000);
});
afterAll(() => browser.close());

const PICTURE = { svg: '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="40"><text y="20">x</text></svg>', words: 'a picture' };
const FITTING = { ...PICTURE, narrow: PICTURE.svg.replace('900', String(NARROW)) };

function kernel(index: number): KernelView {
  const metrics = {
    'l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum': 8,
    'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum': 256,
    'a_metric_of_tomorrow.sum': 7,
  };
  return {
    kernel: `void gather${index}<float>(const float *, float *, int)`,
    share: 1 / (index + 1),
    launches: [{ count: 3, grid: [2, 1, 1], block: [128, 1, 1], residentBlocks: 16, limit: 'the number of warps', warps: [64, 64] }],
    time: {
      nanoseconds: 12_340,
      share: 0.5,
      limit: 'DRAM',
      parts: [
        ['DRAM', 12_000],
        ['latency', 800],
      ],
    },
    memory: FITTING,
    blocks: FITTING,
    contention: FITTING,
    metrics,
    figures: [{ words: 'sectors per request', phrase: '* sectors per request', value: 32, ideal: 4, as: 'mean' }],
  };
}

function view(kernels: number, lines: number): ReportView {
  const all = Array.from({ length: kernels }, (_, index) => kernel(index));
  const text = Array.from({ length: lines }, (_, index) => `  out[i + ${index}] = in[i * 32]; // <b>${index}</b>`);
  const report = {
    schema: 1 as const,
    program: 'gather.cu',
    args: [],
    device: 'h200',
    exit: 0,
    compileMs: 1,
    simulateMs: 1,
    kernels: [
      {
        kernel: all[0].kernel,
        grid: [2, 1, 1] as [number, number, number],
        block: [128, 1, 1] as [number, number, number],
        metrics: { ...all[0].metrics },
        estimate: { ns: 12_340, registers: 16, instructions: { issued: 30_000 } } as unknown as NonNullable<KernelReport['estimate']>,
      },
    ],
    lines: {},
    faults: [],
  };
  return {
    buffers: [{ name: 'y', type: 'float', count: 3, before: [1, 2, 3], after: [1, 2.5, 'nan'], expected: [1, 2, 4], wrong: 2 }],
    expectations: [{ path: '/p/gather.cu', line: 1, text: 'gather: sectors per load <= 4', kept: false, found: '32' }],
    orders: {
      text: '8 orders of threads, 2 different results: a race decides which',
      results: [
        { orders: ['as-launched'], lines: ['last 7'] },
        { orders: ['reversed', 'adversarial'], lines: ['last 0'] },
      ],
    },
    roofline: FITTING,
    timeline: FITTING,
    program: 'gather.cu',
    device: 'NVIDIA H200',
    args: [],
    exit: 0,
    stale: true,
    headline: { text: 'gather0 costs most.', fix: 'lanes are 128 bytes apart.', place: { path: '/p/gather.cu', line: lines } },
    kernels: all,
    files: [
      {
        name: 'gather.cu',
        path: '/p/gather.cu',
        lines: text,
        counted: text.map((_, index) => ({
          line: index + 1,
          share: 1 / lines,
          text: '8.0× ideal sectors',
          wasteful: true,
          counters: [['global memory sectors', 256, 32]] as const,
          nanoseconds: index === 0 ? 300 : 100,
          timeShare: (index === 0 ? 300 : 100) / (200 + 100 * lines),
        })),
        predicted: [
          {
            line: 1,
            rule: 'uncoalesced-access',
            severity: 'warning',
            message: 'lanes are 128 bytes apart',
            picture: {
              svg: '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><text y="15" fill="currentColor">32</text></svg>',
              words: '32 sectors',
            },
          },
        ],
      },
    ],
    faults: [],
    notes: [],
    earlier: [
      {
        name: 'run 1',
        device: 'h200',
        kernels: [{ ...all[0], metrics: { ...all[0].metrics, 'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum': 32 } }],
      },
    ],
    report,
  };
}

/** As the extension's panel has it. `said` collects what the page tells the editor. */
async function open(shown: ReportView, ground: (typeof GROUNDS)[keyof typeof GROUNDS] = GROUNDS.light): Promise<void> {
  const { class: name, ...variables } = ground;
  const style = Object.entries(variables).map(([key, value]) => `${key}: ${value};`);
  const dist = (file: string) => readFileSync(join(root, 'dist', file), 'utf8');
  await page.setContent(`<!DOCTYPE html><html lang="en"><head><title>report</title><style>:root { ${style.join(' ')} }</style><style>${dist('report-page.css')}</style></head>
    <body class="${name}"><main></main><script>const said = []; function acquireVsCodeApi() { return { postMessage: (message) => said.push(message) }; }</script>
    <script>${dist('report-page.js')}</script></body></html>`);
  await page.evaluate((data) => window.postMessage({ kind: 'show', view: data }, '*'), shown as never);
  await page.locator('#headline').waitFor();
}

/** As the editor sends what it has read. */
async function addMeasured(name: string, text: string): Promise<void> {
  await page.evaluate(
    ([file, content]) => window.postMessage({ kind: 'measured', name: file, bytes: new TextEncoder().encode(content) }, '*'),
    [name, text],
  );
}

/** In the page: milliseconds until what it is shown is drawn. */
async function showing(data: ReportView): Promise<number> {
  const begin = performance.now();
  window.postMessage({ kind: 'show', view: data }, '*');
  while (document.querySelectorAll('#kernels tbody tr').length !== data.kernels.length)
    await new Promise((resolve) => requestAnimationFrame(resolve));
  await new Promise((resolve) => requestAnimationFrame(resolve));
  return performance.now() - begin;
}

const MEASURED = [
  '==PROF== Connected',
  '"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"',
  '"0","void gather0<float>(const T1 *, T1 *, int)","l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum","sector","1,024"',
  '"0","void gather0<float>(const T1 *, T1 *, int)","gpu__time_duration.sum","us","11.22"',
].join('\n');

/** In microseconds, between two callbacks of animation frames: what the page's thread worked, whatever else the machine did meanwhile. */
function workOfFrames(events: readonly TraceEvent[]): number[] {
  const main = events.find(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')!;
  const own = events.filter(({ pid, tid }) => pid === main.pid && tid === main.tid).sort((a, b) => a.ts - b.ts);
  const work: number[] = [];
  let isNext = true;
  for (const { name, tdur = 0 } of own) {
    // A frame's callbacks run in one task.
    if (name === 'FireAnimationFrame' && isNext) work.push(0);
    else if (name === 'RunTask' && work.length > 0) work[work.length - 1] += tdur;
    isNext = name === 'RunTask' || (isNext && name !== 'FireAnimationFrame');
  }
  return work;
}

const said = () => page.evaluate('said') as Promise<{ kind: string; text: string; place?: unknown }[]>;

describe('the report page', () => {
  it.each(Object.entries(GROUNDS))('has no violation of accessibility rules in %s', async (_, ground) => {
    await open(view(3, 30), ground);
    // With all that may be shown: compared with a run and with a GPU, every detail open.
    await page.locator('#baseline').selectOption('0');
    await addMeasured('gpu.csv', MEASURED);
    await page.locator('th', { hasText: 'Measured' }).first().waitFor();
    for (const id of [
      'expectations',
      'buffers',
      'orders',
      'kernels',
      'time',
      'memory',
      'blocks',
      'contention',
      'launches',
      'counters',
      'roofline',
      'timeline',
    ])
      await page.locator(`#${id}`).waitFor();
    // Rows come a moment after their table comes into sight.
    await page.locator('.source').first().scrollIntoViewIfNeeded();
    await page.locator('.source details').last().waitFor();
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
    });
    expect(await page.locator('img').evaluateAll((images) => images.filter((image) => !image.getAttribute('alt')).length)).toBe(0);
    await page.evaluate(axe.source);
    expect(await violations(page)).toEqual([]);
  });

  it('opens 100 kernels and 10,000 lines in under a second, and reaches the last line', async () => {
    const long = view(100, 10_000);
    await open(view(1, 1));
    // The browser's own clock of the page's thread: what else the machine does takes nothing of it.
    const browserClock = await page.context().newCDPSession(page);
    await browserClock.send('Performance.enable', { timeDomain: 'threadTicks' });
    const busy = async () => (await browserClock.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')!.value;
    const before = await busy();
    const waited = await page.evaluate(showing, long as never);
    const milliseconds = 1000 * ((await busy()) - before);
    console.log(`report of 100 kernels and 10,000 lines: ${Math.round(milliseconds)} ms of work, ${Math.round(waited)} ms waited`);
    expect(milliseconds).toBeGreaterThan(10);
    expect(milliseconds).toBeLessThan(1000);
    await page.locator('button', { hasText: 'Go to line 10000' }).press('Enter');
    await page.locator('[data-line="10000"]').press('Enter');
    expect((await said()).at(-1)).toEqual({ kind: 'open', place: { path: '/p/gather.cu', line: 10_000 } });
    expect(await page.locator('code').filter({ hasText: '<b>9999</b>' }).count()).toBe(1);
  });

  it('scrolls through 10,000 lines without a frame that its own work drops', async () => {
    await open(view(100, 10_000));
    const table = page.locator('.scroll').first();
    await table.scrollIntoViewIfNeeded();
    await browser.startTracing(page, { categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'] });
    // A notch of a wheel in every frame.
    const frames = await table.evaluate(async (element) => {
      let drawn = 0;
      for (; element.scrollTop < 30_000; drawn++) {
        element.scrollTop += 120;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      return drawn;
    });
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
    const work = workOfFrames(traceEvents);
    const mean = work.reduce((sum, each) => sum + each, 0) / frames;
    const median = work.toSorted((a, b) => a - b)[work.length >> 1];
    const late = work.filter((each) => each > FRAME_MICROSECONDS).length;
    const said = [mean, median].map((each) => (each / 1000).toFixed(1));
    console.log(`scrolling: ${said[0]} ms of work for each of ${frames} frames, half of them below ${said[1]}, ${late} late`);
    expect(work.length).toBeGreaterThan(240);
    // Each brings as many rows as go, so that none is late on a machine of today, and few on a slow one.
    expect(late).toBeLessThan(0.2 * frames);
    expect(mean).toBeLessThan(FRAME_MICROSECONDS);
  });

  it('compares with an earlier run and with what Nsight Compute measured', async () => {
    await open(view(1, 3));
    expect(await page.locator('#kernels tbody').textContent()).toContain('12.3 µs');
    expect(await page.locator('#time').textContent()).toContain('limited by DRAM (estimated)');
    // Lines are compared by time, too: 300 of 500 ns.
    await page.locator('.source').scrollIntoViewIfNeeded();
    await page.locator('.source [role=columnheader]', { hasText: 'Time (estimated)' }).waitFor();
    expect(await page.locator('.source .lines .number').first().textContent()).toBe('60 %');
    await page.locator('#baseline').selectOption('0');
    await page.locator('#counters th', { hasText: 'run 1' }).waitFor();
    const sectors = page.locator('#counters tr').filter({ hasText: 'op_ld.sum' }).filter({ hasText: 'sectors' });
    expect(await sectors.locator('td').allTextContents()).toEqual(['l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum', '256', '32', '× 8.0']);
    expect(await page.locator('#counters').textContent()).toContain('a_metric_of_tomorrow.sum');
    await addMeasured('gpu.csv', MEASURED);
    await page.locator('th', { hasText: 'Measured' }).first().waitFor();
    expect(await sectors.locator('td').allTextContents()).toEqual([
      'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum',
      '256',
      '1,024',
      '÷ 4.0',
      '32',
      '× 8.0',
    ]);
    // Beside the estimate, of all kernels and of this one.
    expect(await page.locator('#kernels tbody td').nth(1).textContent()).toBe('11.2 µs');
    expect(await page.locator('#estimates tbody td').allTextContents()).toEqual([
      'gpu__time_duration.sum',
      '12.3 µs',
      '11.2 µs',
      '+10.0 %',
    ]);
    await addMeasured('no.csv', 'a,b\n');
    await page.waitForFunction('said.at(-1).kind === "problem"');
    expect((await said()).at(-1)!.text).toContain('no column "Kernel Name"');
  });

  it('takes a file with measured counters that is dropped on it', async () => {
    await open(view(1, 3));
    const drop = (data: Readonly<Record<string, string>>, file?: string) =>
      page.evaluate(
        ([types, text]) => {
          const dataTransfer = new DataTransfer();
          for (const [type, value] of Object.entries(types)) dataTransfer.setData(type, value);
          if (text !== undefined) dataTransfer.items.add(new File([text], 'gpu.csv'));
          document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
        },
        [data, file] as const,
      );
    await drop({}, MEASURED);
    await page.locator('th', { hasText: 'Measured' }).first().waitFor();
    await drop({ 'text/uri-list': 'file:///p/gpu.csv\r\n' });
    await page.waitForFunction('said.at(-1).kind === "dropped"');
    expect((await said()).at(-1)).toEqual({ kind: 'dropped', uri: 'file:///p/gpu.csv' });
    // Cut off behind its first bytes.
    await drop({}, 'NVR\0');
    await page.waitForFunction('said.at(-1).kind === "problem"');
    expect((await said()).at(-1)!.text).toContain('ncu --import gpu.csv --csv --page raw');
  });

  it('reads a report of Nsight Compute, and says which of its launches are none of this run', async () => {
    const shown = view(1, 3);
    const launches = ['scale(float*, float, int)', 'scale(float*, float, int)'].map((kernel, index) => ({
      ...shown.report.kernels[0],
      kernel,
      grid: [256 >> index, 1, 1] as [number, number, number],
      block: [256, 1, 1] as [number, number, number],
      metrics: { 'smsp__sass_branch_targets_threads_divergent.sum': 0, memory_l2_theoretical_sectors_global: 16_384 >> index },
    }));
    const one = { ...shown.kernels[0], kernel: launches[0].kernel, metrics: { memory_l2_theoretical_sectors_global: 24_576 } };
    const sectors = { 'measured.cu:8': { ...noCounts(), globalSectors: 24_576, globalSectorsIdeal: 24_576 } };
    const files = view(1, 33).files.map((file) => ({ ...file, name: 'measured.cu', path: '/p/measured.cu' }));
    const report = { ...shown.report, kernels: launches, lines: { [launches[0].kernel]: sectors } };
    await open({ ...shown, kernels: [one], files, report });
    const bytes = gunzipSync(readFileSync(join(root, 'test/fixtures/nsight/sections.ncu-rep.gz')));
    await page.evaluate((base64) => {
      const binary = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      window.postMessage({ kind: 'measured', name: 'gpu.ncu-rep', bytes: binary }, '*');
    }, bytes.toString('base64'));
    await page.locator('th', { hasText: 'Measured' }).first().waitFor();
    expect(await page.locator('#counters tbody td').allTextContents()).toEqual([
      'memory_l2_theoretical_sectors_global',
      '24,576',
      '24,576',
      'equal',
    ]);
    expect(await page.locator('#estimates tbody th').allInnerTexts()).toEqual([
      'time',
      'machine instructions of warps',
      'registers of a thread',
    ]);
    expect(await page.locator('header').textContent()).toContain(
      'gpu.ncu-rep, NVIDIA H200. 4 of its 6 launches have another kernel, grid or block',
    );
  });

  it('stays where somebody reads when another run comes', async () => {
    const shown = view(3, 200);
    await open(shown);
    const roofline = page.locator('#roofline');
    await roofline.evaluate((part) => part.scrollIntoView());
    // Parts have their heights when they have been in sight.
    await page.waitForTimeout(300);
    const top = () => roofline.evaluate((part) => Math.round(part.getBoundingClientRect().top));
    const before = await top();
    await page.evaluate((data) => window.postMessage({ kind: 'show', view: data }, '*'), {
      ...shown,
      notes: ['one', 'two', 'three'],
    } as never);
    await page.locator('.note', { hasText: 'three' }).waitFor({ state: 'attached' });
    await page.waitForTimeout(300);
    expect(Math.abs((await top()) - before)).toBeLessThan(3);
    expect(await page.evaluate('window.scrollY')).toBeGreaterThan(500);
    // Another program's begins at its top.
    await page.evaluate((next) => window.postMessage({ kind: 'show', view: next }, '*'), { ...shown, program: 'another.cu' } as never);
    await page.locator('h1', { hasText: 'another.cu' }).waitFor();
    await page.waitForTimeout(300);
    expect(await page.evaluate('window.scrollY')).toBe(0);
  });

  it('draws peaks of buffers, however many elements share a point', async () => {
    const after = Array.from({ length: 1000 }, (_, index) => (index % 100 === 37 ? 1 : 0));
    const peaks = { name: 'y', type: 'float', count: 1000, before: after, after, wrong: 0 };
    await open({ ...view(1, 3), buffers: [peaks] });
    const picture = decodeURIComponent((await page.locator('#buffers img').first().getAttribute('src'))!);
    const points = /points="([^"]*)"/.exec(picture)![1].split(' ');
    expect(points.filter((point) => point.endsWith(',6.0'))).toHaveLength(10);
    expect(points.length).toBeLessThanOrEqual(560);
  });

  it('fits a narrow panel, whatever kernels are called', async () => {
    const shown = view(2, 3);
    const long = (name: string) => `void ${name}<${'cooperative_groups::thread_block_tile<32, void>, '.repeat(4)}int>(float *)`;
    const kernels = shown.kernels.map((each, index) => ({ ...each, kernel: long(`gather${index}`) }));
    await page.setViewportSize({ width: 480, height: 900 });
    const report = { ...shown.report, kernels: shown.report.kernels.map((each) => ({ ...each, kernel: long('gather0') })) };
    await open({ ...shown, kernels, report });
    // With all columns that the table of counters may have.
    // What it is compared with is in sight.
    await page.locator('#baseline').selectOption(long('gather1'));
    await page.locator('#counters th', { hasText: 'Change' }).waitFor();
    expect(await page.locator('.wide:has(#counters)').evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
    await page.locator('#baseline').selectOption('0');
    await addMeasured('gpu.csv', MEASURED);
    await page.locator('#counters th', { hasText: 'Simulated to measured' }).waitFor();
    const width = await page.evaluate('document.documentElement.scrollWidth');
    // What is wider than the panel scrolls by itself.
    const outside = await page
      .locator('#kernel > table, #kernel > div > table')
      .evaluateAll((tables) =>
        tables.filter((each) => !each.closest('.wide') && each.getBoundingClientRect().right > 480).map((each) => each.id),
      );
    expect(outside).toEqual([]);
    for (const width of [480, 600, 800]) {
      await page.setViewportSize({ width, height: 900 });
      const scrolled = await page
        .locator('figure .wide, .wide:has(#kernels)')
        .evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.outerHTML.slice(0, 200)));
      expect(scrolled, `${width} pixels`).toEqual([]);
    }
    // Short to see; whole for a mouse that rests there and for screen readers.
    const name = page.locator('#kernels button').first();
    expect((await name.textContent())!.length).toBeLessThan(50);
    expect(await name.getAttribute('title')).toBe(long('gather0'));
    expect(await name.getAttribute('aria-label')).toBe(long('gather0'));
    await page.setViewportSize({ width: 1200, height: 900 });
    expect(width).toBeLessThanOrEqual(480);
  });

  it('does all by keyboard', async () => {
    // All in sight: rows that come again are others.
    await page.setViewportSize({ width: 1200, height: 4000 });
    await open(view(3, 3));
    // Rows come a moment after their table, and what can be reached in them with them.
    await page.locator('.source details').last().waitFor();
    const wanted = await page.locator('button, select, summary, [tabindex="0"]').count();
    const reached = new Set<string>();
    await page.evaluate('let number = 0; for (const each of document.querySelectorAll("*")) each.dataset.number = String(number++);');
    const focused = () => page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.number ?? '');
    for (let turn = 0; turn < 2 * wanted; turn++) {
      await page.keyboard.press('Tab');
      reached.add(await focused());
      const outline = await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle);
      if (await page.evaluate('document.activeElement !== document.body')) expect(outline).not.toBe('none');
    }
    const missed = await page
      .locator('button, select, summary, [tabindex="0"]')
      .evaluateAll(
        (all, seen) => all.filter((each) => !seen.includes((each as HTMLElement).dataset.number!)).map((each) => each.outerHTML),
        [...reached],
      );
    expect(missed).toEqual([]);
    await page.locator('#kernels button').nth(1).focus();
    await page.keyboard.press('Enter');
    await page.locator('#kernel-name', { hasText: 'gather1' }).waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('kernel-name');
    await page.locator('#kernels button').first().focus();
    await page.keyboard.press('Enter');
    await page.locator('#kernel-name', { hasText: 'gather0' }).waitFor();
    // With the run before it from the start, as at its lines.
    await page.locator('#counters th', { hasText: 'run 1' }).waitFor();
    await page.locator('#baseline').focus();
    await page.keyboard.press('ArrowUp');
    await page.locator('#counters th', { hasText: 'run 1' }).waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowDown');
    await page.locator('#counters th', { hasText: 'run 1' }).waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('baseline');
    const folded = page.locator('.source details').last();
    await folded.waitFor();
    await folded.locator('summary').focus();
    await page.keyboard.press('Enter');
    await page.locator('.source details[open]').waitFor();
    await page.setViewportSize({ width: 1200, height: 900 });
  });

  it('has the editor write what Nsight Compute would, which it reads again', async () => {
    const shown = view(1, 3);
    await open(shown);
    await page.locator('button', { hasText: 'Save as CSV' }).click();
    expect((await said()).at(-1)).toEqual({ kind: 'save', format: 'csv' });
    const text = toNsightCsv(shown.program, shown.report.kernels);
    expect(text.split('\n')[0]).toMatch(/^"ID","Process ID".*"Metric Name","Metric Unit","Metric Value"$/);
    await addMeasured('own.csv', text);
    await page.locator('th', { hasText: 'Measured' }).first().waitFor();
    expect(await page.locator('#counters tbody tr').first().locator('td').last().textContent()).toBe('equal');
  });
});

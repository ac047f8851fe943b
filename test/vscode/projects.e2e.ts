/** Programs of several files, unsaved texts, what makes counters stale, and what runs are compared with, in a real VS Code. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import axe from 'axe-core';
import { chromium } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { builtInThemes, CHROMIUM, EDITOR_FIXTURES, root, type VsCode, violations, withVsCode } from './vscode.ts';

const EXPORTED = { html: 'Control+Alt+h', json: 'Control+Alt+j', csv: 'Control+Alt+c' } as const;
type Format = keyof typeof EXPORTED;
const exported = (workspace: string, format: Format) => join(workspace, `saved.${format}`);
const measured = (workspace: string) => join(workspace, 'measured.csv');

let code: VsCode;
withVsCode(
  {
    workspace: EDITOR_FIXTURES,
    file: 'strided.cuh',
    keys: (workspace) => [
      ...Object.entries(EXPORTED).map(([format, key]) => ({
        key: key.toLowerCase().replace('control', 'ctrl'),
        command: 'lanewise.saveReport',
        args: { format, target: exported(workspace, format as Format) },
      })),
      { key: 'ctrl+alt+m', command: 'lanewise.addMeasured', args: measured(workspace) },
      { key: 'ctrl+alt+b', command: 'lanewise.addMeasured', args: join(workspace, 'strided.cu') },
      { key: 'ctrl+alt+n', command: 'lanewise.addMeasured', args: join(workspace, 'gpu.ncu-rep') },
    ],
  },
  (started) => {
    code = started;
  },
);

describe('counters', () => {
  it('are those of the header as it stands in the editor, unsaved', async () => {
    await code.line('if (i < n) out[i]').click();
    await code.page.keyboard.press('End');
    for (let i = 0; i < 2; i++) await code.page.keyboard.press('ArrowLeft');
    for (let i = 0; i < 5; i++) await code.page.keyboard.press('Backspace');
    await code.line('out[i] = in[i];').waitFor();
    await code.openFile('strided.cu');
    await code.lens('Run in simulator').first().click();
    await code.output('exit code 0');
    await code.output('4.0 sectors per load');
    await code.openFile('strided.cuh');
    await code.lens('2 × 128 threads · coalesced').waitFor();
    await code.page.locator('.tab.dirty').waitFor();
    await code.screenshot('unsaved header');
    await code.line('if (i < n) out[i]').click();
    for (let i = 0; i < 8; i++) await code.page.keyboard.press('Control+z');
    await code.line('out[i] = in[i * 32];').waitFor();
  });

  it('are stale when a setting changes what a run would count, and fresh when it is back', async () => {
    await code.lens('Run strided.cu in simulator').first().click();
    await code.lens('32.0 sectors per load').waitFor();
    await code.lens('before your last changes').waitFor({ state: 'hidden' });
    code.settings({ 'lanewise.defines': ['N=4'] });
    await code.lens('before your last changes').waitFor();
    await code.screenshot('stale by a setting');
    // Counters stay readable in high contrast, too.
    code.settings({ 'lanewise.defines': ['N=4'], 'workbench.colorTheme': 'Default High Contrast' });
    await code.page.locator('.monaco-workbench.hc-black').waitFor();
    await code.decorated('ideal sectors');
    const colours = () =>
      code.page.evaluate(() =>
        [...document.querySelectorAll('.editor-instance .view-line span')]
          .map((span) => getComputedStyle(span, '::after'))
          .flatMap(({ content, color }) => (content.includes('sectors') ? [color] : [])),
      );
    // The theme's style sheet comes after its name.
    const light = expect.stringMatching(/^rgba?\(2\d\d, 2\d\d, 2\d\d(, 0\.[6-9]\d*)?\)$/);
    await expect.poll(colours).toEqual([light]);
    code.settings({});
    await code.lens('before your last changes').waitFor({ state: 'hidden' });
  });

  it('are inlay hints where somebody wants them', async () => {
    expect(await code.line('× ideal sectors').count()).toBe(0);
    code.settings({ 'lanewise.inlayHints': true });
    await code.line('× ideal sectors').waitFor();
    await code.screenshot('inlay hints');
    code.settings({});
    await code.line('× ideal sectors').waitFor({ state: 'hidden' });
  });

  it('are kept when a run is over: the lens to cancel it goes with it', async () => {
    await code.openFile('strided.cu');
    await code.lens('Run in simulator').first().click();
    // A short run may be over before the editor has drawn the lens.
    await code
      .lens('Cancel run')
      .first()
      .waitFor({ timeout: 5000 })
      .catch(() => undefined);
    await code.lens('Cancel run').first().waitFor({ state: 'hidden' });
    const over = Date.now();
    await code.output('exit code 0');
    // The output comes by a file, so it may be the later one.
    const late = Date.now() - over;
    console.log(`the output said so ${late} ms after the lens`);
    expect(await code.lens('Cancel run').count()).toBe(0);
    await code.page.waitForTimeout(1500);
    expect(await code.lens('Cancel run').count()).toBe(0);
  });
});

describe('the report', () => {
  it('compares two devices', async () => {
    code.settings({ 'lanewise.device': 'v100' });
    await code.status('Lanewise: v100').waitFor();
    await code.lens('Run in simulator').first().click();
    await code.output('simulated on v100');
    await code.command('Lanewise: Show Report');
    const page = code.panel();
    const choice = page.locator('#baseline option').filter({ hasText: /^run \d on h200$/ });
    await page.locator('#baseline').selectOption({ label: (await choice.first().textContent())! });
    const other = page.locator('#counters th', { hasText: /run \d on h200/ }).first();
    const look = () => other.evaluate((cell) => cell.scrollIntoView({ block: 'start' }));
    await look();
    await page.locator('h1', { hasText: 'V100' }).waitFor();
    await code.screenshot('two devices', look);
  });

  it.each(['html', 'json', 'csv'] as const)('is saved as %s', async (format) => {
    await code.line('cudaFree(in);').click();
    await code.status('Lanewise: v100').waitFor();
    await code.page.keyboard.press(EXPORTED[format]);
    const text = () => {
      try {
        return readFileSync(exported(code.workspace, format), 'utf8');
      } catch {
        return '';
      }
    };
    // A file that is half written is none yet.
    const whole = { html: /gather.*<\/html>\s*$/s, json: /gather.*}\s*$/s, csv: /gather.*\n$/s }[format];
    await expect.poll(text).toMatch(whole);
    if (format === 'json') expect(JSON.parse(text())).toMatchObject({ program: 'strided.cu', device: 'v100', exit: 0 });
    if (format === 'csv') expect(text().split('\n')[0]).toMatch(/^"ID","Process ID".*"Metric Name","Metric Unit","Metric Value"$/);
    if (format === 'html') await expectWholePage(exported(code.workspace, format));
  });

  it('sets what Nsight Compute measured beside what is simulated', async () => {
    const rows = readFileSync(exported(code.workspace, 'csv'), 'utf8');
    const sectors = /("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum","",)"256"/;
    expect(rows).toMatch(sectors);
    writeFileSync(measured(code.workspace), rows.replace(sectors, '$1"1,024"'));
    writeFileSync(join(code.workspace, 'gpu.ncu-rep'), gunzipSync(readFileSync(join(root, 'test/fixtures/nsight/sections.ncu-rep.gz'))));
    await code.page.keyboard.press('Control+Alt+m');
    const page = code.panel();
    await page.locator('#counters th', { hasText: 'Simulated to measured' }).waitFor();
    const row = page.locator('#counters tr').filter({ hasText: 'global_op_ld.sum' }).filter({ hasText: 't_sectors' });
    await expect.poll(async () => (await row.locator('td').allTextContents()).slice(2, 4)).toEqual(['1,024', '÷ 4.0']);
    // In the panel as it opens, beside a comparison with a run.
    const heading = page.locator('#counters th', { hasText: /^Measured$/ });
    expect(await heading.evaluate((th) => th.getBoundingClientRect().right <= window.innerWidth)).toBe(true);
    await page.locator('#counters').scrollIntoViewIfNeeded();
    await code.screenshot('measured');
    await code.page.keyboard.press('Control+Alt+b');
    await code.page.locator('.notification-list-item-message').filter({ hasText: 'has no column "Kernel Name"' }).waitFor();
    await code.command('Notifications: Clear All Notifications');
    // Bytes that are no text arrive as they are.
    await code.page.keyboard.press('Control+Alt+n');
    await page.locator('header .note', { hasText: 'gpu.ncu-rep, NVIDIA H200. 6 of its 6 launches have another kernel' }).waitFor();
  });

  it('compares two kernels of a program', async () => {
    code.settings({});
    await code.command('View: Close All Editors');
    await code.openFile('doubling.cu');
    await code.lens('Run in simulator').first().click();
    await code.output('first 41');
    await code.output('exit code 0');
    await code.command('Lanewise: Show Report');
    const page = code.panel();
    await page.locator('#kernels button', { hasText: 'spread' }).click();
    await page.locator('#baseline').selectOption({ label: 'doubleEven(int *, int)' });
    await page.locator('#counters th', { hasText: /^doubleEven$/ }).waitFor();
    await page.locator('#kernel-name', { hasText: 'spread' }).waitFor();
    await code.screenshot('two kernels');
  });

  it('is accessible in all themes that come with the editor', { timeout: 300_000 }, async () => {
    const frame = await code.panelFrame();
    await frame.evaluate(axe.source);
    await frame.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
    });
    const themes = builtInThemes();
    expect(themes.length).toBeGreaterThan(15);
    for (const theme of themes) {
      code.settings({ 'workbench.colorTheme': theme });
      await code.panel().locator(`body[data-vscode-theme-id="${theme}"]`).waitFor();
      expect(await violations(frame), theme).toEqual([]);
    }
    code.settings({});
  });

  it('draws what ran when on which stream', async () => {
    await code.command('View: Close All Editors');
    cpSync(join(root, 'examples/lessons/streams/streams.cu'), join(code.workspace, 'streams.cu'));
    await code.openFile('streams.cu');
    await code.lens('Run in simulator').first().click();
    await code.output('0 wrong, took');
    await code.output('exit code 0');
    await code.command('Lanewise: Show Report');
    const picture = code.panel().locator('#timeline img');
    await picture.scrollIntoViewIfNeeded();
    await expect.poll(() => picture.getAttribute('alt')).toMatch(/stream/i);
    // Panels that open at the end of a run keep VS Code from redrawing its lenses.
    await code.lens('Cancel run').first().waitFor({ state: 'hidden' });
    await code.screenshot('timeline');
    await code.command('View: Close All Editors');
  });
});

describe('a race', () => {
  it('has both lines among the problems, one linked to the other', async () => {
    await code.openFile('racing.cu');
    await code.lens('Run in simulator').first().click();
    // What is predicted is underlined before; and a run that begins shows its output in the panel.
    await code.output('racing.cu:6');
    await code.page.locator('.squiggly-error').first().waitFor();
    await code.command('View: Toggle Problems');
    const rows = code.page.locator('.markers-panel .monaco-list-row');
    const race = rows.filter({ hasText: 'race' }).filter({ hasText: 'lanewise' }).first();
    await code.unfold(race);
    await rows
      .filter({ hasText: /racing\.cu.*Ln 6/ })
      .first()
      .waitFor();
    await rows
      .filter({ hasText: /racing\.cu.*Ln 7/ })
      .first()
      .waitFor();
    await code.screenshot('race with both lines');
    await code.command('View: Toggle Problems');
    await code.command('Notifications: Clear All Notifications');
    await code.command('View: Close All Editors');
  });
});

describe('several orders of threads', () => {
  it('are compared in output and report, with the race underlined that decides', async () => {
    await code.openFile('racing.cu');
    await code.lens('Run in simulator').first().waitFor();
    await code.command('Lanewise: Run in Eight Orders of Threads');
    await code.output(/8.orders.of.threads,.\d.different.results:.a.race.decides.which/);
    await code.page.locator('.notification-list-item-message').filter({ hasText: 'racing.cu: 8 orders of threads' }).first().waitFor();
    await code.page.locator('.squiggly-error').first().waitFor();
    await code.command('Lanewise: Show Report');
    await code.panel().locator('#headline', { hasText: 'race at racing.cu:6' }).waitFor();
    const orders = code.panel().locator('#orders');
    await orders.locator('th', { hasText: 'as-launched' }).waitFor();
    await orders.scrollIntoViewIfNeeded();
    await code.command('Notifications: Clear All Notifications');
    await code.screenshot('orders');
    await code.command('View: Close All Editors');
  });
});

describe('a program of several files', () => {
  it('is what CMake makes of its sources', async () => {
    const folder = join(code.workspace, 'targets');
    mkdirSync(join(folder, 'build'), { recursive: true });
    writeFileSync(join(folder, 'half.cu'), '__global__ void half(int *v) { *v /= 2; }\n');
    const main = [
      '#include <cstdio>',
      '#include <cstdlib>',
      '__global__ void half(int *v);',
      'int main(int argc, char **argv) {',
      '  if (argc < 2) return printf("usage: halving NUMBER\\n"), 1;',
      '  int *v;',
      '  cudaMallocManaged(&v, sizeof(int));',
      '  *v = atoi(argv[1]);',
      '  half<<<1, 1>>>(v);',
      '  cudaDeviceSynchronize();',
      '  printf("halved %d\\n", *v);',
      '}',
    ].join('\n');
    writeFileSync(join(folder, 'app.cu'), main);
    const entry = (name: string) => ({ directory: join(folder, 'build'), file: `../${name}`, output: `CMakeFiles/halving.dir/${name}.o` });
    writeFileSync(join(folder, 'build/compile_commands.json'), JSON.stringify(['app.cu', 'half.cu'].map(entry)));
    const makefile = ['halving: app.cu half.cu', '\tnvcc app.cu half.cu -o halving', 'run: halving', '\t./halving 84', ''];
    writeFileSync(join(folder, 'Makefile'), makefile.join('\n'));
    await code.openFolder('targets');
    await code.openFile('half.cu');
    await code.lens('Run halving in simulator').first().click();
    await code.output('usage: halving NUMBER');
    // Who has to say how it is called is asked; the arguments are the program's, whichever of its files is in front.
    const said = code.page
      .locator('.notification-list-item-message')
      .filter({ hasText: 'app.cu ended with exit code 1 and launched no kernel' });
    await said.waitFor();
    await code.screenshot('arguments missing');
    await code.pressInNotification('Run with Arguments');
    // What the Makefile says is offered, and said to be its.
    const message = code.page.locator('.quick-input-widget .quick-input-message');
    await message.filter({ hasText: 'These are what "make run" gives it, by the Makefile.' }).waitFor();
    expect(await code.page.locator('.quick-input-widget input.input').inputValue()).toBe('84');
    await code.screenshot('arguments of a Makefile');
    await code.page.keyboard.press('Enter');
    await code.output('halved 42');
    await code.command('Lanewise: Run in Simulator with Arguments');
    await code.answer('168');
    await code.output('halved 84');
    await code.lens('1 launch of 1 × 1 threads').waitFor();
    await code.command('View: Close All Editors');
  });

  it('is run as the user chooses among the runs of lanewise.json, and so again', async () => {
    await code.openFolder('several');
    await code.openFile('main.cu');
    await code.lens('Run three in simulator').waitFor();
    await code.command('Lanewise: Choose a Run of lanewise.json');
    await code.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'main.cu scale.cu, arguments 4' }).waitFor();
    await code.screenshot('choose a run');
    await code.pick('four');
    await code.answer('typed');
    await code.output('104 typed');
    await code.lens('Run four in simulator').click();
    await code.answer('again');
    await code.output('104 again');
  });

  it('is run from any of its files, with the counters of all', async () => {
    await code.openFile('scale.cu');
    await code.lens('Run four in simulator').waitFor();
    await code.command('Lanewise: Choose a Run of lanewise.json');
    await code.pick('three');
    await code.output('30 from the file');
    await code.lens('Run three in simulator').waitFor();
    await code.lens('1 launch of 1 × 1 threads').waitFor();
    await code.screenshot('several files');
    await code.command('View: Close All Editors');
  });
});

describe('the terminal', () => {
  it('has what a program reads typed into it', async () => {
    await code.openFile('greeting.cu');
    await code.lens('Run in simulator').first().waitFor();
    await code.command('Lanewise: Run in Terminal');
    const terminal = code.page.locator('.terminal-wrapper.active');
    // The first: a second one is the line that sticks to the top as one scrolls.
    const screen = terminal.locator('.xterm-rows').first();
    await screen.filter({ hasText: 'name?' }).waitFor();
    await terminal.locator('.xterm-helper-textarea').first().focus();
    await code.page.keyboard.type('Ada');
    await code.page.keyboard.press('Enter');
    await code.page.keyboard.type('21');
    await code.page.keyboard.press('Enter');
    // The table stays when the program has ended.
    await screen.filter({ hasText: /press.any.key/ }).waitFor();
    await code.screenshot('terminal');
    // Rows exist while they are in view, and the output is longer than the panel.
    await code.command('Terminal: Scroll to Top');
    await screen.filter({ hasText: /hello.Ada,.twice.is.42.*share.+launch.overhead/ }).waitFor();
  });
});

/** A file that shows the report by itself, and asks the network for nothing. */
async function expectWholePage(path: string): Promise<void> {
  const browser = await chromium.launch(CHROMIUM);
  try {
    const page = await browser.newPage();
    const asked: string[] = [];
    const problems: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    await page.goto(`file://${path}`);
    await page.locator('#kernels', { hasText: 'gather' }).waitFor();
    await page.locator('#roofline img').waitFor();
    expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([`file://${path}`]);
    expect(problems).toEqual([]);
    expect(await page.locator('button', { hasText: 'Save' }).count()).toBe(0);
  } finally {
    await browser.close();
  }
}

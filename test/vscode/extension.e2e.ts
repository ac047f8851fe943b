/** The packed extension in a real VS Code: what a user sees and clicks. Each test goes on where the one before it left the editor. */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EDITOR_FIXTURES, root, type VsCode, withVsCode } from './vscode.ts';

let code: VsCode;
withVsCode({ workspace: EDITOR_FIXTURES, file: 'doubling.cu' }, (started) => {
  code = started;
});

describe('a program', () => {
  it('is CUDA C++, with findings underlined and a lens over main and every kernel', async () => {
    await code.page.locator('.squiggly-warning').first().waitFor();
    expect(await code.page.locator('#status\\.editor\\.mode').textContent()).toContain('CUDA C++');
    await code.lens('Run in simulator').nth(2).waitFor();
    await expect.poll(() => code.lens('Run in simulator').count()).toBe(3);
    await code.screenshot('findings');
  });

  it('explains a finding when the mouse rests on it', async () => {
    const word = code.line('if (threadIdx.x % 2 == 0)').locator('span', { hasText: 'threadIdx' }).last();
    const hover = () => code.hover(word, 'divergent-branch');
    await hover();
    await code.screenshot('hover', hover);
    await code.page.keyboard.press('Escape');
  });

  it('runs when the lens is clicked, prints, and has its costs at the ends of lines', async () => {
    await code.lens('Run in simulator').first().click();
    const output = await code.output('first 41, second 88, argument none');
    expect(output).toContain('doubling.cu in the simulator');
    await code.output('exit code 0');
    await code.output('spread(const int *, int *)');
    for (const wanted of ['ideal sectors', 'divergent branches']) await code.decorated(wanted);
    await code.lens('1 launch of 32 × 128 threads').waitFor();
    await code.page.locator('.notification-toast').first().waitFor({ state: 'hidden' });
    await code.screenshot('counters');
  });

  it('shows all counters of a line when the mouse rests on its end', async () => {
    const end = code.line('out[i] = in[i * 32];').locator('span').last();
    await code.hover(end, 'global memory sectors', { atEnd: true });
    await code.screenshot('counters-hover');
    await code.page.keyboard.press('Escape');
  });

  it("lists its launches with Nsight Compute's names", async () => {
    await code.command('Explorer: Focus on Simulated Kernels View');
    const rows = code.page.locator('.sidebar .monaco-list-row');
    await code.unfold(rows.filter({ hasText: /^spread.*<<<1, 128>>>/ }));
    await rows.filter({ hasText: 'l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum' }).first().waitFor();
    await code.screenshot('kernels');
  });

  it('leads from a kernel in the tree to its definition, and shows the counters that a filter names', async () => {
    const rows = code.page.locator('.sidebar .monaco-list-row');
    await rows
      .filter({ hasText: /^spread.*<<<1, 128>>>/ })
      .locator('.monaco-icon-label')
      .click();
    await code.status('Ln 16').waitFor();
    await code.command('Lanewise: Filter Kernels and Counters');
    await code.answer('sectors, global loads');
    await code.page.locator('.sidebar').getByText('Filter: sectors, global loads').waitFor();
    await rows.filter({ hasText: 'sectors, global loads' }).first().waitFor();
    await rows.filter({ hasText: 'requests, global loads' }).first().waitFor({ state: 'hidden' });
    await code.screenshot('kernels filtered');
    await code.command('Lanewise: Filter Kernels and Counters');
    await code.answer('');
    await rows.filter({ hasText: 'requests, global loads' }).first().waitFor();
  });

  it('greys what it knows once the text is edited', async () => {
    await code.line('#include <cstdio>').click();
    await code.page.keyboard.press('Control+Home');
    await code.page.keyboard.type('#define EDITED 1');
    await code.page.keyboard.press('Enter');
    await code.lens('before your last changes').first().waitFor();
    await code.decorated('ideal sectors');
    await code.screenshot('stale');
    await code.page.keyboard.press('Escape');
    for (let i = 0; i < 8; i++) await code.page.keyboard.press('Control+z');
  });

  it('knows it again when the edits are undone', async () => {
    await code.lens('before your last changes').first().waitFor({ state: 'hidden' });
    await code.lens('1 launch of 32 × 128 threads').waitFor();
  });

  it('has bars in the gutter, for what the user picks', async () => {
    await code.barsOnMoreThan(3);
    await code.command('Lanewise: Choose What to Show beside the Lines');
    await code.pick('Excess sectors');
    await code.decorations((all) => all.length > 0 && all.every((text) => text.includes('ideal sectors')));
    await code.screenshot('metric');
    await code.command('Lanewise: Choose What to Show beside the Lines');
    await code.pick('Cost');
    await code.decorated('of instructions');
    await code.command('Lanewise: Choose What to Show beside the Lines');
    await code.pick('Time (estimated)');
    await code.decorated('of instructions');
  });

  it('lists its lines by the time that they take', async () => {
    await code.listLines('of the time (estimated)');
    await code.screenshot('lines');
    await code.page.keyboard.press('Escape');
  });

  it('keeps its arguments', async () => {
    await code.command('Lanewise: Run in Simulator with Arguments');
    await code.page.locator('.quick-input-widget .quick-input-message').filter({ hasText: 'Enter' }).waitFor();
    await code.screenshot('arguments');
    await code.answer('given');
    await code.output('argument given');
    await code.output('exit code 0');
    await code.clearOutput();
    await code.lens('Run in simulator').first().click();
    await code.output('doubling.cu given in the simulator');
    await code.output('argument given');
    await code.output('exit code 0');
  });

  it('gets what it reads', async () => {
    await code.openFile('greeting.cu');
    await code.lens('Run in simulator').first().click();
    await code.answer('Ada');
    await code.answer('21');
    await code.output('hello Ada, twice is 42');
  });
});

describe('the report', () => {
  it('opens beside the program, says what costs most, and leads to the line', async () => {
    await code.openFile('strided.cu');
    await code.lens('Run in simulator').first().click();
    await code.output('first 0');
    await code.command('Lanewise: Show Report');
    const page = code.panel();
    await page.locator('#headline', { hasText: 'strided.cuh:7' }).waitFor();
    await page.locator('#kernels', { hasText: 'gather<float>' }).waitFor();
    for (const theme of ['Visual Studio Dark', 'Default High Contrast', 'Default High Contrast Light', 'Visual Studio Light']) {
      code.settings({ 'workbench.colorTheme': theme });
      await page.locator(`body[data-vscode-theme-id="${theme}"]`).waitFor();
      await code.picture(`report ${theme}`);
    }
    for (const id of ['roofline', 'timeline', 'memory']) {
      // The page draws itself anew in another theme.
      const look = () => page.locator(`#${id} img`).evaluate((picture) => picture.scrollIntoView());
      await look();
      await code.screenshot(`report ${id}`, look);
    }
    await page.locator('button', { hasText: 'Go to line 7' }).click();
    await page.locator('[data-line="7"]').press('Enter');
    await code.showsFile('strided.cuh');
  });

  it('compares with the run before', async () => {
    await code.line('if (i < n) out[i]').click();
    await code.page.keyboard.press('End');
    for (let i = 0; i < 2; i++) await code.page.keyboard.press('ArrowLeft');
    for (let i = 0; i < 5; i++) await code.page.keyboard.press('Backspace');
    await code.lens('Run strided.cu in simulator').click();
    await code.lens('32.0 → 4.0 sectors per load').waitFor();
    await code.decorated('4.5 → 1.0×');
    const change = code.panel().locator('#counters td', { hasText: '÷ 8.0' }).first();
    const look = () => change.evaluate((cell) => cell.scrollIntoView({ block: 'center' }));
    await look();
    await code.screenshot('compared', look);
    await code.line('if (i < n) out[i]').click();
    for (let i = 0; i < 8; i++) await code.page.keyboard.press('Control+z');
    await code.page.locator('.tab.dirty').first().waitFor({ state: 'hidden' });
    await code.command('View: Close All Editors');
  });
});

describe('a kernel in a header', () => {
  it('has its findings, and counters and a lens after a run of a program that includes it', async () => {
    await code.openFile('strided.cuh');
    await code.page.locator('.squiggly-warning').first().waitFor();
    await code.openFile('strided.cu');
    await code.lens('Run in simulator').first().click();
    await code.output('first 0');
    await code.openFile('strided.cuh');
    await code.lens('Run strided.cu in simulator').waitFor();
    await code.lens('1 launch of 2 × 128 threads').waitFor();
    await code.decorated('ideal sectors');
    await code.screenshot('header');
  });
});

describe('a beginner', () => {
  it('has a walkthrough', async () => {
    const openWalkthrough = async () => {
      await code.command('View: Close All Editors');
      await code.command('Welcome: Open Walkthrough');
      await code.pick('CUDA without a GPU');
      await code.page.locator('.getting-started-step').filter({ hasText: 'Take a lesson' }).waitFor();
      await code.panel().getByText('predicted').waitFor();
    };
    await openWalkthrough();
    await expect.poll(() => code.page.locator('.gettingStartedContainer .getting-started-step').count()).toBe(5);
    await code.screenshot('walkthrough', openWalkthrough);
    await code.command('View: Close All Editors');
  });

  it('predicts in a lesson, and the run says whether that is right', async () => {
    await code.command('Notifications: Clear All Notifications');
    await code.command('Lanewise: Open a Lesson');
    await code.pick('1. Coalescing');
    await code.line('int row = t % n').waitFor();
    await code.panel().locator('h1', { hasText: 'Coalescing' }).waitFor();
    await code.unfold(code.lessonRow('1. Coalescing'));
    await code.lessonRow('Predict').click();
    await code.answer('32');
    await code.page.locator('.notification-list-item-message').filter({ hasText: 'Right. twice: 32 sectors per load' }).waitFor();
    // The preview draws itself anew in another theme.
    await code.screenshot('lesson predicted', () => code.panel().locator('h1', { hasText: 'Coalescing' }).waitFor());
  });

  it('fixes the program, and hears what has become better', async () => {
    await code.command('Notifications: Clear All Notifications');
    await code.lessonRow('Fix').click();
    const notYet = code.page
      .locator('.notification-list-item-message')
      .filter({ hasText: 'Not yet: twice: sectors per load <= 4; found: 32' });
    await notYet.waitFor();
    await code.screenshot('lesson not yet');
    await code.pressInNotification('Compare with a Solution');
    await code.page.locator('.monaco-diff-editor').first().waitFor();
    await code.screenshot('lesson solution');
    await code.command('View: Close Editor');
    await code.page.locator('.monaco-diff-editor').first().waitFor({ state: 'hidden' });
    // Keys that a page in a panel gets do not open the palette.
    await code.line('// Doubles a matrix').click();
    await code.command('Notifications: Clear All Notifications');
    await code.line('int row = t % n').click();
    await code.page.keyboard.press('Home');
    await code.page.keyboard.press('Shift+End');
    await code.page.keyboard.type('int row = t / n, column = t % n;');
    await code.line('int row = t / n, column = t % n;').waitFor();
    await code.lessonRow('Fix').click();
    await code.page.locator('.notification-list-item-message').filter({ hasText: 'Done. twice: sectors per load 32 → 4' }).waitFor();
    await code.lessonRow('2 of 2 steps').waitFor();
    for (const theme of ['Visual Studio Dark', 'Default High Contrast', 'Visual Studio Light']) {
      code.settings({ 'workbench.colorTheme': theme });
      await code.panel().locator(`body[data-vscode-theme-id="${theme}"]`).waitFor();
      await code.picture(`lesson ${theme}`);
    }
    await code.saveAll();
    await code.command('View: Close All Editors');
    await code.command('Explorer: Focus on Folders View');
  });
});

describe('a run', () => {
  it('finds races, with both lines', async () => {
    await code.openFile('racing.cu');
    await code.lens('Run in simulator').first().click();
    await code.output('exit code');
    await code.page.locator('.squiggly-error').first().waitFor();
    await code.page.locator('.notification-list-item-message').filter({ hasText: 'race' }).first().waitFor();
    await code.screenshot('race');
    await code.command('Notifications: Clear All Notifications');
    await code.command('View: Close All Editors');
  });

  it('has its counters beside long lines, too', async () => {
    cpSync(join(root, 'examples/histogram.cu'), join(code.workspace, 'histogram.cu'));
    await code.openFile('histogram.cu');
    await code.lens('Run in simulator').first().click();
    await code.output('exit code 0');
    await code.decorations((all) => all.length > 1 && all.some((text) => text.startsWith('↓') || /^[\d.,]+ ?[×%]?$/.test(text)));
    await code.screenshot('long-lines');
  });

  it('says in the report that the text has changed since', async () => {
    await code.line('#include <cstdio>').first().click();
    await code.page.keyboard.press('Home');
    await code.page.keyboard.type('// one more line');
    await code.page.keyboard.press('Enter');
    await code.command('Lanewise: Show Report');
    await code.panel().locator('.warning', { hasText: 'has changed since' }).waitFor();
    await code.screenshot('report-stale');
    // It was line 11 when it ran.
    await code.panel().locator('button', { hasText: 'Go to line 11' }).click();
    await code.panel().locator('[data-line="11"]').press('Enter');
    await code.status('Ln 12').waitFor();
    for (let i = 0; i < 8; i++) await code.page.keyboard.press('Control+z');
    await code.line('// one more line').waitFor({ state: 'hidden' });
    await code.saveAll();
    await code.command('View: Close All Editors');
  });
});

describe('a finding', () => {
  it('has the page of its rule, rendered', async () => {
    await code.command('Lanewise: Show the Page of a Rule');
    await code.pick('uncoalesced-access');
    const page = code.panel();
    await page.locator('h2', { hasText: 'What to do' }).waitFor();
    expect(await page.locator('body').textContent()).not.toContain('~^');
    await code.screenshot('rule');
    await code.command('View: Close All Editors');
  });

  it('is fixed, and the program runs again and says what that has changed', async () => {
    await code.openFile('tiles.cu');
    await code.lens('Run in simulator').first().click();
    await code.output('0 wrong');
    await code.output('exit code 0');
    await code.command('Notifications: Clear All Notifications');
    const access = code.line('out[y * n + x] = tile').locator('span', { hasText: 'tile' }).last();
    await access.click();
    await code.page.keyboard.press('Control+.');
    await code.action('Pad').waitFor();
    await code.screenshot('actions');
    await code.chooseAction('Pad');
    const said = code.page.locator('.notification-list-item-message').filter({ hasText: 'transpose: bank conflicts 15,872 → 0' });
    await said.filter({ hasText: 'times faster (estimated)' }).waitFor();
    await code.lens('times faster (estimated)').waitFor();
    await code.screenshot('fixed');
    await code.command('Notifications: Clear All Notifications');
    await code.saveAll();
    await code.command('View: Close All Editors');
  });

  it('is turned off in a file and in the project', async () => {
    await code.openFile('strided.cuh');
    await code.page.locator('.squiggly-warning').first().waitFor();
    for (const [title, expected] of [
      ['in this file', '// lanewise: allow-file(uncoalesced-access) reason:'],
      ['off in lanewise.json', undefined],
    ] as const) {
      await code.line('if (i < n) out[i]').click();
      await code.page.keyboard.press('Home');
      for (let i = 0; i < 20; i++) await code.page.keyboard.press('ArrowRight');
      await code.page.keyboard.press('Control+.');
      await code.chooseAction(title);
      if (expected === undefined) break;
      await code.line(expected).waitFor();
      await code.page.locator('.squiggly-warning').first().waitFor();
      await code.screenshot('rule off in a file');
      for (let i = 0; i < 2; i++) await code.page.keyboard.press('Control+z');
      await code.line(expected).waitFor({ state: 'hidden' });
    }
    await code.page.locator('.explorer-folders-view .monaco-list-row').getByText('lanewise.json', { exact: true }).waitFor();
    // It counts once it is saved, which nobody has to see to.
    await code.page.locator('.squiggly-warning').first().waitFor({ state: 'hidden' });
    await code.screenshot('rule off in the project');
    rmSync(join(code.workspace, 'lanewise.json'));
    await code.page.locator('.squiggly-warning').first().waitFor();
    await code.command('View: Close All Editors');
  });

  it('is suppressed with the cursor in the reason', async () => {
    await code.openFile('strided.cuh');
    await code.line('if (i < n) out[i]').click();
    await code.page.keyboard.press('Home');
    for (let i = 0; i < 20; i++) await code.page.keyboard.press('ArrowRight');
    await code.page.keyboard.press('Control+.');
    await code.chooseAction('Suppress uncoalesced-access here');
    await code.line('// lanewise: allow(uncoalesced-access) reason:').waitFor();
    await code.page.locator('.squiggly-warning').first().waitFor();
    await code.page.keyboard.type('halo');
    await code.line('reason: halo').waitFor();
    await code.page.locator('.squiggly-warning').first().waitFor({ state: 'hidden' });
    await code.screenshot('suppressed');
  });
});

describe('the status bar', () => {
  it('offers the version of CUDA', async () => {
    await code.openFile('strided.cu');
    await code.status('CUDA 12.8').waitFor();
    await code.command('Lanewise: Choose the CUDA Version');
    await code.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: '12.8' }).filter({ hasText: 'chosen now' }).waitFor();
    await code.screenshot('versions');
    await code.pick('13.0');
    await code.status('CUDA 13.0').waitFor();
    // No lanewise.json has another one.
    expect(await code.page.locator('.notification-list-item-message').filter({ hasText: 'names the CUDA version' }).count()).toBe(0);
    await expect
      .poll(() => readFileSync(join(code.workspace, '.vscode/settings.json'), 'utf8'))
      .toContain('"lanewise.cudaVersion": "13.0"');
    code.settings({});
  });

  it('names the device, and has the user choose another one', async () => {
    await code.openFile('strided.cu');
    await code.status('Lanewise: h200').click();
    await code.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Choose the CUDA Version' }).waitFor();
    await code.screenshot('menu');
    await code.pick('Choose the Device to Simulate');
    await code.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'a100' }).first().waitFor();
    await code.screenshot('devices');
    await code.pick('a100');
    await code.status('Lanewise: a100').waitFor();
    await code.lens('Run in simulator').first().click();
    await code.output('simulated on a100');
  });

  it('is right when the language server has been started again', async () => {
    await code.command('Lanewise: Restart Language Server');
    await code.clearOutput();
    await code.lens('Run in simulator').first().click();
    await code.output('simulated on a100');
    code.settings({});
    await code.status('Lanewise: h200').waitFor();
    await code.saveAll();
    await code.command('View: Close All Editors');
  });
});

/** Their ids: of those whose command names both. */
function processesWith(...names: readonly string[]): string[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' });
  const found = stdout.split('\n').filter((line) => names.every((name) => line.includes(name)));
  return found.map((line) => line.trim().split(' ')[0]);
}

describe('the extension', () => {
  it('has a page with its picture, and no link that leads nowhere', async () => {
    await code.command('Extensions: Show Enabled Extensions');
    await code.page.locator('.extensions-list .monaco-list-row').filter({ hasText: 'Lanewise' }).first().click();
    const page = code.panel();
    await page.locator('h1', { hasText: 'CUDA without a GPU' }).waitFor();
    const picture = page.locator('img').first();
    const width = () => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth);
    // VS Code 1.139 takes pictures of this page from https alone, and the project has no address: its words stand there by themselves.
    if (process.env.LANEWISE_VSCODE === 'newest') await expect.poll(async () => (await picture.boundingBox())?.width ?? 0).toBe(0);
    else await expect.poll(width).toBeGreaterThan(300);
    await page.locator('em', { hasText: 'a hover draws which lanes take which side' }).waitFor();
    const links = await page.locator('body a[href]').evaluateAll((all) => all.map((link) => link.getAttribute('href')!));
    expect(links.filter((link) => !/^(https?:|#)/.test(link))).toEqual([]);
    expect(await page.locator('body').textContent()).not.toContain('npm run');
    await code.screenshot('extension page');
    await code.command('View: Close All Editors');
    await code.command('Explorer: Focus on Folders View');
  });

  it('is active at once', async () => {
    await code.command('Developer: Show Running Extensions');
    const rows = code.page.locator('.runtime-extensions-editor .monaco-list-row');
    await rows.first().click();
    const row = rows.filter({ hasText: 'Lanewise' }).filter({ hasText: /Activation: \d+ms/ });
    // By time, and rows out of sight do not exist.
    await expect
      .poll(
        async () => {
          if (!(await row.isVisible())) await code.page.keyboard.press('PageDown');
          return row.isVisible();
        },
        { timeout: 30_000, interval: 500 },
      )
      .toBe(true);
    const text = await row.textContent();
    console.log(`activation: ${text}`);
    // 150 ms is the aim on an idle machine; others may be at work on this one.
    expect(Number(/Activation: (\d+)ms/.exec(text!)?.[1])).toBeLessThanOrEqual(2000);
    // A dialog in the newest version.
    await code.page.keyboard.press('Escape');
    await code.command('View: Close All Editors');
  });

  it('starts its server so that memory of runs goes back to the system', () => {
    const environments = processesWith(join(code.scratch, 'ext'), 'dist/server.mjs').map((pid) =>
      readFileSync(`/proc/${pid}/environ`, 'utf8'),
    );
    expect(environments).toHaveLength(1);
    expect(environments[0].split('\0')).toContain('MALLOC_ARENA_MAX=1');
  });

  it('leads to the log of the language server', async () => {
    await code.command('Lanewise: Show Log of the Language Server');
    await code.page.locator('.panel .monaco-select-box, .panel select').filter({ hasText: 'Lanewise Language Server' }).first().waitFor();
    await code.screenshot('log');
  });
});

describe('a program that goes wrong', () => {
  it('has its compile errors underlined and listed, in headers too', async () => {
    await code.openFile('broken.cu');
    await code.lens('Run in simulator').first().click();
    await code.output("use of undeclared identifier 'undeclared'");
    await code.page.locator('.squiggly-error').first().waitFor();
    await code.page.locator('.notification-list-item-message').filter({ hasText: 'does not compile' }).waitFor();
    await code.command('View: Toggle Problems');
    await code.page.locator('.markers-panel .monaco-list-row').filter({ hasText: 'undeclared identifier' }).waitFor();
    await code.page.locator('.markers-panel .monaco-list-row').filter({ hasText: 'broken.cuh' }).waitFor();
    await code.lens('Run in simulator').first().waitFor();
    await code.screenshot('compile-errors');
  });

  it('loses a compile error with its cause, and keeps the others', async () => {
    await code.line('out[threadIdx.x] = undeclared;').click();
    await code.page.keyboard.press('End');
    await code.page.keyboard.press('ArrowLeft');
    await code.page.keyboard.press('Control+Backspace');
    await code.page.keyboard.type('1');
    await code.line('out[threadIdx.x] = 1;').waitFor();
    const rows = code.page.locator('.markers-panel .monaco-list-row');
    await rows.filter({ hasText: 'undeclared identifier' }).first().waitFor({ state: 'hidden' });
    await rows.filter({ hasText: 'broken.cuh' }).first().waitFor();
    for (let i = 0; i < 4; i++) await code.page.keyboard.press('Control+z');
  });

  it('has its fault at the line, with block and thread', async () => {
    await code.openFile('outside.cu');
    await code.command('Lanewise: Run in Simulator');
    await code.output(/block.\(1,.0,.0\)/);
    await code.page.locator('.squiggly-error').first().waitFor();
    await code.lens('Run in simulator').first().waitFor();
    await code.command('Explorer: Focus on Simulated Kernels View');
    await code.page.locator('.sidebar .monaco-list-row').filter({ hasText: 'outside<<<' }).waitFor();
    await code.screenshot('fault');
    await code.pressInNotification('Show Line');
    await code.page.locator('#status\\.editor\\.selection').filter({ hasText: 'Ln 5' }).waitFor();
    await code.page.locator('.output-view .detected-link').filter({ hasText: 'outside.cu:5' }).first().waitFor();
  });

  it('is kept out of files elsewhere, and runs again where the user lets it in', async () => {
    await code.command('Notifications: Clear All Notifications');
    await code.openFile('reader.cu');
    await code.command('Lanewise: Run in Simulator');
    await code.output('refused');
    await code.page.locator('.notification-toast').filter({ hasText: 'outside the program' }).waitFor();
    await code.screenshot('allow');
    await code.pressInNotification('Allow reading /etc');
    await code.output(/is.read/);
  });

  it('is cancelled from the progress notification when it never ends, and keeps what it has counted', async () => {
    await code.command('Notifications: Clear All Notifications');
    await code.openFile('partly.cu');
    await code.lens('Run in simulator').first().click();
    await code.output('before the endless kernel');
    await code.lens('Cancel run').first().waitFor();
    await code.screenshot('running');
    await code.pressInNotification('Cancel');
    await code.output('cancelled');
    await code.lens('Run in simulator').first().waitFor();
    await code.lens('until you cancelled it: 1 launch of 1 × 32 threads').waitFor();
    await code.screenshot('cancelled');
  });

  it('says how to run kernels without a main', async () => {
    await code.openFile('kernel-only.cu');
    await code.lens('no main here').first().click();
    await code.page.locator('.notification-list-item-message').filter({ hasText: 'has kernels but no main' }).waitFor();
    await code.screenshot('no-main');
    await code.pressInNotification('Run this kernel');
    await code.page.locator('.quick-input-widget').filter({ hasText: 'Launch of scale' }).waitFor();
    await code.page.keyboard.press('Escape');
  });
});

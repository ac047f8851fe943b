/** The packed extension in a real VS Code: what a user sees and clicks. Each test goes on where the one before it left the editor. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root, VsCode } from './vscode.ts';

let code: VsCode;
beforeAll(async () => {
  code = await VsCode.start({ workspace: join(root, 'test/fixtures/editor'), file: 'doubling.cu' });
});
afterAll(() => code?.stop());

describe('a program', () => {
  it('is CUDA C++, with findings underlined and a lens over main and every kernel', async () => {
    await code.page.locator('.squiggly-warning').first().waitFor();
    expect(await code.page.locator('#status\\.editor\\.mode').textContent()).toContain('CUDA C++');
    await code.lens('Run in simulator').nth(2).waitFor();
    expect(await code.lens('Run in simulator').count()).toBe(3);
    await code.screenshot('findings');
  });

  it('explains a finding when the mouse rests on it', async () => {
    await code.line('if (threadIdx.x % 2 == 0)').locator('span', { hasText: 'threadIdx' }).last().hover();
    const hover = code.page.locator('.monaco-hover:visible');
    await hover.filter({ hasText: 'divergent-branch' }).waitFor();
    await code.screenshot('hover');
    await code.page.keyboard.press('Escape');
  });

  it('runs when the lens is clicked, prints, and has its costs at the ends of lines', async () => {
    await code.lens('Run in simulator').first().click();
    const output = await code.output('first 41, second 88, argument none');
    expect(output).toContain('doubling.cu in the simulator');
    await code.output('exit code 0');
    await code.output('spread(const int *, int *)');
    const texts = await code.decorations((all) => all.some((text) => text.includes('ideal sectors')));
    expect(texts).toContainEqual(expect.stringMatching(/lanes active/));
    await code.lens('1 launch of 32 × 128 threads').waitFor();
    await code.page.locator('.notification-toast').first().waitFor({ state: 'hidden' });
    await code.screenshot('counters');
  });

  it('shows all counters of a line when the mouse rests on its end', async () => {
    const line = code.line('out[i] = in[i * 32];');
    const box = (await line.locator('span').last().boundingBox())!;
    await code.page.mouse.move(box.x + box.width - 30, box.y + box.height / 2);
    await code.page.locator('.monaco-hover:visible').filter({ hasText: 'global memory sectors' }).waitFor();
    await code.screenshot('counters-hover');
    await code.page.keyboard.press('Escape');
  });

  it("lists its launches with Nsight Compute's names", async () => {
    await code.command('Explorer: Focus on Simulated Kernels View');
    const rows = code.page.locator('.sidebar .monaco-list-row');
    await rows.filter({ hasText: 'spread(const int *, int *)' }).click();
    await code.page.keyboard.press('ArrowRight');
    await rows.filter({ hasText: 'l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum' }).first().waitFor();
    await code.screenshot('kernels');
  });

  it('greys what it knows once the text is edited', async () => {
    await code.line('#include <cstdio>').click();
    await code.page.keyboard.press('Control+Home');
    await code.page.keyboard.type('#define EDITED 1');
    await code.page.keyboard.press('Enter');
    await code.lens('before your last edits').first().waitFor();
    expect(await code.decorations((all) => all.some((text) => text.includes('ideal sectors')))).not.toEqual([]);
    await code.screenshot('stale');
    await code.page.keyboard.press('Control+z');
    await code.page.keyboard.press('Control+z');
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

  it('has its fault at the line, with block and thread', async () => {
    await code.openFile('outside.cu');
    await code.command('Lanewise: Run in Simulator');
    await code.output(/block.\(1,.0,.0\)/);
    await code.page.locator('.squiggly-error').first().waitFor();
    await code.lens('Run in simulator').first().waitFor();
    await code.page.locator('.sidebar .monaco-list-row').filter({ hasText: 'outside(int *)' }).waitFor();
    await code.screenshot('fault');
  });

  it('is kept out of files elsewhere, and runs again where the user lets it in', async () => {
    await code.command('Notifications: Clear All Notifications');
    await code.openFile('reader.cu');
    await code.command('Lanewise: Run in Simulator');
    await code.output('refused');
    const question = code.page.locator('.notification-toast').filter({ hasText: 'outside the program' });
    await question.waitFor();
    await code.screenshot('allow');
    await question.locator('.monaco-button').filter({ hasText: 'Allow reading /etc' }).click();
    await code.output(/is.read/);
  });

  it('is cancelled from the progress notification when it never ends', async () => {
    await code.command('Notifications: Clear All Notifications');
    await code.openFile('endless.cu');
    await code.lens('Run in simulator').first().click();
    await code.output('before the endless kernel');
    await code.lens('Cancel run').first().waitFor();
    await code.screenshot('running');
    await code.page.locator('.notification-toast .monaco-button').filter({ hasText: 'Cancel' }).click();
    await code.output('cancelled');
    await code.lens('Run in simulator').first().waitFor();
  });

  it('says how to run kernels without a main', async () => {
    await code.openFile('kernel-only.cu');
    await code.lens('no main here').first().click();
    await code.page.locator('.notification-list-item-message').filter({ hasText: 'has kernels but no main' }).waitFor();
    await code.screenshot('no-main');
  });
});

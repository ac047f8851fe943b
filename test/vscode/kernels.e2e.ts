/** A kernel without a main in a real VS Code: run by itself, kept as a harness, judged as a test. Each test goes on where the last one ended. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EDITOR_FIXTURES, type VsCode, withVsCode } from './vscode.ts';

let code: VsCode;
withVsCode({ workspace: EDITOR_FIXTURES, file: 'axpy.cu' }, (started) => {
  code = started;
});

describe('a kernel without a main', () => {
  it('is run by itself: launch, reference and arguments are asked for, inputs and outputs shown', async () => {
    await code.openFile('axpy.cu');
    await code.lens('Run this kernel').first().click();
    await code.answer('<<<2, 128>>>');
    await code.pick('Compare with axpyOnHost');
    await code.page.locator('.quick-input-widget').filter({ hasText: 'Arguments of axpy' }).waitFor();
    await expect
      .poll(() => code.page.locator('.quick-input-widget input.input').inputValue())
      .toBe('T=float, x=iota:256, y=zeros:256, a=1, n=256');
    await code.screenshot('kernel-arguments');
    await code.answer('T=float, x=iota:256, y=ones:256, a=0.5f, n=256');
    await code.output('exit code 0');
    const page = code.panel();
    await page.locator('#buffers h3', { hasText: 'y: 256 × float, written by the kernel, as the reference has it' }).waitFor();
    await page.locator('#buffers').scrollIntoViewIfNeeded();
    for (const theme of ['Visual Studio Dark', 'Default High Contrast', 'Visual Studio Light']) {
      code.settings({ 'workbench.colorTheme': theme });
      await page.locator(`body[data-vscode-theme-id="${theme}"]`).waitFor();
      await code.picture(`buffers ${theme}`);
    }
  });

  it('has its counters kept as a budget', async () => {
    await code.lens('Keep counters as budget').click();
    await code.line('expect(axpy) sectors per load <= 4').waitFor();
    await code.lens('Run in simulator').first().click();
    await code.panel().locator('#expectations', { hasText: 'axpy: sectors per load <= 4' }).waitFor();
    await code.screenshot('budget');
  });

  it('is chosen from the palette, and bad arguments are asked for again', async () => {
    await code.command('View: Close All Editors');
    await code.openFile('axpy.cu');
    await code.command('Lanewise: Run a Kernel by Itself');
    await code.pick('apart');
    await code.answer('<<<1, 32>>>');
    await code.page.locator('.quick-input-widget').filter({ hasText: 'Arguments of apart' }).waitFor();
    await code.answer('in=5, out=zeros:32');
    await code.page.locator('.quick-input-widget').filter({ hasText: 'in is a buffer' }).waitFor();
    await code.screenshot('kernel-arguments-again');
    await code.answer('in=iota:1024, out=zeros:32');
    await code.output('32.0 sectors per load');
    await code.panel().locator('#buffers h3', { hasText: 'out: 32 × int, written by the kernel' }).waitFor();
  });

  it('keeps its harness, which runs again', async () => {
    await code.command('View: Close All Editors');
    await code.openFile('axpy.cu');
    await code.lens('Run this kernel').nth(1).click();
    await code.pick('Run axpy.apart.harness.cu');
    await code.panel().locator('#buffers h3', { hasText: 'out: 32 × int' }).waitFor();
    rmSync(join(code.workspace, 'axpy.apart.harness.cu'));
    await code.command('View: Close All Editors');
  });

  it('passes in the test explorer, and fails at the line whose budget is not kept', async () => {
    await code.command('View: Close All Editors');
    await code.command('Testing: Focus on Test Explorer View');
    const test = code.page.locator('.test-explorer .monaco-list-row').filter({ hasText: 'axpy.axpy' });
    await test.waitFor();
    await code.command('Test: Run All Tests');
    await code.page.locator('.test-explorer .monaco-list-row .codicon-testing-passed-icon').first().waitFor();
    await code.screenshot('test passed');
    await code.command('Explorer: Focus on Folders View');
    await code.openFile('axpy.axpy.harness.cu');
    await code.line('sectors per load <= 4').click();
    await code.page.keyboard.press('End');
    await code.page.keyboard.press('Backspace');
    await code.page.keyboard.type('3');
    await code.command('Test: Run All Tests');
    await code.page
      .locator('.test-message-inline-content, .testing-inline-message-severity-0, .test-error-content-widget')
      .filter({ hasText: 'is not kept' })
      .first()
      .waitFor();
    await code.screenshot('test failed');
    await code.page.keyboard.press('Escape');
    await code.command('Testing: Focus on Test Explorer View');
    await code.page.locator('.test-explorer .monaco-list-row .codicon-testing-failed-icon').first().waitFor();
    await code.command('Explorer: Focus on Folders View');
    await code.command('View: Close All Editors');
  });
});

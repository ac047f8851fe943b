/** What a real VS Code offers of C++ as somebody writes. Each test goes on where the one before it left the editor. */
import { describe, it } from 'vitest';
import { EDITOR_FIXTURES, type VsCode, withVsCode } from './vscode.ts';

let code: VsCode;
withVsCode({ workspace: EDITOR_FIXTURES, file: 'doubling.cu' }, (started) => {
  code = started;
});

describe('C++', () => {
  it('is completed as somebody writes', async () => {
    await code.openFile('doubling.cu');
    await code.line('out[i] = in[i * 32];').click();
    await code.page.keyboard.press('End');
    await code.page.keyboard.press('Enter');
    await code.page.keyboard.type('cudaMal');
    await code.page.locator('.suggest-widget .monaco-list-row').filter({ hasText: 'cudaMallocManaged' }).first().waitFor();
    await code.screenshot('completion');
    await code.page.keyboard.press('Escape');
  });

  it('shows the parameters of a call', async () => {
    await code.page.keyboard.type('loc(');
    await code.page.locator('.parameter-hints-widget.visible').filter({ hasText: 'pointer' }).first().waitFor();
    await code.screenshot('signature');
    await code.page.keyboard.press('Escape');
  });

  it('has the errors of what is being typed, and loses them with it', async () => {
    await code.page.locator('.squiggly-error').first().waitFor();
    await code.screenshot('live-errors');
    for (let i = 0; i < 8; i++) await code.page.keyboard.press('Control+z');
    await code.page.locator('.squiggly-error').first().waitFor({ state: 'hidden' });
  });

  it("has the compiler's own fixes", async () => {
    await code.line('out[i] = in[i * 32];').click();
    await code.page.keyboard.press('End');
    await code.page.keyboard.press('Backspace');
    await code.page.locator('.squiggly-error').first().waitFor();
    await code.page.keyboard.press('Control+.');
    await code.action('Insert `;`').waitFor();
    await code.screenshot('compiler fix');
    await code.chooseAction('Insert `;`');
    await code.line('out[i] = in[i * 32];').waitFor();
    await code.page.locator('.squiggly-error').first().waitFor({ state: 'hidden' });
  });

  it('says how a name is declared when the mouse rests on it', async () => {
    const name = code
      .line('cudaFree(spreadOut);')
      .locator('span', { hasText: /^spreadOut$/ })
      .last();
    const hover = () => code.hover(name, 'int *spreadOut');
    await hover();
    await code.screenshot('declaration', hover);
    await code.page.keyboard.press('Escape');
  });

  it('leads from a launch to the kernel', async () => {
    await code.page.keyboard.press('Control+End');
    await code.line('spread<<<1, 128>>>').click();
    await code.page.keyboard.press('Home');
    await code.page.keyboard.press('F12');
    await code.status('Ln 16').waitFor();
    await code.screenshot('definition');
  });

  it('tells kernels from other functions by their colour', async () => {
    await code.command('Developer: Inspect Editor Tokens and Scopes');
    const said = code.page.locator('.token-inspect-widget');
    await said.filter({ hasText: /semantic token type.*function.*modifiers.*kernel/s }).waitFor();
    await code.page.keyboard.press('Escape');
    await said.waitFor({ state: 'hidden' });
  });

  it('finds and replaces a name', async () => {
    await code.page.keyboard.press('Shift+F12');
    await code.page.locator('.reference-zone-widget .monaco-list-row').filter({ hasText: 'spread<<<1' }).first().waitFor();
    await code.screenshot('references');
    await code.page.keyboard.press('Escape');
    await code.page.keyboard.press('F2');
    await code.page.locator('.rename-input').fill('apart');
    await code.page.keyboard.press('Enter');
    await code.line('__global__ void apart(').waitFor();
    await code.page.keyboard.press('Control+End');
    await code.line('apart<<<1, 128>>>').waitFor();
    await code.screenshot('renamed');
    await code.page.keyboard.press('Control+z');
    await code.page.keyboard.press('Control+End');
    await code.line('spread<<<1, 128>>>').waitFor();
  });

  it('names parameters where somebody wants that', async () => {
    code.settings({ 'lanewise.codeHints.parameters': 'all', 'lanewise.codeHints.types': true });
    for (const label of ['grid:', 'block:']) await code.line('spread<<<').filter({ hasText: label }).waitFor();
    for (const label of ['destination:', 'kind:']) await code.line('cudaMemcpy(').filter({ hasText: label }).waitFor();
    await code.screenshot('code hints');
    code.settings({});
    await code.line('spread<<<1, 128>>>').waitFor();
  });

  it('has an outline', async () => {
    await code.command('Explorer: Focus on Outline View');
    await code.page.locator('.outline-tree .monaco-list-row').filter({ hasText: 'doubleEven' }).waitFor();
    await code.screenshot('outline');
    await code.command('Explorer: Focus on Folders View');
    await code.saveAll();
    await code.command('View: Close All Editors');
  });
});

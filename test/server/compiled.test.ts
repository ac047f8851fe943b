/** The compiler's facts in the editor: they come when typing pauses and go with the next keystroke. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Diagnostic } from 'vscode-languageserver/node';
import { Editor } from './editor.ts';

/** The text does not follow what lanes get from each other. */
const TEXT = `#define REVERSED(value) __shfl_sync(0xffffffff, value, 31 - threadIdx.x)
__global__ void spread(float *v) {
  v[REVERSED(threadIdx.x * 8)] = 1;
}
void run(float *v) { spread<<<1, 32>>>(v); }
`;

const shown = (diagnostics: readonly Diagnostic[]) => diagnostics.filter(({ code }) => code === 'uncoalesced-access');
const atLine3 = (diagnostics: readonly Diagnostic[]) =>
  shown(diagnostics).some(({ range, message }) => range.start.line === 2 && JSON.stringify(message).includes('32 sectors'));

describe('a file whose typing pauses', () => {
  let editor: Editor;

  beforeAll(async () => {
    editor = await Editor.start({ options: { trustedWorkspace: true }, settings: { compile: true } });
  });
  afterAll(() => editor.stop());

  it('has the findings of its compiled code', { timeout: 120_000 }, async () => {
    const uri = editor.open('compiled-facts.cu', TEXT);
    await editor.pushed(uri, atLine3);
  });

  it('has those of its text from the next keystroke on, and the compiled ones again after a pause', { timeout: 120_000 }, async () => {
    const uri = editor.open('compiled-again.cu', TEXT);
    await editor.pushed(uri, atLine3);
    const start = { line: 0, character: 0 };
    const version = editor.edit(uri, { range: { start, end: start }, text: ' ' });
    await editor.pushed(uri, (diagnostics, of) => of === version && !atLine3(diagnostics));
    await editor.pushed(uri, atLine3);
  });

  it('keeps those of its text while it does not compile', { timeout: 120_000 }, async () => {
    const uri = editor.open('compiled-broken.cu', `${TEXT}__global__ void wide(float *v) { v[threadIdx.x * 32] = undeclared; }\n`);
    const diagnostics = await editor.pushed(uri, (all) => shown(all).length > 0);
    expect(atLine3(diagnostics)).toBe(false);
  });
});

describe('without the setting', () => {
  it('the compiler is not asked', { timeout: 60_000 }, async () => {
    const editor = await Editor.start({ options: { trustedWorkspace: true }, settings: {} });
    const uri = editor.open('compiled-facts.cu', TEXT);
    await editor.pushed(uri);
    // Longer than a pause and a compilation.
    await new Promise((resolve) => setTimeout(resolve, 4000));
    expect(atLine3(await editor.pushed(uri))).toBe(false);
    await editor.stop();
  });
});

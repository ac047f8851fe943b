/** Kernels in headers: what is found in them, and what a run of a program that includes them says of them, as texts change and change back. */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InlayHint } from 'vscode-languageserver/node';
import { Editor, fixtures, wholeFile } from './editor.ts';

const header = readFileSync(join(fixtures, 'strided.cuh'), 'utf8');
const strided = header.split('\n').findIndex((line) => line.includes('in[i * 32]'));

describe('a kernel in a header', () => {
  let editor: Editor;
  beforeAll(async () => {
    editor = await Editor.start({ pull: true, extension: true, settings: {} });
  });
  afterAll(() => editor.stop());

  it('has the findings of the programs beside it that launch it', async () => {
    const uri = editor.open('strided.cuh');
    expect(await editor.pulled(uri)).toMatchObject([
      {
        code: 'uncoalesced-access',
        message: expect.stringContaining('32 sectors per request instead of 4'),
        range: { start: { line: strided } },
      },
    ]);
    const program = editor.open('strided.cu');
    editor.edit(program, { text: readFileSync(join(fixtures, 'strided.cu'), 'utf8').replace('gather<float>', '// gather<float>') });
    expect(await editor.pulled(uri)).toEqual([]);
    editor.edit(program, { text: readFileSync(join(fixtures, 'strided.cu'), 'utf8') });
    expect(await editor.pulled(uri)).toHaveLength(1);
  });

  it('has counters and a lens after a run of the program', async () => {
    const [program, uri] = [editor.open('strided.cu'), editor.open('strided.cuh')];
    const outcome = await editor.run(program);
    expect(outcome).toMatchObject({ kind: 'finished', sources: [join(fixtures, 'strided.cu'), join(fixtures, 'strided.cuh')] });
    const marks = editor.annotations.filter((each) => each.uri === uri).at(-1)!;
    expect(marks.annotations.find(({ line }) => line === strided)).toMatchObject({
      costly: true,
      text: expect.stringContaining('ideal sectors'),
    });
    expect((await editor.lenses(uri)).map(({ command }) => [command?.title, command?.arguments])).toEqual([
      ['▶ Run strided.cu in simulator', [program]],
      ['Run this kernel…', [uri, 'gather']],
      [expect.stringMatching(/^1 launch of 2 × 128 threads · .*ideal sectors/), [program]],
    ]);
  });

  it('counts with its unsaved text; what was counted is stale while any text differs from those that ran, and true again on undo', async () => {
    const [program, uri] = [editor.open('strided.cu'), editor.open('strided.cuh')];
    const stale = () => editor.lenses(program).then(() => editor.annotations.filter((each) => each.uri === program).at(-1)!.stale);
    editor.edit(uri, { text: header.replace('i * 32', 'i') });
    const outcome = await editor.run(program);
    expect(outcome).toMatchObject({ kind: 'finished', summaries: [{ text: '32.0 → 4.0 sectors per load · 1 launch of 2 × 128 threads' }] });
    expect(await stale()).toBe(false);
    editor.edit(uri, { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: '// above\n' });
    expect(await stale()).toBe(true);
    expect((await editor.lenses(uri)).at(-1)?.command?.title).toMatch(/^before your last changes: /);
    editor.edit(uri, { range: { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } }, text: '' });
    expect(await stale()).toBe(false);
    editor.configure({ device: 'a100' });
    await editor.until(() => editor.annotations.at(-1)?.stale === true);
    editor.configure({});
    await editor.until(() => editor.annotations.at(-1)?.stale === false);
    editor.close(uri);
    expect(await stale()).toBe(true);
  });
});

describe('before any run, the lens of a header', () => {
  it('runs the program that includes it', async () => {
    const editor = await Editor.start({ extension: true, settings: {} });
    const uri = editor.open('strided.cuh');
    const program = pathToFileURL(join(fixtures, 'strided.cu')).href;
    const [first] = await editor.lenses(uri);
    expect([first.command?.title, first.command?.arguments]).toEqual(['▶ Run strided.cu in simulator', [program]]);
    // By the button above the editor, too.
    expect(await editor.run(uri)).toMatchObject({
      kind: 'finished',
      sources: [join(fixtures, 'strided.cu'), join(fixtures, 'strided.cuh')],
    });
    await editor.stop();
  });

  it('runs the program that includes it, of a source without a main function, too; a harness is none', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lanewise-source-')));
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
    write('kernels.cu', '__global__ void fill(integer* out) { out[threadIdx.x] = WIDTH; }\n');
    write('kernels.fill.harness.cu', '#include "kernels.cu"\nint main() {}\n');
    write('integer.h', 'typedef int integer;\n');
    const before = ['#include "integer.h"', '#define WIDTH 32'];
    const conditional = ['#ifdef OTHER', '#define OTHER_WIDTH 64', '#endif'];
    write('main.cu', [...before, ...conditional, '#include "kernels.cu"', 'int main() { fill<<<1, WIDTH>>>(nullptr); }'].join('\n'));
    const editor = await Editor.start({ extension: true, settings: {}, folder });
    try {
      const uri = editor.open(join(folder, 'kernels.cu'));
      const titles = (await editor.lenses(uri)).map(({ command }) => [command?.title, command?.arguments?.[0]]);
      expect(titles).toEqual([
        ['▶ Run main.cu in simulator', pathToFileURL(join(folder, 'main.cu')).href],
        ['Run this kernel…', uri],
      ]);
      // By itself, the file does not compile.
      const form = { uri, kernel: 'fill', launch: '1, 32', args: 'out=zeros:32' };
      const made = await editor.connection.sendRequest<{ text: string }>('lanewise/harness', form);
      expect(made.text.split('\n').slice(1, 5)).toEqual(['#include <lanewise/harness.h>', ...before, '#include "kernels.cu"']);
      const harness = editor.open(join(folder, 'kernels.fill.harness.cu'), made.text);
      expect(await editor.run(harness)).toMatchObject({ kind: 'finished', report: { exit: 0, buffers: [{ after: expect.anything() }] } });
    } finally {
      await editor.stop();
      rmSync(folder, { recursive: true });
    }
  });

  it('runs the program of several files that the source which includes it is part of', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lanewise-part-')));
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
    write('Makefile', 'source = main.cu steps.cu\n');
    write('main.cu', 'void steps();\nint main() { steps(); }\n');
    write('steps.cu', '#include "kernels.h"\nvoid steps() { fill<<<1, 32>>>(0); }\n');
    write('kernels.h', '__global__ void fill(int* out) { if (out) out[threadIdx.x] = 1; }\n');
    write('alone.h', '__global__ void alone(int* out) { out[threadIdx.x] = 1; }\n');
    const editor = await Editor.start({ extension: true, settings: {}, folder });
    try {
      const titles = async (name: string) => (await editor.lenses(editor.open(join(folder, name)))).map(({ command }) => command?.title);
      expect((await titles('kernels.h'))[0]).toBe('▶ Run main in simulator');
      expect((await titles('alone.h'))[0]).toBe('▶ Run in simulator (no main here)');
      expect(await editor.run(pathToFileURL(join(folder, 'kernels.h')).href)).toMatchObject({ kind: 'finished', report: { exit: 0 } });
    } finally {
      await editor.stop();
      rmSync(folder, { recursive: true });
    }
  });
});

it('a client without commands of its own gets counters as hints and the table from its lens', async () => {
  const editor = await Editor.start({ settings: {} });
  const uri = editor.open('strided.cu');
  const inHeader = editor.open('strided.cuh');
  await editor.connection.sendRequest('workspace/executeCommand', { command: 'lanewise.run', arguments: [uri] });
  const hints = await editor.connection.sendRequest<InlayHint[]>('textDocument/inlayHint', {
    textDocument: { uri: inHeader },
    range: wholeFile(),
  });
  expect(hints.map(({ position, label }) => [position.line, label])).toContainEqual([strided, expect.stringContaining('ideal sectors')]);
  const [, summary] = await editor.lenses(inHeader);
  expect(editor.initialized.capabilities.executeCommandProvider?.commands).toContain(summary.command?.command);
  editor.messages.length = 0;
  await editor.connection.sendRequest('workspace/executeCommand', {
    command: summary.command!.command,
    arguments: summary.command!.arguments,
  });
  await editor.until(() => editor.messages.some((message) => message.includes('gather<float>')));
  await editor.stop();
});

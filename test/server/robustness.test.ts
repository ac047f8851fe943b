/** Whatever a file contains and however an editor behaves, the server goes on answering. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Editor, fixtures, root, wholeFile } from './editor.ts';

const doubling = readFileSync(join(fixtures, 'doubling.cu'), 'utf8');

describe('a server that meets bad input', () => {
  let editor: Editor;
  beforeAll(async () => {
    editor = await Editor.start({ pull: true, extension: true });
  });
  afterAll(async () => {
    expect(editor.messages.filter((message) => /Error|Uncaught|Unhandled/.test(message))).toEqual([]);
    expect(await editor.stop()).toBe(0);
  });

  /** Everything that an editor asks about a file. */
  async function askAll(uri: string) {
    const [diagnostics] = await Promise.all([
      editor.pulled(uri),
      editor.lenses(uri),
      editor.actions(uri, wholeFile()),
      editor.hover(uri, 3, 5),
      editor.hover(uri, 100_000, 100_000),
    ]);
    return diagnostics;
  }

  it('answers about a file that is cut off anywhere', async () => {
    const step = Math.ceil(doubling.length / 60);
    for (let length = 0; length < doubling.length; length += step) {
      const uri = editor.open('cut.cu', doubling.slice(0, length));
      for (const { range } of await askAll(uri)) expect(range.start.line).toBeLessThan(doubling.split('\n').length);
      editor.close(uri);
    }
  });

  it('says that a binary file is not analysed', async () => {
    const binary = readFileSync(join(root, 'dist/icon.png')).toString('latin1');
    const uri = editor.open('binary.cu', binary);
    expect(await askAll(uri)).toMatchObject([{ code: 'not-analysed', message: expect.stringContaining('NUL') }]);
    editor.edit(uri, { text: doubling });
    expect((await askAll(uri)).map(({ code }) => code)).toContain('divergent-branch');
    editor.close(uri);
  });

  it('says that a huge file is not analysed, and analyses it once it is small', async () => {
    const uri = editor.open('huge.cu', `${doubling}\n${'// filler\n'.repeat(300_000)}`);
    expect(await askAll(uri)).toMatchObject([{ code: 'not-analysed', message: expect.stringContaining('million characters') }]);
    const lines = doubling.split('\n').length;
    editor.edit(uri, { range: { start: { line: lines, character: 0 }, end: { line: 400_000, character: 0 } }, text: '' });
    expect((await askAll(uri)).map(({ code }) => code)).toContain('divergent-branch');
    editor.close(uri);
  });

  it('survives text that no compiler would accept', async () => {
    const texts = [
      '',
      '\n'.repeat(50),
      '{'.repeat(5_000),
      '('.repeat(5_000),
      '__global__ void k(',
      'template <'.repeat(500),
      '\ud800\ufeff\u2028',
      '\r\r\r//\r__global__',
    ];
    for (const text of texts) {
      const uri = editor.open('odd.cu', text);
      await askAll(uri);
      editor.edit(uri, { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: doubling });
      await askAll(uri);
      editor.close(uri);
    }
  });

  it('clamps ranges outside the text, and counts columns in UTF-16 units', async () => {
    const uri = editor.open('doubling.cu', doubling);
    editor.edit(uri, { range: { start: { line: 9_999, character: 9 }, end: { line: 99_999, character: 9 } }, text: '// 𝔸 the end\n' });
    const lastLine = doubling.split('\n').length - 1;
    editor.edit(uri, { range: { start: { line: lastLine, character: 5 }, end: { line: lastLine, character: 9_999 } }, text: '// end' });
    expect((await askAll(uri)).map(({ code }) => code)).toContain('divergent-branch');
    editor.close(uri);
  });

  it('keeps its own line count where lone carriage returns end lines', async () => {
    const uri = editor.open('old-mac.cu', doubling.replaceAll('\n', '\r'));
    await askAll(uri);
    editor.edit(uri, { range: { start: { line: 4, character: 0 }, end: { line: 4, character: 0 } }, text: '// more\r' });
    await askAll(uri);
    editor.edit(uri, { text: doubling });
    expect((await askAll(uri)).map(({ code }) => code)).toContain('divergent-branch');
    editor.close(uri);
  });

  it('answers questions about files that are not open', async () => {
    expect(await askAll('file:///nowhere/at/all.cu')).toEqual([]);
    editor.cancel('file:///nowhere/at/all.cu');
    const untitled = 'untitled:Untitled-1';
    const textDocument = { uri: untitled, languageId: 'cuda-cpp', version: 1, text: doubling };
    void editor.connection.sendNotification('textDocument/didOpen', { textDocument });
    expect((await askAll(untitled)).map(({ code }) => code)).toContain('divergent-branch');
    const outcome = await editor.run(untitled);
    expect(outcome).toMatchObject({ kind: 'refused', message: expect.stringContaining('Save') });
    await expect(editor.connection.sendRequest('lanewise/unknown', {})).rejects.toThrow();
  });
});

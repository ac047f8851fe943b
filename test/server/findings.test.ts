/** What an editor gets while somebody types, with nothing run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MarkupContent, TextDocumentEdit, TextEdit } from 'vscode-languageserver/node';
import { Editor, fixtures, root, wholeFile } from './editor.ts';

const doubling = readFileSync(join(fixtures, 'doubling.cu'), 'utf8');
const branchLine = doubling.split('\n').findIndex((line) => line.includes('% 2 == 0'));
const at = (line: number, from: number, to: number) => ({ start: { line, character: from }, end: { line, character: to } });

describe.each([{ pull: false }, { pull: true }])('diagnostics, pull: $pull', ({ pull }) => {
  let editor: Editor;
  beforeAll(async () => {
    editor = await Editor.start({ pull });
  });
  afterAll(() => editor.stop());
  const diagnostics = (uri: string, version: number) =>
    pull ? editor.pulled(uri) : editor.pushed(uri, (_, published) => published === version);

  it('says how it can be asked', () => {
    expect(editor.initialized.capabilities.diagnosticProvider !== undefined).toBe(pull);
    expect(editor.initialized.serverInfo?.name).toBe('lanewise');
  });

  it('finds, follows edits, and forgets a closed file', async () => {
    const uri = editor.open('doubling.cu');
    const [first] = (await diagnostics(uri, 1)).filter(({ code }) => code === 'divergent-branch');
    expect(first).toMatchObject({ source: 'lanewise', range: { start: { line: branchLine } } });
    expect(String(first.message).length).toBeGreaterThan(20);

    const moved = editor.edit(uri, { range: at(0, 0, 0), text: '// a line more\n' });
    const after = (await diagnostics(uri, moved)).find(({ code }) => code === 'divergent-branch');
    expect(after?.range.start.line).toBe(branchLine + 1);

    // Two changes in one notification: the second is about the text after the first.
    const mended = editor.edit(
      uri,
      { range: at(0, 0, 15), text: '' },
      { range: at(branchLine + 1, 0, 200), text: '  if (threadIdx.x / 32 % 2 == 0) {' },
    );
    expect((await diagnostics(uri, mended)).map(({ code }) => code)).not.toContain('divergent-branch');

    const restored = editor.edit(uri, { text: doubling });
    expect((await diagnostics(uri, restored)).map(({ code }) => code)).toContain('divergent-branch');

    editor.close(uri);
    expect(pull ? await editor.pulled(uri) : await editor.pushed(uri, (list) => list.length === 0)).toEqual([]);
  });

  it('answers a burst of keystrokes with the state after them', async () => {
    const uri = editor.open('doubling.cu');
    let version = 1;
    for (const character of '// typed') version = editor.edit(uri, { range: at(0, version - 1, version - 1), text: character });
    version = editor.edit(uri, { range: at(0, 8, 8), text: '\n' });
    const found = (await diagnostics(uri, version)).find(({ code }) => code === 'divergent-branch');
    expect(found?.range.start.line).toBe(branchLine + 1);
    editor.close(uri);
  });
});

describe('settings', () => {
  it('silence a rule or change its severity, also while the file is open', async () => {
    const editor = await Editor.start({ settings: { rules: { 'divergent-branch': 'off' } } });
    const uri = editor.open('doubling.cu');
    expect((await editor.pushed(uri)).map(({ code }) => code)).not.toContain('divergent-branch');
    editor.configure({ rules: { 'divergent-branch': 'error' } });
    const found = await editor.pushed(uri, (list) => list.some(({ code }) => code === 'divergent-branch'));
    expect(found.find(({ code }) => code === 'divergent-branch')?.severity).toBe(1);
    await editor.stop();
  });
});

describe('the rest of a page', () => {
  let editor: Editor;
  let uri: string;
  beforeAll(async () => {
    editor = await Editor.start({ pull: true, extension: true });
    uri = editor.open('doubling.cu');
  });
  afterAll(() => editor.stop());

  it('reports an unchanged file as unchanged', async () => {
    const first = await editor.pull(uri);
    expect(first.kind).toBe('full');
    expect((await editor.pull(uri, first.resultId)).kind).toBe('unchanged');
  });

  it('hovers with words', async () => {
    const column = doubling.split('\n')[branchLine].indexOf('threadIdx') + 2;
    const hover = await editor.hover(uri, branchLine, column);
    expect(hover?.contents).toMatchObject({ kind: 'markdown', value: expect.stringMatching(/lane|thread/i) });
    expect(await editor.hover(uri, 2, 0)).toBeNull();

    const kernel = doubling.split('\n').findIndex((line) => line.includes('void doubleEven'));
    expect((await editor.hover(uri, kernel, doubling.split('\n')[kernel].indexOf('doubleEven') + 1))?.contents).toMatchObject({
      value: expect.stringContaining('doubleEven'),
    });

    const access = doubling.split('\n').findIndex((line) => line.includes('in[i * 32]'));
    expect((await editor.hover(uri, access, doubling.split('\n')[access].indexOf('in[i * 32]') + 3))?.contents).toMatchObject({
      value: expect.stringContaining('32 sectors of 32 bytes per request'),
    });
  });

  it('explains a finding without repeating its message, which the editor shows by itself', async () => {
    const finding = (await editor.pulled(uri)).findLast(({ code }) => code === 'uncoalesced-access')!;
    const { line, character } = finding.range.start;
    const { value } = (await editor.hover(uri, line, character + 1))!.contents as MarkupContent;
    expect(value).not.toContain(finding.message);
    // From the page of the rule: why, a measurement, and where the rest is.
    const page = readFileSync(join(root, 'docs/rules/uncoalesced-access.md'), 'utf8');
    expect(value).toContain(page.split('\n')[2]);
    expect(value).toContain(page.split('## Evidence\n\n')[1].split('\n')[0]);
    expect(value).toMatch(/\[All about uncoalesced-access\]\(command:lanewise\.showRule\?%5B%22uncoalesced-access%22%5D\)$/);
    expect(value).toContain('![Picture: Load of in(i * 32) in global memory: 32 sectors');
  });

  it('puts a lens over main and over every kernel', async () => {
    const lenses = await editor.lenses(uri);
    const lines = doubling.split('\n');
    const places = lenses.map(({ range, command }) => [lines[range.start.line].split('(')[0].split(' ').at(-1), command?.title]);
    expect(places).toEqual([
      ['main', '▶ Run in simulator'],
      ['doubleEven', '▶ Run in simulator'],
      ['doubleEven', 'Run this kernel…'],
      ['spread', '▶ Run in simulator'],
      ['spread', 'Run this kernel…'],
    ]);
    const runs = lenses.filter(({ command }) => command?.title.startsWith('▶'));
    expect(runs.every(({ command }) => command?.command === 'lanewise.run' && command.arguments?.[0] === uri)).toBe(true);
    const alone = editor.open('kernel-only.cu');
    expect((await editor.lenses(alone)).map(({ command }) => command?.title)).toEqual([
      '▶ Run in simulator (no main here)',
      'Run this kernel…',
    ]);
  });

  it('offers a comment that allows a finding, and obeys it once it has a reason', async () => {
    const before = (await editor.pulled(uri)).filter(({ code }) => code === 'divergent-branch');
    const actions = await editor.actions(uri, before[0].range);
    const allow = actions.find(({ title }) => title.startsWith('Suppress divergent-branch'));
    const [edit] = editsOf(allow?.edit?.changes, uri);
    expect(edit.newText).toMatch(/^ +\/\/ lanewise: allow\(divergent-branch\)/);
    editor.edit(uri, { range: edit.range, text: edit.newText.trimEnd().concat(' measured: it does not matter here\n') });
    expect((await editor.pulled(uri)).filter(({ code }) => code === 'divergent-branch')).toHaveLength(before.length - 1);
    editor.edit(uri, { text: doubling });
  });

  it('offers nothing of a kind that was not asked for, and no fix-all without a safe fix', async () => {
    expect(await editor.actions(uri, wholeFile(), ['refactor'])).toEqual([]);
    const quick = await editor.actions(uri, wholeFile(), ['quickfix']);
    expect(quick.length).toBeGreaterThan(0);
    expect(quick.every(({ kind }) => kind === 'quickfix')).toBe(true);
  });
});

function editsOf(changes: Record<string, (TextEdit | TextDocumentEdit)[]> | undefined, uri: string): TextEdit[] {
  return (changes?.[uri] ?? []) as TextEdit[];
}

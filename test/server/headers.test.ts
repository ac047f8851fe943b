/** Headers beside open files: from the disk, from open editors, and again when they change. */
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Diagnostic } from 'vscode-languageserver/node';
import { Editor } from './editor.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lanewise headers-')));
const main = join(folder, 'project/main.cu');
const step = join(folder, 'project/inc/step.cuh');
const kernel = `__global__ void f(float* v) {
  v[place(threadIdx.x)] = 1.0f;
}
void run(float* v) { f<<<1, BLOCK>>>(v); }
`;
const header = (stride: number, block = 256) =>
  `#pragma once\n#define BLOCK ${block}\n__device__ inline int place(int i) { return i * ${stride}; }\n`;
const rules = (list: readonly Diagnostic[]) => list.map(({ code }) => code);
const strided = (list: readonly Diagnostic[]) => rules(list).includes('uncoalesced-access');
const calm = (list: readonly Diagnostic[]) => !strided(list);

mkdirSync(join(folder, 'project/inc'), { recursive: true });
mkdirSync(join(folder, 'elsewhere'));
writeFileSync(main, `#include "inc/step.cuh"\n${kernel}`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each([{ watch: true }, { watch: false }])('a client that watches files: $watch', ({ watch }) => {
  let editor: Editor;
  let uri: string;
  beforeAll(async () => {
    writeFileSync(step, header(32));
    editor = await Editor.start({ watch });
    uri = editor.open(main);
  });
  afterAll(() => editor.stop());
  const changed = () => {
    if (watch) editor.fileChanged(pathToFileURL(step).href);
    else editor.save(uri);
  };

  it('has the header read, and its findings left to it', async () => {
    const found = await editor.pushed(uri, strided);
    expect(found.map(({ range }) => range.start.line)).toEqual([2]);
    if (watch) await editor.until(() => editor.watched.some((glob) => String(glob).includes('cuh')));
  });

  it('sees the header change, go and come back on the disk', async () => {
    writeFileSync(step, header(1, 2048));
    changed();
    expect(rules(await editor.pushed(uri, calm))).toContain('invalid-launch');
    rmSync(step);
    changed();
    await editor.pushed(uri, (list) => !rules(list).includes('invalid-launch'));
    writeFileSync(step, header(32));
    changed();
    await editor.pushed(uri, strided);
  });

  it('sees what is typed in the open header, saved or not', async () => {
    const open = editor.open(step, header(1));
    await editor.pushed(uri, calm);
    const line = 2;
    const character = header(1).split('\n')[line].indexOf('1;');
    editor.edit(open, { range: { start: { line, character }, end: { line, character: character + 1 } }, text: '64' });
    await editor.pushed(uri, strided);
    editor.edit(open, { text: header(1) });
    await editor.pushed(uri, calm);
    editor.close(open);
    await editor.pushed(uri, strided);
  });
});

describe('where headers are looked for', () => {
  let editor: Editor;
  beforeAll(async () => {
    writeFileSync(join(folder, 'elsewhere/far.cuh'), header(32));
    editor = await Editor.start({ settings: {} });
  });
  afterAll(() => editor.stop());

  it('is the folder of the file and the workspace, and the folders that the settings name', async () => {
    const uri = editor.open(main, `#include "../elsewhere/far.cuh"\n#include "far.cuh"\n${kernel}`);
    expect(await editor.pushed(uri)).toEqual([]);
    editor.configure({ includePaths: [join(folder, 'elsewhere')] });
    await editor.pushed(uri, strided);
  });

  it('includes those of lanewise.json, from that file’s folder, for <name>, too', async () => {
    editor.configure({ includePaths: [] });
    const uri = editor.open(join(folder, 'project/angled.cu'), `#include <far.cuh>\n${kernel}`);
    expect(await editor.pushed(uri)).toEqual([]);
    mkdirSync(join(folder, 'project/inner'));
    copyFileSync(join(folder, 'elsewhere/far.cuh'), join(folder, 'project/inner/far.cuh'));
    writeFileSync(join(folder, 'project/lanewise.json'), '{ "includePaths": ["../elsewhere", "inner"] }');
    editor.save(uri);
    await editor.pushed(uri, strided);
    // It opens no folder outside its own.
    writeFileSync(join(folder, 'project/lanewise.json'), '{ "includePaths": ["../elsewhere"] }');
    editor.save(uri);
    await editor.pushed(uri, calm);
    rmSync(join(folder, 'project/lanewise.json'));
    editor.save(uri);
    await editor.pushed(uri, calm);
  });

  it('a folder, a binary file or a missing file in place of a header does no harm', async () => {
    mkdirSync(join(folder, 'project/folder.h'));
    writeFileSync(join(folder, 'project/zero.h'), Buffer.from([0, 255, 254, 35, 10]));
    const uri = editor.open(
      main,
      `#include "folder.h"\n#include "zero.h"\n#include "no.h"\n#include ""\n#include "\n${kernel.replace('place', '32 * ')}`,
    );
    await editor.pushed(uri, strided);
  });
});

it('a client that pulls is told that files depend on each other', async () => {
  const editor = await Editor.start({ pull: true });
  expect(editor.initialized.capabilities.diagnosticProvider).toMatchObject({ interFileDependencies: true });
  writeFileSync(step, header(32));
  const uri = editor.open(main);
  const first = await editor.pull(uri);
  expect(first.kind === 'full' && strided(first.items)).toBe(true);
  const id = first.kind === 'full' ? first.resultId : undefined;
  expect(await editor.pull(uri, id)).toMatchObject({ kind: 'unchanged' });
  editor.open(step, header(1));
  const second = await editor.pull(uri, id);
  expect(second.kind === 'full' && calm(second.items)).toBe(true);
  await editor.stop();
});

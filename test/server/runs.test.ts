/** Programs run from the editor: output as it comes, counters, faults, cancelling, and a server that outlives all of it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Editor, fixtures, wholeFile } from './editor.ts';

const doubling = readFileSync(join(fixtures, 'doubling.cu'), 'utf8');
const lineOf = (text: string) => doubling.split('\n').findIndex((line) => line.includes(text));

describe('a run', () => {
  let editor: Editor;
  beforeAll(async () => {
    editor = await Editor.start({ pull: true, extension: true, settings: {} });
  });
  beforeEach(() => {
    editor.output.length = 0;
  });
  afterAll(async () => {
    expect(editor.messages.filter((message) => /Uncaught|Unhandled/.test(message))).toEqual([]);
    expect(await editor.stop()).toBe(0);
  });

  it('prints, counts, and marks lines and lenses; an edit makes the marks stale and moves them', async () => {
    const uri = editor.open('doubling.cu');
    const outcome = await editor.run(uri, ['given']);
    expect(outcome).toMatchObject({ kind: 'finished', report: { exit: 0, args: ['given'], device: 'h200' } });
    expect(editor.output.join('')).toMatch(/^first 41, second 88, argument given\n$/);
    if (outcome.kind !== 'finished') return;
    expect(outcome.summaries.map(({ name, launches }) => [name, launches])).toEqual([
      ['doubleEven', 1],
      ['spread', 1],
    ]);
    expect(outcome.table).toMatch(
      /^doubleEven\(int ?\*, int\) {2}<<<32, 128>>>\n {4}.*\nspread.*\n.* · 32\.0 sectors per load · 4\.0 sectors per store$/,
    );
    const spread = outcome.report.kernels.find(({ kernel }) => kernel.startsWith('spread'));
    expect(spread?.metrics['l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum']).toBe(128);
    expect(spread?.metrics['l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum']).toBe(4);

    const marks = editor.annotations.at(-1)!;
    expect(marks).toMatchObject({ uri, stale: false });
    const gather = marks.annotations.find(({ line }) => line === lineOf('in[i * 32]'));
    expect(gather).toMatchObject({ wasteful: true, text: expect.stringContaining('4.5× ideal sectors') });
    expect((await editor.lenses(uri)).map(({ command }) => command?.title)).toContainEqual(
      expect.stringMatching(/^1 launch of 1 × 128 threads · /),
    );

    const version = editor.edit(uri, { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: '// above\n' });
    await editor.until(() => editor.annotations.at(-1)?.version === version);
    const moved = editor.annotations.at(-1)!;
    expect(moved.stale).toBe(true);
    expect(moved.annotations.map(({ line }) => line)).toEqual(marks.annotations.map(({ line }) => line + 1));
    expect((await editor.lenses(uri)).map(({ command }) => command?.title)).toContainEqual(
      expect.stringMatching(/^before your last changes: /),
    );
  });

  it('runs the text in the editor, not the one on the disk', async () => {
    const uri = editor.open('doubling.cu', doubling.replace('first %d', 'unsaved %d'));
    expect(await editor.run(uri)).toMatchObject({ kind: 'finished' });
    expect(editor.output.join('')).toMatch(/^unsaved 41/);
  });

  it('asks for what the program reads, until the user ends it, or takes the file that the settings name', async () => {
    const uri = editor.open('greeting.cu');
    editor.lines.push('Ada', '21');
    // Whoever is asked sees that the program runs, and is not still being linked.
    editor.progress.length = 0;
    editor.beforeAnswer = () => editor.until(() => editor.progress.at(-1) === 'running');
    expect(await editor.run(uri)).toMatchObject({ kind: 'finished' });
    editor.beforeAnswer = undefined;
    expect(editor.output.join('')).toBe('name? hello Ada, twice is 42\n');
    editor.output.length = 0;
    editor.lines.push('Bob');
    await editor.run(uri);
    expect(editor.output.join('')).toBe('name? hello Bob, twice is -2\n');
    editor.configure({ run: { stdin: 'greeting.txt' } });
    editor.output.length = 0;
    await editor.run(uri);
    expect(editor.output.join('')).toBe('name? hello Eve, twice is 8\n');
    editor.configure({ run: { stdin: '/etc/hostname' } });
    expect(await editor.run(uri)).toMatchObject({ kind: 'refused', message: expect.stringContaining('outside the folders') });
    editor.configure({});
  });

  it('runs programs of several files as lanewise.json says, from any of them', async () => {
    const [uri, main] = [editor.open('several/scale.cu'), editor.open('several/main.cu')];
    expect((await editor.lenses(uri)).map(({ command }) => [command?.title, command?.arguments])).toEqual([
      ['▶ Run three in simulator', [main]],
      ['Run this kernel…', [uri, 'scale']],
    ]);
    expect(await editor.run(uri)).toMatchObject({ kind: 'finished', report: { args: ['3'] } });
    expect(editor.output.join('')).toBe('30 from the file\n');
    expect((await editor.lenses(uri)).at(-1)?.command?.title).toMatch(/^1 launch of 1 × 1 threads/);
    editor.output.length = 0;
    editor.edit(uri, { text: readFileSync(join(fixtures, 'several/scale.cu'), 'utf8').replace('#define UNIT 1', '#define UNIT 2') });
    editor.lines.push('typed');
    expect(await editor.connection.sendRequest('lanewise/run', { uri, configuration: 'four' })).toMatchObject({ kind: 'finished' });
    expect(editor.output.join('')).toBe('108 typed\n');
    const offered = await editor.connection.sendRequest<{ name: string; description: string }[]>('lanewise/runs', { uri });
    expect(offered.map(({ name, description }) => [name, description])).toEqual([
      ['three', 'main.cu scale.cu, arguments 3'],
      ['four', 'main.cu scale.cu, arguments 4'],
    ]);
    expect(await editor.connection.sendRequest('lanewise/runs', { uri: pathToFileURL(join(fixtures, 'doubling.cu')).href })).toEqual([]);
  });

  it('runs a file that is not open', async () => {
    expect(await editor.run(pathToFileURL(join(fixtures, 'doubling.cu')).href)).toMatchObject({ kind: 'finished' });
  });

  it('takes arguments, defines and include folders from the settings', async () => {
    editor.configure({ run: { arguments: ['configured'] }, defines: ['VALUE=7'], includePaths: ['sub'] });
    const text = doubling.replace('first[0]', 'VALUE').replace('#include <cstdio>', '#include <cstdio>\n#include "included.cuh"');
    const uri = editor.open('doubling.cu', text.replace('first[1]', 'includedValue'));
    expect(await editor.run(uri)).toMatchObject({ kind: 'finished' });
    expect(editor.output.join('')).toBe('first 7, second 11, argument configured\n');
    editor.configure({});
  });

  it('reports compile errors in every file concerned, until the line is edited or a run goes well', async () => {
    const uri = editor.open('broken.cu');
    const header = pathToFileURL(join(fixtures, 'broken.cuh')).href;
    expect(await editor.run(uri)).toMatchObject({ kind: 'compile-error' });
    const [error] = await editor.pushed(uri, (list) => list.length > 0);
    expect(error).toMatchObject({ source: 'clang', severity: 1, range: { start: { line: 3, character: 21 } } });
    expect(error.message).toContain('undeclared');
    expect(await editor.pushed(header, (list) => list.length > 0)).toMatchObject([{ range: { start: { line: 3 } } }]);
    expect((await editor.pulled(uri)).map(({ source }) => source)).not.toContain('clang');

    editor.edit(uri, { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: '\n' });
    expect(await editor.pushed(uri, ([first]) => first?.range.start.line === 4)).toHaveLength(1);
    editor.edit(uri, { range: { start: { line: 4, character: 0 }, end: { line: 4, character: 99 } }, text: '  out[threadIdx.x] = 1;' });
    expect(await editor.pushed(uri, (list) => list.length === 0)).toEqual([]);
    editor.edit(uri, { text: doubling });
    expect(await editor.run(uri)).toMatchObject({ kind: 'finished' });
    expect(await editor.pushed(header, (list) => list.length === 0)).toEqual([]);
  });

  it('reports what the sanitizer finds unless the settings forbid it, with both places', async () => {
    const text = [
      '#include <cstdio>',
      '__global__ void neighbours(int* v) {',
      '  __shared__ int s[64];',
      '  s[threadIdx.x] = threadIdx.x;',
      '  v[threadIdx.x] = s[63 - threadIdx.x];',
      '}',
      'int main() {',
      '  int* v;',
      '  cudaMalloc(&v, 256);',
      '  neighbours<<<1, 64>>>(v);',
      '  return cudaDeviceSynchronize();',
      '}',
    ].join('\n');
    const uri = editor.open('racy.cu', text);
    editor.configure({ run: { sanitize: 'never' } });
    expect(await editor.run(uri)).toMatchObject({ kind: 'finished', summaries: [{ text: expect.not.stringContaining('race') }] });
    editor.configure({});
    const outcome = await editor.run(uri);
    expect(outcome).toMatchObject({ kind: 'finished', summaries: [{ text: expect.stringContaining('race at line 4') }] });
    const [race] = await editor.pushed(uri, (list) => list.length > 0);
    expect(race).toMatchObject({ severity: 1, source: 'lanewise', code: 'race', range: { start: { line: 3, character: 2 } } });
    expect(race.relatedInformation?.map(({ location }) => location.range.start.line)).toEqual([3, 4]);
    // A picture for those who see it, the same in words for the others, and the repair as a quick fix while the text is what has run.
    const hover = JSON.stringify(await editor.hover(uri, 3, 4));
    expect(hover).toContain('data:image/svg+xml;base64,');
    expect(hover).toMatch(/!\[Picture: Found in a run: (read|write) at line [45] by thread/);
    const repairs = (await editor.actions(uri, race.range)).filter(({ title }) => title.startsWith('Put __syncthreads()'));
    expect(repairs.map(({ edit }) => edit?.changes?.[uri])).toEqual([
      [{ range: { start: { line: 4, character: 0 }, end: { line: 4, character: 0 } }, newText: '  __syncthreads();\n' }],
    ]);
    expect(race.relatedInformation?.[0].message).toMatch(/^write by thread \(\d+, 0, 0\) of block \(0, 0, 0\) of neighbours\(int \*\)$/);
  });

  it('runs a program in several orders of its threads, each with the same input, and says what differs', async () => {
    const text = [
      '#include <cstdio>',
      '__global__ void last(int* v) { *v = blockIdx.x; }',
      'int main() {',
      '  int *v, read, result;',
      '  if (scanf("%d", &read) != 1) return 1;',
      '  cudaMalloc(&v, 4);',
      '  last<<<8, 1>>>(v);',
      '  cudaMemcpy(&result, v, 4, cudaMemcpyDeviceToHost);',
      '  printf("last %d of %d\\n", result, read);',
      '}',
    ].join('\n');
    const uri = editor.open('ordered.cu', text);
    editor.lines.push('8');
    const outcome = await editor.runInOrders(uri, 3);
    if (outcome.kind !== 'finished') throw new Error(JSON.stringify(outcome));
    expect(outcome.orders).toEqual({
      text: '3 orders of threads, 2 different results: a race decides which',
      results: [
        { orders: ['as-launched'], lines: ['last 7 of 8'] },
        { orders: ['reversed', 'adversarial'], lines: ['last 0 of 8'] },
      ],
    });
    expect(outcome.table).toContain('  reversed, adversarial\n    last 0 of 8');
    expect(editor.output.join('')).toBe('last 7 of 8\n');
    expect(outcome.report.kernels).toHaveLength(1);
  });

  it('takes compile errors back when their cause goes, on another line or in another file, without a run', async () => {
    const uri = editor.open('broken.cu');
    const header = editor.open('broken.cuh');
    expect(await editor.run(uri)).toMatchObject({ kind: 'compile-error' });
    expect(await editor.pushed(uri, (list) => list.length > 0)).toHaveLength(1);
    expect(await editor.pushed(header, (list) => list.length > 0)).toHaveLength(1);

    const top = { start: { line: 1, character: 0 }, end: { line: 1, character: 0 } };
    editor.edit(uri, { range: top, text: '__device__ int undeclared = 1;\n' });
    expect(await editor.pushed(uri, (list) => list.length === 0)).toEqual([]);
    const [error] = await editor.pushed(header);
    expect(error).toMatchObject({ source: 'clang' });
    editor.edit(uri, { range: { ...top, end: { line: 2, character: 0 } }, text: '' });
    expect(await editor.pushed(uri, (list) => list.length > 0)).toHaveLength(1);
    editor.close(header);
  });

  it('reports a fault at its line, with kernel, block and thread', async () => {
    const uri = editor.open('outside.cu');
    const outcome = await editor.run(uri);
    expect(outcome).toMatchObject({ kind: 'finished', report: { exit: 1, faults: [{ line: 5, block: [1, 0, 0], thread: [36, 0, 0] }] } });
    const [fault] = await editor.pushed(uri, (list) => list.length > 0);
    expect(fault).toMatchObject({ severity: 1, source: 'lanewise', range: { start: { line: 4 } } });
    expect(fault.message).toMatch(/outside.*block \(1, 0, 0\).*thread \(36, 0, 0\)/s);
  });

  it('explains how to run a kernel in a file without main', async () => {
    const outcome = await editor.run(editor.open('kernel-only.cu'));
    expect(outcome).toMatchObject({ kind: 'refused', message: expect.stringMatching(/no main.*#include "kernel-only.cu"/s) });
  });

  it('refuses a file that does not exist, and a device that it does not know', async () => {
    expect(await editor.run(pathToFileURL(join(fixtures, 'absent.cu')).href)).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('absent.cu'),
    });
    editor.configure({ device: 'h2000' });
    expect(await editor.run(editor.open('doubling.cu'))).toMatchObject({ kind: 'refused', message: expect.stringContaining('h2000') });
    editor.configure({});
  });
});

describe('an endless run', () => {
  let editor: Editor;
  let uri: string;
  let run: ReturnType<Editor['run']>;
  beforeEach(async () => {
    editor = await Editor.start({ pull: true, extension: true, settings: {} });
    uri = editor.open('endless.cu');
    run = editor.run(uri);
    const begun = editor.until(() => editor.output.join('').includes('before the endless kernel'));
    // A run that ends here has failed to begin: say so at once.
    await Promise.race([begun, run.then((outcome) => expect(outcome).toBe('still running'))]);
  });
  afterEach(async () => {
    expect(await editor.stop()).toBe(0);
  });

  it('leaves the server responsive, shows how to cancel, and is cancelled', async () => {
    expect((await editor.lenses(uri)).map(({ command }) => [command?.title, command?.command])).toContainEqual([
      '■ Cancel run',
      'lanewise.cancel',
    ]);
    const other = editor.open('doubling.cu');
    const begin = performance.now();
    expect((await editor.pulled(other)).map(({ code }) => code)).toContain('divergent-branch');
    expect(performance.now() - begin).toBeLessThan(1000);
    editor.cancel(uri);
    expect(await run).toEqual({ kind: 'cancelled' });
    expect((await editor.lenses(uri)).map(({ command }) => command?.title)).not.toContain('■ Cancel run');
    expect(await editor.run(other)).toMatchObject({ kind: 'finished' });
  });

  it('leaves processors to what the editor does meanwhile', () => {
    const tasks = `/proc/${editor.process.pid}/task`;
    if (!existsSync(tasks)) return;
    const nices = readdirSync(tasks).map((task) => Number(readFileSync(`${tasks}/${task}/stat`, 'utf8').split(') ')[1].split(' ')[16]));
    const own = Math.min(...nices);
    expect(nices.filter((nice) => nice > own).length).toBeGreaterThanOrEqual(1);
    expect(nices.filter((nice) => nice === own).length).toBeGreaterThan(1);
  });

  it('gives way to a new run of the same file', async () => {
    editor.edit(uri, { text: doubling });
    const next = editor.run(uri);
    expect(await run).toEqual({ kind: 'cancelled' });
    expect(await next).toMatchObject({ kind: 'finished' });
  });

  it('goes on beside a run of another file, also when its file is closed', async () => {
    editor.close(uri);
    expect(await editor.run(editor.open('doubling.cu'))).toMatchObject({ kind: 'finished' });
    editor.cancel(uri);
    expect(await run).toEqual({ kind: 'cancelled' });
  });

  it('ends with the server', async () => {
    run.catch(() => undefined);
    // The stop after each test asserts the exit.
  });

  it('ends at the step limit', async () => {
    editor.cancel(uri);
    await run;
    editor.configure({ stepLimit: 20_000 });
    const outcome = await editor.run(uri);
    expect(outcome).toMatchObject({ kind: 'finished', report: { faults: [{ line: 5, message: expect.stringMatching(/limit|steps/) }] } });
  });
});

describe('a client without commands of its own', () => {
  it("runs a program through the server's commands, and hears of it in messages", async () => {
    const editor = await Editor.start({ settings: {} });
    expect(editor.initialized.capabilities.executeCommandProvider?.commands).toContain('lanewise.run');
    const uri = editor.open('doubling.cu');
    await editor.connection.sendRequest('workspace/executeCommand', { command: 'lanewise.run', arguments: [uri] });
    await editor.until(() => editor.messages.some((message) => message.includes('Exit code 0')));
    expect(editor.messages.join('\n')).toContain('first 41, second 88, argument none');
    expect(editor.messages.at(-1)).toContain('spread(const int *, int *)');
    // Where logs are, nobody looks.
    expect(editor.messages.at(-1)).toMatch(/^first 41, second 88, argument none\nExit code 0\n/);
    expect((await editor.actions(uri, wholeFile())).filter(({ kind }) => kind === 'source.lanewise')).toEqual([]);
    await editor.stop();
  });

  it('runs it from the menu of actions where it shows no lenses, and is answered at once', async () => {
    const editor = await Editor.start({ settings: {}, lenses: false });
    const uri = editor.open('doubling.cu');
    const start = { line: 0, character: 0 };
    const [run] = (await editor.actions(uri, { start, end: start })).filter(({ kind }) => kind === 'source.lanewise');
    expect(run).toMatchObject({ title: '▶ Run in simulator', command: { command: 'lanewise.start', arguments: [uri] } });
    expect(editor.initialized.capabilities.executeCommandProvider?.commands).toContain(run.command?.command);
    expect(await editor.connection.sendRequest('workspace/executeCommand', { ...run.command })).toBeNull();
    expect(editor.messages.join('')).not.toContain('Exit code');
    await editor.until(() => editor.messages.some((message) => message.includes('Exit code 0')));
    expect(await editor.actions(uri, { start, end: start }, ['quickfix'])).toEqual([]);
    await editor.stop();
  });
});

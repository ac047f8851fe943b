/** Kernels that are run by themselves: what the form offers, the harness that is written, what its run gives, and budgets. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { offeredArguments, offeredLaunch, threadsOf } from '../../client/harness-form.ts';
import { expectationsFor, expectationsIn, judge } from '../../counters/expectations.ts';
import type { HarnessText, RunnableKernel } from '../../protocol/harness.ts';
import { Editor, fixtures } from './editor.ts';

describe('a harness', () => {
  let editor: Editor;
  let uri: string;
  let kernels: RunnableKernel[];
  beforeAll(async () => {
    editor = await Editor.start({ pull: true, extension: true, settings: {} });
    uri = editor.open('axpy.cu');
    kernels = await editor.connection.sendRequest('lanewise/kernels', { uri });
  });
  afterAll(() => editor.stop());

  const ask = (form: object) => editor.connection.sendRequest<HarnessText>('lanewise/harness', { uri, launch: '<<<4, 256>>>', ...form });
  async function textOf(form: object): Promise<string> {
    const made = await ask(form);
    return 'text' in made ? made.text : made.problem;
  }

  it('is offered over each kernel, with arguments that fit its signature', async () => {
    const titles = (await editor.lenses(uri)).map(({ command }) => [command?.title, command?.arguments?.[1]]);
    expect(titles.filter(([title]) => title === 'Run this kernel…')).toEqual([
      ['Run this kernel…', 'axpy'],
      ['Run this kernel…', 'apart'],
    ]);
    expect(kernels.map(({ name, references }) => [name, references])).toEqual([
      ['axpy', ['axpyOnHost']],
      ['apart', []],
    ]);
    expect(kernels[0].harness).toBe(join(fixtures, 'axpy.axpy.harness.cu'));
    expect([offeredLaunch(kernels[0]), offeredArguments(kernels[0], [1024, 1, 1])]).toEqual([
      '<<<4, 256>>>',
      'T=float, x=iota:1024, y=zeros:1024, a=1, n=1024',
    ]);
    const numbers = ['uint', 'unsigned char', 'uchar', 'size_t', 'uint8_t', 'float', 'Grid'].map((type) => ({ name: type[0], type }));
    expect(offeredArguments({ ...kernels[0], templates: [], parameters: numbers }, [64, 1, 1])).toBe(
      'u=64, u=64, u=64, s=64, u=64, f=1, G={}',
    );
    const launches = ['<<<4, 256>>>', 'dim3(4, 2), dim3(16, 16), 99', 'dim3(4, 4, 2), 64', 'n / 2, 32'];
    expect(launches.map(threadsOf)).toEqual([
      [1024, 1, 1],
      [64, 32, 1],
      [256, 4, 2],
      [1024, 1, 1],
    ]);
    // A row is as long as the grid is wide, and what no axis is named for is a square's side: no thread leaves its buffer.
    const sizes = ['width', 'img_height', 'ny', 'n'].map((name) => ({ name, type: 'int' }));
    expect(offeredArguments({ ...kernels[0], templates: [], parameters: sizes }, [64, 32, 1])).toBe('width=64, img_height=32, ny=32, n=32');
  });

  it('runs the kernel, compares it with the host, and shows what was read and written', async () => {
    const text = await textOf({
      kernel: 'axpy',
      args: 'T=float, x=iota:1000, y=values:1,2,3, a=0.5f, n=3',
      launch: '1, 32',
      reference: 'axpyOnHost',
    });
    const harness = editor.open('axpy.axpy.harness.cu', text);
    const outcome = await editor.run(harness);
    expect(outcome).toMatchObject({ kind: 'finished', report: { exit: 0 } });
    if (outcome.kind !== 'finished') return;
    const [x, y] = outcome.report.buffers!;
    expect([x.count, x.after[999], x.expected]).toEqual([1000, 999, undefined]);
    expect(y).toEqual({ name: 'y', type: 'float', count: 3, before: [1, 2, 3], after: [1, 2.5, 4], expected: [1, 2.5, 4], wrong: 0 });
    expect((await editor.lenses(harness)).map(({ command }) => command?.title)).toContain('Keep counters as budget');

    editor.edit(harness, {
      text: text.replace('axpyOnHost(x.reference(), y.reference(), a, n)', 'axpyOnHost(x.reference(), y.reference(), a, 1)'),
    });
    expect(await editor.run(harness)).toMatchObject({ kind: 'finished', report: { exit: 1, buffers: [{}, { wrong: 2 }] } });
    expect(editor.output.join('')).toContain('y[1] is 2.5, and the reference has 2, 2 of 3 elements differ');
  });

  it('fills vectors and small numbers, and compares them with a function of the host that has floats', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lanewise-harness-'));
    const text = [
      '#include <cuda_fp16.h>',
      '__global__ void halve(half *out, const half *in, int n) { int i = threadIdx.x; if (i < n) out[i] = in[i] * half(0.5f); }',
      'void halveOnHost(float *out, const float *in, int n) { for (int i = 0; i < n; i++) out[i] = 0.5f * in[i]; }',
      '__global__ void last(double *out, const double4 *in) { out[threadIdx.x] = in[threadIdx.x].w; }',
    ].join('\n');
    writeFileSync(join(folder, 'small.cu'), text);
    const own = await Editor.start({ pull: true, extension: true, settings: {}, folder });
    try {
      const program = own.open(join(folder, 'small.cu'));
      const buffersOf = async (form: object) => {
        const made = await own.connection.sendRequest<HarnessText>('lanewise/harness', { uri: program, ...form });
        if (!('text' in made)) throw new Error(made.problem);
        const outcome = await own.run(own.open(made.path, made.text));
        expect(outcome, own.output.join('')).toMatchObject({ kind: 'finished', report: { exit: 0 } });
        return { text: made.text, buffers: outcome.kind === 'finished' ? outcome.report.buffers! : [] };
      };
      const args = 'out=zeros:8, in=iota:8, n=8';
      const halved = await buffersOf({ kernel: 'halve', launch: '1, 32', args, reference: 'halveOnHost' });
      expect(halved.text).toContain('halveOnHost(out.reference<float>(), in.reference<float>(), n);');
      const after = [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5];
      expect(halved.buffers[0]).toMatchObject({ name: 'out', type: 'float', count: 8, after, expected: after, wrong: 0 });
      const { buffers } = await buffersOf({ kernel: 'last', launch: '1, 4', args: 'out=zeros:4, in=iota:4' });
      expect(buffers.map(({ type, count, after }) => [type, count, after[3]])).toEqual([
        ['double', 4, 15],
        ['double', 16, 3],
      ]);
    } finally {
      await own.stop();
      rmSync(folder, { recursive: true });
    }
  });

  it('holds the kernel to its budget, and says at the line what is not kept', async () => {
    const text = await textOf({ kernel: 'apart', args: 'in=zeros:4096, out=zeros:128', launch: '1, 128' });
    const budget = ['sectors per load <= 4', 'sectors per store <= 4'].map((each) => `// lanewise: expect(apart) ${each}\n`).join('');
    const harness = editor.open('axpy.apart.harness.cu', `${budget}// lanewise: expect(apart)\n${text}`);
    const outcome = await editor.run(harness);
    if (outcome.kind !== 'finished') throw new Error(JSON.stringify(outcome));
    expect(outcome.expectations?.map(({ line, text: expected, kept, found }) => [line, expected, kept, found])).toEqual([
      [1, 'apart: sectors per load <= 4', false, '32'],
      [2, 'apart: sectors per store <= 4', true, '4'],
      [3, 'an expectation that cannot be read', false, 'write it as // lanewise: expect(KERNEL) sectors per load <= 4'],
    ]);
    const shown = await editor.pushed(harness, (all) => all.some(({ code }) => code === 'expectation'));
    expect(shown.map(({ range, message }) => [range.start.line, message])).toEqual([
      [0, 'apart: sectors per load <= 4 is not kept: 32'],
      [2, 'an expectation that cannot be read: write it as // lanewise: expect(KERNEL) sectors per load <= 4'],
    ]);
    const kept = expectationsFor(outcome.report.kernels, 'apart');
    expect(kept).toContain('// lanewise: expect(apart) sectors per load <= 32');
    const again = expectationsIn(kept.join('\n')).expectations.map((each) => judge(each, outcome.report.kernels));
    expect(again.filter((each) => !each.kept)).toEqual([]);
  });

  it('is not written of answers that do not fit', async () => {
    expect(await textOf({ kernel: 'apart', args: 'inn=zeros:4' })).toBe('apart has no parameter "inn"; it has in, out.');
    expect(await textOf({ kernel: 'axpy', args: 'x=zeros:4' })).toBe('Say what the template parameter T stands for: T=float.');
    expect(await textOf({ kernel: 'apart', args: 'in=5, out=zeros:4' })).toContain('in is a buffer: in=zeros:1024');
    expect(await textOf({ kernel: 'apart', args: '', launch: '4' })).toBe('A launch needs blocks and threads: 4, 256.');
    expect(await textOf({ kernel: 'gone', args: '' })).toBe('axpy.cu has no kernel gone any more.');
  });
});

describe('an expectation', () => {
  const launch = {
    kernel: 'void ns::f<int>(int*)',
    metrics: { 'lanewise__inst_executed.sum': 10, 'lanewise__thread_inst_executed.sum': 240 },
  };
  const judged = (text: string) => judge(expectationsIn(`// lanewise: expect${text}`).expectations[0], [launch]);

  it('is about shares in percent, counts, Nsight Compute’s metrics or the estimated time', () => {
    expect(judged('(f) lanes active >= 75 %')).toMatchObject({ kept: true, found: '75 %' });
    expect(judged('(f) warp instructions ≤ 9')).toMatchObject({ kept: false, found: '10' });
    expect(judged('(f) lanewise__thread_inst_executed.sum = 240')).toMatchObject({ kept: true });
    expect(judged('(f) sectors per load <= 4')).toMatchObject({ kept: true, found: '0' });
    expect(judged('(f) estimated µs <= 4')).toMatchObject({ kept: false, found: 'the time of a launch has no estimate' });
  });

  it('names what it does not know', () => {
    expect(judged('(g) warp instructions <= 9').found).toBe('no kernel of this name was launched; those that were are f');
    expect(judged('(f) sectors <= 9').found).toMatch(/^"sectors" is no figure: there are warp instructions, lanes active, /);
  });
});

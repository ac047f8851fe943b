/** Clang in the editor: errors as somebody types, completion, signatures and declarations. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CompletionItem,
  type CompletionList,
  DiagnosticSeverity,
  type DocumentSymbol,
  type Hover,
  type Location,
  type SemanticTokens,
  type SignatureHelp,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import { Editor } from './editor.ts';

const TEXT = `struct Particle { float mass; float energy(float scale) const; Particle *next; };
__device__ float helper(float weight, int rounds = 3);
#define TILE 16
__global__ void move(Particle *particles, int count) {
  __shared__ float tile[TILE];
  Particle own = particles[threadIdx.x];
  tile[threadIdx.x] = own.mass;
  particles[threadIdx.x].mass = tile[0];
}
int main() {
  Particle *onDevice = nullptr;
  cudaMalloc(&onDevice, 1024);
  move<<<1, 32>>>(onDevice, 32);
  cudaFree(onDevice);
}
`;
const trusted = { trustedWorkspace: true, otherLanguageServer: false };

/** The text, with a line put in before the one that contains `before`; its place is the end of that line. */
function withLine(line: string, before: string) {
  const lines = TEXT.split('\n');
  const at = lines.findIndex((each) => each.includes(before));
  lines.splice(at, 0, line);
  return { text: lines.join('\n'), position: { line: at, character: line.length } };
}

describe('with Clang', { timeout: 120_000 }, () => {
  let editor: Editor;
  let files = 0;

  beforeAll(async () => {
    editor = await Editor.start({ options: trusted });
  });
  afterAll(() => editor.stop());

  async function completed(line: string, before: string): Promise<CompletionItem[]> {
    const { text, position } = withLine(line, before);
    const uri = editor.open(`language-${++files}.cu`, text);
    const list = await editor.connection.sendRequest<CompletionList>('textDocument/completion', { textDocument: { uri }, position });
    return list.items;
  }
  const labels = (items: readonly CompletionItem[]) => items.map(({ label }) => label);

  async function signature(line: string): Promise<SignatureHelp | null> {
    const { text, position } = withLine(line, 'particles[threadIdx.x].mass');
    const uri = editor.open(`language-${++files}.cu`, text);
    return editor.connection.sendRequest('textDocument/signatureHelp', { textDocument: { uri }, position });
  }

  async function hovered(name: string): Promise<string | undefined> {
    const uri = editor.open(`language-${++files}.cu`, TEXT);
    const line = TEXT.split('\n').findIndex((each) => each.includes(name));
    const position = { line, character: TEXT.split('\n')[line].indexOf(name) + 1 };
    const hover = await editor.connection.sendRequest<Hover | null>('textDocument/hover', { textDocument: { uri }, position });
    return hover === null ? undefined : (hover.contents as { value: string }).value;
  }

  it('errors appear when typing pauses, at their place, and go with their cause', async () => {
    const { text } = withLine('  onDevise = nullptr;', 'cudaFree');
    const uri = editor.open('language-errors.cu', text);
    const errors = await editor.pushed(uri, (all) => all.some(({ source }) => source === 'clang'));
    const [error] = errors.filter(({ source }) => source === 'clang');
    expect(error).toMatchObject({
      severity: DiagnosticSeverity.Error,
      range: { start: { line: 13, character: 2 }, end: { line: 13, character: 10 } },
    });
    expect(error.message).toContain("use of undeclared identifier 'onDevise'; did you mean 'onDevice'?");
    const fixes = (await editor.actions(uri, error.range)).filter(({ title }) => title === 'Replace with `onDevice`');
    expect(fixes.map(({ edit }) => edit?.changes?.[uri])).toEqual([[{ range: error.range, newText: 'onDevice' }]]);
    editor.edit(uri, { range: { start: { line: 13, character: 8 }, end: { line: 13, character: 9 } }, text: 'c' });
    expect((await editor.pushed(uri, (all) => all.every(({ source }) => source !== 'clang'))).length).toBeGreaterThanOrEqual(0);
  });

  it.each([true, false])('a removed function is told by the rule alone, with its fix (diagnostics pulled: %s)', async (pull) => {
    const own = await Editor.start({ options: trusted, pull });
    try {
      const lines = TEXT.split('\n');
      lines.splice(
        lines.findIndex((line) => line.includes('tile[threadIdx.x] =')),
        0,
        '  own.mass += __shfl_down(own.mass, 1);',
      );
      lines.splice(
        lines.findIndex((line) => line.includes('cudaFree')),
        0,
        '  onDevise = nullptr;',
      );
      const uri = own.open('language-removed.cu', lines.join('\n'));
      const pushed = await own.pushed(uri, (all) => all.some(({ message }) => String(message).includes('onDevise')));
      const found = pull ? [...pushed, ...(await own.pulled(uri))] : pushed;
      const there = found.filter(({ range }) => lines[range.start.line].includes('__shfl_down'));
      expect(there.map(({ code }) => code)).toEqual(['removed-api']);
    } finally {
      await own.stop();
    }
  });

  it('errors of the device side are found, too', async () => {
    const { text } = withLine('  float wrong = own;', 'tile[threadIdx.x] =');
    const uri = editor.open('language-device.cu', text);
    const errors = await editor.pushed(uri, (all) => all.some(({ source }) => source === 'clang'));
    expect(errors.filter(({ source }) => source === 'clang').map(({ range }) => range.start.line)).toEqual([6]);
  });

  it('a source that a program includes is what that program makes of it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lanewise-parts-'));
    const kernels = '__global__ void move(Place *places) { places[threadIdx.x].x = 1; }\n';
    writeFileSync(
      join(folder, 'program.cu'),
      'struct Place { float x; };\n#include "kernels.cu"\nvoid host() { move<<<1, 32>>>(nullptr); }\n',
    );
    writeFileSync(join(folder, 'kernels.cu'), kernels);
    const own = await Editor.start({ options: trusted, folder });
    try {
      const uri = own.open(join(folder, 'kernels.cu'), kernels.replace('.x = 1', '.y = 1'));
      const errors = async () =>
        (await own.pushed(uri, (all) => all.some(({ source }) => source === 'clang'))).map(({ message }) => message);
      // `Place` is known, and what is wrong is said once, whoever includes it.
      expect(await errors()).toEqual(["no member named 'y' in 'Place'"]);
      const program = own.open(join(folder, 'program.cu'));
      own.edit(program, { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: 'int wrong = none;\n' });
      await own.pushed(program, (all) => all.some(({ message }) => String(message).includes('none')));
      expect(await errors()).toEqual(["no member named 'y' in 'Place'"]);
      const position = { line: 0, character: kernels.indexOf('x = 1') };
      own.edit(uri, { text: kernels });
      const members = await own.connection.sendRequest<CompletionList>('textDocument/completion', { textDocument: { uri }, position });
      expect(labels(members.items)).toEqual(['x']);
      await own.pushed(uri, (all) => all.every(({ source }) => source !== 'clang'));
    } finally {
      await own.stop();
      rmSync(folder, { recursive: true });
    }
  });

  it.each(['parts.cuh', 'parts.h'])(
    '%s has its errors and completion while nothing else is open, by the program that includes it',
    async (name) => {
      const folder = mkdtempSync(join(tmpdir(), 'lanewise-header-'));
      const header = '__global__ void move(Place *places) {\n  places[threadIdx.x].x = 1;\n}\n';
      writeFileSync(join(folder, name), header);
      writeFileSync(join(folder, 'plain.h'), 'int wrong = none;\n');
      writeFileSync(
        join(folder, 'program.cu'),
        `struct Place { float x; };\n#include "${name}"\nint main() { move<<<1, 32>>>(nullptr); }\n`,
      );
      const own = await Editor.start({ options: trusted, folder });
      try {
        const plain = own.open(join(folder, 'plain.h'));
        const uri = own.open(join(folder, name));
        own.edit(uri, { text: header.replace('.x = 1', '.y = 1') });
        const [error] = (await own.pushed(uri, (all) => all.some(({ source }) => source === 'clang'))).filter(
          ({ source }) => source === 'clang',
        );
        expect([error.message, error.range.start.line]).toEqual(["no member named 'y' in 'Place'", 1]);
        own.edit(uri, { text: header });
        await own.pushed(uri, (all) => all.every(({ source }) => source !== 'clang'));
        const position = { line: 1, character: header.split('\n')[1].indexOf('x = 1') };
        const members = await own.connection.sendRequest<CompletionList>('textDocument/completion', { textDocument: { uri }, position });
        expect(labels(members.items)).toEqual(['x']);
        // A header that no program includes is no code of CUDA's.
        const none = await own.connection.sendRequest<CompletionList | null>('textDocument/completion', {
          textDocument: { uri: plain },
          position: { line: 0, character: 0 },
        });
        expect(none?.items ?? []).toEqual([]);
      } finally {
        await own.stop();
        rmSync(folder, { recursive: true });
      }
    },
  );

  it('members of a structure', async () => {
    const items = await completed('  own.', 'particles[threadIdx.x].mass');
    expect(labels(items)).toEqual(['energy', 'mass', 'next']);
    expect(items[0].detail).toBe('float energy(float scale) const');
    expect(items[1].detail).toBe('float mass');
  });

  it('names in scope by what was typed, the best first: variables, functions, macros, words of CUDA', async () => {
    expect(labels(await completed('  til', 'particles[threadIdx.x].mass'))[0]).toBe('tile');
    expect(labels(await completed('  float x = TIL', 'particles[threadIdx.x].mass'))).toContain('TILE');
    expect(labels(await completed('  sync', 'particles[threadIdx.x].mass'))).toContain('__syncthreads');
    expect(labels(await completed('  cudaMem', 'cudaFree'))).toEqual(
      expect.arrayContaining(['cudaMemcpy', 'cudaMemset', 'cudaMemcpyAsync']),
    );
    expect(labels(await completed('  retu', 'cudaFree'))[0]).toBe('return');
    const all = labels(await completed('  c', 'cudaFree'));
    expect(all).toHaveLength(1000);
    expect(all.slice(0, 6)).toEqual(expect.arrayContaining(['cudaFree', 'cudaMalloc']));
    expect(all).toContain('cudaStreamSynchronize');
  });

  it("nothing that belongs to the simulator's headers, and no compiler's names that nobody asked for", async () => {
    const items = labels(await completed('  int i = threadIdx.', 'particles[threadIdx.x].mass'));
    expect(items).toEqual(['x', 'y', 'z']);
    const all = labels(await completed('  ', 'cudaFree'));
    expect(all.filter((name) => /lanewise|__builtin|_LIBCPP/i.test(name))).toEqual([]);
  });

  it('names alone, without the parameters of templates that constructors have behind theirs', async () => {
    expect(labels(await completed('  std::vec', 'cudaFree'))).toEqual(['vector']);
  });

  it('names behind `::` in code that the preprocessor skips, too', async () => {
    const { text, position } = withLine('  std::vec', 'cudaFree');
    for (const condition of ['#ifdef UNKNOWN', '#ifndef UNKNOWN']) {
      const uri = editor.open(`language-${++files}.cu`, text.replace('  std::vec', `${condition}\n  std::vec\n#endif`));
      const at = { line: position.line + 1, character: position.character };
      const list = await editor.connection.sendRequest<CompletionList>('textDocument/completion', { textDocument: { uri }, position: at });
      expect(labels(list.items), condition).toEqual(['vector']);
    }
  });

  it('the signature of a call and the argument at the cursor', async () => {
    const help = await signature('  tile[1] = helper(1.0f, ');
    expect(help?.signatures.map(({ label }) => label)).toEqual(['float helper(float weight, int rounds = 3)']);
    expect(help?.activeParameter).toBe(1);
    const [start, end] = help!.signatures[0].parameters![1].label as [number, number];
    expect(help!.signatures[0].label.slice(start, end)).toBe('int rounds = 3');
    expect(await signature('  tile[1] = 1')).toBeNull();
  });

  it.each([
    ['  tile[1] = sqrt(', 'float'],
    ['  tile[1] = fmax(tile[0], ', 'float'],
    ['  tile[1] = fmax(1.0f, ', 'float'],
    ['  tile[1] = fmax(2.0, ', 'double'],
    ['  tile[1] = max(count, ', 'int'],
  ])('the overload that fits what is given: %s', async (line, type) => {
    const help = await signature(line);
    expect(help!.signatures.length).toBeGreaterThan(1);
    const { label, parameters } = help!.signatures[help!.activeSignature ?? 0];
    const [start, end] = parameters![0].label as [number, number];
    expect(label.slice(start, end)).toMatch(new RegExp(`^${type}\\b`));
  });

  it('the declaration of a name that has no hover of its own', async () => {
    expect(await hovered('onDevice')).toBe('```cuda-cpp\nParticle *onDevice\n```');
    expect(await hovered('own =')).toBe('```cuda-cpp\nParticle own\n```');
  });
});

describe('Clang is not asked', { timeout: 60_000 }, () => {
  it.each([
    ['in a workspace that is not trusted', { otherLanguageServer: false }, {}],
    ['where another extension does it', { trustedWorkspace: true, otherLanguageServer: true }, {}],
    ['by an editor that does not say', { trustedWorkspace: true }, {}],
    ['when the setting is off', trusted, { languageFeatures: 'off' }],
  ])('%s', async (_, options, settings) => {
    const editor = await Editor.start({ options, settings });
    const uri = editor.open('language-off.cu', TEXT);
    const position = { line: 6, character: 4 };
    expect(await editor.connection.sendRequest('textDocument/completion', { textDocument: { uri }, position })).toBeNull();
    expect(await editor.connection.sendRequest('textDocument/signatureHelp', { textDocument: { uri }, position })).toBeNull();
    await editor.stop();
  });
});

describe('without Clang', { timeout: 60_000 }, () => {
  it('says what names mean, for colours', async () => {
    const editor = await Editor.start({ options: { otherLanguageServer: false } });
    const uri = editor.open('language-names.cu', TEXT);
    const { data } = await editor.connection.sendRequest<SemanticTokens>('textDocument/semanticTokens/full', { textDocument: { uri } });
    const { tokenTypes, tokenModifiers } = editor.initialized.capabilities.semanticTokensProvider!.legend;
    const found: string[] = [];
    let [line, column] = [0, 0];
    for (let at = 0; at < data.length; at += 5) {
      column = data[at] === 0 ? column + data[at + 1] : data[at + 1];
      line += data[at];
      const modifiers = tokenModifiers.filter((_, bit) => data[at + 4] & (1 << bit));
      found.push([TEXT.split('\n')[line].slice(column, column + data[at + 2]), tokenTypes[data[at + 3]], ...modifiers].join(' '));
    }
    expect(new Set(found)).toEqual(
      new Set([
        'Particle type',
        'scale parameter',
        'helper function device',
        'weight parameter',
        'rounds parameter',
        'move function kernel',
        'particles parameter',
        'count parameter',
        'TILE macro',
        'threadIdx variable readonly defaultLibrary',
        'mass property',
        'x property',
        'main function',
      ]),
    );
    await editor.stop();
  });

  it('definitions and the outline are there in a workspace that is not trusted', async () => {
    const editor = await Editor.start({ options: { otherLanguageServer: false } });
    const uri = editor.open('language-navigation.cu', TEXT);
    const textDocument = { uri };
    const line = TEXT.split('\n').findIndex((each) => each.includes('move<<<'));
    const [found] = await editor.connection.sendRequest<Location[]>('textDocument/definition', {
      textDocument,
      position: { line, character: 3 },
    });
    expect(found).toEqual({ uri, range: { start: { line: 3, character: 16 }, end: { line: 3, character: 20 } } });
    const uses = await editor.connection.sendRequest<Location[]>('textDocument/references', {
      textDocument,
      position: { line, character: 3 },
      context: { includeDeclaration: true },
    });
    expect(uses.map(({ range }) => range.start.line)).toEqual([3, line]);
    const position = { line, character: 3 };
    const edit = await editor.connection.sendRequest<WorkspaceEdit>('textDocument/rename', { textDocument, position, newName: 'step' });
    expect(edit.changes?.[uri].map(({ newText, range }) => `${range.start.line} ${newText}`)).toEqual(['3 step', `${line} step`]);
    const renamed = editor.connection.sendRequest('textDocument/rename', { textDocument, position, newName: '2fast' });
    await expect(renamed).rejects.toThrow('`2fast` is not a name');
    const symbols = await editor.connection.sendRequest<DocumentSymbol[]>('textDocument/documentSymbol', { textDocument });
    expect(symbols.map(({ name }) => name)).toEqual(['Particle', 'helper', 'TILE', 'move', 'main']);
    await editor.stop();
  });

  it('what is declared in a file, or in its header, is defined where a source beside it defines it', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lanewise-defined-')));
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
    write('steps.h', 'float step(float x);\n');
    write('steps.cu', '#include "steps.h"\nfloat step(float x) { return 2 * x; }\nvoid run(int n) { step(n); }\n');
    // What is static there is nobody else's.
    write('other.cu', 'static float step(float x) { return x; }\nfloat far(float x) { return step(x); }\n');
    const editor = await Editor.start({ options: { otherLanguageServer: false }, folder });
    try {
      const text = '#include "steps.h"\nvoid run(int n);\nvoid lost();\nint main() { run(1); step(2); lost(); }\n';
      const uri = editor.open(join(folder, 'main.cu'), text);
      const definedAt = async (line: number, name: string) => {
        const position = { line, character: text.split('\n')[line].indexOf(name) + 1 };
        const found = await editor.connection.sendRequest<Location[]>('textDocument/definition', { textDocument: { uri }, position });
        return found.map(({ uri: at, range: { start } }) => `${basename(at)} ${start.line}:${start.character}`);
      };
      expect(await definedAt(3, 'run')).toEqual(['steps.cu 2:5']);
      expect(await definedAt(1, 'run')).toEqual(['steps.cu 2:5']);
      expect(await definedAt(3, 'step')).toEqual(['steps.cu 1:6']);
      expect(await definedAt(3, 'lost')).toEqual(['main.cu 2:5']);
      const renamed = (line: number, character: number) =>
        editor.connection.sendRequest('textDocument/rename', { textDocument: { uri }, position: { line, character }, newName: 'other' });
      await expect(renamed(1, 6)).rejects.toThrow('`run` is also in steps.cu: rename it by searching for it.');
      expect(await renamed(2, 6)).toMatchObject({ changes: { [uri]: [{}, {}] } });
    } finally {
      await editor.stop();
      rmSync(folder, { recursive: true });
    }
  });

  it('uses of what a header defines are found in the programs that include it, and in their headers', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lanewise-uses-')));
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
    write(
      'steps.cuh',
      '#pragma once\n__device__ float step(float x) { return 2 * x; }\n__device__ float twice(float x) { return step(step(x)); }\n',
    );
    write('more.cuh', '#pragma once\n#include "steps.cuh"\n__device__ float more(float x) { return step(x) + 1; }\n');
    write('one.cu', '#include "more.cuh"\n__global__ void one(float* a) { a[0] = step(a[0]); }\nint main() { one<<<1, 1>>>(0); }\n');
    // Its own function has the name.
    write('two.cu', '#include <cstdio>\nfloat step(float x) { return x; }\nint main() { printf("%f", step(1)); }\n');
    const editor = await Editor.start({ options: { otherLanguageServer: false }, folder });
    try {
      // As it is open, with a second use.
      const uri = editor.open(
        join(folder, 'one.cu'),
        '#include "more.cuh"\n__global__ void one(float* a) { a[0] = step(step(a[0])); }\nint main() { one<<<1, 1>>>(0); }\n',
      );
      const usesAt = async (file: string, line: number, character: number) => {
        const position = { line, character };
        const context = { includeDeclaration: true };
        const found = await editor.connection.sendRequest<Location[]>('textDocument/references', {
          textDocument: { uri: file },
          position,
          context,
        });
        return found.map(({ uri: at, range: { start } }) => `${basename(at)} ${start.line}:${start.character}`);
      };
      const header = ['steps.cuh 1:17', 'steps.cuh 2:41', 'steps.cuh 2:46'];
      const program = ['one.cu 1:39', 'one.cu 1:44'];
      expect(await usesAt(uri, 1, 40)).toEqual([...program, ...header, 'more.cuh 2:40']);
      const opened = editor.open(join(folder, 'steps.cuh'));
      expect((await usesAt(opened, 1, 18)).sort()).toEqual([...header, ...program, 'more.cuh 2:40'].sort());
      const renamed = (line: number, character: number) =>
        editor.connection.sendRequest('textDocument/rename', {
          textDocument: { uri: opened },
          position: { line, character },
          newName: 'other',
        });
      await expect(renamed(1, 18)).rejects.toThrow(/^`step` is also in \w+\.cuh?: rename it by searching for it\.$/);
      expect(await renamed(1, 28)).toMatchObject({ changes: { [opened]: [{}, {}] } });
      // A parameter is nobody else's.
      expect(await usesAt(opened, 1, 28)).toEqual(['steps.cuh 1:28', 'steps.cuh 1:44']);
    } finally {
      await editor.stop();
      rmSync(folder, { recursive: true });
    }
  });
});

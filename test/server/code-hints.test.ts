/** Hints between the words of a program: names of parameters, and what `auto` stands for. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InlayHint } from 'vscode-languageserver/node';
import { Editor, wholeFile } from './editor.ts';

const TEXT = `#include <cstdio>
#include <vector>
#define TILE 16
#define CHECK(call) do { cudaError_t status = (call); if (status) printf("%d %d", status, 1); } while (0)
template <typename T> __global__ void scale(T *out, const T *in, T factor, int count) {
  auto i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i] * factor;
}
struct Body { float mass; Body(float mass, int layer = 3) : mass(mass) {} float at(int depth, float weight) const { return depth * weight; } };
float mix(float a, float b, float weight = 0.5f) { return a + (b - a) * weight; }
void log(const char *text, bool loud) {}
#define LOUDLY(words) log(words, true)
int main() {
  float *device, *other;
  CHECK(cudaMalloc(&device, 4096));
  CHECK(cudaMalloc(&other, 4096));
  std::vector<float> values(1024, 1.0f);
  cudaMemcpy(device, values.data(), 4096, cudaMemcpyHostToDevice);
  scale<<<4, 256>>>(device, other, 2.0f, 1024);
  scale<<<dim3(4), TILE, 64>>>(device, device, -2.0f, 1024);
  const auto body = Body(3.0f, 4);
  auto q = body.at(3, 2.0f), half = q / 2;
  for (auto &v : values) v = mix(v, /*b=*/2, 0.25f);
  auto twice = [](int n) { return 2 * n; };
  auto first = values.begin();
  LOUDLY("macros"); fprintf(stderr, "%d", 3);
  log("größer", true); auto count = values.size();
  printf("%d %f\\n", twice(4), mix(1, 2));
}
`;

/** Where the hints stand, as the text would be with them. */
function shown(text: string, hints: readonly InlayHint[]): string[] {
  const lines = text.split('\n');
  for (const { position, label } of [...hints].reverse()) {
    const line = lines[position.line];
    lines[position.line] = `${line.slice(0, position.character)}«${label}»${line.slice(position.character)}`;
  }
  return lines.filter((line) => line.includes('«')).map((line) => line.trim());
}

describe('hints of calls and variables', { timeout: 120_000 }, () => {
  let editor: Editor;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'code-hints-'));
    const options = { trustedWorkspace: true, otherLanguageServer: false };
    editor = await Editor.start({ folder, options, settings: { codeHints: { parameters: 'all', types: true } } });
  });
  afterAll(async () => {
    await editor.stop();
    rmSync(folder, { recursive: true });
  });

  const hintsOf = (uri: string) =>
    editor.connection.sendRequest<InlayHint[]>('textDocument/inlayHint', { textDocument: { uri }, range: wholeFile() });

  it('say what arguments are for, and which types are deduced', async () => {
    const uri = editor.open(join(folder, 'a.cu'), TEXT);
    expect(shown(TEXT, await hintsOf(uri))).toEqual([
      'auto i«: unsigned int» = blockIdx.x * blockDim.x + threadIdx.x;',
      'CHECK(cudaMalloc(«pointer:»&device, «size:»4096));',
      'CHECK(cudaMalloc(«pointer:»&other, «size:»4096));',
      'cudaMemcpy(«destination:»device, «source:»values.data(), «count:»4096, «kind:»cudaMemcpyHostToDevice);',
      'scale<<<«grid:»4, «block:»256>>>(«out:»device, «in:»other, «factor:»2.0f, «count:»1024);',
      'scale<<<«grid:»dim3(4), TILE, «shared bytes:»64>>>(«out:»device, «in:»device, «factor:»-2.0f, «count:»1024);',
      'const auto body«: const Body» = Body(«mass:»3.0f, «layer:»4);',
      'auto q«: float» = body.at(«depth:»3, «weight:»2.0f), half = q / 2;',
      'for (auto &v«: float &» : values) v = mix(v, /*b=*/2, «weight:»0.25f);',
      'log(«text:»"größer", «loud:»true); auto count«: unsigned long» = values.size();',
      'printf("%d %f\\n", twice(4), mix(«a:»1, «b:»2));',
    ]);
  });

  it('are those of the text as it stands, and of arguments that say nothing by themselves', async () => {
    const uri = editor.open(join(folder, 'b.cu'), TEXT);
    await hintsOf(uri);
    const at = TEXT.split('\n').findIndex((line) => line.includes('scale<<<4'));
    const range = { start: { line: at, character: 0 }, end: { line: at, character: 0 } };
    editor.edit(uri, { range, text: '  float factor = 3, unusual = 1;\n  scale<<<1, 32>>>(device, device, factor, unusual);\n' });
    expect(shownAt(await hintsOf(uri), at, at + 1)).toEqual(['', 'grid: block: out: in: count:']);
    editor.configure({ codeHints: { parameters: 'literals' } });
    expect(shownAt(await hintsOf(uri), at, at + 1)).toEqual(['', 'grid: block:']);
    editor.configure({});
    expect(await hintsOf(uri)).toEqual([]);
    editor.configure({ codeHints: { parameters: 'all', types: true } });
  });

  it('are there in a header, as a program that includes it has it', async () => {
    const header =
      'inline int power(int base, int exponent) { return base * exponent; }\ninline auto cube(Count n) { auto m = n; return power(m, 3); }\n';
    writeFileSync(join(folder, 'power.cuh'), header);
    writeFileSync(join(folder, 'power.cu'), 'using Count = long;\n#include "power.cuh"\nint main() { return cube(2); }\n');
    const uri = editor.open(join(folder, 'power.cuh'), header);
    expect(shown(header, await hintsOf(uri))).toEqual([
      'inline auto cube(Count n) { auto m«: Count» = n; return power(«base:»m, «exponent:»3); }',
    ]);
  });

  it('are left to another language server where there is one', async () => {
    const other = await Editor.start({
      options: { trustedWorkspace: true, otherLanguageServer: true },
      settings: { codeHints: { parameters: 'all' } },
    });
    const uri = other.open('hints.cu', TEXT);
    expect(await other.connection.sendRequest('textDocument/inlayHint', { textDocument: { uri }, range: wholeFile() })).toEqual([]);
    await other.stop();
  });
});

/** The labels of each of these lines. */
function shownAt(hints: readonly InlayHint[], first: number, last: number): string[] {
  const lines = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  return lines.map((at) =>
    hints
      .filter(({ position: { line } }) => line === at)
      .map(({ label }) => label)
      .join(' '),
  );
}

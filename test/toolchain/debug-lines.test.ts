/** The line table of a host module, on its way through the lowering. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { code } from '#platform';
import { hostPlaceFinder } from '../../simulator/runtime/host-lines.ts';
import { releaseClang } from '../../simulator/toolchain/clang-pool.ts';
import { compileProgram } from '../../simulator/toolchain/compile.ts';
import { DEBUG_LINES, readDebugLines } from '../../simulator/toolchain/lowering/debug-lines.ts';
import { lineRows } from '../../simulator/toolchain/lowering/line-table.ts';

const TEXT = `extern "C" int elsewhere(int);
static int twice(int x) {
  return
    elsewhere(x) +
    elsewhere(x + 1);
}
int main(int argc, char**) {
  if (argc > 7)
    return twice(argc);
  return elsewhere(argc) - 1;
}
`;

let module: WebAssembly.Module;
let bytes: Uint8Array;
beforeAll(async () => {
  const program = await compileProgram({
    file: import.meta.filename.replace(/[^/]+$/, 'lines.cpp'),
    text: TEXT,
    includeDirs: [],
    defines: [],
  });
  if (program.kind !== 'compiled') throw new Error(JSON.stringify(program));
  bytes = program.hostModule;
  module = new WebAssembly.Module(bytes as BufferSource);
}, 120_000);
afterAll(releaseClang);

describe('lines of a host module', () => {
  it('lie in its code, in order, and name the file', () => {
    const [section] = WebAssembly.Module.customSections(module, DEBUG_LINES);
    const { files, rows } = readDebugLines(new Uint8Array(section));
    expect(files.some((file) => file.endsWith('/lines.cpp'))).toBe(true);
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.every(({ address }, i) => i === 0 || address >= rows[i - 1].address)).toBe(true);
    expect(rows.at(-1)!.address).toBeLessThan(bytes.length);
    const own = rows.filter(({ file }) => files[file].endsWith('/lines.cpp')).map(({ line }) => line);
    for (const line of [4, 5, 10]) expect(own).toContain(line);
    expect(Math.max(...own)).toBeLessThan(12);
  });

  it('are found for every place of the code, and for none outside', () => {
    const find = hostPlaceFinder(module, (file) => file.endsWith('/lines.cpp'));
    const at = (offset: number) =>
      find(Object.assign(new Error(), { stack: `at f (wasm://wasm/0:wasm-function[1]:0x${offset.toString(16)})` }));
    const found = Array.from({ length: bytes.length }, (_, offset) => at(offset)?.line).filter((line) => line !== undefined);
    expect(new Set(found)).toEqual(new Set(found.filter((line) => line > 1 && line < 12)));
    expect([...new Set(found)].sort((a, b) => a - b)).toEqual([4, 5, 7, 8, 10, 11]);
    expect(at(0)).toBeUndefined();
    expect(at(2 ** 31)).toBeUndefined();
    expect(find('no error')).toBeUndefined();
  });
});

describe('hints of a host module', () => {
  const hintsOf = (of: WebAssembly.Module) => new Uint8Array(WebAssembly.Module.customSections(of, 'compilationHints')[0]);

  it("have V8 optimise the program's own functions with loops, unless they are very large, and no others", async () => {
    const text = `extern "C" int elsewhere(int);
__attribute__((noinline)) static int all(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += elsewhere(i);
  return sum;
}
volatile int place;
#define FOUR(x) x x x x
__attribute__((noinline)) static int large(int n) {
  for (int i = 0; i < n; i++) { FOUR(FOUR(FOUR(FOUR(FOUR(FOUR(place = elsewhere(i);)))))) }
  return place;
}
__attribute__((noinline)) static int one(int n) { return elsewhere(n); }
int main(int argc, char**) { return all(argc) + one(argc) + large(argc); }
`;
    const file = import.meta.filename.replace(/[^/]+$/, 'hints.cpp');
    const program = await compileProgram({ file, text, includeDirs: [], defines: [] });
    if (program.kind !== 'compiled') throw new Error(JSON.stringify(program));
    const looping = hintsOf(new WebAssembly.Module(program.hostModule as BufferSource));
    const straight = hintsOf(module);
    // The libraries' loops, such as those of printf, are in both.
    expect(looping.subarray(2).filter((hint) => hint !== 0)).toEqual(Uint8Array.of(0b10_10_01));
    expect(straight.subarray(2).every((hint) => hint === 0)).toBe(true);
    expect(straight.length).toBeGreaterThan(20);
  });

  it('are left where V8 does not take them', () => {
    const at = Buffer.from(bytes).indexOf('compilationHints') + 'compilationHints'.length;
    const wrong = bytes.slice();
    wrong[at + 3] = 0xff;
    expect(WebAssembly.Module.exports(code.hintedModule(wrong)).length).toBe(WebAssembly.Module.exports(module).length);
  });
});

it('a module without line tables has no rows', () => {
  expect(lineRows(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0))).toEqual({ files: [], rows: [] });
});

/** Programs that are compiled again: without Clang if nothing changed, anew if anything did, and with the same result either way. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { releaseClang, runTool } from '../../simulator/toolchain/clang-pool.ts';
import type { CompiledProgram, CompileRequest } from '../../simulator/toolchain/compile.ts';
import { compileCached } from '../../simulator/toolchain/compile-cache.ts';

// Many compilations each.
vi.setConfig({ testTimeout: 180_000 });

let folder: string;
let cache: string;
const folders: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lanewise-cache-'));
  folders.push(folder);
  cache = join(folder, 'cache');
  mkdirSync(join(folder, 'early'));
  mkdirSync(join(folder, 'late'));
  write('late/number.h', '#define NUMBER 1\n');
  write('a.cu', program);
});
afterAll(() => {
  releaseClang();
  for (const each of folders) rmSync(each, { recursive: true });
});

const program = `#include <number.h>
__global__ void kernel(int* out) { int unused; out[0] = NUMBER; }
int main() { kernel<<<1, 1>>>(nullptr); }
`;

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

/** What came of it, and whether Clang was asked. */
async function compile(request: Partial<CompileRequest> = {}): Promise<{ program: CompiledProgram; byClang: boolean }> {
  const includeDirs = [join(folder, 'early'), join(folder, 'late')];
  let byClang = false;
  const countedTool: typeof runTool = (run, signal) => {
    byClang = true;
    return runTool(run, signal);
  };
  const result = await compileCached({ file: join(folder, 'a.cu'), includeDirs, defines: [], runTool: countedTool, ...request }, cache);
  if (result.kind !== 'compiled') throw new Error(JSON.stringify(result));
  return { program: result, byClang };
}

function essence({ deviceModules, hostModule, warnings }: CompiledProgram) {
  return { deviceModules, hostModule, warnings };
}

const entries = () => readdirSync(cache).map((name) => join(cache, name));

it('gives an unchanged program without Clang, as Clang gave it', async () => {
  const text = `#warning look here\n${program}`;
  const first = await compile({ text });
  expect(first.byClang).toBe(true);
  expect(first.program.warnings).toHaveLength(1);
  const again = await compile({ text });
  expect(again.byClang).toBe(false);
  expect(essence(again.program)).toEqual(essence(first.program));
});

it('compiles anew when a source, a header, a macro or the kind of run changed, and knows the old ones still', async () => {
  const first = await compile();
  write('a.cu', program.replace('NUMBER;', 'NUMBER + 6;'));
  const edited = await compile();
  expect(edited.byClang).toBe(true);
  expect(edited.program.deviceModules[0]).toContain('store i32 7');
  write('a.cu', program);
  expect((await compile()).byClang).toBe(false);

  expect((await compile({ defines: ['UNUSED'] })).byClang).toBe(true);
  expect((await compile({ debug: 'headers' })).byClang).toBe(true);
  write('late/number.h', '#define NUMBER 2\n');
  const other = await compile();
  expect(other.byClang).toBe(true);
  expect(other.program.deviceModules[0]).toContain('store i32 2');
  expect(essence(other.program)).not.toEqual(essence(first.program));
});

it('sees a header that appears where Clang looked before, and one that was another name of the same file', async () => {
  await compile();
  write('early/number.h', '#define NUMBER 3\n');
  const shadowed = await compile();
  expect(shadowed.byClang).toBe(true);
  expect(shadowed.program.deviceModules[0]).toContain('store i32 3');

  write('once.h', '#pragma once\nstatic int once;\n');
  symlinkSync(join(folder, 'once.h'), join(folder, 'link.h'));
  const twice = { text: `#include "once.h"\n#include "link.h"\n${program}` };
  expect((await compile(twice)).byClang).toBe(true);
  expect((await compile(twice)).byClang).toBe(false);
  rmSync(join(folder, 'link.h'));
  write('link.h', '#pragma once\nstatic int once;\n');
  // Two files now: a redefinition.
  await expect(compile(twice)).rejects.toThrow('redefinition');
});

it('takes the text in the editor for what it is, saved or not', async () => {
  await compile({ text: program });
  expect((await compile({ text: program })).byClang).toBe(false);
  expect((await compile({ text: `${program}\n` })).byClang).toBe(true);
});

it('does not keep what depends on the time, nor failures', async () => {
  const dated = { text: `const char* built = __TIME__;\n${program}` };
  await compile(dated);
  expect((await compile(dated)).byClang).toBe(true);
  await expect(compile({ text: 'int main() { return' })).rejects.toThrow('compile-error');
  expect(() => readdirSync(cache)).toThrow('ENOENT');
});

it('of several files compiles only those again that changed', async () => {
  write('b.cu', '#include <number.h>\n__global__ void other(int* out) { out[0] = NUMBER + 1; }\n');
  write('c.cpp', 'int plain() { return 1; }\n');
  const several = (names: readonly string[]) => {
    const compiled: string[] = [];
    const request: Partial<CompileRequest> = {
      others: names.map((name) => join(folder, name)),
      runTool(run, signal) {
        const source = run.args.at(-1)!.split('/').at(-1)!;
        if (/^[abc]\./.test(source)) compiled.push(source);
        return runTool(run, signal);
      },
    };
    return compile(request).then(({ program }) => ({ program, compiled: compiled.sort() }));
  };
  expect((await several(['b.cu', 'c.cpp'])).compiled).toEqual(['a.cu', 'a.cu', 'b.cu', 'b.cu', 'c.cpp']);
  write('c.cpp', 'int plain() { return 2; }\n');
  expect((await several(['b.cu', 'c.cpp'])).compiled).toEqual(['c.cpp']);
  expect((await several(['b.cu'])).compiled).toEqual([]);
  write('b.cu', '#include <number.h>\n__global__ void other(int* out) { out[0] = NUMBER + 2; }\n');
  const edited = await several(['b.cu', 'c.cpp']);
  expect(edited.compiled).toEqual(['b.cu', 'b.cu']);
  expect(edited.program.deviceModules[1]).toContain('store i32 3');
  write('late/number.h', '#define NUMBER 2\n');
  expect((await several(['b.cu', 'c.cpp'])).compiled).toEqual(['a.cu', 'a.cu', 'b.cu', 'b.cu']);
});

it('ignores entries that are damaged, and makes them anew', async () => {
  const first = await compile();
  const [entry] = entries();
  const bytes = readFileSync(entry);
  for (const damaged of [
    bytes.subarray(0, bytes.length - 1),
    bytes.subarray(0, 10),
    Buffer.alloc(0),
    flipped(bytes, bytes.length - 5),
    flipped(bytes, 70),
  ]) {
    writeFileSync(entry, damaged);
    const again = await compile();
    expect(again.byClang).toBe(true);
    expect(essence(again.program)).toEqual(essence(first.program));
  }
  expect((await compile()).byClang).toBe(false);
});

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] ^= 1;
  return copy;
}

it('compiles without a folder that can be written', async () => {
  write('cache', 'a file');
  expect((await compile()).byClang).toBe(true);
  expect((await compile()).byClang).toBe(true);
});

it('keeps 256 MB of what was used last', async () => {
  mkdirSync(cache);
  const old = ['a', 'b', 'c'].map((letter, age) => {
    const name = join(cache, `${letter.repeat(64)}.program`);
    writeFileSync(name, Buffer.alloc(120 << 20));
    utimesSync(name, 2_000_000_000 - age, 1_700_000_000 - age);
    return name;
  });
  const leftover = join(cache, `${'d'.repeat(64)}.program.1234`);
  writeFileSync(leftover, 'half');
  utimesSync(leftover, 1_700_000_001, 1_700_000_001);
  write('cache/notes.txt', "somebody else's");
  await compile();
  const left = entries();
  expect(left).toContain(old[0]);
  expect(left).toContain(old[1]);
  expect(left).not.toContain(old[2]);
  expect(left).not.toContain(leftover);
  expect(left).toContain(join(cache, 'notes.txt'));
  expect((await compile()).byClang).toBe(false);
});

it('may be used by several processes at once', async () => {
  const lanewise = join(import.meta.dirname, '../../dist/cli.mjs');
  const run = async (name: string) => {
    const { stdout } = await promisify(execFile)(process.execPath, [lanewise, 'run', '-q', join(folder, name)], {
      env: { ...process.env, XDG_CACHE_HOME: cache },
    });
    return stdout;
  };
  write('b.cu', '#include <cstdio>\nint main() { printf("one\\n"); }\n');
  expect(await Promise.all(['b.cu', 'b.cu', 'b.cu'].map(run))).toEqual(['one\n', 'one\n', 'one\n']);
  const kept = readdirSync(join(cache, 'lanewise'));
  expect(kept).toHaveLength(1);
  const { mtimeMs } = statSync(join(cache, 'lanewise', kept[0]));
  expect(await run('b.cu')).toBe('one\n');
  // It was used, so it goes later.
  expect(statSync(join(cache, 'lanewise', kept[0])).mtimeMs).toBeGreaterThan(mtimeMs);
});

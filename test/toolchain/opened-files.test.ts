/** Files that Clang opens to read: as WASI has them, and as many as there are. */
import { afterAll, describe, expect, it } from 'vitest';
import { releaseClang } from '../../simulator/toolchain/clang-pool.ts';
import { compileProgram } from '../../simulator/toolchain/compile.ts';
import { FileTree } from '../../simulator/toolchain/file-tree.ts';
import { withOpenedFiles } from '../../simulator/toolchain/opened-files.ts';
import { ReadableFiles } from '../../simulator/toolchain/readable-files.ts';

afterAll(releaseClang);

const READ = 1n << 1n;
const WRITE = 1n << 6n;
const nothing = { files: new Map<string, Uint8Array>(), folders: new Set<string>() };

/** Results lie at 0, a path at 256, one vector at 512 and what is read at 1024. */
function system(files: Readonly<Record<string, string>> = {}) {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const view = new DataView(memory.buffer);
  const encode = (text: string) => new TextEncoder().encode(text);
  const passed: string[] = [];
  const note = (name: string) => () => {
    passed.push(name);
    return 99;
  };
  const names = ['path_open', 'path_filestat_get', 'fd_filestat_get', 'fd_fdstat_get', 'fd_pread', 'fd_read', 'fd_seek', 'fd_close'];
  const tree = new FileTree(nothing, Object.entries(files).map(([path, text]) => [path, encode(text)] as const), new ReadableFiles([])); // biome-ignore format: one step
  const calls = withOpenedFiles(Object.fromEntries(names.map((name) => [name, note(name)])), () => memory, tree) as unknown as Record<
    string,
    (...args: unknown[]) => number
  >;
  const put = (path: string) => {
    new Uint8Array(memory.buffer).set(encode(path), 256);
    return encode(path).length;
  };
  const open = (path: string, { flags = 0, rights = READ } = {}) =>
    calls.path_open(3, 0, 256, put(path), flags, rights, 0n, 0, 0) || view.getUint32(0, true);
  const vector = (bytes: number) => {
    view.setUint32(512, 1024, true);
    view.setUint32(516, bytes, true);
  };
  const text = () => new TextDecoder().decode(new Uint8Array(memory.buffer, 1024, view.getUint32(0, true)));
  return { calls, open, put, vector, text, view, passed };
}

describe('opened files', () => {
  it('are read from a place and onwards, to their end', () => {
    const { calls, open, vector, text, passed } = system({ '/a.h': 'int first;' });
    const file = open('a.h');
    vector(5);
    expect([calls.fd_pread(file, 512, 1, 4n, 0), text()]).toEqual([0, 'first']);
    expect([calls.fd_read(file, 512, 1, 0), text()]).toEqual([0, 'int f']);
    expect([calls.fd_read(file, 512, 1, 0), text()]).toEqual([0, 'irst;']);
    expect([calls.fd_read(file, 512, 1, 0), text()]).toEqual([0, '']);
    expect([calls.fd_pread(file, 512, 1, 100n, 0), text()]).toEqual([0, '']);
    expect(calls.fd_close(file)).toBe(0);
    expect(passed).toEqual([]);
    expect(calls.fd_close(file)).toBe(99);
  });

  it('are sought in', () => {
    const { calls, open, vector, text, view } = system({ '/a.h': 'int first;' });
    const file = open('/a.h');
    const seek = (by: bigint, from: number) => calls.fd_seek(file, by, from, 0) || Number(view.getBigUint64(0, true));
    expect([seek(4n, 0), seek(2n, 1), seek(-1n, 2)]).toEqual([4, 6, 9]);
    vector(5);
    expect([calls.fd_read(file, 512, 1, 0), text()]).toEqual([0, ';']);
    expect(calls.fd_seek(file, -20n, 1, 0)).toBe(28);
  });

  it('have a size, a number of their own and no times, by name and when open', () => {
    const { calls, open, put, view } = system({ '/a.h': 'int first;', '/b.h': '' });
    const status = () => [view.getUint8(16), Number(view.getBigUint64(32, true)), Number(view.getBigUint64(8, true))];
    expect(calls.path_filestat_get(3, 0, 256, put('a.h'), 0)).toBe(0);
    const byName = status();
    const file = open('a.h');
    expect(calls.fd_filestat_get(file, 0)).toBe(0);
    expect(status()).toEqual(byName);
    expect(byName.slice(0, 2)).toEqual([4, 10]);
    expect(view.getBigUint64(48, true)).toBe(0n);
    calls.path_filestat_get(3, 0, 256, put('b.h'), 0);
    expect(status()[2]).not.toBe(byName[2]);
    calls.path_filestat_get(3, 0, 256, put(''), 0);
    expect(status().slice(0, 2)).toEqual([3, 0]);
  });

  it('are there or not', () => {
    const { calls, open, put } = system();
    expect(open('none.h')).toBe(44);
    expect(calls.path_filestat_get(3, 0, 256, put('none.h'), 0)).toBe(44);
  });

  it("are the system's where they are written to, or folders", () => {
    const { open, passed } = system({ '/a.h': '' });
    expect([open('a.h', { rights: WRITE }), open('new.o', { flags: 1 }), open('/')]).toEqual([99, 99, 99]);
    expect(passed).toEqual(['path_open', 'path_open', 'path_open']);
  });

  it('may be more than a hundred', () => {
    const { open } = system({ '/a.h': '' });
    expect(new Set(Array.from({ length: 1000 }, () => open('a.h'))).size).toBe(1000);
  });

  it('a program may include all of the standard library', { timeout: 60_000 }, async () => {
    const headers = [
      ...['algorithm', 'any', 'array', 'bitset', 'chrono', 'complex', 'deque', 'exception', 'forward_list', 'fstream', 'functional'],
      ...['initializer_list', 'iomanip', 'iostream', 'iterator', 'limits', 'list', 'locale', 'map', 'memory', 'numeric', 'optional'],
      ...['queue', 'random', 'regex', 'set', 'sstream', 'stack', 'string', 'string_view', 'tuple', 'typeindex', 'unordered_map'],
      ...['unordered_set', 'utility', 'valarray', 'variant', 'vector'],
    ];
    const text = `${headers.map((header) => `#include <${header}>\n`).join('')}int main() {\n  std::deque<int> queue(3);\n}\n`;
    const result = await compileProgram({ file: '/tmp/all-headers.cu', text, includeDirs: [], defines: [] });
    expect(result.kind === 'compile-error' ? result.diagnostics.map(({ message }) => message) : result.kind).toBe('compiled');
  });
});

/** What a compiler may read: sources, and what lies below the folders that are named, wherever links lead. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
import { releaseClang } from '../../simulator/toolchain/clang-pool.ts';
import { type CompileRequest, compileProgram } from '../../simulator/toolchain/compile.ts';
import { ReadableFiles } from '../../simulator/toolchain/readable-files.ts';

const top = realpathSync(mkdtempSync(join(tmpdir(), 'lanewise-includes-')));
const [home, outside] = [join(top, 'home'), join(top, 'outside')];
mkdirSync(join(home, 'folder.h'), { recursive: true });
mkdirSync(outside);
writeFileSync(join(home, 'own.h'), '#define OWN 1\n');
writeFileSync(join(outside, 'other.h'), '#define OTHER 1\n');
symlinkSync('../outside/other.h', join(home, 'out-link.h'));
symlinkSync('own.h', join(home, 'in-link.h'));
symlinkSync('../outside', join(home, 'out-folder'));
symlinkSync('out-link.h', join(home, 'link-to-link.h'));
symlinkSync('circle.h', join(home, 'circle.h'));
writeFileSync(join(home, 'large.h'), '');
truncateSync(join(home, 'large.h'), 33 << 20);
execFileSync('mkfifo', [join(home, 'pipe.h')]);
afterAll(() => {
  releaseClang();
  rmSync(top, { recursive: true });
});

describe('a file', () => {
  const readable = new ReadableFiles([home]);
  const CASES: readonly (readonly [path: string, found: string | undefined])[] = [
    ['own.h', 'file'],
    ['in-link.h', 'file'],
    ['../home/own.h', 'file'],
    ['folder.h', 'folder'],
    ['large.h', 'large file'],
    ['out-link.h', 'outside'],
    ['link-to-link.h', 'outside'],
    ['out-folder', 'outside'],
    ['out-folder/other.h', 'outside'],
    ['../outside/other.h', 'outside'],
    ['../outside/../outside/other.h', 'outside'],
    ['/etc/passwd', 'outside'],
    ['/proc/self/environ', 'outside'],
    ['/dev/zero', 'outside'],
    ['pipe.h', 'special'],
    ['circle.h', undefined],
    ['missing.h', undefined],
    ['nul\0.h', undefined],
    [`${'long'.repeat(2000)}.h`, undefined],
  ];
  test.each(CASES)('%s is %s', (path, found) => {
    const full = path.startsWith('/') ? path : `${home}/${path}`;
    expect(readable.withheld(full) ?? readable.at(full)?.kind).toBe(found);
    expect(readable.text(full) !== undefined).toBe(found === 'file');
  });

  it('is read wherever a link leads that is named itself', () => {
    expect(new ReadableFiles([join(home, 'out-link.h')]).at(join(home, 'out-link.h'))?.kind).toBe('file');
  });

  it('has its text from memory in folders that there are not, or that may not be read, and nothing beside it becomes readable', () => {
    const names = [`${home}/sub/dir.h`, `${top}/up.h`, `${outside}/new/x.h`, `${home}/out-folder/y.h`, `${outside}/other.h`];
    const memory = new ReadableFiles([home], undefined, Object.fromEntries(names.map((name) => [name, 'from memory'])));
    const kinds = (...paths: readonly string[]) => paths.map((path) => memory.withheld(path) ?? memory.at(path)?.kind);
    expect(kinds(...names)).toEqual(['file', 'file', 'file', 'file', 'outside']);
    expect(names.map((name) => memory.text(name) !== undefined)).toEqual([true, true, true, true, false]);
    expect(kinds(`${home}/sub`, `${home}/../up.h`, `${home}/sub/../sub/dir.h`, outside)).toEqual(['folder', 'file', 'file', 'folder']);
    expect(kinds(`${home}/sub/other.h`, `${home}/out-folder/other.h`, '/etc/passwd')).toEqual([undefined, 'outside', 'outside']);
    expect(memory.text(`${home}/out-folder/other.h`)).toBeUndefined();
  });

  it('is not read through a folder that has become a link since', () => {
    const [folder, moved] = [join(home, 'swapped'), join(home, 'moved')];
    mkdirSync(folder);
    writeFileSync(join(folder, 'other.h'), 'own');
    expect(readable.text(join(folder, 'other.h'))).toBeDefined();
    renameSync(folder, moved);
    symlinkSync(outside, folder);
    expect(readable.text(join(folder, 'other.h'))).toBeUndefined();
  });

  it('of the system is no regular file, with everything allowed', () => {
    expect(new ReadableFiles('everything').withheld('/dev/zero')).toBe('special');
  });
});

async function errors(text: string, changes: Partial<CompileRequest> = {}): Promise<readonly string[]> {
  const file = join(home, 'a.cpp');
  const result = await compileProgram({ file, text, includeDirs: [], defines: [], ...changes });
  if (result.kind === 'refused') return [result.message];
  const diagnostics = result.kind === 'compiled' ? result.warnings : result.diagnostics;
  return diagnostics.filter(({ severity }) => severity === 'error').map(({ line, message }) => `${line}: ${message}`);
}

const OUTSIDE = `${outside}/other.h is outside the program's folders. To allow it, pass --allow-read=${outside}, or set lanewise.run.allowRead`;

describe('Clang', () => {
  it('includes what may be read', async () => {
    expect(await errors('#include "in-link.h"\nint main() { return OWN; }\n')).toEqual([]);
    const other = '#include <other.h>\nint main() { return OTHER; }\n';
    expect(await errors(other, { includeDirs: [outside] })).toEqual([]);
    expect(await errors('#include "out-link.h"\nint main() { return OTHER; }\n', { readable: [outside] })).toEqual([]);
  });

  it('says on the line what would allow the rest', async () => {
    expect(await errors('\n#include "../outside/other.h"\nint main() {}\n')).toEqual([
      `2: '../outside/other.h' cannot be included: ${OUTSIDE}`,
    ]);
    expect(await errors('const char s[] = {\n#embed "../outside/other.h"\n};\nint main() {}\n')).toEqual([
      `2: '../outside/other.h' cannot be included: ${OUTSIDE}`,
    ]);
    expect(await errors('#include <other.h>\nint main() {}\n', { includeDirs: [outside], readable: [] })).toEqual([
      `1: 'other.h' cannot be included: ${OUTSIDE}`,
    ]);
    expect(await errors('#include "pipe.h"\nint main() {}\n')).toEqual([
      `1: 'pipe.h' cannot be included: ${home}/pipe.h is not a regular file`,
    ]);
    expect(await errors('#include "large.h"\nint main() {}\n')).toEqual([
      `1: '${home}/large.h' cannot be included: ${home}/large.h is larger than 32 MiB; to allow more, pass --limit sourceMiB=N, or set lanewise.limits.sourceMiB`,
    ]);
  });

  it('does not know whether there is something outside', async () => {
    const text = `#if __has_include("../outside/other.h") || __has_embed("../outside/other.h") || __has_include("/etc/passwd")\n#error it knows\n#endif\nint main() {}\n`;
    expect(await errors(text)).toEqual([]);
  });

  it('finds libraries of headers where the system keeps them, behind all else, and nothing beside them', async () => {
    const include = join(outside, 'include');
    mkdirSync(join(include, 'boost/detail'), { recursive: true });
    writeFileSync(join(include, 'boost/five.hpp'), '#include <boost/detail/five.hpp>\n#include <string.h>\n');
    writeFileSync(join(include, 'boost/detail/five.hpp'), 'inline int five() { return strlen("fives"); }\n');
    writeFileSync(join(include, 'string.h'), '#error it is the C library of the system\n');
    writeFileSync(join(include, 'own_system.h'), '#error it is of the system\n');
    const systemFolders = [join(outside, 'none/include'), include];
    const text = `#include <string.h>\n#include <boost/five.hpp>
#if __has_include(<own_system.h>) || __has_include(<boost/six.hpp>)\n#error it sees more\n#endif\nint main() { return five(); }\n`;
    for (const readable of [undefined, 'everything'] as const) expect(await errors(text, { systemFolders, readable })).toEqual([]);

    const own = join(home, 'own/boost');
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'five.hpp'), 'inline int five() { return 5; }\n#define OWN_FIVE\n');
    const first = '#include <boost/five.hpp>\n#ifndef OWN_FIVE\n#error not its own\n#endif\nint main() { return five(); }\n';
    expect(await errors(first, { systemFolders, includeDirs: [join(home, 'own')] })).toEqual([]);
  });

  it('says of such a library that is nowhere what to do', async () => {
    expect(await errors('#include <boost/six.hpp>\nint main() {}\n', { systemFolders: [join(outside, 'none/include')] })).toEqual([
      "1: 'boost/six.hpp' file not found: this machine has no boost where its compilers look; install its headers, or give the folder that has them with -I",
    ]);
  });

  it('searches on behind a folder that it may not look into', async () => {
    mkdirSync(join(home, 'second'));
    writeFileSync(join(home, 'second/other.h'), '#define OTHER 2\n');
    expect(
      await errors('#include <other.h>\nstatic_assert(OTHER == 2);\nint main() {}\n', {
        includeDirs: [outside, join(home, 'second')],
        readable: [],
      }),
    ).toEqual([]);
  });
});

describe('a source', () => {
  const CASES: readonly (readonly [name: string, bytes: Uint8Array | string, refusal: string])[] = [
    ['UTF-16', Buffer.from('\ufeffint main() {}', 'utf16le'), 'is encoded in UTF-16; save it as UTF-8'],
    ['UTF-16, the other way', Buffer.from('\ufeffint main() {}', 'utf16le').swap16(), 'is encoded in UTF-16; save it as UTF-8'],
    ['NUL', 'int main() {}\0', 'has NUL bytes, so it is not a source text'],
    [
      'of 33 MiB',
      Buffer.alloc(33 << 20, ' '),
      'is larger than 32 MiB; to allow more, pass --limit sourceMiB=N, or set lanewise.limits.sourceMiB',
    ],
  ];
  test.each(CASES)('%s is refused', async (_, bytes, refusal) => {
    const file = join(home, 'odd.cu');
    writeFileSync(file, bytes);
    expect(await compileProgram({ file, includeDirs: [], defines: [] })).toEqual({ kind: 'refused', message: `${file} ${refusal}` });
  });
});

it("takes a toolkit's libraries from its folder, and none of its other headers", async () => {
  const toolkit = join(home, 'toolkit');
  mkdirSync(join(toolkit, 'cccl', 'cub'), { recursive: true });
  writeFileSync(join(toolkit, 'cuda_runtime_api.h'), '');
  for (const name of ['cooperative_groups.h', 'cuda_vdpau_interop.h']) writeFileSync(join(toolkit, name), '#error for nvcc alone\n');
  writeFileSync(
    join(toolkit, 'cccl', 'cub', 'cub.cuh'),
    '#define CUB 1\n#if __has_include(<cuda_vdpau_interop.h>)\n#error not ours\n#endif\n',
  );
  const file = join(home, 'toolkit.cu');
  writeFileSync(
    file,
    `#include <cooperative_groups.h>
#include <cub/cub.cuh>
static_assert(CUB == 1, "");
int main() { return sizeof(cooperative_groups::thread_block) == 0; }
`,
  );
  const result = await compileProgram({ file, includeDirs: [toolkit], defines: [] });
  expect(result.kind === 'compiled' ? 'compiled' : result).toBe('compiled');
});

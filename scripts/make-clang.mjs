// Copies Clang from its npm package into dist/clang, with its own headers and nothing else of its libraries, which are for 32-bit WASI
// (make-sysroot.mjs makes ours). The JavaScript glue is extended by one export, its
// instantiation function, because the package's own API neither shares a compiled module between threads nor reads files lazily.
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const modules = ['llvm.core.wasm', 'llvm.core2.wasm', 'llvm.core3.wasm', 'llvm.core4.wasm'];

export async function makeClang(clangPackage, to) {
  const stamp = await stampOf(clangPackage);
  if ((await readFile(join(to, 'stamp'), 'utf8').catch(() => '')) === stamp) return;
  const from = join(clangPackage, 'gen');
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { recursive: true });
  for (const name of modules) await copyFile(join(from, name), join(to, name));
  const glue = await readFile(join(from, 'bundle.js'), 'utf8');
  if (!glue.includes('\nfunction instantiate(getCoreModule, imports, instantiateCore')) {
    throw new Error('@yowasp/clang has changed: its glue has no instantiate function');
  }
  await writeFile(join(to, 'llvm.mjs'), `${glue}\nexport { instantiate };\n`);
  await writeFile(join(to, 'headers.tar'), strippedArchive(await readFile(join(from, 'llvm-resources.tar'))));
  await writeFile(join(to, 'stamp'), stamp);
}

async function stampOf(clangPackage) {
  const hash = createHash('sha256');
  for (const file of [join(clangPackage, 'package.json'), fileURLToPath(import.meta.url)]) hash.update(await readFile(file));
  return hash.digest('hex');
}

/** Clang's resource headers that standard and CUDA headers include on WebAssembly and nvptx. */
const resourceHeader = /^include\/(__std\w+|std\w+|float|limits|iso646|inttypes|varargs|tgmath|unwind|__float_\w+)\.h$/;
function strippedArchive(archive) {
  const kept = [];
  const text = (at, length) =>
    archive
      .subarray(at, at + length)
      .toString('latin1')
      .replace(/\0.*$/s, '');
  for (let at = 0; at + 512 <= archive.length && archive[at] !== 0; ) {
    const blocks = 512 + Math.ceil(Number.parseInt(text(at + 124, 12), 8) / 512) * 512;
    const prefix = text(at + 345, 155);
    const name = prefix ? `${prefix}/${text(at, 100)}` : text(at, 100);
    if (resourceHeader.test(name)) kept.push(archive.subarray(at, at + blocks));
    at += blocks;
  }
  return Buffer.concat([...kept, Buffer.alloc(1024)]);
}

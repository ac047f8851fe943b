// Builds the C and C++ libraries of host programs from their sources with our own Clang, when they are missing or what they are made from
// has changed: dist/sysroot/sysroot.tar, headers and archives.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { archiveEntries, archiveOf } from './runtime/archive.mjs';
import { edits } from './runtime/edits.mjs';
import { cHeaders } from './runtime/headers.mjs';
import { asOnLinux, editedFiles } from './runtime/libstdcxx-edits.mjs';
import { clangRoot, headerRoot, libraries, sourceRoot } from './runtime/plan.mjs';
import { librarySources, licenseFiles } from './runtime/sources.mjs';

/** Runs in a process of its own: only there can V8 be told to keep to its baseline compiler, which halves the time. */
export async function makeSysroot({ root, dist }) {
  const stamp = await stampOf(root, dist);
  const known = await readFile(join(dist, 'sysroot', 'stamp'), 'utf8').catch(() => '');
  if (known === stamp) return;
  const child = spawnSync(process.execPath, ['--liftoff-only', fileURLToPath(import.meta.url), root, dist, stamp], { stdio: 'inherit' });
  if (child.status !== 0) throw new Error('the C and C++ libraries could not be built');
}

async function stampOf(root, dist) {
  const hash = createHash('sha256').update(await readFile(join(dist, 'clang', 'stamp')));
  for (const [name, data] of [
    ...(await folderEntries(join(root, 'simulator/libc'))),
    ...(await folderEntries(join(root, 'scripts/runtime'))),
  ]) {
    if (!name.endsWith('.md')) hash.update(name).update('\0').update(data);
  }
  return hash.update(await readFile(fileURLToPath(import.meta.url))).digest('hex');
}

async function folderEntries(folder) {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const paths = names.map((entry) => join(entry.parentPath ?? entry.path, entry.name)).sort();
  return Promise.all(paths.map(async (path) => [path.slice(folder.length + 1).replaceAll('\\', '/'), await readFile(path)]));
}

async function make(root, dist, stamp) {
  const sources = await librarySources(root);
  const ours = await folderEntries(join(root, 'simulator/libc'));
  for (const [name, data] of ours) sources.set(`libc/${name}`, data);
  for (const { file, from, to } of edits) {
    const text = sources.get(file).toString();
    if (text.split(from).length !== 2) throw new Error(`${file} is not as expected: "${from}" does not stand there once`);
    sources.set(file, Buffer.from(text.replace(from, () => to)));
  }
  for (const file of editedFiles) sources.set(file, Buffer.from(asOnLinux(file, sources.get(file).toString())));
  const headers = installedHeaders(sources, ours);
  const clangHeaders = [...archiveEntries(await readFile(join(dist, 'clang/headers.tar')))].filter(([name]) =>
    /^include\/[^/]+$/.test(name),
  );
  const files = new Map([
    ...[...sources].map(([name, data]) => [`${sourceRoot}/${name}`, data]),
    ...[...headers].map(([name, data]) => [`${headerRoot}/${name}`, data]),
    ...clangHeaders.map(([name, data]) => [`${clangRoot}/${name}`, data]),
  ]);
  const archives = await compiledLibraries(root, dist, shared(files));
  await mkdir(join(dist, 'sysroot'), { recursive: true });
  const entries = [
    ...[...headers].map(([name, data]) => [`include/${name}`, data]),
    ...archives.map(([name, data]) => [`lib/${name}`, data]),
  ];
  await replace(join(dist, 'sysroot/sysroot.tar'), archiveOf(entries));
  await replace(join(dist, 'sysroot/licenses.json'), licenses(sources));
  await replace(join(dist, 'sysroot/stamp'), stamp);
}

/** Licences of the libraries by file, for the notices that the package carries (make-notices.mjs). */
function licenses(sources) {
  return JSON.stringify(Object.fromEntries(licenseFiles.map((file) => [file, sources.get(file).toString()])));
}

function installedHeaders(sources, ours) {
  const bits = ours
    .filter(([name]) => name.startsWith('include/') && !name.startsWith('include/c++'))
    .map(([name, data]) => [name.slice(8), data]);
  const headers = cHeaders(sources, bits);
  for (const [path, text] of sources) {
    const name = /^libcxx\/include\/((?!__cxx03).*)$/.exec(path)?.[1] ?? /^libcxxabi\/include\/(.*\.h)$/.exec(path)?.[1];
    if (name && !/\.(modulemap|imp|in)$/.test(name)) headers.set(`c++/v1/${name}`, text);
    const unwind = /^libunwind\/include\/((?:unwind|__libunwind)\w*\.h)$/.exec(path)?.[1];
    if (unwind) headers.set(unwind, text);
  }
  for (const [name, data] of ours) if (name.startsWith('include/c++/')) headers.set(name.replace('include/c++/', 'c++/v1/'), data);
  return headers;
}

/** One copy of all bytes for all threads. */
function shared(files) {
  const bytes = new Uint8Array(new SharedArrayBuffer([...files.values()].reduce((sum, { length }) => sum + length, 0)));
  let at = 0;
  return new Map(
    [...files].map(([name, data]) => {
      const copy = bytes.subarray(at, at + data.length);
      copy.set(data);
      at += data.length;
      return [name, copy];
    }),
  );
}

async function compiledLibraries(root, dist, files) {
  const worker = join(root, 'build', 'batch-worker.mjs');
  await build({
    entryPoints: [join(root, 'simulator/toolchain/batch-worker.ts')],
    outfile: worker,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });
  const clang = join(dist, 'clang');
  const module = await WebAssembly.compile(await readFile(join(clang, 'llvm.core.wasm')));
  const pool = new Pool(worker, { clang, module, files });
  const cache = new ObjectCache(join(root, 'node_modules/.cache/lanewise/objects'), files, await readFile(join(clang, 'stamp'), 'utf8'));
  try {
    const made = await Promise.all(libraries.map((library) => madeLibrary({ pool, cache, files }, library)));
    await cache.prune();
    return made;
  } finally {
    pool.close();
  }
}

async function madeLibrary({ pool, cache, files }, { name, parts }) {
  const paths = [...files.keys()].flatMap((path) => (path.startsWith(`${sourceRoot}/`) ? [path.slice(sourceRoot.length + 1)] : []));
  const units = parts.flatMap(({ flags, files: belongs, together, batch = 60 }) => {
    if (together) return [{ flags, sources: together, unity: unityFile(together) }];
    return chunks(paths.filter(belongs).sort(), batch).map((sources) => ({ flags, sources }));
  });
  const objects = (await Promise.all(units.map((unit) => cache.objects(unit, () => compiled(pool, unit))))).flat();
  const named = objects.map(([path, data], index) => [`/.lanewise-in/${index}-${path.slice(path.lastIndexOf('/') + 1)}`, data]);
  const output = `/.lanewise-out/${name}`;
  const made = await pool.run({ args: ['llvm-ar', 'rcsD', output, ...named.map(([path]) => path)], files: named, outputs: [output] });
  if (made.exit !== 0) throw new Error(`${name}: ${made.errorText}`);
  return [name, made.outputs[0][1]];
}

/** A file in memory that includes others; it lies beside the first, so that quoted names are found. */
function unityFile(paths) {
  const all = paths.map((path) => `#include "${sourceRoot}/${path}"\n`).join('');
  return [`${sourceRoot}/${paths[0].replace(/\.(\w+)$/, '-and-others.$1')}`, Buffer.from(all)];
}

/** `sources`: in the source folder; `unity`: path and text of a file that is compiled in their place. */
async function compiled(pool, { flags, sources, unity }) {
  const paths = unity ? [unity[0]] : sources.map((path) => `${sourceRoot}/${path}`);
  const outputs = paths.map((path) => path.replace(/\.\w+$/, '.o'));
  const args = ['clang', '-cc1', ...flags, '-emit-obj', ...paths];
  const result = await pool.run({ args, files: unity ? [unity] : [], outputs });
  if (result.exit !== 0 || result.outputs.length < outputs.length) throw new Error(result.errorText);
  return result.outputs;
}

/** Objects of earlier builds, by what they were made from: a change of one file costs little. */
class ObjectCache {
  #folder;
  #files;
  #compiler;
  #headers = new Map();
  #used = new Set();
  constructor(folder, files, compiler) {
    this.#folder = folder;
    this.#files = files;
    this.#compiler = compiler;
  }

  async objects(unit, make) {
    const name = `${this.#key(unit)}.tar`;
    this.#used.add(name);
    const file = join(this.#folder, name);
    const before = await readFile(file).catch(() => undefined);
    if (before) return [...archiveEntries(before)].map(([path, data]) => [path, new Uint8Array(data)]);
    const fresh = await make();
    await mkdir(this.#folder, { recursive: true });
    await replace(file, archiveOf(fresh.map(([path, data]) => [path.slice(sourceRoot.length + 1), Buffer.from(data)])));
    return fresh;
  }

  /** Forgets what no library is made from any more. */
  async prune() {
    for (const name of await readdir(this.#folder)) if (!this.#used.has(name)) await rm(join(this.#folder, name), { force: true });
  }

  #key({ flags, sources, unity }) {
    const language = flags[flags.indexOf('-x') + 1];
    const hash = createHash('sha256').update(JSON.stringify([this.#compiler, flags, sources, Boolean(unity), this.#headersOf(language)]));
    for (const path of sources) hash.update(this.#files.get(`${sourceRoot}/${path}`));
    return hash.digest('hex').slice(0, 32);
  }

  /** A hash over all headers that a file in this language may include. */
  #headersOf(language) {
    const known = this.#headers.get(language);
    if (known) return known;
    const hash = createHash('sha256');
    for (const [path, data] of this.#files) {
      const isHeader = !/\.(c|cpp)$/.test(path) && (language !== 'c' || !/\/c\+\+\/|\/src\/libcxx/.test(path));
      if (isHeader) hash.update(path).update('\0').update(data);
    }
    const made = hash.digest('hex');
    this.#headers.set(language, made);
    return made;
  }
}

function chunks(list, size) {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) => list.slice(index * size, (index + 1) * size));
}

/** As many threads as there are cores; each takes the next run when it is done with one. */
class Pool {
  #waiting = [];
  #workers;
  constructor(file, workerData) {
    this.#workers = Array.from({ length: availableParallelism() }, () => {
      const worker = new Worker(file, { workerData });
      worker.idle = true;
      return worker;
    });
  }
  run(task) {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ task, resolve, reject });
      this.#next();
    });
  }
  close() {
    for (const worker of this.#workers) void worker.terminate();
  }
  #next() {
    const worker = this.#workers.find(({ idle }) => idle);
    const job = worker && this.#waiting.shift();
    if (!job) return;
    worker.idle = false;
    const finish = (action) => (value) => {
      worker.off('message', onMessage);
      worker.off('error', onError);
      worker.idle = true;
      action(value);
      this.#next();
    };
    const onMessage = finish(job.resolve);
    const onError = finish(job.reject);
    worker.on('message', onMessage);
    worker.on('error', onError);
    worker.postMessage(job.task);
  }
}

/** Other processes may be reading the old file, or making the same one. */
async function replace(file, content) {
  const fresh = `${file}.${process.pid}`;
  await writeFile(fresh, content);
  await rename(fresh, file);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await make(...process.argv.slice(2));

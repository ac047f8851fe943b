/**
 * Compiled programs on the disk, so that a program that is run again unchanged waits for no compiler. An entry counts only if everything is as
 * it was: the request, the sources, this package, and every file that Clang read or looked for and did not find. What depends on
 * the time of day is not kept. Several processes may use one folder; a folder that cannot be used is no error.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asset } from '../assets.ts';
import { type CompiledProgram, type CompileFailure, type CompileRequest, compileProgram } from './compile.ts';
import { type Lookup, placeAt, textAt, wouldFindTheSame } from './lookups.ts';

/** A program has half a megabyte or so. */
const largestFolderBytes = 256 << 20;
/** What a process that was killed while it wrote has left behind. */
const leftoverMs = 3_600_000;

/** As `compileProgram`, from the folder if possible. */
export async function compileCached(request: CompileRequest, folder: string | undefined): Promise<CompiledProgram | CompileFailure> {
  const start = performance.now();
  const key = folder === undefined ? undefined : keyOf(request);
  if (folder === undefined || key === undefined) return compileProgram(request);
  const file = join(folder, `${key}.program`);
  const known = await readEntry(file);
  if (known) return { ...known, milliseconds: { device: 0, host: 0, link: 0, total: performance.now() - start } };
  const compiled = await compileProgram(request);
  if (compiled.kind === 'compiled' && !compiled.inputs.time) await writeEntry(folder, file, compiled).catch(() => undefined);
  return compiled;
}

/** Undefined if the sources cannot be read or the package has no stamp: then nothing is known of what the result depends on. */
function keyOf({ file, others = [], text, includeDirs, defines, names, debug }: CompileRequest): string | undefined {
  const stamp = textAt(asset('stamp'));
  const sources = [file, ...others].map((each) => (each === file && text !== undefined ? new TextEncoder().encode(text) : sourceAt(each)));
  if (!stamp || sources.includes(undefined)) return undefined;
  const hash = createHash('sha256').update(JSON.stringify([file, others, text !== undefined, includeDirs, defines, names, debug]));
  for (const part of [stamp, ...sources]) hash.update(`${part?.length} `).update(part!);
  return hash.digest('hex');
}

/** A pipe would be empty afterwards. */
function sourceAt(file: string): Uint8Array | undefined {
  return placeAt(file)?.kind === 'file' ? textAt(file) : undefined;
}

/** In front of the device modules (UTF-8) and the host module. */
interface EntryHead {
  readonly lookups: readonly (readonly Lookup[])[];
  readonly warnings: CompiledProgram['warnings'];
  readonly deviceBytes: readonly number[];
}

/** Of the hash (as text) that each entry begins with. */
const HASH_BYTES = 64;

async function writeEntry(folder: string, file: string, { inputs, warnings, deviceModules, hostModule }: CompiledProgram): Promise<void> {
  const device = deviceModules.map((text) => Buffer.from(text));
  const head: EntryHead = { lookups: inputs.lookups, warnings, deviceBytes: device.map(({ length }) => length) };
  const content = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...device, hostModule]);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const fresh = `${file}.${randomUUID()}`;
  try {
    await writeFile(fresh, Buffer.concat([Buffer.from(hashOf(content)), content]), { mode: 0o600 });
    await rename(fresh, file);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
  await evict(folder);
}

/** Undefined where there is none, or none that is whole and still true. */
async function readEntry(file: string): Promise<CompiledProgram | undefined> {
  const bytes = await readFile(file).catch(() => undefined);
  const content = bytes?.subarray(HASH_BYTES);
  if (!bytes || !content || hashOf(content) !== bytes.toString('latin1', 0, HASH_BYTES)) return undefined;
  const headEnd = content.indexOf('\n');
  const { lookups, warnings, deviceBytes } = JSON.parse(content.toString('utf8', 0, headEnd)) as EntryHead;
  if (!lookups.every(wouldFindTheSame)) return undefined;
  let at = headEnd + 1;
  const deviceModules = deviceBytes.map((length) => {
    at += length;
    return content.toString('utf8', at - length, at);
  });
  const now = new Date();
  await utimes(file, now, now).catch(() => undefined);
  const milliseconds = { device: 0, host: 0, link: 0, total: 0 };
  return {
    kind: 'compiled',
    deviceModules,
    hostModule: new Uint8Array(content.subarray(at)),
    warnings,
    milliseconds,
    inputs: { lookups, time: false },
  };
}

function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** The entries that were not used for longest go first. Other processes may be doing the same. */
async function evict(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /^[0-9a-f]{64}\.program/.test(name));
  const entries = await Promise.all(
    names.map(async (name) => {
      const status = await stat(join(folder, name)).catch(() => undefined);
      return { name, bytes: status?.size ?? 0, usedMs: status?.mtimeMs ?? 0 };
    }),
  );
  entries.sort((a, b) => b.usedMs - a.usedMs);
  let keptBytes = 0;
  for (const { name, bytes, usedMs } of entries) {
    const leftover = !name.endsWith('.program') && Date.now() - usedMs > leftoverMs;
    keptBytes += bytes;
    if (leftover || keptBytes > largestFolderBytes) await rm(join(folder, name), { force: true });
  }
}

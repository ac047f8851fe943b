/**
 * Compiled programs on the disk, so that a program that is run again unchanged waits for no compiler. An entry counts only if everything is as
 * it was: the request, the sources, this package, and every file that Clang read or looked for and did not find. What depends on
 * the time of day is not kept. Several processes may use one folder; a folder that cannot be used is no error.
 */
import { assets, bytes, paths, storage } from '#platform';
import { withDefaults } from '../options/limits.ts';
import { type CompiledProgram, type CompileFailure, type CompileRequest, compileProgram, readableFor } from './compile.ts';
import { type Lookup, wouldFindTheSame } from './lookups.ts';
import { ReadableFiles } from './readable-files.ts';

/** A program has half a megabyte or so. */
const largestFolderBytes = 256 << 20;
/** What a process that was killed while it wrote has left behind. */
const leftoverMs = 3_600_000;

const LINE_FEED = 10;
const encoder = new TextEncoder();
// An entry is what was written, byte for byte: a byte order mark, too.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** As `compileProgram`, from the folder if possible. */
export async function compileCached(request: CompileRequest, folder: string | undefined): Promise<CompiledProgram | CompileFailure> {
  const start = performance.now();
  const readable = new ReadableFiles(readableFor(request), request.limits?.sourceMiB, request.unsaved);
  const key = folder === undefined ? undefined : keyOf(request, readable);
  if (folder === undefined || key === undefined) return compileProgram(request);
  const file = paths.join(folder, `${key}.program`);
  const known = await readEntry(file, readable);
  if (known) return { ...known, milliseconds: { device: 0, host: 0, link: 0, total: performance.now() - start } };
  const compiled = await compileProgram(request);
  if (compiled.kind === 'compiled' && !compiled.inputs.time) await writeEntry(folder, file, compiled).catch(() => undefined);
  return compiled;
}

/** Undefined if the sources cannot be read or the package has no stamp: then nothing is known of what the result depends on. */
function keyOf(request: CompileRequest, readable: ReadableFiles): string | undefined {
  const { file, others = [], text, includeDirs, defines, standard, names, debug } = request;
  const stamp = assets.has('stamp') ? assets.load('stamp') : undefined;
  const sources = [file, ...others].map((each) =>
    each === file && text !== undefined ? new TextEncoder().encode(text) : readable.text(each),
  );
  if (!stamp || sources.includes(undefined)) return undefined;
  const { sourceMiB, bracketDepth, templateDepth } = withDefaults(request.limits);
  const limits = [sourceMiB, bracketDepth, templateDepth];
  const asked = JSON.stringify([
    file,
    others,
    text !== undefined,
    includeDirs,
    request.readable,
    defines,
    standard,
    names,
    debug,
    request.watched,
    limits,
  ]);
  return bytes.sha256(asked, ...[stamp, ...sources].flatMap((part) => [`${part?.length} `, part!]));
}

/** Precedes the device modules (UTF-8) and the host module. */
interface EntryHead {
  readonly lookups: readonly (readonly Lookup[])[];
  readonly warnings: CompiledProgram['warnings'];
  readonly deviceBytes: readonly number[];
}

/** Length of the hash, as text, at the start of each entry. */
const HASH_BYTES = 64;

async function writeEntry(folder: string, file: string, { inputs, warnings, deviceModules, hostModule }: CompiledProgram): Promise<void> {
  const device = deviceModules.map((text) => encoder.encode(text));
  const head: EntryHead = { lookups: inputs.lookups, warnings, deviceBytes: device.map(({ length }) => length) };
  const content = bytes.concat([encoder.encode(`${JSON.stringify(head)}\n`), ...device, hostModule]);
  await storage.write(file, bytes.concat([encoder.encode(bytes.sha256(content)), content]));
  await evict(folder);
}

/** Undefined where there is none, or none that is whole and still true. */
async function readEntry(file: string, readable: ReadableFiles): Promise<CompiledProgram | undefined> {
  const entry = await storage.read(file);
  const content = entry?.subarray(HASH_BYTES);
  if (!entry || !content || bytes.sha256(content) !== bytes.latin1(entry.subarray(0, HASH_BYTES))) return undefined;
  const headEnd = content.indexOf(LINE_FEED);
  const { lookups, warnings, deviceBytes } = JSON.parse(decoder.decode(content.subarray(0, headEnd))) as EntryHead;
  if (!lookups.every((each) => wouldFindTheSame(each, readable))) return undefined;
  let at = headEnd + 1;
  const deviceModules = deviceBytes.map((length) => {
    at += length;
    return decoder.decode(content.subarray(at - length, at));
  });
  await storage.touch(file);
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

/** The entries that were not used for longest go first. Other processes may be doing the same. */
async function evict(folder: string): Promise<void> {
  const entries = (await storage.list(folder)).filter(({ name }) => /^[0-9a-f]{64}\.program/.test(name));
  const byUse = [...entries].sort((a, b) => b.usedMs - a.usedMs);
  let keptBytes = 0;
  for (const { name, bytes: size, usedMs } of byUse) {
    const leftover = !name.endsWith('.program') && Date.now() - usedMs > leftoverMs;
    keptBytes += size;
    if (leftover || keptBytes > largestFolderBytes) await storage.remove(paths.join(folder, name));
  }
}

/**
 * Compiled programs on the disk, so that a program that is run again unchanged waits for no compiler, and of one of several files only those
 * are compiled again that changed. An entry counts only if everything is as it was: the request, the sources, this package, and every file
 * that Clang read or looked for and did not find. What depends on the time of day is not kept. Several processes may use one folder; a
 * folder that cannot be used is no error.
 */
import { assets, bytes, paths, storage } from '#platform';
import { withDefaults } from '../options/limits.ts';
import { runTool } from './clang-pool.ts';
import { type CompiledProgram, type CompileFailure, type CompileRequest, compileProgram, readableFor } from './compile.ts';
import { output as outputs } from './flags.ts';
import { type Lookup, wouldFindTheSame } from './lookups.ts';
import { ReadableFiles } from './readable-files.ts';
import type { ToolResult, ToolRun } from './tool-run.ts';

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
  const known = await readProgram(file, readable);
  if (known) return { ...known, milliseconds: { device: 0, host: 0, link: 0, total: performance.now() - start } };
  const isOfSeveral = (request.others ?? []).length > 0;
  const compiled = await compileProgram(isOfSeveral ? { ...request, runTool: cachingTool(folder, request.runTool) } : request);
  if (compiled.kind === 'compiled' && !compiled.inputs.time) await writeProgram(folder, file, compiled);
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
interface ProgramHead {
  readonly lookups: readonly (readonly Lookup[])[];
  readonly warnings: CompiledProgram['warnings'];
}

function writeProgram(folder: string, file: string, { inputs, warnings, deviceModules, hostModule }: CompiledProgram): Promise<void> {
  const head: ProgramHead = { lookups: inputs.lookups, warnings };
  return writeEntry(folder, file, head, [...deviceModules.map((text) => encoder.encode(text)), hostModule]);
}

async function readProgram(file: string, readable: ReadableFiles): Promise<CompiledProgram | undefined> {
  const entry = await readEntry<ProgramHead>(file);
  if (!entry?.head.lookups.every((each) => wouldFindTheSame(each, readable))) return undefined;
  await storage.touch(file);
  const { lookups, warnings } = entry.head;
  return {
    kind: 'compiled',
    deviceModules: entry.parts.slice(0, -1).map((part) => decoder.decode(part)),
    hostModule: new Uint8Array(entry.parts.at(-1)!),
    warnings,
    milliseconds: { device: 0, host: 0, link: 0, total: 0 },
    inputs: { lookups, time: false },
  };
}

/** Precedes what a run of Clang made. */
type ToolHead = Pick<ToolResult, 'errorText' | 'lookups'>;

/** `execute`, from the folder if possible, but for the linker, whose result is the program's. Failures are not kept. */
function cachingTool(folder: string, execute = runTool): typeof runTool {
  return async (run, signal) => {
    if (run.output === outputs.link) return execute(run, signal);
    const file = fileOfRun(folder, run);
    const entry = await readEntry<ToolHead>(file);
    if (entry && wouldFindTheSame(entry.head.lookups, new ReadableFiles(run.readable ?? [], run.sourceMiB, run.unsaved))) {
      await storage.touch(file);
      return { ...entry.head, exit: 0, output: new Uint8Array(entry.parts[0]), askedTime: false };
    }
    const result = await execute(run, signal);
    const { exit, output, errorText, lookups, askedTime } = result;
    const head: ToolHead = { errorText, lookups };
    if (exit === 0 && output && !askedTime) await writeEntry(folder, file, head, [output]);
    return result;
  };
}

/** What it may read is not part of it: that is asked of each path that it looked for. */
function fileOfRun(folder: string, { args, files, sourceMiB, precompiledHeader, output }: ToolRun): string {
  const asked = JSON.stringify([args, sourceMiB, precompiledHeader, output, files.map(([path, { length }]) => [path, length])]);
  return paths.join(folder, `${bytes.sha256(asked, assets.load('stamp'), ...files.map(([, content]) => content))}.program`);
}

/** Length of the hash, as text, at the start of each entry. */
const HASH_BYTES = 64;

async function writeEntry(folder: string, file: string, head: object, parts: readonly Uint8Array[]): Promise<void> {
  const line = JSON.stringify({ ...head, partBytes: parts.map(({ length }) => length) });
  const content = bytes.concat([encoder.encode(`${line}\n`), ...parts]);
  try {
    await storage.write(file, bytes.concat([encoder.encode(bytes.sha256(content)), content]));
    await evict(folder);
  } catch {
    // A folder that cannot be written is no error.
  }
}

/** Undefined where there is none, or none that is whole. */
async function readEntry<Head>(file: string): Promise<{ readonly head: Head; readonly parts: readonly Uint8Array[] } | undefined> {
  const entry = await storage.read(file);
  const content = entry?.subarray(HASH_BYTES);
  if (!entry || !content || bytes.sha256(content) !== bytes.latin1(entry.subarray(0, HASH_BYTES))) return undefined;
  const headEnd = content.indexOf(LINE_FEED);
  const { partBytes, ...head } = JSON.parse(decoder.decode(content.subarray(0, headEnd))) as Head & { partBytes: readonly number[] };
  let at = headEnd + 1;
  const parts = partBytes.map((length) => {
    at += length;
    return content.subarray(at - length, at);
  });
  return { head: head as Head, parts };
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

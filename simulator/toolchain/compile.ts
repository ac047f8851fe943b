/**
 * Compiles a CUDA C++ program with Clang: `compileProgram` gives the device's LLVM IR (text, one module for each .cu file, as nvcc does
 * it without -rdc) and the host's WebAssembly module.
 *
 *   const result = await compileProgram({ file: '/abs/a.cu', includeDirs: [], defines: [] });
 *   if (result.kind === 'compiled') use(result.deviceModules, result.hostModule, result.warnings);
 *
 * It never throws for what the user wrote: syntax errors are `compile-error`, a missing file is `refused`. The host module is a
 * program for 64-bit Linux in a 32-bit memory: it exports `memory`, `_start`, `malloc`, `free` and the function table
 * `__indirect_function_table`, and imports `linux.syscall` and, from `env`, every CUDA runtime function that it uses by its real name
 * (see ../include/README.md).
 * Clang runs in a process of its own that ends by itself when idle; it never keeps this one alive.
 */
import { paths } from '#platform';
import type { ProgramDiagnostic } from '../../protocol/report.ts';
import { howToRaise, type RunLimits, withDefaults } from '../options/limits.ts';
import type { Standard } from '../options/standards.ts';
import { runTool } from './clang-pool.ts';
import { compileHost } from './common-symbols.ts';
import { unresolvedSymbols, withStaticNames } from './device-symbols.ts';
import { type DuplicateSymbol, duplicateSymbols, mergeDiagnostics, parseDiagnostics } from './diagnostics.ts';
import {
  compileArgs,
  type Debug,
  deviceLinkArgs,
  type FlagOptions,
  gpuBinary,
  languageOf,
  linkArgs,
  output,
  remarkArgs,
  type Side,
} from './flags.ts';
import { largeData } from './large-data.ts';
import type { Lookup } from './lookups.ts';
import { lowerMemory64 } from './lower-memory64.ts';
import { importText, UnsupportedModule } from './lowering/module-bytes.ts';
import { nameMissingFeatures } from './missing-features.ts';
import { fitsPrecompiledHeader, hasPrecompiledHeader, precompiledHeaderPath } from './precompiled-headers.ts';
import { type Readable, ReadableFiles, type UnsavedTexts } from './readable-files.ts';
import { refuseSources } from './source-texts.ts';
import { librariesIn, systemFolders } from './system-libraries.ts';
import type { ToolFile, ToolResult, ToolRun } from './tool-run.ts';
import { hasCccl, searchedFolders } from './toolkit-folders.ts';
import { compileAsNvcc } from './unrolling.ts';
import { asGiven, type GivenName, toVirtualPath } from './virtual-paths.ts';
import { explained } from './withheld-files.ts';

export interface CompileRequest {
  /** Absolute path of the first source file. */
  readonly file: string;
  /** Absolute paths of further ones, compiled by themselves and linked: .cu, or .cpp and .c for the host alone. */
  readonly others?: readonly string[];
  /** Unsaved text of `file`, if it differs from the disk. */
  readonly text?: string;
  /** Unsaved texts of further files: sources and headers. */
  readonly unsaved?: UnsavedTexts;
  /** Absolute paths (-I), searched in order after the file's own folder. */
  readonly includeDirs: readonly string[];
  /** Absolute paths below which files may be included, besides the folders of the sources: `includeDirs` unless given. */
  readonly readable?: Readable;
  /** Absolute paths of folders with libraries of the system (system-libraries.ts): this system's unless given. */
  readonly systemFolders?: readonly string[];
  /** NAME or NAME=VALUE. */
  readonly defines: readonly string[];
  /** Of C++; the default unless given. */
  readonly standard?: Standard;
  /** What `__FILE__` says of files in these folders: their path otherwise. */
  readonly names?: readonly GivenName[];
  /** Default: lines. */
  readonly debug?: Debug;
  /** The host program tells of its accesses (see LoweringOptions). */
  readonly watched?: boolean;
  /** Told what is being done, for a progress line. */
  readonly progress?: (message: string) => void;
  /** Those of a run that are Clang's. */
  readonly limits?: Partial<RunLimits>;
  /** Ends the compilation; the promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Runs Clang, or knows what came of it: Clang's process unless given. */
  readonly runTool?: typeof runTool;
}

export interface CompiledProgram {
  readonly kind: 'compiled';
  /** Text of the optimised device module of each .cu file, by the number that the file's registration code carries. */
  readonly deviceModules: readonly string[];
  readonly hostModule: Uint8Array;
  readonly warnings: readonly ProgramDiagnostic[];
  readonly milliseconds: { readonly device: number; readonly host: number; readonly link: number; readonly total: number };
  readonly inputs: CompileInputs;
}

/** What the result depends on beside the request. */
export interface CompileInputs {
  /** One list for each run of Clang. */
  readonly lookups: readonly (readonly Lookup[])[];
  /** The time of day went into it (`__TIME__`). */
  readonly time: boolean;
}

export type CompileFailure =
  | { readonly kind: 'compile-error'; readonly diagnostics: readonly ProgramDiagnostic[] }
  /** No such file, not a text file, or the toolchain itself failed: one sentence that says what to do. */
  | { readonly kind: 'refused'; readonly message: string };

/** A request being served. */
interface Job extends CompileRequest {
  /** Nothing is made: what Clang says is all that is wanted. */
  readonly syntaxOnly?: boolean;
  run(run: Omit<ToolRun, 'limitSeconds'>): Promise<ToolResult>;
}

class OverLimit extends Error {}

function overLimitText(limit: NonNullable<ToolResult['overLimit']>, seconds: number): string {
  const expanding = 'templates, constant expressions, macros or includes that expand without end are the usual cause';
  if (limit === 'time')
    return `Clang did not finish in ${seconds} seconds; ${expanding}, or a function with thousands of launches; ${howToRaise('compileSeconds')}`;
  if (limit === 'nesting')
    return 'Clang ran over the end of its stack or its memory; an expression that nests thousands of times, or an array of 4 GiB and more, is the usual cause';
  if (limit === 'memory') return `Clang needs more than 2 GiB of memory; ${expanding}`;
  return 'it becomes more than 512 MiB of code and data; initialise large arrays when the program runs';
}

export interface CompiledDevice {
  readonly kind: 'compiled';
  /** Text of the optimised device module. */
  readonly deviceModule: string;
}

/** The device code of one .cu file alone, for those who do not run it. */
export async function compileDevice(request: Omit<CompileRequest, 'others'>): Promise<CompiledDevice | CompileFailure> {
  const readable = new ReadableFiles(readableFor(request), request.limits?.sourceMiB, request.unsaved);
  const refusal = refuseSources([request.file], request.text, readable);
  if (refusal) return { kind: 'refused', message: refusal };
  const job = jobOf(request, 1, () => {});
  try {
    const [{ output: compiled, diagnostics, failure }] = await compileSides(['device'], { file: request.file, deviceModule: 0 }, job);
    if (compiled) return { kind: 'compiled', deviceModule: new TextDecoder().decode(compiled) };
    if (diagnostics.some(({ severity }) => severity === 'error'))
      return { kind: 'compile-error', diagnostics: said(diagnostics, request, readable) };
    return { kind: 'refused', message: internalError(failure ?? 'no output') };
  } catch (error) {
    if (!(error instanceof OverLimit)) throw error;
    return { kind: 'refused', message: `it cannot be compiled: ${error.message}` };
  }
}

/**
 * Clang's errors and warnings about one .cu file, of its device side and its host side, as compiling it would give them. Nothing where Clang
 * fails or the text is none. Rejects with the signal's reason.
 */
export async function diagnose(request: Omit<CompileRequest, 'others'>): Promise<readonly ProgramDiagnostic[]> {
  const readable = new ReadableFiles(readableFor(request), request.limits?.sourceMiB);
  if (refuseSources([request.file], request.text, readable)) return [];
  const job: Job = { ...jobOf(request, 1, () => {}), syntaxOnly: true };
  try {
    const sides = await compileSides(['device', 'host'], { file: request.file, deviceModule: 0 }, job);
    const diagnostics = mergeDiagnostics(...sides.map((side) => side.diagnostics));
    return said(diagnostics, request, readable);
  } catch (error) {
    if (error instanceof OverLimit) return [];
    throw error;
  }
}

export type Diagnose = typeof diagnose;

/** In the words that a run uses for the same errors. */
function said(
  diagnostics: readonly ProgramDiagnostic[],
  { includeDirs }: Pick<CompileRequest, 'includeDirs'>,
  readable: ReadableFiles,
): readonly ProgramDiagnostic[] {
  return nameMissingFeatures(diagnostics.map((each) => explained(each, includeDirs, readable)));
}

export async function compileProgram(request: CompileRequest): Promise<CompiledProgram | CompileFailure> {
  // One run over its limit ends those beside it.
  const ending = new AbortController();
  const signal = request.signal ? AbortSignal.any([request.signal, ending.signal]) : ending.signal;
  try {
    return await compileUnits({ ...request, signal });
  } catch (error) {
    if (!(error instanceof OverLimit)) throw error;
    ending.abort();
    return { kind: 'refused', message: `the program cannot be compiled: ${error.message}` };
  }
}

/** A job whose runs share the time that Clang gets for so many source files. `ran` is told of each. */
function jobOf(request: CompileRequest, files: number, ran: (result: ToolResult) => void): Job {
  const seconds = withDefaults(request.limits).compileSeconds * files;
  // What the longest chain of runs has worked: those of host and device go on at once.
  let worked = 0;
  return {
    ...request,
    async run(run) {
      const before = worked;
      const limitSeconds = Math.max(0.001, seconds - before);
      const result = await (request.runTool ?? runTool)({ ...run, limitSeconds }, request.signal);
      if (result.overLimit) throw new OverLimit(overLimitText(result.overLimit, seconds));
      worked = Math.max(worked, before + (result.workedSeconds ?? 0));
      ran(result);
      return result;
    },
  };
}

async function compileUnits(request: CompileRequest): Promise<CompiledProgram | CompileFailure> {
  const start = performance.now();
  const results: ToolResult[] = [];
  const job = jobOf(request, 1 + (request.others?.length ?? 0), (result) => results.push(result));
  const files = [request.file, ...(request.others ?? [])];
  const readable = new ReadableFiles(readableFor(request), request.limits?.sourceMiB, request.unsaved);
  const refusal = refuseSources(files, request.text, readable);
  if (refusal) return { kind: 'refused', message: refusal };
  request.progress?.('compiling');
  let made = await compileFiles(unitsOf(files), job, readable);
  if (made.kind !== 'made') return made;
  let unresolved = made.units.flatMap(({ file, device }) => (device ? unresolvedSymbols(deviceText(device, job), file) : []));
  // What one file lacks, another may have: as with nvcc -rdc=true.
  if (unresolved.length > 0 && made.units.filter(({ device }) => device).length > 1) {
    made = await compileFiles(linkedUnitsOf(files), job, readable);
    if (made.kind !== 'made') return made;
    made = await linkDevice(made, job);
    if (made.kind !== 'made') return made;
    unresolved = made.units.flatMap(({ file, device }) => (device ? unresolvedSymbols(deviceText(device, job), file) : []));
  }
  const { units, diagnostics } = made;
  if (unresolved.length > 0) return { kind: 'compile-error', diagnostics: [...diagnostics, ...unresolved] };

  request.progress?.('linking');
  const linkStart = performance.now();
  const objects = units.map(({ file, host }, index) => ({ file, path: output.host.replace('.o', `${index}.o`), data: host }));
  const linking = { args: linkArgs(objects.map(({ path }) => path)), files: objects.map(({ path, data }) => [path, data] as const) };
  const tooLarge = units.map(({ host }) => largeData(host)).find((large) => large !== undefined);
  if (tooLarge !== undefined) return { kind: 'refused', message: tooLarge };
  const linked = await job.run({ ...linking, output: output.link });
  if (!linked.output) return linkFailure(linked, objects, request);
  const hostModule = lowered(linked.output, job);
  if (typeof hostModule === 'string') return { kind: 'refused', message: internalError(hostModule) };
  const milliseconds = {
    ...made.milliseconds,
    link: since(linkStart),
    total: since(start),
  };
  const inputs = { lookups: results.map(({ lookups }) => lookups), time: results.some(({ askedTime }) => askedTime) };
  const deviceModules = units.flatMap(({ device }) => (device ? [deviceText(device, job)] : []));
  return { kind: 'compiled', deviceModules, hostModule, warnings: diagnostics, milliseconds, inputs };
}

/** What a source file has become. */
interface MadeUnit {
  readonly file: string;
  /** Of a file with device code: its module, as text, or as bitcode where it is to be linked. */
  readonly device: Uint8Array | undefined;
  readonly host: Uint8Array;
}

interface MadeUnits {
  readonly kind: 'made';
  readonly units: readonly MadeUnit[];
  readonly diagnostics: readonly ProgramDiagnostic[];
  readonly milliseconds: { readonly device: number; readonly host: number };
}

async function compileFiles(files: readonly Unit[], job: Job, readable: ReadableFiles): Promise<MadeUnits | CompileFailure> {
  const units = await Promise.all(files.map(async (unit) => ({ ...unit, ...(await compileUnit(unit, job)) })));
  const diagnostics = mergeDiagnostics(...units.flatMap(({ device, host }) => [device?.diagnostics ?? [], host.diagnostics])).map((each) =>
    explained(each, job.includeDirs, readable),
  );
  if (diagnostics.some(({ severity }) => severity === 'error'))
    return { kind: 'compile-error', diagnostics: nameMissingFeatures(diagnostics) };
  const failed = units.flatMap((unit) => (unit.device ? [unit.device, unit.host] : [unit.host])).find(({ output: compiled }) => !compiled);
  if (failed) return { kind: 'refused', message: internalError(failed.failure ?? 'no output') };
  return {
    kind: 'made',
    units: units.map(({ file, device, host }) => ({ file, device: device?.output, host: host.output! })),
    diagnostics,
    milliseconds: {
      device: Math.max(...units.map(({ device }) => device?.milliseconds ?? 0)),
      host: Math.max(...units.map(({ host }) => host.milliseconds)),
    },
  };
}

/** Makes one device module, the first file's, of those of all. */
async function linkDevice(made: MadeUnits, job: Job): Promise<MadeUnits | CompileFailure> {
  const { units } = made;
  const modules = units.flatMap(({ device }, index) => (device ? [[output.device.replace('.ll', `${index}.bc`), device] as const] : []));
  const args = deviceLinkArgs(
    modules.map(([path]) => path),
    job.debug ?? 'lines',
  );
  const linked = await runDevice({ args, files: modules, output: output.device }, job);
  if (!linked.output || linked.exit !== 0) {
    const diagnostics = parseDiagnostics(linked.errorText, job.file);
    if (diagnostics.some(({ severity }) => severity === 'error')) return { kind: 'compile-error', diagnostics };
    return { kind: 'refused', message: internalError(linked.crash ?? lastLine(linked.errorText)) };
  }
  let module: Uint8Array | undefined = linked.output;
  return {
    ...made,
    units: units.map((unit) => {
      if (!unit.device) return unit;
      const device = module;
      module = undefined;
      return { ...unit, device };
    }),
  };
}

/** Optimised code that says where variables are would be taken for code to be debugged, which is left as it is. */
function deviceText(output: Uint8Array, { debug }: Job): string {
  const text = withStaticNames(new TextDecoder().decode(output));
  return debug === 'blocks' ? text.replace(/^ +#dbg_.*\n/gm, '') : text;
}

/** Of programs that allocate managed memory: the clock knows where it lies by what the host touches. */
const MANAGED = /cudaMallocManaged|cuMemAllocManaged/;

/** The module, or why there is none. */
function lowered(linked: Uint8Array, { watched }: Job): Uint8Array | string {
  try {
    return lowerMemory64(linked, { watched: watched || MANAGED.test(importText(linked)) });
  } catch (error) {
    if (error instanceof UnsupportedModule) return error.message;
    throw error;
  }
}

/** A source is read wherever links lead: the user has named it. */
export function readableFor({ file, others = [], includeDirs, readable = includeDirs, systemFolders: given }: CompileRequest): Readable {
  const sources = [file, ...others];
  if (readable === 'everything') return readable;
  return [...sources, ...sources.map((each) => paths.dirname(each)), ...readable, ...librariesIn(systemFolders(given))];
}

interface Unit {
  readonly file: string;
  /** Number of its device module; undefined for a file without device code. */
  readonly deviceModule: number | undefined;
  /** Its device code is to be linked with that of other files: its number among the files. */
  readonly linked?: number;
}

function unitsOf(files: readonly string[]): readonly Unit[] {
  let modules = 0;
  return files.map((file) => ({ file, deviceModule: languageOf(file) === 'cuda' ? modules++ : undefined }));
}

/** Of files whose device code is linked: one module holds that of all. */
function linkedUnitsOf(files: readonly string[]): readonly Unit[] {
  return files.map((file, index) =>
    languageOf(file) === 'cuda' ? { file, deviceModule: 0, linked: index } : { file, deviceModule: undefined },
  );
}

interface SideResult {
  readonly diagnostics: readonly ProgramDiagnostic[];
  readonly output?: Uint8Array;
  /** Why there is no output although the program has no error. */
  readonly failure?: string;
  readonly milliseconds: number;
}

type Attempt = Pick<FlagOptions, 'deviceLaunches'> & { readonly precompiled: boolean };

/**
 * Compiles with the precompiled headers first. They show a program names that it did not include, which may clash with its own: so an error
 * counts only if it remains without them, unless it is of a kind that no clash causes. Kernels that launch kernels show themselves by Clang's error, and need another mode of both passes.
 */
async function compileUnit(unit: Unit, job: Job): Promise<{ device?: SideResult; host: SideResult }> {
  if (unit.deviceModule === undefined) return { host: await compileSide('host', unit, job, { precompiled: false, deviceLaunches: false }) };
  const [device, host] = await compileSides(['device', 'host'], unit, job);
  return { device, host };
}

async function compileSides(sides: readonly Side[], unit: Unit, job: Job): Promise<readonly SideResult[]> {
  // The precompiled headers are made for the usual mode.
  const isLinked = unit.linked !== undefined;
  let attempt: Attempt = { precompiled: fitsPrecompiledHeader(job.defines, job.standard) && !isLinked, deviceLaunches: isLinked };
  for (;;) {
    const results = await Promise.all(sides.map((side) => compileSide(side, unit, job, attempt)));
    const launches = attempt.deviceLaunches || results.some(({ diagnostics }) => diagnostics.some(wantsDeviceLaunches));
    if (launches !== attempt.deviceLaunches) attempt = { deviceLaunches: true, precompiled: false };
    else if (attempt.precompiled && results.some(mayBeClash)) attempt = { ...attempt, precompiled: false };
    else return results;
  }
}

/** Errors that more declarations cannot cause: these stand at once, so that a forgotten semicolon is told without a second compilation. */
const plainError =
  /^(expected |use of undeclared identifier|unknown type name|.* file not found\b|no member named|unterminated|extraneous|cannot open file|source file is not|a type specifier is required|no matching function for call to|too (few|many) arguments|cannot initialize |invalid operands |assigning to (?!.*overloaded))/;

function mayBeClash({ output: compiled, diagnostics }: SideResult): boolean {
  if (compiled) return false;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return errors.length === 0 || errors.some(({ message }) => !plainError.test(message));
}

function wantsDeviceLaunches({ message }: ProgramDiagnostic): boolean {
  return message.includes('requires -fgpu-rdc') || /^reference to __host__ function 'cudaMem(cpy|set)Async'/.test(message);
}

const NOTHING = new Uint8Array();

async function compileSide(side: Side, unit: Unit, job: Job, attempt: Attempt): Promise<SideResult> {
  const { file, deviceModule, linked } = unit;
  const start = performance.now();
  const text = file === job.file ? job.text : undefined;
  const files: ToolFile[] = [];
  const precompiled = attempt.precompiled && !(side === 'device' && (job.debug === 'headers' || job.debug === 'full'));
  const header = precompiled && hasPrecompiledHeader(side);
  if (side === 'host' && deviceModule !== undefined) files.push([gpuBinary, new Uint8Array(Uint32Array.of(deviceModule).buffer)]);
  if (text !== undefined) files.push([toVirtualPath(file), new TextEncoder().encode(text)]);
  const readableFiles = new ReadableFiles(readableFor(job));
  const includeDirs = searchedFolders(job.includeDirs, readableFiles);
  const args = compileArgs(side, file, {
    includeDirs,
    systemFolders: systemFolders(job.systemFolders),
    asNvcc: !hasCccl(includeDirs, readableFiles),
    defines: job.defines,
    standard: job.standard,
    names: job.names ?? [],
    debug: job.debug ?? 'lines',
    deviceLaunches: attempt.deviceLaunches,
    unit: linked,
    nesting: withDefaults(job.limits),
    precompiledHeader: header ? precompiledHeaderPath[side] : undefined,
  });
  const reading = { readable: readableFor(job), sourceMiB: job.limits?.sourceMiB, unsaved: job.unsaved };
  const run: ToolRun = {
    args: job.syntaxOnly ? remarkArgs(args) : args,
    files,
    ...reading,
    output: output[side],
    precompiledHeader: header ? side : undefined,
  };
  const result = await runSide(side, run, unit, job);
  const made = job.syntaxOnly ? NOTHING : result.output;
  const succeeded = result.exit === 0 && made !== undefined;
  return {
    diagnostics: parseDiagnostics(result.errorText, file),
    output: succeeded ? made : undefined,
    failure: succeeded ? undefined : (result.crash ?? lastLine(result.errorText)),
    milliseconds: since(start),
  };
}

function runSide(side: Side, run: ToolRun, { linked }: Unit, job: Job): Promise<ToolResult> {
  if (job.syntaxOnly) return job.run(run);
  if (side === 'host') return compileHost(run, (each) => job.run(each));
  return linked === undefined ? runDevice(run, job) : job.run(run);
}

/** Device code for debugging is left as it is written. */
function runDevice(run: ToolRun, job: Job): Promise<ToolResult> {
  return job.debug === 'full' ? job.run(run) : compileAsNvcc(run, (each) => job.run(each));
}

interface ObjectFile {
  readonly file: string;
  /** Virtual path of the object that the file became. */
  readonly path: string;
}

/** Undefined symbols become imports, so what is left is two definitions of one name. */
function linkFailure(linked: ToolResult, objects: readonly ObjectFile[], { names = [] }: CompileRequest): CompileFailure {
  const twice = duplicateSymbols(linked.errorText).map((duplicate) => duplicateDiagnostic(duplicate, objects, names));
  const diagnostics = twice.length > 0 ? twice : parseDiagnostics(linked.errorText, objects[0].file);
  if (diagnostics.some(({ severity }) => severity === 'error')) return { kind: 'compile-error', diagnostics };
  return { kind: 'refused', message: internalError(linked.crash ?? lastLine(linked.errorText)) };
}

/** Clang's function that launches a kernel bears the kernel's name behind this. */
const KERNEL_STUB = '__device_stub__';

function duplicateDiagnostic(
  { symbol, definedIn }: DuplicateSymbol,
  objects: readonly ObjectFile[],
  names: readonly GivenName[],
): ProgramDiagnostic {
  const files = definedIn.map((path) => objects.find((object) => object.path === path)?.file ?? path);
  const what = symbol.includes(KERNEL_STUB) ? `the kernel ${symbol.replace(KERNEL_STUB, '')}` : symbol;
  const where = files.map((file) => asGiven(file, names)).join(' and in ');
  const message = `${what} is defined in ${where}: make it static, or define it in only one of them`;
  return { severity: 'error', file: files.at(-1) ?? objects[0].file, line: 1, column: 1, message };
}

function internalError(reason: string): string {
  return `the compiler failed (${reason}); please report this with the program that caused it`;
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}

function since(start: number): number {
  return performance.now() - start;
}

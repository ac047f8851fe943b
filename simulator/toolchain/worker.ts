/** A thread that runs Clang and the linker, on parts that it shares with the other threads of Clang's process. */
import { assets, code, threads } from '#platform';
import { FileTree, type PackageFiles } from './file-tree.ts';
import { withOpenedFiles } from './opened-files.ts';
import { type CompletionPoint, leaveOutHeaderNames } from './own-names.ts';
import { loadPackageFiles } from './package-files.ts';
import { type Readable, ReadableFiles, type UnsavedTexts } from './readable-files.ts';
import { pack, unpack } from './sparse-bytes.ts';
import { readSyntaxTree } from './syntax-tree.ts';
import { ProgramExit, systemInterface } from './system-interface.ts';
import { TextPieces } from './text-pieces.ts';
import type { PackedFile, PackedResult } from './tool-run.ts';
import { withWriteBuffer } from './write-buffer.ts';

/** What all threads share. */
export interface WorkerParts {
  readonly clang: WebAssembly.Module;
  /** The archive of the standard libraries, in shared memory. */
  readonly sysroot: Uint8Array;
}

export interface WorkerJob {
  readonly args: readonly string[];
  readonly files: readonly PackedFile[];
  readonly readable: Readable;
  readonly sourceMiB?: number;
  readonly unsaved?: UnsavedTexts;
  /** Virtual path of the file to hand back. */
  readonly output: string;
  readonly ownNamesAt?: CompletionPoint;
  readonly treeOf?: string;
}

interface Component {
  readonly run: { run(): void };
}
type Instantiate = (
  getModule: (name: string) => WebAssembly.Module,
  imports: object,
  instantiate: (module: WebAssembly.Module, imports: WebAssembly.Imports) => WebAssembly.Instance,
) => Component;

const { clang, sysroot } = threads.data as WorkerParts;
const smallModules = new Map<string, WebAssembly.Module>();
/** More than this is an array of data that should be made when the program runs. */
const MOST_OUTPUT_BYTES = 512 << 20;
/** Nearly all of the 2 GiB that Clang gets: who asked for more did not get it. */
const NEARLY_ALL_MEMORY = 2 ** 31 * 0.9;
/** The memory of the run that is on. */
let clangMemory: WebAssembly.Memory | undefined;
let packageFiles: PackageFiles | undefined;
let instantiate: Instantiate | undefined;

const parent = threads.parent!;
parent.listen({
  async message(job) {
    const result = await execute(job as WorkerJob);
    parent.post(result, result.output?.pieces.map(([, { buffer }]) => buffer as ArrayBuffer) ?? []);
  },
});

async function execute({ args, files, readable, sourceMiB, unsaved, output, ownNamesAt, treeOf }: WorkerJob): Promise<PackedResult> {
  const said = new TextPieces();
  let askedTime = false;
  packageFiles ??= loadPackageFiles(sysroot);
  const unpacked = files.map(([path, data]) => [path, unpack(data)] as const);
  const tree = new FileTree(packageFiles, unpacked, new ReadableFiles(readable, sourceMiB, unsaved));
  try {
    instantiate ??= ((await code.importFile(assets.path('clang', 'llvm.mjs'))) as { instantiate: Instantiate }).instantiate;
    const runtime = systemInterface(['yowasp-llvm', ...args], tree, {
      errorText: (bytes) => said.add(bytes),
      askedTime() {
        askedTime = true;
      },
    });
    const exit = runComponent(instantiate, runtime, { tree, said, ownNamesAt });
    if (treeOf) return { exit, ...learned(), errorText: '', tree: readSyntaxTree(said.text(), treeOf) };
    const data = tree.read(output);
    if (data && data.length > MOST_OUTPUT_BYTES) return { exit: 1, ...learned(), overLimit: 'output' };
    return { exit, ...learned(), output: data && pack(data) };
  } catch (error) {
    const crash = error instanceof Error ? error.message : String(error);
    if (clangMemory && clangMemory.buffer.byteLength > NEARLY_ALL_MEMORY) return { exit: 1, ...learned(), overLimit: 'memory' };
    if (isStackOverflow(error)) return { exit: 1, ...learned(), overLimit: 'nesting' };
    return { exit: 1, ...learned(), crash };
  }

  function learned(): Pick<PackedResult, 'errorText' | 'lookups' | 'askedTime'> {
    return { errorText: said.text(), lookups: tree.lookups.all(), askedTime };
  }
}

/** Of the engine's own stack, or of Clang's in its memory, which lies at the bottom: what overflows it has an address below zero. */
function isStackOverflow(error: unknown): boolean {
  if (error instanceof RangeError) return /call stack/i.test(error.message);
  return error instanceof WebAssembly.RuntimeError && /out of bounds/i.test(error.message);
}

interface RunParts {
  readonly tree: FileTree;
  readonly said: TextPieces;
  readonly ownNamesAt: CompletionPoint | undefined;
}

function runComponent(create: Instantiate, runtime: object, { tree, said, ownNamesAt }: RunParts): number {
  try {
    create(coreModule, { runtime }, (module, imports) => {
      if (module !== clang) return new WebAssembly.Instance(module, imports);
      const system = imports.wasi_snapshot_preview1 as SystemCalls;
      const memory = () => instance.exports.memory as WebAssembly.Memory;
      const opening = withOpenedFiles(system, memory, tree);
      const prepared = ownNamesAt ? withFirstOpened(opening, () => leaveOutHeaderNames(memory(), ownNamesAt)) : opening;
      const buffered = withWriteBuffer(prepared, memory, (piece) => said.add(piece));
      const instance = new WebAssembly.Instance(module, { ...imports, wasi_snapshot_preview1: buffered });
      clangMemory = instance.exports.memory as WebAssembly.Memory;
      return instance;
    }).run.run();
    return 0;
  } catch (error) {
    if (error instanceof ProgramExit) return error.code;
    throw error;
  }
}

type SystemCalls = Readonly<Record<string, (...args: never[]) => unknown>>;

/** `system` with something to do before the first file is opened: Clang has then read its command line, and nothing else. */
function withFirstOpened(system: SystemCalls, action: () => void): SystemCalls {
  let isFirst = true;
  return {
    ...system,
    path_open(...args) {
      if (isFirst) action();
      isFirst = false;
      return system.path_open(...args);
    },
  };
}

function coreModule(name: string): WebAssembly.Module {
  if (name === 'llvm.core.wasm') return clang;
  let module = smallModules.get(name);
  if (!module) {
    module = new WebAssembly.Module(assets.load('clang', name) as Uint8Array<ArrayBuffer>);
    smallModules.set(name, module);
  }
  return module;
}

/**
 * A thread that runs Clang's tools on many files at once, while the C and C++ libraries are built. It gets the compiled Clang and all
 * source files from its parent, reads nothing else, and hands back every file that a run writes.
 */
import { code, files as disk, paths, threads } from '#platform';
import { FileTree } from './file-tree.ts';
import { foldersOf } from './package-files.ts';
import { ReadableFiles } from './readable-files.ts';
import { ProgramExit, systemInterface } from './system-interface.ts';

export interface BatchRun {
  readonly args: readonly string[];
  /** Further files by virtual path. */
  readonly files?: readonly (readonly [string, Uint8Array])[];
  /** Virtual paths of the files to hand back. */
  readonly outputs: readonly string[];
}

export interface BatchResult {
  readonly exit: number;
  readonly errorText: string;
  readonly outputs: readonly (readonly [string, Uint8Array])[];
}

interface Parts {
  /** Folder of Clang's modules. */
  readonly clang: string;
  readonly module: WebAssembly.Module;
  /** By virtual path, below the package's root. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

const { clang, module, files } = threads.data as Parts;
const packageFiles = { files, folders: foldersOf(files.keys()) };
const { instantiate } = (await code.importFile(paths.join(clang, 'llvm.mjs'))) as {
  readonly instantiate: (getModule: object, imports: object, instantiate: object) => { readonly run: { run(): void } };
};
const smallModules = new Map<string, WebAssembly.Module>();

const parent = threads.parent!;
parent.listen({ message: (run) => parent.post(execute(run as BatchRun)) });

function execute({ args, files: inputs = [], outputs }: BatchRun): BatchResult {
  const tree = new FileTree(packageFiles, inputs, new ReadableFiles([]));
  const decoder = new TextDecoder();
  let errorText = '';
  let exit = 0;
  const runtime = systemInterface(['yowasp-llvm', ...args], tree, {
    errorText: (bytes) => {
      errorText += decoder.decode(bytes, { stream: true });
    },
    askedTime() {},
  });
  try {
    instantiate(
      coreModule,
      { runtime },
      (part: WebAssembly.Module, imports: WebAssembly.Imports) => new WebAssembly.Instance(part, imports),
    ).run.run();
  } catch (error) {
    exit = error instanceof ProgramExit ? error.code : 1;
    if (!(error instanceof ProgramExit)) errorText += String(error);
  }
  const written = outputs.flatMap((path) => {
    const data = tree.read(path);
    return data ? [[path, new Uint8Array(data)] as const] : [];
  });
  return { exit, errorText, outputs: written };
}

function coreModule(name: string): WebAssembly.Module {
  if (name === 'llvm.core.wasm') return module;
  let small = smallModules.get(name);
  if (!small) {
    small = new WebAssembly.Module(disk.read(paths.join(clang, name)) as Uint8Array<ArrayBuffer>);
    smallModules.set(name, small);
  }
  return small;
}

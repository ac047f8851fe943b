/**
 * A thread that runs Clang and the linker. It gets the compiled Clang module from the parent, so that only the first thread of a process
 * waits for V8, and loads the package's files once.
 */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { asset } from '../assets.ts';
import { FileTree, type PackageFiles } from './file-tree.ts';
import { loadPackageFiles } from './package-files.ts';
import { ProgramExit, systemInterface } from './system-interface.ts';

export interface ToolRun {
  readonly args: readonly string[];
  /** Files in memory by virtual path. */
  readonly files: readonly (readonly [string, Uint8Array])[];
  /** Virtual path of the file to hand back. */
  readonly output: string;
}

export interface ToolResult {
  readonly exit: number;
  readonly errorText: string;
  readonly output?: Uint8Array;
  /** The tool itself failed: an abort or a trap, not an error in the program. */
  readonly crash?: string;
}

interface Component {
  readonly run: { run(): void };
}
type Instantiate = (
  getModule: (name: string) => WebAssembly.Module,
  imports: object,
  instantiate: (module: WebAssembly.Module, imports: WebAssembly.Imports) => WebAssembly.Instance,
) => Component;

const clangModule = (workerData as { clang: WebAssembly.Module }).clang;
const smallModules = new Map<string, WebAssembly.Module>();
let packageFiles: PackageFiles | undefined;
let instantiate: Instantiate | undefined;

parentPort!.on('message', async (run: ToolRun) => {
  const result = await execute(run);
  parentPort!.postMessage(result, result.output ? [result.output.buffer as ArrayBuffer] : []);
});

async function execute({ args, files, output }: ToolRun): Promise<ToolResult> {
  const decoder = new TextDecoder();
  let errorText = '';
  try {
    instantiate ??= ((await import(pathToFileURL(asset('clang', 'llvm.mjs')).href)) as { instantiate: Instantiate }).instantiate;
    packageFiles ??= loadPackageFiles();
    const tree = new FileTree(packageFiles, files);
    const runtime = systemInterface(['yowasp-llvm', ...args], tree, (bytes) => {
      errorText += decoder.decode(bytes, { stream: true });
    });
    const exit = runComponent(instantiate, runtime);
    const data = tree.read(output);
    return { exit, errorText, output: data && new Uint8Array(data) };
  } catch (error) {
    return { exit: 1, errorText, crash: error instanceof Error ? error.message : String(error) };
  }
}

function runComponent(create: Instantiate, runtime: object): number {
  try {
    create(coreModule, { runtime }, (module, imports) => new WebAssembly.Instance(module, imports)).run.run();
    return 0;
  } catch (error) {
    if (error instanceof ProgramExit) return error.code;
    throw error;
  }
}

function coreModule(name: string): WebAssembly.Module {
  if (name === 'llvm.core.wasm') return clangModule;
  let module = smallModules.get(name);
  if (!module) {
    module = new WebAssembly.Module(readFileSync(asset('clang', name)));
    smallModules.set(name, module);
  }
  return module;
}

import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import type { Code } from '../platform.ts';

export const code: Code = {
  framesOnStack,
  stackText,
  framesOf,
  rememberCallers(limit) {
    Error.stackTraceLimit = limit;
  },
  importFile: (path) => import(pathToFileURL(path).href),
  optimisedModule(bytes) {
    setFlagsFromString('--no-liftoff');
    setFlagsFromString('--no-wasm-lazy-compilation');
    try {
      return new WebAssembly.Module(bytes);
    } finally {
      setFlagsFromString('--liftoff');
    }
  },
  hintedModule(bytes) {
    for (const flag of ['--wasm-lazy-compilation', '--experimental-wasm-compilation-hints']) setFlagsFromString(flag);
    try {
      return new WebAssembly.Module(bytes as BufferSource);
    } catch {
      // Another V8 may read the section otherwise.
      setFlagsFromString('--no-experimental-wasm-compilation-hints');
      return new WebAssembly.Module(bytes as BufferSource);
    }
  },
  allowRelaxedSimd() {
    // Until V8 11.4, which has it by itself.
    setFlagsFromString('--experimental-wasm-relaxed-simd');
  },
  compileFast() {
    // A V8 that does not know one of them goes on without it.
    for (const flag of ['--liftoff-only', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering', '--wasm-lazy-validation'])
      setFlagsFromString(flag);
  },
};

/** V8 counts a WebAssembly frame's position in bytes of the module. */
function framesOnStack(limit: number): number[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = limit;
  Error.prepareStackTrace = (_error, sites) => sites;
  const holder: { readonly stack?: readonly NodeJS.CallSite[] } = {};
  Error.captureStackTrace(holder, framesOnStack);
  const sites = holder.stack ?? [];
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  return sites.filter((site) => site.getFileName()?.startsWith('wasm:')).map((site) => site.getPosition());
}

/** `at main (wasm://wasm/program.wasm-0e1f:wasm-function[12]:0x1a2b)`. */
const FRAME = /wasm-function\[\d+\]:0x([0-9a-f]+)/g;

function framesOf(error: unknown): number[] {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return [...stack.matchAll(FRAME)].map(([, offset]) => Number.parseInt(offset, 16));
}

function stackText(limit: number): string {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = limit;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  return stack;
}

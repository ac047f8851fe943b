/** Makes V8 compile a module with its optimising compiler from the start: kernels are short, and would be over before it does so by itself. */
import { setFlagsFromString } from 'node:v8';

export function optimisedModule(bytes: Uint8Array<ArrayBuffer>): WebAssembly.Module {
  setFlagsFromString('--no-liftoff');
  setFlagsFromString('--no-wasm-lazy-compilation');
  try {
    return new WebAssembly.Module(bytes);
  } finally {
    setFlagsFromString('--liftoff');
  }
}

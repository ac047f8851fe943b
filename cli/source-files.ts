/** Which files of a folder are CUDA: by their ending, and C++ files and headers by what they contain. */
import { closeSync, openSync, readSync } from 'node:fs';

const CUDA = /\.(cu|cuh)$/i;
const CPP = /\.(h|hh|hpp|hxx|cpp|cc|cxx)$/i;

/** Kernels, launches (as formatters space them, too), CUDA's headers and calls of its runtime. */
const CUDA_TEXT =
  /\b__(global|device|shared|constant)__\b|<<\s?<|#\s*include\s*[<"](cuda|cooperative_groups|cub\/|device_launch)|\bcuda[A-Z]\w*\s*\(/;

/** CUDA shows early: what comes later in a file of several megabytes is generated data. */
const BYTES_LOOKED_AT = 1 << 20;

export function isCudaSource(path: string): boolean {
  return CUDA.test(path) || (CPP.test(path) && CUDA_TEXT.test(beginningOf(path)));
}

/** One for all files. */
let buffer: Buffer | undefined;

/** Empty where it cannot be read. */
function beginningOf(path: string): string {
  buffer ??= Buffer.allocUnsafe(BYTES_LOOKED_AT);
  try {
    const file = openSync(path, 'r');
    try {
      return buffer.toString('latin1', 0, readSync(file, buffer, 0, BYTES_LOOKED_AT, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}

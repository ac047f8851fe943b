/** Predicts the kernels of one file from the text of its compiled device code. */
import type { CompiledKernel, KernelShape } from '../protocol/compiled.ts';
import { parseIr } from './ir/parse.ts';
import { UnsupportedIr } from './ir/types.ts';
import { DeviceMemory } from './machine/device-memory.ts';
import { loadModule, ModuleTooLarge } from './machine/load-module.ts';
import { predictKernels } from './prediction/kernels.ts';
import { fromVirtualPath, isPackageFile } from './toolchain/virtual-paths.ts';

export interface PredictionJob {
  readonly deviceModule: string;
  /** That is asked about: the source, or a header of it. */
  readonly file: string;
  readonly shapes: readonly KernelShape[];
}

export type ModulePrediction =
  | { readonly kind: 'predicted'; readonly kernels: readonly CompiledKernel[] }
  /** One sentence. */
  | { readonly kind: 'refused'; readonly message: string };

const TOO_LONG = 'a way through its kernels is too long to predict their numbers';

export function predictModule({ deviceModule, file, shapes }: PredictionJob): ModulePrediction {
  try {
    const module = loadModule(parseIr(deviceModule), new DeviceMemory());
    const isOwn = (path: string) => fromVirtualPath(path) === file;
    return { kind: 'predicted', kernels: predictKernels(module, shapes, { isHeader: isPackageFile, isOwn }) };
  } catch (error) {
    if (error instanceof UnsupportedIr || error instanceof ModuleTooLarge) return { kind: 'refused', message: error.message };
    // Each undecided turn of a loop stands in the one before it.
    if (error instanceof RangeError && /call stack/i.test(error.message)) return { kind: 'refused', message: TOO_LONG };
    throw error;
  }
}

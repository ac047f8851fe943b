/** Predicts the kernels of one file from the text of its compiled device code. */
import type { KernelShape } from '../protocol/compiled.ts';
import { parseIr } from './ir/parse.ts';
import { UnsupportedIr } from './ir/types.ts';
import { DeviceMemory } from './machine/device-memory.ts';
import { loadModule, ModuleTooLarge } from './machine/load-module.ts';
import { type KernelPredictions, predictKernels } from './prediction/kernels.ts';
import { fromVirtualPath, isPackageFile } from './toolchain/virtual-paths.ts';

export interface PredictionJob {
  readonly deviceModule: string;
  /** That is asked about: the source, or a header of it. */
  readonly file: string;
  readonly shapes: readonly KernelShape[];
}

export type ModulePrediction =
  | ({ readonly kind: 'predicted' } & KernelPredictions)
  /** One sentence. */
  | { readonly kind: 'refused'; readonly message: string };

export function predictModule({ deviceModule, file, shapes }: PredictionJob): ModulePrediction {
  try {
    const module = loadModule(parseIr(deviceModule), new DeviceMemory());
    const isOwn = (path: string) => fromVirtualPath(path) === file;
    return { kind: 'predicted', ...predictKernels(module, shapes, { isHeader: isPackageFile, isOwn }) };
  } catch (error) {
    if (error instanceof UnsupportedIr || error instanceof ModuleTooLarge) return { kind: 'refused', message: error.message };
    throw error;
  }
}

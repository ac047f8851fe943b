/** What functions of the libraries answer that compute with the program's memory. */
import type { CudaContext } from '../cuda-context.ts';
import { BadOperand } from './numbers.ts';

/** A library's name and its own numbers for these. */
export interface Answering {
  readonly library: string;
  readonly invalidValue: number;
  readonly executionFailed: number;
}

/** Nothing is computed on a device that has failed, nor with operands that cannot be. The report names the library. */
export function answered<T>(
  { isDead, libraries }: Pick<CudaContext, 'isDead' | 'libraries'>,
  { library, invalidValue, executionFailed }: Answering,
  compute: () => T,
): T | number {
  if (isDead) return executionFailed;
  libraries.add(library);
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof BadOperand)) throw error;
    return error.reason === 'size' ? invalidValue : executionFailed;
  }
}

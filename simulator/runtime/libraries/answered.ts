/** What functions of the libraries answer that compute with the program's memory. */
import type { CudaContext } from '../cuda-context.ts';
import { BadOperand } from './numbers.ts';

/** The library's own numbers for these. */
export interface FailureStatus {
  readonly invalidValue: number;
  readonly executionFailed: number;
}

/** Nothing is computed on a device that has failed, nor with operands that cannot be. The report names the library. */
export function answered<T>(
  { isDead, libraries }: Pick<CudaContext, 'isDead' | 'libraries'>,
  library: string,
  status: FailureStatus,
  compute: () => T,
): T | number {
  if (isDead) return status.executionFailed;
  libraries.add(library);
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof BadOperand)) throw error;
    return error.reason === 'size' ? status.invalidValue : status.executionFailed;
  }
}

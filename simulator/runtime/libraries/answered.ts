/** What functions of the libraries answer that compute with the program's memory. */
import type { CudaContext } from '../cuda-context.ts';
import { BadOperand } from './numbers.ts';

/** The library's own numbers for these. */
export interface FailureStatus {
  readonly invalidValue: number;
  readonly executionFailed: number;
}

/** Nothing is computed on a device that has failed, nor with operands that cannot be. */
export function answered<T>({ isDead }: Pick<CudaContext, 'isDead'>, status: FailureStatus, compute: () => T): T | number {
  if (isDead) return status.executionFailed;
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof BadOperand)) throw error;
    return error.reason === 'size' ? status.invalidValue : status.executionFailed;
  }
}

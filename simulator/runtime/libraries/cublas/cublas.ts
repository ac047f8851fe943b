/**
 * cuBLAS levels 1 to 3 and what is used most of its extensions, computed on the host: column-major, 1-based where BLAS is. Sums are made in
 * double precision and rounded once, so results are nearer to the exact ones than a GPU's and need not have its last bits.
 */

import type { CudaContext, Functions } from '../../cuda-context.ts';
import { BadOperand } from '../numbers.ts';
import { Blas, type Call, type Handle, STATUS, TYPES } from './blas.ts';
import { factorCalls } from './factors.ts';
import { matrixCalls } from './matrices.ts';
import { matrixVectorCalls } from './matrix-vectors.ts';
import { generalCalls } from './products.ts';
import { mixedVectorCalls, vectorCalls } from './vectors.ts';

/** Handles and their settings. */
function handleCalls(blas: Blas): Functions {
  const { host } = blas.context;
  const setting = (name: keyof Handle, bytes: 4 | 8): Functions => {
    const label = name[0].toUpperCase() + name.slice(1);
    return {
      [`cublasSet${label}`]: (id, value) => {
        const handle = blas.handles.get(id);
        if (!handle) return STATUS.notInitialized;
        handle[name] = value;
        return STATUS.success;
      },
      [`cublasGet${label}`]: (id, out) => {
        const handle = blas.handles.get(id);
        if (!handle) return STATUS.notInitialized;
        if (bytes === 8) host.setU64(out, handle[name]);
        else host.setU32(out, handle[name]);
        return STATUS.success;
      },
    };
  };
  return {
    cublasCreate: (out) => {
      blas.context.libraries.add('cuBLAS');
      host.setU64(out, blas.create());
      return STATUS.success;
    },
    cublasDestroy: (id) => (blas.handles.delete(id) ? STATUS.success : STATUS.notInitialized),
    cublasGetVersion: (_, out) => {
      host.setU32(out, 130101);
      return STATUS.success;
    },
    cublasSetWorkspace: (id) => (blas.handles.has(id) ? STATUS.success : STATUS.notInitialized),
    ...setting('pointerMode', 4),
    ...setting('mathMode', 4),
    ...setting('atomicsMode', 4),
    ...setting('stream', 8),
  };
}

export function cublasFunctions(context: CudaContext): Functions {
  const blas = new Blas(context);
  const letters = Object.keys(TYPES) as (keyof typeof TYPES)[];
  const calls = Object.assign(
    {},
    generalCalls(blas),
    mixedVectorCalls(blas),
    ...letters.flatMap((letter) => [
      vectorCalls(blas, letter),
      matrixVectorCalls(blas, letter),
      matrixCalls(blas, letter),
      factorCalls(blas, letter),
    ]),
  ) as Readonly<Record<string, Call>>;
  const guarded = Object.entries(calls).map(([name, call]): [string, Functions[string]] => [
    name,
    (id, ...args) => {
      if (!blas.handles.has(id)) return STATUS.notInitialized;
      if (context.isDead) return STATUS.executionFailed;
      try {
        return call(...args);
      } catch (error) {
        if (!(error instanceof BadOperand)) throw error;
        return error.reason === 'size' ? STATUS.invalidValue : STATUS.executionFailed;
      }
    },
  ]);
  return { ...Object.fromEntries(guarded), ...handleCalls(blas) };
}

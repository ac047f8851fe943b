/**
 * cuBLAS levels 1 to 3 and what is used most of its extensions, computed on the host: column-major, 1-based where BLAS is. Sums are made in
 * double precision and rounded once, so results are nearer to the exact ones than a GPU's and need not have its last bits.
 */

import type { CudaContext, Functions } from '../../cuda-context.ts';
import { answered } from '../answered.ts';
import { settingCalls } from '../settings.ts';
import { Blas, type Call, STATUS, TYPES } from './blas.ts';
import { factorCalls } from './factors.ts';
import { matrixCalls } from './matrices.ts';
import { matrixVectorCalls } from './matrix-vectors.ts';
import { generalCalls } from './products.ts';
import { mixedVectorCalls, vectorCalls } from './vectors.ts';

/** Handles and their settings. */
function handleCalls(blas: Blas): Functions {
  const { host } = blas.context;
  const settings = { library: 'cublas', host, handles: blas.handles, notInitialized: STATUS.notInitialized };
  return {
    cublasCreate: (out) => {
      host.setU64(out, blas.create());
      return STATUS.success;
    },
    cublasDestroy: (id) => (blas.handles.delete(id) ? STATUS.success : STATUS.notInitialized),
    cublasGetVersion: (_, out) => {
      host.setU32(out, 130101);
      return STATUS.success;
    },
    cublasSetWorkspace: (id) => (blas.handles.has(id) ? STATUS.success : STATUS.notInitialized),
    ...settingCalls(settings, 'pointerMode', 4),
    ...settingCalls(settings, 'mathMode', 4),
    ...settingCalls(settings, 'atomicsMode', 4),
    ...settingCalls(settings, 'stream', 8),
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
      return answered(context, 'cuBLAS', STATUS, () => call(...args));
    },
  ]);
  return { ...Object.fromEntries(guarded), ...handleCalls(blas) };
}

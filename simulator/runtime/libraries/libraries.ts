/** Libraries that compute on the host what they would on a GPU: right, and in no counter. The report names those that a program uses. */

import type { CudaContext, Functions } from '../cuda-context.ts';
import { cublasFunctions } from './cublas/cublas.ts';
import { cublasLtFunctions } from './cublas/light.ts';
import { cufftFunctions } from './cufft.ts';
import { cusolverFunctions } from './cusolver.ts';
import { cusparseFunctions } from './cusparse.ts';

export function libraryFunctions(context: CudaContext): Functions {
  return {
    ...cublasFunctions(context),
    ...cublasLtFunctions(context),
    ...cufftFunctions(context),
    ...cusolverFunctions(context),
    ...cusparseFunctions(context),
    __lanewise_library: (name) => {
      context.libraries.add(context.host.text(name));
      return undefined;
    },
  };
}

export function libraryNotes({ libraries }: CudaContext): string[] {
  return [...libraries].map(
    (name) => `${name}: library, not simulated: its results are computed on the host, and no counter includes its work`,
  );
}

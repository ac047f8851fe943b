/** Compiles a file's device code and predicts its kernels in this thread. */
import { predictModule } from './predict-module.ts';
import type { PredictionRequest, PredictionResult } from './prediction-request.ts';
import { compileDevice } from './toolchain/compile.ts';

/** It is busy for a second or so after the compiler is done. */
export async function predictFile({ shapes, header, ...request }: PredictionRequest): Promise<PredictionResult> {
  const compiled = await compileDevice(request);
  return compiled.kind === 'compiled' ? predictModule({ ...compiled, file: header ?? request.file, shapes }) : compiled;
}

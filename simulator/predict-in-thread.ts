/** The predictor's façade for who has other things to do: the device code is compiled, and its kernels are followed in a thread of their own. */
import { threads } from '#platform';
import type { PredictionJob } from './predict-module.ts';
import type { PredictionRequest, PredictionResult } from './prediction-request.ts';
import { compileDevice } from './toolchain/compile.ts';

/** Rejected with the signal's reason. */
export async function predictInThread({ shapes, header, ...request }: PredictionRequest): Promise<PredictionResult> {
  const compiled = await compileDevice(request);
  if (compiled.kind !== 'compiled') return compiled;
  request.signal?.throwIfAborted();
  const { deviceModule } = compiled;
  const job: PredictionJob = { deviceModule, file: header ?? request.file, shapes };
  return inThread(job, request.signal);
}

/** A large program's device code has some megabytes. */
const HEAP_MB = 1024;
const STACK_MB = 8;

function inThread(job: PredictionJob, signal: AbortSignal | undefined): Promise<PredictionResult> {
  const thread = threads.start('prediction-worker.mjs', { data: job, stackMb: STACK_MB, heapMb: HEAP_MB });
  return new Promise((resolve, reject) => {
    const aborted = () => {
      thread.close();
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', aborted, { once: true });
    const end = (result: PredictionResult) => {
      signal?.removeEventListener('abort', aborted);
      thread.close();
      resolve(result);
    };
    thread.listen({
      message: (result) => end(result as PredictionResult),
      failed: (error) => end({ kind: 'refused', message: `the prediction failed: ${error.message}` }),
    });
  });
}

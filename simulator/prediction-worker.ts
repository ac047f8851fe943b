/** A thread that predicts the kernels of one file from its compiled device code, and ends. */
import { threads } from '#platform';
import { type PredictionJob, predictModule } from './predict-module.ts';

threads.parent!.post(predictModule(threads.data as PredictionJob));

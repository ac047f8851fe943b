/** How processes that analyse are started, and what they may take. Loads little: the first one is started before the server is loaded. */
import { processes } from '#platform';
import type { Process } from '../../simulator/platform/platform.ts';
import type { Limits } from './lane.ts';

/** Files of 10,000 lines take a tenth of a second. What takes longer than the first limit is tried again with the second. */
export const analysisLimits: { readonly usual: Limits; readonly patient: Limits } = {
  usual: { seconds: 5, heapMb: 1024 },
  patient: { seconds: 30, heapMb: 2048 },
};

export function startAnalysisProcess({ heapMb } = analysisLimits.usual): Process {
  return processes.start('analysis-process.mjs', { heapMb });
}

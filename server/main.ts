/**
 * The language server's process. The process that analyses is started first, so that it reads its grammars while this one is still
 * loading: a file's first findings wait for both.
 */
import { startAnalysisProcess } from './analysis/start.ts';

const analysisProcess = startAnalysisProcess();
// Not a static import, which would be evaluated before.
const { serve } = await import('./serve.ts');
serve(analysisProcess);

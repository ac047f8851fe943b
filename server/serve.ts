/** The language server over a transport: standard streams unless told otherwise (--node-ipc, --pipe, --socket). */
import { readFileSync } from 'node:fs';
import { assets } from '#platform';
import { traceOf } from '../project/not-analysed.ts';
import type { Process } from '../simulator/platform/platform.ts';
import { predictInThread } from '../simulator/predict-in-thread.ts';
import { keepProgramThread } from '../simulator/program-threads.ts';
import { compilerRemarks, startSimulation } from '../simulator/simulate.ts';
import { syntaxTreeOf } from '../simulator/toolchain/code-hints.ts';
import { diagnose } from '../simulator/toolchain/compile.ts';
import { completionsAt } from '../simulator/toolchain/completion.ts';
import { keepClangWarm, warmClang } from '../simulator/toolchain/warm-up.ts';
import { Gate } from './gate.ts';
import { latestOnly } from './latest-only.ts';
import { Server } from './server.ts';
import { connectionOver, transportOf } from './transport.ts';
import { collectedWhenIdle } from './young-objects.ts';

/** From one run to the next. Less than a minute: then nothing is left of a run. */
const NEXT_RUN_MS = 50_000;

/** `analysisProcess` is the first one of those that analyse. */
export function serve(analysisProcess: Process): void {
  const log = latestOnly((text) => connection.console.error(text), 200);
  const gate = new Gate(log);
  const transport = transportOf(process.argv.slice(2), () => process.exit(gate.isShutDown ? 0 : 1));
  const connection = connectionOver(transport, gate);
  transport.reader.onError((error) => log(`Not a message of the protocol: ${error.message}`));

  // What a thread of the simulator drops on its way down must not take the editor's findings with it.
  process.on('uncaughtException', (error) => log(`Uncaught: ${traceOf(error)}`));
  process.on('unhandledRejection', (error) => log(`Unhandled: ${traceOf(error)}`));

  const { version } = JSON.parse(readFileSync(assets.path('..', 'package.json'), 'utf8')) as { version: string };
  const warmUp = (next: 'first' | 'next') => (next === 'first' ? warmClang() : keepClangWarm());
  const busy = collectedWhenIdle();
  const server = new Server(connection, {
    gate,
    startSimulation: (request, events) => {
      const run = startSimulation(request, events);
      const next = () => {
        keepProgramThread(NEXT_RUN_MS);
        busy();
      };
      run.result.then(next, next);
      return run;
    },
    compilerRemarks,
    predict: predictInThread,
    diagnose,
    // Thousands of names each time.
    completionsAt: (request, place) => completionsAt(request, place).finally(busy),
    syntaxTreeOf: (request) => syntaxTreeOf(request).finally(busy),
    warmUp,
    version,
    analysisProcess,
  });
  process.on('exit', () => server.end());
  server.listen();
}

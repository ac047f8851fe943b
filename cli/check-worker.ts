/** A thread of `lanewise check`: analyses files as they are sent to it. */
import { parentPort, workerData } from 'node:worker_threads';
import { createAnalyzer } from '../analyzers/analyzer.ts';
import { CompileCommands } from '../project/compile-commands.ts';
import { HeaderTexts } from '../project/header-texts.ts';
import { type CheckJob, checkFile } from './check-file.ts';
import { grammars } from './grammars.ts';

export interface CheckWorkerData {
  /** The build's folder. */
  readonly dist: string;
  /** Absolute paths of folders from which headers are read, besides those of a job. */
  readonly headerRoots: readonly string[];
}

const { dist, headerRoots } = workerData as CheckWorkerData;
const context = {
  analyzer: await createAnalyzer(grammars(dist)),
  headers: new HeaderTexts(),
  commands: new CompileCommands(),
  headerRoots,
};

parentPort?.on('message', async (job: CheckJob) => parentPort?.postMessage(await checkFile(job, context)));

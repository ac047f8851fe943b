/** A thread of `lanewise check`: analyses files as they are sent to it. */
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { type AnalyzerSettings, createAnalyzer } from '../analyzers/analyzer.ts';
import { grammars } from './grammars.ts';

export interface CheckJob {
  readonly index: number;
  readonly path: string;
  readonly settings: AnalyzerSettings;
}

const analyzer = await createAnalyzer(grammars((workerData as { readonly dist: string }).dist));

parentPort?.on('message', ({ index, path, settings }: CheckJob) => {
  try {
    const document = analyzer.open(readFileSync(path, 'utf8'), settings);
    const findings = document.findings();
    document.dispose();
    parentPort?.postMessage({ index, findings });
  } catch (error) {
    parentPort?.postMessage({ index, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});

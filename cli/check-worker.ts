/** A thread of `lanewise check`: analyses files as they are sent to it. */
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { type AnalyzerSettings, createAnalyzer } from '../analyzers/analyzer.ts';
import type { Finding } from '../protocol/finding.ts';
import { grammars } from './grammars.ts';

export interface CheckJob {
  readonly index: number;
  readonly path: string;
  readonly settings: AnalyzerSettings;
}

export type CheckAnswer = { readonly findings: readonly Finding[] } | { readonly unreadable: string } | { readonly error: string };

const analyzer = await createAnalyzer(grammars((workerData as { readonly dist: string }).dist));

parentPort?.on('message', (job: CheckJob) => parentPort?.postMessage(answer(job)));

function answer({ path, settings }: CheckJob): CheckAnswer {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return { unreadable: (error as Error).message };
  }
  try {
    const document = analyzer.open(text, settings);
    const findings = document.findings();
    document.dispose();
    return { findings };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

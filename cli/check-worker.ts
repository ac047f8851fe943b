/** A thread of `lanewise check`: analyses files as they are sent to it. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { type AnalyzerSettings, createAnalyzer } from '../analyzers/analyzer.ts';
import { HeaderTexts } from '../project/header-texts.ts';
import type { Finding } from '../protocol/finding.ts';
import { grammars } from './grammars.ts';

export interface CheckJob {
  readonly index: number;
  readonly path: string;
  readonly settings: AnalyzerSettings;
  /** Absolute paths of folders for `#include`. */
  readonly includePaths: readonly string[];
}

export interface CheckWorkerData {
  /** The build's folder. */
  readonly dist: string;
  /** Absolute paths of folders from which headers are read, besides those for `#include`. */
  readonly headerRoots: readonly string[];
}

export type CheckAnswer = { readonly findings: readonly Finding[] } | { readonly unreadable: string } | { readonly error: string };

const { dist, headerRoots } = workerData as CheckWorkerData;
const analyzer = await createAnalyzer(grammars(dist));
const headers = new HeaderTexts();

parentPort?.on('message', (job: CheckJob) => parentPort?.postMessage(answer(job)));

function answer({ path, settings, includePaths }: CheckJob): CheckAnswer {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return { unreadable: (error as Error).message };
  }
  try {
    const document = analyzer.open(text, settings, { path: resolve(path), headers: headers.within(headerRoots, includePaths) });
    const findings = document.findings();
    document.dispose();
    return { findings };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

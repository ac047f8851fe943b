/** A thread of `lanewise check`: analyses files as they are sent to it. */
import { readFileSync, statSync } from 'node:fs';
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

/** `notAnalysed`: why there are no findings, as the end of a sentence. */
export type CheckAnswer = { readonly findings: readonly Finding[] } | { readonly notAnalysed: string };

/** A source of this size is a table of data, or no source. */
const MOST_SOURCE_BYTES = 4 << 20;

const { dist, headerRoots } = workerData as CheckWorkerData;
const analyzer = await createAnalyzer(grammars(dist));
const headers = new HeaderTexts();

parentPort?.on('message', (job: CheckJob) => parentPort?.postMessage(answer(job)));

function answer({ path, settings, includePaths }: CheckJob): CheckAnswer {
  try {
    const text = sourceText(path);
    if (typeof text !== 'string') return text;
    const document = analyzer.open(text, settings, { path: resolve(path), headers: headers.within(headerRoots, includePaths) });
    const findings = document.findings();
    document.dispose();
    return { findings };
  } catch (error) {
    return { notAnalysed: reasonOf(error) };
  }
}

function sourceText(path: string): string | CheckAnswer {
  const stats = statSync(path);
  // Reading a pipe waits for its other end, and a device may never end.
  if (!stats.isFile()) return { notAnalysed: 'it is not a regular file' };
  if (stats.size > MOST_SOURCE_BYTES)
    return { notAnalysed: `it has ${Math.round(stats.size / 2 ** 20)} MiB; the limit is ${MOST_SOURCE_BYTES >> 20} MiB` };
  const bytes = readFileSync(path);
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    return { notAnalysed: 'it is encoded in UTF-16; save it as UTF-8' };
  if (bytes.includes(0)) return { notAnalysed: 'it has NUL bytes, so it is not a source text' };
  return bytes.toString('utf8');
}

function reasonOf(error: unknown): string {
  if (error instanceof RangeError && /call stack/i.test(error.message)) return 'its code is nested too deeply';
  const { code } = error as NodeJS.ErrnoException;
  if (code) return `it cannot be read (${(error as Error).message})`;
  return `Lanewise failed, which is a bug (${error instanceof Error ? (error.stack ?? error.message) : String(error)})`;
}

/**
 * The analyzers on many files and in many broken states: `npm run soak:analyzers` takes all fixtures and pages, each cut off at 200 places
 * as a new document and edited 200 times; `npm run soak:analyzers -- DIR` takes the CUDA files and headers of a folder. Nothing may crash or
 * hang, every finding has a range inside its text, a second run says the same, and edits lead where a fresh start leads.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import type { Analyzer } from '../../analyzers/analyzer.ts';
import { cutProblems, editProblems, rangeProblems, sameAsFresh } from './mistreat.ts';
import { theAnalyzer } from './open.ts';
import { fixtures, pagesExamples, pathsIn, type SourceText } from './sources.ts';

interface Job extends SourceText {
  readonly cuts: number;
  readonly edits: number;
}

interface Outcome {
  readonly problems: readonly string[];
  readonly findings: number;
  readonly milliseconds: number;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { cuts: { type: 'string' }, edits: { type: 'string' }, seconds: { type: 'string', default: '120' } },
  });
  const [folder] = positionals;
  const texts = folder
    ? pathsIn(folder, /\.(cuh?|h|hpp)$/).map((name) => ({ name, text: readFileSync(name, 'utf8') }))
    : [...fixtures(), ...pagesExamples()];
  const cuts = Number(values.cuts ?? (folder ? 4 : 200));
  const edits = Number(values.edits ?? (folder ? 8 : 200));
  const jobs = texts.map((source): Job => ({ ...source, cuts, edits }));
  const total = { problems: 0, findings: 0, slowest: { name: '', milliseconds: 0 } };
  await inWorkers(jobs, Number(values.seconds) * 1000, ({ name }, { problems, findings, milliseconds }) => {
    for (const problem of problems) console.log(`${name}: ${problem}`);
    total.problems += problems.length;
    total.findings += findings;
    if (milliseconds > total.slowest.milliseconds) total.slowest = { name, milliseconds };
  });
  const { name, milliseconds } = total.slowest;
  console.log(
    `${jobs.length} files, each cut off at ${cuts} places and edited ${edits} times: ${total.findings} findings, ${total.problems} problems`,
  );
  console.log(`slowest: ${name}, ${(milliseconds / 1000).toFixed(1)} s`);
  process.exitCode = total.problems > 0 ? 1 : 0;
}

/** Above this size a file may take longer, in proportion. */
const USUAL_LENGTH = 100_000;

/** A thread that is silent for longer than `limit` milliseconds (for a usual file) has hung: it is ended, and another one goes on. */
async function inWorkers(jobs: readonly Job[], limit: number, done: (job: Job, outcome: Outcome) => void): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: Math.min(availableParallelism(), jobs.length) }, async () => {
      let worker = newWorker();
      while (next < jobs.length) {
        const job = jobs[next++];
        const patience = limit * Math.max(1, job.text.length / USUAL_LENGTH);
        const outcome = await answerOf(worker, job, patience);
        if (!outcome) {
          await worker.terminate();
          worker = newWorker();
        }
        done(job, outcome ?? { problems: [`no answer within ${patience / 1000} s`], findings: 0, milliseconds: patience });
      }
      await worker.terminate();
    }),
  );
}

function newWorker(): Worker {
  return new Worker(new URL(import.meta.url), { argv: [] });
}

function answerOf(worker: Worker, job: Job, limit: number): Promise<Outcome | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => settle(undefined), limit);
    const settle = (outcome: Outcome | undefined) => {
      clearTimeout(timer);
      worker.off('message', settle).off('error', reject);
      resolve(outcome);
    };
    worker.on('message', settle);
    worker.once('error', reject);
    worker.postMessage(job);
  });
}

async function work(): Promise<void> {
  const analyzer = await theAnalyzer();
  parentPort?.on('message', (job: Job) => parentPort?.postMessage(mistreated(analyzer, job)));
}

function mistreated(analyzer: Analyzer, { name, text, cuts, edits }: Job): Outcome {
  const begin = performance.now();
  const problems: string[] = [];
  let findings = 0;
  try {
    const document = analyzer.open(text);
    const found = document.findings();
    findings = found.length;
    problems.push(...rangeProblems(text, found));
    if (!sameAsFresh(analyzer, text, found)) problems.push('a second run says something else');
    document.dispose();
    problems.push(...cutProblems(analyzer, text, { cuts, fresh: cuts }));
    problems.push(...editProblems(analyzer, text, { steps: edits, seed: name.length * 7919 + text.length, every: 4 }));
  } catch (error) {
    problems.push(`crashed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
  return { problems, findings, milliseconds: performance.now() - begin };
}

if (isMainThread) await main();
else await work();

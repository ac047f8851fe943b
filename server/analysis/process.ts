/**
 * The process that analyses for the language server. It is one of its own, not a thread: an array that outgrows what V8 can hold ends the
 * whole process that it is in (`resourceLimits` of a thread see to other allocations only), and the server must outlive that.
 */
import { Worker } from 'node:worker_threads';
import { assets, code, processes } from '#platform';
import { type Analyzer, createAnalyzer } from '../../analyzers/analyzer.ts';
import { reasonOf, traceOf } from '../../project/not-analysed.ts';
import { collectedWhenIdle, keepObjectsYoung } from '../young-objects.ts';
import type { AnalysisMessage, AnalysisRequest } from './messages.ts';
import { Workspace } from './workspace.ts';

keepObjectsYoung();
// The optimising compiler would take a third of a second for the grammars, which parse no faster for it.
code.compileFast();
const busy = collectedWhenIdle();

const send = processes.serve((message) => receive(message as AnalysisRequest)) as (message: AnalysisMessage) => void;
const workspace = new Workspace(await newAnalyzer(), String(process.pid));
send({ kind: 'ready' });
setTimeout(endWithParent, 1000).unref();

/** The grammars' 8 MB are not kept. */
function newAnalyzer(): Promise<Analyzer> {
  const grammar = (name: string) => assets.load('tree-sitter', `${name}.wasm`);
  return createAnalyzer({ runtime: grammar('web-tree-sitter'), cuda: grammar('tree-sitter-cuda'), cpp: grammar('tree-sitter-cpp') });
}

function receive({ id, changes, question }: AnalysisRequest): void {
  busy();
  try {
    for (const change of changes) workspace.apply(change);
    const answer = workspace.answer(question);
    send({ kind: 'answer', id, answer, affected: workspace.takeAffected() });
  } catch (error) {
    send({ kind: 'failed', id, reason: reasonOf(error), trace: traceOf(error) });
  }
}

/** While an analysis hangs, nothing here hears that the server has gone: a thread looks. */
function endWithParent(): void {
  const watch = `
    const parent = process.ppid;
    setInterval(() => {
      try {
        process.kill(parent, 0);
        if (process.ppid === parent) return;
      } catch {}
      process.kill(process.pid, 'SIGKILL');
    }, 1000);`;
  new Worker(watch, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 } }).unref();
}

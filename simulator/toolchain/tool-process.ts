/**
 * Clang's process. V8 keeps Clang in its baseline compiler here: Clang is so large, and runs for so short, that the optimising one costs more
 * than it gives (a small program takes 6 s of processor time with it and 2 s without). V8's flags are a whole process's, and the
 * programs that are simulated need the optimising one: hence a process of its own, which also gives all memory back when it ends.
 */
import { code, processes } from '#platform';
import { runInThread } from './clang-threads.ts';
import type { ToolRequest, ToolResponse } from './tool-run.ts';

// Before the first module is compiled.
code.compileFast();

const running = new Map<number, AbortController>();

const answer = processes.serve((message) => {
  const request = message as ToolRequest;
  if (request.kind === 'cancel') running.get(request.id)?.abort();
  else void serve(request);
});

async function serve({ id, run }: ToolRequest & { kind: 'run' }): Promise<void> {
  const cancelling = new AbortController();
  running.set(id, cancelling);
  try {
    const result = await runInThread(run, cancelling.signal);
    answer({ id, result } satisfies ToolResponse);
  } catch (error) {
    // Nobody waits for what was cancelled.
    if (!cancelling.signal.aborted) throw error;
  } finally {
    running.delete(id);
  }
}

/** Lenses over main and every kernel: run, cancel while it runs, and afterwards what the simulator counted. */
import type { CodeLens } from 'vscode-languageserver/node';
import { l10n } from '../counters/spoken.ts';
import type { Outline, SourceRange } from '../protocol/finding.ts';
import type { HarnessSuffix } from '../protocol/harness.ts';
import type { KernelSummary } from '../protocol/run.ts';
import { toRange } from './convert.ts';

export interface RunState {
  /** URI of the program that is spoken of: of a header, one that includes it and has been run. */
  readonly program: string;
  /** Name of the run in lanewise.json that it is run as. */
  readonly configured?: string;
  readonly running: boolean;
  readonly summaries: readonly KernelSummary[];
  /** The text has changed since the run. */
  readonly stale: boolean;
  /** The client can run a kernel by itself. */
  readonly alone: boolean;
}

const HARNESS: HarnessSuffix = '.harness.cu';

export function codeLenses(outline: Outline, uri: string, state: RunState): CodeLens[] {
  const run = runLens(outline, uri, state);
  const lenses: CodeLens[] = outline.main ? [run(outline.main)] : [];
  if (outline.main && state.alone && uri.endsWith(HARNESS) && !state.running && !state.stale && state.summaries.length > 0) {
    const command = { title: l10n.t('Keep counters as budget'), command: 'lanewise.keepCounters', arguments: [uri] };
    lenses.push({ range: toRange(outline.main), command });
  }
  for (const { name, nameRange } of outline.kernels) {
    lenses.push(run(nameRange));
    if (state.alone && !state.running && !uri.endsWith(HARNESS))
      lenses.push({
        range: toRange(nameRange),
        command: { title: l10n.t('Run this kernel…'), command: 'lanewise.runKernel', arguments: [uri, name] },
      });
    // The last: it may be longer than the window is wide.
    const summary = state.summaries.find((candidate) => candidate.name === name.split('::').at(-1));
    const title = summary && (state.stale ? l10n.t('before your last changes: {0}', summary.text) : summary.text);
    if (title && !state.running)
      lenses.push({ range: toRange(nameRange), command: { title, command: 'lanewise.showOutput', arguments: [state.program] } });
  }
  return lenses;
}

function runLens(outline: Outline, uri: string, { program, configured, running }: RunState): (at: SourceRange) => CodeLens {
  const command = running
    ? { title: l10n.t('■ Cancel run'), command: 'lanewise.cancel', arguments: [program] }
    : {
        title: configured === undefined ? runTitle(outline, uri, program) : l10n.t('▶ Run {0} in simulator', configured),
        command: 'lanewise.run',
        arguments: [program],
      };
  return (at) => ({ range: toRange(at), command });
}

function runTitle(outline: Outline, uri: string, program: string): string {
  if (program !== uri) return l10n.t('▶ Run {0} in simulator', decodeURIComponent(program.slice(program.lastIndexOf('/') + 1)));
  // A file without main may still include one. The command finds out and explains.
  return outline.main ? l10n.t('▶ Run in simulator') : l10n.t('▶ Run in simulator (no main here)');
}

/** Answers a client's questions about open files: diagnostics, hovers, lenses, hints and actions. */
import {
  type CancellationToken,
  type ClientCapabilities,
  type CodeAction,
  type CodeActionParams,
  type Connection,
  RequestType,
} from 'vscode-languageserver/node';
import { directivesBefore } from '../project/includers.ts';
import type { Outline } from '../protocol/finding.ts';
import type { HarnessParams, HarnessText, RunnableKernel } from '../protocol/harness.ts';
import type { DeviceParams, MadeArguments, OfferedRun } from '../protocol/run.ts';
import type { Analysis } from './analysis/analysis.ts';
import { type ClientOptions, hoverOptions } from './client-options.ts';
import { codeActions, repairActions } from './code-actions.ts';
import { codeLenses } from './code-lenses.ts';
import { fromPosition } from './convert.ts';
import type { DiagnosticPublisher } from './diagnostics.ts';
import type { OpenDocument } from './documents.ts';
import { contentModified, errorOf } from './gate.ts';
import { harnessText, runnableKernels } from './harness.ts';
import { toHover } from './hover.ts';
import { inlayHints } from './inlay-hints.ts';
import type { Language } from './language/language.ts';
import { raceAt } from './race-hover.ts';
import { rulePage } from './rule-pages.ts';
import type { Runs } from './runs.ts';
import type { Settings } from './settings.ts';
import type { ProjectText } from './suppressions.ts';
import { openText } from './texts.ts';
import { pathOf } from './uris.ts';

export interface QuestionParts {
  readonly documents: ReadonlyMap<string, OpenDocument>;
  readonly analysis: Analysis;
  readonly runs: Runs;
  readonly diagnostics: DiagnosticPublisher;
  readonly language: Language;
  /** Runs of lanewise.json that have the file. */
  offered(uri: string): Promise<OfferedRun[]>;
  settings(uri: string): Promise<Settings>;
  /** What `make run` gives the program of a source. */
  madeArguments(path: string): MadeArguments | undefined;
  /** The lanewise.json that counts for a file, or would. */
  projectText(uri: string): ProjectText | undefined;
  options(): ClientOptions;
  capabilities(): ClientCapabilities;
  /** After the changes that came before, with errors as the protocol has them. */
  answering<T>(action: () => Promise<T>): Promise<T>;
}

const deviceRequest = new RequestType<DeviceParams, string, void>('lanewise/device');
const cudaVersionRequest = new RequestType<DeviceParams, string, void>('lanewise/cudaVersion');
const runsRequest = new RequestType<DeviceParams, OfferedRun[], void>('lanewise/runs');
const kernelsRequest = new RequestType<DeviceParams, RunnableKernel[], void>('lanewise/kernels');
/** The program that is run where this file is meant. */
const programRequest = new RequestType<DeviceParams, string, void>('lanewise/program');
const madeArgumentsRequest = new RequestType<DeviceParams, MadeArguments | null, void>('lanewise/madeArguments');
const harnessRequest = new RequestType<HarnessParams, HarnessText, void>('lanewise/harness');

export function answerQuestions(connection: Connection, parts: QuestionParts): void {
  const { documents, analysis, runs, diagnostics, language, offered, settings, options, capabilities, answering } = parts;
  /** Clients that draw counters themselves get them twice only where the user wants that. */
  const wantsHints = async (uri: string) => !options().ownCommands || (await settings(uri)).inlayHints;
  const asking = (token: CancellationToken): Waiting => ({ urgent: true, isCancelled: () => token.isCancellationRequested });
  const lensesOf = (outline: Outline, uri: string, [configured]: Awaited<ReturnType<typeof offered>>) => {
    const { program, running, stale, counted } = runs.state(configured?.program ?? uri);
    const alone = options().ownCommands === true && pathOf(uri) !== undefined;
    return codeLenses(outline, uri, { program, configured: configured?.name, running, stale, summaries: counted?.summaries ?? [], alone });
  };
  connection.languages.diagnostics.on(({ textDocument: { uri }, previousResultId }, token) =>
    answering(() => diagnostics.pull(uri, previousResultId, asking(token))),
  );
  connection.onHover(({ textDocument, position }, token) =>
    answering(async () => {
      const hover = await analysis.hover(textDocument.uri, fromPosition(position), asking(token));
      const race = raceAt(runs.diagnostics().byFile.get(textDocument.uri) ?? [], position);
      const shown = race && hover ? { ...hover, ...race, markdown: `${race.markdown}\n\n${hover.markdown}` } : (race ?? hover);
      return shown ? toHover(shown, { ...hoverOptions(options()), pageOf: rulePage }) : language.hover(textDocument.uri, position);
    }),
  );
  connection.onCodeLens(({ textDocument: { uri } }, token) =>
    answering(async () => {
      const outline = await analysis.outline(uri, asking(token));
      return lensesOf(outline, uri, await offered(uri));
    }),
  );
  connection.onRequest(deviceRequest, ({ uri }) => answering(async () => (await offered(uri))[0]?.device ?? (await settings(uri)).device));
  connection.onRequest(cudaVersionRequest, ({ uri }) => answering(async () => (await settings(uri)).analyzer.cudaVersion ?? ''));
  connection.onRequest(runsRequest, ({ uri }) => answering(() => offered(uri)));
  connection.onRequest(kernelsRequest, ({ uri }, token) =>
    answering(async () => {
      const path = pathOf(uri);
      return path === undefined ? [] : runnableKernels(await analysis.outline(uri, asking(token)), path);
    }),
  );
  connection.onRequest(programRequest, ({ uri }) => answering(async () => runs.state((await offered(uri))[0]?.program ?? uri).program));
  connection.onRequest(madeArgumentsRequest, ({ uri }) =>
    answering(async () => {
      const path = pathOf(uri);
      return (path === undefined ? undefined : parts.madeArguments(path)) ?? null;
    }),
  );
  connection.onRequest(harnessRequest, ({ uri, ...form }, token) =>
    answering(async (): Promise<HarnessText> => {
      const path = pathOf(uri);
      if (path === undefined) return { problem: 'Save the file first: its harness lies beside it.' };
      const before = directivesBefore(path, (each) => openText(documents.values(), each));
      return harnessText(await analysis.outline(uri, asking(token)), path, { ...form, before });
    }),
  );
  connection.languages.inlayHint.on(({ textDocument: { uri }, range }) =>
    answering(async () => {
      const document = documents.get(uri);
      if (!document) return [];
      const { annotations, stale } = runs.state(uri);
      const counters = (await wantsHints(uri)) ? inlayHints(annotations, document.getText().split('\n'), { range, stale }) : [];
      return [...counters, ...(await language.hints(uri, range))];
    }),
  );
  /** Clients without lenses run programs from the menu of actions. */
  const runActions = async ({ textDocument: { uri }, context: { only } }: CodeActionParams, token: CancellationToken) => {
    if (options().ownCommands || capabilities().textDocument?.codeLens || only?.every((kind) => kind !== 'source')) return [];
    const lenses = lensesOf(await analysis.outline(uri, asking(token)), uri, await offered(uri));
    const [run] = lenses.flatMap(({ command }) => (command?.command === 'lanewise.run' ? [{ ...command, command: 'lanewise.start' }] : []));
    return run ? [{ title: run.title, kind: 'source.lanewise', command: run }] : [];
  };
  connection.onCodeAction((params, token) =>
    answering(async () => [...(await actionsAt(parts, params, asking(token))), ...(await runActions(params, token))]),
  );
}

type Waiting = Parameters<Analysis['findings']>[2];

/** Repairs of what a run found, and actions of findings. */
async function actionsAt(
  { documents, analysis, runs, language, options, capabilities, projectText }: QuestionParts,
  { textDocument: { uri }, range, context: { only } }: CodeActionParams,
  waiting: Waiting,
): Promise<CodeAction[]> {
  const found = await analysis.findings(uri, undefined, waiting);
  const document = documents.get(uri);
  if (!found?.findings || !document) return [];
  // Edits for a text that is another one by now would destroy it.
  if (found.version !== document.version) throw errorOf(contentModified);
  const { snippetEditSupport, resourceOperations } = capabilities().workspace?.workspaceEdit ?? {};
  const project = projectText(uri);
  const state = runs.state(uri);
  const rerun = options().ownCommands === true && state.counted !== undefined;
  const actions = codeActions(found.findings, document.getText(), {
    uri,
    range,
    only,
    snippets: snippetEditSupport === true,
    project: project?.text !== undefined || resourceOperations?.includes('create') ? project : undefined,
    rerun,
    saves: options().ownCommands === true,
  });
  const wantsFixes = !only || only.some((kind) => kind === 'quickfix' || kind === '');
  if (!wantsFixes) return actions;
  const ran = state.stale ? [] : repairActions(runs.diagnostics().byFile.get(uri) ?? [], { uri, range, rerun });
  const typed = repairActions(language.diagnostics().byFile.get(uri) ?? [], { uri, range, rerun: false });
  const told = new Set(typed.map(({ title }) => title));
  return [...typed, ...ran.filter(({ title }) => !told.has(title)), ...actions];
}

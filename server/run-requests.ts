/** What is asked for when somebody runs a file: its text as it is in the editor, under its settings. */
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { storage } from '#platform';
import type { Outline } from '../protocol/finding.ts';
import type { RunOutcome, RunParams } from '../protocol/run.ts';
import type { SimulationRequest } from '../simulator/simulate.ts';
import type { OpenDocument } from './documents.ts';
import { type Fetch, fileInput, linesInput } from './program-input.ts';
import type { Runs } from './runs.ts';
import type { Settings } from './settings.ts';
import { unsavedTexts } from './texts.ts';
import { pathOf } from './uris.ts';

export interface RunRequestsParts {
  readonly runs: Runs;
  readonly documents: ReadonlyMap<string, OpenDocument>;
  outline(uri: string): Promise<Outline>;
  settings(uri: string): Promise<Settings>;
  /** Path of the workspace folder. */
  folderOf(uri: string): string | undefined;
  /** Asks the user for a line of the program's input; undefined where the client cannot. */
  readonly askForLine?: (uri: string) => Promise<string | null>;
  /** As the client wishes. */
  cacheFolder(): string | undefined;
}

interface Starting {
  readonly uri: string;
  cancelled: boolean;
}

/** For a look at whether a file has a main. */
const OUTLINE_PATIENCE_MS = 2000;

export class RunRequests {
  private readonly parts: RunRequestsParts;
  /** Runs that are asked for and have not begun. */
  private readonly starting = new Set<Starting>();

  constructor(parts: RunRequestsParts) {
    this.parts = parts;
  }

  /** From now on the run can be cancelled. What is given back begins it, when the texts are as they were when it was asked for. */
  asked({ uri, args }: RunParams): () => Promise<RunOutcome> {
    const starting = { uri, cancelled: false };
    this.starting.add(starting);
    return () => this.runUnlessCancelled(starting, args).finally(() => this.starting.delete(starting));
  }

  cancel(uri: string): void {
    for (const run of this.starting) if (run.uri === uri) run.cancelled = true;
    this.parts.runs.cancel(uri);
  }

  cancelAll(): void {
    for (const run of this.starting) run.cancelled = true;
    this.parts.runs.cancelAll();
  }

  /** As a click would run the file now; undefined for one that is not on the disk. */
  async asClicked(uri: string): Promise<SimulationRequest | undefined> {
    const file = pathOf(uri);
    return file ? this.requestOf(uri, file, await this.parts.settings(uri)) : undefined;
  }

  private async runUnlessCancelled(starting: Starting, args: readonly string[] | undefined): Promise<RunOutcome> {
    const { uri } = starting;
    const file = pathOf(uri);
    if (!file) return { kind: 'refused', message: 'Save the file first: the simulator runs programs from disk.' };
    const settings = await this.parts.settings(uri);
    const text = this.parts.documents.get(uri)?.getText();
    const kernel = text === undefined || mayHaveMain(text) ? undefined : await this.kernelWithoutMain(uri);
    if (starting.cancelled) return { kind: 'cancelled' };
    if (kernel !== undefined) return { kind: 'refused', message: howToRunKernel(file, kernel) };
    const stdin = this.inputOf(uri, file, settings);
    if (typeof stdin === 'string') return { kind: 'refused', message: stdin };
    return this.parts.runs.run(uri, this.requestOf(uri, file, settings, args), stdin);
  }

  private inputOf(uri: string, file: string, settings: Settings): Fetch | string | undefined {
    const { folderOf, askForLine } = this.parts;
    if (settings.runStdin !== '') return fileInput(file, folderOf(uri), settings);
    return askForLine && linesInput(() => askForLine(uri));
  }

  /** The first kernel of a file that cannot be run. A file that takes long to analyse is run without looking. */
  private async kernelWithoutMain(uri: string): Promise<string | undefined> {
    const patience = delay(OUTLINE_PATIENCE_MS, undefined, { ref: false });
    const outline = await Promise.race([this.parts.outline(uri), patience]);
    return outline?.main ? undefined : outline?.kernels[0]?.name;
  }

  private requestOf(uri: string, file: string, settings: Settings, args = settings.runArguments): SimulationRequest {
    const { documents, folderOf, cacheFolder } = this.parts;
    return {
      file,
      text: documents.get(uri)?.getText(),
      unsaved: unsavedTexts(documents.values(), file),
      args,
      includeDirs: settings.includePaths,
      includable: [...settings.includable, folderOf(uri) ?? dirname(file)],
      defines: settings.defines,
      device: settings.device,
      engine: settings.engine,
      stepLimit: settings.stepLimit,
      limits: settings.limits,
      everyLaunch: settings.everyLaunch,
      sanitize: settings.sanitize ? {} : undefined,
      allow: { read: settings.allowRead, write: settings.allowWrite },
      cacheFolder: settings.cache ? (cacheFolder() ?? storage.defaultFolder()) : undefined,
    };
  }
}

/** A main that the syntax does not show may come from a macro or from an included file. */
function mayHaveMain(text: string): boolean {
  return /\bmain\b|^\s*#\s*include\s*"/m.test(text);
}

function howToRunKernel(file: string, kernel: string): string {
  const name = file.split(/[\\/]/).at(-1);
  return (
    `${name} has kernels but no main, so it cannot be run. ` +
    `To run ${kernel}, add a main that allocates memory and launches it, or run a program that does and has #include "${name}".`
  );
}

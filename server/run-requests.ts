/** What is asked for when somebody runs a file: its text as it is in the editor, under its settings. */
import { basename, dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { storage } from '#platform';
import type { RunConfiguration } from '../analyzers/run-configurations.ts';
import { l10n } from '../counters/spoken.ts';
import { hasMain, includersOf, isHarness, mayBeIncluded } from '../project/includers.ts';
import type { Outline } from '../protocol/finding.ts';
import type { OfferedRun, RunOutcome, RunParams } from '../protocol/run.ts';
import { definesOfCudaVersion } from '../simulator/options/cuda-version.ts';
import { floatRulesOf } from '../simulator/options/float-flags.ts';
import type { SimulationRequest } from '../simulator/simulate.ts';
import type { OpenDocument } from './documents.ts';
import { type Fetch, fileInput, linesInput } from './program-input.ts';
import { keyOfPath } from './run-files.ts';
import type { Runs } from './runs.ts';
import type { Settings } from './settings.ts';
import { diskText, openText, unsavedTexts } from './texts.ts';
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
  /** Another run is chosen for a file. */
  readonly chosen?: () => void;
  /** As the client wishes. */
  cacheFolder(): string | undefined;
}

interface Starting {
  readonly uri: string;
  cancelled: boolean;
}

/** Of threads: as many as the command line takes. */
const MOST_ORDERS = 1000;

const INCLUDERS_KNOWN_MS = 5000;

/** For a look at whether a file has a main. */
const OUTLINE_PATIENCE_MS = 2000;

export class RunRequests {
  private readonly parts: RunRequestsParts;
  /** Runs that are asked for and have not begun. */
  private readonly starting = new Set<Starting>();
  /** Names of the runs that the user has chosen for files that several have, by URI. */
  private readonly chosen = new Map<string, string>();
  /** Programs that include headers, for a while. */
  private readonly including = new Map<string, { readonly paths: readonly string[]; readonly until: number }>();

  constructor(parts: RunRequestsParts) {
    this.parts = parts;
  }

  /** From now on the run can be cancelled. What is given back begins it, when the texts are as they were when it was asked for. */
  asked({ uri, args, configuration, orders }: RunParams): () => Promise<RunOutcome> {
    const starting = { uri, cancelled: false };
    this.starting.add(starting);
    return () => this.runUnlessCancelled(starting, { args, configuration, orders }).finally(() => this.starting.delete(starting));
  }

  /** The runs of lanewise.json that have the file, the first to be taken unless one is named. */
  async offered(uri: string): Promise<OfferedRun[]> {
    const { runs } = await this.runsFor(uri);
    return runs.map(({ name, files, args = [], folder, defines = [], flags = [], device }) => {
      const named = files.map((file) => basename(file)).join(' ');
      return {
        name,
        description: [named, ...(args.length > 0 ? [`arguments ${args.join(' ')}`] : [])].join(', '),
        program: uriOfPath(files[0], uri),
        files,
        args,
        folder,
        defines,
        flags,
        device,
      };
    });
  }

  choose(uri: string, name: string): void {
    this.chosen.set(uri, name);
    this.parts.chosen?.();
  }

  /**
   * Those of the file; of a header, or a source without main, that no program has run with, those of the programs nearby that include it, and
   * their settings.
   */
  private async runsFor(uri: string): Promise<{ readonly settings: Settings; readonly runs: readonly RunConfiguration[] }> {
    const { settings: settingsOf, documents, runs: done } = this.parts;
    const settings = await settingsOf(uri);
    const own = this.runsOf(uri, settings);
    const path = pathOf(uri);
    if (own.length > 0 || path === undefined || done.state(uri).program !== uri) return { settings, runs: own };
    if (!mayBeIncluded(path, this.textOf(path) ?? '')) return { settings, runs: own };
    for (const includer of this.includersOf(path)) {
      const including = documentAt(documents, includer)?.uri ?? pathToFileURL(includer).href;
      const theirs = await settingsOf(including);
      const runs = this.runsOf(including, theirs);
      if (runs.length > 0) return { settings: theirs, runs };
      const text = this.textOf(includer);
      if (text !== undefined && hasMain(text)) return { settings: theirs, runs: [{ name: basename(includer), files: [includer] }] };
    }
    return { settings, runs: own };
  }

  private textOf(path: string): string | undefined {
    return openText(this.parts.documents.values(), path) ?? diskText(path);
  }

  /** Editors ask again and again. */
  private includersOf(header: string): readonly string[] {
    const known = this.including.get(header);
    if (known && known.until > performance.now()) return known.paths;
    const paths = includersOf(header, (path) => openText(this.parts.documents.values(), path)).filter((each) => !isHarness(each));
    this.including.set(header, { paths, until: performance.now() + INCLUDERS_KNOWN_MS });
    return paths;
  }

  /** The one that the user has chosen first. */
  private runsOf(uri: string, { runs }: Settings): RunConfiguration[] {
    const chosen = this.chosen.get(uri);
    return runsWith(runs, pathOf(uri)).sort((a, b) => Number(b.name === chosen) - Number(a.name === chosen));
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
    if (!file) return undefined;
    const { settings, runs } = await this.runsFor(uri);
    return this.requestOf(uri, settings, { configuration: runs[0] });
  }

  private async runUnlessCancelled(
    starting: Starting,
    { args, configuration: name, orders: wanted }: Omit<RunParams, 'uri'>,
  ): Promise<RunOutcome> {
    const file = pathOf(starting.uri);
    if (!file) return { kind: 'refused', message: l10n.t('Save the file first: the simulator runs programs from disk.') };
    const { settings, runs } = await this.runsFor(starting.uri);
    const configuration = runs.find((run) => name === undefined || run.name === name);
    if (name !== undefined && !configuration) return { kind: 'refused', message: `lanewise.json has no run "${name}" with this file.` };
    const uri = configuration ? uriOfPath(configuration.files[0], starting.uri) : starting.uri;
    const text = this.parts.documents.get(uri)?.getText();
    const isAlone = configuration === undefined && text !== undefined && !mayHaveMain(text);
    const kernel = isAlone ? await this.kernelWithoutMain(uri) : undefined;
    if (starting.cancelled) return { kind: 'cancelled' };
    if (kernel !== undefined) return { kind: 'refused', message: howToRunKernel(file, kernel), kernel };
    const stdin = this.inputOf(uri, configuration?.files[0] ?? file, { ...settings, runStdin: configuration?.stdin ?? settings.runStdin });
    if (typeof stdin === 'string') return { kind: 'refused', message: stdin };
    const request = this.requestOf(uri, settings, { args, configuration });
    const orders = wanted === undefined ? undefined : Math.max(2, Math.min(MOST_ORDERS, Math.floor(wanted)));
    // Who asks what the order decides wants to hear of races, unless somebody has forbidden it.
    const looked = orders === undefined ? request : { ...request, sanitize: request.sanitize ?? {} };
    return this.parts.runs.run(uri, looked, { stdin, orders });
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

  private requestOf(uri: string, settings: Settings, { args, configuration }: Asked): SimulationRequest {
    const { documents, folderOf, cacheFolder } = this.parts;
    const [file, ...others] = configuration?.files ?? [pathOf(uri)!];
    return {
      file,
      others,
      text: documents.get(uri)?.getText(),
      unsaved: unsavedTexts(documents.values(), file),
      args: args ?? configuration?.args ?? settings.runArguments,
      includeDirs: settings.includePaths,
      includable: [...settings.includable, folderOf(uri) ?? dirname(file)],
      defines: [...definesOfCudaVersion(settings.analyzer.cudaVersion), ...settings.defines, ...(configuration?.defines ?? [])],
      floats: floatRulesOf(configuration?.flags ?? []),
      device: configuration?.device ?? settings.devices?.[0] ?? settings.device,
      devices: configuration?.device === undefined ? settings.devices : undefined,
      engine: settings.engine,
      stepLimit: settings.stepLimit,
      limits: settings.limits,
      everyLaunch: settings.everyLaunch,
      sanitize: settings.sanitize,
      timeline: true,
      givesWay: true,
      workingDirectory: configuration?.folder,
      allow: { read: settings.allowRead, write: settings.allowWrite },
      cacheFolder: settings.cache ? (cacheFolder() ?? storage.defaultFolder()) : undefined,
    };
  }
}

/** What a run is asked with, beyond the settings. */
interface Asked {
  readonly args?: readonly string[];
  readonly configuration?: RunConfiguration;
}

/** Those of a file. */
function runsWith(runs: readonly RunConfiguration[], file: string | undefined): RunConfiguration[] {
  const key = file === undefined ? undefined : keyOfPath(file);
  return runs.filter(({ files }) => files.some((each) => keyOfPath(each) === key));
}

function documentAt(documents: ReadonlyMap<string, OpenDocument>, path: string): OpenDocument | undefined {
  return [...documents.values()].find(({ uri }) => pathOf(uri) === path);
}

/** As the client writes URIs: that of the file that it asked about, where it is the one. */
function uriOfPath(path: string, asked: string): string {
  const file = pathOf(asked);
  return file !== undefined && keyOfPath(file) === keyOfPath(path) ? asked : pathToFileURL(path).href;
}

/** A main that the syntax does not show may come from a macro or from an included file. */
function mayHaveMain(text: string): boolean {
  return /\bmain\b|^\s*#\s*include\s*"/m.test(text);
}

function howToRunKernel(file: string, kernel: string): string {
  return l10n.t(
    '{0} has kernels but no main, so it cannot be run. To run {1} by itself, use "Run this kernel…" or lanewise run --kernel; or run a program that launches it and has #include "{0}".',
    file.split(/[\\/]/).at(-1)!,
    kernel,
  );
}

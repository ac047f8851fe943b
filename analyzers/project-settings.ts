/**
 * `lanewise.json`: severity per rule, CUDA version, device, include paths and runs of a project, for the editor and the command line alike. The
 * nearest file in a source's folder or above it counts. Pure: the caller brings the reading.
 */
import type { Severity, SourceRange } from '../protocol/finding.ts';
import type { AnalyzerSettings } from './analyzer.ts';
import { RULES } from './rules/registry.ts';
import { checkedRuns, type RunConfiguration } from './run-configurations.ts';
import { lineTable, positionAt } from './syntax/source.ts';

export const PROJECT_FILE = 'lanewise.json';
export const SEVERITIES: readonly (Severity | 'off')[] = ['error', 'warning', 'information', 'hint', 'off'];

export interface ProjectSettings {
  /** Path of the lanewise.json. */
  readonly file: string;
  /** Empty where the file has a problem: half a file would say something that nobody wrote. */
  readonly settings: AnalyzerSettings;
  /** Folders for `#include`, as written: relative ones are meant from the file's folder. */
  readonly includePaths: readonly string[];
  readonly runs: readonly RunConfiguration[];
  /** GPUs of a run: their names, or how many of `device`. */
  readonly devices?: readonly string[] | number;
  readonly problem?: SettingsProblem;
}

export interface SettingsProblem {
  readonly message: string;
  readonly range: SourceRange;
}

export interface SettingsSources {
  /** The folder above, or the folder itself at the top. */
  readonly parent: (folder: string) => string;
  readonly join: (folder: string, name: string) => string;
  /** A file's text; nothing where there is no such file. Throws where there is one that cannot be read. */
  readonly read: (file: string) => string | undefined;
  /** Devices that can be named. */
  readonly devices: readonly string[];
}

/** Nothing where no lanewise.json stands in the folder or above it. */
export function nearestProjectSettings(folder: string, { parent, join, read, devices }: SettingsSources): ProjectSettings | undefined {
  for (let at = folder; ; at = parent(at)) {
    const file = join(at, PROJECT_FILE);
    const found = settingsIn(() => read(file), devices);
    if (found) return { file, ...found };
    if (parent(at) === at) return undefined;
  }
}

function settingsIn(read: () => string | undefined, devices: readonly string[]): Omit<ProjectSettings, 'file'> | undefined {
  try {
    const text = read();
    return text === undefined ? undefined : parseProjectSettings(text, devices);
  } catch (error) {
    const start = { line: 0, column: 0 };
    return { ...NOTHING, problem: { message: `cannot be read: ${(error as Error).message}`, range: { start, end: start } } };
  }
}

const NOTHING = { settings: {}, includePaths: [], runs: [] };

export function parseProjectSettings(text: string, devices: readonly string[]): Omit<ProjectSettings, 'file'> {
  try {
    return checked(parsed(text), devices);
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    return { ...NOTHING, problem: { message: error.message, range: rangeOf(error, text) } };
  }
}

/** What in the file makes no sense: `about` is the key or value, as JSON has it; `offset` a place instead. */
class Misfit extends Error {
  readonly about: unknown;
  readonly offset: number | undefined;

  constructor(message: string, { about, offset }: { about?: unknown; offset?: number } = {}) {
    super(message);
    this.about = about;
    this.offset = offset;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const { message } = error as Error;
    const offset = /at position (\d+)/.exec(message)?.[1] ?? (/end of JSON/.test(message) ? text.length : 0);
    throw new Misfit(message, { offset: Number(offset) });
  }
}

function checked(value: unknown, known: readonly string[]): Pick<ProjectSettings, 'settings' | 'includePaths' | 'devices' | 'runs'> {
  if (!isObject(value)) throw new Misfit('expected an object');
  const { $schema, rules = {}, cudaVersion, device, devices, includePaths = [], runs = {}, ...others } = value;
  for (const key of Object.keys(others))
    throw new Misfit(`unknown setting "${key}"; choose rules, cudaVersion, device, devices, includePaths or runs`, { about: key });
  if (cudaVersion !== undefined && !(typeof cudaVersion === 'string' && /^\d+\.\d+$/.test(cudaVersion)))
    throw new Misfit('cudaVersion must be a string such as "12.8"', { about: 'cudaVersion' });
  const isKnown = (id: unknown): id is string | undefined => id === undefined || (typeof id === 'string' && known.includes(id));
  const unknown: unknown = [device, ...(Array.isArray(devices) ? devices : [])].find((each) => !isKnown(each));
  if (!isKnown(device) || unknown !== undefined)
    throw new Misfit(`${JSON.stringify(unknown)} is not a device; choose ${known.join(', ')}`, { about: unknown });
  if (devices !== undefined && !isCountOrList(devices))
    throw new Misfit(`devices must be a list of 1 to ${MOST_DEVICES} devices, or their number`, { about: 'devices' });
  if (!(Array.isArray(includePaths) && includePaths.every((path) => typeof path === 'string' && path !== '')))
    throw new Misfit('includePaths must be a list of folders, such as ["include"]', { about: 'includePaths' });
  const refuse = (message: string, about: unknown): never => {
    throw new Misfit(message, { about });
  };
  const settings = { rules: checkedRules(rules), cudaVersion, device };
  return { settings, includePaths, ...(devices !== undefined && { devices }), runs: checkedRuns(runs, known, refuse) };
}

/** CUDA programs meet no more in one machine. */
const MOST_DEVICES = 16;

function isCountOrList(devices: unknown): devices is readonly string[] | number {
  const count = Array.isArray(devices) ? devices.length : devices;
  return typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= MOST_DEVICES;
}

function checkedRules(rules: unknown): AnalyzerSettings['rules'] {
  if (!isObject(rules)) throw new Misfit('rules must be an object, such as { "bank-conflict": "error" }', { about: 'rules' });
  for (const [rule, severity] of Object.entries(rules)) {
    if (!RULES.some((r) => r.id === rule)) throw new Misfit(`unknown rule "${rule}"`, { about: rule });
    if (!SEVERITIES.some((known) => known === severity))
      throw new Misfit(`${rule}: ${JSON.stringify(severity)} is not a severity; choose ${SEVERITIES.join(', ')}`, { about: rule });
  }
  return rules as Record<string, Severity | 'off'>;
}

function rangeOf({ about, offset }: Misfit, text: string): SourceRange {
  const lines = lineTable(text);
  const word = about === undefined ? '' : JSON.stringify(about);
  const start = offset ?? Math.max(0, text.indexOf(word));
  return { start: positionAt(lines, start), end: positionAt(lines, start + word.length) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

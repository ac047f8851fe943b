/** The settings of a file's folder, under their names in package.json, with defaults for clients that send none or nonsense. */

import { isAbsolute, resolve } from 'node:path';
import type { AnalyzerSettings } from '../analyzers/analyzer.ts';
import type { RunConfiguration } from '../analyzers/run-configurations.ts';
import { deviceList } from '../devices/devices.ts';
import type { EditorOptions } from '../project/compile-commands.ts';
import type { NearestSettings } from '../project/nearest-settings.ts';
import type { EngineName, Sanitize } from '../simulator/options/defaults.ts';
import { LIMIT_NAMES, type LimitName, type RunLimits } from '../simulator/options/limits.ts';
import type { WantedHints } from './language/code-hints.ts';
import { type LanguageFeatures, type SettingName, settingValue } from './setting-table.ts';

export interface Settings {
  readonly device: string;
  readonly engine: EngineName;
  /** Most warp-level instructions per launch. */
  readonly stepLimit: number;
  readonly limits: RunLimits;
  /** Execute launches that would change nothing, too. */
  readonly everyLaunch: boolean;
  readonly sanitize: Sanitize;
  /** Folders that programs may read beside their own. */
  readonly allowRead: readonly string[];
  /** Folders that programs may write beside their own. */
  readonly allowWrite: readonly string[];
  readonly runArguments: readonly string[];
  /** Of the project, with absolute paths, those whose files all lie in it. */
  readonly runs: readonly RunConfiguration[];
  /** File for the standard input; empty for none. */
  readonly runStdin: string;
  readonly includePaths: readonly string[];
  /** Those of them from which headers may be read. */
  readonly includable: readonly string[];
  readonly defines: readonly string[];
  /** All GPUs of a run; `device` alone unless lanewise.json says otherwise. */
  readonly devices?: readonly string[];
  /** Ask the compiler about files whose text rests. */
  readonly compile: boolean;
  /** Errors as you type, completion and signatures, from Clang; `auto` where no other extension has them. */
  readonly languageFeatures: LanguageFeatures;
  /** Counters of lines as hints of the protocol, where the client draws them itself. */
  readonly inlayHints: boolean;
  /** What Clang knows of calls and variables, as such hints. */
  readonly codeHints: WantedHints;
  /** Keep compiled programs. */
  readonly cache: boolean;
  readonly analyzer: AnalyzerSettings;
}

/** What is not there is as far as it costs little. */
const SANITIZE: ReadonlyMap<string, Sanitize> = new Map<string, Sanitize>([
  ['always', {}],
  ['never', 'off'],
]);

/** `folder`: what relative include paths and `${workspaceFolder}` mean. */
export function readSettings(section: unknown, folder: string | undefined): Settings {
  const value = <Name extends SettingName>(name: Name) => settingValue(section, name);
  const device = value('device');
  const includePaths = value('includePaths').map((path) => absolute(path, folder));
  return {
    device,
    engine: value('engine') as EngineName,
    stepLimit: value('stepLimit'),
    limits: Object.fromEntries(LIMIT_NAMES.map((name) => [name, value(`limits.${name}`)])) as Record<LimitName, number>,
    everyLaunch: value('run.everyLaunch'),
    sanitize: SANITIZE.get(value('run.sanitize')),
    allowRead: value('run.allowRead').filter((path) => isAbsolute(path)),
    allowWrite: value('run.allowWrite').filter((path) => isAbsolute(path)),
    runArguments: value('run.arguments'),
    runs: [],
    runStdin: value('run.stdin'),
    includePaths,
    includable: includePaths,
    defines: value('defines'),
    compile: value('compile'),
    languageFeatures: value('languageFeatures') as LanguageFeatures,
    inlayHints: value('inlayHints'),
    codeHints: { parameters: value('codeHints.parameters') as WantedHints['parameters'], types: value('codeHints.types') },
    cache: value('cache'),
    analyzer: { device, cudaVersion: value('cudaVersion'), rules: value('rules') as AnalyzerSettings['rules'] },
  };
}

/** What a project's compile_commands.json or Makefile says of a source, behind what lanewise.json and the editor's settings say. `source`: its path. */
export function withCommands(settings: Settings, options: EditorOptions | undefined, source: string): Settings {
  if (!options) return settings;
  // Somebody has written down how the file is run.
  const isConfigured = settings.runs.some(({ files }) => files.includes(source));
  return {
    ...settings,
    runs: isConfigured ? settings.runs : [...settings.runs, ...options.programs],
    includePaths: [...settings.includePaths, ...options.includePaths],
    includable: [...settings.includable, ...options.includable],
    defines: [...settings.defines, ...options.defines],
  };
}

/** What a project's lanewise.json says counts, rule by rule, and its include paths come first; the editor's settings say the rest. */
export function withProject(settings: Settings, project: NearestSettings | undefined): Settings {
  if (!project) return settings;
  const device = project.settings.device ?? settings.device;
  const cudaVersion = project.settings.cudaVersion ?? settings.analyzer.cudaVersion;
  const rules = { ...settings.analyzer.rules, ...project.settings.rules };
  const includePaths = [...project.includePaths, ...settings.includePaths];
  const includable = [...project.includable, ...settings.includable];
  const isOutside = (path: string | undefined) => path !== undefined && project.outside.includes(path);
  const inside = project.runs.filter(({ files, stdin, folder }) => ![...files, stdin, folder].some(isOutside));
  const devices = project.devices === undefined ? undefined : deviceList(project.devices, device);
  return { ...settings, runs: inside, device, devices, includePaths, includable, analyzer: { device, cudaVersion, rules } };
}

function absolute(path: string, folder = '.'): string {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the editor's own variable.
  const expanded = path.replace('${workspaceFolder}', folder);
  return isAbsolute(expanded) ? expanded : resolve(folder, expanded);
}

/** The settings of a file's folder, under their names in package.json, with defaults for clients that send none or nonsense. */
import { isAbsolute, resolve } from 'node:path';
import type { AnalyzerSettings } from '../analyzers/analyzer.ts';
import { type ProjectSettings, SEVERITIES } from '../analyzers/project-settings.ts';
import type { Severity } from '../protocol/finding.ts';
import { DEFAULT_ENGINE, ENGINES, type EngineName } from '../simulator/runtime/engines.ts';
import { DEFAULT_STEP_LIMIT } from '../simulator/simulate.ts';

export interface Settings {
  readonly device: string;
  readonly engine: EngineName;
  /** Most warp-level instructions per launch. */
  readonly stepLimit: number;
  /** Execute launches that would change nothing, too. */
  readonly everyLaunch: boolean;
  /** Folders that programs may read beside their own. */
  readonly allowRead: readonly string[];
  /** Folders that programs may write beside their own. */
  readonly allowWrite: readonly string[];
  readonly runArguments: readonly string[];
  readonly includePaths: readonly string[];
  readonly defines: readonly string[];
  /** Keep compiled programs. */
  readonly cache: boolean;
  readonly analyzer: AnalyzerSettings;
}

/** `folder`: what relative include paths and `${workspaceFolder}` mean. */
export function readSettings(section: unknown, folder: string | undefined): Settings {
  const value = isObject(section) ? section : {};
  const device = typeof value.device === 'string' && value.device !== '' ? value.device : 'h200';
  const run = isObject(value.run) ? value.run : {};
  return {
    device,
    engine: isEngine(value.engine) ? value.engine : DEFAULT_ENGINE,
    stepLimit: typeof value.stepLimit === 'number' && value.stepLimit > 0 ? value.stepLimit : DEFAULT_STEP_LIMIT,
    everyLaunch: run.everyLaunch === true,
    allowRead: strings(run.allowRead).filter((path) => isAbsolute(path)),
    allowWrite: strings(run.allowWrite).filter((path) => isAbsolute(path)),
    runArguments: strings(run.arguments),
    includePaths: strings(value.includePaths).map((path) => absolute(path, folder)),
    defines: strings(value.defines),
    cache: value.cache !== false,
    analyzer: {
      device,
      cudaVersion: typeof value.cudaVersion === 'string' ? value.cudaVersion : undefined,
      rules: isObject(value.rules) ? ruleSeverities(value.rules) : {},
    },
  };
}

/** What a project's lanewise.json says counts, rule by rule, and its include paths come first; the editor's settings say the rest. */
export function withProject(settings: Settings, project: ProjectSettings | undefined): Settings {
  if (!project) return settings;
  const device = project.settings.device ?? settings.device;
  const cudaVersion = project.settings.cudaVersion ?? settings.analyzer.cudaVersion;
  const rules = { ...settings.analyzer.rules, ...project.settings.rules };
  const includePaths = [...project.includePaths, ...settings.includePaths];
  return { ...settings, device, includePaths, analyzer: { device, cudaVersion, rules } };
}

function ruleSeverities(rules: Record<string, unknown>): Record<string, Severity | 'off'> {
  return Object.fromEntries(Object.entries(rules).filter(([, severity]) => SEVERITIES.some((known) => known === severity))) as Record<
    string,
    Severity | 'off'
  >;
}

function absolute(path: string, folder = '.'): string {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the editor's own variable.
  const expanded = path.replace('${workspaceFolder}', folder);
  return isAbsolute(expanded) ? expanded : resolve(folder, expanded);
}

function isEngine(value: unknown): value is EngineName {
  return typeof value === 'string' && Object.hasOwn(ENGINES, value);
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

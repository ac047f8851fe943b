/** `lanewise.json`: severity per rule, CUDA version and device of a project, found in a file's folder or above it. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AnalyzerSettings } from '../analyzers/analyzer.ts';
import { RULES } from '../analyzers/rules/registry.ts';
import type { Severity } from '../protocol/finding.ts';
import { UsageError } from './command.ts';

const SEVERITIES: readonly string[] = ['error', 'warning', 'information', 'hint', 'off'];
const KEYS = ['$schema', 'rules', 'cudaVersion', 'device'];

/** Settings for files in `folder`; empty where no lanewise.json stands in it or above. */
export function projectSettings(folder: string): AnalyzerSettings {
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, 'lanewise.json');
    if (existsSync(file)) return parseSettings(readFileSync(file, 'utf8'), file);
    if (dirname(at) === at) return {};
  }
}

export function parseSettings(text: string, file: string): AnalyzerSettings {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file}: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new UsageError(`${file}: expected an object`);
  for (const key of Object.keys(value))
    if (!KEYS.includes(key)) throw new UsageError(`${file}: unknown setting "${key}"; known are ${KEYS.slice(1).join(', ')}`);
  const { rules = {}, cudaVersion, device } = value as { rules?: Record<string, string>; cudaVersion?: unknown; device?: unknown };
  if (cudaVersion !== undefined && typeof cudaVersion !== 'string') throw new UsageError(`${file}: cudaVersion is a text such as "12.8"`);
  if (device !== undefined && typeof device !== 'string') throw new UsageError(`${file}: device is a text such as "h200"`);
  for (const [rule, severity] of Object.entries(rules)) {
    if (!RULES.some((r) => r.id === rule)) throw new UsageError(`${file}: there is no rule "${rule}"`);
    if (!SEVERITIES.includes(severity)) throw new UsageError(`${file}: "${severity}" is no severity; known are ${SEVERITIES.join(', ')}`);
  }
  return { rules: rules as Record<string, Severity | 'off'>, cudaVersion, device };
}

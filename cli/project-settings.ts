/** The settings of the project that a file belongs to. A lanewise.json that makes no sense is wrong usage. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AnalyzerSettings } from '../analyzers/analyzer.ts';
import { nearestProjectSettings } from '../analyzers/project-settings.ts';
import { deviceIds } from '../devices/devices.ts';
import { UsageError } from './command.ts';

/** For files in `folder`, an absolute path. */
export function projectSettings(folder: string): AnalyzerSettings {
  const found = nearestProjectSettings(folder, { parent: dirname, join, read, devices: deviceIds() });
  if (found?.problem) {
    const { message, range } = found.problem;
    throw new UsageError(`${found.file}:${range.start.line + 1}:${range.start.column + 1}: ${message}`);
  }
  return found?.settings ?? {};
}

function read(file: string): string | undefined {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, 'utf8') : undefined;
}

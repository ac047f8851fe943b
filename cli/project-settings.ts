/** The settings of the project that a file belongs to. A lanewise.json that makes no sense is wrong usage. */
import { type NearestSettings, nearestSettings } from '../project/nearest-settings.ts';
import { UsageError } from './command.ts';

/** For files in `folder`, an absolute path. */
export function projectSettings(folder: string): Pick<NearestSettings, 'settings' | 'includePaths' | 'includable' | 'devices'> {
  const found = nearestSettings(folder);
  if (found?.problem) {
    const { message, range } = found.problem;
    throw new UsageError(`${found.file}:${range.start.line + 1}:${range.start.column + 1}: ${message}`);
  }
  return found ?? { settings: {}, includePaths: [], includable: [] };
}

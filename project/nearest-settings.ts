/** The lanewise.json that counts for the files of a folder, from the disk. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { nearestProjectSettings, type ProjectSettings } from '../analyzers/project-settings.ts';
import { deviceIds } from '../devices/devices.ts';

/** For files in `folder`, an absolute path. Include paths are absolute, too. */
export function nearestSettings(folder: string): ProjectSettings | undefined {
  const found = nearestProjectSettings(folder, { parent: dirname, join, read, devices: deviceIds() });
  return found && { ...found, includePaths: found.includePaths.map((path) => resolve(dirname(found.file), path)) };
}

/** A file that is there and cannot be read throws: its author means it to count. */
function read(file: string): string | undefined {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, 'utf8') : undefined;
}

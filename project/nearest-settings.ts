/** The lanewise.json that counts for the files of a folder, from the disk. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nearestProjectSettings, type ProjectSettings } from '../analyzers/project-settings.ts';
import { deviceIds } from '../devices/devices.ts';

/** For files in `folder`, an absolute path. */
export function nearestSettings(folder: string): ProjectSettings | undefined {
  return nearestProjectSettings(folder, { parent: dirname, join, read, devices: deviceIds() });
}

/** A file that is there and cannot be read throws: its author means it to count. */
function read(file: string): string | undefined {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, 'utf8') : undefined;
}

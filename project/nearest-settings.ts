/** The lanewise.json that counts for the files of a folder, from the disk. */
import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { nearestProjectSettings, type ProjectSettings } from '../analyzers/project-settings.ts';
import { deviceIds } from '../devices/devices.ts';
import { leadsInside, realPath, regularText } from './regular-files.ts';

export interface NearestSettings extends ProjectSettings {
  /**
   * Those of the include paths that lie in the project, links followed: from these, headers may be read. A lanewise.json comes with the
   * sources, so it can name folders elsewhere, but only its user can open them.
   */
  readonly includable: readonly string[];
  /** Files and folders that `runs` names and that lie elsewhere, links followed: these are not run, read or written. */
  readonly outside: readonly string[];
}

/** For files in `folder`, an absolute path. Include paths and files of runs are absolute, too. */
export function nearestSettings(folder: string): NearestSettings | undefined {
  const found = nearestProjectSettings(folder, { parent: dirname, join, read, devices: deviceIds() });
  if (!found) return undefined;
  const project = dirname(found.file);
  const includePaths = found.includePaths.map((path) => resolve(project, path));
  const runs = found.runs.map((run) => ({
    ...run,
    files: run.files.map((path) => resolve(project, path)),
    stdin: run.stdin === undefined ? undefined : resolve(project, run.stdin),
    folder: run.folder === undefined ? undefined : resolve(project, run.folder),
  }));
  const outside = runs
    .flatMap(({ files, stdin = project, folder = project }) => [...files, stdin, folder])
    .filter((path) => realPath(path) && !leadsInside(project, path));
  return { ...found, includePaths, runs, outside, includable: includePaths.filter((path) => leadsInside(project, path)) };
}

/** Settings are short. */
const MOST_BYTES = 1 << 20;

/** A file that is there and cannot be read throws: its author means it to count. */
function read(file: string): string | undefined {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  const text = regularText(file, MOST_BYTES);
  if (text === undefined) throw new Error(`it is larger than ${MOST_BYTES >> 20} MiB`);
  return text;
}

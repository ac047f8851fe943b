/** Reading of files that others have made: at once, whatever they are, and only from folders that may be read. */
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';

/** The text of a file; nothing for what is no regular file (a pipe would wait for its other end), or a larger one. Fails as the system does. */
export function regularText(path: string, mostBytes: number): string | undefined {
  const handle = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile() || stats.size > mostBytes) return undefined;
    const bytes = Buffer.alloc(stats.size);
    let end = 0;
    for (let count = -1; end < bytes.length && count !== 0; end += count) count = readSync(handle, bytes, end, bytes.length - end, end);
    return bytes.toString('utf8', 0, end);
  } finally {
    closeSync(handle);
  }
}

/** Where a path leads, through all links; nothing where that is nowhere. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** Both without links. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Through all links; false for what leads nowhere. */
export function leadsInside(folder: string, path: string): boolean {
  const [real, realFolder] = [realPath(path), realPath(folder)];
  return real !== undefined && realFolder !== undefined && isInside(realFolder, real);
}

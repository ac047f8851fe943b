/** Headers beside the files that are checked, from the disk, each read once. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { type HeaderFiles, type HeaderText, mayBeHeader } from '../analyzers/syntax/headers.ts';

export class HeadersOnDisk implements HeaderFiles {
  private readonly known = new Map<string, HeaderText | undefined>();
  private readonly roots: readonly string[];

  /** `roots`: absolute paths of the folders from which headers are read, with all that is in them. */
  constructor(roots: readonly string[]) {
    this.roots = roots;
  }

  find(name: string, from: string): HeaderText | undefined {
    const path = resolve(dirname(from), name);
    if (!this.known.has(path)) {
      const text = this.roots.some((root) => isInside(root, path)) ? read(path) : undefined;
      this.known.set(path, text === undefined ? undefined : { path, text });
    }
    return this.known.get(path);
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** What cannot be read, for whatever reason, is not there: the file's own findings do not depend on it. */
function read(path: string): string | undefined {
  try {
    return mayBeHeader(statSync(path)) ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

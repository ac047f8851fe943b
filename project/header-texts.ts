/**
 * Headers beside source files, from the disk: each read once, and again when something says that it changed. Where editors have files open,
 * their text counts instead.
 */
import { readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { type HeaderFiles, type HeaderText, mayBeHeader } from '../analyzers/syntax/headers.ts';

export interface HeaderChanges {
  /** Paths of headers that read differently now, or are gone. */
  readonly changed: readonly string[];
  /** One can be read that could not before. */
  readonly appeared: boolean;
}

export class HeaderTexts {
  /** By path, what was found when somebody asked. */
  private readonly known = new Map<string, HeaderText | undefined>();
  private readonly opened: (path: string) => string | undefined;

  /** `opened`: the text of a file that an editor has open. */
  constructor(opened: (path: string) => string | undefined = () => undefined) {
    this.opened = opened;
  }

  /**
   * Headers that lie in one of the folders `roots` (absolute paths), or below. A name is looked for beside the including file first, then in
   * `includePaths`.
   */
  within(roots: readonly string[], includePaths: readonly string[] = []): HeaderFiles {
    return {
      find: (name, from) => {
        for (const start of [dirname(from), ...includePaths]) {
          const path = resolve(start, name);
          const found = roots.some((root) => isInside(root, path)) ? this.at(path) : undefined;
          if (found) return found;
        }
        return undefined;
      },
    };
  }

  /** Looks again at those of these files that somebody asked for; at all that somebody asked for if none are named. */
  reread(paths: readonly string[] = [...this.known.keys()]): HeaderChanges {
    const changed: string[] = [];
    let appeared = false;
    for (const path of paths) {
      if (!this.known.has(path)) continue;
      const before = this.known.get(path);
      this.known.delete(path);
      if (this.at(path)?.text === before?.text) this.known.set(path, before);
      else if (before) changed.push(path);
      else appeared = true;
    }
    return { changed, appeared };
  }

  private at(path: string): HeaderText | undefined {
    if (!this.known.has(path)) {
      const text = this.opened(path) ?? read(path);
      this.known.set(path, text === undefined ? undefined : { path, text });
    }
    return this.known.get(path);
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** What cannot be read, for whatever reason, is not there: a file's own findings do not depend on it. */
function read(path: string): string | undefined {
  try {
    return mayBeHeader(statSync(path)) ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

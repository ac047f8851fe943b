/**
 * Headers beside source files and in include paths, from the disk: each read once, and again when something says that it changed. Where editors have files open,
 * their text counts instead.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
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
  private readonly toolkits = new Map<string, boolean>();
  private readonly opened: (path: string) => string | undefined;

  /** `opened`: the text of a file that an editor has open. */
  constructor(opened: (path: string) => string | undefined = () => undefined) {
    this.opened = opened;
  }

  /**
   * Headers that lie in one of the folders `roots` or `includePaths` (absolute paths), or below. `"name"` is looked for beside the including
   * file first, then in `includePaths`, `<name>` only there; what CUDA brings is not followed, wherever it lies.
   */
  within(roots: readonly string[], includePaths: readonly string[] = []): HeaderFiles {
    const readable = [...roots, ...includePaths];
    return {
      find: ({ name, form }, from) => {
        const followed = includePaths.filter((folder) => !this.isToolkit(folder));
        for (const start of form === 'quoted' ? [dirname(from), ...followed] : followed) {
          const path = resolve(start, name);
          const found = readable.some((root) => isInside(root, path)) ? this.at(path) : undefined;
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

  /** A folder of CUDA's own headers: what they define is known to the analyzers. */
  private isToolkit(folder: string): boolean {
    let known = this.toolkits.get(folder);
    if (known === undefined) {
      known = existsSync(join(folder, 'cuda_runtime.h'));
      this.toolkits.set(folder, known);
    }
    return known;
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

/**
 * Headers beside source files and in include paths, from the disk: each read once, and again when something says that it changed. Where editors have files open,
 * their text counts instead.
 */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type HeaderFiles, type HeaderText, MOST_HEADER_BYTES } from '../analyzers/syntax/headers.ts';
import { isInside, realPath, regularText } from './regular-files.ts';

export interface HeaderChanges {
  /** Paths of headers that read differently now, or are gone. */
  readonly changed: readonly string[];
  /** One can be read that could not before. */
  readonly appeared: boolean;
}

interface KnownHeader extends HeaderText {
  /** Where its links lead. */
  readonly real: string;
}

export class HeaderTexts {
  /** By path, what was found when somebody asked. */
  private readonly known = new Map<string, KnownHeader | undefined>();
  private readonly toolkits = new Map<string, boolean>();
  private readonly opened: (path: string) => string | undefined;

  /** `opened`: the text of a file that an editor has open. */
  constructor(opened: (path: string) => string | undefined = () => undefined) {
    this.opened = opened;
  }

  /**
   * Headers that lie in one of the folders `roots` (absolute paths), or below, also where links lead. `"name"` is looked for beside the
   * including file first, then in `includePaths`, `<name>` only there; what CUDA brings is not followed, wherever it lies.
   */
  within(roots: readonly string[], includePaths: readonly string[] = []): HeaderFiles {
    const readable = roots.flatMap((root) => realPath(root) ?? []);
    return {
      find: ({ name, form }, from) => {
        const followed = includePaths.filter((folder) => !this.isToolkit(folder));
        for (const start of form === 'quoted' ? [dirname(from), ...followed] : followed) {
          const found = this.at(resolve(start, name));
          if (found && readable.some((root) => isInside(root, found.real))) return found;
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

  private at(path: string): KnownHeader | undefined {
    if (!this.known.has(path)) this.known.set(path, this.look(path));
    return this.known.get(path);
  }

  private look(path: string): KnownHeader | undefined {
    const opened = this.opened(path);
    // An editor may have a file open that was never saved.
    const real = realPath(path) ?? (opened === undefined ? undefined : path);
    const text = opened ?? (real === undefined ? undefined : read(real));
    return text === undefined || real === undefined ? undefined : { path, text, real };
  }
}

/** What cannot be read, for whatever reason, is not there: a file's own findings do not depend on it. */
function read(path: string): string | undefined {
  try {
    return regularText(path, MOST_HEADER_BYTES);
  } catch {
    return undefined;
  }
}

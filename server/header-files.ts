/**
 * Headers beside the open files: an open header's text is what its editor shows, the others are read from the disk once, and again when
 * something says that they changed.
 */
import { readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { type HeaderFiles, type HeaderText, mayBeHeader } from '../analyzers/syntax/headers.ts';

/** Files that an #include may name. */
export const headerFileGlob = '**/*.{cuh,h,hh,hpp,hxx,h++,inl,inc,cu,cpp}';

export interface HeaderFolders {
  readonly folder: string;
  /** As the compiler has them: names are looked for here, too. */
  readonly includePaths: readonly string[];
}

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
  constructor(opened: (path: string) => string | undefined) {
    this.opened = opened;
  }

  /** For one file: what lies in its workspace folder, or in one of the folders for #include, beside the including file first. */
  beside(file: string, { folder, includePaths }: HeaderFolders): HeaderFiles {
    const roots = [dirname(file), folder, ...includePaths];
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

/** What cannot be read, for whatever reason, is not there. */
function read(path: string): string | undefined {
  try {
    return mayBeHeader(statSync(path)) ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Which files of the user's disk a compiler may read: sources, and what lies below the folders that are named. Links are followed before the
 * question is asked, and what is no regular file is never opened for long: a pipe would wait for its other end, a device may never end.
 */
import { files, paths } from '#platform';
import { RUN_LIMITS } from '../options/limits.ts';

/** Absolute paths of folders and of single files; `everything` that the user may read. */
export type Readable = readonly string[] | 'everything';

/** Texts that count instead of those on the disk, as an editor has them: by absolute path. */
export type UnsavedTexts = Readonly<Record<string, string>>;

export type PlaceKind = 'folder' | 'file' | 'large file';

export interface Place {
  readonly kind: PlaceKind;
  /** Alike for two paths that lead to the same file. */
  readonly identity: string;
}

/** Why a compiler does not see what is there: it is outside the folders, or neither file nor folder. */
export type Withheld = 'outside' | 'special';

export class ReadableFiles {
  readonly #roots: readonly string[] | 'everything';
  /** By where the paths lead; those that lead nowhere by themselves. */
  readonly #unsaved: ReadonlyMap<string, Uint8Array>;
  /** Those above texts that have no file: folders for whoever looks for the texts, whatever is there on the disk. */
  readonly #unsavedFolders: ReadonlySet<string>;
  /** Larger source files are refused: nobody includes them on purpose. */
  readonly largestMiB: number;

  constructor(readable: Readable, largestMiB: number = RUN_LIMITS.sourceMiB.default, unsaved: UnsavedTexts = {}) {
    this.largestMiB = largestMiB;
    const encoder = new TextEncoder();
    this.#unsaved = new Map(Object.entries(unsaved).map(([path, text]) => [files.realPath(path) ?? path, encoder.encode(text)] as const));
    const withoutFile = Object.keys(unsaved).filter((path) => files.realPath(path) === undefined);
    this.#unsavedFolders = new Set(withoutFile.flatMap(foldersAbove));
    this.#roots = readable === 'everything' ? readable : readable.flatMap((root) => files.realPath(root) ?? []);
  }

  /** Undefined where there is nothing that a compiler may read, also for a path that the system refuses to look at. */
  at(path: string): Place | undefined {
    const found = this.#look(path);
    return typeof found === 'string' ? undefined : found?.place;
  }

  /** Undefined for a file that may not be read. */
  text(path: string): Uint8Array | undefined {
    const found = this.#look(path);
    if (found === undefined || typeof found === 'string' || found.place.kind !== 'file') return undefined;
    const unsaved = this.#unsaved.get(found.real);
    if (unsaved) return unsaved;
    try {
      return files.inPlace(found.real, (path) => regularFile(path, this.largestMiB * 2 ** 20));
    } catch {
      return undefined;
    }
  }

  /** Undefined where nothing is kept back. */
  withheld(path: string): Withheld | undefined {
    const found = this.#look(path);
    return typeof found === 'string' ? found : undefined;
  }

  #look(path: string): { readonly real: string; readonly place: Place } | Withheld | undefined {
    const onDisk = files.realPath(path);
    const named = paths.resolve(path);
    const unsaved = (kind: 'file' | 'folder') => ({ real: named, place: { kind, identity: `unsaved ${named}` } });
    if (onDisk === undefined && this.#unsaved.has(named)) return unsaved('file');
    const isReadable = onDisk !== undefined && (this.#roots === 'everything' || this.#roots.some((root) => isInside(root, onDisk)));
    if (!isReadable && this.#unsavedFolders.has(named)) return unsaved('folder');
    if (onDisk === undefined) return undefined;
    if (!isReadable) return 'outside';
    const real = onDisk;
    try {
      const status = files.status(real, { followLinks: false });
      if (!status) return undefined;
      if (status.kind !== 'folder' && status.kind !== 'file') return 'special';
      const kind = status.kind === 'file' && status.sizeBytes > this.largestMiB * 2 ** 20 ? 'large file' : status.kind;
      // Clang takes two files with one inode for the same file.
      return { real, place: { kind, identity: `inode ${status.device} ${status.inode}` } };
    } catch {
      return undefined;
    }
  }
}

/** Looked at again behind the handle: what is there may have changed since. */
function regularFile(path: string, mostBytes: number): Uint8Array | undefined {
  const handle = files.open(path, { read: true, write: false, create: false, exclusive: false, permissions: 0 });
  try {
    const { kind, sizeBytes } = files.statusOf(handle);
    if (kind !== 'file' || sizeBytes > mostBytes) return undefined;
    const text = new Uint8Array(sizeBytes);
    let end = 0;
    for (let count = -1; end < sizeBytes && count !== 0; end += count) count = files.readAt(handle, text.subarray(end), end);
    return text.subarray(0, end);
  } finally {
    files.close(handle);
  }
}

function foldersAbove(path: string): readonly string[] {
  const folder = paths.dirname(path);
  return folder === path ? [] : [folder, ...foldersAbove(folder)];
}

/** Whether a path is a folder or in it. Both absolute, with links resolved. */
export function isInside(folder: string, path: string): boolean {
  const way = paths.relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${paths.separator}`) && !paths.isAbsolute(way));
}

/** Where a program may read and write: below the folders that its user allows. Links are followed before the question is asked. */
import { files, paths } from '#platform';
import { isInside } from '../../toolchain/readable-files.ts';
import { fromVirtualPath, toVirtualPath } from '../../toolchain/virtual-paths.ts';
import { attempt, ERRNO, LinuxError } from './errors.ts';

export type Access = 'read' | 'write';

/** Absolute paths of folders, or of single files. */
export interface Permissions {
  readonly read: readonly string[];
  /** May be read, too. Below them, names that begin with a dot and node_modules stay read-only: tools run what lies there. */
  readonly write: readonly string[];
  /** Everything that the user may. */
  readonly all: boolean;
  /** What the program sees as /tmp; made when it is needed, and removed by whoever named it. */
  readonly temporary: string;
}

/** What a program tried and was not allowed to. */
export interface Refusal {
  readonly access: Access;
  /** As the program sees it. */
  readonly path: string;
  /** It lies in a folder that may be written, but under a name that is never written. */
  readonly protected: boolean;
}

/** As on Linux (MAXSYMLINKS). */
const MOST_LINKS = 40;
const TEMPORARY = '/tmp';
/** A program asks for them to learn its time zone; here it is UTC, so that it does the same everywhere. */
const TIME_ZONES = /^(\/etc\/(localtime|TZ|zoneinfo)|\/usr\/(share|lib)\/zoneinfo|\/share\/zoneinfo)(\/|$)/;

export class Confinement {
  readonly #permissions: Permissions;
  readonly #read: readonly string[];
  readonly #write: readonly string[];
  readonly #refusals = new Map<string, Refusal>();
  #temporary: string | undefined;

  constructor(permissions: Permissions) {
    this.#permissions = permissions;
    this.#write = permissions.write.map(realRoot);
    this.#read = [...permissions.read.map(realRoot), ...this.#write];
  }

  /** Each once, in the order in which they came. */
  get refusals(): readonly Refusal[] {
    return [...this.#refusals.values()];
  }

  /**
   * The file on the disk that a program means by an absolute path of its own. What others have in /tmp is theirs, and refused, unless
   * the program makes something of that name.
   */
  onDisk(path: string, access: Access | 'create'): string {
    const real = fromVirtualPath(path);
    if (path !== TEMPORARY && !path.startsWith(`${TEMPORARY}/`)) return real;
    if (this.#permissions.all || this.#read.some((root) => isInside(root, real))) return real;
    const own = paths.join(this.#ownTemporary(), ...path.slice(TEMPORARY.length).split('/'));
    return access !== 'create' && !isThere(own) && isThere(real) ? real : own;
  }

  /** How the program names a file on the disk. */
  seen(path: string): string {
    if (this.#temporary === undefined || !isInside(this.#temporary, path)) return toVirtualPath(path);
    return [TEMPORARY, ...paths.relative(this.#temporary, path).split(paths.separator)].filter((part) => part !== '').join('/');
  }

  /**
   * Where a path leads, if the program may do this there. `follow`: also through a link at its end. Fails with EACCES where it may not,
   * whether something is there or not.
   */
  allowed(path: string, access: Access | 'create', follow: boolean): string {
    if (TIME_ZONES.test(path)) throw new LinuxError(ERRNO.noent);
    const real = attempt(() => withoutLinks(this.onDisk(path, access), follow));
    const kind = access === 'create' ? 'write' : access;
    if (!this.#permits(real, kind)) this.refuse(path, kind, real);
    return real;
  }

  /** Also for what turns out to be nothing that a program may have, wherever it lies: a pipe with a name, a device. */
  refuse(path: string, access: Access, real?: string): never {
    const held = real !== undefined && access === 'write' && this.#write.some((root) => isInside(root, real));
    const key = `${access} ${path}`;
    if (!this.#refusals.has(key)) this.#refusals.set(key, { access, path, protected: held });
    throw new LinuxError(ERRNO.acces);
  }

  #permits(real: string, access: Access): boolean {
    if (this.#permissions.all) return true;
    if (this.#temporary !== undefined && isInside(this.#temporary, real)) return true;
    if (access === 'read') return this.#read.some((root) => isInside(root, real));
    return this.#write.some((root) => isInside(root, real) && !isProtected(paths.relative(root, real)));
  }

  #ownTemporary(): string {
    if (this.#temporary === undefined) {
      attempt(() => files.createFolder(this.#permissions.temporary, 0o700));
      this.#temporary = realRoot(this.#permissions.temporary);
    }
    return this.#temporary;
  }
}

/** Runs `action` on what `allowed` gave, which stays that (see Files.inPlace). */
export function inPlace<T>(real: string, action: (path: string) => T): T {
  return attempt(() => files.inPlace(real, action));
}

export function onItself<T>(real: string, action: (path: string) => T): T {
  return attempt(() => files.onItself(real, action));
}

function realRoot(path: string): string {
  return withoutLinks(paths.resolve(path), true);
}

/** The path without links; what does not exist yet keeps its name. */
function withoutLinks(path: string, last: boolean, links = MOST_LINKS): string {
  const folder = paths.dirname(path);
  if (folder === path) return path;
  if (links === 0) throw new LinuxError(ERRNO.loop);
  const real = paths.join(withoutLinks(folder, true, links), paths.basename(path));
  if (!last || files.status(real, { followLinks: false })?.kind !== 'link') return real;
  return withoutLinks(paths.resolve(paths.dirname(real), files.linkTarget(real)), true, links - 1);
}

function isThere(path: string): boolean {
  return files.status(path, { followLinks: false }) !== undefined;
}

function isProtected(way: string): boolean {
  return way.split(paths.separator).some((name) => name.startsWith('.') || name.toLowerCase() === 'node_modules');
}

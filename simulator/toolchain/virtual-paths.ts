/** Names of files inside Clang's world. User files keep their absolute paths; what comes with the package lies under `packageRoot`. */
import { paths } from '#platform';

export const packageRoot = '/.lanewise';
/** Clang's own headers are in `include` below. */
export const clangHeaders = `${packageRoot}/clang`;
/** The C and C++ libraries. */
export const sysroot = `${packageRoot}/usr`;
/** Our CUDA headers. Debug locations in here belong to CUDA's built-ins, not to the program. */
export const cudaHeaders = `${packageRoot}/cuda`;

/** `C:\a\b.cu` becomes `/C:/a/b.cu`; a POSIX path stays as it is. */
export function toVirtualPath(path: string): string {
  return paths.windows ? `/${path.replaceAll('\\', '/').replace(/^\/+/, '')}` : path;
}

export function fromVirtualPath(path: string): string {
  return paths.windows ? path.replace(/^\/+(?=[A-Za-z]:)/, '').replaceAll('/', '\\') : path;
}

/** Is this file of the package rather than the user's? */
export function isPackageFile(path: string): boolean {
  return path.startsWith(`${packageRoot}/`);
}

/** How the user named a folder: `src/` for `/home/user/project/src/`. Both end with a separator, or `given` is empty. */
export interface GivenName {
  /** Absolute. */
  readonly folder: string;
  readonly given: string;
}

/** A path as the user would write it: by the innermost folder that has a given name, else as it is. */
export function asGiven(path: string, names: readonly GivenName[]): string {
  const around = names.filter(({ folder }) => path.startsWith(folder)).sort((a, b) => b.folder.length - a.folder.length)[0];
  return around ? around.given + path.slice(around.folder.length) : path;
}

/** Names of files inside Clang's world. User files keep their absolute paths; what comes with the package lies under `packageRoot`. */
import { platform } from 'node:process';

export const packageRoot = '/.lanewise';
/** Clang's own headers, the C and C++ standard libraries. */
export const sysroot = `${packageRoot}/usr`;
/** Our CUDA headers. Debug locations in here belong to CUDA's built-ins, not to the program. */
export const cudaHeaders = `${packageRoot}/cuda`;

/** `C:\a\b.cu` becomes `/C:/a/b.cu`; a POSIX path stays as it is. */
export function toVirtualPath(path: string): string {
  return platform === 'win32' ? `/${path.replaceAll('\\', '/').replace(/^\/+/, '')}` : path;
}

export function fromVirtualPath(path: string): string {
  return platform === 'win32' ? path.replace(/^\/+(?=[A-Za-z]:)/, '').replaceAll('/', '\\') : path;
}

/** Is this file of the package rather than the user's? */
export function isPackageFile(path: string): boolean {
  return path.startsWith(`${packageRoot}/`);
}

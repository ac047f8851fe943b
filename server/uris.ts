/** URIs of files, which clients write in different ways, and sometimes wrongly. */
import { fileURLToPath } from 'node:url';

/** Undefined for what is not a file on this machine. */
export function pathOf(uri: string): string | undefined {
  if (!uri.startsWith('file:')) return undefined;
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

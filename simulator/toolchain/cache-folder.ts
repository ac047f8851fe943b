/** Where the user's system keeps what programs can make again. */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { env, platform } from 'node:process';

/**
 * `XDG_CACHE_HOME` counts everywhere (a relative one does not, as the XDG base directory specification says). Undefined for a user without a
 * home.
 */
export function defaultCacheFolder(): string | undefined {
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = env;
  if (xdg && isAbsolute(xdg)) return join(xdg, 'lanewise');
  if (platform === 'win32' && local) return join(local, 'lanewise', 'cache');
  try {
    return platform === 'darwin' ? join(homedir(), 'Library', 'Caches', 'lanewise') : join(homedir(), '.cache', 'lanewise');
  } catch {
    return undefined;
  }
}

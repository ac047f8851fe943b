import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { env, platform } from 'node:process';
import type { Storage } from '../platform.ts';

export const storage: Storage = {
  defaultFolder,
  read: (path) => readFile(path).catch(() => undefined),
  async write(path, bytes) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const fresh = `${path}.${randomUUID()}`;
    try {
      await writeFile(fresh, bytes, { mode: 0o600 });
      await rename(fresh, path);
    } catch (error) {
      await rm(fresh, { force: true });
      throw error;
    }
  },
  list: async (folder) =>
    Promise.all(
      (await readdir(folder)).map(async (name) => {
        const status = await stat(join(folder, name)).catch(() => undefined);
        return { name, bytes: status?.size ?? 0, usedMs: status?.mtimeMs ?? 0 };
      }),
    ),
  async touch(path) {
    const now = new Date();
    await utimes(path, now, now).catch(() => undefined);
  },
  remove: (path) => rm(path, { force: true }),
};

/**
 * `XDG_CACHE_HOME` counts everywhere (a relative one does not, as the XDG base directory specification says). Undefined for a user without a
 * home.
 */
function defaultFolder(): string | undefined {
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = env;
  if (xdg && isAbsolute(xdg)) return join(xdg, 'lanewise');
  if (platform === 'win32' && local) return join(local, 'lanewise', 'cache');
  try {
    return platform === 'darwin' ? join(homedir(), 'Library', 'Caches', 'lanewise') : join(homedir(), '.cache', 'lanewise');
  } catch {
    return undefined;
  }
}

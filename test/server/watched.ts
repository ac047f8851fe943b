/** A language server with all its processes in sight: their memory after a collection, which of them are left, and the files they leave. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export interface Memory {
  /** Bytes. */
  readonly rss: number;
  readonly heapUsed: number;
  readonly external: number;
}

/** Runs in each of the server's processes before their own code: measures on SIGUSR2. */
const probe = `
const { isMainThread } = require('node:worker_threads');
if (isMainThread) {
  require('node:v8').setFlagsFromString('--expose_gc');
  const gc = require('node:vm').runInNewContext('gc');
  process.on('SIGUSR2', () => {
    gc(); gc();
    setTimeout(() => {
      gc();
      const { writeFileSync, renameSync } = require('node:fs');
      const file = process.env.LANEWISE_PROBE_FOLDER + '/' + process.pid;
      writeFileSync(file + '.part', JSON.stringify(process.memoryUsage()));
      renameSync(file + '.part', file + '.json');
    }, 100);
  });
}
`;

export class Watched {
  readonly folder = mkdtempSync(join(tmpdir(), 'lanewise-watched-'));
  /** Where the server and its programs put temporary files. */
  readonly temporary = join(this.folder, 'tmp');
  /** The user's cache folder. */
  readonly cache = join(this.folder, 'cache');
  readonly work = join(this.folder, 'work');
  private readonly answers = join(this.folder, 'memory');
  readonly environment: Readonly<Record<string, string>>;

  constructor() {
    for (const path of [this.temporary, this.cache, this.work, this.answers]) mkdirSync(path);
    const preload = join(this.folder, 'probe.cjs');
    writeFileSync(preload, probe);
    this.environment = {
      NODE_OPTIONS: `--require ${preload}`,
      LANEWISE_PROBE_FOLDER: this.answers,
      TMPDIR: this.temporary,
      XDG_CACHE_HOME: this.cache,
    };
  }

  /** Ids and commands of all processes that were started with the environment, the server itself included. */
  processes(): { readonly id: number; readonly parent: number; readonly command: string }[] {
    return readdirSync('/proc').flatMap((name) => {
      if (!/^\d+$/.test(name)) return [];
      try {
        if (!readFileSync(`/proc/${name}/environ`, 'latin1').includes(this.answers)) return [];
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        const [, state, parent] = /\) (\S) (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
        return state === 'Z' ? [] : [{ id: Number(name), parent: Number(parent), command }];
      } catch {
        // It has ended meanwhile.
        return [];
      }
    });
  }

  /** What is left of the processes after some patience. */
  async left(seconds = 15): Promise<string[]> {
    const end = performance.now() + 1000 * seconds;
    while (this.processes().length > 0 && performance.now() < end) await delay(100);
    return this.processes().map(({ id, command }) => `${id} ${command}`);
  }

  temporaryFiles(): string[] {
    return readdirSync(this.temporary, { recursive: true }) as string[];
  }

  /** Memory of a process after it has collected its garbage. Undefined where it has ended. */
  async memory(id: number, seconds = 60): Promise<Memory | undefined> {
    const answer = join(this.answers, `${id}.json`);
    rmSync(answer, { force: true });
    try {
      process.kill(id, 'SIGUSR2');
      const end = performance.now() + 1000 * seconds;
      while (performance.now() < end) {
        await delay(50);
        try {
          return JSON.parse(readFileSync(answer, 'utf8')) as Memory;
        } catch {
          process.kill(id, 0);
        }
      }
      return undefined;
    } catch {
      return undefined;
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

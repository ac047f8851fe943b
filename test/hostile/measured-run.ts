/** One command in a process of its own, with its time, and the memory that it and the processes below it take (Linux: /proc). */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface Measured {
  readonly exit: number | null;
  /** stdout and stderr, as they came: the first and last million characters. */
  readonly output: string;
  readonly seconds: number;
  /** The most that its processes had together, or one of them at any moment. */
  readonly megabytes: number;
  /** It was ended, since it went on for too long. */
  readonly ended: boolean;
  /** Processes that went on when it had ended. */
  readonly left: readonly number[];
}

export interface RunOptions {
  readonly cwd: string;
  readonly mostSeconds: number;
  readonly interruptAt?: string;
  readonly env: NodeJS.ProcessEnv;
}

const SAMPLE_MS = 50;
const KEPT = 1_000_000;

export function measuredRun(command: string, args: readonly string[], options: RunOptions): Promise<Measured> {
  const start = performance.now();
  const child = spawn(command, args, { cwd: options.cwd, env: options.env, stdio: ['ignore', 'pipe', 'pipe'] });
  const pid = child.pid!;
  let output = '';
  let tail = '';
  let interrupted = false;
  let megabytes = 0;
  let ended = false;
  const seen = new Set<number>();
  const take = (text: string) => {
    if (output.length < KEPT) output += text;
    else tail = (tail + text).slice(-KEPT);
    if (options.interruptAt === undefined || interrupted || !output.includes(options.interruptAt)) return;
    interrupted = true;
    child.kill('SIGINT');
  };
  child.stdout.setEncoding('utf8').on('data', take);
  child.stderr.setEncoding('utf8').on('data', take);
  const sampling = setInterval(() => {
    const processes = familyOf(pid);
    for (const each of processes) seen.add(each);
    const sizes = processes.map(memoryOf);
    megabytes = Math.max(
      megabytes,
      sizes.reduce((sum, { now }) => sum + now, 0),
      ...sizes.map(({ most }) => most),
    );
  }, SAMPLE_MS);
  const watchdog = setTimeout(() => {
    ended = true;
    child.kill('SIGKILL');
  }, options.mostSeconds * 1000);
  return new Promise((resolve) => {
    child.on('close', async (exit) => {
      clearInterval(sampling);
      clearTimeout(watchdog);
      const seconds = (performance.now() - start) / 1000;
      resolve({ exit, output: output + tail, seconds, megabytes, ended, left: await stillThere([...seen].filter((each) => each !== pid)) });
    });
  });
}

/** A process that ends with its parent needs a moment. */
async function stillThere(pids: readonly number[]): Promise<number[]> {
  let left = [...pids];
  for (let tries = 0; tries < 40 && left.length > 0; tries++) {
    left = left.filter((pid) => statusOf(pid) !== undefined && !/^State:\s*[ZX]/m.test(statusOf(pid) ?? ''));
    if (left.length > 0) await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return left;
}

/** The process and all below it. */
function familyOf(pid: number): number[] {
  const children = tasksOf(pid).flatMap((task) => textAt(`/proc/${pid}/task/${task}/children`)?.trim().split(/\s+/).filter(Boolean) ?? []);
  return [pid, ...children.flatMap((child) => familyOf(Number(child)))];
}

function tasksOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function memoryOf(pid: number): { readonly now: number; readonly most: number } {
  const status = statusOf(pid) ?? '';
  const megabytes = (field: string) => Number(new RegExp(`^${field}:\\s*(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024;
  return { now: megabytes('VmRSS'), most: megabytes('VmHWM') };
}

function statusOf(pid: number): string | undefined {
  return textAt(`/proc/${pid}/status`);
}

function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

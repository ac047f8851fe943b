/** What a server and the processes that it started have used, on Linux. */
import { type ChildProcess, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** A process and everything it started. */
export function processesOf(server: ChildProcess): number[] {
  const listed = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).stdout ?? '';
  const processes = listed.split('\n').map((line) => line.trim().split(/ +/).map(Number));
  const started = (id: number): number[] => [id, ...processes.flatMap(([pid, parent]) => (parent === id ? started(pid) : []))];
  return started(server.pid!);
}

/** Processor time of a process and everything it started that still runs, in hundredths of a second. Zero where there is no /proc. */
export function ticksOf(server: ChildProcess): number {
  const ticks = processesOf(server).map((pid) => {
    if (!existsSync(`/proc/${pid}/stat`)) return 0;
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, each) => sum + each, 0);
}

import { type ChildProcess, fork } from 'node:child_process';
import type { Process, Processes } from '../platform.ts';
import { assets } from './assets.ts';

/**
 * glibc's allocator: what threads that compile WebAssembly have taken goes back to the system. They take pieces of up to 32 KB, which must
 * not lie between others that stay: a third of an idle analysis process was holes. Others ignore it.
 */
const FRUGAL = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '65536', MALLOC_MMAP_THRESHOLD_: '16384' };

export const processes: Processes = {
  start(bundle, { heapMb } = {}) {
    // Not this process's own options, such as a debugger's port.
    const child = fork(assets.path(bundle), [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`],
      env: heapMb === undefined ? process.env : { ...process.env, ...FRUGAL },
    });
    return processOf(child);
  },
  serve(receive) {
    process.on('message', receive);
    // Whoever started this process has ended.
    process.on('disconnect', () => process.exit());
    return (message) => void process.send?.(message);
  },
  processorMs() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
};

function processOf(child: ChildProcess): Process {
  return {
    id: child.pid,
    // If the process has ended, its exit is what is told.
    send: (message) => void child.send(message as object, () => undefined),
    listen({ message, ended }) {
      child.on('message', message);
      child.on('error', (error) => ended(error.message));
      child.on('exit', (code, signal) => ended(`the process ended with ${signal ?? code}`));
    },
    keepAlive(wanted) {
      if (wanted) {
        child.ref();
        child.channel?.ref();
      } else {
        child.unref();
        child.channel?.unref();
      }
    },
    // It has nothing to save, and taking half a gigabyte down in an orderly manner takes a while.
    kill: () => void child.kill('SIGKILL'),
  };
}

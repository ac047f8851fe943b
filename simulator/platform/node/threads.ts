import { setMaxListeners } from 'node:events';
import { readlinkSync } from 'node:fs';
import { availableParallelism, setPriority } from 'node:os';
import {
  MessageChannel,
  type MessagePort,
  parentPort,
  receiveMessageOnPort,
  type TransferListItem,
  Worker,
  workerData,
} from 'node:worker_threads';
import type { Listeners, Port, Thread, ThreadOptions, Threads } from '../platform.ts';
import { assets } from './assets.ts';

// One signal cancels the compilers of all files of a program: Node takes more than ten listeners for a leak, and says so.
setMaxListeners(0);

/** A third of the time of a thread that has not given way, where both want the same processor. */
const BEHIND_OTHERS = 5;

export const threads: Threads = {
  count: availableParallelism(),
  data: workerData,
  parent: parentPort ? portOf(parentPort) : undefined,
  start(bundle, { data, transfer, stackMb, heapMb }: ThreadOptions) {
    const worker = new Worker(assets.path(bundle), {
      workerData: data,
      transferList: transfer as TransferListItem[] | undefined,
      resourceLimits: { stackSizeMb: stackMb, maxOldGenerationSizeMb: heapMb },
    });
    return threadOf(worker);
  },
  giveWay() {
    try {
      // On Linux a priority is a thread's, which its number names as a process's does; new threads have that of the one that starts them.
      setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), BEHIND_OTHERS);
    } catch {
      // Elsewhere a priority is the whole process's, and there is no such link.
    }
  },
  channel() {
    const { port1, port2 } = new MessageChannel();
    return { near: portOf(port1), far: port2 };
  },
  port: (far) => portOf(far as MessagePort),
};

function portOf(port: MessagePort): Port {
  return {
    post: (message, transfer) => port.postMessage(message, transfer as TransferListItem[] | undefined),
    listen: ({ message = () => {} }) => {
      port.on('message', message);
      return () => port.off('message', message);
    },
    receive: () => receiveMessageOnPort(port)?.message,
    unref: () => port.unref(),
    close: () => port.close(),
  };
}

function threadOf(worker: Worker): Thread {
  return {
    post: (message, transfer) => worker.postMessage(message, transfer as TransferListItem[] | undefined),
    listen: (listeners) => listen(worker, listeners),
    unref: () => worker.unref(),
    close: () => void worker.terminate(),
  };
}

function listen(worker: Worker, { message, failed, ended }: Listeners): () => void {
  const onError = (error: NodeJS.ErrnoException) => failed?.(error, error.code === 'ERR_WORKER_OUT_OF_MEMORY');
  const onExit = () => ended?.();
  if (message) worker.on('message', message);
  worker.on('error', onError);
  worker.on('exit', onExit);
  return () => {
    if (message) worker.off('message', message);
    worker.off('error', onError);
    worker.off('exit', onExit);
  };
}

/** How V8's memory is set up in the server and in a process that analyses. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * V8 watches which places in a program make objects that live long, and from then on puts theirs straight among the old ones. An
 * analysis's objects live as long as the file's model and then die together; those among the old ones would keep all that they refer to
 * until the next collection of everything, and each small collection before that would copy it: up to a third of the time of an analysis.
 * To be called before the first analysis. Counts for all threads of the process. The command line, which sees each file once, is no faster
 * with it.
 */
export function keepObjectsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

/** How long nobody must have asked for anything. */
const IDLE_MS = 8000;

/**
 * What an analysis, a completion or a run leaves behind is given back when nobody asks for more: V8 does that by itself only when it likes
 * to, and until then an idle process keeps some 30 MB for nothing. Gives what is to be called whenever something happens.
 */
export function collectedWhenIdle(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const timer = setTimeout(collect, IDLE_MS).unref();
  return () => void timer.refresh();
}

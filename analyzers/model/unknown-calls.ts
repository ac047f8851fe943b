/** Calls of what is not at hand, as far as they may make threads of the block wait for each other: libraries hide barriers. */
import type { Node } from '../syntax/ast.ts';
import type { Machine } from './machine.ts';
import { momentOf } from './recorder.ts';
import type { Value } from './values.ts';

export function noteUnknownBarrier(m: Machine, node: Node): void {
  if (m.mode !== 'device') return;
  m.epoch++;
  if (m.trial === 0) m.facts.barriers.push({ ...momentOf(m, node), name: '', scope: 'unknown' });
}

/** What sounds like a question about an object or like arithmetic, as against `cub::BlockScan(…).Sum(…)` and `barrier.wait(…)`. */
const HARMLESS = /^(real|imag|norm|dot|cross|abs|conj|size|length|data|get|set|at|begin|end|front|back|empty|count|[xyzwrgba]|operator.*)$/;

/** A method of an object whose class is not at hand. */
export function mayWaitIn(method: string): boolean {
  return !HARMLESS.test(method);
}

/** A function that is not at hand and that gets shared memory, or that names what it does. */
export function mayWait(name: string, args: readonly Value[]): boolean {
  if (!/^(printf|assert|__assert_fail|memcpy|memset|init|(.*::)?memcpy_async)$/.test(name) && args.some(isShared)) return true;
  return name.includes('::') && /(^|_)(wait|arrive|sync)(_|$)|barrier/.test(name);
}

function isShared(value: Value): boolean {
  if (value.v === 'ptr') return value.object.space === 'shared';
  return value.v === 'ref' && value.lv.l === 'mem' && value.lv.object.space === 'shared';
}

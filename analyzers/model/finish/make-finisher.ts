/** Puts a finisher together. */
import { otherBlocks } from '../assumed-shape.ts';
import { type Context, newContext } from '../context.ts';
import type { KernelRun, VariantSpec } from '../kernel.ts';
import type { PathStep, RawLoop } from '../values.ts';
import { Access } from './access.ts';
import { Branch } from './branch.ts';
import { Control } from './control.ts';
import type { Finisher } from './finisher.ts';
import { Loop } from './loop.ts';
import { objectFacts, typeFacts } from './value.ts';

export function finisherOf(run: KernelRun, spec: VariantSpec, textOf: Finisher['textOf']): Finisher {
  let other: Context | undefined;
  const f: Finisher = {
    run,
    spec,
    textOf,
    c: newContext({ block: spec.block, grid: spec.grid }, spec.share),
    otherShape: () => {
      const [block] = spec.blockKnown || spec.block[1] * spec.block[2] === 1 ? [] : otherBlocks(spec.block, spec.axes);
      other ??= block && newContext({ block, grid: spec.grid }, spec.share);
      return other;
    },
    lists: {},
    control: (path, loops) => controls(path)(loops),
    branch: oneFor((b) => new Branch(f, b)),
    loop: oneFor((l) => new Loop(f, l)),
    access: oneFor((a) => new Access(f, a)),
    object: oneFor((o) => objectFacts(f, o)),
    type: oneFor((type) => typeFacts(f, type)),
  };
  const controls = oneFor((path: readonly PathStep[]) => oneFor((loops: readonly RawLoop[]) => new Control(f, path, loops)));
  return f;
}

/** Makes the facts of each noted thing once. */
function oneFor<K, V>(make: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = make(key);
      known.set(key, value);
    }
    return value;
  };
}

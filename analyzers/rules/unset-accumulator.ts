import type { AccessFacts, AtomicFacts, LaunchFacts } from '../model/facts.ts';
import type { UnsetFacts } from '../model/file-facts.ts';
import type { Place } from '../syntax/source.ts';
import { defineRule, type RuleFix } from './define-rule.ts';
import { phrase } from './phrases.ts';

/** What is added to, counted in or compared with needs a first value, and cudaMalloc gives none. */
export const unsetAccumulator = defineRule({
  id: 'unset-accumulator',
  summary: 'Device memory that a kernel updates and nothing has given a first value',
  category: 'memory',
  severity: 'error',
  messages: {
    unset:
      '`{kernel}` updates what it finds in `{device}`, to which nothing has given a first value: cudaMalloc does not clear memory, so the result begins with whatever was there; set it before the launch (`{fill}`)',
  },
  *detectFile(file) {
    for (const { unset } of file.hostFunctions)
      for (const each of unset) {
        const [{ launch, argument }] = each.launches;
        const update = firstUpdate(launch, argument);
        if (!update) continue;
        const data = { kernel: launch.kernelName, device: each.device, fill: each.fill };
        yield {
          at: launch.place,
          message: 'unset',
          data,
          related: [{ at: update, message: phrase('updatedHere') }],
          fixes: filled(launch, each),
        };
      }
  },
});

/** Where the kernel reads, changes and writes it, which is all that it does with it. */
function firstUpdate({ kernel, place }: LaunchFacts, argument: number): Place | undefined {
  const variants = kernel?.variants.filter(({ launches }) => launches.some((each) => each.place === place)) ?? [];
  const updates: Place[] = [];
  for (const { parameters, accesses, atomics, incomplete } of variants) {
    const name = parameters[argument]?.name;
    const isOwn = ({ object }: AccessFacts | AtomicFacts) => object.space === 'global' && object.name === name;
    const stores = accesses.filter((access) => access.kind === 'store' && isOwn(access));
    const counts = atomics.filter((atomic) => isOwn(atomic));
    if (incomplete || !stores.every(({ readModifyWrite }) => readModifyWrite)) return undefined;
    if (counts.some(({ name: how }) => /exch|cas|store|load|test|clear/i.test(how))) return undefined;
    updates.push(...[...counts, ...stores].sort((a, b) => a.order - b.order).map((each) => each.place));
  }
  return updates[0];
}

/** Once, in front of the launch; in a loop the sum may be meant to go on. */
function filled({ place: { item, start }, loops }: LaunchFacts, { fill, isStatement }: UnsetFacts): readonly RuleFix[] {
  if (loops.length > 0 || !isStatement) return [];
  return [{ title: phrase('clearFirst'), edits: [{ at: { item, start, end: start }, newText: `${fill}; ` }], safe: false }];
}

import type { LaunchFacts } from '../model/facts.ts';
import { defineRule, type RuleFix } from './define-rule.ts';
import { phrase } from './phrases.ts';

/** n / threads blocks, rounded down: the rest of the elements belongs to no thread. */
export const missedElements = defineRule({
  id: 'missed-elements',
  summary: 'Grid that ends before the data does',
  category: 'launches',
  severity: 'error',
  messages: {
    tail: '{threads} threads are launched for {elements} elements, so the last {left} have none; round the number of blocks up: (n + {block} - 1) / {block}',
    rest: 'the number of blocks is rounded down: unless `{elements}` is a multiple of {block}, the last elements have no thread, although the kernel has a guard for them; round up: (n + {block} - 1) / {block}',
  },
  *detect(kernel) {
    const { missed, launches, block } = kernel;
    if (!missed || launches.length !== 1) return;
    const [launch] = launches;
    const { counts, guard } = missed;
    const at = launch.configPlace;
    const related = [{ at: guard.headPlace, message: phrase('guardLetsThrough') }];
    const fixes = roundingUp(launch, block.x);
    if (counts) {
      const { threads, elements } = counts;
      const left = elements - threads === 1 ? phrase('one') : elements - threads;
      yield { at, message: 'tail', data: { threads, elements, left, block: block.x }, related, fixes };
    } else if (launch.dividend) {
      yield { at, message: 'rest', data: { elements: launch.dividend.text, block: block.x }, severity: 'warning', related, fixes };
    }
  },
});

/** Threads without an element do nothing: the kernel has a guard. */
function roundingUp({ dividend }: LaunchFacts, width: number): RuleFix[] {
  if (!dividend) return [];
  const newText = `(${dividend.text} + ${width - 1})`;
  return [{ title: phrase('roundBlocksUp'), edits: [{ at: dividend.place, newText }], safe: false }];
}

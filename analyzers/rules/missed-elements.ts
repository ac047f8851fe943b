import { counted, defineRule } from './define-rule.ts';

/** n / threads blocks, rounded down: the rest of the elements belongs to no thread. */
export const missedElements = defineRule({
  id: 'missed-elements',
  summary: 'Grid that ends before the data does',
  category: 'launches',
  severity: 'error',
  messages: {
    tail: '{threads} threads are launched for {elements} elements, so the last {left} have none; round the number of blocks up: (n + {block} - 1) / {block}',
  },
  *detect(kernel) {
    const { missed, launches, block } = kernel;
    if (!missed || launches.length !== 1) return;
    const [launch] = launches;
    const { threads, elements, guard } = missed;
    yield {
      at: launch.configPlace,
      message: 'tail',
      data: {
        threads,
        elements,
        left: elements - threads === 1 ? 'one' : counted(elements - threads, 'element').split(' ')[0],
        block: block.x,
      },
      related: [{ at: guard.headPlace, message: 'the guard lets them through' }],
    };
  },
});

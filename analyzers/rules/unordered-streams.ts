import type { StreamPairFacts, StreamUseFacts } from '../model/file-facts.ts';
import { defineRule, type RuleFix } from './define-rule.ts';
import { phrase } from './phrases.ts';

/** Work on different streams runs in any order, and at the same time, unless something makes one wait for the other. */
export const unorderedStreams = defineRule({
  id: 'unordered-streams',
  summary: 'Memory that two streams use with nothing that orders them',
  category: 'synchronisation',
  severity: 'error',
  messages: {
    both: '`{later}` on `{laterStream}` {laterDoes} `{memory}`, which `{earlier}` on `{earlierStream}` {earlierDoes}, and nothing lets one stream wait for the other: they run in any order, or at once; record an event on `{earlierStream}` and let `{laterStream}` wait for it (cudaStreamWaitEvent), or use one stream',
  },
  *detectFile(file) {
    for (const { streamPairs } of file.hostFunctions) {
      const said = new Set<string>();
      for (const pair of streamPairs) {
        const { earlier, later, memory } = pair;
        const [before, after] = [earlier, later].map(effectOf);
        if (!before || !after || (before === 'reads' && after === 'reads') || said.has(memory)) continue;
        said.add(memory);
        const data = {
          memory,
          earlier: earlier.name,
          earlierStream: earlier.stream,
          earlierDoes: phrase(before),
          later: later.name,
          laterStream: later.stream,
          laterDoes: phrase(after),
        };
        const related = [{ at: earlier.place, message: phrase('onStream', { name: earlier.name, stream: earlier.stream }) }];
        yield { at: later.place, message: 'both', data, related, fixes: wait(pair) };
      }
    }
  },
});

/** What surely happens at the start of the memory. */
function effectOf({ does }: StreamUseFacts): 'reads' | 'writes' | undefined {
  if (does === 'read' || does === 'write') return `${does}s`;
  const { launch, argument } = does;
  const variants = launch.kernel?.variants.filter((variant) => variant.launches.some(({ place }) => place === launch.place)) ?? [];
  const accesses = variants.flatMap((variant) => {
    const { name } = variant.parameters[argument] ?? {};
    return variant.accesses.filter(({ object, fromStart }) => fromStart && object.space === 'global' && object.name === name);
  });
  if (accesses.length === 0) return undefined;
  return accesses.some(({ kind }) => kind === 'store') ? 'writes' : 'reads';
}

function wait({ earlier, later }: StreamPairFacts): readonly RuleFix[] {
  if (!later.isStatement) return [];
  const { item, start } = later.place;
  return [
    {
      title: phrase('waitForStream', { stream: earlier.stream }),
      safe: true,
      edits: [{ at: { item, start, end: start }, newText: `cudaStreamSynchronize(${earlier.stream}); ` }],
    },
  ];
}

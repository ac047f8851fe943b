import type { KernelFacts } from '../model/facts.ts';
import type { EarlyAccessFacts } from '../model/file-facts.ts';
import { defineRule, type RuleFix } from './define-rule.ts';
import { phrase } from './phrases.ts';

/** The host goes on while kernels run, and looks at what they are still writing. */
export const unsynchronisedHostAccess = defineRule({
  id: 'unsynchronised-host-access',
  summary: 'Host access to managed or pinned memory that a kernel may still be using',
  category: 'synchronisation',
  severity: 'error',
  messages: {
    early:
      'the host accesses `{pointer}` while `{user}` may still be using it: launches and asynchronous copies return at once, so the values may be old ones, and some devices fault; call cudaDeviceSynchronize() first',
  },
  *detectFile(file) {
    for (const { earlyAccesses } of file.hostFunctions)
      for (const access of earlyAccesses) {
        const { pointer, place: at, user, userPlace } = access;
        if (pointer.includes('volatile') || file.kernels.some((kernel) => kernel.name === user && listens(kernel))) continue;
        const related = [{ at: userPlace, message: phrase('startedHere', { name: user }) }];
        yield { at, message: 'early', data: { pointer, user }, related, fixes: wait(access) };
      }
  },
});

/** While it runs, it looks at what others write meanwhile: they may be the host. */
function listens({ variants }: KernelFacts): boolean {
  return variants.some(({ accesses, loops }) => {
    return loops.some(({ spinsOn }) => spinsOn) || accesses.some(({ volatile, object }) => volatile && object.space === 'global');
  });
}

function wait({ statementPlace }: EarlyAccessFacts): readonly RuleFix[] {
  if (!statementPlace) return [];
  const { item, start } = statementPlace;
  return [
    {
      title: phrase('callSynchronizeFirst'),
      safe: true,
      edits: [{ at: { item, start, end: start }, newText: 'cudaDeviceSynchronize(); ' }],
    },
  ];
}

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
      'the host accesses `{pointer}` while `{user}` may still be using it: launches and asynchronous copies return at once, so either side may see values that are too old or too new, and some devices fault; call cudaDeviceSynchronize() first',
  },
  *detectFile(file) {
    for (const { earlyAccesses } of file.hostFunctions) {
      const said = new Set<string>();
      for (const access of earlyAccesses) {
        const { pointer, place: at, user, userPlace, variable } = access;
        const kernel = file.kernels.find(({ name }) => name === user);
        if (pointer.includes('volatile') || (kernel && listens(kernel))) continue;
        if (variable && (!kernel || !meets(kernel, variable) || said.has(variable.id))) continue;
        if (variable) said.add(variable.id);
        const related = [{ at: userPlace, message: phrase('startedHere', { name: user }) }];
        yield { at, message: 'early', data: { pointer, user }, related, fixes: wait(access) };
      }
    }
  },
});

/** While it runs, it looks at what others write meanwhile: they may be the host. */
function listens({ variants }: KernelFacts): boolean {
  return variants.some(({ accesses, loops }) => {
    return loops.some(({ spinsOn }) => spinsOn) || accesses.some(({ volatile, object }) => volatile && object.space === 'global');
  });
}

/** Both use the variable, and one of them writes it. */
function meets({ variants }: KernelFacts, { id, isWritten }: NonNullable<EarlyAccessFacts['variable']>): boolean {
  return variants.some(
    ({ accesses, atomics }) =>
      accesses.some(({ object, kind }) => object.id === id && (isWritten || kind === 'store')) ||
      atomics.some(({ object }) => object.id === id),
  );
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

/** A child grid cannot see its parent's local or shared memory: the pointer means something else there. */
import { defineRule } from './define-rule.ts';
import { phrase } from './phrases.ts';

export const localPointerToChild = defineRule({
  id: 'local-pointer-to-child',
  summary: 'Pointer to local or shared memory passed to a child grid',
  category: 'launches',
  severity: 'error',
  messages: {
    passed:
      '`{name}` is in {space} memory, which the child grid cannot access: the address means something else there; pass a pointer to global memory',
  },
  *detect(kernel) {
    for (const child of kernel.childLaunches)
      for (const arg of child.launch.args) {
        const { name, space } = arg.pointsInto ?? {};
        if (space === 'local' || space === 'shared') yield { at: arg.place, message: 'passed', data: { name, space: phrase(space) } };
      }
  },
});

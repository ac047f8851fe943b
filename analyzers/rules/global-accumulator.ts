/** A sum kept in global memory through a loop: a load and a store per iteration that a register would save. */
import type { AccessFacts, LoopFacts, VariantFacts } from '../model/facts.ts';
import { defineRule } from './define-rule.ts';

export const globalAccumulator = defineRule({
  id: 'global-accumulator',
  summary: 'Read-modify-write of one global address in every iteration of a loop',
  category: 'memory',
  severity: 'warning',
  messages: {
    accumulator:
      '`{text}` is loaded and stored in every iteration because other pointers might alias it; accumulate in a local variable and store once after the loop',
  },
  *detect(kernel) {
    for (const access of kernel.accesses) {
      if (access.kind !== 'store' || !access.readModifyWrite || access.volatile || access.object.space !== 'global') continue;
      const loop = access.control.loops.at(-1);
      if (!loop || !access.loopInvariant || loop.containsBarrier || loop.trips === 1) continue;
      // What a caller's loop does to it is not this function's to keep.
      if (loop.functionName !== access.functionName) continue;
      // All threads at one address: that is a lost update, and another rule's finding.
      if (['grid', 'block', 'warp'].includes(access.sameAddress) && !access.control.oneThreadPerBlock) continue;
      if (aliased(kernel, access) || isKeptInRegister(kernel, access, loop)) continue;
      yield { at: access.place, message: 'accumulator', data: { text: access.text } };
    }
  },
});

/**
 * The compiler does it by itself (nvcc 13.0: one store after the loop): every iteration stores, and nothing else that the loop touches can
 * be the same memory, since `__restrict__` says so of one or the other.
 */
function isKeptInRegister(kernel: VariantFacts, access: AccessFacts, loop: LoopFacts): boolean {
  if (access.control.branches.some(({ branch }) => branch.kind !== 'loop-exit' && branch.order > loop.order)) return false;
  return kernel.accesses.every(
    ({ object, control }) =>
      object.id === access.object.id ||
      object.space !== 'global' ||
      !control.loops.includes(loop) ||
      object.restricted ||
      access.object.restricted,
  );
}

/** The loop goes to the same array elsewhere: a local copy could go stale. */
function aliased(kernel: VariantFacts, access: AccessFacts): boolean {
  const loop = access.control.loops.at(-1);
  return kernel.accesses.some(
    (other) =>
      other.object.id === access.object.id && other.text !== access.text && loop !== undefined && other.control.loops.includes(loop),
  );
}

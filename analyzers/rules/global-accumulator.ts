/** A sum kept in global memory through a loop: a load and a store per iteration that a register would save. */
import type { AccessFacts, LoopFacts, VariantFacts } from '../model/facts.ts';
import { defineRule, type Report } from './define-rule.ts';

export const globalAccumulator = defineRule({
  id: 'global-accumulator',
  summary: 'Read-modify-write of one global address in every iteration of a loop',
  category: 'memory',
  costs: true,
  severity: 'warning',
  messages: {
    accumulator:
      '`{text}` is loaded and stored in every iteration because other pointers might alias it; accumulate in a local variable and store once after the loop',
    conditional:
      '`{text}` is loaded and stored in each iteration in which the condition lets it, for the compiler adds no store of its own; accumulate in a local variable and store once after the loop',
    generator:
      '`{name}` loads and stores its state `{state}` in global memory in every iteration; copy the state into a local variable before the loop, let `{name}` work on that one, and store it once after the loop',
  },
  *detect(kernel) {
    yield* generators(kernel);
    for (const access of kernel.accesses) {
      if (access.kind !== 'store' || !access.readModifyWrite || access.volatile || access.object.space !== 'global') continue;
      const loop = access.control.loops.at(-1);
      if (!loop || !access.loopInvariant || loop.containsBarrier || loop.trips === 1) continue;
      // What a caller's loop does to it is not this function's to keep.
      if (loop.functionName !== access.functionName) continue;
      // All threads at one address: that is a lost update, and another rule's finding.
      if (['grid', 'block', 'warp'].includes(access.sameAddress) && !access.control.oneThreadPerBlock) continue;
      if (aliased(kernel, access)) continue;
      const isConditional = mayStayAway(access, loop);
      const isAlone = hasMemoryOfItsOwn(kernel, access, loop);
      // The compiler does it by itself (nvcc 13.0: one store after the loop).
      if (!isConditional && isAlone) continue;
      const severity = loop.bodyCost > MUCH_WORK ? 'hint' : undefined;
      yield { at: access.place, message: isAlone ? 'conditional' : 'accumulator', data: { text: access.text }, severity };
    }
  },
});

/** Of several calls in a loop the first. */
function* generators({ generatorCalls }: VariantFacts): Iterable<Report<'generator'>> {
  const said = new Set<LoopFacts>();
  for (const { place, name, space, stateText, loopInvariant, control } of generatorCalls) {
    const loop = control.loops.at(-1);
    if (space !== 'global' || !loop || !loopInvariant || loop.trips === 1 || said.has(loop)) continue;
    said.add(loop);
    // A number that is drawn until it will do is seldom drawn twice.
    const severity = loop.counted === 'no' ? 'information' : undefined;
    yield { at: place, message: 'generator', data: { name, state: stateText }, severity };
  }
}

/** Instructions of an iteration beside which a load and a store are little. */
const MUCH_WORK = 300;

/** In each iteration, where data says so; of other conditions the compiler may see that they hold in some iteration. */
function mayStayAway({ control }: AccessFacts, loop: LoopFacts): boolean {
  return control.branches.some(({ branch }) => branch.kind !== 'loop-exit' && branch.order > loop.order && branch.condition.fromMemory);
}

/** Nothing else that the loop touches can be the same memory, since `__restrict__` says so of one or the other. */
function hasMemoryOfItsOwn(kernel: VariantFacts, access: AccessFacts, loop: LoopFacts): boolean {
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

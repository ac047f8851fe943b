import type { UncopiedFacts } from '../model/file-facts.ts';
import { defineRule, type RuleFix } from './define-rule.ts';
import { phrase } from './phrases.ts';

/** What a kernel writes stays on the device until somebody copies it. */
export const uncopiedResult = defineRule({
  id: 'uncopied-result',
  summary: 'Result of a kernel that the host reads without having copied it',
  category: 'memory',
  severity: 'error',
  messages: {
    unwritten:
      '`{host}` is read, but nothing has written it: what `{kernel}` writes to `{device}` is never copied to the host; copy it behind the launch: `{copy}`',
    input:
      '`{host}` still holds what it held before the launch: what `{kernel}` writes to `{device}` is never copied to the host; copy it behind the launch: `{copy}`',
  },
  *detectFile(file) {
    for (const { uncopied } of file.hostFunctions)
      for (const each of uncopied) {
        const writer = writerOf(each);
        if (!writer) continue;
        const { host, device, copy, read, isInput } = each;
        yield {
          at: read,
          message: isInput ? 'input' : 'unwritten',
          data: { host, kernel: writer.kernelName, device, copy },
          related: [{ at: writer.place, message: phrase('launchedHere') }],
          fixes: copied(each),
        };
      }
  },
});

/** The last launch that writes it, where no kernel makes something else of it that may be the result. */
function writerOf({ launches }: UncopiedFacts) {
  const uses = launches.map(({ launch, argument }) => {
    const variants = launch.kernel?.variants ?? [];
    const names = new Set(variants.map(({ parameters }) => parameters[argument]?.name));
    const touched = variants.flatMap(({ accesses, atomics }) => [
      ...accesses.map(({ object, kind }) => ({ object, writes: kind === 'store' })),
      ...atomics.map(({ object }) => ({ object, writes: true })),
    ]);
    const isOwn = ({ object }: (typeof touched)[number]) => object.space === 'global' && names.has(object.name);
    const writes = touched.some((each) => each.writes && isOwn(each));
    const isPassedOn =
      variants.some(({ incomplete }) => incomplete) ||
      (touched.some((each) => !each.writes && isOwn(each)) &&
        touched.some((each) => each.writes && each.object.space === 'global' && !isOwn(each)));
    return { launch, writes, isPassedOn: variants.length === 0 || isPassedOn };
  });
  return uses.some(({ isPassedOn }) => isPassedOn) ? undefined : uses.findLast(({ writes }) => writes)?.launch;
}

function copied({ copy, behind }: UncopiedFacts): readonly RuleFix[] {
  if (!behind) return [];
  return [{ title: phrase('copyBack'), edits: [{ at: behind, newText: ` ${copy};` }], safe: false }];
}

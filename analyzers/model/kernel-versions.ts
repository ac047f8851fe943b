/**
 * Kernels of a file that are versions of each other, by their names (`softMax`, `softMax2`; `transposeNaive`, `transposeShared`), their
 * parameters and what they write. Rules ask at every edit, and a file may hold hundreds of one name: what is read of a kernel is kept as
 * long as its facts are.
 */

import { kept } from '../kept.ts';
import type { AccessFacts, KernelFacts, Space, VariantFacts } from './facts.ts';
import type { FileFacts } from './file-facts.ts';

/**
 * Another version does well what `isBad` says of this one: who has written that one knows. Not so where only this one is launched: there the
 * better one lies idle.
 */
export function hasBetterVersion(kernel: VariantFacts, file: FileFacts, space: Space, isBad: (access: AccessFacts) => boolean): boolean {
  const stem = stemOf(kernel);
  if (stem.length < SHORTEST_STEM) return false;
  return (byStem(file).get(stem) ?? []).some(({ name, variants }) => {
    if (name === kernel.name) return false;
    const mayBeStep = ENDS_IN_NUMBER.test(name) && ENDS_IN_NUMBER.test(kernel.name);
    return variants.some(
      (other) =>
        !other.incomplete &&
        (kernel.launches.length === 0 || other.launches.length > 0) &&
        typesOf(other) === typesOf(kernel) &&
        isWellDone(other, space, isBad) &&
        (!mayBeStep || doesTheSame(kernel, other)),
    );
  });
}

const SHORTEST_STEM = 4;
const ENDS_IN_NUMBER = /\d(?:_?kernel)?$/i;

const byStem = kept((file: FileFacts): ReadonlyMap<string, readonly KernelFacts[]> => {
  const found = new Map<string, KernelFacts[]>();
  for (const kernel of file.kernels) {
    const stem = stemOf(kernel);
    const before = found.get(stem);
    if (before) before.push(kernel);
    else found.set(stem, [kernel]);
  }
  return found;
});

/** What versions have in common. */
const stemOf = kept(({ name }: { readonly name: string }) =>
  name
    .toLowerCase()
    .replaceAll('_', '')
    .replace(VERSION, '')
    .replace(/v?\d+$/, ''),
);

const VERSION =
  /naive|simple|basic|base(?:line)?|opt(?:imi[sz]ed)?|(?:un|non)?coalesced|shared(?:mem(?:ory)?)?|smem|tiled?|no(?:bank)?conflicts?|padded|vec(?:tori[sz]ed)?|fast|slow|kernel/g;

const typesOf = kept(({ parameters }: VariantFacts) =>
  parameters.map(({ type }) => type.name.replace(/\b(?:const|__restrict__)\b|\s/g, '')).join(),
);

const wellDone = kept((_isBad: (access: AccessFacts) => boolean) => new WeakMap<VariantFacts, boolean>());

function isWellDone(kernel: VariantFacts, space: Space, isBad: (access: AccessFacts) => boolean): boolean {
  const known = wellDone(isBad);
  let isWell = known.get(kernel);
  if (isWell === undefined) {
    isWell = kernel.accesses.some(({ object }) => object.space === space) && !kernel.accesses.some(isBad);
    known.set(kernel, isWell);
  }
  return isWell;
}

/** `step1` and `step2` may be two halves of one method: those write other parameters, or are given other arrays. */
function doesTheSame(a: VariantFacts, b: VariantFacts): boolean {
  if (writtenBy(a) !== writtenBy(b)) return false;
  const argumentsOf = ({ launches }: VariantFacts) => launches.map(({ args }) => args.map(({ text }) => text).join());
  const [ofA, ofB] = [argumentsOf(a), argumentsOf(b)];
  return ofA.length === 0 || ofB.length === 0 || ofA.some((text) => ofB.includes(text));
}

/** Which of its parameters, by their places. */
const writtenBy = kept(({ parameters, accesses }: VariantFacts) => {
  const written = new Set(accesses.flatMap(({ kind, object }) => (kind === 'store' && object.space === 'global' ? [object.name] : [])));
  return parameters.flatMap(({ name }, place) => (written.has(name) ? [place] : [])).join();
});

import type { Severity, Wording } from '../../protocol/finding.ts';
import { type AccessFacts, excessOf, type VariantFacts } from '../model/facts.ts';
import { hasBetterVersion } from '../model/kernel-versions.ts';
import type { Place } from '../syntax/source.ts';
import { asMean, assumedPlane, counted, defineRule, isBesideTheWork, isForUnaligned, type Report, type RuleFix } from './define-rule.ts';
import { phrase } from './phrases.ts';

const LEAST_WAYS = 1.9;
const SURE_WAYS = 3.5;
/** A multiprocessor issues four in the time of one wavefront: below a tenth of the iteration's time. */
const INSTRUCTIONS_PER_WAVEFRONT = 40;
/** From one iteration to another. */
const DIFFERING = 1.5;
const LEAST_SHOWN = 2.5;

/** Lanes of a warp that touch different words of one shared-memory bank are served one after the other. */
export const bankConflict = defineRule({
  id: 'bank-conflict',
  summary: 'Shared-memory access with bank conflicts',
  category: 'memory',
  costs: true,
  severity: 'warning',
  messages: {
    conflict:
      '{ways}-way bank conflict: lanes are {stride}, so the request takes {wavefronts} wavefronts instead of {ideal}{assumed}; {advice}',
    rounds:
      'bank conflicts in {count} of the {rounds} iterations that were looked at, of up to {ways} ways: a request takes {wavefronts} wavefronts instead of {ideal} on average{assumed}; {advice}',
  },
  around: (kernel, file) => ({ hasBetter: kernel.accesses.some(conflicts) && hasBetterVersion(kernel, file, 'shared', conflicts) }),
  *detect(kernel, _settings, { hasBetter }) {
    for (const access of kernel.accesses) {
      const { shared } = access;
      // A two-way conflict costs a cycle or two: padding pays from four ways on, or when every level of a loop has two.
      if (!shared || shared.ways < LEAST_WAYS || access.control.oneThreadPerWarp || access.kept) continue;
      if (isForUnaligned(access.control)) continue;
      // Where data lets only a few lanes through, two of them seldom meet in a bank.
      if (shared.ways < SURE_WAYS && chosenByData(access)) continue;
      const padding = paddingFix(kernel, access);
      const stride =
        shared.strideBytes === undefined ? phrase('unevenlySpaced') : phrase('bytesApart', { bytes: Math.abs(shared.strideBytes) });
      const levels = shared.levels ?? [];
      const differ = Math.max(...levels) > DIFFERING * Math.min(...levels);
      const ways = differ ? Math.max(...levels) : shared.ways;
      const rounds = differ ? { count: levels.filter((level) => level >= LEAST_WAYS).length, rounds: levels.length } : undefined;
      const report: Report<'conflict' | 'rounds'> = {
        at: access.place,
        message: rounds ? 'rounds' : 'conflict',
        severity: hasBetter ? 'hint' : gravity(access, shared.ways, kernel),
        weight: excessOf(access),
        data: {
          ...rounds,
          assumed: assumedPlane(kernel),
          ways: Math.round(ways),
          ...(!rounds && { stride }),
          wavefronts: shared.wavefronts,
          ideal: shared.idealWavefronts,
          advice: adviceFor(access, kernel),
        },
        fixes: padding,
      };
      yield rounds ? report : asMean(report, { isSampled: false });
    }
  },
});

function conflicts({ shared, kept }: AccessFacts): boolean {
  return !kept && (shared?.ways ?? 1) >= LEAST_WAYS;
}

/** Of two ways a request takes a cycle more. */
function gravity({ shared, control }: AccessFacts, ways: number, kernel: VariantFacts): Severity | undefined {
  const { loops } = control;
  if (ways < LEAST_SHOWN || isBesideTheWork(kernel, loops)) return 'hint';
  // An iteration takes much longer than the wavefronts in excess.
  const innermost = loops.at(-1);
  if (innermost && innermost.bodyCost > INSTRUCTIONS_PER_WAVEFRONT * (shared!.wavefronts - shared!.idealWavefronts)) return 'hint';
  return ways < SURE_WAYS ? 'information' : undefined;
}

function chosenByData({ control }: AccessFacts): boolean {
  return control.branches.some(({ branch: { condition } }) => condition.fromMemory && condition.uniformity === 'lane');
}

/** Every power of two, of a word or more, that lanes are apart meets few banks. */
function isPower(strideBytes: number | undefined): boolean {
  const words = Math.abs(strideBytes ?? 0) / 4;
  return words >= 2 && Number.isInteger(Math.log2(words));
}

function adviceFor(access: AccessFacts, kernel: VariantFacts): Wording {
  if (rowToPad(kernel, access)) return phrase('padRow', { elements: elements(access.padding!) });
  if (isOfLarger(access)) {
    const areNeighbours = Math.abs(access.shared!.strideBytes!) === access.object.element.size;
    return phrase(access.field && areNeighbours ? 'fieldArrays' : 'neighbouringWords');
  }
  return isPower(access.shared!.strideBytes)
    ? phrase('neighbouringOrFree', { count: elementsToFree(access) })
    : phrase('neighbouringWords');
}

/** One part of each element: a free element moves the ones behind it by several words, and lanes still meet. */
function isOfLarger({ type, shared, object: { element } }: AccessFacts): boolean {
  const { size = 0 } = element;
  return size > Math.max(4, type.size ?? 4) && (shared!.strideBytes ?? Number.NaN) % size === 0;
}

/** With one free behind as many as fill the banks, or as lanes are apart where that is more, no two lanes of a part of the request meet. */
function elementsToFree({ shared, type: { size = 4 } }: AccessFacts): number {
  return Math.max(ALL_BANKS, Math.abs(shared!.strideBytes!)) / Math.max(4, size);
}

function elements(padding: number): Wording {
  return padding === 1 ? phrase('oneElement') : counted(padding, 'element');
}

/** `float t[32][32]` becomes `float t[32][32 + 1]`, where the array is declared here and only ever indexed. */
function paddingFix(kernel: VariantFacts, access: AccessFacts): RuleFix[] {
  const place = rowToPad(kernel, access);
  // In shorter rows what is written side by side meets in a bank then.
  if (!place || rowBytes(access) % ALL_BANKS !== 0) return [];
  return [
    {
      title: phrase('padRowOf', { array: access.object.name, elements: elements(access.padding!) }),
      safe: true,
      edits: [{ at: { item: place.item, start: place.end, end: place.end }, newText: ` + ${access.padding}` }],
    },
  ];
}

const ALL_BANKS = 128;
/** As a block of 16 × 16 threads has them. */
const HALF_THE_BANKS = 64;

function rowBytes({ object: { dims = [], element } }: AccessFacts): number {
  return (dims.at(-1) ?? Number.NaN) * (element.size ?? Number.NaN);
}

/** The length of a row in the declaration, where longer ones mend the conflicts. */
function rowToPad(kernel: VariantFacts, access: AccessFacts): Place | undefined {
  const array = kernel.arrays.find((a) => a.object.id === access.object.id);
  const { dims } = access.object;
  if (!array || !dims || dims.length < 2 || array.dimPlaces.length !== dims.length || array.escapes) return undefined;
  return access.padding !== undefined && rowBytes(access) % HALF_THE_BANKS === 0 ? array.dimPlaces[dims.length - 1] : undefined;
}

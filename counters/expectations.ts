/**
 * What a program says of its kernels in comments, `// lanewise: expect(scale) sectors per load <= 4`, and whether a run keeps it. Figures have
 * the words in which they are shown, or Nsight Compute's names; shares are in percent.
 */
import { COLUMN_FIGURES, type Figure, figure, PHRASE_FIGURES, sumOfMetrics } from './figures.ts';
import { unqualifiedName } from './kernel-names.ts';

export interface Expectation {
  /** From 1. */
  readonly line: number;
  /** Without namespaces and template arguments. */
  readonly kernel: string;
  readonly figure: string;
  readonly relation: '<=' | '>=' | '=';
  readonly bound: number;
}

export interface JudgedExpectation extends Expectation {
  readonly kept: boolean;
  /** What was found, or why nothing was. */
  readonly found: string;
}

/** A comment that means to be one and is none. */
export interface MisreadExpectation {
  readonly line: number;
  readonly problem: string;
}

/** What is needed of a launch. */
export interface CountedLaunch {
  readonly kernel: string;
  readonly metrics: Readonly<Record<string, number>>;
  readonly estimate?: { readonly ns: number };
}

interface NamedFigure extends Figure {
  readonly words: string;
  /** What 100 % are. */
  readonly whole: number;
}

const TIME = 'estimated µs';
const LAUNCHES = 'launches';

const NAMED: readonly NamedFigure[] = [
  ...PHRASE_FIGURES.map((one) => ({ ...one, words: one.phrase.replace(/^\* (of )?/, ''), whole: one.whole ?? 1 })),
  ...COLUMN_FIGURES.flatMap((one) => {
    const words = { 'sectors/req': 'sectors per request', conflicts: 'bank conflicts', atomics: 'atomics' }[one.title];
    return words === undefined ? [] : [{ ...one, words, whole: 1 }];
  }),
];

/** Words of all figures that an expectation may be about. */
export const EXPECTED_FIGURES: readonly string[] = [...NAMED.map(({ words }) => words), LAUNCHES, TIME];

const COMMENT = /\/\/\s*lanewise:\s*expect\b(.*)$/;
const PARTS = /^\((?<kernel>[\w$]+)\)\s+(?<figure>\S.*?)\s*(?<relation><=|>=|=|≤|≥)\s*(?<bound>[\d.]+)\s*%?\s*$/;

export function expectationsIn(text: string): {
  readonly expectations: readonly Expectation[];
  readonly misread: readonly MisreadExpectation[];
} {
  const expectations: Expectation[] = [];
  const misread: MisreadExpectation[] = [];
  for (const [index, source] of text.split('\n').entries()) {
    const comment = COMMENT.exec(source.trimEnd());
    if (!comment) continue;
    const line = index + 1;
    const parts = PARTS.exec(comment[1])?.groups;
    if (!parts || Number.isNaN(Number(parts.bound))) {
      misread.push({ line, problem: 'write it as // lanewise: expect(KERNEL) sectors per load <= 4' });
      continue;
    }
    const relation = ({ '≤': '<=', '≥': '>=' }[parts.relation] ?? parts.relation) as Expectation['relation'];
    expectations.push({ line, kernel: parts.kernel, figure: parts.figure, relation, bound: Number(parts.bound) });
  }
  return { expectations, misread };
}

export function judge(expectation: Expectation, launches: readonly CountedLaunch[]): JudgedExpectation {
  const no = (found: string): JudgedExpectation => ({ ...expectation, kept: false, found });
  const value = figureOfKernel(expectation.kernel, expectation.figure, launches);
  if (typeof value === 'string') return no(value);
  const { relation, bound } = expectation;
  const kept = relation === '<=' ? value <= bound : relation === '>=' ? value >= bound : value === bound;
  return { ...expectation, kept, found: `${numberText(value)}${unitOf(expectation.figure)}` };
}

/** Behind the numbers of a figure. */
export function unitOf(words: string): string {
  return NAMED.some((one) => one.words === words && one.as === 'share') ? ' %' : '';
}

/** The bounds that the launches just keep, for those figures that say something of them. */
export function expectationsFor(launches: readonly CountedLaunch[], kernel: string): string[] {
  return NAMED.flatMap(({ words, as }) => {
    if (as === 'count' && words !== 'warp instructions' && words !== 'bank conflicts') return [];
    const value = figureOf(words, launches);
    if (typeof value === 'string' || words === 'sectors per request') return [];
    if (value === 0 && words !== 'bank conflicts' && words !== 'branches divergent') return [];
    const isMore = words === 'lanes active';
    return [
      `// lanewise: expect(${kernel}) ${words} ${isMore ? '>=' : '<='} ${numberText(value, isMore ? Math.floor : Math.ceil)}${unitOf(words)}`,
    ];
  });
}

/** Of all launches of a kernel; why there is none. */
export function figureOfKernel(kernel: string, words: string, launches: readonly CountedLaunch[]): number | string {
  const own = launches.filter((each) => unqualifiedName(each.kernel) === kernel);
  if (own.length > 0) return figureOf(words, own);
  const names = [...new Set(launches.map((each) => unqualifiedName(each.kernel)))].join(', ');
  return names === '' ? 'no kernel was launched' : `no kernel of this name was launched; those that were are ${names}`;
}

function figureOf(words: string, launches: readonly CountedLaunch[]): number | string {
  if (words === LAUNCHES) return launches.length;
  const sums = sumOfMetrics(launches);
  if (words === TIME || words === 'estimated us') {
    if (launches.some(({ estimate }) => !estimate)) return 'the time of a launch has no estimate';
    return launches.reduce((sum, { estimate }) => sum + estimate!.ns / 1000, 0);
  }
  const named = NAMED.find((one) => one.words === words);
  if (!named) {
    if (sums[words] !== undefined) return sums[words];
    return `"${words}" is no figure: there are ${EXPECTED_FIGURES.join(', ')} and Nsight Compute's metrics`;
  }
  const found = figure(named, sums);
  // Of a kernel without loads, no load has too many sectors.
  if (!found) return 0;
  return named.as === 'share' ? (100 * found.value) / named.whole : found.value;
}

/** Rounded away from what the value is, where a bound is made of it. */
function numberText(value: number, round: (value: number) => number = Math.round): string {
  return Number.isInteger(value) ? String(value) : String(round(value * 100) / 100);
}

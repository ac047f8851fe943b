/** Judges what a student does in a lesson: a number that was predicted, a program that was changed. */
import { type CountedLaunch, expectationsIn, figureOfKernel, judge } from './expectations.ts';
import { COLUMN_FIGURES, figure, PHRASE_FIGURES, sumOfMetrics } from './figures.ts';
import { unqualifiedName } from './kernel-names.ts';

/** What is needed of a run. */
export interface LessonRun {
  readonly exit: number;
  readonly faults: readonly { readonly message: string }[];
  readonly kernels: readonly CountedLaunch[];
  readonly output: string;
}

export interface LessonCheck {
  /** `twice: sectors per load <= 4`. */
  readonly text: string;
  readonly kept: boolean;
  readonly found: string;
}

/** Predictions may be rounded, and off by a twentieth. */
const TOLERANCE = 0.05;

export function judgePrediction(
  { kernel, figure: words }: { readonly kernel: string; readonly figure: string },
  predicted: number,
  run: LessonRun,
): { readonly right: boolean; readonly simulated: number | string } {
  const simulated = figureOfKernel(kernel, words, run.kernels);
  if (typeof simulated === 'string') return { right: false, simulated };
  return { right: Math.abs(predicted - simulated) <= TOLERANCE * Math.abs(simulated), simulated };
}

/** `original`: the run of the lesson's own program. */
export function judgeFix(
  { checks, printed }: { readonly checks: readonly string[]; readonly printed?: { readonly number: string; readonly share: number } },
  run: LessonRun,
  original: LessonRun,
): LessonCheck[] {
  const [fault] = run.faults;
  const ended = fault ? fault.message : `exit code ${run.exit}`;
  const kept = checks.flatMap((check) => expectationsIn(`// lanewise: expect${check}`).expectations);
  return [
    { text: 'the program ends well', kept: !fault && run.exit === 0, found: ended },
    ...kept.map((each): LessonCheck => {
      const { kept: isKept, found } = judge(each, run.kernels);
      return { text: `${each.kernel}: ${each.figure} ${each.relation} ${each.bound}`, kept: isKept, found };
    }),
    ...(printed ? [printedCheck(printed, run.output, original.output)] : []),
  ];
}

function printedCheck({ number, share }: { readonly number: string; readonly share: number }, now: string, before: string): LessonCheck {
  const [is, was] = [now, before].map((text) => Number(new RegExp(number).exec(text)?.[1] ?? Number.NaN));
  const bound = Number((share * was).toPrecision(3));
  return { text: `the number that the program prints <= ${bound}`, kept: is <= bound, found: Number.isNaN(is) ? 'no number' : String(is) };
}

/** What a run does otherwise than the one before, kernel by kernel: `sectors per load 32 → 4`; times are estimated. */
export function differences(before: readonly CountedLaunch[], now: readonly CountedLaunch[]): string[] {
  const names = new Set(now.map(({ kernel }) => unqualifiedName(kernel)));
  return [...names].flatMap((name) => {
    const [then, today] = [before, now].map((launches) => launches.filter(({ kernel }) => unqualifiedName(kernel) === name));
    if (then.length === 0) return [];
    const parts = [...figureChanges(then, today), ...timeChange(then, today)];
    return parts.length === 0 ? [] : [`${name}: ${parts.join(', ')}`];
  });
}

function figureChanges(before: readonly CountedLaunch[], now: readonly CountedLaunch[]): string[] {
  const [was, is] = [sumOfMetrics(before), sumOfMetrics(now)];
  const phrases = PHRASE_FIGURES.filter(({ as }) => as !== 'count').map((one) => ({
    ...one,
    words: one.phrase.replace(/^\* (of )?/, ''),
    scale: one.as === 'share' ? 100 / (one.whole ?? 1) : 1,
    unit: one.as === 'share' ? ' %' : '',
  }));
  const conflicts = COLUMN_FIGURES.filter(({ title }) => title === 'conflicts').map((one) => ({
    ...one,
    words: 'bank conflicts',
    scale: 1,
    unit: '',
  }));
  return [...phrases.filter(({ words }) => !words.includes('bank conflicts')), ...conflicts].flatMap((one) => {
    const [a, b] = [figure(one, was)?.value ?? 0, figure(one, is)?.value ?? 0].map((value) => value * one.scale);
    return Math.abs(a - b) > 0.05 * Math.max(a, b) ? [`${one.words} ${short(a)}${one.unit} → ${short(b)}${one.unit}`] : [];
  });
}

function timeChange(before: readonly CountedLaunch[], now: readonly CountedLaunch[]): string[] {
  const [was, is] = [before, now].map((launches) => launches.reduce((sum, { estimate }) => sum + (estimate?.ns ?? Number.NaN), 0));
  if (!(was > 0 && is > 0)) return [];
  const times = was / is;
  if (times > 0.95 && times < 1.05) return [];
  return [times > 1 ? `${times.toFixed(1)} times faster (estimated)` : `${(1 / times).toFixed(1)} times slower (estimated)`];
}

function short(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toFixed(1)));
}

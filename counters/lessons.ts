/** Judges what a student does in a lesson: a number that was predicted, a program that was changed. */
import { type CountedLaunch, expectationsIn, figureOfKernel, judge } from './expectations.ts';

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

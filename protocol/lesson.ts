/** A lesson as data: a program, and steps that runs of it are judged by. Files of examples/lessons. Types only. */

/** By language, as VS Code names them; `en` is always there. */
export type Texts = { readonly en: string } & Readonly<Record<string, string>>;

export interface Lesson {
  /** Name of its folder. */
  readonly id: string;
  readonly order: number;
  /** What the student begins with, in the lesson's folder. */
  readonly program: string;
  readonly title: Texts;
  /** Markdown. */
  readonly text: Texts;
  readonly steps: readonly LessonStep[];
}

export type LessonStep = PredictStep | FixStep;

/** The student says a number, and the run of the program as it is says whether it is right. */
export interface PredictStep {
  readonly id: string;
  readonly kind: 'predict';
  readonly kernel: string;
  /** As expectations name them. */
  readonly figure: string;
  readonly text: Texts;
}

/** The student changes the program until a run of it keeps all checks. */
export interface FixStep {
  readonly id: string;
  readonly kind: 'fix';
  /** As after `// lanewise: expect`. The program must also end with exit code 0 and without a fault. */
  readonly checks: readonly string[];
  /** A number that the program prints: at most this share of what the lesson's own program prints. */
  readonly printed?: { readonly number: string; readonly share: number };
  /** A program that keeps the checks, in the lesson's folder. */
  readonly solution: string;
  readonly text: Texts;
}

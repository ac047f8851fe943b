/** `lanewise lesson`: the course in a terminal. */
import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { differences } from '../counters/differences.ts';
import { judgeFix, type LessonRun } from '../counters/lessons.ts';
import { l10n, speak } from '../counters/spoken.ts';
import type { Lesson, Texts } from '../protocol/lesson.ts';
import { startSimulation } from '../simulator/simulate.ts';
import { releaseClang } from '../simulator/toolchain/clang-pool.ts';
import { type Command, UsageError } from './command.ts';
import { optionsOf } from './run.ts';
import { paletteFor } from './terminal.ts';

const FOLDER = join(fileURLToPath(import.meta.url), '../lessons');
/** The extension's texts, which are beside dist. */
const TRANSLATIONS = join(fileURLToPath(import.meta.url), '../../l10n');
const LANGUAGES = ['en', 'ja', 'ko', 'fr'];

export const lesson: Command = {
  name: 'lesson',
  summary: 'take a lesson: predict, run, fix, compare',
  help: `usage: lanewise lesson [NAME [FILE]] [--language en|ja|ko|fr]

Without a name: the lessons. With a name: copies the lesson's program to the current folder and says what to do. With the
file, which you have changed: runs it, and says which steps it does and what has become better. The exit code is 0 when all
steps are done.
`,
  run: async (args) => {
    const { language, rest } = languageOf(args);
    const [name, file, ...more] = rest;
    if (more.length > 0 || rest.some((arg) => arg.startsWith('-'))) throw new UsageError('lanewise lesson takes a name and a file');
    if (language !== 'en') speak(JSON.parse(readFileSync(join(TRANSLATIONS, `bundle.l10n.${language}.json`), 'utf8')));
    const inLanguage = (texts: Texts) => texts[language] ?? texts.en;
    const lessons = readdirSync(FOLDER)
      .map((each) => JSON.parse(readFileSync(join(FOLDER, each, 'lesson.json'), 'utf8')) as Lesson)
      .sort((a, b) => a.order - b.order);
    if (name === undefined) {
      for (const { id, title } of lessons) process.stdout.write(`${id.padEnd(20)}  ${inLanguage(title)}\n`);
      return 0;
    }
    const found = lessons.find(({ id }) => id === name);
    if (!found) throw new UsageError(`no lesson "${name}"; there are ${lessons.map(({ id }) => id).join(', ')}`);
    return file === undefined ? begin(found, inLanguage) : check(found, resolve(file));
  },
};

function languageOf(args: readonly string[]): { readonly language: string; readonly rest: readonly string[] } {
  const at = args.indexOf('--language');
  if (at < 0) return { language: 'en', rest: args };
  const language = args[at + 1] ?? '';
  if (!LANGUAGES.includes(language)) throw new UsageError(`--language is one of ${LANGUAGES.join(', ')}`);
  return { language, rest: args.toSpliced(at, 2) };
}

function begin({ id, program, title, text, steps }: Lesson, inLanguage: (texts: Texts) => string): number {
  const isThere = existsSync(program);
  if (!isThere) copyFileSync(join(FOLDER, id, program), program);
  const list = steps
    .map(({ kind, text: what }, index) => `${index + 1}. ${kind === 'predict' ? l10n.t('Predict') : l10n.t('Fix')}: ${inLanguage(what)}`)
    .join('\n');
  const file = isThere ? l10n.t('{0} is there already.', program) : l10n.t('{0} has been written here.', program);
  const commands = [`lanewise run ${program}`, `lanewise lesson ${id} ${program}`];
  const next = l10n.t('Run it, change it, and have it judged: {0}; {1}', ...commands);
  process.stdout.write(`${inLanguage(title)}\n\n${inLanguage(text)}\n\n${list}\n\n${file} ${next}\n`);
  return 0;
}

async function check(found: Lesson, file: string): Promise<number> {
  if (!existsSync(file)) throw new UsageError(`no such file: ${file}`);
  const [original, run] = [await runOf(join(FOLDER, found.id, found.program)), await runOf(file)];
  releaseClang();
  if (typeof original === 'string' || typeof run === 'string') {
    process.stderr.write(`${basename(file)}: ${typeof run === 'string' ? run : original}\n`);
    return 1;
  }
  const palette = paletteFor(process.stdout);
  let open = 0;
  for (const [index, step] of found.steps.entries()) {
    if (step.kind !== 'fix') continue;
    const broken = judgeFix(step, run, original).filter(({ kept }) => !kept);
    if (broken.length > 0) open++;
    const why = broken.map((each) => `; ${each.text}, ${l10n.t('found {0}', each.found)}`).join('');
    process.stdout.write(`${index + 1}. ${broken.length === 0 ? palette.green(l10n.t('done')) : palette.yellow(l10n.t('open'))}${why}\n`);
  }
  for (const line of differences(original.kernels, run.kernels)) process.stdout.write(`${line}\n`);
  return open === 0 ? 0 : 1;
}

async function runOf(file: string): Promise<LessonRun | string> {
  let output = '';
  const decoder = new TextDecoder();
  const take = (bytes: Uint8Array) => {
    output += decoder.decode(bytes, { stream: true });
  };
  const result = await startSimulation(optionsOf([file]).request, { stdout: take, stderr: take }).result;
  if (result.kind === 'finished') return { ...result.report, output };
  if (result.kind === 'refused') return result.message;
  return result.kind === 'cancelled' ? 'cancelled' : l10n.t('it does not compile: {0}', result.diagnostics[0]?.message ?? '');
}

/** `lanewise lesson`: the course in a terminal. */
import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { differences } from '../counters/differences.ts';
import { judgeFix, type LessonRun } from '../counters/lessons.ts';
import type { Lesson } from '../protocol/lesson.ts';
import { startSimulation } from '../simulator/simulate.ts';
import { releaseClang } from '../simulator/toolchain/clang-pool.ts';
import { type Command, UsageError } from './command.ts';
import { optionsOf } from './run.ts';
import { paletteFor } from './terminal.ts';

const FOLDER = join(fileURLToPath(import.meta.url), '../lessons');

export const lesson: Command = {
  name: 'lesson',
  summary: 'take a lesson: predict, run, fix, compare',
  help: `usage: lanewise lesson [NAME [FILE]]

Without a name: the lessons. With a name: copies the lesson's program to the current folder and says what to do. With the
file, which you have changed: runs it, and says which steps it does and what has become better. The exit code is 0 when all
steps are done.
`,
  run: async (args) => {
    const [name, file, ...more] = args;
    if (more.length > 0 || args.some((arg) => arg.startsWith('-'))) throw new UsageError('lanewise lesson takes a name and a file');
    const lessons = readdirSync(FOLDER)
      .map((each) => JSON.parse(readFileSync(join(FOLDER, each, 'lesson.json'), 'utf8')) as Lesson)
      .sort((a, b) => a.order - b.order);
    if (name === undefined) {
      for (const { id, title } of lessons) process.stdout.write(`${id.padEnd(20)}  ${title.en}\n`);
      return 0;
    }
    const found = lessons.find(({ id }) => id === name);
    if (!found) throw new UsageError(`no lesson "${name}"; there are ${lessons.map(({ id }) => id).join(', ')}`);
    return file === undefined ? begin(found) : check(found, resolve(file));
  },
};

function begin({ id, program, title, text, steps }: Lesson): number {
  const isThere = existsSync(program);
  if (!isThere) copyFileSync(join(FOLDER, id, program), program);
  const list = steps.map(({ kind, text: what }, index) => `${index + 1}. ${kind}: ${what.en}`).join('\n');
  const next = `${program} ${isThere ? 'is there already' : 'has been written here'}. lanewise run ${program}; then change it, and: lanewise lesson ${id} ${program}`;
  process.stdout.write(`${title.en}\n\n${text.en}\n\n${list}\n\n${next}\n`);
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
    const why = broken.map((each) => `; ${each.text}, found ${each.found}`).join('');
    process.stdout.write(`${index + 1}. ${broken.length === 0 ? palette.green('done') : palette.yellow('open')}${why}\n`);
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
  return result.kind === 'cancelled' ? 'cancelled' : `it does not compile: ${result.diagnostics[0]?.message ?? ''}`;
}

/**
 * Runs public programs and compares each prediction from the device code with what the run counts, place by place: lanes that part, sectors,
 * wavefronts and turns of atomics. `npm run bench:prediction -- DIR [--programs N] [--half A] [--only NAME,NAME] [--limit SECONDS]`, where
 * DIR holds HeCBench's folders. The programs are drawn by the hash of their names from those that a GPU ran, with the same small arguments.
 * They are in two halves: of half A, what differs is printed; of half B, sums only, so that it stays what nobody tuned for.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createAnalyzer } from '../analyzers/analyzer.ts';
import { packagedGrammars } from './grammars.ts';
import { type Folders, halfOf, hecbenchFolder, hecbenchSources, SETS, type SetName } from './measured.ts';
import { agrees, byPlace, type Compared, comparesOf, isPredicted } from './predictions.ts';

interface Measured {
  readonly args?: readonly string[];
  readonly source?: string;
}

/** One access or branch, with its copies. */
interface Place {
  readonly at: string;
  readonly what: string;
  /** undefined: not predicted. */
  readonly isRight: boolean | undefined;
  readonly run: number;
  readonly predicted: number | undefined;
}

interface Answer {
  readonly asRun: readonly Place[];
  readonly asText: readonly Place[];
}

const HOW = { asText: 'of what the text says', asRun: 'of the launches as they were' } as const;
type How = keyof typeof HOW;

class Sums {
  places = 0;
  predicted = 0;
  right = 0;

  add({ isRight }: Place): void {
    this.places++;
    if (isRight === undefined) return;
    this.predicted++;
    if (isRight) this.right++;
  }

  toString(): string {
    const share = (part: number, all: number) => `${part} of ${all} (${((100 * part) / Math.max(1, all)).toFixed(1)} %)`;
    return `predicted ${share(this.predicted, this.places)}, right ${share(this.right, this.predicted)}`;
  }
}

/** Instructions of warps: programs that need more are slow here, and stopped. */
const STEP_LIMIT = 1e8;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    programs: { type: 'string', default: '60' },
    half: { type: 'string' },
    only: { type: 'string' },
    limit: { type: 'string', default: '300' },
    answer: { type: 'string' },
  },
});
if (positionals.length !== 1) {
  console.error('usage: npm run bench:prediction -- DIR [--programs N] [--half A] [--only NAME,NAME] [--limit SECONDS]');
  process.exit(2);
}
const folders: Folders = { hecbench: resolve(positionals[0]) };
if (values.answer) process.stdout.write(JSON.stringify(await answerOf(values.answer)));
else compareAll();

function measured(): ReadonlyMap<string, Measured> {
  const sets = (Object.keys(SETS) as SetName[]).filter((set) => set !== 'reference' && set !== 'samples');
  const programs = sets.flatMap((set) => Object.entries(JSON.parse(readFileSync(SETS[set], 'utf8')) as Record<string, Measured>));
  return new Map(programs.filter(([name]) => hecbenchFolder(folders, name)));
}

function compareAll(): void {
  const only = values.only?.split(',');
  const hash = (name: string) => createHash('sha256').update(`prediction ${name}`).digest('hex');
  const drawn = [...measured().keys()].sort((a, b) => hash(a).localeCompare(hash(b))).slice(0, Number(values.programs));
  const sums = new Map<string, Sums>();
  const ran = { A: 0, B: 0 };
  for (const name of only ?? drawn) {
    const half = halfOf(name);
    if (values.half && values.half !== half) continue;
    const answer = answerInProcess(name);
    if (typeof answer === 'string') {
      console.log(`${half === 'A' ? name : 'a program of half B'}: ${half === 'A' ? answer : 'did not run'}`);
      continue;
    }
    ran[half]++;
    for (const how of Object.keys(HOW) as How[]) count(sums, name, how, answer[how]);
  }
  console.log(`\n${ran.A} programs of half A and ${ran.B} of half B`);
  for (const [title, each] of [...sums].sort(([a], [b]) => a.localeCompare(b))) console.log(`${title}: ${each}`);
}

function count(sums: Map<string, Sums>, name: string, how: How, places: readonly Place[]): void {
  const half = halfOf(name);
  const own = new Sums();
  for (const place of places) {
    own.add(place);
    for (const title of [`half ${half}, ${HOW[how]}`, `half ${half}, ${HOW[how]}, ${place.what}`]) {
      const sum = sums.get(title) ?? new Sums();
      sums.set(title, sum);
      sum.add(place);
    }
  }
  if (half === 'B') return;
  console.log(`${name}, ${HOW[how]}: ${own}`);
  for (const { at, what, run, predicted, isRight } of places)
    if (isRight === false) console.log(`  ${at}: ${what} ${predicted?.toFixed(3)} predicted, ${run.toFixed(3)} in the run`);
}

/** In a process of its own: a program may take all memory, or never end. */
function answerInProcess(name: string): Answer | string {
  const args = ['--max-old-space-size=4096', fileURLToPath(import.meta.url), folders.hecbench, '--answer', name];
  const child = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: Number(values.limit) * 1000, maxBuffer: 2 ** 28 });
  if (child.status === 0) {
    const answer: Answer = JSON.parse(child.stdout);
    return answer.asRun.length > 0 ? answer : 'no launch ended within the limit of instructions';
  }
  if (child.signal) return `did not end in ${values.limit} seconds`;
  return /^\w*Error: .*$/m.exec(child.stderr)?.[0].slice(0, 300) ?? 'failed';
}

async function answerOf(name: string): Promise<Answer> {
  const { args, source } = measured().get(name) ?? {};
  const sources = hecbenchSources(folders, name, source);
  if (!sources) throw new Error('no sources');
  const analyzer = await createAnalyzer(packagedGrammars());
  const includeDirs = [join(folders.hecbench, 'include'), join(folders.hecbench, 'src', 'include')];
  const program = { files: sources.files, includeDirs, args, readable: [folders.hecbench], stepLimit: STEP_LIMIT };
  const compares = await comparesOf(program, analyzer);
  return { asRun: placesOf(compares.asRun), asText: placesOf(compares.asText) };
}

function placesOf(rows: readonly Compared[]): Place[] {
  return byPlace(rows).map((copies) => {
    const isRight = isPredicted(copies) ? copies.every(agrees) : undefined;
    const { instruction, what, run, predicted } = copies.find((row) => !agrees(row)) ?? copies[0];
    const { file, line, column } = instruction.location ?? { file: '', line: 0, column: 0 };
    return { at: `${basename(file)}:${line}:${column} ${instruction.op}`, what, isRight, run, predicted };
  });
}

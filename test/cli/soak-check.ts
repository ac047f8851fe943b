/**
 * `lanewise check` on thousands of broken files: `npm run soak:check` takes the fixtures, `npm run soak:check -- DIR` the CUDA files and headers of a
 * folder. By a seed they are cut off, mutated, mixed with each other and filled with bytes, written to a folder, and checked by the real command.
 * It must not crash, must name every file once, and may take two seconds for each 1,000 lines of a file.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fixtures, pathsIn } from '../analyzers/sources.ts';
import { generator } from '../analyzers/syntax-helpers.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { files: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' }, keep: { type: 'string' } },
});
/** Above this, `check` refuses a file by its size: that needs no thousand tries. */
const MOST_BYTES = 300_000;
const AT_ONCE = 250;
const SECONDS_PER_THOUSAND_LINES = 2;
/** The command's start, and its threads'. */
const START_SECONDS = 10;

type Random = (limit: number) => number;
type Mutation = (bytes: Buffer, random: Random, others: readonly Buffer[]) => Buffer;

function spliced(bytes: Buffer, at: number, removed: number, inserted: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + removed)]);
}

const PIECES = [
  '(',
  ')',
  '{',
  '}',
  '<<<',
  '>>>',
  '[',
  ']',
  '"',
  "'",
  '/*',
  '*/',
  '\\\n',
  '#if 1\n',
  '#else\n',
  '#endif\n',
  '#define x(',
  '#include "',
  'R"(',
  '__global__ ',
  'template <',
  '\r',
  ';',
  '0x',
  '1e',
  '@',
  '\u2028',
  '\ufeff',
];

/** What happens to files: on the way, on the disk, under somebody's fingers. */
const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'cut off': (bytes, random) => bytes.subarray(0, random(bytes.length + 1)),
  'without its start': (bytes, random) => bytes.subarray(random(bytes.length + 1)),
  'bytes changed': (bytes, random) => {
    const changed = Buffer.from(bytes);
    for (let n = 1 + random(20); n > 0 && changed.length > 0; n--) changed[random(changed.length)] = random(256);
    return changed;
  },
  'characters changed': (bytes, random) => {
    const changed = Buffer.from(bytes);
    for (let n = 1 + random(40); n > 0 && changed.length > 0; n--) changed[random(changed.length)] = 32 + random(95);
    return changed;
  },
  'pieces inserted': (bytes, random) => {
    let changed = bytes;
    for (let n = 1 + random(10); n > 0; n--)
      changed = spliced(changed, random(changed.length + 1), random(4), Buffer.from(PIECES[random(PIECES.length)]));
    return changed;
  },
  'one piece a thousand times': (bytes, random) =>
    spliced(bytes, random(bytes.length + 1), 0, Buffer.from(PIECES[random(PIECES.length)].repeat(1000))),
  'a part twice': (bytes, random) => {
    const from = random(bytes.length + 1);
    return spliced(bytes, random(bytes.length + 1), 0, bytes.subarray(from, from + random(2000)));
  },
  'a part of another': (bytes, random, others) => {
    const other = others[random(others.length)];
    const from = random(other.length + 1);
    return spliced(bytes, random(bytes.length + 1), random(200), other.subarray(from, from + random(5000)));
  },
  'lines without their ends': (bytes) => Buffer.from(bytes.toString('latin1').replaceAll('\n', ' '), 'latin1'),
  'ends of lines as on old Macs': (bytes) => Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r'), 'latin1'),
  'UTF-16': (bytes) => Buffer.from(`\ufeff${bytes.toString('utf8')}`, 'utf16le'),
  'NUL bytes': (bytes, random) => spliced(bytes, random(bytes.length + 1), 0, Buffer.alloc(1 + random(50))),
  'bytes alone': (_, random) => Buffer.from(Array.from({ length: random(20_000) }, () => random(256))),
  'bytes alone, no NUL': (_, random) => Buffer.from(Array.from({ length: random(20_000) }, () => 1 + random(255))),
};

const texts = sourceTexts();
const count = Number(values.files);
const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'lanewise-soak-check-'));
const random = generator(Number(values.seed));
const names = Object.keys(MUTATIONS);
const problems: string[] = [];
const total = { findings: 0, notAnalysed: 0, slowest: 0 };
for (let start = 0; start < count; start += AT_ONCE) {
  const before = problems.length;
  const end = Math.min(count, start + AT_ONCE);
  await checkBatch(start, end);
  for (const problem of problems.slice(before)) console.log(problem);
  console.log(`${end} of ${count} files, ${problems.length} problems`);
}
console.log(
  `${count} files made from ${texts.length}: ${total.findings} findings, ${total.notAnalysed} not analysed, ${problems.length} problems; slowest group: ${total.slowest.toFixed(3)} s per 1,000 lines`,
);
if (values.keep === undefined) rmSync(folder, { recursive: true });
process.exitCode = problems.length > 0 || texts.length === 0 ? 1 : 0;

function sourceTexts(): readonly Buffer[] {
  const [from] = positionals;
  if (from === undefined) return fixtures().map(({ text }) => Buffer.from(text));
  return pathsIn(from, /\.(cuh?|h|hpp)$/)
    .filter((path) => statSync(path).size <= MOST_BYTES)
    .map((path) => readFileSync(path));
}

interface FileResult {
  readonly path: string;
  readonly findings: readonly object[];
  readonly notAnalysed?: string;
}

async function checkBatch(start: number, end: number): Promise<void> {
  const group = join(folder, `group-${start}`);
  mkdirSync(group, { recursive: true });
  const made = new Map<string, { readonly lines: number; readonly what: string }>();
  for (let index = start; index < end; index++) {
    const what = names[index % names.length];
    const bytes = MUTATIONS[what](texts[random(texts.length)], random, texts);
    const name = `f${index}.${index % 5 === 0 ? 'cuh' : 'cu'}`;
    writeFileSync(join(group, name), bytes);
    made.set(name, { lines: bytes.toString('latin1').split(/[\r\n]/).length, what });
  }
  const lines = [...made.values()].reduce((sum, each) => sum + each.lines, 0);
  const begin = performance.now();
  const { exit, stdout, stderr } = await lanewise(['check', '.', '--format', 'json'], group);
  const seconds = (performance.now() - begin) / 1000;
  total.slowest = Math.max(total.slowest, seconds / (lines / 1000));
  const where = `files ${start} to ${end - 1}`;
  if (exit !== 0 && exit !== 1) problems.push(`${where}: exit code ${exit}: ${stderr.slice(0, 500)}`);
  if (seconds > START_SECONDS + (SECONDS_PER_THOUSAND_LINES * lines) / 1000)
    problems.push(`${where}: ${seconds.toFixed(1)} s for ${lines} lines`);
  const results = parsed(stdout);
  if (!results) problems.push(`${where}: the answer is no JSON`);
  for (const { path, findings, notAnalysed } of results ?? []) {
    total.findings += findings.length;
    if (notAnalysed === undefined) continue;
    total.notAnalysed++;
    if (!/NUL bytes|UTF-16|nested too deeply/.test(notAnalysed)) problems.push(`${path} (${made.get(path)?.what}): ${notAnalysed}`);
  }
  const named = (results ?? []).map(({ path }) => path);
  if (results && (named.length !== made.size || !named.every((name) => made.has(name))))
    problems.push(`${where}: ${named.length} files named of ${made.size}`);
  if (values.keep === undefined) rmSync(group, { recursive: true });
}

function parsed(text: string): readonly FileResult[] | undefined {
  try {
    return JSON.parse(text) as FileResult[];
  } catch {
    return undefined;
  }
}

function lanewise(
  args: readonly string[],
  cwd: string,
): Promise<{ readonly exit: number | null; readonly stdout: string; readonly stderr: string }> {
  const child = spawn(process.execPath, [join(process.cwd(), 'dist/cli.mjs'), ...args], { cwd });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve) => child.on('close', (exit) => resolve({ exit, stdout, stderr })));
}

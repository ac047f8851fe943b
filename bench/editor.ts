/**
 * How fast the editor is served: from the start of the server's process to the findings of a file, from a one-character edit in a file
 * of a thousand lines to its new findings, without and with headers beside it, and from the click on a lens to the
 * output of the example reduction; how soon findings follow edits while a program runs, on two cores; how much memory the server takes
 * when idle and its runs leave behind; and how long `lanewise run` takes. Starts dist/server.mjs and speaks to it as the
 * extension does. `npm run bench:editor`
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createProtocolConnection, type ProtocolConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { SERVER_ENVIRONMENT } from '../client/server-environment.ts';
import type { RunOutcome } from '../protocol/run.ts';
import { processesOf, ticksOf } from './processes.ts';

const root = process.cwd();
const program = readFileSync(join(root, 'test/fixtures/editor/doubling.cu'), 'utf8');
/** For a text with nothing beside it. */
const alone = 'file:///bench.cu';
const rounds = 15;
const reduction = pathToFileURL(join(root, 'examples/reduction.cu')).href;

/** Servers run on two cores where the system can say so. */
const onTwoCores = cpus().length > 2 && spawnSync('taskset', ['--version']).status === 0;
const cores = onTwoCores || cpus().length === 2 ? 'two cores' : `${cpus().length} cores`;

const starts: number[] = [];
/** What the clock says on a machine that has other work, too, is theirs as much as ours. */
const startTicks: number[] = [];
console.log(`load of the machine: ${loadavg()[0].toFixed(1)} on ${cpus().length} cores`);
for (let round = 0; round < rounds; round++) starts.push(await startToFindings());
print('server start to findings', starts, 500);
console.log(
  `processor time of a start, of all its processes: median ${10 * [...startTicks].sort((a, b) => a - b)[Math.floor(rounds / 2)]} ms`,
);

const edits = await editsToFindings(1000, []);
print('one-character edit to findings, 1,000 lines', edits, 50);

const besideRun = await editsToFindings(1000, [], { running: readFileSync(join(root, 'test/fixtures/editor/endless.cu'), 'utf8') });
const ninetyFifth = [...besideRun].sort((a, b) => a - b)[Math.ceil(0.95 * besideRun.length) - 1];
console.log(
  `one-character edit to findings while a program runs, on ${cores}: 95th percentile ${ninetyFifth.toFixed(1)} ms of ${besideRun.length} (limit 100 ms)`,
);
if (ninetyFifth > 100) process.exitCode = 1;

const folder = mkdtempSync(join(tmpdir(), 'bench-editor-'));
const editsBesideHeaders = await editsToFindings(1000, writeHeaders());
print('the same with 4,000 lines of headers', editsBesideHeaders, 50);
const clicks = await clicksToOutput();
print('first click to output', [clicks.first], 3000);
print('first click, ten seconds after the file was opened', [await clickAfterWarmUp()], 1000);
print('clicks after an edit', clicks.edited, 1000);
print('clicks with nothing changed', clicks.unchanged, 300);

const cold = Array.from({ length: 5 }, () => commandLine('--no-cache'));
print(
  'lanewise run of a small kernel, compiled: processor time',
  cold.map(({ processorMs }) => processorMs),
  3500,
);
commandLine();
const known = Array.from({ length: 5 }, () => commandLine());
print(
  'lanewise run of a small kernel, unchanged',
  known.map(({ clockMs }) => clockMs),
  600,
);
rmSync(folder, { recursive: true });

const memory = clicks.memory;
console.log(
  `memory of the idle server and its processes, a file open: ${memory.before} MB (limit: 120 MB); ${memory.after} MB after runs, ${memory.idle} MB after a minute (limit: 50 MB more than before)`,
);
if (memory.before > 120 || memory.idle > memory.before + 50) process.exitCode = 1;

interface Clicks {
  readonly first: number;
  readonly edited: readonly number[];
  readonly unchanged: readonly number[];
  /** In MB. */
  readonly memory: { readonly before: number; readonly after: number; readonly idle: number };
}

/** From the click on a lens, compiling included, in a file whose text is another one at each click or the same. */
async function clicksToOutput(): Promise<Clicks> {
  const { connection, server, text, click } = await startToClick({});
  await new Promise((resolve) => setTimeout(resolve, 20_000));
  const before = memoryOf(server);
  const first = await click();
  const edited: number[] = [];
  for (let version = 2; version <= 6; version++) {
    const change = { textDocument: { uri: reduction, version }, contentChanges: [{ text: `${text}// version ${version}\n` }] };
    void connection.sendNotification('textDocument/didChange', change);
    edited.push(await click());
  }
  const unchanged: number[] = [];
  for (let round = 0; round < 5; round++) {
    // Somebody looks at what has come.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    unchanged.push(await click());
  }
  const after = memoryOf(server);
  await new Promise((resolve) => setTimeout(resolve, 60_000));
  const idle = memoryOf(server);
  await stop(connection, server);
  return { first, edited, unchanged, memory: { before, after, idle } };
}

async function clickAfterWarmUp(): Promise<number> {
  const { connection, server, click } = await startToClick({ trustedWorkspace: true });
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  const elapsed = await click();
  await stop(connection, server);
  return elapsed;
}

/** A server with an open program that it never ran. */
async function startToClick(options: object) {
  const cacheFolder = mkdtempSync(join(folder, 'programs-'));
  const { connection, server } = await start({ ...options, cacheFolder });
  let output: (() => void) | undefined;
  connection.onNotification('lanewise/output', () => output?.());
  const text = readFileSync(join(root, 'examples/reduction.cu'), 'utf8');
  open(connection, reduction, text);
  await findings(connection, reduction);
  /** Milliseconds to its first output. */
  const click = async () => {
    const begin = performance.now();
    const heard = new Promise<void>((resolve) => {
      output = resolve;
    });
    const run = connection.sendRequest<RunOutcome>('lanewise/run', { uri: reduction, args: ['65536'] });
    await heard;
    const elapsed = performance.now() - begin;
    const outcome = await run;
    if (outcome.kind !== 'finished') throw new Error(`the benchmark measures programs that run: ${JSON.stringify(outcome)}`);
    return elapsed;
  };
  return { connection, server, text, click };
}

/** `lanewise run` of a small program. Processor time is that of all its processes, 0 on systems without /proc. */
function commandLine(...options: string[]): { readonly clockMs: number; readonly processorMs: number } {
  const file = join(folder, 'small.cu');
  writeFileSync(
    file,
    '#include <cstdio>\n__global__ void k(int* a) { a[threadIdx.x] = threadIdx.x; }\nint main() {\n  int *d, h[32];\n  cudaMalloc(&d, 128);\n  k<<<1, 32>>>(d);\n  cudaMemcpy(h, d, 128, cudaMemcpyDeviceToHost);\n  printf("%d\\n", h[31]);\n}\n',
  );
  const usedBefore = childrensTicks();
  const begin = performance.now();
  const { status } = spawnSync(process.execPath, [join(root, 'dist/cli.mjs'), 'run', '-q', ...options, file], {
    env: { ...process.env, XDG_CACHE_HOME: folder },
  });
  if (status !== 0) throw new Error(`lanewise run ended with ${status}`);
  return { clockMs: performance.now() - begin, processorMs: (childrensTicks() - usedBefore) * 10 };
}

/** Hundredths of a second that ended child processes and theirs took (proc(5), fields 16 and 17 of stat). */
function childrensTicks(): number {
  if (!existsSync('/proc/self/stat')) return 0;
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
  return Number(fields[13]) + Number(fields[14]);
}

/** Memory of a process and everything it started, pages that they share counted once, in MB. Zero where there is no /proc. */
function memoryOf(server: ChildProcess): number {
  const parts = processesOf(server).flatMap((pid) => {
    const file = `/proc/${pid}/smaps_rollup`;
    if (!existsSync(file)) return [];
    const kilobytes = (name: string) => Number(new RegExp(`^${name}: +(\\d+)`, 'm').exec(readFileSync(file, 'utf8'))?.[1] ?? 0);
    return [
      { own: kilobytes('Private_Clean') + kilobytes('Private_Dirty'), shared: kilobytes('Shared_Clean') + kilobytes('Shared_Dirty') },
    ];
  });
  return Math.round((parts.reduce((sum, { own }) => sum + own, 0) + Math.max(0, ...parts.map(({ shared }) => shared))) / 1000);
}

async function startToFindings(): Promise<number> {
  const begin = performance.now();
  const { connection, server } = await start();
  open(connection, alone, program);
  await findings(connection, alone);
  const elapsed = performance.now() - begin;
  startTicks.push(ticksOf(server));
  await stop(connection, server);
  return elapsed;
}

/** Ten headers with structures, device functions and kernels; their names. */
function writeHeaders(): string[] {
  return Array.from({ length: 10 }, (_, h) => {
    const part = (k: number) => `struct S${h}_${k} {
  float a, b;
  int c[${k + 1}];
};
__device__ inline float f${h}_${k}(float x, int n) {
  float s = 0;
  for (int i = 0; i < n; i++) s += x * i;
  return s;
}
__global__ void kernel${h}_${k}(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = f${h}_${k}(v[i], n);
}
`;
    const name = `header${h}.cuh`;
    writeFileSync(join(folder, name), `#pragma once\n${Array.from({ length: 30 }, (_, k) => part(k)).join('')}`);
    return name;
  });
}

/** `running`: a program that does not end, which is run all the while, on two cores. */
async function editsToFindings(lineCount: number, headers: readonly string[], { running }: { running?: string } = {}): Promise<number[]> {
  const { connection, server } = await start({}, { twoCores: running !== undefined });
  if (running !== undefined) await runWithoutEnd(connection, running);
  const kernels = program.slice(program.indexOf('// Even'), program.indexOf('int main'));
  let text = program;
  for (let copy = 0; text.split('\n').length < lineCount; copy++) text += kernels.replace(/doubleEven|spread/g, (name) => `${name}${copy}`);
  text = headers.map((name) => `#include "${name}"\n`).join('') + text;
  const uri = headers.length > 0 ? pathToFileURL(join(folder, 'bench.cu')).href : alone;
  open(connection, uri, text);
  const line = text.split('\n').findIndex((candidate) => candidate.includes('% 2 == 0'));
  const character = text.split('\n')[line].indexOf('% 2') + 2;
  await findings(connection, uri);
  const times: number[] = [];
  const ticksBefore = ticksOf(server);
  for (let version = 2; version < 2 + 4 * rounds; version++) {
    const begin = performance.now();
    const range = { start: { line, character }, end: { line, character: character + 1 } };
    const change = { textDocument: { uri, version }, contentChanges: [{ range, text: version % 2 === 0 ? '4' : '2' }] };
    void connection.sendNotification('textDocument/didChange', change);
    await findings(connection, uri);
    times.push(performance.now() - begin);
  }
  // A program that runs takes its own.
  if (running === undefined)
    console.log(`processor time of an edit: ${((10 * (ticksOf(server) - ticksBefore)) / times.length).toFixed(1)} ms`);
  await stop(connection, server);
  return times;
}

/** Comes back when it prints. */
async function runWithoutEnd(connection: ProtocolConnection, text: string): Promise<void> {
  const file = join(mkdtempSync(join(tmpdir(), 'bench-running-')), 'endless.cu');
  writeFileSync(file, text);
  const uri = pathToFileURL(file).href;
  open(connection, uri, text);
  const heard = new Promise<void>((resolve) => void connection.onNotification('lanewise/output', () => resolve()));
  connection.sendRequest('lanewise/run', { uri }).catch(() => undefined);
  await heard;
}

async function start(options: object = {}, { twoCores = false } = {}): Promise<{ connection: ProtocolConnection; server: ChildProcess }> {
  const command = [...(twoCores && onTwoCores ? ['taskset', '-c', '0,1'] : []), process.execPath, join(root, 'dist/server.mjs'), '--stdio'];
  const server = spawn(command[0], command.slice(1), {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...SERVER_ENVIRONMENT },
  });
  const connection = createProtocolConnection(new StreamMessageReader(server.stdout!), new StreamMessageWriter(server.stdin!));
  connection.listen();
  await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri: null,
    capabilities: { textDocument: { diagnostic: {} } },
    initializationOptions: { ownCommands: true, ...options },
  });
  void connection.sendNotification('initialized', {});
  return { connection, server };
}

function open(connection: ProtocolConnection, uri: string, text: string): void {
  void connection.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId: 'cuda-cpp', version: 1, text } });
}

async function findings(connection: ProtocolConnection, uri: string): Promise<void> {
  const report = await connection.sendRequest<{ items: unknown[] }>('textDocument/diagnostic', { textDocument: { uri } });
  if (report.items.length === 0) throw new Error('the benchmark measures finding something, and nothing was found');
}

async function stop(connection: ProtocolConnection, server: ChildProcess): Promise<void> {
  const exited = new Promise((resolve) => server.once('exit', resolve));
  await connection.sendRequest('shutdown');
  void connection.sendNotification('exit');
  await exited;
}

function print(what: string, times: readonly number[], limit: number): void {
  const sorted = [...times].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  const worst = sorted.at(-1)!;
  console.log(`${what}: median ${median.toFixed(1)} ms, worst ${worst.toFixed(1)} ms of ${times.length} (limit ${limit} ms)`);
  if (median > limit) process.exitCode = 1;
}

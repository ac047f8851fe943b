/**
 * How fast the editor is served: from the start of the server's process to the findings of a file, from a one-character edit in a file
 * of a thousand lines to its new findings, without and with headers beside it, and from the click on a lens to the output of the example reduction. Speaks to dist/server.mjs as an editor does. `npm run bench:editor`
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createProtocolConnection, type ProtocolConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';

const root = process.cwd();
const program = readFileSync(join(root, 'test/fixtures/editor/doubling.cu'), 'utf8');
/** Of a text with nothing beside it. */
const alone = 'file:///bench.cu';
const rounds = 15;

const starts: number[] = [];
for (let round = 0; round < rounds; round++) starts.push(await startToFindings());
print('server start to findings', starts, 500);

const edits = await editsToFindings(1000, []);
print('one-character edit to findings, 1,000 lines', edits, 50);

const folder = mkdtempSync(join(tmpdir(), 'bench-editor-'));
const editsBesideHeaders = await editsToFindings(1000, writeHeaders());
print('the same with 4,000 lines of headers', editsBesideHeaders, 50);
rmSync(folder, { recursive: true });

const [first, ...later] = await clicksToOutput(5);
print('first click to output', [first], 10_000);
print('later clicks to output', later, 4000);

/** Compiling included: nothing of a program is kept between its runs. */
async function clicksToOutput(clicks: number): Promise<number[]> {
  const { connection, server } = await start();
  let output: (() => void) | undefined;
  connection.onNotification('lanewise/output', () => output?.());
  const times: number[] = [];
  for (let click = 0; click < clicks; click++) {
    const begin = performance.now();
    const heard = new Promise<void>((resolve) => {
      output = resolve;
    });
    const run = connection.sendRequest('lanewise/run', { uri: pathToFileURL(join(root, 'examples/reduction.cu')).href, args: ['65536'] });
    await heard;
    times.push(performance.now() - begin);
    await run;
  }
  await stop(connection, server);
  return times;
}

async function startToFindings(): Promise<number> {
  const begin = performance.now();
  const { connection, server } = await start();
  open(connection, alone, program);
  await findings(connection, alone);
  const elapsed = performance.now() - begin;
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

async function editsToFindings(lineCount: number, headers: readonly string[]): Promise<number[]> {
  const { connection, server } = await start();
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
  for (let version = 2; version < 2 + 4 * rounds; version++) {
    const begin = performance.now();
    const range = { start: { line, character }, end: { line, character: character + 1 } };
    const change = { textDocument: { uri, version }, contentChanges: [{ range, text: version % 2 === 0 ? '4' : '2' }] };
    void connection.sendNotification('textDocument/didChange', change);
    await findings(connection, uri);
    times.push(performance.now() - begin);
  }
  await stop(connection, server);
  return times;
}

async function start(): Promise<{ connection: ProtocolConnection; server: ChildProcess }> {
  const server = spawn(process.execPath, [join(root, 'dist/server.mjs'), '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const connection = createProtocolConnection(new StreamMessageReader(server.stdout!), new StreamMessageWriter(server.stdin!));
  connection.listen();
  await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri: null,
    capabilities: { textDocument: { diagnostic: {} } },
    initializationOptions: { ownCommands: true },
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

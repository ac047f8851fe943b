/**
 * What the editor offers of C++, on public files: whether completion has the name that stands at random places, and how long completion,
 * definitions and errors take. `npm run bench:language -- DIR [--files 30] [--places 10] [--seed 1]`
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import {
  type CompletionList,
  createProtocolConnection,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { ticksOf } from './processes.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { files: { type: 'string', default: '30' }, places: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } },
});
const [dir] = positionals;
if (!dir) {
  console.error('Usage: npm run bench:language -- DIR [--files 30] [--places 10] [--seed 1]');
  process.exit(2);
}

let state = Number(values.seed);
const below = (limit: number) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
};

/** HIP's and SYCL's headers. */
const OTHER_SYSTEMS = /^[ \t]*#[ \t]*include[ \t]*[<"](hip|rocm|rocprim|hipcub|sycl|CL)\//m;

interface Use {
  readonly name: string;
  readonly line: number;
  readonly character: number;
}

const MS_PER_TICK = 10;
const folder = mkdtempSync(join(tmpdir(), 'bench-language-'));
const server = spawn(process.execPath, [join(process.cwd(), 'dist/server.mjs'), '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
const connection = createProtocolConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
const published: ((params: PublishDiagnosticsParams) => void)[] = [];
connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
  for (const hear of published) hear(params);
});
connection.listen();
await connection.sendRequest('initialize', {
  processId: process.pid,
  rootUri: null,
  capabilities: { textDocument: { diagnostic: {}, completion: { completionItem: { snippetSupport: true } } } },
  initializationOptions: { ownCommands: true, trustedWorkspace: true, otherLanguageServer: false, cacheFolder: folder },
});
void connection.sendNotification('initialized', {});

await errorTimes();
await completionAndDefinitions();
await connection.sendRequest('shutdown');
void connection.sendNotification('exit');
rmSync(folder, { recursive: true });

async function completionAndDefinitions(): Promise<void> {
  const files = programs(dir).sort((a, b) => hash(a) - hash(b));
  const completions: number[] = [];
  const processorTimes: number[] = [];
  const definitions: number[] = [];
  let asked = 0;
  let missed = 0;
  for (const path of files.slice(0, Number(values.files))) {
    const text = readFileSync(path, 'latin1');
    const uses = usesIn(text);
    if (uses.length === 0) continue;
    const textDocument = { uri: pathToFileURL(path).href };
    void connection.sendNotification('textDocument/didOpen', {
      textDocument: { ...textDocument, languageId: 'cuda-cpp', version: 1, text },
    });
    // What somebody meets who has opened the file a while ago.
    await connection.sendRequest('textDocument/documentSymbol', { textDocument });
    await delay(2500);
    for (let place = 0; place < Number(values.places); place++) {
      const { name, line, character } = uses[below(uses.length)];
      const before = ticksOf(server);
      const [ms, list] = await timed(() =>
        connection.sendRequest<CompletionList | null>('textDocument/completion', {
          textDocument,
          position: { line, character: character + 1 },
        }),
      );
      completions.push(ms);
      processorTimes.push(MS_PER_TICK * (ticksOf(server) - before));
      asked++;
      if (!list?.items.some(({ label }) => label === name)) {
        missed++;
        console.log(`  not offered: ${name} at ${path}:${line + 1}:${character + 1}`);
      }
      const [toDefinition] = await timed(() =>
        connection.sendRequest('textDocument/definition', { textDocument, position: { line, character: character + 1 } }),
      );
      definitions.push(toDefinition);
    }
    void connection.sendNotification('textDocument/didClose', { textDocument });
  }
  console.log(
    `completion: the name was offered at ${asked - missed} of ${asked} places (${((100 * (asked - missed)) / asked).toFixed(1)} %, aim: 95)`,
  );
  print('completion', completions, 300);
  // What the clock says on a machine that has other work, too, is theirs as much as ours.
  print('completion, processor time of the server and its processes', processorTimes, 300);
  print('definition', definitions, 200);
}

/** From the last keystroke in a program of a thousand lines, which takes its error away or brings it, to what Clang says of it. */
async function errorTimes(): Promise<void> {
  const kernels = Array.from({ length: 110 }, (_, k) => kernel(k)).join('\n');
  const text = `#include <cstdio>\n#include <vector>\n${kernels}\nint main() {\n  std::vector<float> host(256);\n  undeclared();\n}\n`;
  const uri = pathToFileURL(join(folder, 'thousand.cu')).href;
  const line = text.split('\n').findIndex((each) => each.includes('undeclared'));
  void connection.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId: 'cuda-cpp', version: 1, text } });
  await clangSays(uri, true);
  const times: number[] = [];
  const processorTimes: number[] = [];
  for (let version = 2; version < 14; version++) {
    const isError = version % 2 === 1;
    const range = { start: { line, character: 2 }, end: { line, character: isError ? 4 : 2 } };
    const said = clangSays(uri, isError);
    const before = ticksOf(server);
    const begin = performance.now();
    void connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [{ range, text: isError ? '' : '//' }],
    });
    await said;
    times.push(performance.now() - begin);
    processorTimes.push(MS_PER_TICK * (ticksOf(server) - before));
  }
  void connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  print(`errors in ${text.split('\n').length} lines, the pause included`, times, 1000);
  print('errors, processor time of the server and its processes', processorTimes, 1000);
}

function clangSays(uri: string, isError: boolean): Promise<void> {
  return new Promise((resolve) => {
    const hear = (params: PublishDiagnosticsParams) => {
      if (params.uri !== uri || params.diagnostics.some(({ source }) => source === 'clang') !== isError) return;
      published.splice(published.indexOf(hear), 1);
      resolve();
    };
    published.push(hear);
  });
}

function kernel(k: number): string {
  return `__global__ void kernel${k}(const float* in, float* out, int n) {
  __shared__ float tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int s = 128; s > 0; s /= 2) {
    if (threadIdx.x < s) tile[threadIdx.x] += tile[threadIdx.x + s];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = tile[0] * ${k}.0f;
}`;
}

/** Where names are used, rather than declared: behind an operator, a bracket or `return`. */
function usesIn(text: string): Use[] {
  const blank = (part: string) => part.replace(/[^\n]/g, ' ');
  const code = text
    .replace(/\/\/.*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g, blank)
    .replace(/^[ \t]*#(?:.*\\\r?\n)*.*/gm, blank);
  const uses: Use[] = [];
  const lines = code.split('\n');
  lines.forEach((lineText, line) => {
    for (const { 0: name, index } of lineText.matchAll(/[A-Za-z_]\w\w+/g)) {
      const before = lineText.slice(0, index);
      const isUse = /(?:[([,=+/%!<|?.]|->|::|\breturn\s)\s*$/.test(before) && !/[\w']$/.test(before);
      if (isUse && !isDeclared(lines, line, before)) uses.push({ name, line, character: index });
    }
  });
  return uses;
}

/** Whether the next name is one of several that a statement declares: `float a = f(x, y), b`. */
function isDeclared(lines: readonly string[], line: number, before: string): boolean {
  if (!/,\s*$/.test(before) && before.trim() !== '') return false;
  let statement = [...lines.slice(Math.max(0, line - 20), line), before].join('\n').split(/[;{}]/).at(-1)!;
  for (let shorter = ''; shorter !== statement; ) {
    shorter = statement;
    statement = statement.replace(/\([^()]*\)|\[[^[\]]*\]/g, '');
  }
  return (
    /,\s*$/.test(statement) &&
    !/[([]/.test(statement) &&
    /^\s*(?!return\b|case\b|goto\b|delete\b|throw\b)[\w:<>]+(?:\s+[\w:<>]+)*[\s*&]+\w+\s*[,=]/.test(statement)
  );
}

/** Programs in CUDA: some suites have the same ones for other systems beside them, under the same names. */
function programs(root: string): string[] {
  const entries = readdirSync(root, { withFileTypes: true });
  const texts = entries
    .filter((entry) => entry.isFile() && /\.(cu|cuh|h|hpp)$/.test(entry.name))
    .map(({ name }) => [join(root, name), readFileSync(join(root, name), 'latin1')] as const);
  const mains = texts.filter(([path, text]) => path.endsWith('.cu') && /\bmain\s*\(/.test(text)).map(([path]) => path);
  const inner = entries.filter((entry) => entry.isDirectory()).flatMap(({ name }) => programs(join(root, name)));
  return texts.some(([, text]) => OTHER_SYSTEMS.test(text)) ? inner : [...mains, ...inner];
}

function hash(text: string): number {
  let value = Number(values.seed);
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return value;
}

async function timed<T>(action: () => Promise<T>): Promise<[number, T]> {
  const begin = performance.now();
  const result = await action();
  return [performance.now() - begin, result];
}

function print(what: string, times: number[], limit: number): void {
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))].toFixed(0);
  const isOver = times[Math.floor(times.length / 2)] > limit;
  console.log(
    `${what}: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, worst ${at(1)} ms of ${times.length} (limit for the median: ${limit} ms)${isOver ? ' OVER' : ''}`,
  );
  if (isOver) process.exitCode = 1;
}

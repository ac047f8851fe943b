/**
 * The language server under everything that a client can do to it: `npm run soak:server -- [DIR...] [--minutes 1.5] [--seed N] [--documents N] [--patience SECONDS]`.
 * Opens, edits, closes and asks about the fixtures and the CUDA files of the folders, whole and mutilated; runs programs and cancels them;
 * sends what is no message; kills the server's processes. Every request must be answered, nothing may crash, memory may not grow, and no
 * process and no temporary file may be left, however the client leaves.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { pathsIn } from '../analyzers/sources.ts';
import { root } from './editor.ts';
import { type Message, RawClient } from './raw-client.ts';
import { goodbyes } from './soak-goodbyes.ts';
import { methods, pieces, words } from './soak-pieces.ts';
import { type Random, randomOf } from './soak-random.ts';
import { Watched } from './watched.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '1.5' },
    seed: { type: 'string' },
    documents: { type: 'string', default: '10000' },
    patience: { type: 'string', default: '120' },
  },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const mostDocuments = Number(values.documents);

/** In the texts, and in nothing that the server logs. */
const SECRET = 'kSecretOfTheSource';
/** A file that takes both processes that analyse to their limits takes 35 seconds; several wait for each other. A busy machine needs more. */
const ANSWER_SECONDS = Number(values.patience);
/** The server itself answers whatever its processes do. */
const PING_SECONDS = ANSWER_SECONDS / 8;
const LIMIT_MB = 50;
const MOST_OPEN = 400;

const program = `#include <cstdio>
__global__ void ${SECRET}(int* v) { v[threadIdx.x] = threadIdx.x; }
int main() {
  int* v;
  cudaMallocManaged(&v, 256);
  for (int i = 0; i < LOOPS; i++) ${SECRET}<<<1, 64>>>(v);
  cudaDeviceSynchronize();
  std::printf("%d\\n", v[63]);
}
`;

interface Open {
  text: TextDocument;
  /** Nobody touches it while it is compared. */
  busy?: boolean;
  /** The server cannot know the text any more. */
  lost: boolean;
}

interface Pending {
  readonly what: string;
  readonly since: number;
  readonly seconds: number;
}

interface Sample {
  readonly minute: number;
  readonly rssMb: number;
  readonly usedMb: number;
  readonly analysisMb: number | undefined;
}

class Soak {
  readonly problems: string[] = [];
  private told = 0;
  readonly samples: Sample[] = [];
  readonly counts = new Map<string, number>();
  slowestPing = 0;
  slowestAnswer = { seconds: 0, what: '' };
  opened = 0;
  private readonly random: Random = randomOf(seed);
  private readonly watched = new Watched();
  private readonly sources: readonly string[];
  private readonly open = new Map<string, Open>();
  private readonly pending = new Set<Pending>();
  private readonly running = new Set<string>();
  private client!: RawClient;
  private begin = 0;

  constructor(sources: readonly string[]) {
    this.sources = sources;
  }

  async run(): Promise<void> {
    this.begin = performance.now();
    this.client = await RawClient.initialized(
      {
        workspaceFolders: [{ uri: pathToFileURL(root).href, name: 'soak' }],
        capabilities: {
          textDocument: { diagnostic: {} },
          workspace: { configuration: true, codeLens: { refreshSupport: true }, didChangeWatchedFiles: { dynamicRegistration: true } },
        },
        initializationOptions: { ownCommands: true, hoverPictures: true, trustedWorkspace: true, otherLanguageServer: false },
      },
      { environment: this.watched.environment, heard: (message) => this.hear(message) },
    );
    let ended = false;
    void this.client.exit.then((code) => {
      if (!ended) this.problems.push(`the server ended with ${code}`);
      ended = true;
    });
    mkdirSync(join(this.watched.work, 'inc'));
    const pings = this.watchOver(() => ended);
    const quietEvery = Math.min(60_000, (minutes * 60_000) / 12);
    let nextQuiet = this.begin + quietEvery;
    while (!ended && this.problems.length < 20 && this.elapsed() < minutes * 60) {
      await this.step();
      if (performance.now() < nextQuiet) continue;
      await this.quiet();
      nextQuiet = performance.now() + quietEvery;
    }
    if (!ended) {
      await this.quiet();
      ended = true;
      const code = await this.client.stop();
      if (code !== 0) this.problems.push(`the server ended with ${code} after shutdown and exit`);
    }
    await pings;
    const left = await this.watched.left();
    if (left.length > 0) this.problems.push(`processes are left: ${left.join('; ')}`);
    const files = this.watched.temporaryFiles();
    if (files.length > 0) this.problems.push(`temporary files are left: ${files.slice(0, 5).join(', ')}`);
    this.watched.remove();
  }

  private elapsed(): number {
    return (performance.now() - this.begin) / 1000;
  }

  /** One thing that a client does, chosen by its weight. */
  private async step(): Promise<void> {
    const { random } = this;
    const actions: readonly (readonly [number, string, () => void | Promise<void>])[] = [
      [this.open.size < MOST_OPEN ? 14 : 2, 'open', () => this.openOne()],
      [40, 'edit', () => this.edit()],
      [this.open.size < MOST_OPEN / 2 ? 3 : 12, 'close', () => this.closeOne()],
      [40, 'question', () => this.question()],
      [2, 'burst', () => this.burst()],
      [2, 'nonsense', () => this.nonsense()],
      [2, 'settings', () => this.client.notify('workspace/didChangeConfiguration', { settings: null })],
      [3, 'header', () => this.changeHeader()],
      [1, 'comparison', () => void this.compare()],
      [0.25, 'run', () => this.startRun()],
      [0.05, 'kill', () => this.kill()],
      [0.02, 'flood', () => this.flood()],
      [60, 'pause', () => delay(random.below(10))],
    ];
    const [, name, action] = random.weighted(actions, ([weight]) => weight);
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    await action();
    // A client that sends faster than the server answers would only fill a queue.
    while (this.pending.size > 200) await delay(10);
  }

  private openOne(): string {
    const { random } = this;
    const source = random.of(this.sources);
    const uri = `${pathToFileURL(source).href.replace(/\.\w+$/, '')}.soak${this.opened % mostDocuments}.cu`;
    this.opened++;
    const text = `// ${SECRET}\n${this.mutilated(readFileSync(source, 'utf8'))}`;
    this.client.open(uri, text, 1);
    this.open.set(uri, { text: TextDocument.create(uri, 'cuda-cpp', 1, text), lost: false });
    return uri;
  }

  private mutilated(text: string): string {
    const { random } = this;
    switch (random.below(10)) {
      case 0:
        return text.slice(0, random.below(text.length + 1));
      case 1:
        return text.slice(random.below(text.length + 1));
      case 2: {
        const at = random.below(text.length + 1);
        return text.slice(0, at) + random.of(pieces) + text.slice(at);
      }
      case 3:
        return text.replaceAll('\n', random.of(['\r\n', '\r', ' ', '\u2028']));
      case 4:
        return text.replace(/\w+/g, (word) => (random.below(50) === 0 ? random.of(words) : word));
      case 5:
        return random.below(5) === 0 ? text.repeat(1 + random.below(8)) : text;
      case 6:
        return random.below(5) === 0 ? random.of(['\0', '{', '(', '<', 'A(', '#if 1\n', '"']).repeat(random.below(60_000)) : text;
      default:
        return text;
    }
  }

  private anyOpen(): string | undefined {
    return this.open.size === 0 ? undefined : this.random.of([...this.open.keys()]);
  }

  private edit(uri = this.anyOpen()): void {
    const document = uri === undefined ? undefined : this.open.get(uri);
    if (!uri || !document || document.busy) return;
    const { random } = this;
    const version = random.below(50) === 0 ? random.below(100) : document.text.version + 1;
    const contentChanges: unknown[] = [];
    for (let i = random.below(3); i >= 0; i--) {
      if (random.below(100) === 0) {
        contentChanges.push(random.of([null, {}, { text: 7 }, { range: { start: { line: -1, character: 0 }, end: {} }, text: '' }]));
        document.lost = true;
        continue;
      }
      const text = random.of(random.below(2) === 0 ? pieces : words);
      const change =
        random.below(40) === 0 ? { text: this.mutilated(document.text.getText()) } : { range: this.range(document.text), text };
      contentChanges.push(change);
    }
    this.client.notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges });
    const valid = contentChanges.every((change) => typeof (change as { text?: unknown } | null)?.text === 'string' && isPossible(change));
    if (valid) {
      document.text = TextDocument.update(document.text, contentChanges as Parameters<typeof TextDocument.update>[1], version);
      if (contentChanges.some((change) => !('range' in (change as object)))) document.lost = false;
    } else document.lost = true;
  }

  private range(text: TextDocument): { start: object; end: object } {
    const { random } = this;
    const line = random.below(text.lineCount + (random.below(20) === 0 ? 1000 : 0));
    const start = { line, character: random.below(random.below(20) === 0 ? 1e9 : 60) };
    const end = { line: line + (random.below(4) === 0 ? random.below(6) : 0), character: random.below(60) };
    return { start, end };
  }

  private closeOne(uri = this.anyOpen()): void {
    if (uri === undefined || this.open.get(uri)?.busy) return;
    this.open.delete(uri);
    this.client.close(uri);
  }

  private question(): void {
    const { random } = this;
    const uri = random.below(30) === 0 ? 'file:///never/opened.cu' : this.anyOpen();
    if (uri === undefined) return;
    const textDocument = { uri };
    const range = this.range(this.open.get(uri)?.text ?? TextDocument.create(uri, '', 1, ''));
    const [method, params] = random.of([
      ['textDocument/diagnostic', { textDocument, previousResultId: random.below(3) === 0 ? '1.2' : undefined }],
      ['textDocument/hover', { textDocument, position: range.start }],
      ['textDocument/codeLens', { textDocument }],
      ['textDocument/completion', { textDocument, position: range.start }],
      ['textDocument/signatureHelp', { textDocument, position: range.start }],
      ['textDocument/definition', { textDocument, position: range.start }],
      ['textDocument/rename', { textDocument, position: range.start, newName: 'renamed' }],
      ['textDocument/documentSymbol', { textDocument }],
      ['textDocument/codeAction', { textDocument, range, context: { diagnostics: [] } }],
    ] as const);
    void this.ask(method, params);
    if (random.below(4) === 0) this.client.notify('$/cancelRequest', { id: this.client.id });
  }

  /** As somebody types: a question after each keystroke, the one before cancelled. */
  private burst(): void {
    const uri = this.anyOpen();
    for (let i = 0; uri !== undefined && i < 20; i++) {
      this.edit(uri);
      void this.ask('textDocument/diagnostic', { textDocument: { uri } });
      if (i < 19) this.client.notify('$/cancelRequest', { id: this.client.id });
    }
  }

  private nonsense(): void {
    const { random, client } = this;
    switch (random.below(6)) {
      case 0:
        client.frame(random.of(['{', 'null', '[]', '7', `{"jsonrpc":"2.0","method":"${SECRET}`, '{"id":{}}', '"x"']));
        break;
      case 1:
        client.bytes(random.of(['Content-Length: x\r\n\r\n', `${SECRET}\r\n\r\n`, 'Content-Length: 99999999999999\r\n\r\n']));
        break;
      case 2:
        client.notify(random.of(methods), random.of([undefined, null, [], 7, 'x', {}, { textDocument: {} }, { uri: 5 }]));
        break;
      case 3:
        client.notify('textDocument/didChange', {
          textDocument: { uri: 'file:///never/opened.cu', version: 3 },
          contentChanges: [{ text: SECRET }],
        });
        break;
      case 4:
        client.notify('$/cancelRequest', { id: random.below(1e6) });
        break;
      default:
        void this.ask(random.of(methods), random.of([undefined, [], {}, { textDocument: { uri: 5 } }]));
    }
  }

  private changeHeader(): void {
    // What is compared may include it, or be it.
    if ([...this.open.values()].some(({ busy }) => busy)) return;
    const header = join(this.watched.work, 'inc', `header${this.random.below(4)}.cuh`);
    writeFileSync(header, `#pragma once\n#define SIZE ${this.random.below(2000)}\n${this.random.of(pieces)}\n`);
    this.client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: pathToFileURL(header).href, type: 2 }] });
    if (this.random.below(3) > 0) return;
    const uri = pathToFileURL(join(this.watched.work, `main${this.random.below(4)}.cu`)).href;
    const text = `#include "inc/header1.cuh"\n#include "inc/header2.cuh"\n__global__ void ${SECRET}(float* v) { v[SIZE * threadIdx.x] = 1; }\n`;
    this.client.open(uri, text, 1);
    this.open.set(uri, { text: TextDocument.create(uri, 'cuda-cpp', 1, text), lost: false });
  }

  /** After all its edits, the server says of a text what it says when that text is opened afresh. */
  private async compare(): Promise<void> {
    const uri = this.anyOpen();
    const document = uri === undefined ? undefined : this.open.get(uri);
    if (!uri || !document || document.lost || document.busy) return;
    document.busy = true;
    const fresh = uri.replace(/\.cu$/, '.fresh.cu');
    this.client.open(fresh, document.text.getText(), 1);
    const [one, other] = await Promise.all(
      [uri, fresh].map((each) => this.ask('textDocument/diagnostic', { textDocument: { uri: each } })),
    );
    this.client.close(fresh);
    document.busy = false;
    const told = ({ result }: Message) =>
      JSON.stringify(
        (result?.items ?? []).map(({ range, code, message }: { range: unknown; code: string; message: string }) => [range, code, message]),
      );
    // The process that analyses may have been stopped meanwhile.
    if ([one, other].some((reply) => reply.error || told(reply).includes('not-analysed')) || told(one) === told(other)) return;
    this.problems.push(`${uri}: other findings after edits than afresh`);
    const file = `/tmp/soak-${seed}-${this.problems.length}`;
    writeFileSync(`${file}.cu`, document.text.getText());
    writeFileSync(`${file}.json`, `${told(one)}\n${told(other)}\n`);
  }

  private startRun(): void {
    const { random } = this;
    if (this.running.size > 1) return;
    const source = join(this.watched.work, `program${random.below(3)}.cu`);
    const uri = random.below(4) === 0 ? (this.anyOpen() ?? '') : pathToFileURL(source).href;
    writeFileSync(source, program.replace('LOOPS', String(random.of([1, 10, 100_000_000]))));
    this.running.add(uri);
    const { id } = this.client;
    void this.ask('lanewise/run', { uri, args: [] }, 600).then(() => this.running.delete(uri));
    const number = id + 1;
    setTimeout(() => {
      if (random.below(2) === 0) this.client.notify('$/cancelRequest', { id: number });
      else this.client.notify('lanewise/cancel', { uri });
    }, random.below(15_000)).unref();
  }

  private kill(): void {
    const children = this.watched.processes().filter(({ id }) => id !== this.client.process.pid);
    if (children.length === 0) return;
    const { id, command } = this.random.of(children);
    // Clang's process has a watchdog inside, which a stopped process does not hear.
    const signal = command.includes('analysis-process') && this.random.below(2) === 0 ? 'SIGSTOP' : 'SIGKILL';
    try {
      process.kill(id, signal);
    } catch {
      // It has ended by itself.
    }
  }

  /** Thousands of files at once. */
  private async flood(): Promise<void> {
    const before = new Set(this.open.keys());
    for (let i = 0; i < 2000; i++) this.openOne();
    this.question();
    await this.ask('$/flooded', {});
    for (const uri of [...this.open.keys()]) if (!before.has(uri)) this.closeOne(uri);
  }

  private async ask(method: string, params: unknown, seconds = ANSWER_SECONDS): Promise<Message> {
    const uri = (params as { textDocument?: { uri?: unknown } } | undefined)?.textDocument?.uri;
    const pending: Pending = { what: `${method} ${uri ?? ''}`, since: performance.now(), seconds };
    this.pending.add(pending);
    const reply = await this.client.request(method, params);
    this.pending.delete(pending);
    const took = (performance.now() - pending.since) / 1000;
    if (took > this.slowestAnswer.seconds && method !== 'lanewise/run') this.slowestAnswer = { seconds: took, what: pending.what };
    if (reply.error?.code === -32603) this.problems.push(`${pending.what}: ${reply.error.message}`);
    return reply;
  }

  private hear({ id, method, params }: Message): void {
    if (method === 'workspace/configuration') {
      // Nothing that findings depend on, since those of two documents are compared.
      const settings = params.items.map(() => ({ cache: this.random.below(4) > 0, includePaths: this.random.of([7, []]) }));
      if (this.random.below(500) > 0) this.client.answer(id, settings);
      return;
    }
    if (id !== undefined && id !== null && method !== undefined) this.client.answer(id, null);
    if (method !== 'window/logMessage') return;
    if (params.message.includes(SECRET)) this.problems.push(`the log quotes a source: ${params.message.slice(0, 200)}`);
    if (/Uncaught|Unhandled|Error/.test(params.message)) this.problems.push(`logged: ${params.message.slice(0, 600)}`);
    const [, reason] = /^An analysis ended early[^:]*(?:\([^)]*\))?: (.*)/.exec(params.message) ?? [];
    if (reason !== undefined) this.counts.set(`analysis: ${reason}`, (this.counts.get(`analysis: ${reason}`) ?? 0) + 1);
  }

  /** Asks for what does not exist, again and again, and looks for questions that wait for too long. */
  private async watchOver(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const since = performance.now();
      const answered = await Promise.race([this.client.request('$/ping', {}), delay(PING_SECONDS * 1000, undefined, { ref: false })]);
      const seconds = (performance.now() - since) / 1000;
      this.slowestPing = Math.max(this.slowestPing, seconds);
      if (!answered && !isOver()) this.problems.push(`the server was silent for ${PING_SECONDS} seconds`);
      for (const problem of this.problems.slice(this.told)) console.log(problem);
      this.told = this.problems.length;
      for (const pending of this.pending) {
        if (performance.now() - pending.since < pending.seconds * 1000) continue;
        this.pending.delete(pending);
        this.problems.push(`${pending.what} was not answered within ${pending.seconds} seconds`);
      }
      await delay(1000);
    }
  }

  /** Nothing open, nothing running: what memory is there now is there to stay. */
  private async quiet(): Promise<void> {
    for (const uri of this.running) this.client.notify('lanewise/cancel', { uri });
    const end = performance.now() + 1000 * ANSWER_SECONDS;
    while (this.pending.size > 0 && performance.now() < end) await delay(50);
    for (const uri of [...this.open.keys()]) this.closeOne(uri);
    await delay(2000);
    const memory = await this.watched.memory(this.client.process.pid!);
    const analysis = this.watched.processes().find(({ command }) => command.includes('analysis-process'));
    const ofAnalysis = analysis && (await this.watched.memory(analysis.id, 10));
    if (!memory) return;
    const megabytes = (bytes: number) => Math.round(bytes / 1e5) / 10;
    const sample: Sample = {
      minute: Math.round(this.elapsed() / 6) / 10,
      rssMb: megabytes(memory.rss),
      usedMb: megabytes(memory.heapUsed + memory.external),
      analysisMb: ofAnalysis && megabytes(ofAnalysis.heapUsed + ofAnalysis.external),
    };
    this.samples.push(sample);
    console.log(
      `${sample.minute} min: ${this.opened} documents opened, server ${sample.rssMb} MB resident, ${sample.usedMb} MB used, analysis ${sample.analysisMb ?? '-'} MB used; slowest ping ${this.slowestPing.toFixed(1)} s, ${this.problems.length} problems`,
    );
  }
}

function isPossible(change: unknown): boolean {
  const { range } = change as { range?: { start: { line: number } } };
  return range === undefined || range.start.line >= 0;
}

/** Middle values of what there was at the beginning, after warming up, and at the end. */
function growth(values: readonly number[]): number {
  const median = (part: readonly number[]) => [...part].sort((a, b) => a - b)[Math.floor(part.length / 2)];
  const warm = values.slice(Math.max(2, Math.floor(values.length / 6)));
  const part = Math.max(1, Math.floor(warm.length / 4));
  return warm.length < 2 ? 0 : median(warm.slice(-part)) - median(warm.slice(0, part));
}

console.log(`seed ${seed}, ${minutes} minutes`);
const sources = [join(root, 'test/fixtures'), ...positionals].flatMap((folder) => pathsIn(folder));
const soak = new Soak(sources);
await soak.run();
const resident = growth(soak.samples.map(({ rssMb }) => rssMb));
const used = growth(soak.samples.map(({ usedMb }) => usedMb));
const analysis = growth(soak.samples.flatMap(({ analysisMb }) => (analysisMb === undefined ? [] : [analysisMb])));
console.log([...soak.counts].map(([what, count]) => `${count} × ${what}`).join(', '));
console.log(
  `slowest ping ${soak.slowestPing.toFixed(1)} s, slowest answer ${soak.slowestAnswer.seconds.toFixed(1)} s: ${soak.slowestAnswer.what}`,
);
console.log(
  `growth: ${resident.toFixed(1)} MB resident, ${used.toFixed(1)} MB used, ${analysis.toFixed(1)} MB used where files are analysed (limit ${LIMIT_MB} MB)`,
);
const problems = [...soak.problems, ...(await goodbyes())];
if (Math.max(resident, used, analysis) > LIMIT_MB) problems.push('memory grows');
for (const problem of problems) console.log(problem);
console.log(`${problems.length} problems, seed ${seed}`);
process.exit(problems.length > 0 ? 1 : 0);

/** The processes that analyse, and what becomes of a file that they cannot cope with: nothing happens to the others. */
import { afterEach, expect, it } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { Analysis } from '../../server/analysis/analysis.ts';
import type { Limits } from '../../server/analysis/lane.ts';
import { analysisLimits } from '../../server/analysis/start.ts';
import { OpenDocument } from '../../server/documents.ts';

const small = `__global__ void k(float* v) {
  v[32 * threadIdx.x] = 1;
}
`;
/** Takes some hundred milliseconds, and some ten MB. */
const large = Array.from({ length: 3000 }, (_, i) => small.replace('k(', `k${i}(`)).join('');
/** Takes many seconds. */
const huge = Array.from({ length: 25_000 }, (_, i) => small.replace('k(', `k${i}(`)).join('');
const asking = { urgent: true };

let analysis: Analysis | undefined;
let documents: Map<string, OpenDocument>;
let log: string[];
afterEach(() => analysis?.end());

function start(limits: { usual?: Partial<Limits>; patient?: Partial<Limits> }): Analysis {
  documents = new Map();
  log = [];
  const both = {
    usual: { ...analysisLimits.usual, ...limits.usual },
    patient: { ...analysisLimits.patient, ...limits.patient },
  };
  analysis = new Analysis({ documents, affected: () => undefined, log: (text) => log.push(text), limits: both });
  return analysis;
}

function open(uri: string, text: string): void {
  const document = new OpenDocument(TextDocument.create(uri, 'cuda-cpp', 1, text), { settings: {}, places: undefined });
  documents.set(uri, document);
  analysis?.tell({ kind: 'open', document: document.state() });
}

function edit(uri: string, text: string): void {
  const document = documents.get(uri)!;
  const version = document.version + 1;
  analysis?.tell({ kind: 'edit', uri, version, changes: [{ text }] });
  document.edit([{ text }], version);
}

async function rules(uri: string): Promise<(string | undefined)[]> {
  const found = await analysis!.findings(uri, undefined, asking);
  return [...new Set(found?.findings?.map(({ rule }) => rule))];
}

it('says that a file took too long, and goes on with the others and with the next text of that file', async () => {
  start({ usual: { seconds: 1.5 }, patient: { seconds: 2.5 } });
  open('a.cu', small);
  expect(await rules('a.cu')).toEqual(['uncoalesced-access']);
  open('b.cu', huge);
  const found = await analysis!.findings('b.cu', undefined, asking);
  expect(found?.findings).toMatchObject([{ rule: 'not-analysed', message: expect.stringContaining('more than 2.5 seconds') }]);
  // Not again as long as nothing changes.
  const ended = log.length;
  expect(await analysis!.findings('b.cu', found?.resultId, asking)).toEqual({ resultId: found?.resultId, version: 1, findings: undefined });
  expect(await analysis!.hover('b.cu', { line: 1, column: 3 }, asking)).toBeUndefined();
  expect(await analysis!.outline('b.cu', asking)).toEqual({ kernels: [], functions: [] });
  expect(log).toHaveLength(ended);
  expect(await rules('a.cu')).toEqual(['uncoalesced-access']);
  edit('b.cu', small);
  expect(await rules('b.cu')).toEqual(['uncoalesced-access']);
  expect(log.join('\n')).not.toContain('threadIdx');
});

it('gives a file more time and memory before it says so', async () => {
  start({ usual: { heapMb: 16, seconds: 60 } });
  open('a.cu', small);
  open('b.cu', large);
  expect(await rules('b.cu')).toEqual(['uncoalesced-access']);
  expect(log.join('\n')).toMatch(/b\.cu.*more than 16 MB of memory/);
  expect(await rules('a.cu')).toEqual(['uncoalesced-access']);
});

it('answers about the newest text, whatever waited', async () => {
  start({});
  open('a.cu', large);
  const first = analysis!.findings('a.cu', undefined, asking);
  edit('a.cu', small);
  edit('a.cu', `\n${small}`);
  const second = analysis!.findings('a.cu', undefined, asking);
  expect((await first)?.version).toBe(3);
  expect(await second).toMatchObject({ version: 3, resultId: (await first)?.resultId });
  await expect(analysis!.findings('a.cu', undefined, { urgent: true, isCancelled: () => true })).rejects.toThrow();
});

it('keeps what it found about more files than it keeps analysed', async () => {
  start({});
  const many = Array.from({ length: 12 }, (_, i) => `file${i}.cu`);
  const padded = `${small}// ${'x'.repeat(900_000)}`;
  for (const uri of many) open(uri, padded);
  const results = await Promise.all(many.map((uri) => analysis!.findings(uri, undefined, asking)));
  expect(results.map((found) => found?.findings?.length)).toEqual(many.map(() => 1));
  edit('file0.cu', small);
  expect(await rules('file0.cu')).toEqual(['uncoalesced-access']);
  expect(await analysis!.findings('file1.cu', results[1]?.resultId, asking)).toMatchObject({ findings: undefined });
  expect(await analysis!.hover('file1.cu', { line: 1, column: 3 }, asking)).toBeDefined();
});

it('leaves nobody waiting when it ends, or when the last difficult file is closed', async () => {
  start({ usual: { seconds: 1 } });
  open('b.cu', huge);
  const first = analysis!.findings('b.cu', undefined, asking);
  await expect.poll(() => log.length, { timeout: 30_000 }).toBeGreaterThan(0);
  documents.delete('b.cu');
  analysis!.tell({ kind: 'close', uri: 'b.cu' });
  await expect(first).rejects.toThrow();
  open('a.cu', small);
  const second = analysis!.findings('a.cu', undefined, asking);
  analysis!.end();
  await expect(second).rejects.toThrow();
});

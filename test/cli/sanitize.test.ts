/** `lanewise sanitize` as a process: which programs of a folder it runs, formats, exit codes. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repository } from '../runtime/simulation.ts';

const folder = mkdtempSync(join(tmpdir(), 'lanewise-sanitize-'));
const program = (barrier: string): string => `__global__ void shift(int* v) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  ${barrier}
  v[threadIdx.x] = s[63 - threadIdx.x];
}
int main() { int* v; cudaMalloc(&v, 256); shift<<<1, 64>>>(v); cudaDeviceSynchronize(); }
`;

const HELPER = `__device__ int at(int* s, int i) {
  return s[i & 63];
}
__global__ void shift(int* v) {
  __shared__ int s[64];
  s[threadIdx.x] = v[threadIdx.x];
  v[threadIdx.x] = at(s, threadIdx.x + 1);
  v[threadIdx.x] *= at(s, threadIdx.x + 2);
  v[threadIdx.x] -= at(s, threadIdx.x + 3);
}
int main() { int* v; cudaMalloc(&v, 256); cudaMemset(v, 0, 256); shift<<<1, 64>>>(v); cudaDeviceSynchronize(); }
`;

const MERGED = `__global__ void pick(int* v) {
  __shared__ int s[64];
  s[threadIdx.x] = v[threadIdx.x];
  int x;
  if (v[threadIdx.x + 64] > 3)
    x = s[63 - threadIdx.x];
  else
    x = s[63 - threadIdx.x];
  v[threadIdx.x] = x * 2;
}
int main() { int* v; cudaMalloc(&v, 512); cudaMemset(v, 0, 512); pick<<<1, 64>>>(v); cudaDeviceSynchronize(); }
`;

function lanewise(...args: string[]): { code: number | null; out: string; err: string } {
  const command = [join(repository, 'dist', 'cli.mjs'), 'sanitize', ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

beforeAll(() => {
  writeFileSync(join(folder, 'racy.cu'), program(''));
  writeFileSync(join(folder, 'right.cu'), program('__syncthreads();'));
  writeFileSync(join(folder, 'part.cu'), '__device__ int helper() { return 1; }\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

test('a folder: the programs in it, with both places of a race', () => {
  const { code, out } = lanewise('.', '--format', 'sarif');
  const [{ results }] = JSON.parse(out).runs;
  const lines = (locations: { physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } } }[]) =>
    locations.map(({ physicalLocation: { artifactLocation, region } }) => `${artifactLocation.uri}:${region.startLine}`);
  expect(code).toBe(1);
  expect(results).toHaveLength(1);
  expect([results[0].ruleId, ...lines(results[0].locations), ...lines(results[0].relatedLocations)].sort()).toEqual([
    'race',
    'racy.cu:3',
    'racy.cu:5',
  ]);
  const [{ description, artifactChanges }] = results[0].fixes;
  expect(description.text).toBe('Put __syncthreads() in front of line 5');
  expect(artifactChanges[0]).toMatchObject({
    artifactLocation: { uri: 'racy.cu' },
    replacements: [{ deletedRegion: { startLine: 5, startColumn: 1 }, insertedContent: { text: '  __syncthreads();\n' } }],
  });
}, 180_000);

test('what a function does for several lines of a kernel is said once, with both threads', () => {
  const own = join(folder, 'own');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'helper.cu'), HELPER);
  const { out } = lanewise('own/helper.cu', '--format', 'sarif');
  const [{ results }] = JSON.parse(out).runs;
  expect(results).toHaveLength(1);
  const [{ locations, relatedLocations, occurrenceCount }] = results;
  const said = [locations[0], relatedLocations[0]].map(({ message }) => message.text).sort();
  expect(said[0]).toMatch(/^read by thread \(\d+, 0, 0\) of block \(0, 0, 0\)$/);
  expect(said[1]).toMatch(/^write by thread/);
  expect(locations[0].logicalLocations[0].fullyQualifiedName).toBe('shift(int *)');
  expect(occurrenceCount).toBeGreaterThan(100);
}, 180_000);

test('a load that the compiler has made of two lines is named by a line beside it', () => {
  const own = join(folder, 'own');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'merged.cu'), MERGED);
  const { out } = lanewise('own/merged.cu', '--format', 'sarif');
  const [{ results }] = JSON.parse(out).runs;
  expect(results).toHaveLength(1);
  const lines = [...results[0].locations, ...results[0].relatedLocations].map(({ physicalLocation }) => physicalLocation.region?.startLine);
  expect(lines.sort((a, b) => a - b)).toEqual([3, expect.toSatisfy((line: number) => line > 3 && line < 10)]);
}, 180_000);

test('a program without findings', () => {
  const { code, out } = lanewise('right.cu');
  expect(code).toBe(0);
  expect(out).toContain('1 program, 0 with findings or faults or not run');
}, 180_000);

test('wrong usage', () => {
  expect(lanewise().code).toBe(2);
  expect(lanewise('.', '--format', 'xml').err).toContain('unknown format "xml"; choose text, json, sarif');
});

test('a run that a fault ended is not called one without findings', () => {
  const text = 'int main() { int* v; cudaMalloc(&v, 256); shift<<<1, 64>>>(v + 32); cudaDeviceSynchronize(); }\n';
  writeFileSync(join(folder, 'outside.cu'), program('__syncthreads();').replace(/int main.*\n/, text));
  const { code, out } = lanewise('outside.cu');
  expect(code).toBe(1);
  expect(out).toMatch(/out-of-bounds/);
  expect(out).toContain('sanitizer: nothing besides the fault, which ended the run');
  expect(out).not.toContain('no findings');
});

/** One cause is one finding, and what follows from it is related information. */
import { expect, test } from 'vitest';
import { unfolded } from '../../analyzers/fold-findings.ts';
import { relatedPlaces } from '../../analyzers/related-places.ts';
import { phrase } from '../../analyzers/rules/phrases.ts';
import type { Finding } from '../../protocol/finding.ts';
import { applyFixes } from './markers.ts';
import { theAnalyzer } from './open.ts';

async function findingsOf(text: string): Promise<readonly Finding[]> {
  const document = (await theAnalyzer()).open(text);
  const findings = document.findings();
  document.dispose();
  return findings;
}

const rules = (findings: readonly Finding[]) => findings.map((f) => f.rule);

test('an array of structures gives one finding', async () => {
  const findings = await findingsOf(`struct Particle { float x, y, z, m, q; };
__global__ void move(Particle* p, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[i].x += 1.0f;
  p[i].y *= 2.0f;
  out[i] = p[i].x + p[i].m;
}
void run(Particle* p, float* out) { move<<<64, 256>>>(p, out); }
`);
  expect(rules(findings)).toEqual(['uncoalesced-access']);
  expect(findings[0].related.map(({ folded }) => folded?.rule)).toEqual(expect.arrayContaining(['uncoalesced-access', 'structure-stride']));
});

test('a tree by modulo gives one finding, with its division and the accesses of the lanes that are left', async () => {
  const findings = await findingsOf(`__global__ void sum(int* data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    if (threadIdx.x % (2 * stride) == 0) data[i] += data[i + stride];
    __syncthreads();
  }
}
void run(int* data) { sum<<<64, 256>>>(data); }
`);
  expect(rules(findings)).toEqual(['modulo-indexing']);
  expect(rules(unfolded(findings))).toEqual(expect.arrayContaining(['slow-integer-division', 'uncoalesced-access']));
});

test('a stencil over several arrays gives one finding, at the array that is loaded most often', async () => {
  const five = (array: string) => [-2, -1, 0, 1, 2].map((at) => `${array}[i + ${at}]`).join(' + ');
  const findings = await findingsOf(`__global__ void stencil(const float* w, const float* u, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = ${five('w')};
  out[i] += ${five('u')} + u[i] * u[i + 40];
}
void run(float* f) { stencil<<<64, 256>>>(f, f, f); }
`);
  expect(findings.map(({ message }) => message)).toEqual([expect.stringContaining('neighbouring words of `u`')]);
  expect(findings[0].related.map(({ message }) => message)).toEqual(['and words of `w` here']);
});

test('a function that is no more is said once in a file, with one fix for all', async () => {
  const line = '  cudaThreadSynchronize();\n';
  const text = `void f() {\n${line}${line}${line}${'  // nothing\n'.repeat(12)}${line}}\n`;
  const document = (await theAnalyzer()).open(text, { cudaVersion: '13.0' });
  const findings = document.findings();
  expect(findings.map((f) => [f.range.start.line, f.related.map((r) => r.range.start.line)])).toEqual([[1, [2, 3, 16]]]);
  expect(unfolded(findings)).toHaveLength(4);
  expect(applyFixes(text, findings, 'safe')).not.toContain('cudaThreadSynchronize');
  document.dispose();
});

const apart = '// nothing\n'.repeat(12);

test('the layout of a structure is said once for all kernels, at the gravest place', async () => {
  const kernel = (name: string) => `__global__ void ${name}(const Five* p, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = p[i].x * ${name === 'first' ? 1 : 2};
}
${apart}`;
  const findings = await findingsOf(`struct Five { float x, y, z, m, q; };
${kernel('first')}${kernel('second')}void run(Five* p, float* out) { first<<<64, 256>>>(p, out); second<<<64, 256>>>(p, out); }
`);
  expect(rules(findings)).toEqual(['uncoalesced-access']);
  expect(findings[0].related.map(({ range }) => range.start.line)).toContain(19);
});

test('what costs in the same line of a further kernel is said once; what is wrong there is said in each', async () => {
  const copy = (name: string) => `__global__ void ${name}(float* m, int w) {
  m[threadIdx.x * w] = 1.0f;
}
${apart}`;
  const costs = await findingsOf(`${copy('a')}${copy('b')}void run(float* m, int w) { a<<<9, 256>>>(m, w); b<<<9, 256>>>(m, w); }\n`);
  expect(costs.map(({ rule, related }) => [rule, related.map(({ message }) => message)])).toEqual([['uncoalesced-access', ['and here']]]);
  const race = (name: string) => `__global__ void ${name}(float* v) {
  __shared__ float s[256];
  s[threadIdx.x] = v[threadIdx.x];
  v[threadIdx.x] = s[255 - threadIdx.x];
}
${apart}`;
  const wrong = await findingsOf(`${race('a')}${race('b')}void run(float* v) { a<<<9, 256>>>(v); b<<<9, 256>>>(v); }\n`);
  expect(rules(wrong)).toEqual(['missing-barrier', 'missing-barrier']);
});

test('what costs in other lines of a further kernel is said once, in the same words', async () => {
  const rows = (name: string, array: string) => `__global__ void ${name}(const int* starts, const float* ${array}, float* out) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int k = starts[row]; k < starts[row + 1]; ++k) sum += __expf(${array}[row]) * k;
  out[row] = sum;
}
${apart}`;
  const launches = 'void run(int* s, float* f) { a<<<9, 256>>>(s, f, f); b<<<9, 256>>>(s, f, f); }\n';
  const found = await findingsOf(`${rows('a', 'in')}${rows('b', 'values')}${launches}`);
  const loops = found.filter(({ rule }) => rule === 'divergent-loop');
  expect(loops.map(({ related }) => related.map(({ message }) => message))).toEqual([['and here']]);
});

test('defects in the same line of two functions are told in each', async () => {
  const leaking = (name: string) => `void ${name}(int n) {
  for (int i = 0; i < n; i++) {
    float *d;
    cudaMalloc(&d, 128);
    k<<<1, 32>>>(d);
    cudaDeviceSynchronize();
  }
}
${apart}`;
  const leaks = await findingsOf(`__global__ void k(float *p) { p[threadIdx.x] = 1; }
${leaking('first')}${leaking('second')}int main() { first(3); second(4); }
`);
  expect(rules(leaks).filter((rule) => rule === 'leaked-allocation')).toHaveLength(2);
  const widening = (name: string) => `__global__ void ${name}(float *o, int n, int m) {
  size_t at = blockIdx.x * n * m + threadIdx.x;
  o[at] = 1;
}
${apart}`;
  expect(rules(await findingsOf(`${widening('a')}${widening('b')}`))).toEqual(['late-widening', 'late-widening']);
});

test('what is said of other kernels a line further on keeps its fix', async () => {
  const text = `__device__ float f(float x) {
  x = x * 2.1;
  return x;
}
__global__ void a(float *o) { o[threadIdx.x] = f(o[threadIdx.x]); }
__global__ void b(float *o) { o[threadIdx.x] = f(o[threadIdx.x]) + 1; }
${apart}__global__ void c(float *o) {
  float x = o[threadIdx.x];
  x = x * 2.1;
  o[threadIdx.x] = x;
}
`;
  const findings = await findingsOf(text);
  expect(rules(findings)).toEqual(['double-literal']);
  expect(findings[0].fixes.map(({ edits }) => edits.length)).toEqual([2]);
  expect(applyFixes(text, findings, 'all').match(/2\.1f/g)).toHaveLength(2);
});

test('a distance between lanes is said in one order of its factors', async () => {
  const findings = await findingsOf(`__global__ void f(float* v, float* w, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  v[i * rows * columns] = 1.0f;
${'  // nothing\n'.repeat(12)}  w[i * columns * rows] = 1.0f;
}
void run(float* v, int n) { f<<<64, 256>>>(v, v, n, n); }
`);
  expect(new Set(findings.map(({ message }) => message)).size).toBe(1);
  expect(findings[0].message).toContain('columns × rows × 4 bytes');
});

test('an error with a fix of its own is said by itself', async () => {
  const kernel = (name: string, parameters: string, guard: string) =>
    `__global__ void ${name}(float *a${parameters}) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  ${guard}a[i] = 1.0f;\n}\n`;
  const text = `${kernel('scaled', '', '')}${kernel('guarded', ', int n', 'if (i <= n) ')}int main() {
  float *d;
  cudaMalloc(&d, 1000 * sizeof(float));
  scaled<<<4, 256>>>(d);
  guarded<<<4, 256>>>(d, 1000);
}
`;
  const document = (await theAnalyzer()).open(text);
  const outside = document.findings().filter(({ rule }) => rule === 'index-out-of-bounds');
  document.dispose();
  expect(outside.map(({ fixes }) => fixes.map(({ title }) => title))).toEqual([[], ['Guard with `i < n`']]);
});

test('the same message is said once, with the gravest severity', async () => {
  const findings = await findingsOf(`struct Two { float a, b; };
__global__ void add(Two* to, const Two* from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i].a += from[i].a;
  to[i].b += from[i].b;
}
void run(Two* v) { add<<<64, 256>>>(v, v); }
`);
  expect(new Set(findings.map((f) => f.message)).size).toBe(findings.length);
  expect(findings[0].severity).toBe('warning');
  expect(unfolded(findings).map((f) => f.severity)).toContain('information');
});

test('what is suppressed takes nothing in', async () => {
  const findings = await findingsOf(`__global__ void f(float* v, float* w) {
  int i = threadIdx.x * 8;
  v[i] = 1.0f; // lanewise: allow(uncoalesced-access) measured
  w[i] = 1.0f;
}
void run(float* v) { f<<<1, 256>>>(v, v); }
`);
  expect(findings.map((f) => f.range.start.line)).toEqual([3]);
});

test('what holds in one variant here and in another there is said once', async () => {
  const findings = await findingsOf(`template <int MODE>
__global__ void f(const int* index, float* v) {
  int i = index[blockIdx.x * blockDim.x + threadIdx.x];
  if (MODE == 0) v[i] = 1.0f;
  if (MODE == 1) v[i] = 2.0f;
}
void run(int* index, float* v) {
  f<0><<<4, 256>>>(index, v);
  f<1><<<4, 256>>>(index, v);
}
`);
  expect(findings.map((f) => [f.range.start.line, f.message.split(':')[0]])).toEqual([[3, 'in f<0>']]);
  expect(findings[0].related.map(({ range, message }) => [range.start.line, message])).toEqual([[4, 'and here, in f<1>']]);
});

test('local arrays of one function are one finding', async () => {
  const findings = await findingsOf(`__global__ void path(const float* in, float* out, int n) {
  float first[40], second[40];
  for (int k = 0; k < n; ++k) {
    first[k] = in[k];
    second[k] = first[k / 2] + 1.0f;
  }
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += second[k] * first[n - k];
  out[threadIdx.x] = sum;
}
void run(const float* in, float* out, int n) { path<<<64, 64>>>(in, out, n); }
`);
  expect(rules(findings)).toEqual(['local-array-index']);
  expect(findings[0].related.map(({ message }) => message)).toContain('so are the 160 bytes of `second`');
});

test('a literal of a function that is called twice is one literal', async () => {
  const findings = await findingsOf(`__device__ float part(float x) { return 0.3 * x; }
__global__ void f(const float* v, float* w) { w[threadIdx.x] = part(v[threadIdx.x]) + part(v[threadIdx.x + 32]); }
void run(const float* v, float* w) { f<<<64, 256>>>(v, w); }
`);
  expect(rules(findings)).toEqual(['double-literal']);
  expect(findings[0].related).toEqual([]);
  expect(findings[0].fixes[0].edits.length).toBe(1);
});

test('what says little by itself goes to the gravest finding of its kernel', async () => {
  const findings = await findingsOf(`__global__ void f(const int* index, const float* from, float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  v[index[i]] = 1.0f;
  v[i + n] = from[i * 16];
}
__global__ void g(const int* index, float* v) { v[index[threadIdx.x]] = 1.0f; }
void run(int* index, float* v) {
  f<<<4, 256>>>(index, v, v, 1024);
  g<<<4, 256>>>(index, v);
}
`);
  expect(findings.map(({ severity, range }) => [severity, range.start.line])).toEqual([
    ['warning', 3],
    ['hint', 5],
  ]);
  expect(findings[0].related.map(({ range, message }) => [range.start.line, message])).toEqual([
    [2, 'loaded data chooses the elements of `v` here'],
  ]);
});

test('a loop over items of loaded lengths is told with the stretch that each lane goes through', async () => {
  const findings = await findingsOf(`__global__ void rows(const int* begins, const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = begins[i]; k < begins[i + 1]; ++k)
    sum += in[k];
  out[i] = sum;
}
void run(const int* begins, const float* in, float* out) { rows<<<64, 256>>>(begins, in, out, 16384); }
`);
  const grave = findings.filter(({ severity }) => severity !== 'hint');
  expect(grave.map(({ rule, range }) => [rule, range.start.line])).toEqual([['uncoalesced-access', 5]]);
  expect(grave[0].related.map(({ range, folded }) => [folded?.rule, range.start.line])).toContainEqual(['divergent-loop', 4]);
});

test('what is a hint by itself is told with the warning about what the same loaded value places', async () => {
  const findings = await findingsOf(`__global__ void lists(const int* start, int* list, const float* v, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int at = start[i];
  float head = v[at];
  for (int k = 0; k < n; ++k) {
    list[at + k] = k;
    if (v[at + k] > head) list[at + k] = -1;
  }
  out[i] = head;
}
void run(int* i, float* f, int n) { lists<<<64, 256>>>(i, i + n, f, f + n, n); }
`);
  const [found, ...others] = findings.filter(({ rule }) => rule === 'uncoalesced-access');
  expect(others).toEqual([]);
  expect(found.severity).toBe('warning');
  const head = found.related.find(({ range }) => range.start.line === 3);
  expect(head?.folded).toMatchObject({ rule: 'uncoalesced-access', severity: 'hint' });
});

test('places of which the same is said follow each other, those of the finding itself first', async () => {
  const place = (line: number, message: string) => ({
    range: { start: { line, column: 0 }, end: { line, column: 1 } },
    message,
    wording: phrase('andHere'),
  });
  const [finding] = await findingsOf(`__global__ void f(float* v) { v[(blockIdx.x * blockDim.x + threadIdx.x) * 4] = 1; }
void run(float* v) { f<<<64, 256>>>(v); }
`);
  const related = [place(3, 'lanes diverge here'), place(4, 'and here'), place(5, 'loaded here'), place(6, 'lanes diverge here')];
  expect(relatedPlaces({ ...finding, related }).map(({ range, message }) => [range.start.line, message])).toEqual([
    [4, 'and here'],
    [3, 'lanes diverge here'],
    [6, 'and here'],
    [5, 'loaded here'],
  ]);
});

test('lines of generated code that differ in their numbers alone are one finding', async () => {
  const kernel = (n: number) => `__global__ void step${n}(double* out) {
  int a${n}0 = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  out[a${n}0 + ${n}] = s${n}(a${n}0);
}
${'// nothing\n'.repeat(12)}`;
  const findings = await findingsOf(`${kernel(1)}${kernel(2)}void run(double* v) {
  step1<<<64, 256>>>(v);
  step2<<<64, 256>>>(v);
}
`);
  const found = findings.filter(({ rule }) => rule === 'uncoalesced-access');
  expect(found.map(({ range, related }) => [range.start.line, related.map((each) => each.range.start.line)])).toEqual([[2, [18]]]);
});

test('blocks that are not as wide as a warp are one finding, whatever arrays they go through', async () => {
  const kernel = (name: string, of: string) => `__global__ void ${name}(const ${of}* in, ${of}* out, int width) {
  int at = (blockIdx.y * 8 + threadIdx.y) * width + blockIdx.x * 8 + threadIdx.x + 1;
  out[at] = in[at];
}
${'// nothing\n'.repeat(12)}`;
  const findings = await findingsOf(`${kernel('a', 'float')}${kernel('b', 'double')}void run(float* f, double* d) {
  a<<<dim3(16, 16), dim3(8, 8)>>>(f, f, 128);
  b<<<dim3(16, 16), dim3(8, 8)>>>(d, d, 128);
}
`);
  const [found, ...others] = findings.filter(({ message }) => message.includes('in pieces that begin or end inside sectors'));
  expect(others).toEqual([]);
  expect(found.related.map(({ range, message }) => [range.start.line, message])).toContainEqual([
    18,
    expect.stringMatching(/^[\d.]+ sectors per request instead of (8|16)$/),
  ]);
});

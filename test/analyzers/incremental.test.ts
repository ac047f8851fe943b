/** An edit costs what it touches: everything else is the same object as before, and the findings are those of a new document. */
import { describe, expect, test } from 'vitest';
import { buildModel } from '../../analyzers/model/file.ts';
import { newModelCache } from '../../analyzers/model/model-cache.ts';
import { RULES } from '../../analyzers/rules/registry.ts';
import { type RunOptions, runRules } from '../../analyzers/rules/run-rules.ts';
import { editSource, lineTable, openSource, type Source } from '../../analyzers/syntax/source.ts';
import { type Grammar, type Grammars, loadGrammars } from '../../analyzers/syntax/tree/grammar.ts';
import { h200 } from '../../devices/h200.ts';
import { assets } from './open.ts';

const OPTIONS = { cudaVersion: 12.8, device: h200 };
const KERNELS = 12;

function kernel(k: number): string {
  return `__global__ void kernel${k}(float *a, int n) {
  int i = threadIdx.x * ${k + 2};
  for (int j = 0; j < n; j++) a[i + j] += helper(a[i]);
}`;
}

const TEXT = `__device__ float helper(float x) { return x * 2.1; }
const int table[] = { ${Array.from({ length: 500 }, (_, i) => i).join(', ')} };
${Array.from({ length: KERNELS }, (_, k) => kernel(k)).join('\n')}
int main() {
${Array.from({ length: KERNELS }, (_, k) => `  kernel${k}<<<64, 256>>>(nullptr, 1000);`).join('\n')}
}
`;

function countingParser(grammars: Grammars): { readonly grammars: Grammars; readonly lengths: number[] } {
  const lengths: number[] = [];
  const { parser } = grammars.cuda;
  const parse: Grammar['parser']['parse'] = (text, ...rest) => {
    lengths.push(String(text).length);
    return parser.parse(text, ...rest);
  };
  return { grammars: { ...grammars, cuda: { ...grammars.cuda, parser: Object.assign(Object.create(parser), { parse }) } }, lengths };
}

function findings(
  source: Source,
  facts: ReturnType<typeof buildModel>['facts'],
  rules = RULES,
  reports: RunOptions['reports'] = new WeakMap(),
) {
  return runRules(facts, { rules, severities: {}, lines: lineTable(source.text), source, reports });
}

describe('an edit inside one kernel', async () => {
  const { grammars, lengths } = countingParser(await loadGrammars(assets()));
  const cache = newModelCache(grammars);
  const source = openSource(TEXT);
  const before = buildModel(source, cache, OPTIONS);
  lengths.length = 0;
  const at = TEXT.indexOf('* 7;') + 2;
  const edited = editSource(source, at, at + 1, '9 + 1');
  const after = buildModel(edited, cache, OPTIONS);
  const parsed = lengths.splice(0);

  test('parses that kernel alone', () => {
    expect(parsed).toHaveLength(1);
    expect(parsed[0]).toBeLessThan(2 * kernel(5).length);
  });

  test('that leaves it half-typed parses that kernel alone', () => {
    const own = openSource(TEXT);
    const ownCache = newModelCache(grammars);
    buildModel(own, ownCache, OPTIONS);
    lengths.length = 0;
    const number = TEXT.indexOf('* 7;') + 2;
    const halfTyped = buildModel(editSource(own, number, number + 1, '9 +'), ownCache, OPTIONS);
    // Once from its tree, and since it has an error, once more without.
    expect(lengths.length).toBeLessThanOrEqual(2);
    for (const length of lengths) expect(length).toBeLessThan(2 * kernel(5).length);
    expect(halfTyped.facts.kernels.filter((k) => k.name === 'kernel5')).toHaveLength(1);
  });

  test('interprets that kernel alone', () => {
    const changed = after.facts.kernels.filter((k, i) => k !== before.facts.kernels[i]).map((k) => k.name);
    expect(changed).toEqual(['kernel5']);
    expect([...after.runs.values()].filter((run) => ![...before.runs.values()].includes(run))).toHaveLength(1);
  });

  test('has rules asked of that kernel alone', () => {
    const asked: string[] = [];
    const counting = RULES.map((rule) => ({
      ...rule,
      ...(rule.detect && {
        detect: (...[variant, settings, around]: Parameters<typeof rule.detect>) => {
          asked.push(variant.name);
          return rule.detect!(variant, settings, around);
        },
      }),
    }));
    const reports: RunOptions['reports'] = new WeakMap();
    findings(source, before.facts, counting, reports);
    expect(new Set(asked).size).toBe(KERNELS);
    asked.length = 0;
    findings(edited, after.facts, counting, reports);
    expect(new Set(asked)).toEqual(new Set(['kernel5']));
  });

  test('gives the findings of a new document', () => {
    const fresh = openSource(edited.text);
    const found = findings(edited, after.facts);
    expect(found).toEqual(findings(fresh, buildModel(fresh, newModelCache(grammars), OPTIONS).facts));
    expect(found.length).toBeGreaterThanOrEqual(KERNELS);
  });

  test('a table of data is not parsed', () => {
    const table = `int (*const table[])(int) = { ${'f, '.repeat(500)} };`;
    lengths.length = 0;
    buildModel(openSource(table), newModelCache(grammars), OPTIONS);
    expect(lengths).toHaveLength(1);
    expect(lengths[0]).toBeLessThan(table.length / 2);
  });
});

test('an edit of a function makes the kernels new that call it', async () => {
  const cache = newModelCache(await loadGrammars(assets()));
  const source = openSource(TEXT);
  const before = buildModel(source, cache, OPTIONS);
  const at = TEXT.indexOf('2.1');
  const edited = editSource(source, at, at + 3, '2.1f');
  const after = buildModel(edited, cache, OPTIONS);
  expect(after.facts.kernels.filter((k, i) => k !== before.facts.kernels[i])).toHaveLength(KERNELS);
  expect(findings(source, before.facts).some((f) => f.rule === 'double-literal')).toBe(true);
  expect(findings(edited, after.facts).some((f) => f.rule === 'double-literal')).toBe(false);
});

test('an edit of a macro or of a function that others mention decides anew what concerns CUDA', async () => {
  const text = `#define GO(v) (v)
__global__ void fill(float *v) { v[threadIdx.x] = 1.0f; }
void go(float *v) { }
void first(float *v) { GO(v); }
void second(float *v) { go(v); }
`;
  const cache = newModelCache(await loadGrammars(assets()));
  let source = openSource(text);
  const launches = () => buildModel(source, cache, OPTIONS).facts.launches.map((l) => l.functionName);
  const replace = (from: string, to: string) => {
    const at = source.text.indexOf(from);
    source = editSource(source, at, at + from.length, to);
  };
  expect(launches()).toEqual([]);
  replace('GO(v) (v)', 'GO(v) fill<<<1, 256>>>(v)');
  expect(launches()).toEqual(['first']);
  replace('{ }', '{ fill<<<2, 256>>>(v); }');
  expect(launches()).toEqual(['go', 'first']);
  replace('GO(v) fill<<<1, 256>>>(v)', 'GO(v) (v)');
  expect(launches()).toEqual(['go']);
});

test('what is said of a kernel follows what stands around it', async () => {
  const version = (name: string, index: string) =>
    `__global__ void ${name}(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[${index}] = 0.0f; }\n`;
  const text = `${version('fillNaive', 'i * 33')}${version('fillFast', 'i * 3')}`;
  const cache = newModelCache(await loadGrammars(assets()));
  const reports: RunOptions['reports'] = new WeakMap();
  const source = openSource(text);
  const severity = (of: Source) =>
    findings(of, buildModel(of, cache, OPTIONS).facts, RULES, reports).find(
      ({ rule, range }) => rule === 'uncoalesced-access' && range.start.line === 0,
    )?.severity;
  expect(severity(source)).toBe('warning');
  const at = text.indexOf('i * 3]');
  expect(severity(editSource(source, at, at + 5, 'i'))).toBe('hint');
});

/** Completion without the names of the precompiled headers, and with those that are kept of them. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import { releaseClang, runTool } from '../../simulator/toolchain/clang-pool.ts';
import { completionsAt, parseCompletions } from '../../simulator/toolchain/completion.ts';
import { compileArgs, type Side, syntaxArgs } from '../../simulator/toolchain/flags.ts';
import { HeaderNames } from '../../simulator/toolchain/header-names.ts';
import { precompiledHeaderPath } from '../../simulator/toolchain/precompiled-headers.ts';

afterAll(releaseClang);

const file = '/tmp/own-names.cu';

/** The names offered at the `|` of a text. */
async function namesAt(marked: string, side: Side = 'host') {
  const { candidates } = await completionsAt({ file, text: marked.replace('|', ''), includeDirs: [], defines: [] }, placeOf(marked, side));
  return candidates.map(({ name }) => name);
}

function placeOf(marked: string, side: Side) {
  const before = marked.slice(0, marked.indexOf('|')).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1, side };
}

describe.each(['host', 'device'] as const)("names of the headers, on the %s's side", { timeout: 120_000 }, (side) => {
  it('Clang can leave them out', async () => {
    const marked = 'int mine;\nint main() {\n  |\n}\n';
    const { line, column } = placeOf(marked, side);
    const options = { includeDirs: [], asNvcc: true, defines: [], names: [], debug: 'lines', deviceLaunches: false } as const;
    const nesting = { bracketDepth: 256, templateDepth: 1024 };
    const args = compileArgs(side, file, { ...options, systemFolders: [], nesting, precompiledHeader: precompiledHeaderPath[side] });
    const run = {
      args: syntaxArgs(args, ['-code-completion-macros', `-code-completion-at=${file}:${line}:${column}`]),
      files: [[file, new TextEncoder().encode(marked.replace('|', ''))]] as const,
      output: '',
      precompiledHeader: side,
    };
    const offered = async (ownNames: boolean) => {
      const { errorText } = await runTool(ownNames ? { ...run, ownNamesAt: { path: file, line, column } } : run);
      return parseCompletions(errorText).candidates.map(({ name }) => name);
    };
    const [all, own] = [await offered(false), await offered(true)];
    expect(all).toContain('mine');
    expect(all).toContain('cudaMemcpyAsync');
    expect(own).toContain('mine');
    expect(own).not.toContain('cudaMemcpyAsync');
    expect(own.length).toBeLessThan(all.length / 5);
  });

  it('they are offered beside the own ones', async () => {
    const names = await namesAt('#define OWN 1\nint mine;\nint main() {\n  |\n}\nint later;\n', side);
    for (const name of ['OWN', 'mine', 'cudaMemcpyAsync', 'cudaMemcpyHostToDevice', 'threadIdx', 'dim3', 'RAND_MAX', 'std'])
      expect(names).toContain(name);
    expect(names).not.toContain('later');
    expect(names).not.toContain('vector');
    expect(names.filter((name) => name.startsWith('__lanewise_mark'))).toEqual([]);
    expect(new Set(names).has('f')).toBe(false);
  });
});

describe('names of the headers', { timeout: 120_000 }, () => {
  it.each([
    ['in an open namespace', 'using namespace std;\nint main() {\n  |\n}\n', ['vector', 'cudaFree'], ['duration']],
    ['in two', 'using namespace std;\nusing namespace std::chrono;\nint main() {\n  |\n}\n', ['vector', 'duration'], []],
    ['in one that a function opens', 'int main() {\n  using namespace std::chrono;\n  |\n}\n', ['duration'], ['vector']],
    ['behind a qualifier', 'int main() {\n  std::|\n}\n', ['vector', 'chrono'], ['cudaFree']],
    ['behind another name of a namespace', 'namespace t = std::chrono;\nint main() {\n  t::|\n}\n', ['duration'], ['vector']],
    ['where a declaration begins', 'struct Own {\n  |\n};\n', ['dim3', 'Own', 'std'], ['cudaFree', 'threadIdx']],
    ['of members only', 'struct Own { int x; };\nint main() {\n  Own own;\n  own.|\n}\n', ['x'], ['cudaFree', 'dim3']],
    ['of an object whose type is deduced', 'int main() {\n  auto s = std::chrono::seconds(1);\n  s.|\n}\n', ['count'], ['cudaFree']],
  ])('%s', async (_where, marked, there, notThere) => {
    const names = await namesAt(marked);
    for (const name of there) expect(names).toContain(name);
    for (const name of notThere) expect(names).not.toContain(name);
  });

  it('come behind variables and beside functions', async () => {
    const marked = 'float rand(float most);\nint main() {\n  float index = 1;\n  |\n}\n';
    const { candidates } = await completionsAt(
      { file, text: marked.replace('|', ''), includeDirs: [], defines: [] },
      placeOf(marked, 'host'),
    );
    expect(candidates.find(({ name }) => name === 'index')).toEqual({ name: 'index', type: 'float' });
    expect(candidates.filter(({ name }) => name === 'rand').map(({ type }) => type)).toEqual(expect.arrayContaining(['float', 'int']));
  });
});

describe('names in functions', { timeout: 120_000 }, () => {
  it.each([
    ['behind the hint of a loop', '#pragma unroll 4'],
    ['behind one over several lines', '# pragma unroll \\\n  (4)'],
    ["behind one of Clang's", '#pragma clang loop unroll_count(4)'],
    ['behind one in a macro', '_Pragma("unroll 4")'],
  ])('%s', async (_where, hint) => {
    const before = `__global__ void k(float *out, int n) {\n  int mine = 0;\n${hint}\n`;
    expect(await namesAt(`${before}  for (int i = 0; i < n; i++) out[i] = |;\n}\n`, 'device')).toContain('mine');
    expect(await namesAt(`${before}  for (int i = 0; i < n; i++) out[i] = 1;\n  out[|] = 0;\n}\n`, 'device')).toContain('mine');
  });

  it.each([
    ['in a branch that is skipped', '#ifdef CHECKED\n  check(|);\n#endif\n'],
    ['in one of several', '#if 1\n  int mine = 0;\n#elif defined CHECKED\n  check(|);\n#else\n  int mine = 0;\n#endif\n'],
    ['in one inside another', '#ifdef CHECKED\n#if 0\n#else\n  check(|);\n#endif\n#endif\n'],
  ])('%s', async (_where, branch) => {
    expect(await namesAt(`void check(int x);\nint main() {\n  int mine = 1;\n${branch}}\n`)).toContain('mine');
  });
});

describe('lists of names', () => {
  const scope = { side: 'host', place: 'code', namespaces: [] } as const;
  const list = (...names: string[]) => ({ candidates: names.map((name) => ({ name })), signatures: [] });

  it('are asked for once for each kind of place, and share what they have in common', async () => {
    const asked: string[] = [];
    const names = new HeaderNames(async ({ side }) => {
      asked.push(side);
      return list('cudaFree', side, '__func__', 'vector<_Tp>');
    });
    const [host, again, device] = [await names.of(scope), await names.of({ ...scope }), await names.of({ ...scope, side: 'device' })];
    expect(asked).toEqual(['host', 'device']);
    expect(host?.map(({ name }) => name)).toEqual(['cudaFree', 'host']);
    expect(again).toBe(host);
    expect(device?.[0]).toBe(host?.[0]);
  });

  it('are asked for again where Clang has failed, and after a while without a question', async () => {
    vi.useFakeTimers();
    const answers = [list(), list('cudaFree'), list('cudaMalloc')];
    const names = new HeaderNames(async () => answers.shift()!);
    expect(await names.of(scope)).toBeUndefined();
    expect(await names.of(scope)).toEqual([{ name: 'cudaFree', isOfHeaders: true }]);
    vi.advanceTimersByTime(250_000);
    expect(await names.of(scope)).toEqual([{ name: 'cudaFree', isOfHeaders: true }]);
    vi.advanceTimersByTime(350_000);
    expect(await names.of(scope)).toEqual([{ name: 'cudaMalloc', isOfHeaders: true }]);
    vi.useRealTimers();
  });
});

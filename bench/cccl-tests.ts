/**
 * The tests of a checkout of CCCL, as its CMake files make programs of them, and what these programs say of their cases. CUB's are
 * written for Catch2, Thrust's for a framework of its own.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export interface Folders {
  readonly cccl: string;
  readonly catch2: string;
  /** Of CCCL's headers, from the toolkit. */
  readonly headers: string;
  /** For what CMake would write. */
  readonly work: string;
}

export interface CcclTest {
  /** As CTest calls it: the file's name, and the labels of the variant. */
  readonly name: string;
  readonly sources: readonly string[];
  readonly includes: readonly string[];
  readonly defines: readonly string[];
  /** Arguments with which it lists its cases. */
  readonly list: readonly string[];
  /** Arguments with which it runs these cases, or all, and tells of each. */
  run(cases?: readonly string[]): readonly string[];
  /** Names of all cases. */
  listed(output: string): readonly string[];
  /** Those of `listed` that came to a result in a run, whole or cut off. */
  results(output: string, listed: readonly string[]): readonly CaseResult[];
}

export interface CaseResult {
  readonly name: string;
  readonly passed: boolean;
  /** It took too long, or ended the program. */
  readonly unfinished?: boolean;
  /** What the first failed check says. */
  readonly cause?: string;
}

export type Variants = 'first' | 'all';

/** What is tested unless words are given: primitives of warps and blocks, reduction, scan, sort and histogram of arrays. */
const CUB_TESTS =
  /^catch2_test_(warp_|block_|device_(reduce|scan|radix_sort|merge_sort|segmented_(reduce|sort|radix_sort)|histogram)(_|\.))\w*\.?cu$/;

export function testsOf(folders: Folders, variants: Variants): readonly CcclTest[] {
  return [...cubTests(folders, variants), ...thrustTests(folders)];
}

function cubTests(folders: Folders, variants: Variants): CcclTest[] {
  const tests = join(folders.cccl, 'cub', 'test');
  return readdirSync(tests)
    .filter((name) => CUB_TESTS.test(name))
    .sort()
    .flatMap((name) => {
      const file = join(tests, name);
      const all = variantsOf(readFileSync(file, 'utf8'));
      return (variants === 'first' ? all.slice(0, 1) : all).map((variant) => cubTest(folders, file, variant));
    });
}

/** One choice of values for the parameters of a test. */
interface Variant {
  readonly labels: readonly string[];
  readonly defines: readonly string[];
}

/** All choices, in CMake's order: the last parameter changes fastest. Launches from device code are no part of them, as by CMake's default. */
function variantsOf(text: string): readonly Variant[] {
  let variants: readonly Variant[] = [{ labels: [], defines: [] }];
  for (const [, define, label, values] of text.matchAll(/\/\/ +%PARAM% +(\S+) +(\S+) +(\S+)/g)) {
    variants = variants.flatMap(({ labels, defines }) =>
      values.split(':').map((value) => ({ labels: [...labels, `${label}_${value}`], defines: [...defines, `${define}=${value}`] })),
    );
  }
  return variants
    .map(({ labels, defines }, index) => ({ labels, defines: labels.length > 0 ? [...defines, `VAR_IDX=${index}`] : defines }))
    .filter(({ labels }) => !labels.includes('lid_1'));
}

/** With assertions, as CMake has it. */
const ASSERTIONS = 'CCCL_ENABLE_ASSERTIONS';

function cubTest({ cccl, catch2, headers, work }: Folders, file: string, { labels, defines }: Variant): CcclTest {
  const helpers = join(cccl, 'c2h');
  const name = ['cub', basename(file, '.cu').replace('catch2_test_', ''), ...labels].join('.');
  return {
    name,
    sources: [
      withDefines(file, defines, join(work, 'sources', `${name}.cu`)),
      ...['generators.cu', 'catch2_runner.cpp', 'catch2_runner_helper.cu'].map((name) => join(helpers, name)),
      join(catch2, 'extras', 'catch_amalgamated.cpp'),
    ],
    includes: [headers, join(helpers, 'include'), helpers, configurationOf(catch2, work), join(catch2, 'src'), join(cccl, 'cub', 'test')],
    defines: [ASSERTIONS, 'CATCH_AMALGAMATED_CUSTOM_MAIN', 'C2H_HAS_CURAND=0'],
    list: ['--list-tests', '--verbosity', 'quiet'],
    // CCCL's main reads the arguments twice, which Catch2 refuses where they choose a reporter.
    run: (cases) => ['--durations', 'yes', ...(cases ? [cases.map(patternOf).join(',')] : [])],
    listed: (output) => output.split('\n').filter((line) => line !== ''),
    results: catchResults,
  };
}

/** Names begin with a quotation mark, which means something at the beginning of a pattern, as commas and brackets do everywhere. */
function patternOf(name: string): string {
  return `${name.startsWith('"') ? '*' : ''}${name.replace(/^"/, '').replace(/[\\,[]/g, '\\$&')}`;
}

/** The test with its parameters in the text: the other sources are then the same for all tests, and compiled once. */
function withDefines(file: string, defines: readonly string[], wrapped: string): string {
  const lines = defines.map((define) => `#define ${define.replace('=', ' ')}\n`);
  mkdirSync(dirname(wrapped), { recursive: true });
  writeFileSync(wrapped, `${lines.join('')}#include "${file}"\n`);
  return wrapped;
}

/** The folder of the header that CMake makes of Catch2's options, all of them as they are by default. */
function configurationOf(catch2: string, work: string): string {
  const folder = join(work, 'configuration');
  const template = readFileSync(join(catch2, 'src', 'catch2', 'catch_user_config.hpp.in'), 'utf8');
  const text = template
    .replace(/^#cmakedefine.*$/gm, '')
    .replace('@CATCH_CONFIG_DEFAULT_REPORTER@', 'console')
    .replace('@CATCH_CONFIG_CONSOLE_WIDTH@', '80');
  mkdirSync(join(folder, 'catch2'), { recursive: true });
  writeFileSync(join(folder, 'catch2', 'catch_user_config.hpp'), text);
  return folder;
}

/**
 * Behind each round of a case, and of each section in it, stands how long it took; before that, what failed. A case has a result when
 * another one or the totals follow.
 */
function catchResults(output: string, listed: readonly string[]): CaseResult[] {
  const names = new Set(listed);
  const causes = new Map<string, string | undefined>();
  let said = '';
  for (const line of output.split('\n')) {
    const name = /^\d+\.\d+ s: (.*)$/.exec(line)?.[1];
    if (name === undefined) said += `${line}\n`;
    if (name === undefined || !names.has(name)) continue;
    causes.set(name, causes.get(name) ?? failureOf(said));
    said = '';
  }
  const isWhole = WHOLE.test(output);
  const last = [...causes.keys()].at(-1);
  return [...causes].flatMap(([name, cause]) => (isWhole || name !== last ? [{ name, passed: cause === undefined, cause }] : []));
}

/** Of Catch2 or Thrust: the totals of a run that came to its end. */
export const WHOLE = /^(All tests passed|test cases: |Totals: )/m;

function failureOf(said: string): string | undefined {
  const [, failed] = /: FAILED:\n([\s\S]*?)(\n\n|$)/.exec(said) ?? [];
  return failed?.trim().replace(/\s+/g, ' ').slice(0, 200);
}

function thrustTests({ cccl, headers }: Folders): CcclTest[] {
  const folder = join(cccl, 'thrust', 'testing');
  const framework = ['testframework.cu', join('cuda', 'testframework.cu')].map((name) => join(folder, 'unittest', name));
  return readdirSync(folder)
    .filter((name) => name.endsWith('.cu'))
    .sort()
    .map((name) => ({
      name: `thrust.${basename(name, '.cu')}`,
      sources: [join(folder, name), ...framework],
      includes: [headers, folder],
      // Clang's programs are tested without algorithms that device code calls, as by CMake.
      defines: [ASSERTIONS],
      list: ['--list'],
      run: (cases: readonly string[] = []) => ['--verbose', ...cases],
      listed: (output: string) => output.split('\n').filter((line) => /^Test\w+$/.test(line)),
      results: thrustResults,
    }));
}

function thrustResults(output: string): CaseResult[] {
  return [...output.matchAll(/\r\[(PASS|FAILURE|KNOWN FAILURE|ERROR)\] +(?:[\d.e+-]+ ms)? *(\S+)/g)].map(([, verdict, name]) => {
    const passed = verdict === 'PASS' || verdict === 'KNOWN FAILURE';
    const message = new RegExp(`^(?:FAILURE|ERROR): ${name}\\n([^\\n]*)`, 'm').exec(output)?.[1];
    return { name, passed, cause: passed ? undefined : (message ?? verdict.toLowerCase()) };
  });
}

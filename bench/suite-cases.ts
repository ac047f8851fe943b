/**
 * The programs of public suites with labels, as they lie in a folder that was fetched: Indigo as in the HiRace artifact, GPUVerify's
 * tests (CUDA), faial's examples. Labels are the suites' own; what is counted apart is named with its reason.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { type Launch, programOf } from './kernel-programs.ts';

export interface SuiteCase {
  readonly suite: string;
  readonly name: string;
  readonly racy: boolean;
  /** Why the label says nothing of races and barriers. */
  readonly apart?: string;
  /** A file to be run as it is, or how to make a program of kernels. */
  readonly program: { readonly file: string } | { text(kept: boolean): string | undefined };
  readonly options: readonly string[];
  /** Arguments of runs; one that ends with a fault and without a finding is followed by the next. */
  readonly runs: readonly (readonly string[])[];
}

/** All suites in the folder and the folders in it, to the third level. */
export function casesIn(folder: string): SuiteCase[] {
  return foldersOf(folder, 3).flatMap((each) => [...indigo(each), ...gpuverify(each), ...faial(each)]);
}

function foldersOf(folder: string, levels: number): string[] {
  if (levels === 0) return [folder];
  const inner = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
  return [folder, ...inner.flatMap(({ name }) => foldersOf(join(folder, name), levels - 1))].sort();
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.cu'))
    .map((name) => join(folder, name))
    .sort();
}

/** Graph, threads of a block and blocks. At the first, threads of a `boundsBug` may leave their arrays and end the run before a race. */
const INDIGO_RUNS = [
  ['counterDAG_200n_1000e.egr', '256', '200'],
  ['counterDAG_200n_1000e.egr', '100', '2'],
  ['counterDAG_200n_1000e.egr', '256', '25'],
  ['power_law_200n_1000e.egr', '256', '200'],
  ['power_law_200n_1000e.egr', '100', '2'],
  ['DAG_200n_400e.egr', '256', '200'],
  ['DAG_200n_400e.egr', '100', '2'],
];

function indigo(folder: string): SuiteCase[] {
  const sources = join(folder, 'indigo_sources');
  if (!existsSync(sources)) return [];
  return sourcesIn(sources).map((file) => {
    const name = basename(file, '.cu');
    const half = createHash('sha256').update(`half${name}`).digest()[0] & 1 ? 'B' : 'A';
    return {
      suite: `Indigo, half ${half}`,
      name,
      racy: /atomicBug|guardBug|syncBug|raceBug/.test(name),
      program: { file },
      options: ['-I', join(folder, 'indigo_include'), '--allow-read', folder],
      runs: INDIGO_RUNS.map(([graph, ...shape]) => [join(folder, 'input', graph), ...shape]),
    };
  });
}

/** Tests of GPUVerify that must fail, and not because of a race or a barrier. */
const GPUVERIFY_APART: Readonly<Record<string, string>> = {
  'atomics/test_abstraction_enforced': 'an assertion',
  'function_pointers/basic_argument_fail': 'a null pointer',
  'function_pointers/basic_assignment_fail': 'a null pointer',
  'function_pointers/constant_value': 'a null pointer',
  'function_pointers/funcptr_to_ptr_add': 'a null pointer',
  'function_pointers/soundness_issue': 'an assertion',
  'function_pointers/unknown_function': 'a function the tool cannot follow',
  'globalarray/fail': 'a constant that the host might change; it does not',
  'memcpy/null_dst': 'a null pointer',
  'memcpy/null_src': 'a null pointer',
  'memcpy/unhandled_varlen': 'a copy the tool cannot follow',
  'memset/null_dst': 'a null pointer',
  'memset/unhandled_varlen': 'a fill the tool cannot follow',
  'memset/unhandled_varval': 'a fill the tool cannot follow',
  'misc/fail/miscfail1': 'it does not compile',
  'misc/fail/miscfail2': 'an invariant of a loop',
  'misc/fail/miscfail5': 'a store to constant memory',
  'misc/fail/miscfail6': 'an array without elements',
  'misc/fail/miscfail7': 'a null pointer',
  'misc/fail/miscfail8': 'an assertion',
  'misc/pass/misc3': 'a store to constant memory',
  'param_values/value_in_assert': 'an assertion',
  'return_val/char': 'a wrong annotation',
  'return_val/longlong': 'a wrong annotation',
};

/** Labelled as right for warps in lock step, which no GPU has promised since Volta; as written they race. */
const LOCK_STEP = /--warp-sync=/;

function gpuverify(folder: string): SuiteCase[] {
  const tests = join(folder, 'testsuite', 'CUDA');
  if (!existsSync(tests)) return [];
  return sourcesIn(tests).map((file) => {
    const text = readFileSync(file, 'latin1');
    const name = relative(tests, dirname(file));
    const fails = /^\/\/\s*xfail/.test(text);
    const lockStep = !fails && LOCK_STEP.test(text) ? 'right only if warps run in lock step' : undefined;
    return {
      suite: 'GPUVerify',
      name: basename(file) === 'kernel.cu' ? name : join(name, basename(file)),
      racy: fails,
      apart: GPUVERIFY_APART[name] ?? lockStep,
      program: { text: (kept) => programOf(text, statedLaunch(text, { grid: [1], block: [32] }), kept) },
      options: [],
      runs: [[]],
    };
  });
}

/** As GPUVerify's tests state it, in what a launch can be: 1,024 threads in a block, and no more than 64 blocks in a row. */
function statedLaunch(text: string, otherwise: Launch): Launch {
  const stated = (name: string): number[] | undefined => {
    const [, list] = new RegExp(`^//.*--${name}=(\\[[^\\]]*\\]|\\d+)`, 'm').exec(text) ?? [];
    return list?.match(/\d+/g)?.map(Number);
  };
  const block = [...(stated('blockDim') ?? otherwise.block)];
  while (block.reduce((product, size) => product * size, 1) > 1024) {
    const largest = block.indexOf(Math.max(...block));
    block[largest] = Math.floor(block[largest] / 2);
  }
  const grid = stated('gridDim') ?? otherwise.grid;
  const most = grid.length === 1 ? 64 : 16;
  return { grid: grid.map((size) => Math.min(size, most)), block };
}

/** Examples of faial's whose label a launch cannot show. */
const FAIAL_APART: Readonly<Record<string, string>> = {
  'racy-funcion-call-unknowns': 'races for two results of a function that has no body',
  'parse-gv': 'free of races within each block, which is what its label means; its blocks race',
};

/** Racy between blocks only. */
const GRID_LEVEL = /grid[- ]level/;

function faial(folder: string): SuiteCase[] {
  const examples = [join(folder, 'examples', 'drf'), join(folder, 'tutorial')].filter(
    (each) => existsSync(join(folder, 'faial.opam')) && existsSync(each),
  );
  return examples.flatMap(sourcesIn).map((file) => {
    const text = readFileSync(file, 'latin1');
    const name = basename(file, '.cu');
    const launch = statedLaunch(text, { grid: [GRID_LEVEL.test(text) ? 2 : 1], block: [32] });
    return {
      suite: 'faial',
      name,
      racy: /^racy|buggy/.test(name),
      apart: FAIAL_APART[name],
      program: { text: (kept) => programOf(text, launch, kept) },
      options: name === 'macro' ? ['-D', 'MACRO=+ 0'] : [],
      runs: [[]],
    };
  });
}

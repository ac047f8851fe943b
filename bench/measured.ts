/** What the benchmarks that compare with a GPU's measurements share: which half a program is in, its sources, its kernels' names. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makefileOf } from './program-folders.ts';

export type Half = 'A' | 'B';

/** Where the measurements are, by the name of a set of programs. */
export const SETS = {
  reference: 'test/fixtures/hardware/h200-reference.json',
  hecbench: '../shared/hardware/h200-hecbench.json',
  second: 'test/fixtures/hardware/h200-hecbench-second.json',
  third: 'test/fixtures/hardware/h200-hecbench-third.json',
  fourth: 'test/fixtures/hardware/h200-hecbench-fourth.json',
  fifth: 'test/fixtures/hardware/h200-hecbench-fifth.json',
  sixth: 'test/fixtures/hardware/h200-hecbench-sixth.json',
  seventh: 'test/fixtures/hardware/h200-hecbench-seventh.json',
  samples: 'test/fixtures/hardware/h200-samples.json',
  eighth: 'test/fixtures/hardware/h200-hecbench-eighth.json',
  ninth: 'test/fixtures/hardware/h200-hecbench-ninth.json',
  textbook: 'test/fixtures/hardware/h200-textbook.json',
  practice: 'test/fixtures/hardware/h200-practice.json',
  field: 'test/fixtures/hardware/h200-field.json',
  trial: 'test/fixtures/hardware/h200-trial.json',
  public: 'test/fixtures/hardware/h200-public.json',
};

export type SetName = keyof typeof SETS;

/** Half A was looked at while choices were made. Half B was not: of it, only sums are printed. */
export function halfOf(name: string): Half {
  return hashOf(name)[0] % 2 === 0 ? 'A' : 'B';
}

/**
 * Whether a program of half B may be looked at where counters are compared: since 2026-11-28, when half A had little more to show, every
 * second one by its name's hash, of the public programs that were measured until then. Of the others only sums are printed.
 */
export function isOpened(set: string, name: string): boolean {
  return halfOf(name) === 'B' && !isOwn(set) && set !== 'reference' && hashOf(name)[1] % 2 === 0;
}

function hashOf(name: string): Buffer {
  return createHash('sha256').update(name).digest();
}

/**
 * Folders of public programs: HeCBench's (with `src/NAME-cuda` or `NAME-cuda`), cuda-samples' (with `Samples/AREA/NAME`, `Common`), and
 * one with other repositories, each in `OWNER+NAME`.
 */
export interface Folders {
  readonly hecbench: string;
  readonly samples?: string;
  readonly repositories?: string;
}

/** Where a program of another repository is: `repository` is `OWNER/NAME`, `files` and the paths of `flags` are relative to `folder` in it. */
export interface Origin {
  readonly source?: string;
  readonly repository?: string;
  readonly folder?: string;
  readonly files?: readonly string[];
  readonly flags?: readonly string[];
}

/** Files and options that the program is compiled with: macros and include folders. */
export interface Sources {
  readonly files: readonly string[];
  readonly flags: readonly string[];
}

export function hecbenchFolder({ hecbench }: Folders, name: string): string | undefined {
  return [join(hecbench, 'src', `${name}-cuda`), join(hecbench, `${name}-cuda`)].find(existsSync);
}

export function sampleFolder({ samples }: Folders, name: string): string | undefined {
  if (samples === undefined) return undefined;
  const root = join(samples, 'Samples');
  if (!existsSync(root)) return undefined;
  return readdirSync(root)
    .sort()
    .map((area) => join(root, area, name))
    .find(existsSync);
}

/** Whether a set's programs are files of ours, one each, in a folder of its name. */
export function isOwn(set: string): boolean {
  return set === 'textbook' || set === 'practice' || set === 'field' || set === 'trial';
}

/** By the set that a program is of: our own, cuda-samples' or HeCBench's. Names of ours may have arguments behind them. */
export function sourcesOf(set: string, folders: Folders, name: string, origin: Origin): Sources | undefined {
  if (set === 'reference' || set === 'headline')
    return { files: [resolve('test/fixtures/reference', `${name.replace(/ .*/, '')}.cu`)], flags: [] };
  if (isOwn(set)) return { files: [resolve('test/fixtures', set, `${name}.cu`)], flags: [] };
  if (set === 'public') return publicSources(folders, origin);
  return set === 'samples' ? sampleSources(folders, name) : hecbenchSources(folders, name, origin.source);
}

/** Programs that were measured without the macros of their makefile: `clock` with 32 blocks, where it says 8192. */
const WITHOUT_MACROS: ReadonlySet<string> = new Set(['clock']);

/** As the program's makefile has them, the one with kernels first. */
export function hecbenchSources({ hecbench }: Folders, name: string, source = 'main.cu'): Sources | undefined {
  const folder = hecbenchFolder({ hecbench }, name);
  if (!folder) return undefined;
  const makefile = makefileOf(folder);
  const listed = /^source\s*=\s*(.*)$/m.exec(makefile)?.[1].trim().split(/\s+/);
  const compiled = [...makefile.matchAll(/^CFLAGS\s*:?=(.*)$/gm)].map(([, options]) => options).join(' ');
  const macros = WITHOUT_MACROS.has(name) ? [] : [...compiled.matchAll(/(?<=\s)-D\w+(?:=[\w.]+)?(?=\s|$)/g)].map(([macro]) => macro);
  const includes = [...compiled.matchAll(/(?<=\s)-I\s*([\w./-]+)/g)].flatMap(([, path]) => ['-I', join(folder, path)]);
  return { files: kernelsFirst(listed ?? [source]).map((each) => join(folder, each)), flags: [...macros, ...includes] };
}

function publicSources({ repositories }: Folders, { repository, folder = '', files = [], flags = [] }: Origin): Sources | undefined {
  if (repositories === undefined || repository === undefined) return undefined;
  const inside = join(repositories, repository.replace('/', '+'), folder);
  if (!existsSync(inside)) return undefined;
  const isPath = (index: number) => flags[index - 1] === '-I';
  return { files: files.map((each) => join(inside, each)), flags: flags.map((each, i) => (isPath(i) ? join(inside, each) : each)) };
}

/** All sources of the sample's folder, as its build has them. */
function sampleSources(folders: Folders, name: string): Sources | undefined {
  const { samples } = folders;
  const folder = sampleFolder(folders, name);
  if (samples === undefined || !folder) return undefined;
  const names = readdirSync(folder)
    .filter((each) => /\.(cu|cpp)$/.test(each))
    .sort();
  return { files: kernelsFirst(names).map((each) => join(folder, each)), flags: ['-I', join(samples, 'Common')] };
}

function kernelsFirst(names: readonly string[]): readonly string[] {
  return [...names.filter((each) => each.endsWith('.cu')), ...names.filter((each) => !each.endsWith('.cu'))];
}

/** `reduce` for `void reduce<int>(const T1 *)`: Nsight Compute writes template parameters where the simulator writes types. */
export function baseName(kernel: string): string {
  return kernel
    .replace(/^(void|int|float|double)\s+/, '')
    .replace(/[<(].*$/s, '')
    .replace(/^.*::/, '')
    .trim();
}

/** What a program prints that differs from run to run: numbers on a line that speaks of time. */
const SPEAKS_OF_TIME =
  /time|second|elapsed|duration|speed|bandwidth|throughput|performance|\b[mun]?s\b|\b[mu]sec\b|[GM]B\/s|flops?\b|\/s\b/i;

/** What a program printed, without the numbers of lines that speak of time. */
export function timeless(output: string): string {
  const lines = output.split('\n');
  return lines.map((line) => (SPEAKS_OF_TIME.test(line) ? line.replace(/ *-?\d+(\.\d+)?(e[-+]?\d+)?/g, ' #') : line)).join('\n');
}

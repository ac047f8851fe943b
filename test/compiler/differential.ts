/** Runs a launch on both engines, from the same memory, and says how they differ. */
import { type CompilerEngine, type CompilerOptions, createCompiler } from '../../simulator/compiler/engine.ts';
import { SITE_FIELDS, type SiteCounters } from '../../simulator/counters/site-counters.ts';
import { createInterpreter, interpreter } from '../../simulator/interpreter/interpreter.ts';
import type { IrFunction } from '../../simulator/ir/types.ts';
import type { Footprint } from '../../simulator/machine/footprint.ts';
import type { LaunchOutcome } from '../../simulator/scheduling/engine.ts';
import { type Machine, machine } from '../interpreter/engine-harness.ts';
import { type RandomKernel, randomKernel } from './random-kernel.ts';

export interface Comparison {
  /** Sentences about what differs; none if the engines agree. */
  readonly differences: readonly string[];
  /** Why the kernel was interpreted on both sides; undefined if it was compiled. */
  readonly interpreted: string | undefined;
  readonly helpers: number;
  /** Kind of the fault in which the launch ended on both sides. */
  readonly fault: string | undefined;
}

export function compareRandom(seed: number, options: Omit<CompilerOptions, 'fallback'>): Comparison {
  return compare(randomKernel(seed), seed, options);
}

export function compare(kernel: RandomKernel, seed: number, options: Omit<CompilerOptions, 'fallback'>): Comparison {
  let compiler: CompilerEngine | undefined;
  const oracle = execute(
    machine((o) => createInterpreter({ ...o, weigh }), kernel.ir),
    kernel,
    seed,
  );
  const compiled = machine((o) => {
    compiler = createCompiler({ fallback: interpreter, ...options }, { ...o, weigh });
    if ((options.workers ?? 0) > 0) compiler.warmUp();
    return compiler;
  }, kernel.ir);
  const interpreted = compiler!.whyInterpreted('k');
  const result = execute(compiled, kernel, seed);
  const { helpers } = compiler!;
  compiled.engine.close();
  return {
    differences: [...compareMemory(oracle.memory, result.memory), ...compareOutcomes(oracle.outcome, result.outcome)],
    interpreted,
    helpers,
    fault: oracle.outcome.fault?.kind,
  };
}

/** So that it matters which instructions are on the longest way. */
const weigh = (fn: IrFunction) => Array.from({ length: fn.siteCount }, (_, site) => 1 + (site % 5));

function execute(
  m: Machine,
  { words, threads, blocks, cooperative }: RandomKernel,
  seed: number,
): { outcome: LaunchOutcome; memory: number[] } {
  const [input, out, sums] = [m.words(words.in), m.words(words.out), m.words(words.sums)];
  m.write(
    input,
    Array.from({ length: words.in }, (_, k) => Math.imul(k + 1, 0x9e3779b1) ^ seed),
  );
  const outcome = m.launch('k', { grid: blocks, block: threads, args: [input, out, sums, seed % 23], cooperative });
  return { outcome, memory: [...m.read(out, words.out), ...m.read(sums, words.sums)] };
}

function compareMemory(a: readonly number[], b: readonly number[]): string[] {
  const at = a.findIndex((value, k) => value !== b[k]);
  return at < 0 ? [] : [`word ${at} of memory is ${a[at]} in the interpreter and ${b[at]} in the compiled kernel`];
}

function compareOutcomes(a: LaunchOutcome, b: LaunchOutcome): string[] {
  if (JSON.stringify(a.fault) !== JSON.stringify(b.fault)) return [`faults ${JSON.stringify(a.fault)} and ${JSON.stringify(b.fault)}`];
  return a.fault
    ? []
    : [...compareFootprints(a.footprint, b.footprint), ...compareCounters(a.counters, b.counters), ...compareElapsed(a.elapsed, b.elapsed)];
}

function compareElapsed(a: LaunchOutcome['elapsed'], b: LaunchOutcome['elapsed']): string[] {
  const text = (elapsed: LaunchOutcome['elapsed']) => `${elapsed?.longest} and ${elapsed?.blocks}`;
  return text(a) === text(b) ? [] : [`longest ways ${text(a)} in the interpreter, ${text(b)} in the compiled kernel`];
}

function compareFootprints(a: Footprint, b: Footprint): string[] {
  const text = ({ read, written }: Footprint) => `read ${[...read].sort()} and wrote ${[...written].sort()}`;
  return text(a) === text(b) ? [] : [`the interpreter ${text(a)}, the compiled kernel ${text(b)}`];
}

function compareCounters(a: SiteCounters, b: SiteCounters): string[] {
  const differences: string[] = [];
  for (const [name, { data }] of a) {
    const other = b.get(name)?.data;
    data.forEach((value, k) => {
      const got = other?.[k];
      if (got !== value)
        differences.push(`${name} site ${Math.floor(k / SITE_FIELDS.length)}: ${SITE_FIELDS[k % SITE_FIELDS.length]} ${value} and ${got}`);
    });
  }
  return differences.slice(0, 5);
}

/** What a GPU measured, launch by launch, and which launches of a run here it stands beside. */
import { unqualifiedName } from '../counters/kernel-names.ts';

import type { SourcePlace } from './cubin-lines.ts';

type Size = readonly [number, number, number];

export interface MeasuredLaunch {
  /** Demangled signature, as Nsight Compute writes it. */
  readonly kernel: string;
  readonly grid?: Size;
  readonly block?: Size;
  /** By Nsight Compute's names, in its base units: nanoseconds, bytes, percent, and so many a second. */
  readonly metrics: Readonly<Record<string, number>>;
  /** What was measured of single instructions, where the file has it and their lines. */
  readonly lines?: readonly MeasuredLine[];
}

/** Instructions that come from one place. */
export interface MeasuredLine {
  /** Innermost first: the calls that it is inlined by follow. */
  readonly places: readonly SourcePlace[];
  /** Sums over the instructions, by Nsight Compute's names. */
  readonly counters: Readonly<Record<string, number>>;
}

export interface MeasuredRun {
  /** Name of the file. */
  readonly name: string;
  /** The GPU's, where the file has it. */
  readonly device?: string;
  /** Never none. */
  readonly launches: readonly MeasuredLaunch[];
}

/** What is known of a launch of a run here. */
export interface SimulatedLaunch {
  readonly kernel: string;
  readonly grid: Size;
  readonly block: Size;
}

export interface LaunchPair<S extends SimulatedLaunch> {
  readonly simulated: S;
  readonly measured: MeasuredLaunch;
}

/**
 * Each measured launch beside the next one here of the same kernel with the same grid and block; where the file has no grids, beside the
 * next one of that kernel. In the order of the file: what has been measured need not be all of a run.
 */
export function pairedLaunches<S extends SimulatedLaunch>(measured: readonly MeasuredLaunch[], simulated: readonly S[]): LaunchPair<S>[] {
  const kernelOf = pairedKernels(namesOf(measured), namesOf(simulated));
  const waiting = new Map<string, Queue<S>>();
  for (const launch of simulated) {
    for (const key of [launch.kernel, keyOf(launch.kernel, launch)]) {
      const queue = waiting.get(key) ?? { launches: [], next: 0 };
      waiting.set(key, queue);
      queue.launches.push(launch);
    }
  }
  return measured.flatMap((launch) => {
    const kernel = kernelOf.get(launch.kernel);
    const queue = kernel === undefined ? undefined : waiting.get(keyOf(kernel, launch));
    return queue && queue.next < queue.launches.length ? [{ simulated: queue.launches[queue.next++], measured: launch }] : [];
  });
}

interface Queue<S> {
  readonly launches: S[];
  next: number;
}

function keyOf(kernel: string, { grid, block }: Pick<MeasuredLaunch, 'grid' | 'block'>): string {
  return grid && block ? `${kernel}|${grid}|${block}` : kernel;
}

function namesOf(launches: readonly { readonly kernel: string }[]): string[] {
  return [...new Set(launches.map(({ kernel }) => kernel))];
}

/**
 * By measured signature, the signature here. Compilers write them differently: those with the same template arguments belong together,
 * and those that are left of one name in the order of their first launches.
 */
function pairedKernels(measured: readonly string[], simulated: readonly string[]): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>();
  const paired = new Set<string>();
  for (const alike of [nameWithArguments, unqualifiedName]) {
    const free = new Map<string, string[]>();
    for (const kernel of simulated.filter((each) => !paired.has(each)))
      free.set(alike(kernel), [...(free.get(alike(kernel)) ?? []), kernel]);
    for (const kernel of measured) {
      const found = pairs.has(kernel) ? undefined : free.get(alike(kernel))?.shift();
      if (found === undefined) continue;
      pairs.set(kernel, found);
      paired.add(found);
    }
  }
  return pairs;
}

/** `sum<float,256>` of `void ns::sum<float, (int)256>(const T1 *)`: Nsight Compute writes the types of numbers, Clang's demangler does not. */
function nameWithArguments(signature: string): string {
  const name = unqualifiedName(signature);
  const rest = signature.slice(signature.search(new RegExp(`\\b${name.replaceAll('$', '\\$')}\\s*(<|\\(|$)`)) + name.length);
  return name + templateArguments(rest.trimStart());
}

function templateArguments(text: string): string {
  if (!text.startsWith('<')) return '';
  let depth = 0;
  let end = 0;
  do {
    if (text[end] === '<') depth++;
    if (text[end] === '>') depth--;
    end++;
  } while (depth > 0 && end < text.length);
  return text
    .slice(0, end)
    .replace(/\((?:bool|char|(?:unsigned |signed )?(?:short|int|long long|long|char))\)/g, '')
    .replace(/\b(\d+)u?l{0,2}\b/g, '$1')
    .replace(/\btrue\b/g, '1')
    .replace(/\bfalse\b/g, '0')
    .replace(/\s/g, '');
}

/** Sums over launches of what can be summed, means of what cannot: shares, maxima, limits of a launch. */
export function metricsOf(launches: readonly MeasuredLaunch[]): Record<string, number> {
  const sums: Record<string, number> = {};
  const counts: Record<string, number> = {};
  for (const { metrics } of launches) {
    for (const [name, value] of Object.entries(metrics)) {
      sums[name] = (sums[name] ?? 0) + value;
      counts[name] = (counts[name] ?? 0) + 1;
    }
  }
  return Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, isSum(name) ? sum : sum / counts[name]]));
}

/** Counters of source lines have no suffix. */
function isSum(name: string): boolean {
  return name.endsWith('.sum') || /^(memory_|inst_|thread_inst_)/.test(name);
}

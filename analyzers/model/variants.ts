/** Which instantiations and shapes of a kernel are looked at: what its launches say, and of many launches those that show every value. */

import { ASSUMED_THREADS, isLaunchable, knownAxes, usualBlock } from './assumed-shape.ts';
import type { LaunchEntry } from './host-facts.ts';
import type { VariantSpec } from './kernel.ts';
import { dividedArgument } from './missed.ts';
import { LANES } from './rows.ts';
import type { FunctionEntry } from './table.ts';
import type { Bindings } from './types.ts';

/** Launches with the same template arguments and blocks of the same shape. */
export interface VariantGroup {
  readonly targs: readonly string[];
  readonly spec: VariantSpec;
  readonly launches: readonly LaunchEntry[];
}

/** Each is interpreted by itself, and the rules run on each: what a file with many more would take nobody waits for. */
export const MAX_VARIANTS = 8;

export interface VariantGroups {
  readonly chosen: readonly VariantGroup[];
  /** How many more there are. */
  readonly others: number;
}

export function variantGroups(entry: FunctionEntry, launches: readonly LaunchEntry[]): VariantGroups {
  const groups = new Map<string, LaunchEntry[]>();
  for (const l of launches) {
    const key = `${l.facts.templateArgs.join()}|${blockText(l)}`;
    const group = groups.get(key);
    if (group) group.push(l);
    else groups.set(key, [l]);
  }
  if (groups.size === 0) {
    const spec: VariantSpec = {
      bindings: new Map(),
      block: usualBlock(entry),
      blockKnown: false,
      axes: [],
      grid: [undefined, undefined, undefined],
      args: [],
      allocated: [],
      share: 1,
    };
    return { chosen: [{ targs: [], launches: [], spec }], others: 0 };
  }
  const representing = representatives([...groups.values()]);
  const chosen = representing.map((group): VariantGroup => {
    const block = knownBlock(group[0]);
    const agree = (of: (l: LaunchEntry) => number | undefined) => {
      const first = of(group[0]);
      return group.every((l) => of(l) === first) ? first : undefined;
    };
    return {
      targs: group[0].facts.templateArgs,
      launches: group,
      spec: {
        bindings: group[0].raw.bindings as Bindings,
        block: block ?? usualBlock(entry, knownAxes(group[0].facts.block)),
        blockKnown: block !== undefined,
        axes: knownAxes(group[0].facts.block),
        grid: [agree((l) => l.facts.grid.x), agree((l) => l.facts.grid.y), agree((l) => l.facts.grid.z)],
        gridOf: agree((l) => dividedArgument(l.raw)),
        args: entry.def.params.map((_, i) => agree((l) => l.values[i])),
        allocated: entry.def.params.map((_, i) => agree((l) => l.allocated[i])),
        share: 1 / representing.length,
      },
    };
  });
  return { chosen, others: groups.size - chosen.length };
}

/** For a block that can be launched. */
function knownBlock({ facts: { block } }: LaunchEntry): readonly [number, number, number] | undefined {
  const { x, y, z } = block;
  if (x === undefined || y === undefined || z === undefined) return undefined;
  return isLaunchable([x, y, z]) ? [x, y, z] : undefined;
}

function blockText({ facts: { block } }: LaunchEntry): string {
  return `${block.x ?? '?'},${block.y ?? '?'},${block.z ?? '?'}`;
}

/** Warps of all the variants that are looked at: what one takes grows with the size of its blocks. */
const MANY_WARPS = 48;

/**
 * All of them up to the limit. Of more, first those with each value of each template argument and each shape of a block, as far as the limit
 * allows: the next is always the first of those that show most of what is not there yet. Then others from the first on, where blocks are small.
 */
function representatives(groups: readonly LaunchEntry[][]): readonly LaunchEntry[][] {
  if (groups.length <= MAX_VARIANTS) return groups;
  const values = groups.map(([l]) => [...l.facts.templateArgs.map((text, i) => `${i} ${text}`), blockText(l)]);
  const missing = new Set(values.flat());
  const chosen = new Set<number>();
  while (missing.size > 0 && chosen.size < MAX_VARIANTS) {
    const news = values.map((own) => own.filter((value) => missing.has(value)).length);
    const next = news.indexOf(Math.max(...news));
    chosen.add(next);
    for (const value of values[next]) missing.delete(value);
  }
  let warps = 0;
  for (const i of chosen) warps += warpsOf(groups[i][0]);
  for (let i = 0; i < groups.length && chosen.size < MAX_VARIANTS; i++) {
    if (chosen.has(i) || warps + warpsOf(groups[i][0]) > MANY_WARPS) continue;
    chosen.add(i);
    warps += warpsOf(groups[i][0]);
  }
  return groups.filter((_, i) => chosen.has(i));
}

/** As they are looked at. */
function warpsOf(launch: LaunchEntry): number {
  const [x, y, z] = knownBlock(launch) ?? [ASSUMED_THREADS, 1, 1];
  return Math.ceil((x * y * z) / LANES);
}

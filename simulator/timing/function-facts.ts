/** What is known of a function without a launch: where its pointers lead, its loops, and how its atomics try again. */
import { type MemoryRoots, mayAlias, memoryRoots } from '../ir/memory-roots.ts';
import type { Instruction, IrFunction, IrModule } from '../ir/types.ts';
import { findLoops, type Loops } from '../simt/loops.ts';
import { type CountedLoops, countedLoops } from './counted-loops.ts';
import { flopsOf } from './flops.ts';
import { loopReuse } from './loop-reuse.ts';
import { sitesInRegisters } from './register-arrays.ts';
import { type RetryLoop, retryLoops } from './retries.ts';
import { type Waiting, waitingOf } from './waits.ts';

/** What an estimate asks of a function again and again. */
export interface Facts {
  readonly roots: MemoryRoots;
  readonly loops: CountedLoops;
  readonly flow: Loops;
  /** By site. */
  readonly instructions: readonly Instruction[];
  /** By site, of loads: see `loopReuse`. */
  readonly reuse: Float64Array;
  /** By site: the block. */
  readonly blockOf: readonly number[];
  readonly flops: readonly ReturnType<typeof flopsOf>[];
  readonly inRegisters: ReadonlySet<number>;
  readonly waiting: Waiting;
  /** By site of the compare-and-swap. */
  readonly retries: ReadonlyMap<number, RetryLoop>;
}

const knownFacts = new WeakMap<IrFunction, Facts>();

export function factsOf(fn: IrFunction, module: IrModule): Facts {
  let facts = knownFacts.get(fn);
  if (!facts) {
    const roots = memoryRoots(fn, (name) => module.globals.get(name)?.space);
    const flow = findLoops(fn);
    const instructions = fn.blocks.flatMap((block) => block.instructions);
    const blockOf = fn.blocks.flatMap(({ index, instructions: own }) => own.map(() => index));
    const retries = new Map(retryLoops(fn).map((each) => [each.site, each] as const));
    const inRegisters = sitesInRegisters(fn, roots);
    facts = {
      blockOf,
      roots,
      loops: writtenOut(fn),
      flow,
      reuse: loopReuse(fn, flow),
      instructions,
      flops: instructions.map(flopsOf),
      inRegisters,
      retries,
      waiting: waitingOf(fn),
    };
    knownFacts.set(fn, facts);
  }
  return facts;
}

/** Without those that the program or LLVM keeps as they are. */
function writtenOut(fn: IrFunction): CountedLoops {
  const { rounds, control, far } = countedLoops(fn);
  const kept = fn.blocks.filter(({ instructions }) => {
    const end = instructions[instructions.length - 1];
    return end.op === 'condbr' && end.keepsRounds;
  });
  const sites = new Set(kept.flatMap(({ instructions }) => instructions.map(({ site }) => site)));
  const indices = new Set(kept.map(({ index }) => index));
  return {
    rounds: new Map([...rounds].filter(([index]) => !indices.has(index))),
    far: new Set([...far].filter((index) => !indices.has(index))),
    control: new Set([...control].filter((site) => !sites.has(site))),
  };
}

/** ptxas does not move a load before a store that might change what it reads. */
export function mayBeSame(roots: MemoryRoots, load: Instruction, store: Instruction): boolean {
  const [a, b] = [load, store].map((each) => ('pointer' in each ? each.pointer : undefined));
  if (load.op === 'call') return false;
  return a === undefined || b === undefined || mayAlias(roots, a, b);
}

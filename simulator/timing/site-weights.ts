/**
 * What instructions weigh when an engine follows the longest way through a block: parts of a cycle that a warp by itself takes, as if all
 * loads came from L2. What a launch has really taken for them is known when it has ended; weights need only tell instructions apart.
 */
import type { Timings } from '../../devices/timings.ts';
import type { Instruction, IrFunction, IrModule } from '../ir/types.ts';
import { functionFacts } from '../simt/analyze.ts';
import { ONCE, pieceCycles, type Waits } from './chains.ts';
import { factsOf, mayBeSame } from './function-facts.ts';
import { machineCode } from './machine-code.ts';
import { straightPieces } from './straight-code.ts';

/** Weights are whole numbers. */
const PARTS_OF_A_CYCLE = 8;

const known = new WeakMap<IrFunction, Int32Array>();

/** Our header's copies of boxes of tensors, which hardware leaves to a unit of its own: their instructions take no time of a warp. */
export function isCopyUnit({ name }: IrFunction): boolean {
  return name.startsWith('__lanewise_tensor_');
}

/** By site. */
export function siteWeights(fn: IrFunction, module: IrModule, timings: Timings): Int32Array {
  let weights = known.get(fn);
  if (!weights) {
    weights = weightsOf(fn, module, timings);
    known.set(fn, weights);
  }
  return weights;
}

function weightsOf(fn: IrFunction, module: IrModule, timings: Timings): Int32Array {
  if (isCopyUnit(fn)) return new Int32Array(fn.siteCount);
  const { roots, loops, instructions, waiting, reuse } = factsOf(fn, module);
  const costs = machineCode(fn, module, timings);
  const { latency, loadsAhead, spinCycles, window } = timings;
  const spaceOf = (instruction: Instruction): number => ('pointer' in instruction ? roots.spaceOf(instruction.pointer) : 1);
  const waits: Waits = {
    window,
    loadsAhead,
    holds: (instruction) => ([0, 1].includes(spaceOf(instruction)) ? 1 : 0),
    barrierCycles: { block: latency.barrier, cluster: latency.barrier, grid: latency.l2 },
    latencyOf: (instruction) => {
      const space = spaceOf(instruction);
      if (space === 3) return costs[instruction.site].spins ? spinCycles.alone : latency.shared;
      if (space === 4) return latency.alu;
      const hit = space === 5 ? 1 : reuse[instruction.site];
      return hit * latency.l1 + (1 - hit) * latency.l2;
    },
    busyOf: () => 0,
    spacingOf: () => 0,
    detourOf: () => 0,
    staysBehind: (load, store) => mayBeSame(roots, load, store),
  };
  const { predicated } = functionFacts(fn, module);
  const weights = new Int32Array(fn.siteCount);
  const all = fn.blocks.map(() => 1);
  for (const piece of straightPieces(fn, predicated, all)) {
    const [{ index }] = piece;
    const written = piece.length > 1 ? ONCE : { rounds: loops.rounds.get(index) ?? 1, isFar: loops.far.has(index) };
    for (const [site, cycles] of pieceCycles(piece, costs, waits, { written }).bySite())
      weights[site] = Math.round(PARTS_OF_A_CYCLE * cycles);
  }
  // Each takes a cycle to be issued.
  for (const { site } of instructions) if (costs[site].issues > 0) weights[site] = Math.max(1, weights[site]);
  // How often a warp looks at what it waits for is not its own work.
  for (const { loop } of waiting.loops) {
    for (const index of loop.blocks) for (const { site } of fn.blocks[index].instructions) weights[site] = 0;
  }
  return weights;
}

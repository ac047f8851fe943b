/**
 * Bytes of machine code that a launch executes. With cold caches, DRAM is asked for them, and parts of the device ask L2 for them each on
 * their own.
 */

import type { Timings } from '../../devices/timings.ts';
import type { SiteCounters } from '../counters/site-counters.ts';
import type { IrModule } from '../ir/types.ts';
import { countedLoops } from './counted-loops.ts';
import { machineCode } from './machine-code.ts';

/** Of one instruction of all GPUs since compute capability 7.0 (CUDA Binary Utilities, "Instruction Set Reference"). */
const INSTRUCTION_BYTES = 16;
/** What every kernel begins and ends with. */
const OWN_INSTRUCTIONS = 12;
/** Code begins at multiples of this and is filled up to them. */
const ALIGNMENT = 128;

export function codeBytes(module: IrModule, counters: SiteCounters, timings: Timings): number {
  let bytes = 0;
  for (const name of counters.keys()) {
    const fn = module.functions.get(name);
    if (!fn) continue;
    const costs = machineCode(fn, module, timings);
    const { rounds, control } = countedLoops(fn);
    let instructions = OWN_INSTRUCTIONS;
    for (const { index, instructions: own } of fn.blocks) {
      const times = rounds.get(index) ?? 1;
      for (const { site } of own) instructions += costs[site].issues * (control.has(site) ? 1 : times);
    }
    bytes += Math.ceil((instructions * INSTRUCTION_BYTES) / ALIGNMENT) * ALIGNMENT;
  }
  return bytes;
}

/**
 * Which atomics nvcc executes once per warp instead of once per lane. Found by compiling one kernel per case with nvcc 13 -O3
 * -arch=sm_90 and reading the machine code (2026-11); agrees with atomics.cu on hardware. All lanes must be known to use one address
 * (threadIdx.x / 32 is not recognised), in global or shared memory, under any condition:
 *
 *   result unused, 32 bits: add, sub, min, max, and, or, xor, of any value (VOTE, POPC or REDUX, then one lane's RED)
 *   result unused, 64 bits: add and sub of a uniform value only
 *   result used:            add and sub of a uniform value (one lane's ATOM, then SHFL)
 *                           32-bit add and sub of a varying value only when all 32 lanes are active (a scan by SHFL.UP)
 *   never:                  floating point, exchange, compare and swap, increment and decrement with wrapping
 */
import { operandsOf } from '../ir/operands.ts';
import type { Instruction, IrFunction } from '../ir/types.ts';
import type { Uniformity } from './uniformity.ts';

export type Aggregation =
  /** One access per warp, by one lane. */
  | 'always'
  /** One access per warp where all 32 lanes are active, otherwise one per lane. */
  | 'full-warp';

type Atomic = Extract<Instruction, { op: 'atomicrmw' }>;

const REDUCED: ReadonlySet<string> = new Set(['add', 'sub', 'min', 'max', 'umin', 'umax', 'and', 'or', 'xor']);

/**
 * Sites of the atomics that are ATOMS.POPC.INC.32 in shared memory: `atomicAdd(p, 1)` and `atomicInc(p, 0xffffffff)` whose result
 * nobody reads (machine code of nvcc 13). Lanes on one word are then one access: the wavefronts are those of a load, which gives exactly
 * the 428,032 of histogram.cu.
 */
export function countingAtomics(fn: IrFunction): ReadonlySet<number> {
  const used = new Set<number>();
  const sites = new Map<number, number>();
  for (const { instructions } of fn.blocks) {
    for (const instruction of instructions) {
      for (const operand of operandsOf(instruction)) if (operand.kind === 'value') used.add(operand.id);
      if (instruction.op === 'atomicrmw' && countsUp(instruction)) sites.set(instruction.id, instruction.site);
    }
  }
  return new Set([...sites].filter(([id]) => !used.has(id)).map(([, site]) => site));
}

/**
 * True for an atomic without an instruction of its own in shared memory: a loop of LDS and ATOMS.CAST.SPIN (machine code of nvcc 13), one
 * round for each lane that meets others in a bank. Its counters are measured: see `spinWavefronts` in machine/banks.ts.
 */
export function spinsInShared({ operation, type }: Atomic): boolean {
  if (type.kind === 'float') return operation !== 'xchg';
  return type.kind === 'int' && type.bits === 64 && operation !== 'xchg';
}

function countsUp({ operation, value, returns }: Atomic): boolean {
  if (returns || value.kind !== 'int' || value.type.kind !== 'int' || value.type.bits !== 32) return false;
  return (operation === 'add' && value.value === 1n) || (operation === 'uinc_wrap' && value.value === 0xffffffffn);
}

/** By site: how the atomics of a function are aggregated; those that are not are missing. */
export function aggregatedAtomics(fn: IrFunction, uniformity: Uniformity): ReadonlyMap<number, Aggregation> {
  const used = new Set<number>();
  const atomics: Atomic[] = [];
  for (const { instructions } of fn.blocks) {
    for (const instruction of instructions) {
      for (const operand of operandsOf(instruction)) if (operand.kind === 'value') used.add(operand.id);
      if (instruction.op === 'atomicrmw') atomics.push(instruction);
    }
  }
  const result = new Map<number, Aggregation>();
  for (const atomic of atomics) {
    if (!uniformity.isUniform(atomic.pointer)) continue;
    const aggregation = aggregationOf(atomic, { resultUsed: used.has(atomic.id), uniformValue: uniformity.isUniform(atomic.value) });
    if (aggregation) result.set(atomic.site, aggregation);
  }
  return result;
}

function aggregationOf(
  { operation, value }: Atomic,
  { resultUsed, uniformValue }: { readonly resultUsed: boolean; readonly uniformValue: boolean },
): Aggregation | undefined {
  if (value.type.kind !== 'int' || !REDUCED.has(operation)) return undefined;
  const { bits } = value.type;
  const isSum = operation === 'add' || operation === 'sub';
  if (isSum && uniformValue && (bits === 32 || bits === 64)) return 'always';
  if (bits !== 32) return undefined;
  if (!resultUsed) return 'always';
  return isSum ? 'full-warp' : undefined;
}

/**
 * What loads of loops find in L1 by what their addresses say: words that stay the same, or follow each other by less than a sector. It stands in for
 * what the trace of a launch would say where that has not come by.
 */
import type { Instruction, IrFunction, Operand } from '../ir/types.ts';
import type { Loop, Loops } from '../simt/loops.ts';

const SECTOR_BYTES = 32;
/** Values behind values that are looked at. */
const DEEPEST = 8;

/** By site: the share of the loads that finds its sector there; 0 of all others. */
export function loopReuse({ blocks, siteCount }: IrFunction, { loops, innermost }: Loops): Float64Array {
  const places = new Map<number, Place>();
  for (const { index, instructions } of blocks)
    for (const instruction of instructions) places.set(instruction.id, { instruction, block: index });
  const reuse = new Float64Array(siteCount);
  for (const { index, instructions } of blocks) {
    const loop = loops[innermost[index]];
    for (const instruction of instructions) {
      if (!loop || instruction.op !== 'load' || instruction.volatile || instruction.order) continue;
      const bytes = new Steps(places, loop).of(instruction.pointer);
      if (bytes !== undefined) reuse[instruction.site] = Math.max(0, 1 - Math.abs(bytes) / SECTOR_BYTES);
    }
  }
  return reuse;
}

interface Place {
  readonly instruction: Instruction;
  readonly block: number;
}

/** By how much values grow in each round of a loop; undefined: nobody knows. */
class Steps {
  readonly #places: ReadonlyMap<number, Place>;
  readonly #loop: Loop;

  constructor(places: ReadonlyMap<number, Place>, loop: Loop) {
    this.#places = places;
    this.#loop = loop;
  }

  of(operand: Operand, depth = 0): number | undefined {
    const place = operand.kind === 'value' ? this.#places.get(operand.id) : undefined;
    if (!place || !this.#loop.blocks.includes(place.block)) return 0;
    if (depth > DEEPEST) return undefined;
    const { instruction } = place;
    const step = (each: Operand) => this.of(each, depth + 1);
    switch (instruction.op) {
      case 'phi':
        return place.block === this.#loop.header ? this.#counted(instruction) : undefined;
      case 'sext':
      case 'zext':
      case 'trunc':
      case 'freeze':
        return step(instruction.a);
      case 'add':
      case 'or':
        return sum([step(instruction.a), step(instruction.b)]);
      case 'mul':
      case 'shl': {
        const [a, b] = [step(instruction.a), step(instruction.b)];
        if (a === 0 && b === 0) return 0;
        if (a === undefined || instruction.b.kind !== 'int') return undefined;
        return a * (instruction.op === 'mul' ? Number(instruction.b.value) : 2 ** Number(instruction.b.value));
      }
      case 'getelementptr':
        return sum([step(instruction.base), ...instruction.terms.map(({ index, scale }) => product(step(index), scale))]);
      default:
        return undefined;
    }
  }

  #counted(phi: Extract<Instruction, { op: 'phi' }>): number | undefined {
    const next = phi.incoming.find(({ block }) => this.#loop.blocks.includes(block))?.value;
    const source = next?.kind === 'value' ? this.#places.get(next.id)?.instruction : undefined;
    const isPhi = (each: Operand) => each.kind === 'value' && each.id === phi.id;
    if (source?.op === 'getelementptr' && source.terms.length === 0 && isPhi(source.base)) return source.offset;
    if (source?.op !== 'add' || !isPhi(source.a) || source.b.kind !== 'int' || source.type.kind !== 'int') return undefined;
    return Number(BigInt.asIntN(source.type.bits, source.b.value));
  }
}

function sum(parts: readonly (number | undefined)[]): number | undefined {
  return parts.reduce((total, each) => (total === undefined || each === undefined ? undefined : total + each), 0);
}

function product(step: number | undefined, scale: number): number | undefined {
  return step === undefined ? undefined : step * scale;
}

/**
 * Marks address arithmetic that may lie below zero and whose result is compared with other addresses by their order, and the comparison
 * (`ordered` in types.ts). On a GPU, memory lies far from both ends of 64 bits, so that a pointer 2 GiB before an array comes before it;
 * here such a pointer does not exist, and without the mark it would be what one far behind the array is.
 *
 * Values are followed through phis, choices and further address arithmetic, not through memory or integers.
 */
import { operandsOf } from './operands.ts';
import type { Instruction, IrFunction, Operand } from './types.ts';
import { ValueRanges } from './value-ranges.ts';
import { distanceOf } from './wrapping-addresses.ts';

const ORDERS: ReadonlySet<string> = new Set(['ult', 'ule', 'ugt', 'uge']);
/** Their results are one of their operands, or lie at a distance of it. */
const LEADS_ON: ReadonlySet<string> = new Set(['phi', 'select', 'freeze', 'getelementptr']);

export function markCompared(fn: IrFunction): IrFunction {
  const instructions = fn.blocks.flatMap((block) => block.instructions);
  const comparisons = instructions.filter(isComparison);
  if (comparisons.length === 0) return fn;
  const definitions = new Map(instructions.filter(({ id }) => id >= 0).map((instruction) => [instruction.id, instruction]));
  let ranges: ValueRanges | undefined;
  const isBelow = (address: Instruction): boolean => {
    if (address.op !== 'getelementptr' || address.wraps) return false;
    ranges ??= new ValueRanges(fn);
    return distanceOf(address, ranges).low < 0;
  };
  const marked = new Set<Instruction>();
  for (const comparison of comparisons) {
    const sources = sourcesOf(comparison, definitions);
    if (!sources.some(isBelow)) continue;
    marked.add(comparison);
    for (const source of sources) if (source.op === 'getelementptr' && !source.wraps) marked.add(source);
  }
  if (marked.size === 0) return fn;
  const blocks = fn.blocks.map((block) => ({
    ...block,
    instructions: block.instructions.map((i): Instruction => (marked.has(i) ? ({ ...i, ordered: true } as Instruction) : i)),
  }));
  return { ...fn, blocks };
}

function isComparison(instruction: Instruction): boolean {
  return instruction.op === 'icmp' && instruction.a.type.kind === 'ptr' && ORDERS.has(instruction.predicate);
}

/** What the compared addresses are made of. */
function sourcesOf(comparison: Instruction, definitions: ReadonlyMap<number, Instruction>): readonly Instruction[] {
  const sources = new Set<Instruction>();
  const open: Operand[] = [...operandsOf(comparison)];
  for (let next = open.pop(); next; next = open.pop()) {
    const source = next.kind === 'value' && next.type.kind === 'ptr' ? definitions.get(next.id) : undefined;
    if (!source || sources.has(source)) continue;
    sources.add(source);
    if (LEADS_ON.has(source.op)) open.push(...operandsOf(source));
  }
  return [...sources];
}

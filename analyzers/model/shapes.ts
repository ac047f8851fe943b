/** The kernels of a file in the shapes in which it launches them, for those who ask the compiler what they do. */
import type { KernelShape, ShapeArgument } from '../../protocol/compiled.ts';
import { otherBlocks } from './assumed-shape.ts';
import type { ParameterFacts, VariantFacts } from './facts.ts';
import type { FileFacts } from './file-facts.ts';

/** Names a variant in its file. */
export function variantId({ kernels }: FileFacts, variant: VariantFacts): string {
  const { kernel } = variant;
  return `${kernel.name} ${kernels.indexOf(kernel)}.${kernel.variants.indexOf(variant)}`;
}

export function kernelShapes(file: FileFacts): KernelShape[] {
  const variants = file.kernels.flatMap((kernel) => kernel.variants);
  return variants.map((variant) => {
    const { kernel, launches, block, blockKnown, grid, parameters } = variant;
    const sharedBytes = launches.map((launch) => launch.sharedBytes);
    return {
      id: variantId(file, variant),
      kernel: kernel.name,
      templateArgs: launches[0]?.templateArgs ?? [],
      block: [block.x, block.y, block.z],
      ...(!blockKnown && { otherBlocks: otherBlocks([block.x, block.y, block.z]) }),
      grid: [grid.x, grid.y, grid.z],
      args: parameters.map((parameter, index) => argument(parameter, variant, index)),
      sharedBytes: sharedBytes.every((bytes) => bytes === sharedBytes[0]) ? sharedBytes[0] : undefined,
    };
  });
}

function argument({ type, value }: ParameterFacts, { launches }: VariantFacts, index: number): ShapeArgument | undefined {
  if (value !== undefined) return { value };
  if (type.kind !== 'pointer') return undefined;
  const isStart = launches.every(({ args }) => args[index] === undefined || !hasOffset(args[index].text));
  return { align: isStart ? ALLOCATION_ALIGN_BYTES : (type.element?.size ?? 1) };
}

/** cudaMalloc aligns to this many bytes (CUDA C++ Programming Guide, "Device Memory Accesses": at least 256). */
const ALLOCATION_ALIGN_BYTES = 256;

/** `p + n`, `&p[i]`: somewhere in an allocation. Taken for its start is what has no arithmetic outside of parentheses. */
function hasOffset(text: string): boolean {
  let depth = 0;
  for (const [at, c] of [...text].entries()) {
    if (c === '(') depth++;
    else if (c === ')') depth--;
    else if (depth === 0 && (c === '+' || c === '[' || (c === '-' && text[at + 1] !== '>'))) return true;
  }
  return false;
}

/** The kernels of a file in the shapes in which it launches them, for those who ask the compiler what they do. */
import type { KernelShape, ShapeArgument } from '../../protocol/compiled.ts';
import { knownAxes, otherBlocks } from './assumed-shape.ts';
import type { ParameterFacts, VariantFacts } from './facts.ts';
import type { FileModel } from './file.ts';
import type { FileFacts } from './file-facts.ts';
import type { LaunchEntry } from './host-facts.ts';
import type { KnownAxes } from './kernel.ts';

/** Names a variant in its file. */
export function variantId({ kernels }: FileFacts, variant: VariantFacts): string {
  const { kernel } = variant;
  return `${kernel.name} ${kernels.indexOf(kernel)}.${kernel.variants.indexOf(variant)}`;
}

export function kernelShapes({
  facts: file,
  launchesWithoutArguments,
}: Pick<FileModel, 'facts' | 'launchesWithoutArguments'>): KernelShape[] {
  const variants = file.kernels.flatMap((kernel) => kernel.variants);
  const isOpen = variants.some(({ grid, parameters }) => !isSized(grid) || parameters.some(isUnknownSize));
  const assumed = isOpen ? launchesWithoutArguments() : [];
  return variants.map((variant) => {
    const { kernel, launches, block, blockKnown, grid, parameters } = variant;
    const sharedBytes = launches.map((launch) => launch.sharedBytes);
    const shape = {
      id: variantId(file, variant),
      kernel: kernel.name,
      templateArgs: launches[0]?.templateArgs ?? [],
      block: [block.x, block.y, block.z] as const,
      ...(!blockKnown && { otherBlocks: otherBlocks([block.x, block.y, block.z], axesOf(launches)) }),
      grid: [grid.x, grid.y, grid.z] as const,
      args: parameters.map((parameter, index) => argument(parameter, variant, index)),
      sharedBytes: sharedBytes.every((bytes) => bytes === sharedBytes[0]) ? sharedBytes[0] : undefined,
    };
    const withoutArguments = blockKnown ? completedBy(assumed, variant, shape) : undefined;
    return withoutArguments ? { ...shape, withoutArguments } : shape;
  });
}

/** Launches of one variant say the same. */
function axesOf([launch]: VariantFacts['launches']): KnownAxes {
  return launch ? knownAxes(launch.block) : [];
}

function isSized({ x, y, z }: VariantFacts['grid']): boolean {
  return x !== undefined && y !== undefined && z !== undefined;
}

function isUnknownSize({ type, value }: ParameterFacts): boolean {
  return type.kind === 'integer' && value === undefined;
}

/** What launches at the variant's places agree on besides; undefined if that is nothing. */
function completedBy(
  assumed: readonly LaunchEntry[],
  { launches, parameters }: VariantFacts,
  { grid, args }: Pick<KernelShape, 'grid' | 'args'>,
): KernelShape['withoutArguments'] {
  const isOf = ({ facts: { place, templateArgs } }: LaunchEntry) =>
    launches.some((l) => l.place.item === place.item && l.place.start === place.start && l.templateArgs.join() === templateArgs.join());
  const same = assumed.filter(isOf);
  if (same.length === 0) return undefined;
  const agreed = (of: (launch: LaunchEntry) => number | undefined) => {
    const first = of(same[0]);
    return same.every((launch) => of(launch) === first) ? first : undefined;
  };
  const sizes = AXES.map((axis, index) => grid[index] ?? agreed((launch) => launch.facts.grid[axis]));
  const values = parameters.map((_, index) => {
    const value = args[index] === undefined ? agreed((launch) => launch.values[index]) : undefined;
    return value === undefined ? args[index] : { value };
  });
  const isMore = sizes.some((size, index) => size !== grid[index]) || values.some((value, index) => value !== args[index]);
  return isMore ? { grid: [sizes[0], sizes[1], sizes[2]], args: values } : undefined;
}

const AXES = ['x', 'y', 'z'] as const;

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

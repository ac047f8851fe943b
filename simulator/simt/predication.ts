/**
 * Which branches ptxas turns into predicated instructions, for which the hardware counts no branch and no divergence. Derived from the
 * machine code of the reference programs (nvcc 13 -O3 -arch=sm_90; nvdisasm): bodies of one block that are predicated have 1 to 7
 * instructions, those that are branched around 8 to 48. Three shorter ones are branched around: in them a load from global memory
 * feeds arithmetic of the body (grid_sync_misuse.cu, compactAggregated), as its latency is worth skipping.
 *
 *   - `if (c) return;` in a kernel, and an `if` around all that is left, become a predicated EXIT, however long the body; the way back
 *     of a loop at the kernel's end stays a branch.
 *   - An `if` or if/else with few cheap instructions in all, ifs within it included, without calls, barriers, atomics or such loads,
 *     becomes predicated. Loops keep their branches, switches too.
 *   - Where both sides of an if/else are all that is left of a kernel, a small side is predicated (stencil.cu, diffuse), unless it loads
 *     from global memory (diffuseShared).
 *
 * What ptxas will make of a body is estimated from its IR: the estimate can be off by an instruction or two.
 */
import { type InstructionClass, SM_90 } from '../../devices/prices.ts';
import { blockDominators, dominates } from '../ir/dominators.ts';
import { intrinsicOf } from '../ir/intrinsics.ts';
import type { MemoryRoots } from '../ir/memory-roots.ts';
import { operandsOf } from '../ir/operands.ts';
import { FUNCTION_END, reconvergenceBlocks } from '../ir/reconvergence.ts';
import type { Block, Instruction, IrFunction } from '../ir/types.ts';

const { classes, predication } = SM_90;

/** Sites of the conditional branches that hardware does not execute as branches. */
export function predicatedBranches(fn: IrFunction, roots: MemoryRoots): ReadonlySet<number> {
  const sites = new Set<number>();
  const tree = blockDominators(fn.blocks);
  const meeting = reconvergenceBlocks(fn);
  for (const block of fn.blocks) {
    const branch = block.instructions[block.instructions.length - 1];
    if (branch.op !== 'condbr' || branch.then === branch.else || branch.onHardware === 'branch') continue;
    if (branch.onHardware === 'none') {
      sites.add(branch.site);
      continue;
    }
    const [a, b] = [fn.blocks[branch.then], fn.blocks[branch.else]];
    const [loopsA, loopsB] = [dominates(tree, a.index, block.index), dominates(tree, b.index, block.index)];
    if (fn.isKernel && ((endsKernel(a) && !loopsB) || (endsKernel(b) && !loopsA))) sites.add(branch.site);
    else if (isSmallBranch(fn, block, meeting[block.index], roots)) sites.add(branch.site);
    else if (fn.isKernel && hasSmallLastSide(fn, [a, b], roots)) sites.add(branch.site);
  }
  return sites;
}

/** Nothing is left to do in the block: the branch to it is an EXIT. */
function endsKernel({ instructions }: Block): boolean {
  return instructions[instructions.length - 1].op === 'ret' && instructions.every((i) => i.op === 'phi' || i.op === 'ret');
}

function isSmallBranch(fn: IrFunction, branch: Block, meeting: number, roots: MemoryRoots): boolean {
  const region = regionOf(fn, branch, meeting);
  if (!region) return false;
  let cost = 0;
  for (const block of region) {
    const own = bodyCost(block, roots);
    if (own === undefined) return false;
    cost += own;
  }
  return cost <= predication.mostlyPredicated;
}

/** In a kernel, two sides with nothing behind them: a small one is predicated together with an EXIT, the other follows. */
function hasSmallLastSide(fn: IrFunction, sides: readonly Block[], roots: MemoryRoots): boolean {
  const last = sides.every((s) => s.predecessors.length === 1 && s.successors.length === 1 && endsKernel(fn.blocks[s.successors[0]]));
  const isSmall = (side: Block) =>
    (bodyCost(side, roots) ?? Number.POSITIVE_INFINITY) <= predication.smallLastSide &&
    !side.instructions.some((i) => i.op === 'load' && isSlow(i.pointer, roots));
  return last && sides.some(isSmall);
}

/**
 * The blocks between a branch and where its lanes meet, or the end of a kernel, where lanes exit; undefined if there are many, a loop,
 * or other ways in.
 */
function regionOf({ blocks, isKernel }: IrFunction, branch: Block, meeting: number): readonly Block[] | undefined {
  const region = new Set<number>();
  const isEnd = (index: number) => index === meeting || (isKernel && endsKernel(blocks[index]));
  const targets = (block: Block) => block.successors.filter((s) => !isEnd(s));
  for (const s of targets(branch)) region.add(s);
  for (const index of region) {
    if (region.size > predication.blocks || index === branch.index) return undefined;
    for (const s of targets(blocks[index])) {
      // Blocks of a loop come back to one that was there before.
      if (region.has(s) && s <= index) return undefined;
      region.add(s);
    }
  }
  const inside = [...region].map((index) => blocks[index]);
  const closed = inside.every((b) => b.predecessors.every((p) => p === branch.index || region.has(p)));
  return closed && (isKernel || meeting !== FUNCTION_END) ? inside : undefined;
}

/** Estimated machine instructions of a block; undefined if it cannot be predicated. */
function bodyCost({ instructions }: Block, roots: MemoryRoots): number | undefined {
  let cost = 0;
  const loaded = new Set<number>();
  for (const instruction of instructions) {
    const own = instructionCost(instruction);
    if (own === undefined) return undefined;
    const waits = operandsOf(instruction).some((o) => o.kind === 'value' && loaded.has(o.id));
    if (waits && instruction.op !== 'phi' && instruction.op !== 'store') return undefined;
    cost += own;
    if (instruction.op === 'load' && isSlow(instruction.pointer, roots)) loaded.add(instruction.id);
  }
  return cost;
}

function isSlow(pointer: Parameters<MemoryRoots['spaceOf']>[0], roots: MemoryRoots): boolean {
  const space = roots.spaceOf(pointer);
  return space === 0 || space === 1;
}

/** Estimated machine instructions; undefined for what is branched around. */
function instructionCost(instruction: Instruction): number | undefined {
  // A constant distance is part of the access; IMAD.WIDE or LEA multiply and add at once.
  if (instruction.op === 'getelementptr') return instruction.terms.length * classes.simple.instructions;
  const { instructions, branches } = classes[classOf(instruction)];
  return branches ? undefined : instructions;
}

function classOf(instruction: Instruction): InstructionClass {
  switch (instruction.op) {
    case 'phi':
    case 'br':
    case 'freeze':
    // A sign of an operand.
    case 'fneg':
    case 'bitcast':
    case 'addrspacecast':
    case 'ptrtoint':
    case 'inttoptr':
    case 'extractvalue':
    case 'insertvalue':
    case 'extractelement':
    case 'insertelement':
      return 'none';
    case 'shl':
      // LEA shifts as it adds.
      return instruction.b.kind === 'int' ? 'none' : 'simple';
    case 'udiv':
    case 'sdiv':
    case 'urem':
    case 'srem':
      return instruction.b.kind === 'int' ? 'constantDivision' : 'wideDivision';
    case 'fdiv':
    case 'frem':
      return 'floatDivision';
    case 'fence':
      return 'fence';
    case 'call':
      return intrinsicOf(instruction.callee)?.cost ?? 'call';
    case 'atomicrmw':
    case 'cmpxchg':
    case 'callIndirect':
    case 'alloca':
    case 'switch':
    case 'ret':
    case 'unreachable':
      return 'call';
    default:
      return instruction.type.kind === 'int' && instruction.type.bits > 32 ? 'wide' : 'simple';
  }
}

/**
 * Which branches ptxas turns into predicated instructions, so that the hardware counts no branch and no divergence. Learned from the
 * machine code of the reference programs (nvcc 13 -O3 -arch=sm_90; nvdisasm): bodies of one block that are predicated have 1 to 7
 * instructions, those that are branched around 8 to 48. Three shorter ones are branched around: in them a load from global memory
 * feeds arithmetic of the body (grid_sync_misuse.cu, compactAggregated), as its latency is worth skipping.
 *
 *   - `if (c) return;` in a kernel, and an `if` around all that is left, become a predicated EXIT, however long the body; the way back
 *     of a loop at the kernel's end stays a branch.
 *   - An `if` (or if/else) whose sides are single blocks of few cheap instructions, without calls, barriers, atomics or such loads,
 *     becomes predicated. Loops keep their branches, switches too.
 *
 * What ptxas will make of a body is estimated from its IR: the estimate can be off by an instruction or two.
 */
import { operandsOf } from '../ir/operands.ts';
import type { Block, Instruction, IrFunction } from '../ir/types.ts';
import { blockDominators, dominates } from './dominators.ts';
import type { MemoryRoots } from './memory-roots.ts';

/** Most instructions of a predicated body, in the units of `instructionCost`. */
const MAX_BODY = 8;

/** Sites of the conditional branches that are no branches on hardware. */
export function predicatedBranches(fn: IrFunction, roots: MemoryRoots): ReadonlySet<number> {
  const sites = new Set<number>();
  const tree = blockDominators(fn.blocks);
  for (const block of fn.blocks) {
    const branch = block.instructions[block.instructions.length - 1];
    if (branch.op !== 'condbr' || branch.then === branch.else) continue;
    const [a, b] = [fn.blocks[branch.then], fn.blocks[branch.else]];
    const [loopsA, loopsB] = [dominates(tree, a.index, block.index), dominates(tree, b.index, block.index)];
    if (fn.isKernel && ((endsKernel(a) && !loopsB) || (endsKernel(b) && !loopsA))) sites.add(branch.site);
    else if (isSmallBranch(block, a, b, roots)) sites.add(branch.site);
  }
  return sites;
}

/** Nothing is left to do in the block: the branch to it is an EXIT. */
function endsKernel({ instructions }: Block): boolean {
  return instructions[instructions.length - 1].op === 'ret' && instructions.every((i) => i.op === 'phi' || i.op === 'ret');
}

function isSmallBranch(block: Block, a: Block, b: Block, roots: MemoryRoots): boolean {
  const sides = sidesOf(block, a, b);
  if (!sides) return false;
  let cost = 0;
  for (const side of sides) {
    const sideCost = bodyCost(side, roots);
    if (sideCost === undefined) return false;
    cost += sideCost;
  }
  return cost <= MAX_BODY;
}

/** The blocks between the branch and where its sides meet; undefined if they are not one block each. */
function sidesOf(block: Block, a: Block, b: Block): readonly Block[] | undefined {
  const isSide = (side: Block) => side.index !== block.index && side.predecessors.length === 1 && side.successors.length === 1;
  const goesTo = (side: Block, target: Block) => isSide(side) && side.successors[0] === target.index;
  // A target behind the branch's own back is a loop.
  if (goesTo(a, b) && b.index !== block.index) return [a];
  if (goesTo(b, a) && a.index !== block.index) return [b];
  if (isSide(a) && isSide(b) && a.successors[0] === b.successors[0] && a.successors[0] !== block.index) return [a, b];
  return undefined;
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

function instructionCost(instruction: Instruction): number | undefined {
  switch (instruction.op) {
    case 'phi':
    case 'br':
    case 'freeze':
    case 'bitcast':
    case 'addrspacecast':
    case 'ptrtoint':
    case 'inttoptr':
    case 'extractvalue':
    case 'insertvalue':
    case 'extractelement':
    case 'insertelement':
      return 0;
    case 'getelementptr':
      // A constant distance is part of the access; IMAD.WIDE or LEA multiply and add at once.
      return instruction.terms.length;
    case 'shl':
      // LEA shifts as it adds.
      return instruction.b.kind === 'int' ? 0 : 1;
    case 'udiv':
    case 'sdiv':
    case 'urem':
    case 'srem':
      return instruction.b.kind === 'int' ? 4 : undefined;
    case 'fdiv':
    case 'frem':
    case 'atomicrmw':
    case 'cmpxchg':
    case 'fence':
    case 'callIndirect':
    case 'alloca':
    case 'switch':
    case 'ret':
    case 'unreachable':
      return undefined;
    case 'call':
      return /^llvm\.(?!nvvm|mem|trap|sqrt|sin|cos|exp|log|pow)/.test(instruction.callee) ? 1 : undefined;
    default:
      return instruction.type.kind === 'int' && instruction.type.bits > 32 ? 2 : 1;
  }
}

/**
 * Which branches ptxas turns into predicated instructions, for which the hardware counts no branch and no divergence. Derived from what
 * ptxas 13.0 makes of kernels of PTX with one branch each, around bodies of 1 to 80 instructions (arithmetic, loads, stores, atomics,
 * calls, barriers; with an else side, with another `if` in front, inside or behind; in loops and not), and checked on its machine code for
 * 182 programs of HeCBench (half A of bench/nvcc.ts), whose branches in PTX had a line of their own each.
 *
 *   - `if (c) return;` in a kernel, and an `if` around all that is left, become a predicated EXIT, however long the body (618 of 618); the
 *     way back of a loop at the kernel's end stays a branch.
 *   - Straight code of up to 8 instructions on each side becomes predicated, without calls, atomics, shuffles, fences and slow paths (881 of
 *     917 where no other path comes to the place behind it).
 *   - With two loads from global memory, or with one in a loop, up to 20 do, since the loads then wait together (522 of 595); but not where
 *     paths that did not pass the branch come to the same place and the block of the branch loads nothing (1 of 34).
 *     Nor in a loop whose condition is new in each round, where what is loaded is stored and a barrier follows (8 of 8 kernels written for it).
 *   - An `if` within an `if` leaves a branch to the outer one (on all lines of most programs), unless the outer one holds nothing but the
 *     other condition: then both are one.
 *   - Where both sides of an if/else are all that is left of a kernel (`if (c) { …; return; }`), the same holds, but with loads from global
 *     memory only where the block of the branch loads something that the condition does not need (24 of 24 kernels written for it).
 *
 * What ptxas will make of a body is estimated from its IR: the estimate can be off by an instruction or two.
 */
import { type InstructionClass, SM_90 } from '../../devices/prices.ts';
import { blockDominators, dominates } from '../ir/dominators.ts';
import { intrinsicOf } from '../ir/intrinsics.ts';
import type { MemoryRoots } from '../ir/memory-roots.ts';
import { operandsOf } from '../ir/operands.ts';
import { FUNCTION_END, reconvergenceBlocks } from '../ir/reconvergence.ts';
import type { Block, Instruction, IrFunction, Opcode, Type } from '../ir/types.ts';
import { findLoops, type Loops } from './loops.ts';

const { classes, predication } = SM_90;
const CONDITIONS: ReadonlySet<string> = new Set([
  ...(['icmp', 'fcmp', 'and', 'or', 'xor', 'select', 'freeze'] satisfies Opcode[]),
  ...(['add', 'sub', 'mul', 'shl', 'lshr', 'ashr'] satisfies Opcode[]),
  ...(['trunc', 'zext', 'sext', 'fptrunc', 'fpext'] satisfies Opcode[]),
]);

interface Region {
  readonly sides: readonly (readonly Block[])[];
  /** Blocks that only decide whether the one side is executed. */
  readonly conditions: readonly Block[];
  readonly meeting: Block | undefined;
  /** Lanes come to the meeting from elsewhere, too. */
  readonly isShared: boolean;
  /** Nothing is left of the kernel behind it. */
  readonly isLast: boolean;
}
interface Surroundings {
  readonly roots: MemoryRoots;
  readonly loops: Loops;
  readonly uses: Uses;
}
/** Who uses each value of a function. */
type Uses = ReadonlyMap<number, readonly Instruction[]>;

/** Sites of the conditional branches that hardware does not execute as branches. */
export function predicatedBranches(fn: IrFunction, roots: MemoryRoots): ReadonlySet<number> {
  const sites = new Set<number>();
  const tree = blockDominators(fn.blocks);
  const meeting = reconvergenceBlocks(fn);
  const surroundings = { roots, loops: findLoops(fn), uses: usesIn(fn) };
  for (const block of fn.blocks) {
    const branch = block.instructions[block.instructions.length - 1];
    if (branch.op !== 'condbr' || branch.then === branch.else || branch.onHardware === 'branch') continue;
    if (branch.onHardware === 'none') {
      sites.add(branch.site);
      continue;
    }
    const [a, b] = [fn.blocks[branch.then], fn.blocks[branch.else]];
    const [loopsA, loopsB] = [dominates(tree, a.index, block.index), dominates(tree, b.index, block.index)];
    const exits = fn.isKernel && ((endsKernel(a) && !loopsB) || (endsKernel(b) && !loopsA));
    const region = regionOf(fn, block, meeting[block.index], surroundings.uses);
    if (region && isSmall(block, region, surroundings)) for (const part of [block, ...region.conditions]) sites.add(siteOfEnd(part));
    else if (exits) sites.add(branch.site);
  }
  return sites;
}

function siteOfEnd({ instructions }: Block): number {
  return instructions[instructions.length - 1].site;
}

/** Nothing is left to do in the block: the branch to it is an EXIT. */
function endsKernel({ instructions }: Block): boolean {
  return instructions[instructions.length - 1].op === 'ret' && instructions.every((i) => i.op === 'phi' || i.op === 'ret');
}

function isSmall(branch: Block, { sides, isShared, isLast, meeting }: Region, { roots, loops, uses }: Surroundings): boolean {
  const costs = sides.map((side) => side.reduce<number | undefined>((sum, block) => plus(sum, bodyCost(block, uses)), 0));
  if (costs.includes(undefined)) return false;
  const longest = Math.max(0, ...costs.map((cost) => cost!));
  const loads = sides.flat().reduce((sum, block) => sum + slowLoads(block, roots), 0);
  if (loads === 0) return longest <= predication.mostlyPredicated;
  if (isLast && sides.length > 1 && !loadsMeanwhile(branch)) return false;
  const isLooped = loops.innermost[branch.index] >= 0;
  // Nothing to wait for together with the load.
  const isAlone = !branch.instructions.some((i) => i.op === 'load');
  const isWaitedFor = isLooped && meeting !== undefined && waitsFirst(meeting) && decidesItself(branch) && stores(sides.flat());
  if (isAlone && (isShared || isWaitedFor)) return false;
  return longest <= (loads > 1 || isLooped ? predication.withLoads : predication.mostlyPredicated);
}

/** The block computes what its branch asks. */
function decidesItself({ instructions }: Block): boolean {
  const end = instructions[instructions.length - 1];
  return end.op === 'condbr' && end.condition.kind === 'value' && instructions.some((i) => i.id === (end.condition as { id: number }).id);
}

/** The block loads something that its branch does not ask for. */
function loadsMeanwhile({ instructions }: Block): boolean {
  const end = instructions[instructions.length - 1];
  const asked = new Set<number>(end.op === 'condbr' && end.condition.kind === 'value' ? [end.condition.id] : []);
  for (const instruction of instructions.toReversed()) {
    if (!asked.has(instruction.id)) continue;
    for (const operand of operandsOf(instruction)) if (operand.kind === 'value') asked.add(operand.id);
  }
  return instructions.some((i) => i.op === 'load' && !asked.has(i.id));
}

/** Nothing is loaded before a barrier. */
function waitsFirst({ instructions }: Block): boolean {
  const first = instructions.find((i) => i.op === 'load' || (i.op === 'call' && intrinsicOf(i.callee)?.cost === 'barrier'));
  return first?.op === 'call';
}

function stores(blocks: readonly Block[]): boolean {
  return blocks.some((b) => b.instructions.some((i) => i.op === 'store'));
}

function plus(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}

/**
 * What is between a branch and where its lanes meet, or the end of a kernel, where lanes exit; undefined unless it is straight code on
 * one or both sides, or on one side behind further conditions, which are evaluated for all lanes.
 */
function regionOf({ blocks, isKernel }: IrFunction, branch: Block, meeting: number, uses: Uses): Region | undefined {
  const inside = new Set<number>();
  const isEnd = (index: number) => index === meeting || (isKernel && endsKernel(blocks[index]));
  const targets = (block: Block) => block.successors.filter((s) => !isEnd(s));
  for (const s of targets(branch)) inside.add(s);
  for (const index of inside) {
    if (inside.size > predication.blocks || index === branch.index) return undefined;
    for (const s of targets(blocks[index])) {
      // Blocks of a loop come back to one that was there before.
      if (inside.has(s) && s <= index) return undefined;
      inside.add(s);
    }
  }
  const region = [...inside].map((index) => blocks[index]);
  const closed = region.every((b) => b.predecessors.every((p) => p === branch.index || inside.has(p)));
  if (!closed || (!isKernel && meeting === FUNCTION_END)) return undefined;
  const conditions = region.filter(({ successors }) => successors.length > 1);
  const work = region.filter(({ successors }) => successors.length <= 1);
  const heads = work.filter((b) => b.predecessors.some((p) => p === branch.index || blocks[p].successors.length > 1));
  if (!conditions.every((each) => isCondition(each, uses)) || heads.length > (conditions.length > 0 ? 1 : 2)) return undefined;
  const sides = heads.map((head) => chainFrom(head, (index) => (inside.has(index) ? blocks[index] : undefined)));
  if (sides.flat().length !== work.length) return undefined;
  const met = meeting === FUNCTION_END ? undefined : blocks[meeting];
  const isShared = met?.predecessors.some((p) => p !== branch.index && !inside.has(p)) ?? false;
  return { conditions, sides, meeting: met, isShared, isLast: isKernel && (!met || endsKernel(met)) };
}

function chainFrom(head: Block, inside: (index: number) => Block | undefined): readonly Block[] {
  const chain: Block[] = [];
  for (let at: Block | undefined = head; at; at = inside(at.successors[0])) chain.push(at);
  return chain;
}

/** Only tests something, in as many instructions as are worth it. */
function isCondition(block: Block, uses: Uses): boolean {
  const end = block.instructions[block.instructions.length - 1];
  if (end.op !== 'condbr' || end.onHardware === 'branch') return false;
  const cost = block.instructions.every((i) => i === end || CONDITIONS.has(i.op)) ? bodyCost(block, uses) : undefined;
  return cost !== undefined && cost <= predication.condition;
}

/** Estimated machine instructions of a block; undefined if it cannot be predicated. */
function bodyCost({ instructions }: Block, uses: Uses): number | undefined {
  let cost = 0;
  for (const instruction of instructions) {
    const own = isOfPair(instruction) || isPartOfUser(instruction, uses) ? 0 : isOne(instruction) ? 1 : instructionCost(instruction);
    if (own === undefined) return undefined;
    cost += own;
  }
  return cost;
}

/**
 * IMAD adds to the product, IMAD.WIDE takes factors of 32 bits, accesses have room for a constant distance, and a comparison joins its
 * result with that of another.
 */
function isPartOfUser(instruction: Instruction, uses: Uses): boolean {
  const users = uses.get(instruction.id) ?? [];
  switch (instruction.op) {
    case 'and':
    case 'select':
      return isTruth(instruction.type);
    case 'mul':
      return !isWide(instruction.type) && users.length === 1 && users[0].op === 'add';
    case 'sext':
      return isWide(instruction.type) && users.length > 0 && users.every(({ op }) => op === 'mul' || op === 'getelementptr');
    case 'or':
      return isTruth(instruction.type) || (instruction.disjoint === true && instruction.b.kind === 'int' && isDistance(users));
    case 'add':
      return instruction.b.kind === 'int' && isDistance(users);
    default:
      return false;
  }
}

function isDistance(users: readonly Instruction[]): boolean {
  return users.length > 0 && users.every(({ op }) => op === 'getelementptr');
}

/** Of whatever width. */
function isOne({ op, type }: Instruction): boolean {
  return isWide(type) && op === 'load';
}

function usesIn({ blocks }: IrFunction): Uses {
  const uses = new Map<number, Instruction[]>();
  for (const user of blocks.flatMap(({ instructions }) => instructions)) {
    for (const operand of operandsOf(user)) {
      if (operand.kind !== 'value') continue;
      const users = uses.get(operand.id);
      if (users) users.push(user);
      else uses.set(operand.id, [user]);
    }
  }
  return uses;
}

function slowLoads({ instructions }: Block, roots: MemoryRoots): number {
  return instructions.filter((i) => i.op === 'load' && isSlow(i.pointer, roots)).length;
}

function isSlow(pointer: Parameters<MemoryRoots['spaceOf']>[0], roots: MemoryRoots): boolean {
  const space = roots.spaceOf(pointer);
  return space === 0 || space === 1;
}

/** Estimated machine instructions; undefined for what is branched around. */
export function instructionCost(instruction: Instruction): number | undefined {
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
      return isWide(instruction.type) ? 'wide' : 'simple';
  }
}

/** A number of 64 bits is a pair of registers: taking it apart and putting it together, as a shuffle of doubles does, is no work. */
function isOfPair(instruction: Instruction): boolean {
  switch (instruction.op) {
    case 'zext':
      return isWide(instruction.type);
    case 'trunc':
      return isWide(instruction.a.type);
    case 'lshr':
      return isWide(instruction.type) && instruction.b.kind === 'int' && instruction.b.value === 32n;
    case 'or':
      return isWide(instruction.type) && instruction.disjoint === true;
    default:
      return false;
  }
}

function isTruth(type: Type): boolean {
  return type.kind === 'int' && type.bits === 1;
}

function isWide(type: Type): boolean {
  return type.kind === 'int' && type.bits > 32;
}

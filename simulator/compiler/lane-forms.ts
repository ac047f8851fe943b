/**
 * Which values of a function are the same in all lanes that can see them, so that one scalar holds them; which branches may split a
 * warp; and where a vector must be written under the mask because lanes that wait elsewhere still need their old value.
 *
 * A value may be held once per warp only if no waiting lane can read it after other lanes have overwritten it. A lane waits at the
 * immediate post-dominator of a branch X that split the warp, or on its other side, while others run blocks of X's region; it can
 * only have a value of such a block P if it ran P before, so P and X lie on a common cycle. `overwritten` marks those blocks.
 *
 * Where lanes that part at X may go on from their meeting point without the others (`meetEarly`), the parts of a warp may be anywhere
 * behind X: every block that X leads to is then one that some lanes run after others.
 */
import { isPureCall, meaningOf } from '../ir/intrinsics.ts';
import { operandsOf } from '../ir/operands.ts';
import { FUNCTION_END } from '../ir/reconvergence.ts';
import type { Block, Instruction, IrFunction, Operand } from '../ir/types.ts';
import type { ControlFlow } from './control-flow.ts';
import { isLaunchConstantCall } from './registers.ts';

export interface LaneFormOptions {
  /** The function is a kernel: all lanes get the same parameters. */
  readonly uniformParameters: boolean;
  /** Lanes that load from one address get one value: the address is not in local memory. */
  loadIsUniform(load: Instruction): boolean;
  /** Lanes that part at the end of a block may be let go on from their meeting point before all have come. */
  meetEarly(block: number): boolean;
}

export interface LaneForms {
  isScalar(id: number): boolean;
  /** The value is the same for the whole block of threads during a launch: computed from parameters and block indices alone. */
  isLaunchConstant(id: number): boolean;
  /** The branch that ends this block may send lanes different ways. */
  splits(block: number): boolean;
  /** Lanes that do not run this block now may still need the values that it computes. */
  overwritten(block: number): boolean;
  /** Lanes that took different ways may meet at the start of this block. */
  joins(block: number): boolean;
  /** The block may run with a part of the lanes that entered the function. */
  partial(block: number): boolean;
}

export function laneFormsOf(fn: IrFunction, flow: ControlFlow, options: LaneFormOptions): LaneForms {
  const varying = new Set<number>();
  if (!options.uniformParameters) for (const p of fn.parameters) varying.add(p.id);
  const launchVarying = new Set<number>(options.uniformParameters ? [] : fn.parameters.map((p) => p.id));
  spreadLaunchVarying(fn, flow, launchVarying);
  const isScalar = (operand: Operand): boolean => operand.kind !== 'value' || !varying.has(operand.id);

  for (;;) {
    const facts = blockFacts(fn, flow, { ...options, splits: (block) => splitsOn(fn.blocks[block], isScalar) });
    const before = varying.size;
    for (const index of flow.order) {
      const block = fn.blocks[index];
      for (const instruction of block.instructions) {
        if (instruction.id < 0 || varying.has(instruction.id)) continue;
        if (
          !staysScalar(instruction, index, facts, {
            isScalar,
            isLaunchConstant: (id) => !launchVarying.has(id),
            loadIsUniform: options.loadIsUniform,
          })
        )
          varying.add(instruction.id);
      }
    }
    if (varying.size === before) {
      return {
        isScalar: (id) => !varying.has(id),
        isLaunchConstant: (id) => !launchVarying.has(id) && !varying.has(id),
        splits: (block) => facts.splitting.has(block),
        overwritten: (block) => facts.overwritten.has(block),
        joins: (block) => facts.joins.has(block),
        partial: (block) => facts.partial.has(block),
      };
    }
  }
}

interface BlockFacts {
  readonly splitting: ReadonlySet<number>;
  readonly overwritten: ReadonlySet<number>;
  readonly joins: ReadonlySet<number>;
  readonly partial: ReadonlySet<number>;
}

function blockFacts(
  fn: IrFunction,
  flow: ControlFlow,
  options: Pick<LaneFormOptions, 'meetEarly'> & { splits(block: number): boolean },
): BlockFacts {
  const splitting = new Set(flow.order.filter((b) => fn.blocks[b].successors.length > 1 && options.splits(b)));
  const overwritten = new Set<number>();
  const joins = new Set<number>();
  const partial = new Set<number>();
  for (const x of splitting) {
    const meetEarly = options.meetEarly(x);
    const region = meetEarly ? flow.reachable(x) : flow.region(x);
    const meeting = flow.meeting[x];
    if (meeting !== FUNCTION_END) {
      // Lanes that all come by the same edge bring the same values: then it is no join.
      const edges = fn.blocks[meeting].predecessors.filter((p) => p === x || region.has(p));
      if (new Set(edges).size > 1) joins.add(meeting);
    }
    for (const p of region) {
      partial.add(p);
      if (meetEarly || p === x || flow.reachable(p).has(x)) overwritten.add(p);
    }
  }
  return { splitting, overwritten, joins, partial };
}

function splitsOn(block: Block, isScalar: (operand: Operand) => boolean): boolean {
  const last = block.instructions[block.instructions.length - 1];
  if (last.op === 'condbr') return last.then !== last.else && !isScalar(last.condition);
  return last.op === 'switch' && !isScalar(last.value);
}

interface Knowledge {
  isScalar(operand: Operand): boolean;
  isLaunchConstant(id: number): boolean;
  loadIsUniform(load: Instruction): boolean;
}

function staysScalar(instruction: Instruction, block: number, facts: BlockFacts, known: Knowledge): boolean {
  const operands = operandsOf(instruction);
  switch (instruction.op) {
    case 'phi': {
      if (!operands.every(known.isScalar)) return false;
      if (operands.every((o) => sameConstant(o, operands[0]))) return true;
      return !facts.joins.has(block) && !facts.overwritten.has(block);
    }
    case 'alloca':
      return operands[0].kind !== 'value';
    case 'load':
      return known.isScalar(instruction.pointer) && known.loadIsUniform(instruction) && !facts.overwritten.has(block);
    case 'atomicrmw':
    case 'cmpxchg':
    case 'callIndirect':
      return false;
    case 'call':
      if (isLaunchConstantCall(instruction.callee)) return true;
      if (isVoteOf(instruction, known.isScalar)) return !facts.overwritten.has(block);
      if (!isPureCall(instruction.callee)) return false;
      break;
    default:
  }
  if (!operands.every(known.isScalar)) return false;
  return known.isLaunchConstant(instruction.id) || !facts.overwritten.has(block);
}

/** Active lanes that name the same members get one outcome, whatever each of them votes. */
function isVoteOf(call: Extract<Instruction, { op: 'call' }>, isScalar: Knowledge['isScalar']): boolean {
  const meaning = meaningOf(call);
  return meaning?.kind === 'activeMask' || (meaning?.kind === 'vote' && (!meaning.withMask || isScalar(call.args[0])));
}

function sameConstant(a: Operand, b: Operand): boolean {
  if (a.kind === 'int' && b.kind === 'int') return a.value === b.value;
  if (a.kind === 'float' && b.kind === 'float') return a.bits === b.bits;
  return a === b;
}

function spreadLaunchVarying(fn: IrFunction, flow: ControlFlow, varying: Set<number>): void {
  for (let before = -1; before !== varying.size; ) {
    before = varying.size;
    for (const index of flow.order) {
      for (const instruction of fn.blocks[index].instructions) {
        if (instruction.id < 0 || varying.has(instruction.id)) continue;
        if (!isLaunchPure(instruction) || operandsOf(instruction).some((o) => o.kind === 'value' && varying.has(o.id)))
          varying.add(instruction.id);
      }
    }
  }
}

function isLaunchPure(instruction: Instruction): boolean {
  switch (instruction.op) {
    case 'phi':
    case 'load':
    case 'atomicrmw':
    case 'cmpxchg':
    case 'callIndirect':
      return false;
    case 'call':
      return isLaunchConstantCall(instruction.callee) || isPureCall(instruction.callee);
    default:
      return true;
  }
}

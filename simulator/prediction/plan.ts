/** What never changes about a function that is predicted: its analyses, and what its memory instructions ask for. */
import { intrinsicOf, meaningOf } from '../ir/intrinsics.ts';
import { storeSizeOf } from '../ir/layout.ts';
import { memoryRoots } from '../ir/memory-roots.ts';
import { operandsOf } from '../ir/operands.ts';
import { reconvergenceBlocks } from '../ir/reconvergence.ts';
import { type SlowPath, slowPathsOf } from '../ir/slow-paths.ts';
import type { Instruction, IrFunction, IrModule, Operand, Type } from '../ir/types.ts';
import { type AccessShape, shapeOf } from '../machine/request.ts';
import { type FunctionFacts, functionFacts } from '../simt/analyze.ts';
import { type Aggregation, spinsInShared } from '../simt/atomics.ts';
import { findLoops, type Loops } from '../simt/loops.ts';

/** A load, store or atomic. */
export interface AccessPlan {
  readonly pointer: Operand;
  readonly shape: AccessShape;
  readonly atomic: { readonly aggregation: Aggregation | undefined; readonly countsUp: boolean; readonly spins: boolean } | undefined;
}

export interface FunctionPlan {
  readonly fn: IrFunction;
  readonly facts: FunctionFacts;
  /** By block: where lanes meet again that part at its end. */
  readonly meeting: Int32Array;
  readonly loops: Loops;
  /** By loop: its blocks. */
  readonly members: readonly ReadonlySet<number>[];
  /** By site. */
  readonly accesses: ReadonlyMap<number, AccessPlan>;
  /** Branches inside of instructions, by site. */
  readonly innerBranches: ReadonlyMap<number, readonly SlowPath[]>;
  /** SSA values that are made of what is in memory, or of what other lanes hold. */
  readonly data: ReadonlySet<number>;
}

const plans = new WeakMap<IrFunction, FunctionPlan>();

export function planOf(fn: IrFunction, module: IrModule): FunctionPlan {
  let plan = plans.get(fn);
  if (!plan) {
    const facts = functionFacts(fn, module);
    const loops = findLoops(fn);
    const accesses = new Map<number, AccessPlan>();
    const innerBranches = new Map<number, readonly SlowPath[]>();
    for (const { instructions } of fn.blocks) {
      for (const instruction of instructions) {
        const access = accessPlan(instruction, facts);
        if (access) accesses.set(instruction.site, access);
        const paths = slowPathsOf(instruction);
        if (paths.length > 0) innerBranches.set(instruction.site, paths);
      }
    }
    const members = loops.loops.map(({ blocks }) => new Set(blocks));
    plan = { fn, facts, meeting: reconvergenceBlocks(fn), loops, members, accesses, innerBranches, data: dataOf(fn, module) };
    plans.set(fn, plan);
  }
  return plan;
}

function dataOf(fn: IrFunction, module: IrModule): ReadonlySet<number> {
  const data = new Set<number>();
  const { rootsOf } = memoryRoots(fn, (name) => module.globals.get(name)?.space);
  const byValue = new Set(fn.parameters.flatMap(({ id, byval }) => (byval ? [id] : [])));
  for (const instruction of fn.blocks.flatMap(({ instructions }) => instructions)) {
    for (const root of changedBy(instruction).flatMap(rootsOf)) if (root.kind === 'local') byValue.delete(root.id);
  }
  // A field of a structure that was passed by value is an argument like any other, unless the function changes it.
  const isArgument = (instruction: Instruction) =>
    instruction.op === 'load' && rootsOf(instruction.pointer).every((root) => root.kind === 'local' && byValue.has(root.id));
  const isData = (operand: Operand) => operand.kind === 'value' && data.has(operand.id);
  for (let before = -1; before !== data.size; ) {
    before = data.size;
    for (const { instructions } of fn.blocks) {
      for (const instruction of instructions) {
        if (instruction.id >= 0 && ((isSource(instruction) && !isArgument(instruction)) || operandsOf(instruction).some(isData)))
          data.add(instruction.id);
      }
    }
  }
  return data;
}

/** Pointers to what an instruction may change. */
function changedBy(instruction: Instruction): readonly Operand[] {
  if (instruction.op === 'store' || instruction.op === 'atomicrmw' || instruction.op === 'cmpxchg') return [instruction.pointer];
  if (instruction.op === 'call' && /^llvm\.mem(?:cpy|move)\./.test(instruction.callee)) return [instruction.args[0]];
  return instruction.op === 'call' || instruction.op === 'callIndirect' ? instruction.args.filter(({ type }) => type.kind === 'ptr') : [];
}

function isSource(instruction: Instruction): boolean {
  const { op } = instruction;
  if (op === 'call') return intrinsicOf(instruction.callee)?.effect !== 'none';
  return op === 'load' || op === 'atomicrmw' || op === 'cmpxchg';
}

function accessPlan(instruction: Instruction, facts: FunctionFacts): AccessPlan | undefined {
  const access = accessOf(instruction);
  if (!access) return undefined;
  const { kind, pointer, type, align } = access;
  const space = pointer.type.kind === 'ptr' ? pointer.type.space : 0;
  const shape = shapeOf({ access: kind, space, bytes: storeSizeOf(type), align }, instruction.site, facts);
  // Reading constants is no request, nor is a barrier's word.
  const isOfBarrier = 'order' in instruction && instruction.order?.ofBarrier;
  const counted = space === 4 || isOfBarrier ? undefined : shape.counted;
  const { op, site } = instruction;
  const atomic =
    kind === 'atomic'
      ? {
          aggregation: facts.aggregated.get(site),
          countsUp: facts.counting.has(site),
          spins: op === 'atomicrmw' && spinsInShared(instruction),
        }
      : undefined;
  return { pointer, shape: { ...shape, counted }, atomic };
}

interface Accessed {
  readonly kind: AccessShape['access'];
  readonly pointer: Operand;
  readonly type: Type;
  readonly align: number;
}

function accessOf(instruction: Instruction): Accessed | undefined {
  switch (instruction.op) {
    case 'load':
      return { kind: 'read', pointer: instruction.pointer, type: instruction.type, align: instruction.align };
    case 'store':
      return { kind: 'write', pointer: instruction.pointer, type: instruction.value.type, align: instruction.align };
    case 'atomicrmw':
      return { kind: 'atomic', pointer: instruction.pointer, type: instruction.type, align: storeSizeOf(instruction.type) };
    case 'cmpxchg': {
      const { type } = instruction.expected;
      return { kind: 'atomic', pointer: instruction.pointer, type, align: storeSizeOf(type) };
    }
    case 'call': {
      if (meaningOf(instruction)?.kind !== 'cachedLoad') return undefined;
      const [pointer, align] = instruction.args;
      return { kind: 'read', pointer, type: instruction.type, align: align?.kind === 'int' ? Number(align.value) : 1 };
    }
    default:
      return undefined;
  }
}

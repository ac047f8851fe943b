/**
 * Checks what the engines take for granted: SSA form, agreement of types, phis that match their predecessors, numbering. The parser
 * checks only what it must, so that it stays fast; tests, fuzzers and development runs call this.
 */
import { blockDominators, type DominatorTree, dominates } from './dominators.ts';
import { hasSignatureOf } from './intrinsics/signatures.ts';
import { meaningOf, unknownFunction } from './intrinsics.ts';
import { storeSizeOf } from './layout.ts';
import { isTerminator, operandsOf, targetsOf } from './operands.ts';
import { typeName } from './type-table.ts';
import type { Block, CastOp, Constant, Instruction, IrFunction, IrModule, Operand, Type } from './types.ts';

export interface IrProblem {
  readonly function: string;
  readonly message: string;
  readonly instruction?: Instruction;
}

/** All that is wrong with a module; an empty list for a module that the engines may run. */
export function verifyModule(module: IrModule): readonly IrProblem[] {
  return [...module.functions.values()].flatMap((f) => verifyFunction(f, module));
}

export function verifyFunction(fn: IrFunction, module?: IrModule): readonly IrProblem[] {
  const problems: IrProblem[] = [];
  const report = (message: string, instruction?: Instruction) => {
    problems.push({ function: fn.name, message, ...(instruction ? { instruction } : {}) });
  };
  verifyBlocks(fn, report);
  // Dominance means nothing while the graph is broken.
  if (problems.length > 0) return problems;
  const definitions = verifyDefinitions(fn, report);
  verifyUses(fn, definitions, blockDominators(fn.blocks), report);
  for (const { instructions } of fn.blocks) {
    for (const instruction of instructions) {
      const message = typeProblem(instruction, fn, module);
      if (message) report(`${instruction.op}: ${message}`, instruction);
    }
  }
  return problems;
}

type Report = (message: string, instruction?: Instruction) => void;

interface Definition {
  readonly type: Type;
  readonly block: number;
  /** Position in the block; -1 for parameters. */
  readonly position: number;
}

function verifyBlocks({ blocks }: IrFunction, report: Report): void {
  if (blocks.length === 0) report('no blocks');
  let site = 0;
  blocks.forEach((block, index) => {
    if (block.index !== index) report(`block ${index} says that it is ${block.index}`);
    if (block.instructions.length === 0) report(`block ${index} is empty`);
    block.instructions.forEach((instruction, position) => {
      if (instruction.site !== site++) report(`site ${instruction.site}, expected ${site - 1}`, instruction);
      if (isTerminator(instruction.op) !== (position === block.instructions.length - 1))
        report('terminator in the wrong place', instruction);
      if (instruction.op === 'phi' && position > 0 && block.instructions[position - 1].op !== 'phi')
        report('phi behind others', instruction);
    });
    const targets = new Set(block.instructions.length > 0 ? targetsOf(block.instructions[block.instructions.length - 1]) : []);
    if (!sameNumbers(targets, block.successors)) report(`successors of block ${index} are not its terminator's`);
    if ([...targets].some((t) => !(t in blocks) || !blocks[t].predecessors.includes(index)))
      report(`block ${index} is not its target's predecessor`);
    if (block.predecessors.some((p) => !blocks[p]?.successors.includes(index))) report(`a predecessor of block ${index} does not go there`);
  });
  if (blocks[0]?.predecessors.length) report('the entry has predecessors');
}

function verifyDefinitions(fn: IrFunction, report: Report): Map<number, Definition> {
  const definitions = new Map<number, Definition>();
  const define = (id: number, definition: Definition, instruction?: Instruction) => {
    if (definitions.has(id)) report(`value ${id} is defined twice`, instruction);
    if (id < 0 || id >= fn.valueCount) report(`value ${id} is out of range`, instruction);
    definitions.set(id, definition);
  };
  for (const { id, type } of fn.parameters) define(id, { type, block: 0, position: -1 });
  for (const { index, instructions } of fn.blocks) {
    instructions.forEach((instruction, position) => {
      if (instruction.id >= 0) define(instruction.id, { type: instruction.type, block: index, position }, instruction);
      if (instruction.id >= 0 && instruction.type.kind === 'void') report('a value of type void', instruction);
    });
  }
  return definitions;
}

function verifyUses(fn: IrFunction, definitions: ReadonlyMap<number, Definition>, tree: DominatorTree, report: Report): void {
  const check = (operand: Operand, block: number, position: number, instruction: Instruction) => {
    if (operand.kind !== 'value') {
      const message = constantProblem(operand);
      if (message) report(message, instruction);
      return;
    }
    const definition = definitions.get(operand.id);
    if (!definition) report(`value ${operand.id} is not defined`, instruction);
    else if (definition.type !== operand.type) report(`value ${operand.id} is ${typeName(definition.type)}`, instruction);
    else if (definition.block === block ? definition.position >= position : !dominates(tree, definition.block, block)) {
      report(`value ${operand.id} is used where it may not be defined`, instruction);
    }
  };
  for (const block of fn.blocks) {
    block.instructions.forEach((instruction, position) => {
      if (instruction.op !== 'phi') for (const operand of operandsOf(instruction)) check(operand, block.index, position, instruction);
      else {
        verifyPhi(instruction, block, report);
        // The operand is read at the end of the block that it comes from.
        for (const { value, block: from } of instruction.incoming) {
          if (from in fn.blocks) check(value, from, Number.POSITIVE_INFINITY, instruction);
        }
      }
    });
  }
}

function verifyPhi(phi: Extract<Instruction, { op: 'phi' }>, block: Block, report: Report): void {
  const from = phi.incoming.map((i) => i.block);
  if (!sameNumbers(new Set(from), block.predecessors) || from.length !== block.predecessors.length)
    report('phi does not match the predecessors', phi);
  for (const { value } of phi.incoming)
    if (value.type !== phi.type) report(`phi of ${typeName(phi.type)} with ${typeName(value.type)}`, phi);
}

function sameNumbers(set: ReadonlySet<number>, list: readonly number[]): boolean {
  return set.size === list.length && list.every((n) => set.has(n));
}

function constantProblem(constant: Constant): string | undefined {
  const { type } = constant;
  switch (constant.kind) {
    case 'int': {
      const bits = type.kind === 'int' ? type.bits : type.kind === 'ptr' ? 32 : 0;
      return constant.value < 0n || constant.value >> BigInt(bits) !== 0n ? `${constant.value} is no ${typeName(type)}` : undefined;
    }
    case 'float':
      return type.kind !== 'float' || constant.bits >> BigInt(storeSizeOf(type) * 8) !== 0n
        ? `bits ${constant.bits} are no ${typeName(type)}`
        : undefined;
    case 'symbol':
      return type.kind === 'ptr' ? undefined : `address of ${constant.name} as ${typeName(type)}`;
    case 'aggregate': {
      const types = elementTypes(type);
      if (types?.length !== constant.elements.length) return `${constant.elements.length} elements for ${typeName(type)}`;
      if (constant.elements.some((e, i) => e.type !== types[i])) return `element of another type in ${typeName(type)}`;
      return constant.elements.map(constantProblem).find((p) => p !== undefined);
    }
  }
  return undefined;
}

function elementTypes(type: Type): readonly Type[] | undefined {
  if (type.kind === 'struct') return type.fields;
  return type.kind === 'array' || type.kind === 'vector' ? new Array<Type>(type.count).fill(type.element) : undefined;
}

function scalar(type: Type): Type {
  return type.kind === 'vector' ? type.element : type;
}

function countOf(type: Type): number {
  return type.kind === 'vector' ? type.count : 1;
}

const isInt = (type: Type) => scalar(type).kind === 'int';
const isFloat = (type: Type) => scalar(type).kind === 'float';
const isPointer = (type: Type) => scalar(type).kind === 'ptr';
const isTruth = (type: Type) => type.kind === 'int' && type.bits === 1;

/** What is wrong with the types of an instruction. */
function typeProblem(i: Instruction, fn: IrFunction, module: IrModule | undefined): string | undefined {
  switch (i.op) {
    case 'fneg':
      return isFloat(i.type) && i.a.type === i.type ? undefined : 'operand';
    case 'freeze':
      return i.a.type === i.type ? undefined : 'operand';
    case 'icmp':
      return i.a.type === i.b.type && (isInt(i.a.type) || isPointer(i.a.type)) && isTruth(scalar(i.type)) ? undefined : 'operands';
    case 'fcmp':
      return i.a.type === i.b.type && isFloat(i.a.type) && isTruth(scalar(i.type)) ? undefined : 'operands';
    case 'select':
      if (!isTruth(scalar(i.condition.type))) return 'condition';
      return i.a.type === i.type && i.b.type === i.type ? undefined : 'operands';
    case 'alloca':
      return isPointer(i.type) && isInt(i.count.type) ? undefined : 'operands';
    case 'load':
    case 'store':
    case 'atomicrmw':
    case 'cmpxchg':
      if (i.pointer.type.kind !== 'ptr') return 'pointer';
      if (i.op === 'cmpxchg') return i.expected.type === i.replacement.type ? undefined : 'operands';
      return i.op !== 'atomicrmw' || i.value.type === i.type ? undefined : 'operands';
    case 'getelementptr':
      return i.base.type.kind === 'ptr' && i.type === i.base.type && i.terms.every((t) => t.index.type.kind === 'int')
        ? undefined
        : 'operands';
    case 'extractelement':
      return i.vector.type.kind === 'vector' && i.vector.type.element === i.type && isInt(i.index.type) ? undefined : 'operands';
    case 'insertelement':
      return i.vector.type === i.type && i.type.kind === 'vector' && i.value.type === i.type.element ? undefined : 'operands';
    case 'shufflevector':
      return i.a.type === i.b.type && i.mask.every((m) => m < 2 * countOf(i.a.type)) ? undefined : 'operands';
    case 'call':
      return callProblem(i, module);
    case 'condbr':
      return isTruth(i.condition.type) ? undefined : 'condition';
    case 'switch':
      return i.value.type.kind === 'int' ? undefined : 'operand';
    case 'ret':
      return (i.value?.type.kind ?? 'void') === fn.result.kind && (!i.value || i.value.type === fn.result) ? undefined : 'value';
  }
  if (!('a' in i)) return undefined;
  if (!('b' in i)) return castProblem(i.op as CastOp, i.a.type, i.type);
  const wanted = i.op.startsWith('f') ? isFloat : isInt;
  return wanted(i.type) && i.a.type === i.type && i.b.type === i.type ? undefined : 'operands';
}

function callProblem(i: Extract<Instruction, { op: 'call' }>, module: IrModule | undefined): string | undefined {
  const meaning = meaningOf(i);
  if (meaning) return hasSignatureOf(meaning, i) ? undefined : `arguments of ${i.callee}`;
  const callee = module?.functions.get(i.callee);
  if (!callee) return !module || module.unsupported.has(i.callee) ? undefined : unknownFunction(i.callee);
  const matches = callee.parameters.length === i.args.length && callee.parameters.every((p, n) => p.type === i.args[n].type);
  return matches && callee.result === i.type ? undefined : `arguments of ${i.callee}`;
}

function castProblem(op: CastOp, from: Type, to: Type): string | undefined {
  const [a, b] = [scalar(from), scalar(to)];
  const holds = {
    trunc: () => a.kind === 'int' && b.kind === 'int' && a.bits > b.bits,
    zext: () => a.kind === 'int' && b.kind === 'int' && a.bits < b.bits,
    sext: () => a.kind === 'int' && b.kind === 'int' && a.bits < b.bits,
    fptrunc: () => a.kind === 'float' && b.kind === 'float' && storeSizeOf(a) > storeSizeOf(b),
    fpext: () => a.kind === 'float' && b.kind === 'float' && storeSizeOf(a) < storeSizeOf(b),
    fptoui: () => a.kind === 'float' && b.kind === 'int',
    fptosi: () => a.kind === 'float' && b.kind === 'int',
    uitofp: () => a.kind === 'int' && b.kind === 'float',
    sitofp: () => a.kind === 'int' && b.kind === 'float',
    ptrtoint: () => a.kind === 'ptr' && b.kind === 'int',
    inttoptr: () => a.kind === 'int' && b.kind === 'ptr',
    addrspacecast: () => a.kind === 'ptr' && b.kind === 'ptr',
    bitcast: () => storeSizeOf(from) === storeSizeOf(to),
  }[op];
  if (op !== 'bitcast' && countOf(from) !== countOf(to)) return 'element counts';
  return holds() ? undefined : `${typeName(from)} to ${typeName(to)}`;
}

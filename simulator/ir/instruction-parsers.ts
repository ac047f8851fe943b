/**
 * One entry per mnemonic: how the instruction reads from LLVM's text. An entry starts behind the mnemonic and ends before the
 * instruction's metadata. Mnemonics without an entry are refused.
 */

import { intrinsicOf, isIntrinsicName, unknownFunction } from './intrinsics.ts';
import { alignOf } from './layout.ts';
import type { Lexer } from './lexer.ts';
import type { Surroundings } from './ptx/assembler.ts';
import { inlineAssembly } from './ptx/inline-assembly.ts';
import { I1, I32, POINTER, pointerType, structType, typeName, VOID, vectorType } from './type-table.ts';
import {
  type AtomicOp,
  type CastOp,
  type FloatBinary,
  type FloatPredicate,
  type IntBinary,
  type IntPredicate,
  type MemoryOrder,
  type MemoryOrdering,
  type MemoryScope,
  type Operand,
  type Type,
  UnsupportedIr,
} from './types.ts';
import type { Draft, ValueParser } from './value-parser.ts';

/** What an instruction's reader asks of the function that it is in. */
export interface BodyContext {
  readonly lexer: Lexer;
  readonly values: ValueParser;
  /** Provisional number of the block with this label. */
  block(label: string): number;
  /** Reads an operand that is needed at the end of another block: what must be computed for it is computed there. */
  operandAtEndOf(block: number, type: Type): Operand;
  /** Adds an instruction before the one that is being read; its result. */
  readonly add: (draft: Draft) => Operand;
  /** For instructions that become several blocks. */
  readonly assembly: Surroundings;
}

/** undefined: the instruction has no meaning here (a debug or lifetime marker) and is dropped. */
export type InstructionParser = (context: BodyContext) => Draft | undefined;

const INT_BINARIES: readonly IntBinary[] = ['add', 'sub', 'mul', 'udiv', 'sdiv', 'urem', 'srem', 'shl', 'lshr', 'ashr', 'and', 'or', 'xor'];
const FLOAT_BINARIES: readonly FloatBinary[] = ['fadd', 'fsub', 'fmul', 'fdiv', 'frem'];
const CASTS: readonly CastOp[] = [
  'trunc', 'zext', 'sext', 'fptrunc', 'fpext', 'fptoui', 'fptosi', 'uitofp', 'sitofp', 'ptrtoint', 'inttoptr', 'bitcast', 'addrspacecast',
]; // biome-ignore format: table
const INT_PREDICATES: ReadonlySet<string> = new Set('eq ne ugt uge ult ule sgt sge slt sle'.split(' '));
const FLOAT_PREDICATES: ReadonlySet<string> = new Set('false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true'.split(' '));
const ATOMICS: ReadonlySet<string> = new Set(
  'xchg add sub and nand or xor max min umax umin fadd fsub fmax fmin uinc_wrap udec_wrap'.split(' '),
);
const CALL_ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    'alwaysinline builtin cold convergent hot memory mustprogress nobuiltin nocallback noduplicate nofree noinline nomerge noreturn ' +
    'norecurse nosync nounwind readnone readonly speculatable strictfp willreturn writeonly'
  ).split(' '),
);
export const INSTRUCTION_PARSERS: ReadonlyMap<string, InstructionParser> = new Map<string, InstructionParser>([
  ...INT_BINARIES.map((op): [string, InstructionParser] => [op, binary(op)]),
  ...FLOAT_BINARIES.map((op): [string, InstructionParser] => [op, binary(op)]),
  ...CASTS.map((op): [string, InstructionParser] => [op, cast(op)]),
  // New in LLVM 22: the address as an integer, without the provenance that ptrtoint carries.
  ['ptrtoaddr', cast('ptrtoint')],
  ['fneg', unary('fneg')],
  ['freeze', unary('freeze')],
  ['icmp', icmp],
  ['fcmp', fcmp],
  ['select', select],
  ['phi', phi],
  ['alloca', alloca],
  ['load', load],
  ['store', store],
  ['getelementptr', getelementptr],
  ['atomicrmw', atomicrmw],
  ['cmpxchg', cmpxchg],
  ['fence', fence],
  ['extractvalue', extractvalue],
  ['insertvalue', insertvalue],
  ['extractelement', extractelement],
  ['insertelement', insertelement],
  ['shufflevector', shufflevector],
  ['call', call],
  ['tail', call],
  ['musttail', call],
  ['notail', call],
  ['br', br],
  ['switch', switchInstruction],
  ['ret', ret],
  ['unreachable', () => ({ op: 'unreachable', type: VOID })],
]);

function binary(op: IntBinary | FloatBinary): InstructionParser {
  return ({ values, lexer }) => {
    const flags = values.flags();
    const a = values.typed();
    lexer.expect(',');
    return { op, type: a.type, a, b: values.operand(a.type), ...flags };
  };
}

function cast(op: CastOp): InstructionParser {
  return ({ values, lexer }) => {
    values.flags();
    const a = values.typed();
    lexer.expect('to');
    return { op, type: values.type(), a };
  };
}

function unary(op: 'fneg' | 'freeze'): InstructionParser {
  return ({ values }) => {
    values.flags();
    const a = values.typed();
    return { op, type: a.type, a };
  };
}

function icmp({ values, lexer }: BodyContext): Draft {
  values.flags();
  const predicate = lexer.take('word');
  if (!INT_PREDICATES.has(predicate)) throw lexer.error(`icmp ${predicate}`);
  const a = values.typed();
  lexer.expect(',');
  const b = values.operand(a.type);
  return { op: 'icmp', type: truthType(a.type), predicate: predicate as IntPredicate, a, b };
}

function fcmp({ values, lexer }: BodyContext): Draft {
  values.flags();
  const predicate = lexer.take('word');
  if (!FLOAT_PREDICATES.has(predicate)) throw lexer.error(`fcmp ${predicate}`);
  const a = values.typed();
  lexer.expect(',');
  const b = values.operand(a.type);
  return { op: 'fcmp', type: truthType(a.type), predicate: predicate as FloatPredicate, a, b };
}

function truthType(type: Type): Type {
  return type.kind === 'vector' ? vectorType(I1, type.count) : I1;
}

function select({ values, lexer }: BodyContext): Draft {
  values.flags();
  const condition = values.typed();
  lexer.expect(',');
  const a = values.typed();
  lexer.expect(',');
  const b = values.typed();
  return { op: 'select', type: a.type, condition, a, b };
}

function phi(context: BodyContext): Draft {
  const { values, lexer } = context;
  values.flags();
  const type = values.type();
  const incoming: { value: Operand; block: number }[] = [];
  while (lexer.accept('[')) {
    // The block stands behind the value, but a constant expression needs it first.
    const { start } = lexer;
    while (!lexer.is(']') && lexer.kind !== 'end') {
      if (lexer.is('(') || lexer.is('[') || lexer.is('{')) lexer.skipBracketed();
      else if (lexer.accept(',')) break;
      else lexer.next();
    }
    const block = context.block(lexer.take('local'));
    const behind = lexer.start;
    lexer.seek(start);
    const value = context.operandAtEndOf(block, type);
    lexer.seek(behind);
    lexer.expect(']');
    incoming.push({ value, block });
    if (!commaBefore(lexer, '[')) break;
  }
  return { op: 'phi', type, incoming };
}

function alloca({ values, lexer }: BodyContext): Draft {
  lexer.accept('inalloca');
  lexer.accept('swifterror');
  const allocated = values.type();
  let count: Operand = { kind: 'int', type: I32, value: 1n };
  let align = alignOf(allocated);
  let space: ReturnType<ValueParser['addressSpace']> = 0;
  while (commaBeforeOperand(lexer)) {
    if (lexer.accept('align')) align = lexer.takeCount();
    else if (lexer.is('addrspace')) space = values.addressSpace();
    else count = values.typed();
  }
  return { op: 'alloca', type: space === 0 ? POINTER : pointerType(5), allocated, count, align };
}

function load({ values, lexer }: BodyContext): Draft {
  const atomic = lexer.accept('atomic');
  const isVolatile = lexer.accept('volatile');
  const type = values.type();
  lexer.expect(',');
  const pointer = values.typed();
  const order = atomic ? { order: memoryOrder(lexer) } : {};
  return { op: 'load', type, pointer, align: alignment(lexer) ?? alignOf(type), volatile: isVolatile, ...order };
}

function store({ values, lexer }: BodyContext): Draft {
  const atomic = lexer.accept('atomic');
  const isVolatile = lexer.accept('volatile');
  const value = values.typed();
  lexer.expect(',');
  const pointer = values.typed();
  const order = atomic ? { order: memoryOrder(lexer) } : {};
  return { op: 'store', type: VOID, value, pointer, align: alignment(lexer) ?? alignOf(value.type), volatile: isVolatile, ...order };
}

function getelementptr({ values }: BodyContext): Draft {
  values.flags();
  const { base, offset, terms } = values.address();
  return { op: 'getelementptr', type: base.type, base, offset, terms };
}

function atomicrmw({ values, lexer }: BodyContext): Draft {
  // Those of our libcu++ are volatile, and no others.
  const returns = lexer.accept('volatile');
  const operation = lexer.take('word');
  const pointer = values.typed();
  lexer.expect(',');
  const value = values.typed();
  const order = memoryOrder(lexer);
  alignment(lexer);
  if (!ATOMICS.has(operation) || value.type.kind === 'vector') throw new UnsupportedIr(`atomicrmw ${operation} ${typeName(value.type)}`);
  return { op: 'atomicrmw', type: value.type, operation: operation as AtomicOp, pointer, value, order, ...(returns ? { returns } : {}) };
}

function cmpxchg({ values, lexer }: BodyContext): Draft {
  lexer.accept('weak');
  lexer.accept('volatile');
  const pointer = values.typed();
  lexer.expect(',');
  const expected = values.typed();
  lexer.expect(',');
  const replacement = values.typed();
  const order = memoryOrder(lexer);
  const failure = ordering(lexer);
  alignment(lexer);
  return { op: 'cmpxchg', type: structType([expected.type, I1], false), pointer, expected, replacement, order, failure };
}

function fence({ lexer }: BodyContext): Draft {
  return { op: 'fence', type: VOID, order: memoryOrder(lexer) };
}

function extractvalue({ values, lexer }: BodyContext): Draft {
  const aggregate = values.typed();
  const path = indexPath(lexer);
  return { op: 'extractvalue', type: elementType(lexer, aggregate.type, path), aggregate, path };
}

function insertvalue({ values, lexer }: BodyContext): Draft {
  const aggregate = values.typed();
  lexer.expect(',');
  const value = values.typed();
  const path = indexPath(lexer);
  elementType(lexer, aggregate.type, path);
  return { op: 'insertvalue', type: aggregate.type, aggregate, value, path };
}

function extractelement({ values, lexer }: BodyContext): Draft {
  const vector = values.typed();
  lexer.expect(',');
  const index = values.typed();
  if (vector.type.kind !== 'vector') throw lexer.error('extractelement of no vector');
  return { op: 'extractelement', type: vector.type.element, vector, index };
}

function insertelement({ values, lexer }: BodyContext): Draft {
  const vector = values.typed();
  lexer.expect(',');
  const value = values.typed();
  lexer.expect(',');
  const index = values.typed();
  return { op: 'insertelement', type: vector.type, vector, value, index };
}

function shufflevector({ values, lexer }: BodyContext): Draft {
  const a = values.typed();
  lexer.expect(',');
  const b = values.typed();
  lexer.expect(',');
  const maskType = values.type();
  if (a.type.kind !== 'vector' || maskType.kind !== 'vector') throw lexer.error('shufflevector of no vectors');
  const constant = values.constant(maskType);
  const mask = Array.from({ length: maskType.count }, (_, i) => {
    if (constant.kind === 'undef') return -1;
    if (constant.kind !== 'aggregate') return 0;
    const element = constant.elements[i];
    return element.kind === 'int' ? Number(element.value) : -1;
  });
  return { op: 'shufflevector', type: vectorType(a.type.element, maskType.count), a, b, mask };
}

function call(context: BodyContext): Draft | undefined {
  const { values, lexer } = context;
  lexer.accept('call');
  values.flags();
  values.skipAttributes();
  const type = values.type();
  if (lexer.is('(')) lexer.skipBracketed();
  if (lexer.is('asm')) return assembly(context, type);
  const callee = values.operand(POINTER);
  const aligns: number[] = [];
  const args = callArguments({ values, lexer }, aligns);
  skipCallAttributes(lexer);
  if (lexer.is('[')) lexer.skipBracketed();
  if (callee.kind !== 'symbol' || callee.offset !== 0) return { op: 'callIndirect', type, callee, args };
  const known = intrinsicCall(context, { callee: callee.name, type, args });
  if (known !== 'call') return known;
  return { op: 'call', type, callee: callee.name, args, ...(aligns.some((a) => a > 1) && { aligns }) };
}

/** What an intrinsic becomes that the engines never see; `call` for those that they execute. */
function intrinsicCall(
  { add }: BodyContext,
  { callee, type, args }: { readonly callee: string; readonly type: Type; readonly args: readonly Operand[] },
): Draft | 'call' | undefined {
  const meaning = intrinsicOf(callee)?.meaning;
  switch (meaning?.kind) {
    case 'hint':
      return undefined;
    case 'identity':
      requireOperands(callee, args, args.length > 0);
      return { op: 'freeze', type, a: args[0] };
    case 'fence':
      return { op: 'fence', type: VOID, order: meaning.order };
    case 'expression':
      requireOperands(callee, args, args.length === meaning.arity);
      return meaning.of(args, type, add);
    case undefined:
      if (isIntrinsicName(callee)) throw new UnsupportedIr(unknownFunction(callee));
  }
  return 'call';
}

function requireOperands(callee: string, args: readonly Operand[], areEnough: boolean): void {
  if (!areEnough) throw new UnsupportedIr(`${callee} with ${args.length} operands`);
}

/** Clang writes the attributes of a call as groups (`#5`); other tools write some of them out. */
function skipCallAttributes(lexer: Lexer): void {
  while (lexer.kind === 'hash' || lexer.kind === 'string' || (lexer.kind === 'word' && CALL_ATTRIBUTES.has(lexer.text))) {
    const isString = lexer.kind === 'string';
    lexer.next();
    if (isString && lexer.accept('=')) lexer.next();
    else if (lexer.is('(')) lexer.skipBracketed();
  }
}

/** `aligns` gets the known alignment of what each argument points to, 1 where none is given. */
function callArguments({ values, lexer }: Pick<BodyContext, 'values' | 'lexer'>, aligns: number[] = []): Operand[] {
  const args: Operand[] = [];
  lexer.expect('(');
  if (lexer.accept(')')) return args;
  do {
    if (lexer.accept('metadata')) {
      skipMetadataArgument(lexer);
      continue;
    }
    const type = values.type();
    aligns.push(values.parameterAttributes().align ?? 1);
    args.push(values.operand(type));
  } while (lexer.accept(','));
  lexer.expect(')');
  return args;
}

function skipMetadataArgument(lexer: Lexer): void {
  while (!lexer.is(',') && !lexer.is(')') && lexer.kind !== 'end') {
    if (lexer.is('(') || lexer.is('{') || lexer.is('[')) lexer.skipBracketed();
    else lexer.next();
  }
}

/** `asm sideeffect "text", "constraints"(operands)` */
function assembly(context: BodyContext, type: Type): Draft | undefined {
  const { lexer, values } = context;
  while (lexer.kind === 'word') lexer.next();
  const text = lexer.take('string');
  lexer.expect(',');
  const constraints = lexer.take('string');
  const args = callArguments({ values, lexer });
  skipCallAttributes(lexer);
  return inlineAssembly(context.assembly, { text, constraints, type, args });
}

function br(context: BodyContext): Draft {
  const { values, lexer } = context;
  if (lexer.is('label')) return { op: 'br', type: VOID, target: label(context) };
  const condition = values.typed();
  lexer.expect(',');
  const target = label(context);
  lexer.expect(',');
  // biome-ignore lint/suspicious/noThenProperty: the instruction's own word
  return { op: 'condbr', type: VOID, condition, then: target, else: label(context) };
}

function switchInstruction(context: BodyContext): Draft {
  const { values, lexer } = context;
  const value = values.typed();
  lexer.expect(',');
  const otherwise = label(context);
  const cases: { value: bigint; block: number }[] = [];
  lexer.expect('[');
  while (!lexer.accept(']')) {
    const constant = values.constant(values.type());
    if (constant.kind !== 'int') throw lexer.error('a case that is no integer');
    lexer.expect(',');
    cases.push({ value: constant.value, block: label(context) });
  }
  return { op: 'switch', type: VOID, value, default: otherwise, cases };
}

function ret({ values }: BodyContext): Draft {
  const type = values.type();
  return type.kind === 'void' ? { op: 'ret', type: VOID } : { op: 'ret', type: VOID, value: values.operand(type) };
}

function label(context: BodyContext): number {
  context.lexer.expect('label');
  return context.block(context.lexer.take('local'));
}

/** NVPTX's scopes, by the names that LLVM gives them; without one all threads of the system are meant. */
const SCOPES: ReadonlyMap<string, MemoryScope> = new Map([
  ['', 'system'],
  ['singlethread', 'thread'],
  ['block', 'block'],
  ['cluster', 'cluster'],
  ['device', 'device'],
]);
/** As toolchain/barrier-scopes.ts marks barriers of our headers. */
const BARRIER_SCOPE = 'lanewise.barrier';
const ORDERINGS: ReadonlySet<string> = new Set('unordered monotonic acquire release acq_rel seq_cst'.split(' '));

/** `syncscope("...")`, if there is one, and an ordering. */
function memoryOrder(lexer: Lexer): MemoryOrder {
  let scope: MemoryScope | undefined = 'system';
  if (lexer.accept('syncscope')) {
    lexer.expect('(');
    const name = lexer.take('string');
    lexer.expect(')');
    if (name === BARRIER_SCOPE) return { ordering: ordering(lexer), scope: 'device', ofBarrier: true };
    scope = SCOPES.get(name);
    if (!scope) throw new UnsupportedIr(`syncscope("${name}")`);
  }
  return { ordering: ordering(lexer), scope };
}

function ordering(lexer: Lexer): MemoryOrdering {
  const word = lexer.take('word');
  if (!ORDERINGS.has(word)) throw lexer.error(`the memory ordering ${word}`);
  return word as MemoryOrdering;
}

function alignment(lexer: Lexer): number | undefined {
  if (!commaBefore(lexer, 'align')) return undefined;
  lexer.next();
  return lexer.takeCount();
}

function indexPath(lexer: Lexer): number[] {
  const path: number[] = [];
  while (commaBeforeOperand(lexer)) path.push(lexer.takeCount());
  return path;
}

function elementType(lexer: Lexer, type: Type, path: readonly number[]): Type {
  return path.reduce((outer, index) => {
    const inner = outer.kind === 'struct' ? outer.fields[index] : outer.kind === 'array' && index < outer.count ? outer.element : undefined;
    if (!inner) throw lexer.error(`${typeName(outer)} without element ${index}`);
    return inner;
  }, type);
}

/** Consumes a comma if metadata does not follow it. */
function commaBeforeOperand(lexer: Lexer): boolean {
  const { start } = lexer;
  if (!lexer.accept(',')) return false;
  if (lexer.kind !== 'metadata') return true;
  lexer.seek(start);
  return false;
}

/** Consumes a comma if `text` follows it. */
function commaBefore(lexer: Lexer, text: string): boolean {
  const { start } = lexer;
  if (!lexer.accept(',')) return false;
  if (lexer.is(text)) return true;
  lexer.seek(start);
  return false;
}

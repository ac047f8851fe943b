/**
 * What nvcc's options for floating-point arithmetic change in device code: -use_fast_math takes approximations for functions and quotients of
 * singles; -ftz=true makes denormal singles zeros of their sign, operands and results alike. What -prec-div=false and -prec-sqrt=false
 * ask for may be as exact as what it replaces, and is.
 */
import { fastCallee, flushCallee, meaningOf } from './intrinsics.ts';
import { operandsOf } from './operands.ts';
import { type Draft, rebuilt, withOperands } from './rebuild.ts';
import type { Instruction, IrFunction, IrModule, Operand, Type } from './types.ts';

export interface FloatRules {
  /** -fmad: products and sums become fused multiply-adds. */
  readonly fused: boolean;
  /** -ftz. */
  readonly flushed: boolean;
  /** What -use_fast_math does besides. */
  readonly fast: boolean;
}

/** nvcc's own. */
export const FLOAT_RULES: FloatRules = { fused: true, flushed: false, fast: false };

export function applyFloatRules(module: IrModule, { flushed, fast }: FloatRules): IrModule {
  if (!flushed && !fast) return module;
  const functions = new Map<string, IrFunction>();
  for (const [name, fn] of module.functions) {
    const quick = fast ? withFastFunctions(fn) : fn;
    functions.set(name, flushed ? withFlushes(quick) : quick);
  }
  return { ...module, functions };
}

function withFastFunctions(fn: IrFunction): IrFunction {
  const blocks = fn.blocks.map(({ label, instructions }) => ({ label, instructions: instructions.map(fastForm) }));
  return rebuilt(fn, blocks, fn.valueCount);
}

function fastForm(instruction: Instruction): Draft {
  const { site: _, ...draft } = instruction;
  if (draft.op === 'call') return { ...draft, callee: fastCallee(draft.callee) };
  if (draft.op !== 'fdiv' || !isSingle(draft.type)) return draft as Draft;
  const { id, type, location, a, b } = draft;
  return { op: 'call', id, type, callee: fastCallee('/'), args: [a, b], ...(location && { location }) };
}

function isSingle(type: Type): boolean {
  return type.kind === 'float' && type.format === 'float';
}

/** What a single is computed or judged with; other instructions move bits. */
function computes(instruction: Instruction): boolean {
  switch (instruction.op) {
    case 'fadd':
    case 'fsub':
    case 'fmul':
    case 'fdiv':
    case 'frem':
    case 'fcmp':
    case 'fpext':
    case 'fptrunc':
    case 'fptosi':
    case 'fptoui':
      return true;
    default: {
      const kind = meaningOf(instruction)?.kind;
      return kind === 'float' || kind === 'scalar';
    }
  }
}

function withFlushes(fn: IrFunction): IrFunction {
  let { valueCount } = fn;
  const flushedAlready = new Set<number>();
  /** Results take a new number before they are flushed to their own. */
  const blocks = fn.blocks.map(({ label, instructions }) => ({
    label,
    instructions: instructions.flatMap((instruction): readonly Draft[] => {
      const { site: _, ...draft } = instruction;
      if (!computes(instruction)) return [draft as Draft];
      const { type, location } = instruction;
      const at = location ? { location } : {};
      const flush = (id: number, value: Operand): Draft => ({
        op: 'call',
        id,
        type: value.type,
        callee: flushCallee(),
        args: [value],
        ...at,
      });
      const before: Draft[] = [];
      const own = new Map<number, Operand>();
      for (const operand of operandsOf(instruction)) {
        if (operand.kind !== 'value' || !isSingle(operand.type) || flushedAlready.has(operand.id) || own.has(operand.id)) continue;
        const value = { kind: 'value', id: valueCount++, type: operand.type } as const;
        before.push(flush(value.id, operand));
        own.set(operand.id, value);
      }
      const changed = withOperands(draft as Draft, (operand) => (operand.kind === 'value' ? (own.get(operand.id) ?? operand) : operand));
      if (!isSingle(type)) return [...before, changed];
      const raw = { kind: 'value', id: valueCount++, type } as const;
      flushedAlready.add(instruction.id);
      return [...before, { ...changed, id: raw.id } as Draft, flush(instruction.id, raw)];
    }),
  }));
  return rebuilt(fn, blocks, valueCount);
}

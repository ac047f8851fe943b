/**
 * Computes in 32 bits what Clang computes in 64 for a machine with 64-bit addresses, where both give the same: integers of 64 bits
 * whose range fits into 32, signed or unsigned, and those of which only the low word is used. Indices of address arithmetic
 * become the 32-bit integers that they were widened from. What is left in 64 bits is really of 64 bits.
 *
 * Says as well of which address arithmetic the sum may be taken modulo 2^32 (`wraps`), so that nothing needs to be checked, and which
 * addresses are compared by their order (`ordered`): see `getelementptr` in types.ts.
 */

import { markCompared } from './compared-addresses.ts';
import type { CodeKey } from './intrinsics/description.ts';
import { codeOf } from './intrinsics.ts';
import { memoryRoots } from './memory-roots.ts';
import { operandsOf } from './operands.ts';
import { type Draft, type DraftBlock, rebuilt, withOperands } from './rebuild.ts';
import { I32, I64 } from './type-table.ts';
import type { CastOp, Constant, Instruction, IntPredicate, IrFunction, IrModule, Operand } from './types.ts';
import { type Range, ValueRanges, widest } from './value-ranges.ts';
import { markWrapping } from './wrapping-addresses.ts';

export function narrowAddresses(module: IrModule): IrModule {
  const functions = new Map<string, IrFunction>();
  for (const [name, fn] of module.functions) {
    const narrowed = new Narrower(fn).run();
    const roots = memoryRoots(narrowed, (variable) => module.globals.get(variable)?.space);
    functions.set(name, markCompared(markWrapping(narrowed, roots)));
  }
  return { ...module, functions };
}

/** Operations whose low word depends on the low words of their operands only. */
const MODULAR: ReadonlySet<string> = new Set(['add', 'sub', 'mul', 'and', 'or', 'xor', 'shl', 'phi', 'select', 'freeze']);
const EXTREMES: ReadonlySet<CodeKey | undefined> = new Set<CodeKey>(['smin', 'smax', 'umin', 'umax']);

type Sign = 'signed' | 'unsigned';

class Narrower {
  readonly #fn: IrFunction;
  readonly #ranges: ValueRanges;
  readonly #definitions: (Instruction | undefined)[];
  /** By value of 64 bits: the number of its low word, which this pass computes by itself. */
  readonly #low = new Map<number, number>();
  /** By value of 64 bits: what its low word is known as already. */
  readonly #known = new Map<number, Operand>();
  /** Values of 64 bits that are the low word of another one with its sign. */
  readonly #extended = new Set<number>();
  /** Values of 64 bits whose low word is cut out behind their definition. */
  readonly #cut = new Map<number, number>();
  /** By value: what stands for it everywhere. */
  readonly #alias = new Map<number, Operand>();
  #valueCount: number;

  constructor(fn: IrFunction) {
    this.#fn = fn;
    this.#valueCount = fn.valueCount;
    this.#ranges = new ValueRanges(fn);
    this.#definitions = new Array(fn.valueCount);
    for (const { instructions } of fn.blocks) for (const i of instructions) if (i.id >= 0) this.#definitions[i.id] = i;
  }

  run(): IrFunction {
    if (!this.#definitions.some((i) => i !== undefined && (isWide(i) || operandsOf(i).some(({ type }) => isWide({ type }))))) {
      if (!this.#fn.parameters.some(isWide)) return this.#fn;
    }
    this.#choose();
    const blocks = this.#fn.blocks.map(({ label, instructions }): DraftBlock => {
      return { label, instructions: instructions.flatMap((instruction) => this.#rewritten(instruction)) };
    });
    const entry = this.#fn.parameters.flatMap(({ id }) => this.#cutOut(id, undefined));
    const placed = blocks.map(({ label, instructions }, index): DraftBlock => {
      return { label, instructions: phisFirst(index === 0 ? [...entry, ...instructions] : instructions) };
    });
    // Cut out behind a definition that comes before its use in the text.
    const complete = placed.map((block) => this.#withCuts(block));
    return withoutDead(rebuilt(this.#fn, complete, this.#valueCount));
  }

  // What is computed in 32 bits.

  #choose(): void {
    const wide = this.#definitions.filter((i) => i !== undefined && isWide(i)) as Instruction[];
    const lowOnly = this.#lowOnly(wide);
    for (const instruction of wide) {
      if (instruction.op === 'zext' || instruction.op === 'sext') {
        if (bitsOf(instruction.a) === 32) this.#known.set(instruction.id, instruction.a);
        else if (bitsOf(instruction.a) < 32) this.#low.set(instruction.id, this.#valueCount++);
      } else if (this.#isSignExtended(instruction)) {
        this.#extended.add(instruction.id);
        this.#ranges.set(instruction.id, widest(I32));
      } else if (this.#isNarrow(instruction) || (lowOnly.has(instruction.id) && isModular(instruction)))
        this.#low.set(instruction.id, this.#valueCount++);
    }
  }

  /** A low word that is moved up and down again, which copies its sign into the high one. */
  #isSignExtended(instruction: Instruction): boolean {
    if (instruction.op !== 'ashr' || instruction.b.kind !== 'int' || instruction.b.value !== 32n) return false;
    return instruction.a.kind === 'value' && dropsHighWord(this.#definitions[instruction.a.id]);
  }

  /** Values of which nobody needs more than the low word. */
  #lowOnly(wide: readonly Instruction[]): ReadonlySet<number> {
    const candidates = new Set(wide.filter(isModular).map(({ id }) => id));
    const users = this.#fn.blocks.flatMap((block) => block.instructions);
    for (let before = -1; before !== candidates.size; ) {
      before = candidates.size;
      for (const user of users) {
        if ((user.op === 'trunc' && bitsOf(user) <= 32) || dropsHighWord(user)) continue;
        if (isWide(user) && isModular(user) && (candidates.has(user.id) || this.#isNarrow(user))) continue;
        for (const operand of operandsOf(user)) if (operand.kind === 'value') candidates.delete(operand.id);
      }
    }
    return candidates;
  }

  /** Can the operation be done in 32 bits, for all that its operands may be? */
  #isNarrow(instruction: Instruction): boolean {
    const own = signOf(this.#ranges.of({ kind: 'value', id: instruction.id, type: instruction.type }));
    if (!own) return false;
    switch (instruction.op) {
      case 'lshr':
      case 'ashr': {
        const range = this.#ranges.of(instruction.a);
        const sign = signOf(range);
        if (instruction.b.kind !== 'int' || instruction.b.value >= 32n || !sign) return false;
        return instruction.op === 'lshr' ? range.low >= 0 : true;
      }
      case 'udiv':
      case 'urem':
        return [instruction.a, instruction.b].every((operand) => this.#ranges.of(operand).low >= 0 && signOf(this.#ranges.of(operand)));
      case 'sdiv':
      case 'srem': {
        const [a, b] = [this.#ranges.of(instruction.a), this.#ranges.of(instruction.b)];
        return signOf(a) === 'signed' && signOf(b) === 'signed' && a.low > -(2 ** 31);
      }
      case 'call':
        return EXTREMES.has(codeOf(instruction)) && this.#commonSign(instruction.args[0], instruction.args[1]) !== undefined;
      case 'ptrtoint':
        return instruction.a.type.kind === 'ptr';
      default:
        return isModular(instruction);
    }
  }

  /** How both operands can be held in 32 bits so that they compare alike. */
  #commonSign(a: Operand, b: Operand): Sign | undefined {
    const [rangeA, rangeB] = [this.#ranges.of(a), this.#ranges.of(b)];
    const both = { low: Math.min(rangeA.low, rangeB.low), high: Math.max(rangeA.high, rangeB.high) };
    return signOf(both);
  }

  /** The low word of an operand of 64 bits. */
  #lowOf(operand: Operand): Operand {
    if (operand.kind !== 'value') return lowConstant(operand);
    const known = this.#known.get(operand.id);
    if (known) return known;
    if (this.#extended.has(operand.id)) return this.#lowOf(this.#firstOperand(this.#firstOperand(operand)));
    let id = this.#low.get(operand.id) ?? this.#cut.get(operand.id);
    if (id === undefined) {
      id = this.#valueCount++;
      this.#cut.set(operand.id, id);
    }
    return { kind: 'value', id, type: I32 };
  }

  #firstOperand(operand: Operand): Operand {
    return operandsOf(this.#definitions[(operand as { readonly id: number }).id]!)[0];
  }

  // Rewriting.

  #rewritten(instruction: Instruction): Draft[] {
    const { site: _, ...draft } = instruction;
    const low = instruction.id >= 0 ? this.#low.get(instruction.id) : undefined;
    if (low !== undefined) return [{ ...this.#lowOperation(instruction), id: low }, this.#widened(instruction, low)];
    switch (instruction.op) {
      case 'trunc':
        if (!isWide(instruction.a) || bitsOf(instruction) > 32) break;
        if (bitsOf(instruction) < 32) return [{ ...draft, a: this.#lowOf(instruction.a) } as Draft];
        this.#alias.set(instruction.id, this.#lowOf(instruction.a));
        return [];
      case 'icmp':
        return [this.#comparison(instruction)];
      case 'sitofp':
      case 'uitofp':
        return [this.#toFloat(instruction)];
      case 'inttoptr': {
        const range = this.#ranges.of(instruction.a);
        if (isWide(instruction.a) && signOf(range) && range.low >= 0) return [{ ...draft, a: this.#lowOf(instruction.a) } as Draft];
        break;
      }
      case 'getelementptr': {
        const terms = instruction.terms.map((term) => {
          const range = this.#ranges.of(term.index);
          if (!isWide(term.index) || !signOf(range)) return term;
          const index = this.#lowOf(term.index);
          // Either would do for a number that is not negative: less needs to be checked of an unsigned one.
          return range.low < 0 ? { index, scale: term.scale } : { index, scale: term.scale, unsigned: true as const };
        });
        return [{ ...draft, terms } as Draft];
      }
    }
    return [draft as Draft];
  }

  /** The operation on low words. */
  #lowOperation(instruction: Instruction): Draft {
    const { site: _, ...draft } = instruction;
    const low = (operand: Operand): Operand => this.#lowOf(operand);
    switch (instruction.op) {
      case 'phi':
        return { ...draft, type: I32, incoming: instruction.incoming.map((i) => ({ ...i, value: low(i.value) })) } as Draft;
      case 'select':
        return { ...draft, type: I32, a: low(instruction.a), b: low(instruction.b) } as Draft;
      case 'freeze':
        return { ...draft, type: I32, a: low(instruction.a) } as Draft;
      case 'zext':
      case 'sext':
      case 'ptrtoint':
        return { ...draft, type: I32 } as Draft;
      case 'ashr': {
        // A number that is positive in 64 bits may be negative in 32.
        const op = this.#ranges.of(instruction.a).low >= 0 ? 'lshr' : 'ashr';
        return { ...draft, op, type: I32, a: low(instruction.a), b: low(instruction.b) } as Draft;
      }
      case 'call': {
        const code = codeOf(instruction)!;
        const isUnsigned = this.#commonSign(instruction.args[0], instruction.args[1]) === 'unsigned';
        const callee = `llvm.${isUnsigned ? code.replace('s', 'u') : code}.i32`;
        return { ...draft, type: I32, callee, args: instruction.args.map(low) } as Draft;
      }
      default: {
        const { a, b } = instruction as Instruction & { readonly a: Operand; readonly b: Operand };
        return { ...draft, type: I32, a: low(a), b: low(b) } as Draft;
      }
    }
  }

  /** The whole value made of its low word, for whoever needs it. */
  #widened({ id, location, op }: Instruction, low: number): Draft {
    const isUnsigned = op === 'zext' || signOf(this.#ranges.of({ kind: 'value', id, type: I64 })) === 'unsigned';
    return { op: isUnsigned ? 'zext' : 'sext', id, type: I64, location, a: { kind: 'value', id: low, type: I32 } };
  }

  #comparison(instruction: Extract<Instruction, { op: 'icmp' }>): Draft {
    const { site: _, ...draft } = instruction;
    const { a, b } = instruction;
    const sign = isWide(a) ? this.#commonSign(a, b) : undefined;
    if (!sign) return draft as Draft;
    const predicate = sign === 'unsigned' ? (instruction.predicate.replace(/^s/, 'u') as IntPredicate) : instruction.predicate;
    return { ...draft, predicate, a: this.#lowOf(a), b: this.#lowOf(b) } as Draft;
  }

  #toFloat(instruction: Instruction & { readonly op: CastOp; readonly a: Operand }): Draft {
    const { site: _, ...draft } = instruction;
    const range = this.#ranges.of(instruction.a);
    const sign = isWide(instruction.a) ? signOf(range) : undefined;
    if (!sign || (instruction.op === 'uitofp' && range.low < 0)) return draft as Draft;
    return { ...draft, op: sign === 'signed' ? 'sitofp' : 'uitofp', a: this.#lowOf(instruction.a) } as Draft;
  }

  #withCuts({ label, instructions }: DraftBlock): DraftBlock {
    const drafts = instructions.flatMap((draft) => [draft, ...this.#cutOut(draft.id, draft)]);
    const resolved = phisFirst(drafts).map((draft) => withOperands(draft, (operand) => this.#resolve(operand)));
    return { label, instructions: resolved };
  }

  #cutOut(id: number, draft: Draft | undefined): Draft[] {
    const low = id >= 0 ? this.#cut.get(id) : undefined;
    if (low === undefined || (draft === undefined && this.#definitions[id])) return [];
    return [{ op: 'trunc', id: low, type: I32, location: draft?.location, a: { kind: 'value', id, type: I64 } }];
  }

  #resolve(operand: Operand): Operand {
    const alias = operand.kind === 'value' ? this.#alias.get(operand.id) : undefined;
    return alias ? this.#resolve(alias) : operand;
  }
}

function isWide({ type }: { readonly type: Operand['type'] }): boolean {
  return type.kind === 'int' && type.bits === 64;
}

function bitsOf({ type }: { readonly type: Operand['type'] }): number {
  return type.kind === 'int' ? type.bits : 0;
}

/** A shift to the left by so much that only the low word stays. */
function dropsHighWord(instruction: Instruction | undefined): boolean {
  return instruction?.op === 'shl' && isWide(instruction) && instruction.b.kind === 'int' && instruction.b.value === 32n;
}

function isModular(instruction: Instruction): boolean {
  if (instruction.op === 'shl') return instruction.b.kind === 'int' && instruction.b.value < 32n;
  return MODULAR.has(instruction.op);
}

/** How 32 bits hold every number of a range. */
function signOf({ low, high }: Range): Sign | undefined {
  if (low >= -(2 ** 31) && high < 2 ** 31) return 'signed';
  return low >= 0 && high < 2 ** 32 ? 'unsigned' : undefined;
}

function lowConstant(constant: Constant): Constant {
  if (constant.kind === 'int') return { kind: 'int', type: I32, value: BigInt.asUintN(32, constant.value) };
  return { kind: 'undef', type: I32 };
}

function phisFirst(drafts: readonly Draft[]): readonly Draft[] {
  return [...drafts.filter(({ op }) => op === 'phi'), ...drafts.filter(({ op }) => op !== 'phi')];
}

const PURE: ReadonlySet<string> = new Set([
  'zext',
  'sext',
  'trunc',
  'phi',
  'select',
  'add',
  'sub',
  'mul',
  'and',
  'or',
  'xor',
  'shl',
  'lshr',
  'ashr',
]);

/** Without the computations in 64 bits that nobody needs any more. */
function withoutDead(fn: IrFunction): IrFunction {
  const used = new Set<number>();
  const definitions = new Map<number, Instruction>();
  const open: Instruction[] = [];
  for (const { instructions } of fn.blocks) {
    for (const instruction of instructions) {
      if (instruction.id >= 0) definitions.set(instruction.id, instruction);
      if (!isRemovable(instruction)) open.push(instruction);
    }
  }
  for (let next = open.pop(); next; next = open.pop()) {
    for (const operand of operandsOf(next)) {
      if (operand.kind !== 'value' || used.has(operand.id)) continue;
      used.add(operand.id);
      const definition = definitions.get(operand.id);
      if (definition && isRemovable(definition)) open.push(definition);
    }
  }
  const blocks = fn.blocks.map(({ label, instructions }): DraftBlock => {
    return { label, instructions: instructions.filter((i) => !isRemovable(i) || used.has(i.id)) };
  });
  return rebuilt(fn, blocks, fn.valueCount);
}

function isRemovable(instruction: Instruction): boolean {
  return PURE.has(instruction.op) && bitsOf(instruction) > 0;
}

/**
 * Lanes that part inside of an instruction (../ir/intrinsics/slow-paths.ts): tests are computed with the code around them, and the end of a block
 * counts for all instructions in it, so that what is computed lane by lane stays together.
 */
import { type Bits, INNER_BRANCH, type Test, testCallee } from '../ir/intrinsics/slow-paths.ts';
import { slowPathsOf } from '../ir/slow-paths.ts';
import { I1, I32, I64, VOID } from '../ir/type-table.ts';
import type { Block, Instruction, Operand, Type } from '../ir/types.ts';
import { bitsOf } from './components.ts';
import type { InlinedKernel } from './inlining.ts';
import type { MemoryEmitter } from './memory-emitter.ts';
import type { ScalarContext, VectorContext } from './operation.ts';

/** The kernel with instructions that test and count. They have no origin. Lanes with the same operands do not part, but may all take a slow path. */
export function withInnerBranches(inlined: InlinedKernel, isUniform: (operand: Operand) => boolean): InlinedKernel {
  const { fn } = inlined;
  let { valueCount, siteCount } = fn;
  const blocks = fn.blocks.map((block): Block => {
    const counting: Instruction[] = [];
    const computing = block.instructions.flatMap((instruction): readonly Instruction[] => {
      const added: Instruction[] = [];
      const add = (draft: { readonly type: Type } & Record<string, unknown>): Operand => {
        const id = valueCount++;
        added.push({ ...draft, id, site: siteCount++ } as unknown as Instruction);
        return { kind: 'value', id, type: draft.type };
      };
      const paths = slowPathsOf(instruction).filter(({ words, conditions }) => !conditions.isUsual || !words.every(isUniform));
      for (const { name, words, conditions } of paths) {
        const args = words.map((operand) => wordOf(operand, add));
        const test = (which: 'slow' | 'apart'): Operand => add({ op: 'call', type: I1, callee: testCallee(name, which), args });
        const site: Operand = { kind: 'int', type: I32, value: BigInt(instruction.site) };
        const tests = [test('slow'), ...(conditions.apart ? [test('apart')] : [])];
        const reads: Operand = { kind: 'int', type: I32, value: BigInt(conditions.reads ?? 0) };
        const isUsual: Operand = { kind: 'int', type: I32, value: conditions.isUsual ? 1n : 0n };
        counting.push({ op: 'call', id: -1, type: VOID, callee: INNER_BRANCH, args: [site, reads, isUsual, ...tests], site: siteCount++ });
      }
      return [instruction, ...added];
    });
    return { ...block, instructions: [...computing.slice(0, -1), ...counting, computing[computing.length - 1]] };
  });
  return { ...inlined, fn: { ...fn, blocks, valueCount, siteCount } };
}

/** An operand's word: of 64 bits the upper one. */
function wordOf(operand: Operand, add: (draft: { readonly type: Type } & Record<string, unknown>) => Operand): Operand {
  const isWide = bitsOf(operand.type) === 64;
  const whole = operand.type.kind === 'float' ? add({ op: 'bitcast', type: isWide ? I64 : I32, a: operand }) : operand;
  return isWide ? add({ op: 'call', type: I32, callee: 'lanewise.high', args: [whole] }) : whole;
}

/** Adds how many branches diverge, one less than there are ways that active lanes take, and whether any took the slow one. */
export function emitInnerBranch(e: MemoryEmitter, call: Extract<Instruction, { op: 'call' }>): void {
  const { f } = e;
  const [site, reads, isUsual, slow, apart] = call.args;
  if (site.kind !== 'int' || reads.kind !== 'int' || isUsual.kind !== 'int') throw new Error('an inner branch of an unknown instruction');
  const count = e.context.innerBranchCount(Number(site.value), Number(reads.value));
  const slowly = f.local('i32');
  const special = f.local('i32');
  e.pushMask(e.names.references(slow)[0]);
  f.get(e.mask).op('i32.and').set(slowly);
  if (apart) {
    e.pushMask(e.names.references(apart)[0]);
    f.get(slowly).op('i32.and').set(special);
  }
  f.get(slowly).if();
  f.get(e.worker).get(e.worker).mem('i64.load', count);
  f.get(slowly).get(e.mask).op('i32.ne');
  if (apart) f.get(special).i32(0).op('i32.ne').get(special).get(slowly).op('i32.ne', 'i32.and', 'i32.add');
  f.op('i64.extend_i32_u', 'i64.add').mem('i64.store', count);
  if (isUsual.value === 0n) {
    f.get(e.worker)
      .get(e.worker)
      .mem('i64.load', count + 8);
    f.i64(1n)
      .op('i64.add')
      .mem('i64.store', count + 8);
  }
  f.end();
  f.release('i32', slowly);
  f.release('i32', special);
}

/** What a test is emitted with: each leaves its result on the stack, and finds there what it takes but for what it is given. */
interface Operations {
  word(index: number): void;
  constant(value: number): void;
  shiftRight(by: number): void;
  combine(op: Extract<Bits, { readonly b: Bits }>['op'], a: () => void, b: () => void): void;
  below(): void;
  not(): void;
  and(): void;
}

function emitTest(test: Test, to: Operations): void {
  const bits = (of: Bits): void => {
    if (of.op === 'word') to.word(of.index);
    else if (of.op === 'constant') to.constant(of.value | 0);
    else if (of.op === 'shr') {
      bits(of.a);
      to.shiftRight(of.by);
    } else {
      to.combine(
        of.op,
        () => bits(of.a),
        () => bits(of.b),
      );
    }
  };
  const emit = (of: Test): void => {
    if (of.op === 'not') {
      emit(of.a);
      to.not();
    } else if (of.op === 'and') {
      emit(of.a);
      emit(of.b);
      to.and();
    } else {
      bits(of.a);
      bits(of.b);
      to.below();
    }
  };
  emit(test);
}

const VECTOR_OPERATIONS = { and: 'v128.and', add: 'i32x4.add', sub: 'i32x4.sub', min: 'i32x4.min_u', max: 'i32x4.max_u' } as const;

export function emitVectorTest({ f, push }: VectorContext, test: Test): void {
  emitTest(test, {
    word: (index) => push(index),
    constant: (value) => f.v128([value, value, value, value]),
    shiftRight: (by) => f.i32(by).op('i32x4.shr_u'),
    combine(op, a, b) {
      a();
      b();
      f.op(VECTOR_OPERATIONS[op]);
    },
    below: () => f.op('i32x4.lt_u'),
    not: () => f.op('v128.not'),
    and: () => f.op('v128.and'),
  });
}

export function emitScalarTest({ f, push }: ScalarContext, test: Test): void {
  emitTest(test, {
    word: (index) => push(index),
    constant: (value) => f.i32(value),
    shiftRight: (by) => f.i32(by).op('i32.shr_u'),
    combine(op, a, b) {
      a();
      b();
      if (op !== 'min' && op !== 'max') {
        f.op(`i32.${op}`);
        return;
      }
      a();
      b();
      f.op(op === 'min' ? 'i32.lt_u' : 'i32.gt_u', 'select');
    },
    below: () => f.op('i32.lt_u'),
    not: () => f.op('i32.eqz'),
    and: () => f.op('i32.and'),
  });
}

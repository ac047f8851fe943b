/** Which computations of 64 bits are done in 32, and which addresses need no test. What they give is in test/fixtures/ir/addresses.ll. */
import { describe, expect, test } from 'vitest';
import { lowerPointers } from '../../simulator/ir/lower-pointers.ts';
import { narrowAddresses } from '../../simulator/ir/narrow-addresses.ts';
import type { Instruction, IrFunction } from '../../simulator/ir/types.ts';
import { ValueRanges } from '../../simulator/ir/value-ranges.ts';
import { verifyModule } from '../../simulator/ir/verify.ts';
import { allOf, functionNamed, instructionsOf, kernel } from './ir-fixtures.ts';

const DECLARATIONS = `declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i64 @llvm.umin.i64(i64, i64)
@s = internal addrspace(3) global [64 x i32] undef, align 4
`;

function narrowed(parameters: string, body: string): IrFunction {
  const module = narrowAddresses(lowerPointers(kernel(parameters, `${body}\n  ret void`, DECLARATIONS).module));
  expect(verifyModule(module)).toEqual([]);
  return functionNamed(module, 'f');
}

/** Operations on integers of 64 bits, in order. */
function wide(fn: IrFunction): readonly Instruction['op'][] {
  const isWide = ({ type }: Instruction) => type.kind === 'int' && type.bits === 64;
  return instructionsOf(fn).flatMap((i) => (isWide(i) ? [i.op] : []));
}

const ADDRESS = '  %q = getelementptr float, ptr %p, i64 %x\n  store float 1.0, ptr %q, align 4';

describe('indices', () => {
  test.each([
    ['sign-extended', '  %x = sext i32 %i to i64', [undefined]],
    ['zero-extended', '  %x = zext i32 %i to i64', [true]],
    ['of a thread', '  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  %x = zext i32 %t to i64', [true]],
    ['of a byte', '  %b = trunc i32 %i to i8\n  %x = sext i8 %b to i64', [undefined]],
    ['that are masked', '  %x = and i64 %l, 4095', [true]],
    ['of which a remainder is taken', '  %x = urem i64 %l, 1000', [true]],
    ['that are shifted far', '  %x = lshr i64 %l, 40', [true]],
  ])('%s have 32 bits', (_, index, unsigned) => {
    const fn = narrowed('ptr %p, i32 %i, i64 %l', `${index}\n${ADDRESS}`);
    const [{ terms }] = allOf(fn, 'getelementptr');
    expect(terms.map((t) => t.index.type)).toEqual([{ kind: 'int', bits: 32 }]);
    expect(terms.map((t) => t.unsigned)).toEqual(unsigned);
  });

  test.each([
    ['a parameter', '  %x = add i64 %l, 0'],
    ['a sum that may not fit', '  %a = sext i32 %i to i64\n  %x = add i64 %a, %a'],
    ['a product', '  %a = zext i32 %i to i64\n  %x = mul i64 %a, %a'],
  ])('%s keeps its 64 bits', (_, index) => {
    const fn = narrowed('ptr %p, i32 %i, i64 %l', `${index}\n${ADDRESS}`);
    expect(allOf(fn, 'getelementptr')[0].terms[0].index.type).toEqual({ kind: 'int', bits: 64 });
  });
});

describe('computations', () => {
  const store = '\n  store i32 %r, ptr %p, align 4';

  test.each([
    ['of which the low word is asked for', '  %a = add i64 %l, 7\n  %b = mul i64 %a, %l\n  %r = trunc i64 %b to i32'],
    ['whose operands are small', '  %a = zext i16 %h to i64\n  %b = mul i64 %a, %a\n  %c = lshr i64 %b, 3\n  %r = trunc i64 %c to i32'],
    ['of a quotient', '  %a = zext i32 %i to i64\n  %b = udiv i64 %a, 12\n  %r = trunc i64 %b to i32'],
    ['of a signed quotient', '  %a = sext i16 %h to i64\n  %b = sdiv i64 %a, 12\n  %r = trunc i64 %b to i32'],
    ['that compare', '  %a = sext i32 %i to i64\n  %c = icmp ult i64 %a, 77\n  %r = select i1 %c, i32 1, i32 2'],
    ['of a minimum', '  %a = zext i32 %i to i64\n  %b = call i64 @llvm.umin.i64(i64 %a, i64 5)\n  %r = trunc i64 %b to i32'],
  ])('%s are done in 32 bits', (_, body) => {
    expect(wide(narrowed('ptr %p, i32 %i, i16 %h, i64 %l', body + store))).toEqual([]);
  });

  test.each([
    ['a shift that brings the high word down', '  %a = lshr i64 %l, 16\n  %r = trunc i64 %a to i32', ['lshr']],
    ['a comparison with what does not fit', '  %c = icmp slt i64 %l, 5\n  %r = select i1 %c, i32 1, i32 2', []],
    ['a quotient', '  %a = udiv i64 %l, 3\n  %r = trunc i64 %a to i32', ['udiv']],
    ['a quotient that wraps', '  %a = sext i32 %i to i64\n  %b = sdiv i64 %a, -1\n  %r = trunc i64 %b to i32', ['sext', 'sdiv']],
  ])('%s keeps 64', (_, body, expected) => {
    const fn = narrowed('ptr %p, i32 %i, i64 %l', body + store);
    expect(wide(fn)).toEqual(expected);
    for (const { a } of allOf(fn, 'icmp')) expect(a.type).toEqual({ kind: 'int', bits: 64 });
  });

  test('a loop whose counter goes round as its low word', () => {
    const fn = narrowed(
      'ptr %p, i32 %n',
      `entry:
  %start = sext i32 %n to i64
  br label %loop
loop:
  %i = phi i64 [ %start, %entry ], [ %next, %loop ]
  %up = shl i64 %i, 32
  %low = ashr i64 %up, 32
  %q = getelementptr i32, ptr %p, i64 %low
  store i32 1, ptr %q, align 4
  %next = add i64 %low, 96
  %c = icmp slt i32 %n, 7
  br i1 %c, label %loop, label %end
end:`,
    );
    expect(wide(fn)).toEqual([]);
  });

  test('what only stores need is widened again', () => {
    const fn = narrowed('ptr %p, i32 %i', '  %a = zext i32 %i to i64\n  %r = lshr i64 %a, 1\n  store i64 %r, ptr %p, align 8');
    expect(wide(fn)).toEqual(['sext']);
  });
});

describe('pointers', () => {
  test('in memory are integers', () => {
    const fn = narrowed('ptr %p', '  %a = load ptr, ptr %p, align 8\n  store ptr %p, ptr %a, align 8');
    expect(allOf(fn, 'load')[0].type).toEqual({ kind: 'int', bits: 64 });
    expect(allOf(fn, 'store')[0].value.type).toEqual({ kind: 'int', bits: 64 });
    expect(allOf(fn, 'inttoptr')).toHaveLength(1);
  });
});

describe('addresses that need no test', () => {
  const wraps = (body: string): boolean => allOf(narrowed('ptr %p, i32 %i, ptr %o', body), 'getelementptr')[0].wraps === true;
  const near = '  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  %x = zext i32 %t to i64\n';

  test.each([
    ['shared memory', '  %x = sext i32 %i to i64\n  %q = getelementptr i32, ptr addrspace(3) @s, i64 %x\n  store i32 1, ptr addrspace(3) %q, align 4', true],
    ['local memory', '  %v = alloca [9 x i32], align 4\n  %x = sext i32 %i to i64\n  %q = getelementptr i32, ptr %v, i64 %x\n  store i32 1, ptr %q, align 4', true],
    ['a thread each', near + ADDRESS, true],
    ['a constant distance', '  %q = getelementptr i8, ptr %p, i64 -4096\n  store i32 1, ptr %q, align 4', true],
    ['a field of an element', `${near}  %q = getelementptr [12 x i8], ptr %p, i64 %x\n  %r = getelementptr i8, ptr %q, i64 8\n  store i32 1, ptr %r, align 4`, true],
    ['any index', `  %x = sext i32 %i to i64\n${ADDRESS}`, false],
    ['far ahead', '  %q = getelementptr i8, ptr %p, i64 1000000000\n  store i32 1, ptr %q, align 4', false],
    ['far behind', '  %q = getelementptr i8, ptr %p, i64 -40000\n  store i32 1, ptr %q, align 4', false],
    ['an address that is kept', '  %q = getelementptr i8, ptr %p, i64 4\n  store ptr %q, ptr %o, align 8', false],
    ['an address from which one goes on anywhere', '  %q = getelementptr i8, ptr %p, i64 4\n  %x = sext i32 %i to i64\n  %r = getelementptr i8, ptr %q, i64 %x\n  store i8 1, ptr %r', false],
  ])('%s: %s', (_, body, expected) => expect(wraps(body)).toBe(expected)); // biome-ignore format: table
});

describe('ranges', () => {
  test.each([
    ['and i64 %l, 255', 0, 255],
    ['or i32 %s, 5', 0, 255],
    ['sub i32 %s, 200', -200, 0],
    ['mul i32 %s, %s', 0, 40_000],
    ['mul i32 %i, 3', -(2 ** 31), 2 ** 31 - 1],
    ['shl i32 %s, 4', 0, 3200],
    ['lshr i32 %i, 24', 0, 255],
    ['ashr i32 %i, 24', -128, 127],
    ['udiv i32 %s, 7', 0, 28],
    ['udiv i32 %s, %i', -(2 ** 31), 2 ** 31 - 1],
    ['udiv i32 %s, %s', -1, 200],
    ['urem i32 %i, 10', 0, 9],
    ['urem i32 %s, %s', 0, 200],
    ['srem i32 %i, 10', -(2 ** 31), 2 ** 31 - 1],
    ['sdiv i32 %s, 3', 0, 200],
    ['zext i32 %i to i64', 0, 2 ** 32 - 1],
    ['sext i32 %i to i64', -(2 ** 31), 2 ** 31 - 1],
    ['trunc i32 %s to i16', 0, 200],
    ['trunc i32 %s to i8', -128, 127],
    ['select i1 %c, i32 %s, i32 -1', -1, 200],
    ['call i32 @llvm.nvvm.read.ptx.sreg.tid.x()', 0, 1023],
    ['ptrtoint ptr %p to i64', 0, 2 ** 32 - 1],
  ])('%s', (text, low, high) => {
    const small = '  %u = urem i32 %i, 201\n  %s = add i32 %u, 0\n  %c = icmp eq i32 %i, 3\n';
    const { fn } = kernel('ptr %p, i32 %i, i64 %l', `${small}  %r = ${text}\n  ret void`, DECLARATIONS);
    const instruction = instructionsOf(fn).at(-2)!;
    expect(new ValueRanges(fn).of({ kind: 'value', id: instruction.id, type: instruction.type })).toEqual({ low, high });
  });

  test('of what grows in a loop nothing is known', () => {
    const { fn } = kernel(
      'i32 %n',
      'entry:\n  br label %loop\nloop:\n  %i = phi i32 [ 0, %entry ], [ %j, %loop ]\n  %j = add i32 %i, 1\n  %c = icmp slt i32 %j, %n\n  br i1 %c, label %loop, label %end\nend:\n  ret void',
    );
    const [phi] = allOf(fn, 'phi');
    expect(new ValueRanges(fn).of({ kind: 'value', id: phi.id, type: phi.type })).toEqual({ low: -(2 ** 31), high: 2 ** 31 - 1 });
  });
});

import { describe, expect, test } from 'vitest';
import { I32, I64 } from '../../simulator/ir/type-table.ts';
import type { Instruction, IrFunction } from '../../simulator/ir/types.ts';
import { verifyFunction } from '../../simulator/ir/verify.ts';
import { fixtureModule, functionNamed, kernel } from './ir-fixtures.ts';

const messages = (fn: IrFunction) => verifyFunction(fn).map((p) => p.message);

/** A copy of the function with one instruction replaced. */
function withInstruction(fn: IrFunction, site: number, change: (instruction: Instruction) => object): IrFunction {
  return {
    ...fn,
    blocks: fn.blocks.map((b) => ({
      ...b,
      instructions: b.instructions.map((i) => (i.site === site ? ({ ...i, ...change(i) } as Instruction) : i)),
    })),
  };
}

const diamond = `entry:
  %c = icmp slt i32 %n, 1
  br i1 %c, label %a, label %b
a:
  %x = add i32 %n, 1
  br label %join
b:
  br label %join
join:
  %p = phi i32 [ %x, %a ], [ 0, %b ]
  store i32 %p, ptr %q
  ret void`;

describe('what the parser lets through', () => {
  test('nothing in a right function', () => expect(messages(kernel('i32 %n, ptr %q', diamond).fn)).toEqual([]));

  test.each([
    ['a use that its definition does not dominate', diamond.replace('store i32 %p', 'store i32 %x'), 'used where it may not be defined'],
    [
      'a use before the definition',
      diamond.replace('%x = add i32 %n, 1', '%x = add i32 %y, 1\n  %y = add i32 %n, 1'),
      'used where it may not be defined',
    ],
    ['a phi that lacks a predecessor', diamond.replace(', [ 0, %b ]', ''), 'phi does not match the predecessors'],
    [
      'a phi operand from the wrong side',
      diamond.replace('[ %x, %a ], [ 0, %b ]', '[ 0, %a ], [ %x, %b ]'),
      'used where it may not be defined',
    ],
    ['a phi behind others', diamond.replace('%p = phi', '%z = add i32 1, 1\n  %p = phi'), 'phi behind others'],
    ['arithmetic of floats on integers', diamond.replace('%x = add i32 %n, 1', '%x = fadd i32 %n, %n'), 'fadd: operands'],
    ['a cast to the same width', diamond.replace('%x = add i32 %n, 1', '%x = zext i32 %n to i32'), 'zext: i32 to i32'],
    ['a condition that is no truth value', diamond.replace('br i1 %c, label %a', 'br i32 %n, label %a'), 'condbr: condition'],
    [
      'a jump to the entry',
      diamond.replace('br label %join\nb:', 'br label %entry\nb:').replace('[ %x, %a ], ', ''),
      'the entry has predecessors',
    ],
    ['a value where the kernel returns none', diamond.replace('ret void', 'ret i32 1'), 'ret: value'],
    [
      'an intrinsic with a missing operand',
      diamond.replace('%x = add i32 %n, 1', '%x = call i32 @llvm.smax.i32(i32 %n)'),
      'call: arguments of llvm.smax.i32',
    ],
    [
      'an intrinsic on the wrong type',
      diamond.replace('%x = add i32 %n, 1', '%x = call i32 @llvm.fabs.f32(i32 %n)'),
      'call: arguments of llvm.fabs.f32',
    ],
    ['a store through an integer', diamond.replace('ptr %q\n', 'i32 %n\n'), 'store: pointer'],
  ])('%s', (_, body, message) => {
    expect(messages(kernel('i32 %n, ptr %q', body).fn).join('; ')).toContain(message);
  });

  test('arguments that the callee does not take', () => {
    const module = fixtureModule('kernels.ll');
    const fn = functionNamed(module, 'byValue');
    const call = fn.blocks.flatMap((b) => b.instructions).find((i) => i.op === 'call' && i.callee.includes('fibonacci'))!;
    const broken = withInstruction(fn, call.site, () => ({ args: [] }));
    expect(verifyFunction(broken, module).map((p) => p.message)).toEqual([expect.stringContaining('arguments of')]);
  });
});

describe('what only a faulty transformation makes', () => {
  const { fn } = kernel('i32 %n, ptr %q', diamond);

  test.each<[string, IrFunction, string]>([
    ['a repeated site', withInstruction(fn, 1, () => ({ site: 0 })), 'site 0, expected 1'],
    ['a value defined twice', withInstruction(fn, 2, () => ({ id: 0 })), 'value 0 is defined twice'],
    ['an operand of another type', withInstruction(fn, 2, () => ({ a: { kind: 'value', id: 0, type: I64 } })), 'value 0 is i32'],
    ['a constant too wide', withInstruction(fn, 2, () => ({ b: { kind: 'int', type: I32, value: 1n << 32n } })), '4294967296 is no i32'],
    ['a branch to nowhere', withInstruction(fn, 1, () => ({ else: 9 })), 'successors of block 0'],
    ['a missing terminator', { ...fn, blocks: [{ ...fn.blocks[0], instructions: [] }, ...fn.blocks.slice(1)] }, 'block 0 is empty'],
  ])('%s', (_, broken, message) => expect(messages(broken).join('; ')).toContain(message));
});

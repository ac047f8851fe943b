/** Indices and sizes of a launch are calls while LLVM optimises, and registers again behind. */
import { expect, it } from 'vitest';
import { withRegistersAsCalls, withRegistersOfCalls } from '../../simulator/toolchain/special-registers.ts';

const DECLARATION = '; Function Attrs: nounwind\ndeclare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #3\n';
const BODY =
  'define void @k() {\n  %1 = call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !7\n' +
  '  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.clock()\n  ret void\n}\n';

it('an index is a call of which nothing is known, a clock is not', () => {
  const calls = withRegistersAsCalls(`${BODY}${DECLARATION}`);
  expect(calls).toContain('%1 = call i32 @__lanewise.register.tid.x(), !dbg !7');
  expect(calls).toMatch(/^declare i32 @__lanewise\.register\.tid\.x\(\) .*memory\(none\)$/m);
  expect(calls).toContain('@llvm.nvvm.read.ptx.sreg.clock()');
});

it('what LLVM made of it has the register again, declared once', () => {
  const calls = withRegistersAsCalls(`${BODY}${DECLARATION}`);
  for (const made of [calls, calls.replace(DECLARATION, '')]) {
    const again = withRegistersOfCalls(made);
    expect(again).not.toContain('__lanewise.register');
    expect(again).toContain('%1 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !7');
    expect(again.match(/^declare .*sreg\.tid\.x/gm)).toHaveLength(1);
  }
});

it('code without them stays as it is', () => {
  expect(withRegistersAsCalls('define void @f() {\n}\n')).toBe('define void @f() {\n}\n');
  expect(withRegistersOfCalls(DECLARATION)).toBe(DECLARATION);
});

/** Relaxed atomics of LLVM's text are calls while it optimises, and atomics again behind. */
import { describe, expect, it } from 'vitest';
import { withAtomicsAsCalls, withAtomicsOfCalls } from '../../simulator/toolchain/atomic-calls.ts';

const RELAXED = [
  '  %1 = atomicrmw add ptr %p, i32 1 monotonic, align 4, !dbg !7',
  '  %2 = atomicrmw volatile fadd ptr %p, float %v syncscope("device") monotonic, align 4',
  '  %3 = atomicrmw umax ptr addrspace(3) %s, i64 %w monotonic, align 8',
  '  %4 = cmpxchg ptr %p, i32 0, i32 %x monotonic monotonic, align 4',
  '  %5 = cmpxchg weak ptr @g, i64 %a, i64 %b syncscope("block") monotonic monotonic, align 8',
];
const ORDERED = [
  '  %1 = atomicrmw add ptr %p, i32 1 acq_rel, align 4',
  '  %2 = cmpxchg ptr %p, i64 %a, i64 %b acquire monotonic, align 8',
  '  %3 = cmpxchg ptr %p, i64 %a, i64 %b syncscope("block") seq_cst monotonic, align 8',
  '  %4 = cmpxchg ptr %p, i64 %a, i64 %b monotonic acquire, align 8',
];

describe('atomics as calls', () => {
  it.each(RELAXED)('%s', (line) => {
    const calls = withAtomicsAsCalls(`${line}\n`);
    expect(calls).not.toMatch(/= (atomicrmw|cmpxchg)/);
    expect(withAtomicsOfCalls(calls)).toBe(`${line}\n\n`);
  });

  it.each(ORDERED)('not what orders other accesses: %s', (line) => {
    expect(withAtomicsAsCalls(`${line}\n`)).toBe(`${line}\n`);
  });
});

/** Loads of shared memory that NVVM knows to be equal to earlier ones, because to it such addresses have 32 bits. */
import { describe, expect, it } from 'vitest';
import { narrowAddresses } from '../../simulator/ir/narrow-addresses.ts';
import { verifyModule } from '../../simulator/ir/verify.ts';
import { forwardLoads } from '../../simulator/simt/forwarded-loads.ts';
import { allOf, functionNamed, kernel } from '../ir/ir-fixtures.ts';

const DECLARATIONS = `@row = internal addrspace(3) global [256 x i32] undef, align 4
@other = internal addrspace(3) global [256 x i32] undef, align 4
declare void @llvm.nvvm.barrier0()
`;
const ROW = 'addrspacecast (ptr addrspace(3) @row to ptr)';

/** `base[~x]` with `base` one behind `row + n`. */
const FIRST = `  %not = xor i32 %x, -1
  %wide = zext i32 %not to i64
  %n64 = zext i32 %n to i64
  %base = getelementptr i32, ptr ${ROW}, i64 %n64
  %ahead = getelementptr i32, ptr %base, i64 1
  %p = getelementptr i32, ptr %ahead, i64 %wide
  %first = load i32, ptr %p`;
/** `row[n - x]`. */
const SECOND = `  %d = sub i32 %n, %x
  %i = zext i32 %d to i64
  %q = getelementptr i32, ptr ${ROW}, i64 %i
  %second = load i32, ptr %q
  store i32 %second, ptr %out`;

/** How many loads are left of a kernel, and what is stored. */
function loads(body: string): number {
  const module = forwardLoads(narrowAddresses(kernel('ptr %out, i32 %x, i32 %n, i1 %c', body, DECLARATIONS).module));
  expect(verifyModule(module)).toEqual([]);
  return allOf(functionNamed(module, 'f'), 'load').length;
}

const apart = (between: string) => loads(`entry:\n${FIRST}\n${between}\n${SECOND}\n  ret void`);

describe('a load of shared memory at the address of an earlier one', () => {
  it.each([
    ['is that value', '', 1],
    ['also behind a branch', '  br i1 %c, label %then, label %join\nthen:\n  store i32 1, ptr %out\n  br label %join\njoin:', 1],
    ['a store to another array changes nothing', '  store i32 1, ptr addrspacecast (ptr addrspace(3) @other to ptr)', 1],
    ['the next element does not matter', '  %next = getelementptr i32, ptr %q0, i64 1\n  store i32 1, ptr %next', 1],
    ['nor does the one before', '  %next = getelementptr i32, ptr %q0, i64 -1\n  store i32 1, ptr %next', 1],
    ['a store to its bytes does', '  %part = getelementptr i8, ptr %q0, i64 3\n  store i8 1, ptr %part', 2],
    ['a store somewhere in the array does', `  %any = getelementptr i32, ptr ${ROW}, i32 %n\n  store i32 1, ptr %any`, 2],
    ['a barrier does', '  call void @llvm.nvvm.barrier0()', 2],
    ['an atomic in global memory does not', '  %a = atomicrmw add ptr %out, i32 1 monotonic', 1],
    ['one that orders others does', '  %a = atomicrmw add ptr %out, i32 1 acq_rel', 2],
    ['one in the array does', `  %any = getelementptr i32, ptr ${ROW}, i32 %n\n  %a = atomicrmw add ptr %any, i32 1 monotonic`, 2],
  ])('%s', (_, between, expected) => {
    const needed = between.includes('%q0')
      ? `  %d0 = sub i32 %n, %x\n  %i0 = zext i32 %d0 to i64\n  %q0 = getelementptr i32, ptr ${ROW}, i64 %i0\n${between}`
      : between;
    expect(apart(needed)).toBe(expected);
  });

  it('not if only one side of a branch has loaded it', () => {
    const body = `entry:\n  br i1 %c, label %then, label %join\nthen:\n${FIRST}\n  store i32 %first, ptr %out\n  br label %join\njoin:\n${SECOND}\n  ret void`;
    expect(loads(body)).toBe(2);
  });

  it('not in a loop that changes it behind the second one', () => {
    const body = `entry:\n${FIRST}\n  store i32 %first, ptr %out\n  br label %loop\nloop:\n${SECOND}\n  store i32 %x, ptr %q\n  br i1 %c, label %loop, label %end\nend:\n  ret void`;
    expect(loads(body)).toBe(2);
  });

  it('in a loop whose first load comes in every round', () => {
    const body = `entry:\n  br label %loop\nloop:\n${FIRST}\n${SECOND}\n  store i32 %x, ptr %q\n  br i1 %c, label %loop, label %end\nend:\n  ret void`;
    expect(loads(body)).toBe(1);
  });
});

describe('a load of global memory at the address of an earlier one', () => {
  const between = (text: string) => {
    const body = `entry:\n  %a = load i32, ptr %in\n  %w = sext i32 %a to i64\n  %p = getelementptr i32, ptr ${ROW}, i64 %w\n${text}\n  %b = load i32, ptr %in\n  store i32 %b, ptr %out\n  ret void`;
    const forwarded = forwardLoads(kernel('ptr %in, ptr %out, i1 %c', body, DECLARATIONS).module);
    expect(verifyModule(forwarded)).toEqual([]);
    return allOf(functionNamed(forwarded, 'f'), 'load').length;
  };
  const ADD = '  %o = atomicrmw add ptr %p, i32 1 monotonic';

  it.each([
    ['is that value behind an atomic in shared memory', ADD, 1],
    ['and behind a compare-and-swap', '  %o = cmpxchg ptr %p, i32 0, i32 1 monotonic monotonic', 1],
    ['in another block, Clang finds it', `  br i1 %c, label %then, label %join\nthen:\n${ADD}\n  br label %join\njoin:`, 2],
    ['but not behind one in global memory', '  %o = atomicrmw add ptr %out, i32 1 monotonic', 2],
    ['nor behind one that orders others', '  %o = atomicrmw add ptr %p, i32 1 acquire', 2],
    ['nor behind a barrier', `${ADD}\n  call void @llvm.nvvm.barrier0()`, 2],
  ])('%s', (_, text, expected) => {
    expect(between(text)).toBe(expected);
  });
});

describe('a load of inline PTX at the address of an earlier one', () => {
  const LOAD = 'call i32 asm sideeffect "ld.global.nc.u32 $0, [$1];", "=r,l"(ptr %in)';
  const between = (text: string) => {
    const body = `entry:\n  %a = ${LOAD}\n${text}\n  %b = ${LOAD}\n  %s = add i32 %a, %b\n  store i32 %s, ptr %out\n  ret void`;
    const { module } = kernel('ptr %in, ptr %out, i1 %c', body, DECLARATIONS);
    const forwarded = forwardLoads(module);
    expect(verifyModule(forwarded)).toEqual([]);
    return allOf(functionNamed(forwarded, 'f'), 'load').length;
  };

  it.each([
    ['is that value', '', 1],
    ['behind a store somewhere it is loaded again', '  store i32 1, ptr %out', 2],
    ['so it is in another block', '  br i1 %c, label %then, label %join\nthen:\n  br label %join\njoin:', 2],
  ])('%s', (_, text, expected) => {
    expect(between(text)).toBe(expected);
  });
});

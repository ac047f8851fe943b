/** Requests whose lanes form a new pattern each time: both engines agree on values and counts long after the compiled one has given up on remembering patterns. */
import { expect, it } from 'vitest';
import { compare } from './differential.ts';

const WORDS = 1024;
const THREADS = 96;
const ROUNDS = 300;

/** `body` has the random words %a and %b of a lane and a round, defines %v from what it loads, and may use %at to %at3 as it likes. */
function kernel(body: string, guard = 'true'): string {
  return `
@tile = internal addrspace(3) global [4096 x i8] undef, align 16
@table = internal addrspace(4) constant [4 x i32] [i32 3, i32 1, i32 4, i32 1], align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @k(ptr %in, ptr %out, ptr %sums, i32 %s) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %bid, ${THREADS}
  %thread = add i32 %first, %tid
  %seed = mul i32 %thread, 1013904223
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %behind ]
  %x = phi i32 [ %seed, %entry ], [ %b, %behind ]
  %sum = phi i32 [ %s, %entry ], [ %total, %behind ]
  %x1 = mul i32 %x, 1664525
  %x2 = add i32 %x1, 1013904223
  %x3 = lshr i32 %x2, 13
  %a = xor i32 %x2, %x3
  %b1 = mul i32 %a, 22695477
  %b = add i32 %b1, 1
  ${guard === 'true' ? 'br label %work' : `%g1 = lshr i32 %a, 7\n  %g2 = and i32 %g1, 3\n  %g = ${guard} i32 %g2, 0\n  br i1 %g, label %work, label %behind`}
work:
${body}
  br label %behind
behind:
  %w = phi i32 [ %v, %work ]${guard === 'true' ? '' : ', [ 0, %loop ]'}
  %total = add i32 %sum, %w
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, ${ROUNDS}
  br i1 %more, label %loop, label %end
end:
  %to = getelementptr i32, ptr %out, i32 %thread
  store i32 %total, ptr %to, align 4
  ret void
}`;
}

const index = (bits: number, scale: number): string =>
  `  %j = lshr i32 %b, 9\n  %j1 = and i32 %j, ${(1 << bits) - 1}\n  %o = mul i32 %j1, ${scale}\n`;
const global = (pointer: string): string => `  %at = getelementptr i8, ptr ${pointer}, i32 %o\n`;
const shared = '  %at = getelementptr i8, ptr addrspace(3) @tile, i32 %o\n';

const KERNELS: Readonly<Record<string, string>> = {
  words: kernel(`${index(10, 4)}${global('%in')}  %v = load i32, ptr %at, align 4`),
  'words of some lanes': kernel(`${index(10, 4)}${global('%in')}  %v = load i32, ptr %at, align 4`, 'icmp ne'),
  bytes: kernel(`${index(12, 1)}${global('%in')}  %l = load i8, ptr %at, align 1\n  %v = zext i8 %l to i32`),
  'double words': kernel(`${index(9, 8)}${global('%in')}  %l = load i64, ptr %at, align 8\n  %v = trunc i64 %l to i32`),
  'words that need no alignment': kernel(`${index(11, 2)}${global('%in')}  %v = load i32, ptr %at, align 1`.replace('2047', '2045')),
  'pairs that the hardware moves at once': kernel(
    `${index(9, 8)}${global('%in')}  %l = load i32, ptr %at, align 8\n  %at2 = getelementptr i8, ptr %at, i32 4\n  %m = load i32, ptr %at2, align 4\n  %v = add i32 %l, %m`,
  ),
  'stores to words': kernel(`${index(9, 4)}${global('%sums')}  store i32 %a, ptr %at, align 4\n  %v = add i32 %a, 0`),
  'words of shared memory': kernel(
    `${index(10, 4)}${shared}  %v = load i32, ptr addrspace(3) %at, align 4\n  store i32 %a, ptr addrspace(3) %at, align 4`,
    'icmp ult',
  ).replace('icmp ult i32 %g2, 0', 'icmp ult i32 %g2, 3'),
  'bytes of shared memory': kernel(
    `${index(12, 1)}${shared}  %l = load i8, ptr addrspace(3) %at, align 1\n  %v = zext i8 %l to i32\n  %t = trunc i32 %a to i8\n  store i8 %t, ptr addrspace(3) %at, align 1`,
  ),
  'double words of shared memory': kernel(
    `${index(9, 8)}${shared}  %l = load i64, ptr addrspace(3) %at, align 8\n  %v = trunc i64 %l to i32`,
  ),
  'double words of shared memory, stored by some lanes': kernel(
    `${index(9, 8)}${shared}  %l = zext i32 %a to i64\n  store i64 %l, ptr addrspace(3) %at, align 8\n  %v = add i32 %a, 0`,
    'icmp ne',
  ),
  'four words of shared memory': kernel(
    `${index(8, 16)}${shared}  %l = load <4 x i32>, ptr addrspace(3) %at, align 16\n  %v = extractelement <4 x i32> %l, i32 2`,
    'icmp ne',
  ),
  'two and four words of shared memory, by lanes in pairs': kernel(
    `  %pair = lshr i32 %tid, 1\n  %r = lshr i32 %tid, 2\n  %j1 = mul i32 %i, 40503\n  %j2 = mul i32 %pair, 30011\n  %j3 = mul i32 %r, 2749\n  %j4 = xor i32 %j1, %j2\n  %j5 = xor i32 %j1, %j3\n  %j6 = and i32 %j4, 255\n  %j7 = and i32 %j5, 255\n  %o = mul i32 %j6, 16\n  %o2 = mul i32 %j7, 8\n${shared}  %at2 = getelementptr i8, ptr addrspace(3) @tile, i32 %o2\n  %l = load <4 x i32>, ptr addrspace(3) %at, align 16\n  %m = load i64, ptr addrspace(3) %at2, align 8\n  %v1 = extractelement <4 x i32> %l, i32 2\n  %v2 = trunc i64 %m to i32\n  %v = add i32 %v1, %v2`,
  ),
  'bytes of a small table': kernel(`${index(6, 1)}${global('%sums')}  %l = load i8, ptr %at, align 1\n  %v = zext i8 %l to i32`, 'icmp ne'),
  'a large array of each lane': kernel(
    `${index(9, 4)}  %at = getelementptr i8, ptr %own, i32 %o\n  store i32 %a, ptr %at, align 4\n  %v = add i32 %a, 1`,
    'icmp ne',
  ).replace('entry:', 'entry:\n  %own = alloca [512 x i32], align 16\n  store i64 5, ptr %own, align 8'),
  'constant memory': kernel(
    `${index(2, 4)}  %at = getelementptr i8, ptr addrspace(4) @table, i32 %o\n  %v = load i32, ptr addrspace(4) %at, align 4`,
  ),
  'an array of each lane': kernel(
    `${index(4, 4)}  %at = getelementptr i8, ptr %own, i32 %o\n  %old = load i32, ptr %at, align 4\n  store i32 %a, ptr %at, align 4\n  %v = add i32 %old, 1`,
    'icmp ult',
  )
    .replace('entry:', 'entry:\n  %own = alloca [16 x i32], align 16\n  call void @llvm.memset.p0.i32(ptr %own, i8 0, i32 64, i1 false)')
    .replace('define ptx', 'declare void @llvm.memset.p0.i32(ptr, i8, i32, i1)\ndefine ptx')
    .replace('%g2, 0', '%g2, 3'),
  'double words of an array of each lane': kernel(
    `${index(3, 8)}  %at = getelementptr i8, ptr %own, i32 %o\n  %l = load i64, ptr %at, align 8\n  %wide = zext i32 %a to i64\n  store i64 %wide, ptr %at, align 8\n  %v = trunc i64 %l to i32`,
  ).replace('entry:', 'entry:\n  %own = alloca [16 x i32], align 16\n  store i64 5, ptr %own, align 8'),
  'a byte behind an array of each lane, once': kernel(
    `${index(4, 4)}  %late = icmp eq i32 %i, ${ROUNDS - 7}\n  %far = select i1 %late, i32 65536, i32 %o\n  %at = getelementptr i8, ptr %own, i32 %far\n  %l = load i8, ptr %at, align 1\n  %v = zext i8 %l to i32`,
  ).replace('entry:', 'entry:\n  %own = alloca [16 x i32], align 16\n  store i64 5, ptr %own, align 8'),
  'one of two arrays': kernel(
    `${index(9, 4)}  %p = trunc i32 %a to i1\n  %q = select i1 %p, ptr %in, ptr %sums\n${global('%q')}  %v = load i32, ptr %at, align 4`,
  ),
  'words behind the end, once': kernel(
    `${index(10, 4)}  %late = icmp eq i32 %i, ${ROUNDS - 7}\n  %far = select i1 %late, i32 65536, i32 %o\n  %at = getelementptr i8, ptr %in, i32 %far\n  %v = load i32, ptr %at, align 4`,
  ),
};

it.each(Object.entries(KERNELS))('%s', (_, ir) => {
  const random = { ir, threads: THREADS, blocks: 2, cooperative: false, words: { in: WORDS, out: 2 * THREADS, sums: 512 } };
  const { differences, interpreted } = compare(random, 1, { workers: 0 });
  expect({ differences, interpreted }).toEqual({ differences: [], interpreted: undefined });
});

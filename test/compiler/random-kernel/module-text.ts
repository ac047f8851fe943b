/** What is the same in all random kernels: declarations, two functions that they call, and how they begin. */

export const HEADER = `target triple = "nvptx64-nvidia-cuda"
@shared = internal addrspace(3) global [128 x i32] undef, align 4
@bins = internal addrspace(3) global [96 x i32] undef, align 8
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @__lanewise_grid_sync()
declare i32 @llvm.nvvm.read.ptx.sreg.clock()
declare i64 @llvm.nvvm.read.ptx.sreg.clock64()
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
declare i1 @llvm.nvvm.vote.uni.sync(i32, i1)
declare i32 @llvm.nvvm.activemask()
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
declare i32 @llvm.nvvm.match.any.sync.i64(i32, i64)
declare ptr @malloc(i64)
declare void @free(ptr)
${['up', 'down', 'bfly', 'idx'].map((mode) => `declare i32 @llvm.nvvm.shfl.sync.${mode}.i32(i32, i32, i32, i32)`).join('\n')}
${['minnum', 'maxnum'].flatMap((name) => ['float @llvm.NAME.f32(float, float)', 'double @llvm.NAME.f64(double, double)'].map((d) => `declare ${d.replace('NAME', name)}`)).join('\n')}
${['smin', 'smax', 'umin', 'umax'].flatMap((name) => ['i32', 'i64'].map((t) => `declare ${t} @llvm.${name}.${t}(${t}, ${t})`)).join('\n')}
${['ctpop', 'ctlz', 'cttz', 'abs'].flatMap((name) => ['i32', 'i64'].map((t) => `declare ${t} @llvm.${name}.${t}(${t}${name === 'ctpop' ? '' : ', i1'})`)).join('\n')}
${['fabs', 'sqrt', 'floor', 'trunc'].flatMap((name) => ['float @llvm.NAME.f32(float)', 'double @llvm.NAME.f64(double)'].map((d) => `declare ${d.replace('NAME', name)}`)).join('\n')}
`;

/** Functions that part lanes and let them return one by one: `ways` by its operands, `most` by a loop until a word is at least as large. */
export const FUNCTIONS = `
define internal i32 @ways(i32 %a, i32 %b, ptr %word) noinline {
entry:
  %odd = and i32 %a, 1
  %isOdd = icmp ne i32 %odd, 0
  br i1 %isOdd, label %early, label %work
early:
  %x = mul i32 %b, 7
  ret i32 %x
work:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %s = phi i32 [ %b, %entry ], [ %s1, %next ]
  %t = and i32 %s, 3
  %quit = icmp eq i32 %t, 3
  br i1 %quit, label %leave, label %next
next:
  %s1 = add i32 %s, %k
  %k1 = add i32 %k, 1
  %more = icmp ult i32 %k1, 5
  br i1 %more, label %work, label %done
leave:
  %old = atomicrmw add ptr %word, i32 1 monotonic
  ret i32 %old
done:
  ret i32 %s1
}
define internal i32 @most(i32 %a, i32 %b, ptr %word) noinline {
entry:
  %start = load volatile i32, ptr %word, align 4
  %wanted = xor i32 %a, %b
  br label %check
check:
  %seen = phi i32 [ %start, %entry ], [ %now, %swap ]
  %enough = icmp sge i32 %seen, %wanted
  br i1 %enough, label %out, label %swap
swap:
  %pair = cmpxchg ptr %word, i32 %seen, i32 %wanted monotonic monotonic
  %now = extractvalue { i32, i1 } %pair, 0
  %mine = extractvalue { i32, i1 } %pair, 1
  br i1 %mine, label %out, label %check
out:
  %result = phi i32 [ %seen, %check ], [ %now, %swap ]
  ret i32 %result
}
`;

export const PROLOGUE = `define ptx_kernel void @k(ptr %in, ptr %out, ptr %sums, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %threads = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %bid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %bid, %threads
  %gid = add i32 %first, %tid
  %start = getelementptr i32, ptr %in, i32 %tid
  %word = load i32, ptr %start, align 4
`;

/** Random kernels in which threads share a few words, with barriers, fences and atomics here and there: some are racy, some are not. */

/** Numbers that look random and are the same for a seed. */
function generator(seed: number): (below: number) => number {
  let state = (seed * 0x9e3779b1) >>> 0;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

export interface RandomOrders {
  readonly ir: string;
  readonly blocks: number;
  readonly threads: number;
  readonly words: number;
}

const HEAD = `
@tile = internal addrspace(3) global [64 x i32] undef, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.membar.gl()
declare void @llvm.nvvm.membar.cta()
declare void @llvm.nvvm.bar.warp.sync(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
`;

interface Shape {
  /** Of blocks, in threads; those of three warps and more have barriers of two warps. */
  readonly sizes?: readonly number[];
  /** How often the threads do it all. */
  readonly rounds?: number;
  /** Some fences and atomics are for threads of a block alone, and there are more of both. */
  readonly isScoped?: boolean;
}

export function randomOrders(seed: number, { sizes = [32, 64], rounds = 1, isScoped = false }: Shape = {}): RandomOrders {
  const below = generator(seed + 1);
  const threads = sizes[below(sizes.length)];
  const blocks = 1 + below(3);
  const lines: string[] = [];
  let values = 0;
  const fresh = (text: string): string => {
    const name = `%v${values++}`;
    lines.push(`  ${name} = ${text}`);
    return name;
  };
  const wrapped = (index: string): string => fresh(`and i32 ${index}, 63`);
  /** Mostly a word of the thread's own, or a neighbour's. */
  const index = (): string => {
    const from = below(5) === 0 ? '%global' : '%tid';
    const kind = below(6);
    if (kind < 3) return wrapped(from);
    if (kind === 3) return wrapped(fresh(`xor i32 ${from}, ${1 << below(6)}`));
    if (kind === 4) return wrapped(fresh(`lshr i32 ${from}, ${1 + below(3)}`));
    return String(below(4));
  };
  const pointer = (): string =>
    below(2) === 0
      ? fresh(`getelementptr i32, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i32 ${index()}`)
      : fresh(`getelementptr i32, ptr %out, i32 ${index()}`);
  const access = (): void => {
    const at = pointer();
    const kind = below(8);
    if (kind < 4) lines.push(`  store i32 ${fresh(`add i32 %global, ${values}`)}, ptr ${at}, align 4`);
    else if (kind < 7) lines.push(`  store i32 ${fresh(`load i32, ptr ${at}, align 4`)}, ptr %own, align 4`);
    else fresh(`atomicrmw add ptr ${at}, i32 1 monotonic`);
  };
  const fence = (): void => {
    lines.push(`  call void @llvm.nvvm.membar.${isScoped && below(2) === 0 ? 'cta' : 'gl'}()`);
  };
  const publication = (): void => {
    fence();
    if (isScoped && below(4) === 0) fence();
    const scope = isScoped && below(3) === 0 ? 'syncscope("block") ' : '';
    fresh(`atomicrmw add ptr ${fresh('getelementptr i32, ptr %out, i32 70')}, i32 1 ${scope}monotonic`);
    if (below(2) === 0) fence();
  };
  const guarded = (label: number, body: () => void): void => {
    const condition =
      below(2) === 0 ? fresh(`icmp ult i32 %tid, ${1 + below(threads)}`) : fresh(`icmp eq i32 ${fresh(`and i32 %tid, ${below(32)}`)}, 0`);
    lines.push(`  br i1 ${condition}, label %then${label}, label %end${label}`, `then${label}:`);
    body();
    lines.push(`  br label %end${label}`, `end${label}:`);
  };
  const ofTwoWarps = (label: number): void => {
    const [condition, barrier] = below(2) === 0 ? [fresh('icmp ult i32 %tid, 64'), 1] : [fresh('icmp uge i32 %tid, 32'), 2];
    const count = barrier === 1 ? 64 : threads - 32;
    lines.push(`  br i1 ${condition}, label %then${label}, label %end${label}`, `then${label}:`);
    lines.push(
      `  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 ${barrier}, i32 ${count})`,
      `  br label %end${label}`,
      `end${label}:`,
    );
  };
  const statements = 4 + below(8);
  for (let label = 0; label < statements; label++) {
    const kind = below(isScoped ? 13 : 10);
    if (kind < 4) access();
    else if (kind < 6) guarded(label, access);
    else if (kind < 8 && threads >= 96 && below(3) > 0) ofTwoWarps(label);
    else if (kind < 8) lines.push('  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)');
    else if (kind === 8) lines.push('  call void @llvm.nvvm.bar.warp.sync(i32 -1)');
    else if (below(2) === 0) guarded(label, publication);
    else publication();
  }
  return { ir: kernelText(lines, threads, rounds), blocks, threads, words: 71 };
}

function kernelText(lines: readonly string[], threads: number, rounds: number): string {
  return `${HEAD}define ptx_kernel void @k(ptr %out) {
entry:
  %own = alloca i32, align 4
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %block, ${threads}
  %global = add i32 %first, %tid
${rounds === 1 ? lines.join('\n') : repeated(lines, rounds)}
  ret void
}`;
}

function repeated(lines: readonly string[], rounds: number): string {
  return `  br label %round
round:
  %r = phi i32 [ 0, %entry ], [ %next, %latch ]
${lines.join('\n')}
  br label %latch
latch:
  %next = add i32 %r, 1
  %again = icmp ult i32 %next, ${rounds}
  br i1 %again, label %round, label %leave
leave:`;
}

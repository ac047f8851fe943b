import { describe, expect, test } from 'vitest';
import type { Opcode } from '../../simulator/ir/types.ts';
import { functionFacts } from '../../simulator/simt/analyze.ts';
import { allOf, fixtureModule, functionNamed, instructionsOf, kernel } from '../ir/ir-fixtures.ts';

const TID = '  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n';
const SHARED =
  '@s = internal addrspace(3) global [64 x i32] undef, align 4\n@other = internal addrspace(3) global [64 x i32] undef, align 4\n';

describe('uniformity', () => {
  /** Names and verdicts of the values that the body names in a trailing comment, in order: `%x = ... ; x`. */
  function varying(parameters: string, body: string): string[] {
    const { module, fn } = kernel(parameters, body);
    const { uniformity } = functionFacts(fn, module);
    const ids = instructionsOf(fn).filter((i) => i.id >= 0);
    const names = [...body.matchAll(/^\s*%(\w+) =/gm)].map((m) => m[1]);
    return names.filter((_, n) => !uniformity.isUniform({ kind: 'value', id: ids[n].id, type: ids[n].type }));
  }

  test('spreads from thread indices along operands', () => {
    const body = `${TID}  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %x = mul i32 %b, %n
  %y = add i32 %x, %t
  %z = icmp slt i32 %x, %n
  ret void`;
    expect(varying('i32 %n', body)).toEqual(['t', 'y']);
  });

  test('a load is as uniform as its address, except from local memory', () => {
    const body = `${TID}  %a = alloca i32
  %u = load i32, ptr %p
  %q = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %q
  %w = load i32, ptr %a
  ret void`;
    expect(varying('ptr %p', body)).toEqual(['t', 'q', 'v', 'w']);
  });

  test('atomics and shuffles vary, votes do not', () => {
    const body = `  %a = atomicrmw add ptr %p, i32 1 monotonic
  %s = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %n, i32 0, i32 31)
  %v = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 true)
  ret void`;
    expect(varying('ptr %p, i32 %n', body)).toEqual(['a', 's']);
  });

  test('a phi varies where split lanes meet', () => {
    const body = `entry:
${TID}  %c = icmp slt i32 %t, 16
  br i1 %c, label %then, label %join
then:
  br label %join
join:
  %x = phi i32 [ 1, %then ], [ 2, %entry ]
  %same = phi i32 [ 3, %then ], [ 3, %entry ]
  %u = icmp slt i32 %n, 5
  br i1 %u, label %more, label %end
more:
  br label %end
end:
  %y = phi i32 [ 1, %more ], [ 2, %join ]
  ret void`;
    expect(varying('i32 %n', body)).toEqual(['t', 'c', 'x']);
  });

  test('a counter varies behind the loop that lanes leave one by one, and stays uniform where they leave together', () => {
    const loop = (bound: string) => `entry:
${TID}  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %k, 1
  %c = icmp slt i32 %next, ${bound}
  br i1 %c, label %loop, label %end
end:
  %use = add i32 %next, 1
  ret void`;
    expect(varying('i32 %n', loop('%n'))).toEqual(['t']);
    // %k follows from %next, which lanes keep from different rounds.
    expect(varying('i32 %n', loop('%t'))).toEqual(['t', 'k', 'next', 'c', 'use']);
  });

  test('branches that can split', () => {
    const { module, fn } = kernel(
      'i32 %n',
      `entry:
${TID}  %c = icmp slt i32 %n, 16
  br i1 %c, label %a, label %b
a:
  %d = icmp slt i32 %t, 16
  br i1 %d, label %b, label %e
b:
  ret void
e:
  unreachable`,
    );
    const { uniformity } = functionFacts(fn, module);
    expect(fn.blocks.map((b) => uniformity.canSplit(b.index))).toEqual([false, true, false, false]);
  });
});

describe('narrowed loads', () => {
  /** Bytes and distance from the load's address that the hardware reads; undefined for all of it. */
  function narrowed(rest: string, type = 'i32'): [number, number] | undefined {
    const { module, fn } = kernel('ptr %p, ptr %q', `  %v = load ${type}, ptr %p\n${rest}`);
    const [load] = instructionsOf(fn);
    const access = functionFacts(fn, module).merged.get(load.site);
    return access && [access.bytes, 0 - access.leaderOffset];
  }
  const end = '  store i32 %x, ptr %q\n  ret void';

  test('a mask or shift that leaves whole bytes', () => {
    expect(narrowed(`  %x = and i32 %v, 255\n${end}`)).toEqual([1, 0]);
    expect(narrowed(`  %x = and i32 %v, 65535\n${end}`)).toEqual([2, 0]);
    expect(narrowed(`  %x = lshr i32 %v, 24\n${end}`)).toEqual([1, 3]);
    expect(narrowed(`  %y = lshr i32 %v, 8\n  %x = and i32 %y, 255\n${end}`)).toEqual([1, 1]);
  });

  test('any other mask, a second use: all of it', () => {
    expect(narrowed(`  %x = and i32 %v, 15\n${end}`)).toBeUndefined();
    expect(narrowed(`  %x = lshr i32 %v, 4\n${end}`)).toBeUndefined();
    expect(narrowed(`  %y = lshr i32 %v, 8\n  %x = and i32 %y, 65535\n${end}`)).toBeUndefined();
    expect(narrowed(`  %y = and i32 %v, 255\n  %x = add i32 %v, %y\n${end}`)).toBeUndefined();
  });

  test('a switch over a few bits reads 16', () => {
    const body = (mask: number) => `  %x = and i32 %v, ${mask}
  switch i32 %x, label %end [ i32 1, label %one ]
one:
  store i32 1, ptr %q
  br label %end
end:
  ret void`;
    expect(narrowed(body(3))).toEqual([2, 0]);
    expect(narrowed(body(255))).toEqual([1, 0]);
    expect(narrowed(body(0x1ffff))).toBeUndefined();
  });
});

describe('access merging', () => {
  /** Merged accesses as "leader op, bytes, offsets of the members", once each. */
  function merged(parameters: string, body: string): string[] {
    const { module, fn } = kernel(parameters, body, SHARED);
    const all = instructionsOf(fn);
    const { merged } = functionFacts(fn, module);
    return [...new Set(merged.values())].map(
      (g) => `${all[g.leader].op} ${g.bytes} @${g.leaderOffset} [${g.members.map((m) => m.offset)}]`,
    );
  }
  /** Loads of words at these byte offsets behind @s + 4 * scale * t. */
  const loads = (offsets: number[], scale = 4, between = '') =>
    `${TID}  %i = mul i32 %t, ${scale}\n${offsets
      .map(
        (o, n) =>
          `  %p${n} = getelementptr i32, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @s, i32 ${o}), i32 %i\n  %v${n} = load i32, ptr addrspace(3) %p${n}, align 4\n`,
      )
      .join(between)}  ret void`;

  test('a row of shared memory is one access', () => {
    expect(merged('', loads([0, 4, 8, 12]))).toEqual(['load 16 @0 [0,4,8,12]']);
    expect(merged('', loads([8, 4, 12, 0]))).toEqual(['load 16 @8 [0,4,8,12]']);
  });

  test('what is not aligned to the whole is split', () => {
    expect(merged('', loads([4, 8, 12, 16]))).toEqual(['load 8 @0 [0,4]']);
    expect(merged('', loads([0, 4, 8, 12], 2))).toEqual(['load 8 @0 [0,4]', 'load 8 @0 [0,4]']);
    expect(merged('', loads([0, 4, 8, 12], 1))).toEqual([]);
    expect(merged('', loads([0, 8]))).toEqual([]);
  });

  test('terms that are added one by one are aligned each for itself', () => {
    /** At @s + 4 * t - 68 * t, which is a multiple of 64. */
    const body = `${TID}  %row = mul i32 %t, -17
  %r = getelementptr i32, ptr addrspace(3) @s, i32 %row
  %p0 = getelementptr i32, ptr addrspace(3) %r, i32 %t
  %v0 = load i32, ptr addrspace(3) %p0, align 4
  %p1 = getelementptr i8, ptr addrspace(3) %p0, i32 4
  %v1 = load i32, ptr addrspace(3) %p1, align 4
  ret void`;
    expect(merged('', body)).toEqual([]);
  });

  test('the last of a group of lanes, `i | 3` to Clang, is the first and three', () => {
    /** s[t & mask], s[(t & mask) + 1], s[t | 3]: nvcc has one LDS.128 for all four. */
    const body = (index: string, mask: number) => `${TID}  %x = ${index}
  %group = and i32 %x, ${mask}
  %last = or i32 %x, 3
  %p0 = getelementptr i32, ptr addrspace(3) @s, i32 %group
  %v0 = load i32, ptr addrspace(3) %p0, align 4
  %p1 = getelementptr i8, ptr addrspace(3) %p0, i32 4
  %v1 = load i32, ptr addrspace(3) %p1, align 4
  %p2 = getelementptr i8, ptr addrspace(3) %p0, i32 8
  %v2 = load i32, ptr addrspace(3) %p2, align 4
  %p3 = getelementptr i32, ptr addrspace(3) @s, i32 %last
  %v3 = load i32, ptr addrspace(3) %p3, align 4
  ret void`;
    expect(merged('', body('add i32 %t, 0', -4))).toEqual(['load 16 @0 [0,4,8,12]']);
    // Ten bits are all that a thread's index has, and not all that twice of it has.
    expect(merged('', body('and i32 %t, 1023', 1020))).toEqual(['load 16 @0 [0,4,8,12]']);
    expect(merged('', body('mul i32 %t, 2', 1020))).toEqual(['load 16 @0 [0,4,8]']);
  });

  test('a pointer from the host is aligned to its element', () => {
    const body = (align: number) => `  %a = load float, ptr %p, align ${align}
  %q = getelementptr i8, ptr %p, i32 4
  %b = load float, ptr %q, align 4
  ret void`;
    expect(merged('ptr %p', body(4))).toEqual([]);
    expect(merged('ptr %p', body(8))).toEqual(['load 8 @0 [0,4]']);
  });

  test('loads of a vector are one access if three of its four registers, or both of two, are used', () => {
    const widths = { float: 4, half: 2, i8: 1 };
    /** Loads of these elements, all at one place of the source or each at its own, as bytes of the accesses of the hardware. */
    const accesses = (type: keyof typeof widths, vectorBytes: number, elements: number[], places: 'one' | 'own' = 'own') => {
      const body = elements.map((element, n) => {
        const offset = element * widths[type];
        const align = Math.min(vectorBytes, offset === 0 ? vectorBytes : offset & -offset);
        const gep = `  %q${n} = getelementptr i8, ptr %p, i32 ${offset}\n`;
        return `${gep}  %v${n} = load ${type}, ptr %q${n}, align ${align}, !dbg !${places === 'one' ? 1 : 1 + n}\n`;
      });
      const metadata = [1, 2, 3, 4].map((n) => `!${n} = !DILocation(line: 1, column: ${n}, scope: !9)`).join('\n');
      const { module, fn } = kernel('ptr %p', `${body.join('')}  ret void`, `\n${metadata}`);
      const groups = new Set(functionFacts(fn, module).merged.values());
      const alone = elements.length - [...groups].reduce((sum, { members }) => sum + members.length, 0);
      return [...[...groups].map(({ bytes }) => bytes), ...Array.from({ length: alone }, () => widths[type])];
    };
    // What LDG had for each of them (nvcc 13.0 -arch=sm_90).
    expect(accesses('float', 16, [0, 1, 2])).toEqual([16]);
    expect(accesses('float', 16, [2, 0, 1])).toEqual([16]);
    expect(accesses('float', 16, [0, 1, 3])).toEqual([16]);
    expect(accesses('float', 16, [0, 2, 3])).toEqual([16]);
    expect(accesses('float', 16, [1, 2, 3])).toEqual([8, 4]);
    expect(accesses('float', 16, [0, 2])).toEqual([4, 4]);
    expect(accesses('float', 16, [0, 3], 'one')).toEqual([4, 4]);
    expect(accesses('float', 8, [0, 1, 2])).toEqual([8, 4]);
    expect(accesses('half', 8, [0, 2])).toEqual([8]);
    expect(accesses('half', 8, [0, 3])).toEqual([8]);
    expect(accesses('half', 8, [1, 2])).toEqual([2, 2]);
    expect(accesses('i8', 4, [0, 2])).toEqual([4]);
    expect(accesses('i8', 4, [0, 3])).toEqual([4]);
    expect(accesses('i8', 4, [1, 3])).toEqual([1, 1]);
  });

  test('other elements of vectors may be stored between loads, and loaded between stores, of the same one or another', () => {
    const body = (from: string) => `  %p4 = getelementptr i8, ptr %p, i32 4
  %q4 = getelementptr i8, ptr ${from}, i32 4
  %a = load float, ptr ${from}, align 8
  store float %a, ptr %p, align 8
  %b = load float, ptr %q4, align 4
  store float %b, ptr %p4, align 4
  ret void`;
    for (const from of ['%p', '%q']) expect(merged('ptr %p, ptr %q', body(from))).toEqual(['load 8 @0 [0,4]', 'store 8 @4 [0,4]']);
    expect(merged('ptr %p, ptr %q', body('%q').replace('store float %a, ptr %p, align 8', 'store float %a, ptr %p, align 4'))).toEqual([]);
  });

  test('a copy of a whole vector is one access, however many elements it has', () => {
    const stores = (align: number, places: (element: number) => number) =>
      Array.from({ length: 8 }, (_, element) => {
        const address = element === 0 ? '%p' : `%q${element}`;
        const gep = element === 0 ? '' : `  ${address} = getelementptr i8, ptr %p, i32 ${2 * element}\n`;
        return `${gep}  store half 1.0, ptr ${address}, align ${element === 0 ? align : 2}, !dbg !${places(element)}\n`;
      }).join('');
    const metadata = '\n!1 = !DILocation(line: 1, column: 1, scope: !3)\n!2 = !DILocation(line: 1, column: 9, scope: !3)';
    const groups = (body: string) => {
      const { module, fn } = kernel('ptr %p', `${body}  ret void`, metadata);
      return [...new Set(functionFacts(fn, module).merged.values())].map((g) => [g.bytes, g.members.length]);
    };
    expect(groups(stores(16, () => 1))).toEqual([[16, 8]]);
    // Narrow elements that the program stores one by one fill two registers at most.
    expect(groups(stores(16, (element) => 1 + (element & 1)))).toEqual([
      [8, 4],
      [8, 4],
    ]);
    expect(groups(stores(2, () => 1))).toEqual([]);
  });

  test('bytes of a shared array are merged by how it is declared, wherever ptxas places it', () => {
    const bytes = (align: number) => {
      const array = `@b = internal addrspace(3) global [256 x i8] undef, align ${align}`;
      const parts = [0, 1, 2, 3].map(
        (o) =>
          `  %p${o} = getelementptr i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @b, i32 ${o}), i32 %i\n  %v${o} = load i8, ptr addrspace(3) %p${o}, align 1\n`,
      );
      const { module, fn } = kernel('', `${TID}  %i = shl i32 %t, 2\n${parts.join('')}  ret void`, array);
      return [...new Set(functionFacts(fn, module).merged.values())].map((g) => [g.bytes, g.members.length]);
    };
    expect(bytes(1)).toEqual([]);
    expect(bytes(4)).toEqual([[4, 4]]);
  });

  test('stores are executed at the last', () => {
    const body = `${TID}  %i = shl i32 %t, 1
  %j = or disjoint i32 %i, 1
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %i
  store i32 1, ptr addrspace(3) %p, align 4
  %q = getelementptr i32, ptr addrspace(3) @s, i32 %j
  store i32 2, ptr addrspace(3) %q, align 4
  ret void`;
    expect(merged('', body)).toEqual(['store 8 @4 [0,4]']);
  });

  test.each<[string, string, boolean]>([
    ['a barrier', '  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n', false],
    ['a fence', '  fence seq_cst\n', false],
    ['a call', '  call void @cudaGetLastError()\n', false],
    ['an atomic', '  atomicrmw add ptr addrspace(3) @other, i32 1 monotonic\n', false],
    ['a store to the same array', '  store i32 1, ptr addrspace(3) %x, align 4\n', false],
    ['a store to another array', '  store i32 1, ptr addrspace(3) @other, align 4\n', false],
    ['a store to global memory', '  store i32 1, ptr %g, align 4\n', true],
    ['a load', '  %l = load i32, ptr addrspace(3) %x, align 4\n', true],
    ['an atomic load that orders nothing', '  %l = load atomic i32, ptr addrspace(3) @other monotonic, align 4\n', true],
    ['a load that acquires', '  %l = load atomic i32, ptr addrspace(3) @other acquire, align 4\n', false],
    ['a store that releases', '  store atomic i32 1, ptr addrspace(3) @other release, align 4\n', false],
    ['a membar', '  call void @llvm.nvvm.membar.cta()\n', false],
    ['arithmetic', '  %m = call i32 @llvm.ctpop.i32(i32 %t)\n', true],
  ])('between two loads stands %s', (_, between, allowed) => {
    const body = `  %x = getelementptr i32, ptr addrspace(3) @s, i32 %n\n${loads([0, 4], 2, between)}`;
    expect(merged('ptr %g, i32 %n', body).length).toBe(allowed ? 1 : 0);
  });

  test('a load between two stores of the same array keeps them apart', () => {
    const body = (pointer: string) => `  %q = getelementptr i32, ptr addrspace(3) @s, i32 %n
  store i32 1, ptr addrspace(3) @s, align 4
  %l = load i32, ptr addrspace(3) ${pointer}, align 4
  store i32 2, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @s, i32 4), align 4
  ret void`;
    expect(merged('i32 %n', body('%q'))).toEqual([]);
    expect(merged('i32 %n', body('@other'))).toEqual([]);
    expect(merged('i32 %n', body('getelementptr (i8, ptr addrspace(3) @s, i32 64)'))).toEqual([]);
  });

  test('what is declared with the alignment of all of it is merged past other accesses to shared memory', () => {
    const body = `  store i32 1, ptr addrspace(3) @s, align 8
  %l = load i32, ptr addrspace(3) @other, align 4
  store i32 2, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @s, i32 4), align 4
  ret void`;
    expect(merged('', body)).toEqual(['store 8 @4 [0,4]']);
  });

  test('volatile and atomic accesses stay alone', () => {
    for (const word of ['volatile', 'atomic']) {
      const order = word === 'atomic' ? 'monotonic, ' : ', ';
      const body = `  %a = load ${word} i32, ptr %p ${order.replace(/^, /, ', ')}align 16
  %q = getelementptr i8, ptr %p, i32 4
  %b = load ${word} i32, ptr %q ${order}align 4
  ret void`.replaceAll(' , ', ', ');
      expect(merged('ptr %p', body)).toEqual([]);
    }
  });

  test('an induction variable of four words keeps its alignment', () => {
    const body = `entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %k
  %a = load i32, ptr addrspace(3) %p, align 4
  %q = getelementptr i8, ptr addrspace(3) %p, i32 4
  %b = load i32, ptr addrspace(3) %q, align 4
  %next = add i32 %k, STEP
  %c = icmp slt i32 %next, 64
  br i1 %c, label %loop, label %end
end:
  ret void`;
    expect(merged('', body.replace('STEP', '4'))).toEqual(['load 8 @0 [0,4]']);
    expect(merged('', body.replace('STEP', '3'))).toEqual([]);
  });

  test('in compiled code', () => {
    const module = fixtureModule('kernels.ll');
    const fn = functionNamed(module, 'tile');
    const groups = new Set(functionFacts(fn, module).merged.values());
    expect([...groups].map((g) => g.bytes)).toEqual([16, 16]);
  });
});

describe('atomic aggregation', () => {
  const cases: [string, string, string | undefined][] = [
    ['a constant', 'atomicrmw add ptr %p, i32 1 monotonic', 'always'],
    ['a varying value', 'atomicrmw sub ptr %p, i32 %t monotonic', 'always'],
    ['a maximum', 'atomicrmw umax ptr %p, i32 %t monotonic', 'always'],
    ['bits', 'atomicrmw xor ptr %p, i32 %t monotonic', 'always'],
    ['an exchange', 'atomicrmw xchg ptr %p, i32 %t monotonic', undefined],
    ['a wrapping increment', 'atomicrmw uinc_wrap ptr %p, i32 9 monotonic', undefined],
    ['a float', 'atomicrmw fadd ptr %p, float 1.0 monotonic', undefined],
    ['64 bits of a uniform value', 'atomicrmw add ptr %p, i64 1 monotonic', 'always'],
    ['64 bits of a varying value', 'atomicrmw add ptr %p, i64 %w monotonic', undefined],
    ['a varying address', 'atomicrmw add ptr %q, i32 1 monotonic', undefined],
  ];
  const prologue = `${TID}  %w = zext i32 %t to i64\n  %q = getelementptr i32, ptr %p, i32 %t\n`;
  const aggregation = (body: string) => {
    const { module, fn } = kernel('ptr %p', `${prologue}${body}\n  ret void`);
    return functionFacts(fn, module).aggregated.get(allOf(fn, 'atomicrmw')[0].site);
  };

  test.each(cases)('%s', (_, text, expected) => expect(aggregation(`  %r = ${text}`)).toBe(expected));

  test('with the result used', () => {
    const used = (value: string, op = 'add') =>
      aggregation(`  %r = atomicrmw ${op} ptr %p, i32 ${value} monotonic\n  store i32 %r, ptr %q`);
    expect(used('1')).toBe('always');
    expect(used('%t')).toBe('full-warp');
    expect(used('%t', 'max')).toBeUndefined();
  });
});

describe('predication', () => {
  /** For each conditional branch: true if it is predicated. */
  function predicated(body: string, parameters = 'i32 %n, ptr %p'): boolean[] {
    const { module, fn } = kernel(parameters, body, SHARED);
    const facts = functionFacts(fn, module);
    return branches(fn, 'condbr').map((site) => facts.predicated.has(site));
  }
  const branches = (fn: Parameters<typeof instructionsOf>[0], op: Opcode) =>
    instructionsOf(fn)
      .filter((i) => i.op === op)
      .map((i) => i.site);
  /** `if (t < 16) { work }`, with something behind it. */
  const conditional = (work: string) => `entry:
${TID}  %c = icmp slt i32 %t, 16
  br i1 %c, label %then, label %join
then:
${work}  br label %join
join:
  store i32 %t, ptr %p
  ret void`;
  const additions = (count: number) => Array.from({ length: count }, (_, n) => `  %x${n} = add i32 %n, ${n}\n`).join('');

  test('small bodies are', () => {
    expect(predicated(conditional('  store i32 1, ptr addrspace(3) @s\n'))).toEqual([true]);
    expect(predicated(conditional(additions(20)))).toEqual([false]);
  });

  test('bodies with calls, atomics, barriers and loops are not', () => {
    expect(predicated(conditional('  call void @cudaGetLastError()\n'))).toEqual([false]);
    expect(predicated(conditional('  atomicrmw add ptr %p, i32 1 monotonic\n'))).toEqual([false]);
    expect(predicated(conditional('  br label %loop\nloop:\n  br i1 %c, label %loop, label %out\nout:\n'))).toEqual([false, false]);
  });

  test('up to eight instructions of each side', () => {
    expect(predicated(conditional(additions(8)))).toEqual([true]);
    expect(predicated(conditional(additions(9)))).toEqual([false]);
    const sides = (first: number, second: number) => `entry:
${TID}  %c = icmp slt i32 %t, 16
  br i1 %c, label %a, label %b
a:
${additions(first)}  br label %join
b:
${additions(second).replaceAll('%x', '%y')}  br label %join
join:
  store i32 %t, ptr %p
  ret void`;
    expect(predicated(sides(7, 8))).toEqual([true]);
    expect(predicated(sides(2, 9))).toEqual([false]);
  });

  const loads = (count: number) => Array.from({ length: count }, (_, n) => `  %v${n} = load i32, ptr %p\n`).join('');

  test('loads from global memory wait together', () => {
    expect(predicated(conditional(`${loads(1)}  %w = add i32 %v0, 1\n  store i32 %w, ptr addrspace(3) @s\n`))).toEqual([true]);
    expect(predicated(conditional(`${loads(1)}${additions(8)}`))).toEqual([false]);
    expect(predicated(conditional(`${loads(2)}${additions(18)}`))).toEqual([true]);
    expect(predicated(conditional(`${loads(2)}${additions(19)}`))).toEqual([false]);
    const shared = '  %v = load i32, ptr addrspace(3) @s\n  %u = load i32, ptr addrspace(3) @other\n';
    expect(predicated(conditional(`${shared}${additions(6)}`))).toEqual([true]);
    expect(predicated(conditional(`${shared}${additions(7)}`))).toEqual([false]);
  });

  test('in a loop one load is enough', () => {
    expect(
      predicated(`entry:
${TID}  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %m, %join ]
  %m = add i32 %k, 1
  %c = icmp slt i32 %t, %k
  br i1 %c, label %then, label %join
then:
${loads(1)}${additions(19)}  br label %join
join:
  %d = icmp slt i32 %m, %n
  br i1 %d, label %loop, label %end
end:
  ret void`),
    ).toEqual([true, false]);
  });

  test('what a barrier follows in each round is not, if the round decides', () => {
    const rounds = (condition: string) => `entry:
${TID}  %fixed = icmp slt i32 %t, %n
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %m, %join ]
  %m = add i32 %k, 1
  %c = icmp slt i32 %t, %k
  br i1 ${condition}, label %then, label %join
then:
${loads(1)}  %w = add i32 %v0, 1
  store i32 %w, ptr %p
  br label %join
join:
  call void @llvm.nvvm.barrier0()
  %d = icmp slt i32 %m, %n
  br i1 %d, label %loop, label %end
end:
  ret void`;
    expect(predicated(rounds('%c'))).toEqual([false, false]);
    expect(predicated(rounds('%fixed'))).toEqual([true, false]);
  });

  test('a lone load where other paths meet is not, unless the branch follows another load', () => {
    const nested = (first: string) => `entry:
${TID}  %c = icmp slt i32 %t, 16
  br i1 %c, label %outer, label %join
outer:
  call void @cudaGetLastError()
${first}  %d = icmp slt i32 %t, %n
  br i1 %d, label %inner, label %join
inner:
${loads(1)}  store i32 %v0, ptr addrspace(3) @s
  br label %join
join:
  store i32 %t, ptr %p
  ret void`;
    expect(predicated(nested(''))).toEqual([false, false]);
    expect(predicated(nested('  %w = load i32, ptr %p\n'))).toEqual([false, true]);
  });

  test('an early return is, however long the rest', () => {
    expect(
      predicated(`entry:
${TID}  %c = icmp slt i32 %t, %n
  br i1 %c, label %rest, label %end
rest:
  call void @cudaGetLastError()
  br label %end
end:
  ret void`),
    ).toEqual([true]);
  });

  test('of an if within an if the inner one is, and both if the outer one holds nothing else', () => {
    const inner = `  %d = icmp slt i32 %n, 3
  br i1 %d, label %more, label %join
more:
  store i32 1, ptr addrspace(3) @s
`;
    expect(predicated(conditional(inner))).toEqual([true, true]);
    expect(predicated(conditional(`  store i32 2, ptr addrspace(3) @other\n${inner}`))).toEqual([false, true]);
    expect(predicated(conditional(`${additions(9)}${inner}`))).toEqual([false, true]);
    const behind = '  br label %meet\nmeet:\n  store i32 2, ptr addrspace(3) @other\n';
    expect(predicated(conditional(`${inner.replace('%join', '%meet')}${behind}`))).toEqual([false, true]);
  });

  test('of two last sides of a kernel both are or none is', () => {
    const body = (first: string, second: string) => `entry:
${TID}  %c = icmp slt i32 %t, 16
  br i1 %c, label %a, label %b
a:
${first}  br label %end
b:
${second}  br label %end
end:
  ret void`;
    const store = '  store i32 1, ptr addrspace(3) @s\n';
    const other = '  store i32 2, ptr addrspace(3) @other\n';
    const long = '  call void @cudaGetLastError()\n';
    expect(predicated(body(store, other))).toEqual([true]);
    expect(predicated(body(store, `${additions(12)}${other}`))).toEqual([false]);
    expect(predicated(body(store, long))).toEqual([false]);
    expect(predicated(body(long, store))).toEqual([false]);
  });

  test('two last sides that load from global memory are if something else is loaded meanwhile', () => {
    const body = (before: string, load: string) => `entry:
${TID}${before}  br i1 %c, label %a, label %b
a:
${load}  store i32 %v, ptr addrspace(3) @other
  br label %end
b:
  store i32 1, ptr addrspace(3) @s
  br label %end
end:
  ret void`;
    const own = '  %c = icmp slt i32 %t, 16\n';
    const global = '  %v = load i32, ptr %p\n';
    expect(predicated(body(own, '  %v = load i32, ptr addrspace(3) @s\n'))).toEqual([true]);
    expect(predicated(body(own, global))).toEqual([false]);
    expect(predicated(body(`  %w = load i32, ptr %p\n${own}`, global))).toEqual([true]);
    expect(predicated(body('  %w = load i32, ptr %p\n  %c = icmp slt i32 %w, 16\n', global))).toEqual([false]);
  });

  test('small blocks at the end of a kernel are, however they are connected', () => {
    const body = (first: string) => `entry:
${TID}  %c = icmp slt i32 %n, 16
  br i1 %c, label %a, label %b
a:
${first}  %d = icmp sgt i32 %t, 3
  br i1 %d, label %work, label %end
b:
  %e = icmp slt i32 %t, 3
  br i1 %e, label %work, label %end
work:
  store i32 1, ptr %p
  br label %end
end:
  ret void`;
    expect(predicated(body(''))).toEqual([true, true, true]);
    expect(predicated(body(additions(20)))).toEqual([false, true, true]);
  });

  test('the way back of a loop is not', () => {
    expect(
      predicated(
        'entry:\n  br label %loop\nloop:\n  %k = phi i32 [ 0, %entry ], [ %m, %loop ]\n  %m = add i32 %k, 1\n  %c = icmp slt i32 %m, %n\n  br i1 %c, label %loop, label %end\nend:\n  ret void',
      ),
    ).toEqual([false]);
  });
});

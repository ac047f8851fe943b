/** Inline PTX in the IR's text: what becomes of it, and what is refused. That it computes what it says: test/libraries/device-code.test.ts. */
import { describe, expect, it } from 'vitest';
import { parseIr } from '../../simulator/ir/parse.ts';
import { verifyModule } from '../../simulator/ir/verify.ts';
import { allOf, functionNamed, instructionsOf } from './ir-fixtures.ts';

/** A function with one statement that reads and writes %0 and reads %1. */
function module(text: string) {
  return parseIr(`define i32 @f(i32 %a, i32 %b) {
entry:
  %r = call i32 asm sideeffect "${text}", "=r,r,0,~{memory}"(i32 %b, i32 %a)
  br label %next
next:
  %p = phi i32 [ %r, %entry ]
  ret i32 %p
}
`);
}

describe('refused by name', () => {
  it.each([
    ['wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {$0}, $1, $1, 1, 0, 1, 1;', 'the PTX instruction wgmma.mma_async.sp'],
    ['wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $0}, $1, $1, 1, 1, 1, 0, 0;', 'the PTX instruction wgmma.mma_async'],
    ['tcgen05.fence::before_thread_sync;', 'the PTX instruction tcgen05.fence::before_thread_sync'],
    ['tex.2d.v4.f32.f32 {$0, $0, $0, $0}, [$1, {$1, $1}];', 'the PTX instruction tex.2d.v4.f32.f32'],
    ['add.quick.u32 $0, $0, 1;', 'the PTX instruction add.quick.u32'],
    ['mov.u32 $0, %pm3;', 'the PTX special register %pm3'],
    ['add.u32 $0, x, 1;', 'the register x is not declared'],
    ['add.u32 $0, $0;', 'add.u32 with 2 operands'],
    ['add.u32 $1, $0, 1;', 'writes to an operand that is an input'],
    ['addc.u32 $0, $0, 1;', 'where no carry flag is known'],
    ['{ .reg .pred p; add.u32 $0, p, 1; }', 'a predicate where another register must be'],
    ['bra AWAY;', 'the PTX instruction bra'],
    ['cp.async.bulk.tensor.3d.shared::cluster.global.im2col [$0], [$1, {$1, $1, $1}], [$1], {$1};', 'cp.async.bulk.tensor'],
    ['cp.async.bulk.tensor.2d.shared::cluster.global.tile [$0], [$1, {$1}], [$1];', 'the PTX instruction cp.async.bulk.tensor'],
    ['mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0}, {$1}, {$1}, {$1};', 'the PTX instruction mma.sync.aligned.m16n8k16'],
    ['L: bra AWAY;', 'no label AWAY'],
    ['{ add.u32 $0, $0, 1; } }', '"}" without "{"'],
    ['add.u32 $0, $0, 1 mov.u32 $0, 1;', 'expected ";" behind add.u32'],
    ['.section x;', 'the directive .section'],
    ['ld.global.v4.u32 {$0, $0}, [$1];', 'the PTX instruction ld.global.v4.u32'],
  ])('%s', (text, message) => {
    const { unsupported } = module(text);
    expect(unsupported.get('f')?.message).toContain(message.replaceAll('\\"', '"'));
  });
});

describe('makes IR that holds', () => {
  it.each([
    '{ .reg .pred p; setp.eq.u32 p, $1, 0; @p st.global.u32 [$1], $0; @!p ld.global.u32 $0, [$1+4]; }',
    '{ .reg .pred p; L: add.u32 $0, $0, 1; setp.lt.u32 p, $0, $1; @p bra L; }',
    '{ .reg .pred p; setp.lt.u32 p, $0, $1; @p bra A; mov.u32 $0, 1; bra B; A: mov.u32 $0, 2; B: }',
    'cp.async.cg.shared.global [$0], [$1], 16, $1;',
    '{ .reg .pred p; .reg .b64 s; mbarrier.arrive.expect_tx.b64 s, [$1], $0; mbarrier.try_wait.b64 p, [$1], s, 20; selp.u32 $0, 1, 0, p; }',
    '// a comment\\0A\\09/* and one */ mov.b32 $0, 0f3F800000;',
    '{ .reg .b32 r<4>; mov.u32 r0, $1; mov.u32 r3, r0; mov.u32 $0, r3; }',
  ])('%s', (text) => {
    const parsed = module(text);
    expect(parsed.unsupported.get('f')?.message).toBeUndefined();
    expect(verifyModule(parsed)).toEqual([]);
  });

  it('with a trap where a barrier expects more than it can count', () => {
    const fn = functionNamed(module('mbarrier.init.shared.b64 [$0], $1;'), 'f');
    expect(allOf(fn, 'call').map(({ callee }) => callee)).toEqual(['llvm.trap']);
    expect(allOf(fn, 'icmp').map(({ predicate, b }) => [predicate, b.kind === 'int' && b.value])).toEqual([['ugt', 32767n]]);
  });

  it('without more instructions than it has where positions are numbers', () => {
    const fn = functionNamed(module('bfe.u32 $0, $0, 8, 8;'), 'f');
    expect(instructionsOf(fn).map(({ op }) => op)).toEqual(['shl', 'lshr', 'freeze', 'br', 'phi', 'ret']);
  });

  it('with phis behind the statement that know its last block', () => {
    const fn = functionNamed(module('{ .reg .pred p; setp.eq.u32 p, $1, 0; @p ld.global.u32 $0, [$1]; }'), 'f');
    const outer = allOf(fn, 'phi').at(-1)!;
    expect(outer.incoming.map(({ block }) => block)).toEqual([fn.blocks.length - 2]);
  });
});

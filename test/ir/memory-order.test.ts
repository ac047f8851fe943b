/** What atomics and fences order, and among whom: read from the text and kept by all that changes a module before it runs. */
import { describe, expect, it } from 'vitest';
import { inlineCalls } from '../../simulator/compiler/inlining.ts';
import { joinConditions } from '../../simulator/ir/join-conditions.ts';
import { lowerCopies } from '../../simulator/ir/lower-copies.ts';
import { lowerPointers } from '../../simulator/ir/lower-pointers.ts';
import { mergeStores } from '../../simulator/ir/merge-stores.ts';
import { narrowAddresses } from '../../simulator/ir/narrow-addresses.ts';
import { parseIr } from '../../simulator/ir/parse.ts';
import type { IrFunction, IrModule } from '../../simulator/ir/types.ts';

const MODULE = `
define ptx_kernel void @k(ptr %p, ptr addrspace(1) %q, i64 %i) {
  %at = getelementptr i32, ptr %p, i64 %i
  %a = load atomic i32, ptr %at syncscope("block") acquire, align 4
  store atomic i32 %a, ptr %at syncscope("device") release, align 4
  %b = atomicrmw add ptr %at, i32 1 syncscope("cluster") monotonic, align 4
  %c = cmpxchg weak ptr %at, i32 0, i32 %b syncscope("singlethread") acq_rel monotonic, align 4
  %d = cmpxchg ptr %at, i32 0, i32 %b seq_cst acquire
  store atomic ptr %p, ptr addrspace(1) %q seq_cst, align 8
  fence syncscope("device") acq_rel
  call void @fences()
  %e = load i32, ptr %p, align 4
  ret void
}
define void @fences() {
  fence seq_cst
  call void @llvm.nvvm.membar.cta()
  call void @llvm.nvvm.membar.gl()
  call void @llvm.nvvm.membar.sys()
  call void @llvm.nvvm.fence.acq_rel.cluster()
  ret void
}
`;

const OWN = [
  'load acquire block',
  'store release device',
  'atomicrmw monotonic cluster',
  'cmpxchg acq_rel thread, else monotonic',
  'cmpxchg seq_cst system, else acquire',
  'store seq_cst system',
  'fence acq_rel device',
];
const CALLED = ['seq_cst system', 'seq_cst block', 'seq_cst device', 'seq_cst system', 'acq_rel cluster'].map((order) => `fence ${order}`);

/** Each access that has an order, in the order of the text. */
function ordersOf({ blocks }: IrFunction): string[] {
  return blocks.flatMap(({ instructions }) =>
    instructions.flatMap((i) => {
      if (!('order' in i) || !i.order) return [];
      const failure = i.op === 'cmpxchg' ? `, else ${i.failure}` : '';
      return [`${i.op} ${i.order.ordering} ${i.order.scope}${failure}`];
    }),
  );
}

const kernelOf = (module: IrModule): IrFunction => module.functions.get('k')!;

describe('memory order', () => {
  const parsed = parseIr(MODULE);

  it('is read: orderings, scopes, fences and membars', () => {
    expect(ordersOf(kernelOf(parsed))).toEqual(OWN);
    expect(ordersOf(parsed.functions.get('fences')!)).toEqual(CALLED);
  });

  it.each([
    ['lowerPointers', lowerPointers],
    ['lowerCopies', lowerCopies],
    ['narrowAddresses', narrowAddresses],
    ['joinConditions', joinConditions],
    ['mergeStores', mergeStores],
  ])('survives %s', (_, pass) => {
    expect(ordersOf(kernelOf(pass(parsed)))).toEqual(OWN);
  });

  it('survives inlining', () => {
    expect(ordersOf(inlineCalls(parsed, kernelOf(parsed), 0).fn)).toEqual([...OWN, ...CALLED]);
  });

  it('of a scope that NVPTX does not have is refused', () => {
    const { unsupported } = parseIr('define ptx_kernel void @k() {\n  fence syncscope("agent") acquire\n  ret void\n}\n');
    expect(unsupported.get('k')?.message).toBe('syncscope("agent")');
  });
});

/** In which kernels threads can go past a barrier of their block: only there are their ways watched, which costs time. */
import { expect, test } from 'vitest';
import { DeviceMemory } from '../../simulator/machine/device-memory.ts';
import { loadModule } from '../../simulator/machine/load-module.ts';
import { BarrierSkips } from '../../simulator/sanitizer/barrier-skips.ts';
import { kernel } from '../ir/ir-fixtures.ts';

const TID = '  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n';
const BARRIER = '  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n';

function canDiffer(body: string): boolean {
  const { module, fn } = kernel('ptr %p, i32 %n', body);
  return new BarrierSkips(loadModule(module, new DeviceMemory()), fn.name).canDiffer;
}

test('not where all threads take the rounds that have the barrier, whatever else they do in them', () => {
  const rounds = `${TID}  br label %round
round:
  %s = phi i32 [ 1, %0 ], [ %next, %end ]
${BARRIER}  %rest = urem i32 %t, %s
  %mine = icmp eq i32 %rest, 0
  br i1 %mine, label %then, label %end
then:
  store i32 %s, ptr %p
  br label %end
end:
  %next = shl i32 %s, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %round, label %out
out:
  ret void`;
  expect(canDiffer(rounds)).toBe(false);
});

test('where some leave the barrier aside', () => {
  const aside = `${TID}  %few = icmp slt i32 %t, %n
  br i1 %few, label %then, label %end
then:
${BARRIER}  br label %end
end:
  store i32 %t, ptr %p
  ret void`;
  expect(canDiffer(aside)).toBe(true);
});

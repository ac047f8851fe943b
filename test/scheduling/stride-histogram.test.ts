/** The sample probe, on both engines: a row read along and a column read down. */
import { expect, it } from 'vitest';
import { StrideHistogram } from '../../simulator/probes/stride-histogram.ts';
import { ENGINES, machine } from '../interpreter/engine-harness.ts';

const KERNEL = `
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %out, i32 %width) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %even = and i32 %tid, 1
  %row = getelementptr i32, ptr %out, i32 %tid
  %a = load i32, ptr %row, align 4
  %down = mul i32 %tid, %width
  %column = getelementptr i32, ptr %out, i32 %down
  store i32 %a, ptr %column, align 4
  %some = icmp eq i32 %even, 0
  br i1 %some, label %half, label %end
half:
  store i32 1, ptr %row, align 4
  br label %end
end:
  ret void
}`;

it.each(ENGINES)('counts how far apart lanes are (%s)', (_, create) => {
  const m = machine(create, KERNEL);
  const histogram = new StrideHistogram();
  m.launch('k', { grid: 3, block: 64, args: [m.words(64 * 64), 64], probes: histogram.probes });
  m.engine.close();
  const found = histogram.strides.map(({ instruction, pairs }) => [instruction.op, [...pairs]]);
  const pairs = 3 * 2 * 31;
  // No two even lanes are neighbours.
  expect(found).toEqual([
    ['load', [[4, pairs]]],
    ['store', [[256, pairs]]],
    ['store', []],
  ]);
});

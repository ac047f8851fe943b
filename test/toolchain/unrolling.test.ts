/** Which loops of Clang's text are marked, and how long it takes to find them. */
import { expect, it } from 'vitest';
import { withUnrollingOfNvcc } from '../../simulator/toolchain/unrolling.ts';

/** `for (int i = 0; i < 16; i++) own[i] = i;` in a function of its own, with a call in the body. */
function loop(number: number, body = ''): string {
  return `define void @k${number}(ptr %p) #0 {
entry:
  %own = alloca [16 x i32], align 4
  %i = alloca i32, align 4
  store i32 0, ptr %i, align 4
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %0 = load i32, ptr %i, align 4
  %cmp = icmp slt i32 %0, 16
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %1 = load i32, ptr %i, align 4
  %idxprom = sext i32 %1 to i64
  %arrayidx = getelementptr inbounds [16 x i32], ptr %own, i64 0, i64 %idxprom
  store i32 %1, ptr %arrayidx, align 4
${body}  br label %for.inc

for.inc:                                          ; preds = %for.body
  %2 = load i32, ptr %i, align 4
  %inc = add nsw i32 %2, 1
  store i32 %inc, ptr %i, align 4
  br label %for.cond, !llvm.loop !${1000 + number}

for.end:                                          ; preds = %for.cond
  ret void
}

`;
}

const node = (number: number) => `!${1000 + number} = distinct !{!${1000 + number}, !7}\n`;
const program = (loops: readonly string[]) =>
  `${loops.join('')}declare void @f(ptr)\n!7 = !{!"llvm.loop.mustprogress"}\n${loops.map((_, number) => node(number)).join('')}`;

it('a loop over an array of the thread is written out, unless a function gets its counter', () => {
  expect(withUnrollingOfNvcc(program([loop(0)]))).toContain('!{!"llvm.loop.unroll.full"}');
  expect(withUnrollingOfNvcc(program([loop(0, '  call void @f(ptr noundef %own)\n')]))).toContain('!{!"llvm.loop.unroll.full"}');
  expect(withUnrollingOfNvcc(program([loop(0, '  call void @f(ptr noundef nonnull align 4 %i) #1\n')]))).not.toContain('unroll.full');
});

it('of a thousand loops each is looked at once', () => {
  const locations = Array.from({ length: 50_000 }, (_, k) => `!${100_000 + k} = !DILocation(line: ${k}, column: 3, scope: !7)\n`).join('');
  const text = `${program(Array.from({ length: 1000 }, (_, number) => loop(number)))}${locations}`;
  const start = process.cpuUsage().user;
  expect(withUnrollingOfNvcc(text).match(/^!\d+ = distinct !\{!\d+, !150000\b/gm)).toHaveLength(1000);
  // A fifth of a second; ten times as much where all of the text is looked through for each.
  expect((process.cpuUsage().user - start) / 1e6).toBeLessThan(1.2);
});

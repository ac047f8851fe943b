/** Loads of what a choice between two places has chosen are calls while LLVM optimises, and loads again behind. */
import { expect, it } from 'vitest';
import { withChosenLoads, withLoadsOfChoices } from '../../simulator/toolchain/chosen-loads.ts';

/** `a[i] > a[j] ? a[i] : a[j]`, as Clang writes it. */
function larger({ base = '%a.addr', comparison = 'fcmp ogt float %4, %9', head = 'ptx_kernel void @k' } = {}): string {
  const element = (first: number, index: string) =>
    [
      `  %${first} = load ptr, ptr ${base}, align 8`,
      `  %${first + 1} = load i32, ptr ${index}, align 4`,
      `  %${first + 2} = sext i32 %${first + 1} to i64`,
      `  %${first + 3} = getelementptr inbounds float, ptr ${base === '%own' ? base : `%${first}`}, i64 %${first + 2}`,
      `  %${first + 4} = load float, ptr %${first + 3}, align 4, !dbg !7`,
    ].join('\n');
  return `define dso_local ${head}(ptr %a) #0 {
entry:
  %own = alloca [8 x float], align 4
  %a.addr = alloca ptr, align 8
  %i = alloca i32, align 4
  %j = alloca i32, align 4
  store ptr %a, ptr %a.addr, align 8
${element(0, '%i')}
${element(5, '%j')}
  %cmp = ${comparison}
  br i1 %cmp, label %cond.true, label %cond.false

cond.true:
${element(10, '%i')}
  br label %cond.end

cond.false:
${element(15, '%j')}
  br label %cond.end

cond.end:
  %cond = phi contract float [ %14, %cond.true ], [ %19, %cond.false ], !dbg !9
  ret void
}
`;
}

it('one load behind the choice, by a call', () => {
  const calls = withChosenLoads(larger());
  expect(calls).toContain('%cond.lanewise.place = phi ptr [ %13, %cond.true ], [ %18, %cond.false ], !dbg !9');
  expect(calls).toContain('%cond = call float @"__lanewise.chosen.0, align 4"(ptr %cond.lanewise.place), !dbg !9');
  const loads = withLoadsOfChoices(calls.replace('%cond = call', '%cond = tail call').replace('place), !dbg', 'place) #3, !dbg'));
  expect(loads).toContain('%cond = load float, ptr %cond.lanewise.place, align 4, !dbg !9');
  expect(loads).not.toContain('__lanewise.chosen');
});

it.each([
  ['elements of its own array', larger({ base: '%own' })],
  ['choices by a counter', larger({ comparison: 'icmp eq i32 %1, 0' })],
  [
    'what a function is given that others give their own arrays',
    `${larger({ head: 'void @f' })}define void @g() {\n  %x = alloca [4 x float], align 4\n  call void @f(ptr noundef %x)\n  ret void\n}\n`,
  ],
])('not of %s', (_, text) => {
  expect(withChosenLoads(text)).toBe(text);
});

it.each([
  ['a store behind one of its loads', '  store float 0.0, ptr %18, align 4\n'],
  ['a call behind one of its loads', '  call void @g()\n'],
])('not of %s', (_, line) => {
  const text = larger().replace('  br label %cond.end\n\ncond.end:', `${line}  br label %cond.end\n\ncond.end:`);
  expect(text).toContain(line);
  expect(withChosenLoads(text)).toBe(text);
});

it.each([
  ['%x', 'nonnull %x'],
  ['@w', 'addrspacecast (ptr addrspace(4) @w to ptr)'],
  [
    'an element',
    'nonnull align 4 dereferenceable(4) getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(1) @w to ptr), i64 8)',
  ],
  ['null', 'null'],
  ['a number', 'inttoptr (i64 8 to ptr)'],
])('the load is read back from %s', (_, operand) => {
  const text = `  %cond = tail call noundef i32 @"__lanewise.chosen.0, align 4"(ptr ${operand}) #3, !dbg !9\n`;
  const value = operand.replace(/^(?:nonnull|align 4|dereferenceable\(4\)| )+/, '');
  expect(withLoadsOfChoices(text)).toBe(`  %cond = load i32, ptr ${value}, align 4, !dbg !9\n`);
});

it('what is left of a choice in another form is an error', () => {
  expect(() => withLoadsOfChoices('  %p = select i1 %c, ptr @"__lanewise.chosen.0, align 4", ptr null\n')).toThrow('Not a load');
});

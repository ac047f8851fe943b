import { expect, test } from 'vitest';
import { parseIr } from '../../simulator/ir/parse.ts';
import { ParseError } from '../../simulator/ir/parse-error.ts';
import { UnsupportedIr } from '../../simulator/ir/types.ts';
import { verifyModule } from '../../simulator/ir/verify.ts';
import { functionFacts } from '../../simulator/simt/analyze.ts';
import { fixtureText } from './ir-fixtures.ts';

/** Parses and, where the verifier accepts the result, analyses it; anything but a named error of the parser fails. */
function survives(text: string): void {
  let module: ReturnType<typeof parseIr>;
  try {
    module = parseIr(text);
  } catch (error) {
    if (error instanceof ParseError && error.line >= 1) return;
    if (error instanceof UnsupportedIr) return;
    throw error;
  }
  if (verifyModule(module).length > 0) return;
  for (const fn of module.functions.values()) functionFacts(fn, module);
}

/** A small generator of random numbers (mulberry32), so that a failure can be repeated. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

test.each(['forms.ll', 'kernels.ll'])('%s truncated anywhere', (name) => {
  const text = fixtureText(name);
  for (let n = 0; n < 200; n++) survives(text.slice(0, Math.floor((text.length * n) / 200)));
});

test.each(['forms.ll', 'kernels.ll'])('%s with words exchanged, dropped and doubled', (name) => {
  const words = fixtureText(name).split(/(?<=[\s,()[\]{}])/);
  for (let seed = 1; seed <= 300; seed++) {
    const random = generator(seed);
    const mutated = [...words];
    for (let n = 0; n < 1 + (seed % 5); n++) {
      const at = random(mutated.length);
      const kind = random(4);
      if (kind === 0) mutated.splice(at, 1);
      else if (kind === 1) mutated.splice(at, 0, mutated[random(mutated.length)]);
      else if (kind === 2) mutated[at] = mutated[random(mutated.length)];
      else mutated[at] = String.fromCharCode(33 + random(200)) + mutated[at].slice(1);
    }
    survives(mutated.join(''));
  }
});

test.each([
  ['deep types', `@g = global ${'['.repeat(10000)}`],
  ['deep constants', `@g = global i32 ${'add (i32 '.repeat(10000)}`],
  ['a long vector', '@g = global <4000000000 x i8> splat (i8 1)'],
  ['a long array', '@g = global [4000000000 x i8] zeroinitializer'],
  ['a wide integer', '@g = global i9999999 0'],
  ['inlining in circles', 'define void @f() {\n  ret void, !dbg !1\n}\n!1 = !DILocation(line: 1, scope: !2, inlinedAt: !1)\n!2 = !{}'],
  ['scopes in circles', 'define void @f() {\n  ret void, !dbg !1\n}\n!1 = !DILocation(scope: !2)\n!2 = !DILexicalBlock(scope: !2)'],
  ['control characters', '\u0000\u0001\u0002'],
  ['nothing', ''],
])('%s', (_, text) => survives(text));

test('a module of a few hundred kilobytes is read in tens of milliseconds', () => {
  const text = fixtureText('kernels.ll');
  const body = text.slice(text.indexOf('define'), text.indexOf('attributes #0'));
  const copies = Array.from({ length: 20 }, (_, n) => body.replace(/@(_Z\w+)\(/g, `@$1_${n}(`));
  const large = text.replace(body, copies.join('\n'));
  parseIr(large);
  const start = performance.now();
  const module = parseIr(large);
  // Twenty times what it takes on an idle machine: loaded ones run the tests too.
  expect(performance.now() - start).toBeLessThan(1500);
  expect(module.functions.size).toBeGreaterThan(100);
});

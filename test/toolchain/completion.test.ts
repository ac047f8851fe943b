/** Clang's list of completions as it is printed. What Clang finds is tested in test/server/language.test.ts. */
import { expect, it } from 'vitest';
import { parseCompletions } from '../../simulator/toolchain/completion.ts';

const one = (line: string) => parseCompletions(line).candidates[0];

it.each([
  ['COMPLETION: x : [#unsigned int#]x', { name: 'x', type: 'unsigned int' }],
  ['COMPLETION: size : [#size_type#]size()[# const#]', { name: 'size', type: 'size_type', parameters: [], qualifiers: ' const' }],
  [
    'COMPLETION: f : [#int#]f(<#map<int, int> m#>{#, <#int b = 2#>#})',
    { name: 'f', type: 'int', parameters: ['map<int, int> m', 'int b = 2'] },
  ],
  ['COMPLETION: MAX : MAX(<#a#>, <#b#>)', { name: 'MAX', parameters: ['a', 'b'] }],
  ['COMPLETION: Base (InBase) : [#int#]Base', { name: 'Base', type: 'int' }],
  ['COMPLETION: std : std::', { name: 'std' }],
  ['COMPLETION: operator() : [#void#]operator()(<#int i#>)', { name: 'operator()', type: 'void', parameters: ['int i'] }],
])('%s', (line, candidate) => expect(one(line)).toEqual(candidate));

it('patterns of statements are left out', () => {
  expect(parseCompletions('COMPLETION: Pattern : do {\n<#statements#>\n} while (<#expression#>);\n').candidates).toEqual([]);
});

it.each([
  ['OVERLOAD: [#float#]helper(<#float weight#>, int rounds)', 'float helper(float weight, int rounds)', 0],
  ['OVERLOAD: [#void *#]get(int a, <#int b#>)', 'void *get(int a, int b)', 1],
  ['OVERLOAD: [#int#]none()', 'int none()', undefined],
])('%s', (line, text, active) => {
  const [signature] = parseCompletions(line).signatures;
  expect([signature.text, signature.active]).toEqual([text, active]);
  for (const [start, end] of signature.parameters) expect(text.slice(start, end)).toMatch(/^(float|int) \w+$/);
});

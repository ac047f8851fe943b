/** Which products are fused with which sums: as nvcc 13.0 does it. Results of an H200 are in test/programs/results.test.ts. */
import { expect, it } from 'vitest';
import { fuseProducts } from '../../simulator/ir/fuse-products.ts';
import { parseIr } from '../../simulator/ir/parse.ts';
import type { Instruction, IrFunction, Operand } from '../../simulator/ir/types.ts';
import { verifyModule } from '../../simulator/ir/verify.ts';

const PARAMETERS = 'a b c d e f'.split(' ');

/** Lines such as `m = fmul a b`, and values to return: their formulas behind the pass. */
function formulas(lines: string, results: string, { flags = 'contract ', type = 'float' } = {}): string {
  const body = lines.split('; ').map((line) => {
    const [name, op, ...operands] = line.replace(' =', '').split(' ');
    const text = operands.map((o) => (/^-?\d/.test(o) ? o : `%${o}`)).join(', ');
    return `  %${name} = ${op} ${flags}${type} ${text}`;
  });
  const stores = results.split(' ').map((name) => `  store ${type} %${name}, ptr %out`);
  const parameters = [...PARAMETERS.map((name) => `${type} %${name}`), 'ptr %out'].join(', ');
  const module = fuseProducts(
    parseIr(
      `target triple = "nvptx64-nvidia-cuda"\ndefine void @f(${parameters}) {\n${[...body, ...stores, '  ret void'].join('\n')}\n}\n`,
    ),
  );
  verifyModule(module);
  const fn = module.functions.get('f')!;
  const stored = fn.blocks[0].instructions.flatMap((i) => (i.op === 'store' ? [formula(fn, i.value)] : []));
  return stored.join('; ');
}

function formula(fn: IrFunction, operand: Operand): string {
  if (operand.kind === 'float') return String(new Float32Array(new Uint32Array([Number(operand.bits)]).buffer)[0]);
  if (operand.kind !== 'value') return '?';
  const parameter = fn.parameters.find(({ id }) => id === operand.id);
  if (parameter) return parameter.name;
  const instruction = fn.blocks.flatMap(({ instructions }) => instructions).find(({ id }) => id === operand.id) as Instruction;
  const of = (o: Operand) => formula(fn, o);
  if (instruction.op === 'call') return `fma(${instruction.args.map(of).join(' ')})`;
  if (instruction.op === 'fneg') return `-${of(instruction.a)}`;
  return 'b' in instruction ? `(${of(instruction.a)} ${instruction.op.slice(1)} ${of(instruction.b)})` : '?';
}

it.each([
  ['a product that is added', 'm = fmul a b; r = fadd m c', 'r', 'fma(a b c)'],
  ['subtracted', 'm = fmul a b; r = fsub c m', 'r', 'fma(-a b c)'],
  ['from which is subtracted', 'm = fmul a b; r = fsub m c', 'r', 'fma(a b -c)'],
  ['negated', 'm = fmul a b; n = fneg m; r = fsub n c', 'r', 'fma(-a b -c)'],
  ['of two products the first', 'm = fmul a b; l = fmul c d; r = fsub m l', 'r', 'fma(a b -(c mul d))'],
  ['of two the one that nothing else uses', 'm = fmul a b; l = fmul c d; r = fadd m l', 'r m', 'fma(c d (a mul b)); (a mul b)'],
  [
    'of two the one with fewer uses',
    'm = fmul a b; l = fmul c d; r = fsub m l; q = fadd m f',
    'r q',
    'fma(-c d (a mul b)); ((a mul b) add f)',
  ],
  ['a product in all its sums', 'm = fmul a b; r = fadd m c; q = fsub m d', 'r q', 'fma(a b c); fma(a b -d)'],
  ['or in none', 'm = fmul a b; r = fadd m c; q = fmul m d', 'r q', '((a mul b) add c); ((a mul b) mul d)'],
  ['sums in a row', 'm = fmul a b; l = fmul c d; s = fadd m l; k = fmul e f; r = fadd k s', 'r', 'fma(e f fma(a b (c mul d)))'],
  ['a product of a product', 'm = fmul a b; l = fmul m c; r = fadd l d', 'r', 'fma((a mul b) c d)'],
  ['twice a product', 'm = fmul a b; r = fmul m 2.000000e+00', 'r', 'fma(a b (a mul b))'],
  ['a product and itself', 'm = fmul a b; r = fadd m m', 'r', 'fma(a b (a mul b))'],
  ['less itself', 'm = fmul a b; r = fsub m m', 'r', '((a mul b) sub (a mul b))'],
  [
    'the last sum first',
    'm = fmul a b; l = fmul c d; k = fmul e f; r = fadd m l; q = fadd l k; s = fadd m k',
    'r q s',
    'fma(a b (c mul d)); fma(c d (e mul f)); fma(a b (e mul f))',
  ],
])('%s', (_, lines, results, expected) => {
  expect(formulas(lines, results)).toBe(expected);
  if (!lines.includes('2.0')) expect(formulas(lines, results, { type: 'double' })).toBe(expected);
});

it('of halves ptxas alone knows', () => {
  const lines = 'm = fmul a b; l = fmul c d; r = fadd m l; q = fadd l f';
  expect(formulas(lines, 'r q', { type: 'half' })).toBe('fma(a b (c mul d)); ((c mul d) add f)');
  expect(formulas(lines, 'r q')).toBe('fma(a b (c mul d)); fma(c d f)');
});

it('of two products of halves the first in the program is taken, whichever operand LLVM puts first', () => {
  const lines = 'm = fmul a b; l = fmul c d; r = fadd l m; q = fsub l m';
  expect(formulas('m = fmul a b; l = fmul c d; r = fadd l m', 'r', { type: 'half' })).toBe('fma(a b (c mul d))');
  expect(formulas(lines.replace('r = fadd l m; ', ''), 'q', { type: 'half' })).toBe('fma(c d -(a mul b))');
});

it('nothing without the flag', () => {
  expect(formulas('m = fmul a b; r = fadd m c', 'r', { flags: '' })).toBe('((a mul b) add c)');
});

it('nothing over blocks', () => {
  const module = parseIr(`target triple = "nvptx64-nvidia-cuda"
define float @f(float %a, float %b, i1 %p) {
  %m = fmul contract float %a, %b
  br i1 %p, label %then, label %else
then:
  %r = fadd contract float %m, %a
  ret float %r
else:
  ret float %a
}`);
  expect(fuseProducts(module).functions.get('f')).toEqual(module.functions.get('f'));
});

import { describe, expect, test } from 'vitest';
import { parseIr } from '../../simulator/ir/parse.ts';
import { ParseError } from '../../simulator/ir/parse-error.ts';
import { reachableFrom, requireSupported } from '../../simulator/ir/reachable.ts';
import { typeName } from '../../simulator/ir/type-table.ts';
import { type Constant, type Location, UnsupportedIr } from '../../simulator/ir/types.ts';
import { verifyModule } from '../../simulator/ir/verify.ts';
import { allOf, fixtureModule, functionNamed, instructionsOf, kernel } from './ir-fixtures.ts';

const forms = fixtureModule('forms.ll');
const kernels = fixtureModule('kernels.ll');

describe('global variables', () => {
  const global = (name: string) => forms.globals.get(name)!;

  test('have a space, an alignment and a size', () => {
    const rows = [...forms.globals.values()].map((g) => [g.name, g.space, g.align, g.sizeBytes, typeName(g.type)]);
    expect(rows).toEqual([
      ['plain', 1, 4, 4, 'i32'],
      ['text', 1, 1, 6, '[6 x i8]'],
      ['window', 3, 4, 256, '[64 x float]'],
      ['dynamic', 3, 16, 0, '[0 x i32]'],
      ['quoted name', 4, 8, 16, '{ i8, [2 x half], <2 x i32> }'],
      ['zeroed', 1, 8, 32, '{ i8, i32, { i16, double }, ptr }'],
      ['pointers', 1, 4, 24, '[3 x ptr]'],
    ]);
  });

  test('have initial values', () => {
    expect(global('plain').initializer).toMatchObject({ kind: 'int', value: 0xfffffffbn });
    expect(elements(global('text').initializer)).toEqual([97n, 34n, 92n, 10n, 0n, 98n]);
    expect(global('window').initializer?.kind).toBe('undef');
    expect(global('dynamic').initializer).toBeUndefined();
    expect(global('zeroed').initializer?.kind).toBe('zero');
    expect(global('pointers').initializer).toMatchObject({
      elements: [
        { kind: 'symbol', name: 'integers', offset: 0 },
        { kind: 'symbol', name: 'plain' },
        { kind: 'int', value: 0n },
      ],
    });
    expect(global('quoted name').initializer).toMatchObject({
      elements: [{ value: 1n }, { elements: [{ bits: 0x3c00n }, { bits: 0xc000n }] }, { elements: [{ value: 9n }, { value: 9n }] }],
    });
  });

  test('an alias stands for its variable', () => {
    expect(allOf(functionNamed(forms, 'memory'), 'store').map((s) => s.pointer)).toContainEqual(expect.objectContaining({ name: 'plain' }));
  });
});

describe('instructions', () => {
  test('every form is read, markers and unreachable blocks are not', () => {
    const ops = (name: string) => instructionsOf(functionNamed(forms, name)).map((i) => i.op);
    expect(ops('integers').join(' ')).toBe(
      'add sub mul udiv sdiv urem srem shl lshr ashr and or xor icmp select freeze zext sext trunc add trunc call ' +
        'extractvalue insertvalue extractvalue ret',
    );
    expect(ops('floats').join(' ')).toBe(
      'fadd fsub fmul fdiv frem fneg fcmp fpext fadd fptrunc fptosi uitofp fpext fcmp select fadd fadd bitcast bitcast bitcast ret',
    );
    expect(ops('control').join(' ')).toBe('switch phi callIndirect br call freeze ptrtoint condbr phi ret');
    expect(ops('vectors').join(' ')).toBe('add extractelement insertelement shufflevector shufflevector icmp select fmul ret');
    expect(functionNamed(forms, 'memory').blocks.map((b) => b.label)).toEqual(['entry', 'dead.end', 'exit']);
  });

  test('floating-point constants keep their bits', () => {
    const constants = instructionsOf(functionNamed(forms, 'floats')).flatMap((i) => ('b' in i && i.b.kind === 'float' ? [i.b.bits] : []));
    expect(constants).toEqual([
      0x3fc00000n,
      0x3dcccccdn,
      0x80000000n,
      0x7fc00000n,
      0x42c80000n,
      0x7f800000n,
      0x3fb999999999999an,
      0n,
      0x3555n,
      0x3f80n,
    ]);
  });

  test('contract and fast allow fusing', () => {
    const contract = instructionsOf(functionNamed(forms, 'floats')).map((i) => 'contract' in i && i.contract === true);
    expect(contract.slice(0, 5)).toEqual([true, false, true, true, false]);
  });

  test('addresses are bytes', () => {
    const [field, last] = allOf(functionNamed(forms, 'memory'), 'getelementptr');
    expect(field).toMatchObject({ offset: 16, terms: [{ scale: 32 }] });
    expect(last).toMatchObject({ offset: -4, terms: [] });
  });

  test('a constant expression without a constant becomes an instruction, at the end of the block that a phi names', () => {
    const control = functionNamed(forms, 'control');
    const made = control.blocks.find((b) => b.label === 'odd name')!.instructions.at(-2)!;
    expect(made.op).toBe('ptrtoint');
    expect(allOf(control, 'phi')[0].incoming).toContainEqual({
      block: control.blocks.findIndex((b) => b.label === 'odd name'),
      value: expect.objectContaining({ kind: 'value', id: made.id }),
    });
  });

  test('memory instructions keep what matters', () => {
    const memory = functionNamed(forms, 'memory');
    expect(allOf(memory, 'load').map((l) => [l.align, l.volatile, l.order !== undefined])).toEqual([
      [4, false, false],
      [16, true, false],
      [4, false, true],
      [8, false, false],
    ]);
    expect(allOf(memory, 'alloca').map((a) => [typeName(a.allocated), a.count.kind, a.align])).toEqual([
      ['[4 x i32]', 'int', 4],
      ['i8', 'value', 16],
    ]);
    expect(allOf(memory, 'atomicrmw').map((a) => a.operation)).toEqual(['umax', 'fadd']);
    expect(typeName(allOf(memory, 'cmpxchg')[0].type)).toBe('{ i32, i1 }');
    expect(memory.parameters[1].byval).toMatchObject({ align: 8 });
  });

  test('masks of shuffles', () => {
    expect(allOf(functionNamed(forms, 'vectors'), 'shufflevector').map((s) => s.mask)).toEqual([
      [0, -1, 7, 2],
      [0, 0, 0, 0],
    ]);
  });

  test('a switch goes to each block once', () => {
    const { blocks } = functionNamed(forms, 'control');
    expect(blocks[0].successors).toEqual([3, 1, 2]);
    expect(blocks[0].instructions[0]).toMatchObject({ cases: [{ value: 0n }, { value: 0xffffffffn }, { value: 5n }] });
    expect(blocks[1].predecessors).toEqual([0, 2]);
  });
});

describe('functions', () => {
  test('kernels and launch bounds', () => {
    const rows = [...forms.functions.values()].map((f) => [f.name, f.isKernel, f.maxThreads]);
    expect(rows).toEqual([
      ['integers', false, undefined],
      ['floats', false, undefined],
      ['memory', true, 128],
      ['vectors', false, undefined],
      ['control', true, 128],
    ]);
    expect(functionNamed(kernels, 'indirect')).toMatchObject({ isKernel: true, maxThreads: 128 });
  });

  test('declarations are what the functions need from outside', () => {
    expect([...forms.declarations].sort()).toEqual(['llvm.uadd.with.overflow.i32', 'vprintf']);
    expect([...kernels.declarations]).toContain('llvm.nvvm.shfl.sync.down.i32');
  });

  test('numbering is dense', () => {
    for (const fn of [...forms.functions.values(), ...kernels.functions.values()]) {
      expect(instructionsOf(fn).map((i) => i.site)).toEqual(Array.from({ length: fn.siteCount }, (_, n) => n));
    }
  });

  test('the verifier has no objection', () => {
    expect(verifyModule(forms)).toEqual([]);
    expect(verifyModule(kernels)).toEqual([]);
  });
});

describe('source locations', () => {
  const chain = (location: Location | undefined): string[] =>
    location ? [`${location.scope}:${location.line}`, ...chain(location.inlinedAt)] : [];

  test('follow the inlining', () => {
    const multiplication = instructionsOf(functionNamed(kernels, 'divergent')).find((i) => i.op === 'fmul')!;
    expect(chain(multiplication.location)).toEqual(['square:15', 'divergent:22']);
    expect(multiplication.location?.file).toBe('kernels.cu');
  });

  test('are shared objects', () => {
    const locations = instructionsOf(functionNamed(kernels, 'divergent')).map((i) => i.location);
    const distinct = new Map(locations.map((l) => [JSON.stringify(l), l]));
    expect(new Set(locations).size).toBe(distinct.size);
  });

  test('name the folder of the file', () => {
    const { module } = kernel(
      '',
      '  ret void, !dbg !1',
      '!1 = !DILocation(line: 3, column: 2, scope: !2)\n!2 = !DILexicalBlockFile(scope: !3, file: !4)\n!3 = distinct !DISubprogram(name: "g", file: !5)\n!4 = !DIFile(filename: "b.inc", directory: "/src")\n!5 = !DIFile(filename: "a.cu", directory: "/src")',
    );
    expect(functionNamed(module, 'f').blocks[0].instructions[0].location).toEqual({ file: '/src/b.inc', line: 3, column: 2, scope: 'g' });
  });
});

describe('refusals', () => {
  test('name the instruction and stay with their function', () => {
    expect(forms.unsupported.get('refused')).toBeInstanceOf(UnsupportedIr);
    expect(forms.unsupported.get('refused')?.message).toBe('instruction va_arg');
    expect(forms.unsupported.get('varargs')?.message).toContain('variable number of arguments');
  });

  test.each(['llvm.nvvm.cp.async.wait.all', 'from_elsewhere'])('name a function that nobody knows: %s', (name) => {
    const module = parseIr(`define ptx_kernel void @k() {
  call void @${name}(), !dbg !1
  ret void
}
declare void @${name}()
!1 = !DILocation(line: 3, column: 2, scope: !2)
!2 = distinct !DISubprogram(name: "k", file: !3)
!3 = !DIFile(filename: "a.cu", directory: "/src")
`);
    expect(module.functions.has('k')).toBe(false);
    expect(module.unsupported.get('k')).toMatchObject({
      message: `the simulator does not support the function ${name}`,
      location: { file: '/src/a.cu', line: 3 },
    });
  });

  test('name the source line', () => {
    const [[name, refusal]] = kernels.unsupported;
    expect(name).toContain('registers');
    expect(refusal.message).toBe('the simulator does not support the PTX special register %envreg3');
    expect(refusal.location).toMatchObject({ file: 'kernels.cu', line: 61 });
  });

  test('matter to the kernels that reach them only', () => {
    const module = parseIr(`
@table = addrspace(1) global [1 x ptr] [ptr @bad]
define void @bad(ptr %list) {
  %v = va_arg ptr %list, i32
  ret void
}
define ptx_kernel void @direct() {
  call void @bad(ptr null)
  ret void
}
define ptx_kernel void @throughTable() {
  %f = load ptr, ptr addrspace(1) @table
  call void %f(ptr null)
  ret void
}
define ptx_kernel void @fine() {
  ret void
}
`);
    expect(() => requireSupported(module, 'direct')).toThrow('va_arg');
    expect(() => requireSupported(module, 'throughTable')).toThrow('va_arg');
    expect(() => requireSupported(module, 'bad')).toThrow('va_arg');
    expect(() => requireSupported(module, 'fine')).not.toThrow();
    expect([...reachableFrom(module, 'throughTable')]).toEqual(['throughTable', 'table', 'bad']);
  });

  test.each([['target datalayout = "e-p:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"', 'pointers must have 64 bits']])(
    'a module for another machine: %s',
    (text, message) => {
      expect(() => parseIr(text)).toThrow(UnsupportedIr);
      expect(() => parseIr(text)).toThrow(message);
    },
  );
});

describe('errors', () => {
  test.each([
    ['define void @f() {\n  %a = add i32 1\n  ret void\n}', "expected ','", 3],
    ['define void @f() {\n  br label %nowhere\n}', 'block %nowhere is missing', 3],
    ['define void @f() {\n  %a = add i32 %b, 1\n  ret void\n}', '%b is not defined', 4],
    ['define void @f(i32 %a) {\n  %a = add i32 1, 1\n  ret void\n}', '%a is defined twice', 3],
    ['define void @f(i32 %a) {\n  %b = fadd float %a, 1.0\n  ret void\n}', '%a is i32, not float', 2],
    ['define void @f() {\n  ret void\n  ret void\n}', 'behind a terminator', 3],
    ['%a = type { %a }\n@g = global %a zeroinitializer', '%a contains itself', 2],
    ['@a = alias i32, ptr @a\ndefine void @f() {\n  store i32 0, ptr @a\n  ret void\n}', '@a contains itself', 1],
    ['define void @f() {\n  ret void', 'unfinished function', 2],
    ['garbage', 'expected a definition', 1],
    ['@g = global i32 0x1', '0x1 is no i32', 1],
    ['@g = global [2 x i32] [i32 1]', '1 elements for [2 x i32]', 1],
  ])('%j', (text, message, line) => {
    const error = thrownBy(() => parseIr(text));
    expect(error).toBeInstanceOf(ParseError);
    expect((error as ParseError).message).toContain(message);
    expect((error as ParseError).line).toBeLessThanOrEqual(line + 1);
    expect((error as ParseError).line).toBeGreaterThanOrEqual(line - 1);
  });
});

function elements(constant: Constant | undefined): bigint[] {
  return constant?.kind === 'aggregate' ? constant.elements.map((e) => (e.kind === 'int' ? e.value : -1n)) : [];
}

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}

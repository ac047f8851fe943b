/** The table of intrinsics: how names are found in it, and that nobody else looks at them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { accessesMayPass, intrinsicOf, isPureCall, mayWrite } from '../../simulator/ir/intrinsics.ts';

const simulator = join(import.meta.dirname, '../../simulator');

describe('a name', () => {
  it.each([
    ['llvm.smin.i32', 'llvm.smin.i64'],
    ['llvm.ctpop.v4i32', 'llvm.ctpop.i8'],
    ['llvm.memcpy.p0.p1.i64', 'llvm.memcpy.p3.p0.i32'],
    ['llvm.scmp.i8.i64', 'llvm.scmp.i32.i32'],
    ['llvm.nvvm.ldg.global.f.v4f32.p1', 'llvm.nvvm.ldg.global.f.f32.p0'],
  ])('%s is the same intrinsic as %s', (a, b) => {
    expect(intrinsicOf(a)).toBeDefined();
    expect(intrinsicOf(a)).toBe(intrinsicOf(b));
  });

  it.each(['llvm.smin', 'llvm.fma.f32', 'llvm.nvvm.shfl.sync.idx.i32p', '__nv_sinf', 'vprintf'])('%s is known', (name) => {
    expect(intrinsicOf(name)).toBeDefined();
  });

  it.each(['llvm.nvvm.cp.async.wait.all', 'llvm.nvvm.mma.m16n8k8', 'vprintf.i32', 'smin', 'work'])('%s is not', (name) => {
    expect(intrinsicOf(name)).toBeUndefined();
  });
});

describe('effects', () => {
  it('what nobody knows may do anything', () => {
    expect([isPureCall('work'), accessesMayPass('work'), mayWrite('work')]).toEqual([false, false, true]);
  });

  it.each([
    ['llvm.fshl.i32', true, true, false],
    ['llvm.nvvm.read.ptx.sreg.tid.x', false, true, false],
    ['llvm.nvvm.ldg.global.i.i32.p0', false, true, false],
    ['llvm.nvvm.shfl.sync.up.i32', false, true, false],
    ['llvm.nvvm.barrier.cta.sync.aligned.all', false, false, false],
    ['llvm.memset.p0.i64', false, false, true],
    ['llvm.trap', false, false, false],
    ['malloc', false, false, true],
  ])('%s: pure %s, passed by accesses %s, writes %s', (name, pure, passed, writes) => {
    expect([isPureCall(name), accessesMayPass(name), mayWrite(name)]).toEqual([pure, passed, writes]);
  });
});

/** Files that name an intrinsic in order to call it, or LLVM's metadata. */
const NAMERS = [
  ...[
    'compiler/exact-addresses.ts',
    'ir/cluster-sizes.ts',
    'ir/function-parser.ts',
    'ir/intrinsics.ts',
    'ir/narrow-addresses.ts',
    'ir/parse.ts',
  ],
  ...[
    'assembler',
    'barrier-instructions',
    'float-instructions',
    'integer-instructions',
    'lane-instructions',
    'memory-instructions',
    'move-instructions',
  ].map((table) => `ir/ptx/${table}.ts`),
  ...['ir/ptx/special-registers.ts', 'ir/ptx/warpgroup-instructions.ts'],
];

it('names of intrinsics stand in the table alone', () => {
  const files = ['compiler', 'counters', 'interpreter', 'ir', 'machine', 'runtime', 'scheduling', 'simt'].flatMap((folder) =>
    readdirSync(join(simulator, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file).replaceAll('\\', '/')),
  );
  const naming = files.filter((file) => file.endsWith('.ts') && !file.startsWith('ir/intrinsics/') && /llvm\\?\.|nvvm/.test(codeOf(file)));
  expect(naming.sort()).toEqual(NAMERS);
});

function codeOf(file: string): string {
  return readFileSync(join(simulator, file), 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '');
}

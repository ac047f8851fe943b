/** PTX's special registers: who and where a thread is, and what time it is. */
import type { Clock, Intrinsic, Register } from './description.ts';

/** CUDA C++ Programming Guide, technical specifications: greatest dimensions of blocks and grids. */
const BLOCK = { x: 1024, y: 1024, z: 64 };
const GRID = { x: 2 ** 31 - 1, y: 65535, z: 65535 };

type Registers = Exclude<Register, Clock>;

function register(name: Register, result: Intrinsic['result'], lowest?: number, highest?: number): Intrinsic {
  const range = lowest !== undefined && highest !== undefined ? { range: () => ({ low: lowest, high: highest }) } : {};
  return { effect: 'none', result, cost: 'register', meaning: { kind: 'register', register: name }, ...range };
}

function clock(name: Clock): Intrinsic {
  return { effect: 'clock', result: 'varying', cost: 'register', meaning: { kind: 'register', register: name } };
}

const AXES = (['x', 'y', 'z'] as const).flatMap((axis) => [
  register(`tid.${axis}`, 'varying', 0, BLOCK[axis] - 1),
  register(`ntid.${axis}`, 'uniform', 1, BLOCK[axis]),
  register(`ctaid.${axis}`, 'uniform', 0, GRID[axis] - 1),
  register(`nctaid.${axis}`, 'uniform', 1, GRID[axis]),
  register(`cluster.ctaid.${axis}`, 'uniform'),
  register(`cluster.nctaid.${axis}`, 'uniform'),
  register(`clusterid.${axis}`, 'uniform'),
  register(`nclusterid.${axis}`, 'uniform'),
]);

const OTHERS: readonly Intrinsic[] = [
  register('laneid', 'varying', 0, 31),
  register('warpsize', 'uniform', 32, 32),
  ...(['eq', 'lt', 'le', 'ge', 'gt'] as const).map((comparison) => register(`lanemask.${comparison}`, 'varying')),
  ...(
    [
      'cluster.ctarank',
      'cluster.nctarank',
      'warpid',
      'nwarpid',
      'smid',
      'nsmid',
      'gridid',
      'total_smem_size',
      'dynamic_smem_size',
    ] as const satisfies readonly Registers[]
  ).map((name) => register(name, 'uniform')),
  ...(['clock', 'clock.hi', 'clock64', 'globaltimer'] as const).map(clock),
];

export const REGISTERS: Readonly<Record<string, Intrinsic>> = Object.fromEntries(
  [...AXES, ...OTHERS].map((intrinsic) => [
    `llvm.nvvm.read.ptx.sreg.${intrinsic.meaning.kind === 'register' ? intrinsic.meaning.register : ''}`,
    intrinsic,
  ]),
);

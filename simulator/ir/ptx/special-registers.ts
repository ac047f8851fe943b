/** PTX's special registers, by the names of the intrinsics that read them. */
import { intrinsicOf } from '../intrinsics.ts';
import { I1, I32, I64 } from '../type-table.ts';
import { type Operand, UnsupportedIr } from '../types.ts';
import type { Assembler } from './assembler.ts';

const WIDE: ReadonlySet<string> = new Set(['clock64', 'globaltimer', 'gridid']);
const NAMES: Readonly<Record<string, string>> = {
  clock_hi: 'clock.hi',
  cluster_ctarank: 'cluster.ctarank',
  cluster_nctarank: 'cluster.nctarank',
};

export function specialRegister(assembler: Assembler, name: string): Operand {
  const half = /^globaltimer_(lo|hi)$/.exec(name)?.[1];
  if (half) {
    const timer = specialRegister(assembler, 'globaltimer');
    const word = half === 'hi' ? assembler.binary('lshr', timer, assembler.int(I64, 32)) : timer;
    return assembler.add({ op: 'trunc', type: I32, a: word });
  }
  if (name === 'is_explicit_cluster') return assembler.int(I1, 0);
  const register = NAMES[name] ?? name.replace(/^lanemask_/, 'lanemask.').replace(/^cluster_(n?ctaid)/, 'cluster.$1');
  const callee = `llvm.nvvm.read.ptx.sreg.${register}`;
  if (!intrinsicOf(callee)) throw new UnsupportedIr(`the simulator does not support the PTX special register %${name}`);
  return assembler.call(callee, WIDE.has(name) ? I64 : I32, []);
}

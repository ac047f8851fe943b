import { describe, expect, it } from 'vitest';
import { demangle } from '../../simulator/toolchain/demangle.ts';

/** Mangled by nvcc 13; the signatures as Nsight Compute writes them, with template arguments in the place of T1, T2. */
const NAMES: readonly (readonly [mangled: string, signature: string])[] = [
  ['_Z12reduceAtomicPKiPii', 'reduceAtomic(const int *, int *, int)'],
  ['_Z12reduceModuloIi4PlusIiEEvPKT_PS2_i', 'void reduceModulo<int, Plus<int>>(const int *, int *, int)'],
  ['_Z12sharedStrideIdLi2EEvPT_', 'void sharedStride<double, 2>(double *)'],
  ['_Z8blellochILb1EEvPKiPi', 'void blelloch<true>(const int *, int *)'],
  ['_Z13sumSinglePassPKfPVfPfi', 'sumSinglePass(const float *, volatile float *, float *, int)'],
  ['_Z4ptrsPA4_iPPiPKPKiPFfS4_cE', 'ptrs(int (*)[4], int **, const int *const *, float (*)(const int *, char))'],
  ['_Z3varIJiPfPKcEEvDpT_', 'void var<int, float *, const char *>(int, float *, const char *)'],
  ['_Z3varIJEEvDpT_', 'void var<>()'],
  ['_Z2fpIXadL_Z3idfiEEEvi', 'void fp<&idf>(int)'],
  ['_Z2oiIifEvN5OuterIT_E5InnerIT0_EES2_S2_', 'void oi<int, float>(Outer<int>::Inner<float>, Outer<int>, Outer<int>)'],
  ['_Z3litILc120ELj4ELln3EEv6float4S0_4dim3', "void lit<'x', 4, -3>(float4, float4, dim3)"],
  ['_ZN12_GLOBAL__N_14anonEPi', '(anonymous namespace)::anon(int *)'],
  ['_Z5applyIZ4mainEUliE_EvT_i', 'void apply<main::{lambda(int)#1}>(main::{lambda(int)#1}, int)'],
  [
    '_ZN1a1b1kIfLi3ELb1ELNS0_4ModeE1EEEvNS0_1VIT_EENS5_2InERAT0__KS4_PS4_PKPS7_',
    'void a::b::k<float, 3, true, (a::b::Mode)1>(a::b::V<float>, a::b::V<float>::In, const float (&)[3], float *, const float *const *)',
  ],
  ['_ZSt9exception', 'std::exception'],
];

describe('demangle', () => {
  for (const [mangled, signature] of NAMES) it(signature, () => expect(demangle(mangled)).toBe(signature));

  it('gives back what it cannot read', () => {
    expect(demangle('main')).toBe('main');
    expect(demangle('_ZN1aIXsrSt7is_sameE5valueEEvv')).toBe('_ZN1aIXsrSt7is_sameE5valueEEvv');
  });

  it('survives every name cut short', () => {
    for (const [mangled] of NAMES)
      for (let length = 0; length < mangled.length; length++) expect(typeof demangle(mangled.slice(0, length))).toBe('string');
  });
});

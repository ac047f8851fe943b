/**
 * What instructions cost, by class: the one table that predication, unrolling, the analyzers' estimates of bodies, the clock of simulated
 * launches and the ranking of lines read. Counts of instructions are what nvcc 13 -O3 -arch=sm_90 makes of an operation (nvdisasm).
 * What is marked as a rule of thumb has no source but experience.
 */

/** What a machine instruction, or the few that an operation becomes, keeps busy. */
export type InstructionClass =
  /** No instruction: a renaming of registers, or a part of another instruction. */
  | 'none'
  /** One instruction of the integer or floating-point units. */
  | 'simple'
  /** Addition, comparison or logic on 64-bit integers. */
  | 'wide'
  | 'wideProduct'
  /** Integer division by a constant that is a power of two, unsigned and signed. */
  | 'shiftDivision'
  | 'signedShiftDivision'
  /** By another constant: a multiplication by the reciprocal. */
  | 'constantDivision'
  | 'wideConstantDivision'
  /** By a value: a sequence that estimates the reciprocal in floating point. */
  | 'division'
  | 'wideDivision'
  | 'halfDivision'
  | 'floatDivision'
  | 'doubleDivision'
  /** One instruction that only NVVM's intrinsics give. None was among the bodies read for predication: they are taken to be branched around. */
  | 'rare'
  /** Function of the mathematics library, or a special function with its range reduction; those with a name have their own prices. */
  | 'function'
  /** Fast variants such as __sinf: one visit of the special function unit. */
  | 'fastFunction'
  /** Reads a special register. */
  | 'register'
  /** Lanes of a warp exchange values: SHFL, VOTE, MATCH, REDUX. */
  | 'exchange'
  | 'barrier'
  | 'fence'
  /** Calls, copies of memory, traps. */
  | 'call';

export interface InstructionPrice {
  readonly instructions: number;
  /** Has a slow path of its own, a call or a loop, or was always branched around: what contains it is not predicated. */
  readonly branches: boolean;
}

export interface Prices {
  readonly classes: Readonly<Record<InstructionClass, InstructionPrice>>;
  /** Single-precision functions by their plain names (`sqrt` for `sqrtf`). */
  readonly functions: ReadonlyMap<string, InstructionPrice>;
  /** Double precision takes so many times the instructions, and branches; the estimate of time knows better: `doubleFunctions`. */
  readonly doubleFunctionFactor: number;
  /** Double-precision functions by their plain names: instructions on the way that ordinary arguments take, and of these double-precision ones. */
  readonly doubleFunctions: ReadonlyMap<string, { readonly instructions: number; readonly fp64: number }>;
  /** What `__expf` and the like become, by the name without `__` and `f`: instructions, and of these visits of the special function unit. */
  readonly fastFunctions: ReadonlyMap<string, { readonly instructions: number; readonly special: number }>;
  /** What the slow paths of divisions, roots and functions take besides (names: simulator/ir/intrinsics/slow-paths.ts). */
  readonly slowPaths: ReadonlyMap<string, SlowPathPrice>;
  /** Bytes that one instruction moves at most. */
  readonly transferBytes: number;
  readonly predication: PredicationLimits;
  /** Iterations that compilers write out, and that stand for an unknown number. */
  readonly unrolledRounds: number;
  /** Warp instructions that one multiprocessor issues per clock. */
  readonly issuesPerClock: number;
  /** From a launch to its first instruction. */
  readonly launchNs: number;
  /** Cycles that one of these keeps a multiprocessor's pipes busy. */
  readonly busyCycles: { readonly warpInstruction: number; readonly sharedWavefront: number; readonly globalSector: number };
}

export interface SlowPathPrice {
  readonly instructions: number;
  /** Of a warp by itself. */
  readonly cycles: number;
}

export interface PredicationLimits {
  /** Instructions of all sides up to which a branch is mostly predicated, and above which it mostly is not. */
  readonly mostlyPredicated: number;
  readonly mostlyBranched: number;
  /** Of one side, with several loads from global memory in it, which wait together, or with one in a loop. */
  readonly withLoads: number;
  /** Blocks that a branch goes around: further conditions, as `&&` makes them. */
  readonly blocks: number;
  /** Instructions of one such condition, its branch included. Rule of thumb: what NVVM makes one of in the programs read. */
  readonly condition: number;
}

const straight = (instructions: number): InstructionPrice => ({ instructions, branches: false });
const branching = (instructions: number): InstructionPrice => ({ instructions, branches: true });

/** Compute capability 9.0; used for all others until somebody reads their machine code. */
export const SM_90: Prices = {
  classes: {
    none: straight(0),
    simple: straight(1),
    wide: straight(2),
    wideProduct: straight(4),
    shiftDivision: straight(1),
    signedShiftDivision: straight(3),
    constantDivision: straight(4),
    wideConstantDivision: straight(12),
    division: straight(18),
    wideDivision: branching(40),
    halfDivision: straight(4),
    // A reciprocal with refinement; denormal operands take a slow path behind a call.
    floatDivision: branching(9),
    doubleDivision: branching(12),
    // Rule of thumb: about what functions without a price of their own take.
    function: branching(20),
    fastFunction: straight(3),
    rare: branching(1),
    register: branching(1),
    exchange: branching(1),
    barrier: branching(1),
    fence: branching(1),
    // Rule of thumb: passing arguments and coming back.
    call: branching(20),
  },
  functions: new Map(
    Object.entries({
      sqrt: branching(9),
      rsqrt: straight(3),
      cbrt: straight(12),
      exp: straight(8),
      exp2: straight(4),
      exp10: straight(10),
      expm1: straight(20),
      log: straight(18),
      log2: straight(5),
      log10: straight(20),
      log1p: straight(20),
      pow: branching(60),
      sin: branching(30),
      cos: branching(30),
      tan: branching(40),
      tanh: branching(16),
      sinh: branching(25),
      cosh: straight(14),
      asin: branching(20),
      acos: branching(20),
      atan: straight(16),
      atan2: branching(30),
      erf: branching(25),
      erfc: branching(40),
      fmod: branching(30),
      remainder: branching(30),
      hypot: branching(14),
      tgamma: branching(80),
      lgamma: branching(80),
      frcp_rn: branching(7),
      fsqrt_rn: branching(9),
      fdiv_rn: branching(9),
    }),
  ),
  // Rule of thumb: seen in a handful of functions.
  doubleFunctionFactor: 2,
  // The longest way through the machine code that nvcc 13 -O3 -arch=sm_90 makes of one call, without calls of slow paths and loops.
  doubleFunctions: new Map(
    Object.entries({
      sqrt: { instructions: 16, fp64: 8 },
      rsqrt: { instructions: 13, fp64: 5 },
      cbrt: { instructions: 42, fp64: 13 },
      exp: { instructions: 55, fp64: 17 },
      exp2: { instructions: 55, fp64: 18 },
      exp10: { instructions: 62, fp64: 19 },
      expm1: { instructions: 64, fp64: 19 },
      log: { instructions: 80, fp64: 30 },
      log2: { instructions: 86, fp64: 32 },
      log10: { instructions: 86, fp64: 32 },
      log1p: { instructions: 84, fp64: 31 },
      pow: { instructions: 190, fp64: 82 },
      sin: { instructions: 44, fp64: 16 },
      cos: { instructions: 44, fp64: 16 },
      sincos: { instructions: 75, fp64: 22 },
      tan: { instructions: 82, fp64: 31 },
      tanh: { instructions: 67, fp64: 21 },
      sinh: { instructions: 92, fp64: 30 },
      cosh: { instructions: 60, fp64: 21 },
      asin: { instructions: 77, fp64: 27 },
      acos: { instructions: 77, fp64: 26 },
      atan: { instructions: 82, fp64: 28 },
      atan2: { instructions: 113, fp64: 39 },
      erf: { instructions: 123, fp64: 42 },
      erfc: { instructions: 160, fp64: 62 },
      hypot: { instructions: 44, fp64: 15 },
      tgamma: { instructions: 240, fp64: 112 },
    }),
  ),
  // MUFU with the products around it (PTX ISA, "ex2.approx" and its like), and a comparison and two predicated products where they keep
  // denormal numbers.
  fastFunctions: new Map(
    Object.entries({
      sin: { instructions: 2, special: 1 },
      cos: { instructions: 2, special: 1 },
      tan: { instructions: 7, special: 3 },
      exp: { instructions: 5, special: 1 },
      exp10: { instructions: 5, special: 1 },
      log: { instructions: 5, special: 1 },
      log2: { instructions: 4, special: 1 },
      log10: { instructions: 5, special: 1 },
      pow: { instructions: 9, special: 2 },
      tanh: { instructions: 1, special: 1 },
      fdivide: { instructions: 5, special: 1 },
    }),
  ),
  // Measured on an H200 (test/fixtures/hardware/h200-waits.json, arithmetic): what one warp takes longer, and 32 warps on each multiprocessor,
  // where all lanes take the path. Quotients are those with a zero above, the most frequent; others take 140 to 360 cycles more, NaN 140;
  // roots are between zero (89) and tiny numbers (181).
  slowPaths: new Map(
    Object.entries({
      quotient: { instructions: 42, cycles: 204 },
      slope: { instructions: 42, cycles: 204 },
      reciprocal: { instructions: 21, cycles: 107 },
      root: { instructions: 18, cycles: 110 },
      wideQuotient: { instructions: 75, cycles: 275 },
      wideReciprocal: { instructions: 75, cycles: 275 },
      wideRoot: { instructions: 21, cycles: 145 },
    }),
  ),
  // LDG.128 and STG.128 (PTX ISA, "ld": .v4 of 32 bits).
  transferBytes: 16,
  // In the machine code of 111 programs, 33 of 150 `if`s with straight sides of at most 8 instructions had a branch on their line, 6 of 10
  // of them with an `if` or `?:` inside; 19 of 28 with 9 to 14, 34 of 45 with more; 94 of 97 with a side that cannot be predicated. Lanes
  // that may exit do so: 3 of 51 were branches. Bodies of one block in the reference programs are predicated up to 7 instructions and
  // branched around from 8 on; estimates are off by an instruction or two.
  predication: { mostlyPredicated: 8, mostlyBranched: 14, withLoads: 20, blocks: 6, condition: 5 },
  // Rule of thumb.
  unrolledRounds: 8,
  // One by each of four schedulers (NVIDIA H100 Tensor Core GPU Architecture, white paper, "H100 SM Architecture").
  issuesPerClock: 4,
  // Measured with empty kernels on an H200: about 2,000.
  launchNs: 2000,
  // Rule of thumb, for ranking alone: one multiprocessor's share of L2's bandwidth is taken to be 16 bytes per cycle.
  busyCycles: { warpInstruction: 1, sharedWavefront: 1, globalSector: 2 },
};

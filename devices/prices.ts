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
  /** Double precision takes so many times the instructions, and branches. */
  readonly doubleFunctionFactor: number;
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

export interface PredicationLimits {
  /** Instructions of all sides up to which a branch is mostly predicated, and above which it mostly is not. */
  readonly mostlyPredicated: number;
  readonly mostlyBranched: number;
  /** One of two sides with nothing after them. */
  readonly smallLastSide: number;
  /** Blocks that a branch goes around: ifs within an if, as `&&` makes them. */
  readonly blocks: number;
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
  // LDG.128 and STG.128 (PTX ISA, "ld": .v4 of 32 bits).
  transferBytes: 16,
  // In the machine code of 111 programs, 33 of 150 `if`s with straight sides of at most 8 instructions had a branch on their line, 6 of 10
  // of them with an `if` or `?:` inside; 19 of 28 with 9 to 14, 34 of 45 with more; 94 of 97 with a side that cannot be predicated. Lanes
  // that may exit do so: 3 of 51 were branches. Bodies of one block in the reference programs are predicated up to 7 instructions and
  // branched around from 8 on; estimates are off by an instruction or two.
  predication: { mostlyPredicated: 8, mostlyBranched: 14, smallLastSide: 8, blocks: 6 },
  // Rule of thumb.
  unrolledRounds: 8,
  // One by each of four schedulers (NVIDIA H100 Tensor Core GPU Architecture, white paper, "H100 SM Architecture").
  issuesPerClock: 4,
  // Measured with empty kernels on an H200: about 2,000.
  launchNs: 2000,
  // Rule of thumb, for ranking alone: one multiprocessor's share of L2's bandwidth is taken to be 16 bytes per cycle.
  busyCycles: { warpInstruction: 1, sharedWavefront: 1, globalSector: 2 },
};

/**
 * What instructions cost, by class: the one table that predication, the analyzers' estimates of bodies, the clock of simulated launches
 * and the ranking of lines read. Counts of instructions are what nvcc 13 -O3 -arch=sm_90 makes of an operation (nvdisasm); other
 * architectures have not been read, so all devices share them. What is marked as a rule of thumb has no source but experience.
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
  /** Has a slow path of its own, a call or a loop, or stands for itself: what contains it is not predicated. */
  readonly branches: boolean;
}

const straight = (instructions: number): InstructionPrice => ({ instructions, branches: false });
const branching = (instructions: number): InstructionPrice => ({ instructions, branches: true });

/** Read from machine code where nothing else is said. */
export const PRICES: Readonly<Record<InstructionClass, InstructionPrice>> = {
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
  // Rule of thumb: about what a function without a price of its own takes.
  function: branching(20),
  fastFunction: straight(3),
  // One instruction each; what contains them was branched around wherever it was read.
  rare: branching(1),
  register: branching(1),
  exchange: branching(1),
  barrier: branching(1),
  fence: branching(1),
  // Rule of thumb: passing arguments and coming back.
  call: branching(20),
};

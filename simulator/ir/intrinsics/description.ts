/** What the table says of each function that no module defines: LLVM's intrinsics, the mathematics library, the device runtime. */
import type { InstructionClass } from '../../../devices/prices.ts';
import type { MathFunction } from '../math/libdevice.ts';
import type { MemoryOrder, Operand, Type } from '../types.ts';
import type { Draft } from '../value-parser.ts';
import type { MatrixProduct } from './matrices.ts';
import type { Test } from './slow-paths.ts';

export interface Intrinsic {
  readonly effect: Effect;
  /** Whether lanes that compute it together get the same result: always, never, or where their operands are the same. */
  readonly result: 'uniform' | 'varying' | 'operands';
  /** Whom a lane may have to wait for. */
  readonly waits?: 'lanes' | 'block' | 'cluster' | 'grid';
  /** Keeps its operands' addresses, or passes them on. */
  readonly keepsPointers?: true;
  /** What the result, of so many bits, can be. */
  readonly range?: (bits: number) => { readonly low: number; readonly high: number };
  readonly cost: InstructionClass;
  readonly meaning: Meaning;
  /** Names the compiler's own code for the operation; other widths and vectors without it run lane by lane. */
  readonly code?: CodeKey;
}

/** What a call does besides giving a result. */
export type Effect =
  /** Nothing: the result depends on the operands, the launch and the thread alone. */
  | 'none'
  | 'reads'
  /** Writes memory, and may read it. */
  | 'writes'
  /** Lanes of a warp learn from each other. */
  | 'exchange'
  /** Threads meet and see what the others have written. */
  | 'barrier'
  /** Orders the thread's accesses to memory. */
  | 'fence'
  /** Nothing, but that those who look on are told. */
  | 'told'
  /** Lets others go on. */
  | 'pause'
  | 'clock'
  /** Changes how much of its stack the thread uses. */
  | 'stack'
  /** Ends the program. */
  | 'fault'
  /** Ends the thread. */
  | 'exit'
  | 'heap'
  | 'print'
  /** Starts other kernels, or asks about them. */
  | 'launch';

/** How an intrinsic is executed. Engines map each kind to what they do; a kind that one of them does not know is a compile error. */
export type Meaning =
  /** Says something to the compiler: the parser drops the call. */
  | { readonly kind: 'hint' }
  /** Gives back its first operand: the parser makes it a freeze. */
  | { readonly kind: 'identity' }
  /** The parser makes it a fence. */
  | { readonly kind: 'fence'; readonly order: MemoryOrder }
  /** The parser writes it out as instructions of the IR, which have their meaning and code already. */
  | { readonly kind: 'expression'; readonly arity: number; readonly of: Expression }
  /** Takes time and does nothing. */
  | { readonly kind: 'nothing'; readonly copies?: CopyOrder }
  /** Added by the compiler and emitted as its `code` says. */
  | { readonly kind: 'emitted' }
  /** Added by the compiler: a test of words of 32 bits. */
  | { readonly kind: 'test'; readonly test: Test }
  /** Added by the compiler: counts the branches that diverge where lanes take a slow path (i1), and some of them apart (i1). */
  | { readonly kind: 'innerBranch' }
  /** A function of each lane's integers, for each element of a vector. It takes the first `arity` operands. */
  | { readonly kind: 'integer'; readonly arity: 1 | 2 | 3; readonly operation: IntegerFunction }
  /** A function of each lane's numbers, of any format and for each element of a vector. */
  | { readonly kind: 'float'; readonly arity: 1 | 2 | 3; readonly operation: FloatFunction; readonly double?: FloatFunction }
  /** A function of each lane's scalars, which may be of different types. */
  | { readonly kind: 'scalar'; readonly run: MathFunction }
  /** Changes the sign bit alone: clears it, or takes the second operand's. */
  | { readonly kind: 'sign'; readonly of: 'none' | 'second' }
  /** Structure { wrapped result, overflow }. */
  | { readonly kind: 'overflow'; readonly signed: boolean; readonly operator: 'add' | 'sub' | 'mul' }
  | { readonly kind: 'classify' }
  | { readonly kind: 'saturatingCast'; readonly signed: boolean }
  | { readonly kind: 'reduceVector'; readonly combine: (bits: number, a: bigint, b: bigint) => bigint }
  | { readonly kind: 'register'; readonly register: Register }
  | { readonly kind: 'activeMask' }
  | { readonly kind: 'warpBarrier' }
  /** `word`: moves one word, and says of no lane whether its source was inside the segment. */
  | { readonly kind: 'shuffle'; readonly mode: ShuffleMode; readonly word: boolean }
  /** Before Volta there was no member mask: the active lanes vote. */
  | { readonly kind: 'vote'; readonly vote: 'all' | 'any' | 'uni' | 'ballot'; readonly withMask: boolean }
  | { readonly kind: 'match'; readonly all: boolean }
  | { readonly kind: 'reduceLanes'; readonly combine: (a: number, b: number) => number }
  | { readonly kind: 'matrixProduct'; readonly product: MatrixProduct }
  | ({ readonly kind: 'blockBarrier' } & BlockBarrier)
  | { readonly kind: 'gridBarrier' }
  /** Threads of a cluster arrive, and wait until all have. */
  | { readonly kind: 'clusterBarrier'; readonly part: 'arrive' | 'wait' }
  | { readonly kind: 'gridIsCooperative' }
  | { readonly kind: 'copyMemory' }
  | { readonly kind: 'fillMemory' }
  /** A load through the read-only path. Operands: pointer, alignment. */
  | { readonly kind: 'cachedLoad' }
  | { readonly kind: 'isInSpace'; readonly space: 'const' | 'global' | 'local' | 'shared' }
  | { readonly kind: 'saveStack' }
  | { readonly kind: 'restoreStack' }
  /** `because`: what the fault's message says. */
  | { readonly kind: 'trap'; readonly because: string }
  | { readonly kind: 'exit' }
  | { readonly kind: 'image'; readonly call: ImageCall }
  | { readonly kind: 'runtime'; readonly call: RuntimeCall };

/** What a thread says of its asynchronous copies: those before are a group; it waits for all but some groups (the operand), or for all. */
export type CopyOrder = 'commit' | 'wait' | 'wait all';

/** The function for one width. Integers are zero-extended: numbers (the bits of a 32-bit word) up to 32 bits, bigints above. */
export type IntegerFunction = (bits: number) => LaneFunction;
// biome-ignore lint/suspicious/noExplicitAny: numbers or bigints, by the width.
export type LaneFunction = (a: any, b?: any, c?: any) => number | bigint;
export type FloatFunction = (a: number, b: number, c: number) => number;

/** `add` adds an instruction before the call and gives its result; what is returned takes the call's place. */
export type Expression = (args: readonly Operand[], type: Type, add: (draft: Draft) => Operand) => Draft;

export type ShuffleMode = 'idx' | 'up' | 'down' | 'bfly';

export interface BlockBarrier {
  /** The first operand is the number of the barrier; without it is barrier 0. */
  readonly numbered: boolean;
  /** An operand says how many threads meet. */
  readonly counted: boolean;
  readonly reduction?: 'popc' | 'and' | 'or';
  /** Threads go on without waiting. */
  readonly arriveOnly: boolean;
  /** All threads of the block come to it together, whole warps at a time. */
  readonly together: boolean;
}

type Axis = 'x' | 'y' | 'z';
export type Register =
  | `${'tid' | 'ntid' | 'ctaid' | 'nctaid' | 'cluster.ctaid' | 'cluster.nctaid' | 'clusterid' | 'nclusterid'}.${Axis}`
  | `lanemask.${'eq' | 'lt' | 'le' | 'ge' | 'gt'}`
  | 'cluster.ctarank' | 'cluster.nctarank'
  | 'laneid' | 'warpsize' | 'warpid' | 'nwarpid' | 'smid' | 'nsmid' | 'gridid' | 'total_smem_size' | 'dynamic_smem_size'
  | Clock; // biome-ignore format: table
export type Clock = 'clock' | 'clock.hi' | 'clock64' | 'globaltimer';

/** What is asked of a texture or a surface. */
export type ImageCall = 'texture' | 'level' | 'surfaceRead' | 'surfaceWrite';

/** Functions that a device program calls from the runtime. */
export type RuntimeCall =
  | 'vprintf' | 'malloc' | 'free' | '__assertfail' | '__lanewise_no_function'
  | 'cudaGetParameterBuffer' | 'cudaLaunchDevice' | 'cudaGetLastError' | 'cudaPeekAtLastError' | '__lanewise_device_stream'; // biome-ignore format: table

/** Operations that the compiler emits, on scalars and mostly on vectors, instead of calling a function for each lane. */
export type CodeKey =
  | 'smin' | 'smax' | 'umin' | 'umax' | 'abs' | 'ctpop' | 'ctlz' | 'cttz'
  | 'fabs' | 'copysign' | 'round' | 'sqrt' | 'floor' | 'ceil' | 'trunc' | 'nearest' | 'fmin' | 'fmax'
  | 'bitreverse' | 'bswap' | 'fshl' | 'fshr' | 'uaddsat' | 'usubsat' | 'smulhigh' | 'umulhigh' | 'prmt'
  | 'exp' | 'exp2' | 'log' | 'log2' | 'rsqrt' | 'sin' | 'cos' | 'pow' | 'tanh'
  | 'fastExp' | 'fastExp10' | 'fastLog' | 'fastLog10' | 'fastSin' | 'fastCos' | 'fastPower' | 'fastQuotient'
  | 'fma' | 'flush' | 'highWord' | 'limitedAddress'; // biome-ignore format: table

/** An entry whose result depends on the operands alone. */
export function pure(meaning: Meaning, more: Partial<Intrinsic> = {}): Intrinsic {
  return { effect: 'none', result: 'operands', cost: 'simple', meaning, ...more };
}

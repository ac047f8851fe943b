/** What emitting code needs to know of the kernel around a function, and what it leaves behind for the host. */
import type { Instruction, IrFunction } from '../ir/types.ts';
import type { ResolveSymbol } from '../machine/constant-bytes.ts';
import type { AccessShape } from '../machine/request.ts';
import type { ChosenProbes, ProbePoint } from '../scheduling/probes.ts';
import type { Aggregation } from '../simt/atomics.ts';
import type { Callable } from './helper-parts.ts';
import type { MathHelpers } from './math-calls.ts';
import type { MemoryHelpers } from './memory-helpers.ts';
import type { WarpHelpers } from './warp-helpers.ts';
import type { ModuleBuilder } from './wasm-encoder.ts';

/** An operand or result of an instruction that the host executes: where in the frame its 32 lanes lie. */
export interface HostValue {
  readonly operand: 'argument' | 'result';
  /** Number of the operand as in `operandsOf`, or of the result's scalar. */
  readonly index: number;
  readonly component: number;
  readonly slot: number;
  readonly wide: boolean;
}

/** An instruction that the host executes for the lanes of a warp. */
export interface HostStep {
  readonly fn: IrFunction;
  readonly instruction: Instruction;
  readonly values: readonly HostValue[];
}

/** Something that the host tells when compiled code comes to it. */
export interface EmittedProbe {
  readonly point: ProbePoint;
  /** The instruction as the module has it, and its function. */
  readonly function: string;
  readonly instruction: Instruction;
  /** The lanes of the point's operands. */
  readonly operand: ProbeOperand | undefined;
  readonly length: ProbeOperand | undefined;
  readonly more: readonly ProbeOperand[];
  /** Offset in a worker's area of what is remembered of how an access's lanes lie (PROBE_MEMO). */
  readonly memos: number | undefined;
}

/** Where in the frame the lanes are, or what all of them have. */
export type ProbeOperand = ({ readonly slot: number } | { readonly bits: bigint }) & { readonly wide: boolean };

/** What tells the host. */
export interface ProbeImports {
  /** (frame, mask, number of the probe) */
  readonly probe: Callable;
  /** (frame, mask, number of the memo among those of all probes, address of the first lane): an access whose lanes lie as known. */
  readonly known: Callable;
  /** (frame, mask, number of the probe, address): of lanes that are in one place. */
  readonly same: Callable;
  /** (frame, number of the probe): all lanes of a warp meet that name all. */
  readonly whole: Callable;
}

/** A piece of code that a path can be at the start of. */
export interface CodeUnit {
  readonly instructions: readonly Instruction[];
  /** The instruction at its end at which lanes may have to wait for others; the next unit goes on behind it. */
  readonly pause?: HostStep;
}

export interface MemorySite extends AccessShape {
  /** Offset of its record in a worker's area. */
  readonly record: number;
  readonly fn: IrFunction;
  readonly instruction: Instruction;
  /** For an atomic: whether the lanes of a warp are combined first. */
  readonly aggregation: Aggregation | undefined;
  /** The atomic counts up by one and gives back nothing. */
  readonly countsUp: boolean;
}

export interface KernelContext {
  /** Offset in a worker's area of what a branch that parts a path leaves there; undefined for kernels that do not run path by path. */
  readonly parting: number | undefined;
  readonly resolve: ResolveSymbol;
  readonly helpers: MemoryHelpers;
  readonly warpHelpers: WarpHelpers;
  readonly mathHelpers: MathHelpers;
  readonly imports: {
    readonly host: Callable;
    readonly checkpoint: Callable;
    readonly turn: Callable;
    readonly reduceAdd: Callable;
    readonly parted: Callable;
    readonly unreachable: Callable;
    /** Undefined in a kernel without probes. */
    readonly probes: ProbeImports | undefined;
    /** The barrier of a block opens; undefined in a kernel whose meetings nobody asks for. */
    readonly opened: Callable | undefined;
  };
  /** Sites of accesses that must wait until all blocks before have ended. */
  readonly inTurn: ReadonlySet<number>;
  /** Lanes that load from one address get one value. */
  readonly loadIsUniform: (load: Instruction) => boolean;
  /** Offset in each lane's local memory of what a load reads, if that is the same in all lanes and nothing writes to it. */
  structureOffset(load: Instruction): number | undefined;
  /** Offset in a worker's area of a kernel parameter's component. */
  parameterOffset(fn: IrFunction, id: number, component: number): number;
  blockRow(fn: IrFunction, block: number): number;
  /** Offset in a worker's area of how many branches inside the instruction of a site have diverged, and how often lanes took the slow path (64 bits each). */
  innerBranchCount(site: number, reads: number): number;
  site(fn: IrFunction, instruction: Instruction): MemorySite;
  addStep(step: HostStep): number;
  /** Probes that the code has to tell. */
  readonly chosen: ChosenProbes;
  addProbe(probe: EmittedProbe): number;
  /** Offset of so many bytes of a worker's area, which are zero at first. */
  reserve(bytes: number): number;
  /** The function of a name in the module, made when it is asked for first. */
  sharedFunction(name: string, make: (module: ModuleBuilder) => Callable): Callable;
  /** The module defines the function. */
  isDefined(name: string): boolean;
  /** Address of a variable in local memory. */
  allocaAddress(fn: IrFunction, instruction: Instruction): number;
}

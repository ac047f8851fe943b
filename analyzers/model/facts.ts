/**
 * What rules may ask. This is the whole interface between the model and the rules: no syntax tree, only facts and places in the source.
 *
 * Writing a rule:
 *  - `defineRule` (rules/define-rule.ts) takes `detect(kernel, file)`, called once per kernel *variant*, and/or `detectFile(file)`, called
 *    once per file. A variant is a kernel with template arguments and block dimensions fixed, as one launch in the file fixes them;
 *    a kernel without a launch in the file has one variant of assumed shape. Findings of several variants at one place are merged. Of more
 *    than eight, those are looked at that show each template argument and each shape (variants.ts).
 *  - Device functions are inlined: their facts appear in the kernel's lists, `place` being in the device function and `callSite` in the
 *    kernel. Lists are in program order; `order` is comparable across lists.
 *  - A loop's body appears once (not unrolled). `control` says under which branches and loops a fact stands.
 *  - Numbers about a warp (`sectors`, `ways`, `lanes`) come from evaluating the expression for the 32 lanes of representative warps,
 *    with symbols of unknown value (parameters, blockIdx, loop counters) set to several values; what does not hold for all of them is
 *    undefined. So: `undefined` means unknown, and a rule keeps silent.
 *  - Hardware numbers come from shared measurements, cited where they stand.
 */
import type { Place } from '../syntax/source.ts';

export interface KernelFacts {
  readonly name: string;
  /** The whole definition. */
  readonly place: Place;
  readonly namePlace: Place;
  readonly launches: readonly LaunchFacts[];
  readonly variants: readonly VariantFacts[];
  /** Instantiations and shapes that the file launches, too, but that are not looked at by themselves. */
  readonly otherVariants: number;
  /** From `__launch_bounds__`. */
  readonly maxThreadsPerBlock?: number;
}

export interface Dim3Facts {
  readonly x?: number;
  readonly y?: number;
  readonly z?: number;
}

/** One kernel with template arguments and block shape fixed. */
export interface VariantFacts {
  readonly kernel: KernelFacts;
  readonly name: string;
  /** `transposeTile<0>` when the file launches several instantiations, the plain name otherwise. */
  readonly label: string;
  /** Launches of exactly this variant; empty when the file has none. */
  readonly launches: readonly LaunchFacts[];
  readonly cooperative: 'yes' | 'no' | 'unknown';
  /** Known from launches, or assumed: 256 × 1 × 1, or 32 × 8 where the kernel uses y. */
  readonly block: { readonly x: number; readonly y: number; readonly z: number };
  readonly blockKnown: boolean;
  readonly grid: Dim3Facts;
  readonly parameters: readonly ParameterFacts[];
  readonly branches: readonly BranchFacts[];
  readonly loops: readonly LoopFacts[];
  /** Loads and stores of global, shared, local and constant memory, atomics excluded. */
  readonly accesses: readonly AccessFacts[];
  readonly atomics: readonly AtomicFacts[];
  readonly barriers: readonly BarrierFacts[];
  readonly fences: readonly FenceFacts[];
  readonly shuffles: readonly ShuffleFacts[];
  /** Of random numbers, the next of a generator. */
  readonly generatorCalls: readonly GeneratorCallFacts[];
  /** Every call that is not one of the above: math, printf, unknown functions, device functions that were inlined. */
  /** `/` and `%` on integers. */
  readonly divisions: readonly DivisionFacts[];
  /** Products of 32 bits that become integers of 64 bits where they stand: where they are too large, they have wrapped around. */
  readonly widenings: readonly WideningFacts[];
  readonly literals: readonly LiteralFacts[];
  readonly arrays: readonly ArrayFacts[];
  /** `return` before the end, and `break`/`continue`. */
  /** Grids launched by this kernel. */
  readonly childLaunches: readonly ChildLaunchFacts[];
  /** Shared memory written by one thread and read by another, in either order, with no barrier between. */
  readonly hazards: readonly HazardFacts[];
  /** Counters in shared memory that threads set, or read, while others count. */
  readonly unorderedCounts: readonly UnorderedCountFacts[];
  /** Two threads of a block that write different values to one place, or one writes and another reads global memory, between the same barriers. */
  readonly conflicts: readonly ConflictFacts[];
  /** Global memory that one block writes and another one reads, with nothing that orders the two. */
  readonly blockConflicts: readonly BlockConflictFacts[];
  /** Arrays of structures in global memory whose neighbouring elements belong to neighbouring threads. */
  readonly structureArrays: readonly StructureArrayFacts[];
  /** Loops that combine rows of one array with columns of another, straight from global memory. */
  readonly products: readonly ProductFacts[];
  /** Accesses that surely leave their shared or local array in some thread of the block. */
  readonly outside: readonly OutsideFacts[];
  /** Accesses that surely leave the memory that a launch gives the kernel, the first of each array. */
  readonly pastTheEnd: readonly PastTheEndFacts[];
  /** Elements that the kernel's guard lets through and no thread of the grid has. */
  readonly missed?: MissedFacts;
  /** Shared bytes of static arrays; undefined when one has an unknown size. */
  readonly staticSharedBytes?: number;
  /** Something in the body was not understood (unknown function with pointers, asm, goto). */
  readonly incomplete: boolean;
}

export interface HazardFacts {
  readonly write: { readonly place: Place; readonly order: number; readonly object: ObjectFacts };
  readonly read: AccessFacts;
  /** Threads of different warps meet, or lanes of one warp only. */
  readonly scope: 'block' | 'warp';
  /** What comes first in the order of the text, or of iterations. */
  readonly first: 'write' | 'read';
  /** The second access happens in the next iteration of a loop around both. */
  readonly nextIteration: boolean;
}

export interface UnorderedCountFacts {
  readonly access: AccessFacts;
  /** Data chooses the element. */
  readonly atomic: { readonly place: Place; readonly name: string };
  readonly first: 'access' | 'atomic';
}

export interface ConflictFacts {
  readonly write: AccessFacts;
  /** May be the write itself, by another thread. */
  readonly other: AccessFacts;
  /** Indices of the two threads. */
  readonly threads: readonly [write: Dim3Facts, other: Dim3Facts];
}

export interface BlockConflictFacts {
  readonly write: AccessFacts;
  readonly read: AccessFacts;
  /** Their numbers in the grid. */
  readonly blocks: readonly [write: number, read: number];
}

export interface StructureArrayFacts {
  readonly object: ObjectFacts;
  readonly structure: TypeFacts;
  /** Those in which lanes are one structure apart, in program order. */
  readonly accesses: readonly AccessFacts[];
  /** Names of the fields that are moved by themselves, wherever in the array. */
  readonly fields: readonly string[];
  /** Bytes of a structure that are moved in all of the kernel; undefined where an access to the array is not understood. */
  readonly usedBytes?: number;
  /** So much of each structure that what one field's request fetches is of use to the next one's. */
  readonly mostlyUsed: boolean;
}

/** Without `counts`: unless the number of elements is a multiple of the block's width. */
export interface MissedFacts {
  readonly guard: BranchFacts;
  readonly counts?: { readonly threads: number; readonly elements: number };
}

export interface OutsideFacts {
  readonly access: AccessFacts;
  /** The element that the thread asks for, counted from 0 over all dimensions, and how many there are. */
  readonly element: number;
  readonly elements: number;
  /** Instead, where the access does not fall on whole elements: those it asks for, and how many there are. */
  readonly bytes?: { readonly first: number; readonly last: number; readonly count: number };
  readonly thread: { readonly x: number; readonly y: number; readonly z: number };
}

export interface PastTheEndFacts extends OutsideFacts {
  readonly block: OutsideFacts['thread'];
  /** A parameter with the number of elements, and the guard that lets one too many through. */
  readonly count?: string;
  readonly guard?: { readonly place: Place; readonly text: string };
}

export interface ProductFacts {
  readonly loop: LoopFacts;
  /** With the number of threads of a block that load each element; the first one is loaded at least as often. */
  readonly operands: readonly { readonly access: AccessFacts; readonly times: number }[];
}

export interface ParameterFacts {
  readonly name: string;
  readonly type: TypeFacts;
  readonly place: Place;
  /** Same value in all launches of the variant. */
  readonly value?: number;
}

export interface TypeFacts {
  /** As written, aliases resolved: `float4`, `Particle`, `const float *`. */
  readonly name: string;
  readonly kind: 'integer' | 'float' | 'bool' | 'pointer' | 'struct' | 'void' | 'unknown';
  /** Bytes; undefined when unknown. Pointers are 8. */
  readonly size?: number;
  /** Bytes to whose multiples it is aligned. */
  readonly align: number;
  /** Of a structure, those bytes that are not padding. */
  readonly dataBytes?: number;
  readonly unsigned: boolean;
  /** For a pointer or array: the element. */
  readonly element?: TypeFacts;
  /** One of CUDA's vector types. */
  readonly vector: boolean;
  readonly volatile: boolean;
  readonly isConst: boolean;
}

/** Which threads surely agree on a value: all of the grid, of a block, of a warp, or none (`lane`). */
export type Uniformity = 'constant' | 'grid' | 'block' | 'warp' | 'lane';

export interface ValueFacts {
  readonly text: string;
  readonly place: Place;
  readonly uniformity: Uniformity;
  /** Depends on something loaded from memory or returned by an atomic. */
  readonly fromMemory: boolean;
  /** Depends on something the model does not understand. */
  readonly unknown: boolean;
  /** Depends on blockIdx. */
  readonly perBlock: boolean;
  /** Warps of one block disagree, although each may agree in itself. */
  readonly splitsBlock: boolean;
  /** Outermost operation, where there is one: `<`, `==`, `&&`, `%`, … */
  readonly operator?: string;
  /** Value when it is a compile-time constant (in this variant). */
  readonly constant?: number;
  /** Values in the 32 lanes of the first warp when they depend on nothing but threadIdx, block dimensions and constants. */
  readonly lanes?: readonly number[];
  readonly type: TypeFacts;
}

/** Where in the control flow a fact stands. */
export interface ControlFacts {
  /** Enclosing branches with the side taken, outermost first. After `if (c) return;` the rest stands under `c` with side `else`. */
  readonly branches: readonly { readonly branch: BranchFacts; readonly side: 'then' | 'else' }[];
  /** Enclosing loops, outermost first. */
  readonly loops: readonly LoopFacts[];
  /** Lanes of the first warp that get here, in a typical iteration; undefined when it depends on unknown values. */
  readonly activeLanes?: number;
  /** One thread of a block at most, one of a warp at most (`if (threadIdx.x == 0)`). */
  readonly oneThreadPerBlock: boolean;
  readonly oneThreadPerWarp: boolean;
  /** Under a side of a branch on data, which has taken the warp apart already. */
  readonly dividedByData: boolean;
  /** A condition on blockIdx other than a bounds guard stands around it: it may choose one block. */
  readonly choosesBlocks: boolean;
  /** One of them compares the index with one number. */
  readonly choosesOneBlock: boolean;
}

interface Located {
  readonly place: Place;
  /** Program order across all lists of a variant. */
  readonly order: number;
  readonly control: ControlFacts;
  /** Name of the function whose text holds it; differs from the kernel's for inlined device functions. */
  readonly functionName: string;
  /** The call in the kernel's own text, for inlined code. */
  readonly callSite?: Place;
  /** Block barriers passed before this point in program order (a barrier in a loop counts once): equal epochs are unordered. */
  readonly epoch: number;
}

/** `exit`: lanes leave the kernel here instead of waiting, which the hardware does not count as divergence. */
export type Predication = 'yes' | 'maybe' | 'no' | 'exit';

export interface BranchFacts extends Located {
  readonly kind: 'if' | 'switch' | 'conditional' | 'loop-exit' | 'logical';
  readonly condition: ValueFacts;
  /** `if (...)` without the bodies. */
  readonly headPlace: Place;
  /** Bounds guard, whole warps, or one that splits: see `split`. */
  readonly splits: BranchSplit;
  /** How much a side costs, in estimated machine instructions; `else` is 0 when there is none, and what the others do where lanes leave. */
  readonly thenCost: number;
  readonly elseCost: number;
  /** A side contains what cannot be predicated: a loop, a barrier, an atomic, a call or a function with a slow path. */
  readonly thenHeavy: boolean;
  readonly elseHeavy: boolean;
  /** `return`, `break` or `continue` is all that the `then` side does. */
  readonly exits?: 'return' | 'break' | 'continue';
  /** How each side surely leaves, wherever in it. */
  readonly leaves?: 'return' | 'break' | 'continue';
  readonly otherLeaves?: 'return' | 'break' | 'continue';
  /** The then side has a loop. */
  readonly loopInside: boolean;
  /** The condition asks for y or z of a thread, and the block's shape is not known but assumed. */
  readonly hangsOnAssumedShape: boolean;
  /** One thread of the block runs a loop on the then side, of many iterations or an unknown number. */
  readonly serialLoop: boolean;
  /** Body of the then side has a block barrier. */
  readonly barrierInside: boolean;
  /** The compiler makes predicated instructions or an EXIT of it: no lane waits for another. An estimate, so there is a `maybe`. */
  readonly predicated: Predication;
  /** The loads and other sources of data that the condition hangs on, where lanes differ. */
  readonly decidedBy: readonly number[];
  /** Some of the data is each lane's own, from where its thread index alone says. */
  readonly dataByThread: boolean;
  /** The data is of global memory that the kernel only reads: no lock, and nobody is elected by it. */
  readonly byConstantData: boolean;
  /** Values from memory are compared with each other: neighbouring lanes go the same way by chance alone. */
  readonly comparesData: boolean;
  /** Tests for what data rarely is: not a number, infinite, nearly zero, outside of a range or, on the way out, negative; or counts errors. */
  readonly exceptional: boolean;
}

/**
 * How a condition divides warps.
 *  - `none`: uniform in every warp, or true for (nearly) all as a bounds guard is
 *  - `leader`: one lane of a warp (`lane == 0`), or only one warp of a block is split
 *  - `lanes`: known from thread indices; `levels` says how many lanes take the then side
 *  - `edge`: a place in the block against a limit that is known at run time only: a warp of every block is split, mostly
 *  - `rows`: hangs on a place in a row whose length is known at run time only: warps that hold an edge of a row are split
 *  - `data`: depends on loaded data; `unknown`: not understood
 */
export interface BranchSplit {
  readonly kind: 'none' | 'guard' | 'edge' | 'leader' | 'lanes' | 'rows' | 'data' | 'unknown';
  /** Per iteration of the innermost loop that the condition depends on (one entry otherwise). */
  readonly levels?: readonly SplitLevel[];
}

/** Iterations of a loop that are looked at, from the first one on. */
export const MAX_LEVELS = 12;

export interface SplitLevel {
  /** Warps of a block that come there, those with both sides taken, and lanes on the then side of the first split warp. */
  readonly warps: number;
  readonly splitWarps: number;
  readonly thenLanes: number;
  /** All warps of the block. */
  readonly ofBlock: number;
  /** Those for whom the condition holds, of a switch its first case that is taken, and all others that come there. */
  readonly passing: SideTakers;
  readonly others: SideTakers;
  /** Of a switch: ways that lanes of one warp go, at most. */
  readonly ways?: number;
  /** Lanes of the first split warp that come to the condition, and those on the then side: lane 0 in the lowest bit. */
  readonly masks?: { readonly active: number; readonly then: number };
  readonly label?: string;
}

/** Threads of a block that take a side, and warps that hold one of them. */
export interface SideTakers {
  readonly threads: number;
  readonly warps: number;
}

export interface LoopFacts extends Located {
  readonly kind: 'for' | 'while' | 'do';
  readonly headPlace: Place;
  readonly headText: string;
  readonly condition?: ValueFacts;
  /** Constant trip count. */
  readonly trips?: number;
  /** Goes on for as long as the size of blocks, or of the grid, says. */
  readonly hangsOnShape: boolean;
  /** Trip count differs between lanes of a warp: by thread index, by data, by what each lane computes in the loop, not, or unknown. */
  readonly divergence: 'none' | 'guard' | 'lanes' | 'data' | 'computed' | 'unknown';
  /** Of `computed`, where the loop's own condition is the same for all lanes: the test by which they leave it. */
  readonly leftAt?: Place;
  /** Smallest and largest number of trips in a warp, and what its lanes take on average, for `lanes`: where no launch chooses them. */
  readonly laneTrips?: readonly [number, number];
  readonly meanTrips?: number;
  /** The same of all warps of the block in the mean, where they are not all like the first one. */
  readonly ofBlock?: { readonly laneTrips: readonly [number, number]; readonly meanTrips: number };
  /** Its counter goes up to, or down to, what no iteration changes, so that the number of trips is known when it begins: to loaded data, or else. */
  readonly counted: 'no' | 'data' | 'other';
  /** Rounds that a condition around it allows: 31 in the `else` of `if (end - begin >= 32)`. */
  readonly mostTrips?: number;
  /** It begins at what is loaded, and ends at something else. */
  readonly fromData: boolean;
  /**
   * Steps by a whole warp, block or grid: `i += 32`, `i += blockDim.x`, `i += gridDim.x * blockDim.x`; or by so many that the lanes, which
   * start side by side, share the iterations: `i = start + tid % 8`, `i += 8`.
   */
  readonly strided: 'warp' | 'block' | 'grid' | 'lanes' | 'no';
  /** Of one that steps by a block, where launches say how many rounds there are: its last round, if a part of a warp takes it. */
  readonly rest?: LoopRest;
  /** Its warps begin at multiples of 32 and go on by such, and data, a part of a block or a remainder says where it ends: who shares rows of any length. */
  readonly endsAnywhere: boolean;
  readonly containsBarrier: boolean;
  readonly unrolled: boolean;
  readonly bodyCost: number;
  /** Reads memory in its condition and has no step of its own: waits for another thread (`while (flag == 0);`). */
  readonly spinsOn?: AccessFacts;
  readonly retries?: RetryFacts;
}

/** A loop that repeats a compare-and-swap or exchange of one word until it succeeds, as one lane at a time does. */
export interface LoopRest {
  /** Of the block: iterations of all threads, and those of whole warps that it takes for them. */
  readonly iterations: number;
  readonly slots: number;
  /** Warps that are not full in their last round. */
  readonly warps: number;
  /** Rounds of the first of them, and its lanes in the last one. */
  readonly rounds: number;
  readonly lanes: number;
}

export interface RetryFacts {
  /** `atomicCAS` or `atomicExch`. */
  readonly atomic: string;
  /** From one constant to another is taking a lock; otherwise the word holds a value that is brought up to date. */
  readonly kind: 'lock' | 'update';
  readonly sameAddress: AtomicFacts['sameAddress'];
  /** Only who has something greater, or less, than the word tries at all. */
  readonly compares: boolean;
}

export type Space = 'global' | 'shared' | 'local' | 'constant' | 'parameter' | 'unknown';

/** What memory an access goes to: the same `id` means the same variable, parameter or array. */
export interface ObjectFacts {
  readonly id: string;
  readonly name: string;
  readonly space: Space;
  readonly declaredAt?: Place;
  /** Element type of the array or pointer. */
  readonly element: TypeFacts;
  /** `float a[16][17]`: dimensions where known. */
  readonly dims?: readonly (number | undefined)[];
  readonly volatile: boolean;
  /** A parameter that is declared `__restrict__`. */
  readonly restricted: boolean;
  readonly dynamicShared: boolean;
}

export interface AccessFacts extends Located {
  readonly kind: 'load' | 'store';
  /** Both: one half of `a[i] += x` or `++a[i]`; the other half follows or precedes directly. */
  readonly readModifyWrite: boolean;
  readonly object: ObjectFacts;
  /** Type that is moved; its size is what a lane moves. */
  readonly type: TypeFacts;
  readonly text: string;
  /** Innermost index or the offset, as a value in elements where it is known. */
  readonly index?: ValueFacts;
  /** Byte offset from the object's start: how it varies. */
  readonly offset: ValueFacts;
  /** Through `volatile`, `__ldcg` and kin, or a cuda::atomic. */
  readonly volatile: boolean;
  /** Value that is stored. */
  readonly value?: ValueFacts;
  /** Global memory: worst case over what is known not to be worse. */
  readonly global?: GlobalPattern;
  /** Shared memory. */
  readonly shared?: SharedPattern;
  /** By how many elements longer rows take bank conflicts away, where that is known of an array of rows. */
  readonly padding?: number;
  /** The value is in a register already, so there is no request: see kept-values.ts. */
  readonly kept: boolean;
  /** Each lane has its place from data alone, of which several may have the same: `h[a[i]]`. */
  readonly placedByOwnData: boolean;
  /** The loads and other sources of data that the address hangs on, as `decidedBy` of branches names them. */
  readonly placedBy: readonly number[];
  /** Of them, those from which each lane goes on in a loop: `k` of `for (k = start[row]; …)` begins at a load. */
  readonly walksFrom: readonly number[];
  /** The sources of data are loads, of global memory only: not atomics, other lanes, or what the block computed. */
  readonly placedByLoads: boolean;
  /** All lanes at one address. */
  readonly sameAddress: 'grid' | 'block' | 'warp' | 'no' | 'unknown';
  /** Element index in the 32 lanes of a warp, symbols at one typical value and loop counters at their first: to compare accesses with. */
  readonly laneOffsets?: readonly number[];
  /** The same in all threads of the block, warp after warp. */
  readonly blockOffsets?: readonly number[];
  /** The statement that it stands in, before and behind which others can be put. */
  readonly statement?: StatementFacts;
  /** Where it is follows from the thread alone, and no condition but a guard of bounds is in the way: threads are at the start of the memory. */
  readonly fromStart: boolean;
  /** The block's shape is assumed, its threads have a y, and another usual shape makes other requests of the access: those. */
  readonly otherwise?: Pick<GlobalPattern, 'sectors' | 'idealSectors'>;
  /** Bytes by which iterations of a loop around it move it, by loop, and how many iterations there are, where that is one number. */
  readonly moves: readonly { readonly bytes: number; readonly trips?: number }[];
  /** In a structure: the field and the structure. */
  readonly field?: { readonly name: string; readonly structure: TypeFacts };
  readonly loopInvariant: boolean;
  /** Bytes from the last sector's boundary to the lane with the lowest address, when that is the same for all warps and values. */
  readonly startBytes?: number;
  /** A power of two, at most 16, of which the offsets of all lanes are multiples whatever is not known. */
  readonly alignBytes: number;
  /** Bytes between what neighbouring blocks touch (blockIdx.x), when that is one number. */
  readonly blockStrideBytes?: number;
  /** How far, in bytes, iterations of the innermost loop stray from what the thread touches in the first one: to the one side and the other. */
  readonly reachBytes?: readonly [number, number];
}

export interface StatementFacts {
  readonly place: Place;
  readonly text: string;
}

export interface GlobalPattern {
  /** 32-byte sectors per request, and the least that the moved bytes need. */
  readonly sectors: number;
  /** Where sizes that nobody knows decide: of the values that were tried `sectors` is the least, and this the most. */
  readonly mostSectors?: number;
  readonly idealSectors: number;
  /** No more than reach the access where it stands for the end of the data. */
  readonly activeLanes: number;
  /** Where data says which place each lane goes to: of how many lanes it may say different ones. */
  readonly places?: number;
  /** Bytes between neighbouring lanes when it is one number; its text otherwise, where the index is linear in threadIdx.x. */
  readonly strideBytes?: number;
  readonly strideText?: string;
  /**
   * Some lanes share or skip: linear, broadcast, by rows (the warp spans several rows of a block), in pieces (the same, and each row begins or
   * ends inside a sector), other.
   */
  readonly shape: 'contiguous' | 'broadcast' | 'strided' | 'rows' | 'pieces' | 'scattered' | 'misaligned';
  /** Index comes out of memory (gather, scatter): not decided from the text. */
  readonly gathered: boolean;
  /** Data alone says where each lane goes, or the places of their own that lanes add to it are far apart: neighbours may be anywhere. */
  readonly anywhere: boolean;
}

export interface SharedPattern {
  /** Wavefronts per request, and the least for the width. */
  readonly wavefronts: number;
  readonly idealWavefronts: number;
  /** wavefronts / idealWavefronts. */
  readonly ways: number;
  readonly strideBytes?: number;
  /** Per iteration of the innermost loop that it depends on. */
  readonly levels?: readonly number[];
}

export interface AtomicFacts extends Located {
  /** `atomicAdd`, `atomicCAS`, `fetch_add`, … */
  readonly name: string;
  readonly object: ObjectFacts;
  readonly type: TypeFacts;
  readonly text: string;
  readonly offset: ValueFacts;
  readonly resultUsed: boolean;
  /** The result, as `decidedBy` of branches names it. */
  readonly result: number;
  readonly statement?: StatementFacts;
  /** Operands after the address. */
  readonly operands: readonly ValueFacts[];
  readonly sameAddress: 'grid' | 'block' | 'warp' | 'no' | 'unknown';
  /** What it asks of memory, as a store to its address does. */
  readonly request: AccessFacts;
  /** The thread's own index is part of the address, so that lanes seldom meet whatever data says. */
  readonly placedByThread: boolean;
  /** Data chooses the target among few: by a byte, a remainder, a part of a value. */
  readonly fewTargets: boolean;
  /** Lanes of a full warp that meet at the most contended address; undefined when it depends on data. */
  readonly lanesPerAddress?: number;
  /** No loop around it changes the address. */
  readonly loopInvariant: boolean;
  /** A compare-and-swap or exchange in a loop that tries until it succeeds. */
  readonly inRetryLoop: boolean;
  /** nvcc aggregates integer additions of one word by warp (shared/hardware: README). */
  readonly aggregatedByCompiler: boolean;
}

export interface BarrierFacts extends Located {
  readonly scope: 'warp' | 'block' | 'grid' | 'group' | 'cluster' | 'multi-grid';
  /** `__syncthreads`, `grid.sync`, … */
  readonly name: string;
  /** The mask of `__syncwarp`. */
  readonly mask?: ValueFacts;
  /** Threads of a cooperative group's tile. */
  readonly tileSize?: number;
  /** A bounds guard around it keeps some threads of a block from it, as the kernel is launched. */
  readonly guarded?: GuardedFacts;
}

export interface GuardedFacts {
  readonly guard: BranchFacts;
  readonly block: { readonly x: number; readonly y: number; readonly z: number };
  /** Threads of that block that come to the guard, and those of them that do not pass it. */
  readonly threads: number;
  readonly kept: number;
}

export interface FenceFacts extends Located {
  readonly scope: 'block' | 'device' | 'system';
  readonly name: string;
}

export interface GeneratorCallFacts extends Located {
  /** `curand_uniform`, … */
  readonly name: string;
  /** Where the generator's state lies. */
  readonly space: Space;
  /** As written, without the `&`. */
  readonly stateText: string;
  /** The innermost loop works on one and the same state. */
  readonly loopInvariant: boolean;
}

export interface ShuffleFacts extends Located {
  /** `__shfl_down_sync`, `__ballot_sync`, `__shfl_down`, `tile.shfl_down`, `__activemask`, … */
  readonly name: string;
  readonly mask?: ValueFacts;
  /** `__activemask()` is where the mask came from. */
  readonly maskIsActive: boolean;
  /** The selector is computed from such a mask: it names one of the lanes that are here, whichever these are. */
  readonly picksActive: boolean;
  readonly operand?: ValueFacts;
  /** Delta, source lane or lane mask. */
  readonly selector?: ValueFacts;
  /** The selector in the lanes of a warp, for each iteration of the innermost loop that it depends on (one entry otherwise). */
  readonly selectors?: readonly (readonly number[])[];
  /** Last argument: lanes that exchange among themselves. */
  readonly width?: ValueFacts;
  /** Threads of a cooperative group's tile. */
  readonly tileSize?: number;
  readonly resultUsed: boolean;
}

export interface DivisionFacts extends Located {
  readonly operator: '/' | '%';
  readonly dividend: ValueFacts;
  readonly divisor: ValueFacts;
  /** A constant by its spelling (`WIDTH`), whose definition is not in the text at hand. */
  readonly divisorElsewhere: boolean;
  /** A parameter of the kernel whose value launches agree on: a constant here, and none for the compiler. */
  readonly divisorFromLaunch: boolean;
  /** Every iteration of the innermost loop divides the same values, so that the compiler hoists it. */
  readonly loopInvariant: boolean;
}

export interface WideningFacts extends Located {
  readonly text: string;
  readonly to: TypeFacts;
  readonly product: TypeFacts;
  readonly factors: readonly ValueFacts[];
}

export interface LiteralFacts extends Located {
  readonly text: string;
  readonly value: number;
  /** A `double` literal whose other operand or target is float. */
  readonly promotesFloat: boolean;
  readonly expanded: boolean;
}

export interface ArrayFacts {
  readonly object: ObjectFacts;
  readonly place: Place;
  readonly bytes?: number;
  /** Where its dimensions stand in the declaration, for a padding fix: one place per dimension. */
  readonly dimPlaces: readonly Place[];
  /** The declaration's type, where all elements are constant and given as literals. */
  readonly constantsAt?: Place;
  /** Its address goes somewhere that was not followed: a pointer variable, an unknown function, a cast. */
  readonly escapes: boolean;
  /** Indexed by something that is not a compile-time constant or the counter of a loop of constant trips. */
  readonly dynamicIndex: boolean;
  /** Of one element, where all dimensions are counted. */
  readonly elementBytes?: number;
  /** How often the kernel's text indexes it by something like that. */
  readonly dynamicIndices: number;
}

export interface ChildLaunchFacts extends Located {
  readonly launch: LaunchFacts;
}

export interface LaunchFacts {
  readonly place: Place;
  /** `<<<…>>>` alone, or the call's name for API launches. */
  readonly configPlace: Place;
  /** The argument that gives the size of a block. */
  readonly blockPlace?: Place;
  /** What is divided where the number of blocks is written as a quotient: `n` of `n / 256`. */
  readonly dividend?: { readonly place: Place; readonly text: string };
  readonly kernelName: string;
  /** In this file. */
  readonly kernel?: KernelFacts;
  readonly templateArgs: readonly string[];
  readonly grid: Dim3Facts;
  readonly block: Dim3Facts;
  readonly gridText: string;
  readonly blockText: string;
  /** Dynamic shared bytes: 0 when not given, undefined when unknown. */
  readonly sharedBytes?: number;
  readonly stream: 'default' | 'named';
  readonly streamText?: string;
  readonly api: 'triple-chevron' | 'cudaLaunchKernel' | 'cudaLaunchCooperativeKernel' | 'cudaLaunchKernelEx' | 'cooperative-multi-device';
  readonly cooperative: boolean;
  readonly args: readonly HostArgument[];
  /** Host function it stands in; in device code the kernel's name. */
  readonly functionName: string;
  readonly inDeviceCode: boolean;
  /** Loops of the host function around it, outermost first. */
  readonly loops: readonly Place[];
  /** An error check follows before the next launch or the end of the function: cudaGetLastError, cudaPeekAtLastError or a checked synchronisation. */
  readonly checked: boolean;
  /** `cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, …)` is called for this kernel before it. */
  readonly sharedOptIn?: number | 'unknown';
}

/** What the model knows of the kernel as this launch instantiates it; nothing where that instantiation was not looked at. */
export function variantOf(launch: LaunchFacts): VariantFacts | undefined {
  const variants = launch.kernel?.variants ?? [];
  const args = launch.templateArgs.join();
  return variants.find((v) => v.launches.includes(launch)) ?? variants.find((v) => v.launches.some((l) => l.templateArgs.join() === args));
}

/** How many times the fewest wavefronts, or sectors, that would do an access asks for. */
export function excessOf({ global, shared }: AccessFacts): number {
  return shared?.ways ?? (global ? global.sectors / global.idealSectors : 0);
}

/** Shares of the warps that are split, over all levels. */
export function splitShares(levels: readonly SplitLevel[]): number {
  return levels.reduce((sum, { splitWarps, warps }) => sum + splitWarps / Math.max(1, warps), 0);
}

export interface HostArgument {
  readonly text: string;
  readonly place: Place;
  readonly value?: number;
  /** Name of the variable it is or begins with: `dIn` of `dIn + n`, `&d`, `(void**)&d`. */
  readonly variable?: string;
  /** For a pointer: what it points into, where that is known. */
  readonly pointsInto?: { readonly name: string; readonly space: Space };
  /** A pointer to memory that only the host can access: a variable of a function, or what malloc or `new` gave. */
  readonly onHost?: 'stack' | 'heap';
  /** A pointer to memory that only the device can access. */
  readonly onDevice?: boolean;
  /** The address of a `__device__` or `__constant__` variable, by its name. */
  readonly symbol?: string;
  /** For the start of an allocation: its bytes, and those of an element. */
  readonly allocation?: { readonly bytes: number; readonly elementBytes: number; readonly element: string };
}

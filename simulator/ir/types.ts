/**
 * The typed form of the LLVM IR that Clang emits for device code. `parse.ts` builds it, `verify.ts` checks it, both engines and
 * the analyses in ../simt read it. It holds what the simulator can execute and nothing else: what is not here is refused by the
 * parser with the instruction's mnemonic and its source line.
 */

export type Type =
  | { readonly kind: 'void' }
  /** Any width from 1 to 128 bits; held zero-extended. */
  | { readonly kind: 'int'; readonly bits: number }
  | { readonly kind: 'float'; readonly format: 'half' | 'bfloat' | 'float' | 'double' }
  /** In memory 64 bits, of which the upper half is zero; held as 32, since all addresses lie below 4 GiB. A pointer that leaves them is
   *  INVALID_ADDRESS (address-map.ts). Space: 0 generic, 1 global, 3 shared, 4 constant, 5 local. */
  | { readonly kind: 'ptr'; readonly space: AddressSpace }
  | { readonly kind: 'vector'; readonly element: Type; readonly count: number }
  | { readonly kind: 'array'; readonly element: Type; readonly count: number }
  | { readonly kind: 'struct'; readonly fields: readonly Type[]; readonly packed: boolean };

export type AddressSpace = 0 | 1 | 3 | 4 | 5;

/** A source position. `inlinedAt` is the call that brought this code here; the innermost location is the one that counters go to. */
export interface Location {
  readonly file: string;
  /** 1-based; 0 where the compiler knows none. */
  readonly line: number;
  readonly column: number;
  /** Source-level name of the function the line belongs to. */
  readonly scope: string;
  /** Its mangled name, where the debug information has it. */
  readonly linkageName?: string;
  /** The innermost block of the source around it, inside the function's own; only where the debug information has such blocks. */
  readonly block?: LexicalBlock;
  readonly inlinedAt?: Location;
}

/** A compound statement, or a statement with a condition: `if` and `for` are blocks around their conditions. One object for each. */
export interface LexicalBlock {
  readonly line: number;
  readonly column: number;
  readonly outer?: LexicalBlock;
}

/** What an instruction can use: an SSA value of the same function, or a constant. */
export type Operand =
  /** Result of the instruction or parameter whose `id` this is. */
  { readonly kind: 'value'; readonly id: number; readonly type: Type } | Constant;

export type Constant =
  /** Bits of an integer (zero-extended), or an address (0n: the null pointer). */
  | { readonly kind: 'int'; readonly type: Type; readonly value: bigint }
  /** IEEE bits of the format of `type`, zero-extended. */
  | { readonly kind: 'float'; readonly type: Type; readonly bits: bigint }
  /** undef and poison: both engines read it as zero. */
  | { readonly kind: 'undef'; readonly type: Type }
  | { readonly kind: 'zero'; readonly type: Type }
  /** A vector, array or structure constant. */
  | { readonly kind: 'aggregate'; readonly type: Type; readonly elements: readonly Constant[] }
  /** Address of a global variable or function, plus a byte offset folded from constant getelementptr expressions,
   *  as a pointer of the space in `type` (an addrspacecast constant expression changes only `type`). */
  | { readonly kind: 'symbol'; readonly type: Type; readonly name: string; readonly offset: number };

export type IntBinary = 'add' | 'sub' | 'mul' | 'udiv' | 'sdiv' | 'urem' | 'srem' | 'shl' | 'lshr' | 'ashr' | 'and' | 'or' | 'xor';
export type FloatBinary = 'fadd' | 'fsub' | 'fmul' | 'fdiv' | 'frem';
export type IntPredicate = 'eq' | 'ne' | 'ugt' | 'uge' | 'ult' | 'ule' | 'sgt' | 'sge' | 'slt' | 'sle';
export type FloatPredicate =
  | 'false' | 'oeq' | 'ogt' | 'oge' | 'olt' | 'ole' | 'one' | 'ord'
  | 'ueq' | 'ugt' | 'uge' | 'ult' | 'ule' | 'une' | 'uno' | 'true'; // biome-ignore format: table
export type CastOp =
  | 'trunc' | 'zext' | 'sext' | 'fptrunc' | 'fpext' | 'fptoui' | 'fptosi' | 'uitofp' | 'sitofp'
  | 'ptrtoint' | 'inttoptr' | 'bitcast' | 'addrspacecast'; // biome-ignore format: table
export type AtomicOp =
  | 'xchg' | 'add' | 'sub' | 'and' | 'nand' | 'or' | 'xor' | 'max' | 'min' | 'umax' | 'umin'
  | 'fadd' | 'fsub' | 'fmax' | 'fmin' | 'uinc_wrap' | 'udec_wrap'; // biome-ignore format: table

/** LLVM's orderings. `unordered` only guarantees that no thread sees half of the access. */
export type MemoryOrdering = 'unordered' | 'monotonic' | 'acquire' | 'release' | 'acq_rel' | 'seq_cst';
/** Among whose threads an ordering holds. */
export type MemoryScope = 'thread' | 'block' | 'cluster' | 'device' | 'system';
/**
 * What an atomic access or a fence orders. The engines execute all accesses in one order that every lane sees, so it never changes a
 * result here; it matters to analyses of what a GPU may do.
 */
export interface MemoryOrder {
  readonly ordering: MemoryOrdering;
  readonly scope: MemoryScope;
  /** Hardware has an instruction for it that no access to shared memory is: of a barrier there. */
  readonly ofBarrier?: true;
}

/** False for plain accesses and for relaxed atomics, which order no other access. */
export function ordersOthers(order: MemoryOrder | undefined): boolean {
  return order !== undefined && order.ordering !== 'unordered' && order.ordering !== 'monotonic';
}

interface Base {
  /** Number of the SSA value that this instruction defines, unique in the function together with the parameters; -1 if none. */
  readonly id: number;
  /** Type of the result; void where there is none. */
  readonly type: Type;
  readonly location?: Location;
  /** Index of this instruction in its function, in block order: the row of its counters. Dense, from 0. */
  readonly site: number;
}

export type Instruction = Base &
  (
    | {
        readonly op: IntBinary | FloatBinary;
        readonly a: Operand;
        readonly b: Operand /** fast-math `contract`/`fast` allows fusing */;
        readonly contract?: boolean;
        /** Of an `or`: no bit is set on both sides, so that it is a sum. */
        readonly disjoint?: boolean;
      }
    | { readonly op: 'fneg' | 'freeze'; readonly a: Operand }
    /** `ordered`: of pointers that may be BELOW_ADDRESS, which comes before all others. */
    | { readonly op: 'icmp'; readonly predicate: IntPredicate; readonly a: Operand; readonly b: Operand; readonly ordered?: true }
    | { readonly op: 'fcmp'; readonly predicate: FloatPredicate; readonly a: Operand; readonly b: Operand }
    | { readonly op: CastOp; readonly a: Operand }
    | { readonly op: 'select'; readonly condition: Operand; readonly a: Operand; readonly b: Operand }
    | { readonly op: 'phi'; readonly incoming: readonly { readonly value: Operand; readonly block: number }[] }
    /** `count` elements of `allocated`, once per lane, in local memory. */
    | { readonly op: 'alloca'; readonly allocated: Type; readonly count: Operand; readonly align: number }
    /** Atomic if it has an order. */
    | {
        readonly op: 'load';
        readonly pointer: Operand;
        readonly align: number;
        readonly volatile: boolean;
        readonly order?: MemoryOrder;
        /** Of an asynchronous copy, which is one instruction on hardware. */
        readonly async?: true;
      }
    | {
        readonly op: 'store';
        readonly value: Operand;
        readonly pointer: Operand;
        readonly align: number;
        readonly volatile: boolean;
        readonly order?: MemoryOrder;
        /** Of an asynchronous copy: on hardware it happens at any time until its thread has waited for it. */
        readonly async?: true;
      }
    /**
     * Address arithmetic in bytes: base + offset + sum(index * scale), exactly. Structure indices and constant indices are folded into
     * `offset` (a signed integer that may have more than 32 bits); an index is sign-extended, unless it is `unsigned`. The result is
     * INVALID_ADDRESS where base or sum do not lie below INVALID_START, or an index not within 2^32 of zero: an index that leaves
     * the address space never wraps round. With `wraps` the sum is taken modulo 2^32 instead: in shared and local memory, whose
     * addresses have 32 bits on hardware, and where wrapping-addresses.ts has found that it makes no difference. With `ordered` the
     * result is compared with other addresses (compared-addresses.ts): where base and sum are exact and the sum is negative in 64 bits, it
     * is BELOW_ADDRESS, and so it is if the base is.
     */
    | {
        readonly op: 'getelementptr';
        readonly base: Operand;
        readonly offset: number;
        readonly terms: readonly AddressTerm[];
        readonly wraps?: true;
        readonly ordered?: true;
      }
    | {
        readonly op: 'atomicrmw';
        readonly operation: AtomicOp;
        readonly pointer: Operand;
        readonly value: Operand;
        readonly order: MemoryOrder;
        /** Hardware returns the old value, wanted or not: libcu++'s are `atom` of inline PTX with a generic address, which ptxas leaves (ATOM). */
        readonly returns?: true;
      }
    /** Result: structure { old value, i1 success }. */
    | {
        readonly op: 'cmpxchg';
        readonly pointer: Operand;
        readonly expected: Operand;
        readonly replacement: Operand;
        readonly order: MemoryOrder;
        /** Ordering of the load when the comparison fails. */
        readonly failure: MemoryOrdering;
      }
    | { readonly op: 'fence'; readonly order: MemoryOrder }
    | { readonly op: 'extractvalue'; readonly aggregate: Operand; readonly path: readonly number[] }
    | { readonly op: 'insertvalue'; readonly aggregate: Operand; readonly value: Operand; readonly path: readonly number[] }
    | { readonly op: 'extractelement'; readonly vector: Operand; readonly index: Operand }
    | { readonly op: 'insertelement'; readonly vector: Operand; readonly value: Operand; readonly index: Operand }
    /** Element i of the result is element mask[i] of a ++ b; -1 is undef. */
    | { readonly op: 'shufflevector'; readonly a: Operand; readonly b: Operand; readonly mask: readonly number[] }
    /** `callee` is a function defined in the module, an `llvm.*` intrinsic or a runtime function that a device program imports
     *  (vprintf, malloc, free, __assertfail, cudaLaunchDevice ...). */
    | {
        readonly op: 'call';
        readonly callee: string;
        readonly args: readonly Operand[];
        /** Known alignment of what each argument points to, in bytes; missing if none is given. */
        readonly aligns?: readonly number[];
      }
    | { readonly op: 'callIndirect'; readonly callee: Operand; readonly args: readonly Operand[] }
    | { readonly op: 'br'; readonly target: number }
    | {
        readonly op: 'condbr';
        readonly condition: Operand;
        readonly then: number;
        readonly else: number;
        /** What is known of it on hardware, if it does not follow from what it guards: never a branch, or always one. */
        readonly onHardware?: 'none' | 'branch';
        /** At the end of a loop that stays as it is: the program or LLVM said that it is not to be unrolled (again). */
        readonly keepsRounds?: true;
        /** In front of a loop's copies: a thread that comes here executes what is in `then`, there or in a copy. */
        readonly beginsRounds?: true;
      }
    | {
        readonly op: 'switch';
        readonly value: Operand;
        readonly default: number;
        readonly cases: readonly { readonly value: bigint; readonly block: number }[];
        /** A call through a pointer on hardware, and no choice. */
        readonly isCall?: true;
      }
    | { readonly op: 'ret'; readonly value?: Operand }
    | { readonly op: 'unreachable' }
  );

export interface AddressTerm {
  readonly index: Operand;
  readonly scale: number;
  /** The index is zero-extended. */
  readonly unsigned?: true;
}

export type Opcode = Instruction['op'];

export interface Block {
  /** Position in `Function.blocks`; blocks[0] is the entry. */
  readonly index: number;
  readonly label: string;
  /** Phis first, one terminator last. */
  readonly instructions: readonly Instruction[];
  /** Without repetition, in the terminator's order. */
  readonly successors: readonly number[];
  readonly predecessors: readonly number[];
}

export interface Parameter {
  readonly id: number;
  readonly type: Type;
  readonly name: string;
  /** A structure passed by address: `type` is ptr, this is what it points to, copied for the callee. */
  readonly byval?: { readonly type: Type; readonly align: number };
  /** `__restrict__`, and nothing is written through it: what it points to stays as it is while the function runs. */
  readonly unchanging?: true;
}

export interface IrFunction {
  /** Mangled name. */
  readonly name: string;
  readonly isKernel: boolean;
  readonly parameters: readonly Parameter[];
  readonly result: Type;
  readonly blocks: readonly Block[];
  /** Number of SSA values (parameters and results): ids are 0 .. valueCount - 1. */
  readonly valueCount: number;
  /** Number of instructions: sites are 0 .. siteCount - 1. */
  readonly siteCount: number;
  readonly location?: Location;
  /** maxntid from __launch_bounds__, if given: threads per block. */
  readonly maxThreads?: number;
  /** Blocks of a cluster along each axis, from __cluster_dims__. */
  readonly cluster?: readonly [number, number, number];
  /** In a program that is compiled for debugging: the source's variables that have a place in memory. */
  readonly variables?: readonly SourceVariable[];
}

/** A variable of the source: the value `id` of the function is its address. */
export interface SourceVariable {
  readonly name: string;
  readonly id: number;
  /** Where it is declared. */
  readonly line: number;
  /** An integer without a sign, or a truth value. */
  readonly unsigned: boolean;
}

export interface GlobalVariable {
  readonly name: string;
  readonly type: Type;
  /** 1 global, 3 shared, 4 constant. */
  readonly space: AddressSpace;
  readonly align: number;
  readonly sizeBytes: number;
  /** Undefined for an external declaration (`extern __shared__`). Shared variables are always `undef`. */
  readonly initializer?: Constant;
  /** `__managed__`: our headers put such a variable into a section of its own. */
  readonly managed?: true;
}

export interface IrModule {
  readonly functions: ReadonlyMap<string, IrFunction>;
  readonly globals: ReadonlyMap<string, GlobalVariable>;
  /** Functions declared but not defined that some defined function refers to, intrinsics included. */
  readonly declarations: ReadonlySet<string>;
  /** Functions and variables that hold something the simulator does not execute; they are in neither map above. A kernel that
   *  reaches one is refused when it is launched: see `requireSupported` in reachable.ts. */
  readonly unsupported: ReadonlyMap<string, UnsupportedIr>;
}

/** A construct of the input that the simulator does not execute. The message names the instruction and its source line. */
export class UnsupportedIr extends Error {
  override readonly name = 'UnsupportedIr';
  constructor(
    message: string,
    readonly location?: Location,
  ) {
    super(message);
  }
}

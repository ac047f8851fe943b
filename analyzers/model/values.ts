/** What the interpreter computes with: scalars as forms, pointers as object and offset, structures as cells, and the raw facts it notes. */
import type { Expr, FunctionDef, Node, Stmt } from '../syntax/ast.ts';
import type { Item } from '../syntax/items.ts';
import type { Place } from '../syntax/source.ts';
import type { Space } from './facts.ts';
import { anything, constant, type Form, type LoopShape } from './form.ts';
import { type Bindings, INT, type StructType, type Type, UNKNOWN } from './types.ts';

export type Value =
  | { readonly v: 'num'; readonly form: Form; readonly type: Type }
  | { readonly v: 'ptr'; readonly object: MemoryObject; readonly offset: Form; readonly to: Type }
  /** Address of a variable. */
  | { readonly v: 'ref'; readonly lv: LValue }
  | { readonly v: 'struct'; readonly type: StructType; readonly fields: ReadonlyMap<string, Cell> }
  | { readonly v: 'group'; readonly scope: GroupScope; readonly size?: number }
  | { readonly v: 'fn'; readonly name: string; readonly bindings?: Bindings; readonly targsText?: readonly string[] }
  | {
      readonly v: 'lambda';
      readonly params: readonly { readonly name?: string; readonly reference: boolean }[];
      readonly body: Stmt;
      readonly item: Item;
      readonly scopes: readonly Scope[];
    }
  | { readonly v: 'list'; readonly items: readonly Value[] }
  | { readonly v: 'text'; readonly text: string };

export type GroupScope = 'block' | 'grid' | 'tile' | 'coalesced' | 'multi-grid' | 'cluster';

export type LValue =
  | { readonly l: 'cell'; readonly cell: Cell }
  | {
      readonly l: 'mem';
      readonly object: MemoryObject;
      readonly offset: Form;
      readonly type: Type;
      readonly index?: Value;
      readonly field?: { readonly name: string; readonly structure: StructType };
    }
  | { readonly l: 'none'; readonly value: Value };

export interface Cell {
  value: Value;
  readonly type: Type;
  readonly name: string;
}

export interface MemoryObject {
  readonly id: string;
  readonly name: string;
  readonly space: Space;
  readonly type: Type;
  readonly declaredAt?: Place;
  readonly dimPlaces?: readonly Place[];
  /** Type of an array whose elements are all given as literals, and constant. */
  readonly constantsAt?: Place;
  readonly volatile: boolean;
  readonly dynamicShared: boolean;
  /** A parameter that is declared `__restrict__`. */
  readonly restricted?: boolean;
  /** In host code: memory from cudaMalloc and kin, which the host cannot reach. */
  readonly onDevice?: boolean;
  /** A `__device__` or `__constant__` variable, whose address the host does not have. */
  readonly symbol?: true;
  /** In host code: how many bytes were asked for, where that is one number. */
  readonly allocatedBytes?: number;
  /** In host code: managed or pinned memory, which kernels use while the host goes on. */
  readonly inCommon?: boolean;
  /** A `__managed__` variable. */
  readonly managed?: true;
  /** In host code: memory that malloc or `new` gave, or a variable of a function. */
  readonly onHost?: boolean;
}

export type Entry =
  | { readonly e: 'cell'; readonly cell: Cell }
  | { readonly e: 'alias'; readonly lv: LValue }
  | { readonly e: 'type'; readonly type: Type }
  | { readonly e: 'object'; readonly object: MemoryObject };
export type Scope = Map<string, Entry>;

/** One call in progress. */
export interface Frame {
  readonly name: string;
  readonly item: Item;
  readonly def?: FunctionDef;
  readonly bindings: Bindings;
  /** From the outside in; undefined where nothing is declared yet. */
  readonly scopes: (Scope | undefined)[];
  readonly self?: Value;
  /** Values returned, each with the path from the frame's start on which it was. */
  readonly returns: { readonly value: Value | undefined; readonly path: readonly PathStep[] }[];
  /** What cells hold where a side of a branch returns, in host code that is called. */
  readonly left?: ReadonlyMap<Cell, Value>[];
  readonly pathBase: number;
  readonly callSite?: Place;
}

export interface PathStep {
  readonly branch: RawBranch;
  readonly side: 'then' | 'else';
}

/** Where in time and control flow something happens. */
export interface Moment {
  readonly place: Place;
  readonly order: number;
  readonly path: readonly PathStep[];
  readonly loops: readonly RawLoop[];
  readonly functionName: string;
  readonly callSite?: Place;
  readonly epoch: number;
}

export interface RawValue {
  readonly form: Form;
  readonly type: Type;
  readonly place: Place;
  /** The pointed-to object for pointers. */
  readonly object?: MemoryObject;
}

export interface RawBranch extends Moment {
  readonly kind: 'if' | 'switch' | 'conditional' | 'loop-exit' | 'logical';
  readonly condition: RawValue;
  readonly headPlace: Place;
  thenCost: number;
  elseCost: number;
  thenHeavy: boolean;
  elseHeavy: boolean;
  /** A side has an `if` or `?:` of its own. */
  nested: boolean;
  /** For `&&` and `||` whose value is kept rather than branched on: the right side loads from global memory. */
  keptLoad: boolean;
  exits?: 'return' | 'break' | 'continue';
  barrierInside: boolean;
  loopInside?: boolean;
  leaves?: 'return' | 'break' | 'continue';
  otherLeaves?: 'return' | 'break' | 'continue';
  /** Cost (as `Machine.cost` counts) at the end of each side; of a side that left, of what the other lanes still do. */
  thenEnd?: number;
  elseEnd?: number;
  /** For the side on which the condition does not hold, and for each side of a switch: made when somebody asks. */
  otherSide?: Form;
  /** For a switch: the constants, by the statements that they lead to. */
  cases?: readonly (readonly number[])[];
}

export interface RawLoop extends Moment {
  readonly kind: 'for' | 'while' | 'do';
  readonly headPlace: Place;
  readonly shape: LoopShape;
  condition?: RawValue;
  containsBarrier: boolean;
  readonly unrolled: boolean;
  bodyCost: number;
  /** Cost at the end of the loop. */
  end?: number;
  /** Loads in the condition, by position in the list of accesses. */
  spins?: RawAccess;
}

export interface RawAccess extends Moment {
  readonly kind: 'load' | 'store';
  readonly readModifyWrite: boolean;
  readonly object: MemoryObject;
  readonly type: Type;
  readonly offset: Form;
  readonly index?: RawValue;
  readonly value?: RawValue;
  readonly volatile: boolean;
  readonly field?: { readonly name: string; readonly structure: StructType };
  /** The statement of a block that it stands in. */
  readonly statement: Node | undefined;
}

export interface RawAtomic extends Moment {
  readonly name: string;
  readonly object: MemoryObject;
  readonly type: Type;
  readonly offset: Form;
  readonly operands: readonly RawValue[];
  readonly resultUsed: boolean;
  /** Id of the form that stands for the result. */
  readonly result: number;
  /** The statement of a block that it stands in. */
  readonly statement: Node | undefined;
}

export interface RawBarrier extends Moment {
  readonly name: string;
  /** `unknown`: a name from elsewhere that sounds like a barrier, and a barrier in assembly. */
  readonly scope: 'warp' | 'block' | 'grid' | 'group' | 'cluster' | 'multi-grid' | 'unknown';
  readonly mask?: RawValue;
  readonly tileSize?: number;
}

export interface RawFence extends Moment {
  readonly name: string;
  readonly scope: 'block' | 'device' | 'system';
}

export interface RawShuffle extends Moment {
  readonly name: string;
  readonly mask?: RawValue;
  readonly maskIsActive: boolean;
  readonly picksActive: boolean;
  readonly operand?: RawValue;
  readonly selector?: RawValue;
  readonly width?: RawValue;
  readonly tileSize?: number;
  readonly resultUsed: boolean;
}

/** A function of cuRAND's, and the generator's state that it works on. */
export interface RawGeneratorCall extends Moment {
  readonly name: string;
  readonly state: RawValue;
}

export interface RawDivision extends Moment {
  readonly operator: '/' | '%';
  readonly dividend: RawValue;
  readonly divisor: RawValue;
}

export interface RawWidening extends Moment {
  readonly to: Type;
  readonly product: Type;
  readonly factors: readonly RawValue[];
}

/** A product of 32 bits, or a sum with one in it. */
export interface NarrowProduct {
  readonly at: Expr;
  readonly type: Type;
  readonly factors: readonly RawValue[];
}

export interface RawLiteral extends Moment {
  readonly value: number;
  readonly promotesFloat: boolean;
  readonly expanded: boolean;
}

export interface RawExit extends Moment {
  /** Calls in progress: a return leaves its own function only. */
  readonly depth: number;
  readonly kind: 'return' | 'break' | 'continue';
}

export interface RawLaunch {
  readonly moment: Moment;
  readonly kernelName: string;
  readonly bindings: Bindings;
  readonly targsText: readonly string[];
  readonly configPlace: Place;
  readonly grid: readonly (Form | undefined)[];
  readonly block: readonly (Form | undefined)[];
  readonly shared: Form;
  readonly gridNode?: Expr;
  readonly blockNode?: Expr;
  readonly streamNode?: Expr;
  readonly args: readonly { readonly value: Value; readonly node: Expr }[];
  readonly item: Item;
  readonly api: 'triple-chevron' | 'cudaLaunchKernel' | 'cudaLaunchCooperativeKernel' | 'cudaLaunchKernelEx' | 'cooperative-multi-device';
}

export interface RawHostCall extends Moment {
  readonly name: string;
  readonly namePlace: Place;
  readonly args: readonly { readonly value: Value; readonly node: Expr }[];
  readonly item: Item;
  readonly resultUsed: boolean;
  readonly launch?: RawLaunch;
}

export interface HostAccess {
  readonly pointer: Place;
  readonly moment: Moment;
  readonly object: MemoryObject;
  readonly statement?: Node;
  /** Of `__managed__` variables, where it is known. */
  readonly writes?: boolean;
}

export interface RawFacts {
  readonly branches: RawBranch[];
  readonly loops: RawLoop[];
  readonly accesses: RawAccess[];
  readonly atomics: RawAtomic[];
  readonly barriers: RawBarrier[];
  readonly fences: RawFence[];
  readonly shuffles: RawShuffle[];
  readonly generatorCalls: RawGeneratorCall[];
  readonly divisions: RawDivision[];
  readonly widenings: RawWidening[];
  readonly literals: RawLiteral[];
  readonly exits: RawExit[];
  readonly launches: RawLaunch[];
  readonly hostCalls: RawHostCall[];
  /** An access of the host to device memory: the pointer's place and the access. */
  readonly dereferences: HostAccess[];
  /** In host code: where something is called that may wait for the device, for all that is known. */
  readonly foreignCalls: number[];
  readonly fieldWrites: {
    readonly path: string;
    readonly moment: Moment;
    readonly node: Expr;
    readonly value: Value;
    readonly item: Item;
  }[];
  readonly objects: Map<string, MemoryObject>;
  /** By object, the indices other than constants. */
  readonly dynamic: Map<string, Form[]>;
  /** Arrays whose address went into a pointer. */
  readonly escaped: Set<string>;
  incomplete: boolean;
}

export function newRawFacts(): RawFacts {
  return {
    branches: [],
    loops: [],
    accesses: [],
    atomics: [],
    barriers: [],
    fences: [],
    shuffles: [],
    generatorCalls: [],
    divisions: [],
    widenings: [],
    literals: [],
    exits: [],
    launches: [],
    hostCalls: [],
    dereferences: [],
    foreignCalls: [],
    fieldWrites: [],
    objects: new Map(),
    dynamic: new Map(),
    escaped: new Set(),
    incomplete: false,
  };
}

/** The lists of facts about host code. */
const HOST_LISTS = ['launches', 'hostCalls', 'dereferences', 'foreignCalls', 'fieldWrites'] as const;

/** How many facts about host code there are, list by list: for `forgetHostFacts`. */
export function hostFactCounts(facts: RawFacts): readonly number[] {
  return HOST_LISTS.map((list) => facts[list].length);
}

/** Drops the facts noted since there were so many. */
export function forgetHostFacts(facts: RawFacts, counts: readonly number[]): void {
  HOST_LISTS.forEach((list, i) => {
    facts[list].length = counts[i];
  });
}

export function num(form: Form, type: Type): Value {
  return { v: 'num', form, type };
}

/** The literals of most programs. */
const SMALL_INTS: readonly Value[] = Array.from({ length: 130 }, (_, i) => num(constant(i), INT));

export function number(v: number, type: Type): Value {
  return type === INT && Number.isInteger(v) && v >= 0 && v < SMALL_INTS.length ? SMALL_INTS[v] : num(constant(v), type);
}

export function unknownValue(type: Type = UNKNOWN): Value {
  return { v: 'num', form: anything({ data: false, unknown: true }), type };
}

export function formOf(value: Value): Form {
  return value.v === 'num' ? value.form : value.v === 'ptr' ? value.offset : anything({ data: false, unknown: true });
}

export function typeOf(value: Value): Type {
  switch (value.v) {
    case 'num':
      return value.type;
    case 'ptr':
      return { t: 'pointer', name: `${value.to.name} *`, to: value.to, size: 8 };
    case 'struct':
      return value.type;
    default:
      return UNKNOWN;
  }
}

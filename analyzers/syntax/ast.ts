/**
 * Statements, expressions and types as the model needs them: no names resolved, no overloads chosen. `start` and `end` count from the
 * start of the item that holds the node.
 *
 * What the model relies on:
 *  - Parentheses leave no node: `(a)` is `a` with the range of the parentheses. `launch.config` are the values between `<<<` and `>>>`.
 *  - Macros are expanded: a node that came out of one has the range of the macro's name (arguments keep their own range), and numbers say
 *    `expanded`. `#if` branches not taken are gone; `#pragma unroll` before a loop sets `unroll`; what `#pragma acc` and `omp target` send to a device is a block with `offloaded`.
 *  - `TypeRef.name` is qualified as written without arguments and normalised for basic types (`unsigned int`, `long long`); `quals` holds
 *    the storage and CUDA words too (`__shared__`, `static`, `extern`, `__restrict__`); `dims` are a declarator's dimensions, outermost first.
 *  - A lone name as a template argument is given in both readings, type and value.
 *  - `Declarator.init` is what follows `=`, `args` what stands in parentheses or braces directly after the name.
 *  - `head` of a statement is its keyword up to the closing parenthesis of the condition.
 *  - What is not understood is `unknown` (expressions) or skipped (statements); nothing throws.
 */
export interface Node {
  readonly start: number;
  readonly end: number;
}

export type Expr = Node &
  (
    | {
        readonly k: 'number';
        readonly value: number;
        readonly float: boolean;
        readonly suffix: string;
        readonly expanded?: boolean;
        readonly exact?: bigint;
      }
    | { readonly k: 'string'; readonly text: string }
    | { readonly k: 'bool'; readonly value: boolean }
    | { readonly k: 'null' }
    | { readonly k: 'this' }
    | { readonly k: 'name'; readonly name: string; readonly targs?: readonly TypeArg[] }
    | { readonly k: 'unary'; readonly op: string; readonly a: Expr }
    | { readonly k: 'postfix'; readonly op: '++' | '--'; readonly a: Expr }
    | { readonly k: 'binary'; readonly op: string; readonly a: Expr; readonly b: Expr }
    | { readonly k: 'assign'; readonly op: string; readonly a: Expr; readonly b: Expr }
    | { readonly k: 'cond'; readonly c: Expr; readonly a: Expr; readonly b: Expr }
    | { readonly k: 'call'; readonly f: Expr; readonly args: readonly Expr[] }
    | { readonly k: 'launch'; readonly f: Expr; readonly config: readonly Expr[]; readonly args: readonly Expr[] }
    | { readonly k: 'index'; readonly a: Expr; readonly i: Expr }
    | {
        readonly k: 'member';
        readonly a: Expr;
        readonly name: string;
        readonly arrow: boolean;
        readonly nameStart: number;
        readonly targs?: readonly TypeArg[];
      }
    | { readonly k: 'cast'; readonly type: TypeRef; readonly a: Expr; readonly style: string }
    | { readonly k: 'construct'; readonly type: TypeRef; readonly args: readonly Expr[]; readonly braced: boolean }
    | { readonly k: 'list'; readonly items: readonly Expr[] }
    | { readonly k: 'sizeof'; readonly type?: TypeRef; readonly a?: Expr }
    /** `placement`: what stands in parentheses before the type, memory to use or a word to its operator. */
    | { readonly k: 'new'; readonly type: TypeRef; readonly placement: readonly Expr[]; readonly args: readonly Expr[] }
    | { readonly k: 'lambda'; readonly params: readonly Param[]; readonly body: Stmt; readonly device: boolean }
    | { readonly k: 'unknown' }
  );

export type ExprOf<K extends Expr['k']> = Extract<Expr, { k: K }>;

/** A template argument that could be a type, a value or either (`Plus<int>`, `32`, `N`). */
export interface TypeArg {
  readonly type?: TypeRef;
  readonly value?: Expr;
}

export interface TypeRef extends Node {
  /** Qualified as written, without template arguments: `unsigned int`, `std::vector`, `auto`. */
  readonly name: string;
  readonly targs?: readonly TypeArg[];
  /** From the inside out: `*`, `&` and array dimensions in declaration order, the outermost dimension first. */
  readonly pointers: number;
  readonly reference: boolean;
  readonly dims: readonly (Expr | undefined)[];
  readonly quals: readonly string[];
  /** `T (&a)[N]` and `T (*p)[N]`: the declarator binds before the dimensions. */
  readonly pointerToArray?: boolean;
}

export interface Param extends Node {
  readonly name?: string;
  readonly type: TypeRef;
  readonly init?: Expr;
  readonly pack?: boolean;
}

export interface Declarator extends Node {
  readonly name: string;
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly type: TypeRef;
  readonly init?: Expr;
  /** `T x(a, b)` and `T x{a}`. */
  readonly args?: readonly Expr[];
  readonly bindings?: readonly string[];
}

export type Stmt = Node &
  (
    | { readonly k: 'block'; readonly body: readonly Stmt[]; readonly offloaded?: boolean }
    | { readonly k: 'decl'; readonly decls: readonly Declarator[] }
    | { readonly k: 'expr'; readonly e: Expr }
    | {
        readonly k: 'if';
        readonly init?: Stmt;
        readonly c: Expr;
        readonly then: Stmt;
        readonly else?: Stmt;
        readonly constexpr: boolean;
        readonly head: Node;
      }
    | {
        readonly k: 'for';
        readonly init?: Stmt;
        readonly c?: Expr;
        readonly step?: Expr;
        readonly body: Stmt;
        readonly head: Node;
        readonly unroll?: boolean;
      }
    | { readonly k: 'range'; readonly decl: Declarator; readonly over: Expr; readonly body: Stmt; readonly head: Node }
    | { readonly k: 'while'; readonly c: Expr; readonly body: Stmt; readonly head: Node }
    | { readonly k: 'do'; readonly c: Expr; readonly body: Stmt; readonly head: Node }
    | { readonly k: 'switch'; readonly c: Expr; readonly body: Stmt; readonly head: Node }
    | { readonly k: 'case'; readonly value?: Expr }
    | { readonly k: 'return'; readonly e?: Expr }
    | { readonly k: 'break' }
    | { readonly k: 'continue' }
    | { readonly k: 'goto' }
    | { readonly k: 'aggregate'; readonly def: AggregateDef }
    | { readonly k: 'alias'; readonly def: AliasDef }
    | { readonly k: 'asm' }
    | { readonly k: 'empty' }
  );

export interface TemplateParam {
  readonly name: string;
  readonly kind: 'type' | 'value';
  readonly type?: TypeRef;
  readonly init?: TypeArg;
  readonly pack?: boolean;
}

export interface FunctionDef extends Node {
  readonly d: 'function';
  readonly name: string;
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly quals: readonly string[];
  readonly templates: readonly TemplateParam[];
  /** Arguments of an explicit specialisation: `template <> __global__ void f<3>()`. */
  readonly specialised?: readonly TypeArg[];
  readonly returns: TypeRef;
  readonly params: readonly Param[];
  readonly launchBounds?: readonly Expr[];
  /** Of a constructor: `: x(a), y(b)`. */
  readonly initialised?: readonly { readonly field: string; readonly value: Expr }[];
  readonly body?: Stmt;
  /** For a member function: the class it belongs to. */
  readonly owner?: string;
}

export interface AggregateDef extends Node {
  readonly d: 'aggregate';
  readonly name: string;
  readonly kind: 'struct' | 'class' | 'union' | 'enum';
  readonly templates: readonly TemplateParam[];
  readonly bases: readonly TypeRef[];
  readonly fields: readonly Declarator[];
  readonly methods: readonly FunctionDef[];
  readonly constants: readonly { readonly name: string; readonly value?: Expr }[];
  readonly aliases: readonly AliasDef[];
  readonly align?: Expr;
  readonly packed: boolean;
}

export interface AliasDef extends Node {
  readonly d: 'alias';
  readonly name: string;
  readonly type: TypeRef;
  readonly templates: readonly TemplateParam[];
}

export interface VariableDef extends Node {
  readonly d: 'variable';
  readonly declarators: readonly Declarator[];
}

export interface NamespaceAlias extends Node {
  readonly d: 'namespace';
  readonly name: string;
  readonly target: string;
}

/** What a top-level item declares; several where a structure also declares variables. */
export type Def = FunctionDef | AggregateDef | AliasDef | VariableDef | NamespaceAlias;

/**
 * Operators in a row (`a + b + c`, `a, b`, `a[0][1]`) nest to the left, and who walks them needs stack for each: so many at most are in an
 * expression.
 */
export const LONGEST_CHAIN = 1000;

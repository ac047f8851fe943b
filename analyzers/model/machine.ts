/** The state of one interpretation, and the way from each part of the interpreter to the others. */
import type { Expr, ExprOf, Stmt } from '../syntax/ast.ts';
import type { Item } from '../syntax/items.ts';
import { resetIds } from './form.ts';
import { type Frames, newFrames } from './frames.ts';
import { newRecorder, type Recorder } from './recorder.ts';
import type { Table } from './table.ts';
import { newTrial, type Trial } from './trial.ts';
import type { StructType, TypeResolver } from './types.ts';
import type { LValue, Value } from './values.ts';

/** State of one interpretation. */
export interface Machine extends Frames, Recorder, Trial {
  readonly table: Table;
  readonly mode: 'device' | 'host';
  readonly interpreter: Interpreter;
  /** Whether a called function is worth its run. */
  follow: (item: Item) => boolean;
  readonly builtins: ReadonlyMap<string, Value>;
  /** Types of structures with their bindings, by name. */
  readonly structs: Map<string, StructType>;
  /** Aliases being resolved. */
  readonly resolving: Set<string>;
  /** Resolves names as they are seen where the machine stands. */
  resolver: TypeResolver | undefined;
  readonly globals: Map<string, Value>;
}

/** What the parts of the interpreter ask of each other. They go through the machine, so that none imports what is built on it. */
export interface Interpreter {
  readonly evaluate: (m: Machine, e: Expr) => Value;
  /** The thing that an expression designates. */
  readonly lvalue: (m: Machine, e: Expr) => LValue;
  readonly call: (m: Machine, e: ExprOf<'call'>, options: CallOptions) => Value;
  readonly launch: (m: Machine, e: ExprOf<'launch'>) => Value;
  readonly execute: (m: Machine, s: Stmt) => Flow;
}

export interface CallOptions {
  readonly resultUsed: boolean;
}

/** How control leaves a statement, when it surely does. */
export type Flow = 'next' | 'return' | 'break' | 'continue';

export function evaluate(m: Machine, e: Expr): Value {
  return m.interpreter.evaluate(m, e);
}

export function lvalue(m: Machine, e: Expr): LValue {
  return m.interpreter.lvalue(m, e);
}

export function call(m: Machine, e: ExprOf<'call'>, options: CallOptions = USED): Value {
  return m.interpreter.call(m, e, options);
}

const USED: CallOptions = { resultUsed: true };

const DISCARDED: CallOptions = { resultUsed: false };

/** For the effects alone: the value goes nowhere. */
export function evaluateDiscarded(m: Machine, e: Expr): void {
  if (e.k === 'call') call(m, e, DISCARDED);
  else if (e.k === 'binary' && e.op === ',') {
    evaluateDiscarded(m, e.a);
    evaluateDiscarded(m, e.b);
  } else if (e.k === 'cast' && e.type.name === 'void') evaluateDiscarded(m, e.a);
  else evaluate(m, e);
}

export function launch(m: Machine, e: ExprOf<'launch'>): Value {
  return m.interpreter.launch(m, e);
}

export function execute(m: Machine, s: Stmt): Flow {
  return m.interpreter.execute(m, s);
}

const STEP_LIMIT = 150_000;

export interface MachineOptions {
  readonly table: Table;
  readonly mode: Machine['mode'];
  /** The share of the steps that one interpretation may take. */
  readonly share?: number;
}

export function makeMachine(interpreter: Interpreter, { table, mode, share = 1 }: MachineOptions): Machine {
  resetIds();
  return {
    ...newFrames(),
    ...newRecorder(),
    ...newTrial(STEP_LIMIT * share),
    table,
    mode,
    interpreter,
    follow: () => true,
    builtins: new Map(),
    structs: new Map(),
    resolving: new Set(),
    resolver: undefined,
    globals: new Map(),
  };
}

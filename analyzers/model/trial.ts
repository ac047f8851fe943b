/** Runs that do not count: changes that can be taken back, and limits on how much is tried. */
import type { Stmt } from '../syntax/ast.ts';
import type { Frames } from './frames.ts';
import { noteEscape, type Recorder } from './recorder.ts';
import type { Cell, Value } from './values.ts';

/** What can be taken back, and how much more may be tried. */
export interface Trial {
  /** Cells changed since the log began, with what they held before. */
  log: Map<Cell, Value> | undefined;
  /** Above zero: a trial run of a loop, whose facts do not count. */
  trial: number;
  /** What one trial says of a loop's variables is taken for granted until the run that counts says otherwise. */
  trusting: boolean;
  /** It did: the facts may be wrong. */
  misjudged: boolean;
  /** By the loop's shape: what its variables have been seen to depend on. */
  readonly developments: WeakMap<object, Development[]>;
  /** By loop: what its text assigns. */
  readonly loopTargets: Map<Stmt, KnownLoop>;
  /** Calls inlined so far: a limit against blow-up. */
  inlined: number;
  /** Statements and expressions run; beyond the limit nothing is known. */
  steps: number;
  readonly stepLimit: number;
}

/** A variable, or a field of one: `p.x` is ['p', 'x']. */
export type Target = readonly string[];

/** What a part of a loop assigns, by the names as written, and what it declares. */
export interface LoopText {
  readonly targets: Map<string, Target>;
  readonly declared: Set<string>;
}

/** A loop that was looked at: its body, for the loops around it too, and its targets when it is run itself. */
export interface KnownLoop {
  readonly body: LoopText;
  targets?: readonly Target[];
}

/** What a variable of a loop may depend on. */
export interface Development {
  lane: boolean;
  block: boolean;
  data: boolean;
  unknown: boolean;
  symbolic: boolean;
  /** For pointers: what it points to in later iterations. */
  pointer?: Value & { v: 'ptr' };
}

const INLINE_LIMIT = 400;

const DEPTH_LIMIT = 12;

export function newTrial(stepLimit: number): Trial {
  return {
    log: undefined,
    trial: 0,
    trusting: false,
    misjudged: false,
    developments: new WeakMap(),
    loopTargets: new Map(),
    inlined: 0,
    steps: 0,
    stepLimit,
  };
}

/** Takes one step of the budget that bounds how long any kernel takes; what lies beyond it is missing from the facts. */
export function mayStep(m: Recorder & Trial): boolean {
  if (m.steps++ < m.stepLimit) return true;
  m.facts.incomplete = true;
  return false;
}

export function mayInline(m: Frames & Trial): boolean {
  return m.frames.length < DEPTH_LIMIT && m.inlined++ < INLINE_LIMIT && m.steps < m.stepLimit;
}

export function setCell(m: Recorder & Trial, cell: Cell, value: Value): void {
  if (m.log && !m.log.has(cell)) m.log.set(cell, cell.value);
  noteEscape(m, value);
  cell.value = value;
}

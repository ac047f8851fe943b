/**
 * What an integer (or any scalar) is in terms of a thread's place: an expression graph over threadIdx, uniform symbols, loop counters and
 * values nobody knows. Graphs are built by the interpreter and asked by `evaluate.ts`, which computes them for 32 lanes.
 */
import { applyPair, applyScalar } from './scalars.ts';

export type Form = ConstForm | ThreadForm | SymbolForm | LaneForm | OpForm | LoopForm;

interface Traits {
  /** Does it vary with threadIdx, with blockIdx, with anything at run time? */
  readonly lane: boolean;
  readonly block: boolean;
  readonly runtime: boolean;
  /** Comes from memory; not understood. */
  readonly data: boolean;
  readonly unknown: boolean;
  /** Uses a symbol whose value is chosen (parameters, grid), so that a condition on it may be a bounds guard. */
  readonly symbolic: boolean;
  /** The innermost loop between whose iterations it may differ; 0 where it differs in none. */
  readonly loopDepth: number;
  /** Depth of the graph below, so that no walk over it runs out of stack. */
  readonly depth: number;
}

export interface ConstForm extends Traits {
  readonly f: 'const';
  readonly v: number;
}
export interface ThreadForm extends Traits {
  readonly f: 'thread';
  readonly axis: 0 | 1 | 2;
}
/** One value for all threads of a block (or the grid). */
export interface SymbolForm extends Traits {
  readonly f: 'symbol';
  readonly id: number;
  readonly name: string;
  /** `constant`: of the program, by its spelling, but not in the text at hand. */
  readonly role: 'parameter' | 'constant' | 'blockIdx' | 'blockDim' | 'gridDim' | 'loaded' | 'unknown';
  readonly axis?: 0 | 1 | 2;
  readonly positive?: boolean;
  /** For a load: in a loop that takes the address on, each iteration has a value of its own. */
  readonly address?: Form;
}
/** A value of its own in every lane: loaded, or not understood. */
export interface LaneForm extends Traits {
  readonly f: 'any';
  readonly id: number;
  /** For a load: lanes with one address get one value. */
  readonly address?: Form;
  /** What it was loaded from, by name, and bytes of the value. */
  readonly from?: string;
  readonly size?: number;
  /** For a load of shared memory, which the block itself has filled. */
  readonly shared: boolean;
}
export interface OpForm extends Traits {
  readonly f: 'op';
  readonly op: string;
  readonly args: readonly Form[];
}
/** A variable that a loop changes, at the start of an iteration. */
export interface LoopForm extends Traits {
  readonly f: 'loop';
  readonly loop: LoopShape;
  readonly index: number;
  /** After the loop rather than in it. */
  readonly after: boolean;
}

/** How a loop's variables develop. Filled in while the loop is interpreted. */
export interface LoopShape {
  readonly id: number;
  /** Loops in each other, this one included. */
  readonly depth: number;
  readonly init: Form[];
  /** Value at the end of an iteration in terms of the loop forms of the same loop; undefined while unknown. */
  readonly next: (Form | undefined)[];
  /** Continues while true, evaluated at the start of an iteration; of `do` loops at the end. */
  condition?: Form;
  /** Lanes leave by `break` or `return` too. */
  breaks: boolean;
  /** By variable: the distance between lanes that combine what they have of it in each iteration. */
  exchanges?: Map<number, Form>;
  /** Variables that data moves by constants, if at all: `if (data) i++`. */
  creeping?: Set<number>;
  /** Variables with data in them that is the same in all lanes. */
  alike?: Set<number>;
  /** By how much each variable advances, once somebody has asked. */
  steps?: readonly (Form | undefined)[];
}

/** Counts within one interpretation, so that the same text always gets the same values: see `resetIds`. */
let nextId = 1;

/** Called where an interpretation starts; interpretations run one after the other. */
export function resetIds(): void {
  nextId = 1;
}

/** Where the numbers of symbols and loops stand. */
export function idsSoFar(): number {
  return nextId;
}

/** Leaves out as many as were given since: what is numbered later does not hang on whether the same was looked at again. */
export function skipIdsSince(before: number): void {
  nextId += nextId - before;
}

function newConstant(v: number): ConstForm {
  return {
    f: 'const',
    v,
    lane: false,
    block: false,
    runtime: false,
    data: false,
    unknown: false,
    symbolic: false,
    loopDepth: 0,
    depth: 0,
  };
}

const SMALL: readonly ConstForm[] = Array.from({ length: 130 }, (_, i) => newConstant(i - 1));

/** Deeper ones are not followed: hundreds of operations in a row are data, not an index. */
const MAX_DEPTH = 400;

export function constant(v: number): ConstForm {
  return Number.isInteger(v) && v >= -1 && v < 129 ? SMALL[v + 1] : newConstant(v);
}

const THREADS: readonly ThreadForm[] = ([0, 1, 2] as const).map((axis) => ({
  f: 'thread',
  axis,
  lane: true,
  block: false,
  runtime: true,
  data: false,
  unknown: false,
  symbolic: false,
  loopDepth: 0,
  depth: 0,
}));

export function thread(axis: 0 | 1 | 2): ThreadForm {
  return THREADS[axis];
}

export function symbol(
  name: string,
  role: SymbolForm['role'],
  options: { axis?: 0 | 1 | 2; data?: boolean; block?: boolean; positive?: boolean; address?: Form } = {},
): SymbolForm {
  const { axis, data = false, block = role === 'blockIdx', positive, address } = options;
  const depth = address ? address.depth + 1 : 0;
  return {
    f: 'symbol',
    id: nextId++,
    name,
    role,
    axis,
    positive,
    address: depth > MAX_DEPTH ? undefined : address,
    lane: false,
    block,
    runtime: true,
    data,
    unknown: role === 'unknown',
    symbolic: role !== 'blockDim',
    loopDepth: 0,
    depth,
  };
}

export function anything(options: {
  data: boolean;
  unknown: boolean;
  address?: Form;
  from?: string;
  size?: number;
  shared?: boolean;
}): LaneForm {
  const { data, unknown, address, from, size, shared = false } = options;
  const depth = address ? address.depth + 1 : 0;
  return {
    f: 'any',
    id: nextId++,
    lane: true,
    block: true,
    runtime: true,
    data,
    unknown,
    symbolic: true,
    loopDepth: address?.loopDepth ?? 0,
    depth,
    address: depth > MAX_DEPTH ? undefined : address,
    from,
    size,
    shared,
  };
}

export function loopForm(
  loop: LoopShape,
  index: number,
  { lane, block, data, unknown, symbolic }: { lane: boolean; block: boolean; data: boolean; unknown: boolean; symbolic: boolean },
  after = false,
): LoopForm {
  let depth = 0;
  for (const init of loop.init) depth = Math.max(depth, init.depth + 1);
  return {
    f: 'loop',
    loop,
    index,
    after,
    lane,
    block,
    runtime: true,
    data,
    unknown: unknown || depth > MAX_DEPTH,
    symbolic,
    loopDepth: after ? loop.depth - 1 : loop.depth,
    depth,
  };
}

export function newLoop(depth: number): LoopShape {
  return { id: nextId++, depth, init: [], next: [], breaks: false };
}

/** An operation, folded when all operands are constant and simplified in the few cases that keep graphs small. */
export function op(name: string, a: Form, b?: Form, c?: Form): Form {
  // Most operations leave nothing but their result: no list for those.
  const folded = fold(name, a, b, c);
  if (folded !== undefined && !Number.isNaN(folded)) return constant(folded);
  return simplify(name, a, b, c) ?? newOp(name, b === undefined ? [a] : c === undefined ? [a, b] : [a, b, c]);
}

/** The same of any number of operands. */
export function opOf(name: string, args: readonly Form[]): Form {
  if (args.length <= 3) return op(name, args[0], args[1], args[2]);
  const values = args.flatMap((a) => (a.f === 'const' ? [a.v] : []));
  const folded = values.length === args.length ? applyScalar(name, values) : Number.NaN;
  return Number.isNaN(folded) ? newOp(name, args) : constant(folded);
}

function newOp(name: string, args: readonly Form[]): Form {
  let lane = false;
  let block = false;
  let data = false;
  let unknown = false;
  let symbolic = false;
  let runtime = false;
  let loopDepth = 0;
  let depth = 0;
  for (const a of args) {
    lane ||= a.lane;
    block ||= a.block;
    data ||= a.data;
    unknown ||= a.unknown;
    symbolic ||= a.symbolic;
    runtime ||= a.runtime;
    if (a.loopDepth > loopDepth) loopDepth = a.loopDepth;
    if (a.depth >= depth) depth = a.depth + 1;
  }
  if (depth > MAX_DEPTH) return lane ? anything({ data, unknown: true }) : symbol('', 'unknown', { data, block });
  return { f: 'op', op: name, args, lane, block, data, unknown, symbolic, runtime, loopDepth, depth };
}

/** The result where all operands are constant. */
function fold(name: string, a: Form, b: Form | undefined, c: Form | undefined): number | undefined {
  if (a.f !== 'const') return undefined;
  if (b === undefined) return applyScalar(name, [a.v]);
  if (b.f !== 'const') return undefined;
  if (c === undefined) return applyPair(name, a.v, b.v);
  return c.f === 'const' ? applyScalar(name, [a.v, b.v, c.v]) : undefined;
}

function isZero(x: Form): boolean {
  return x.f === 'const' && x.v === 0;
}

function isOne(x: Form): boolean {
  return x.f === 'const' && x.v === 1;
}

function simplify(name: string, a: Form, b: Form | undefined, c: Form | undefined): Form | undefined {
  if (b === undefined) return undefined;
  if (name === 'select' && c !== undefined) {
    if (a.f === 'const') return a.v !== 0 ? b : c;
    return same(b, c) ? b : undefined;
  }
  switch (name) {
    case '+':
      return isZero(a) ? b : isZero(b) ? a : undefined;
    case '-':
      return isZero(b) ? a : same(a, b) ? constant(0) : undefined;
    case '*':
      return isZero(a) || isZero(b) ? constant(0) : isOne(a) ? b : isOne(b) ? a : undefined;
    case '/':
      return isOne(b) ? a : undefined;
    case '<<':
    case '>>':
      return isZero(b) ? a : undefined;
    case '&&':
      return isZero(a) || isZero(b) ? constant(0) : a.f === 'const' ? truth(b) : b.f === 'const' ? truth(a) : undefined;
    case '||':
      return isZero(a) ? truth(b) : isZero(b) ? truth(a) : a.f === 'const' || b.f === 'const' ? constant(1) : undefined;
    case '%':
      return isOne(b) ? constant(0) : undefined;
    case '==':
    case '<=':
    case '>=':
      return equal(a, b) ? constant(1) : undefined;
    case '!=':
    case '<':
    case '>':
      return equal(a, b) ? constant(0) : undefined;
    default:
      return undefined;
  }
}

/** `x != x` on data is a test for not-a-number, so it stays. */
function equal(a: Form, b: Form): boolean {
  return !a.data && !a.unknown && same(a, b);
}

function truth(form: Form): Form {
  return op('!=', form, constant(0));
}

/** One number in all lanes, which neither data nor the values of symbols change. */
export function isDecided({ lane, data, unknown, symbolic }: Form): boolean {
  return !lane && !data && !unknown && !symbolic;
}

export function same(a: Form, b: Form, left = 256): boolean {
  if (a === b) return true;
  if (a.f === 'const') return b.f === 'const' && a.v === b.v;
  if (a.f === 'loop') return b.f === 'loop' && a.loop === b.loop && a.index === b.index && a.after === b.after;
  // Parts may occur many times in a graph: comparing is for small ones.
  if (a.f !== 'op' || b.f !== 'op' || a.op !== b.op || a.args.length !== b.args.length || a.args.length > 2 || left <= 1) return false;
  // What differs mostly does so at the right: a constant.
  for (let i = a.args.length - 1; i >= 0; i--) if (!same(a.args[i], b.args[i], left >> 1)) return false;
  return true;
}

export interface LinearParts {
  readonly base: Form;
  readonly scale: number;
  readonly distance: number;
}

/** A form as `base * scale + distance`, as far as it is spelt out with constants. */
export function linearParts(form: Form): LinearParts {
  let base = form;
  let scale = 1;
  let distance = 0;
  while (base.f === 'op' && base.args.length === 2 && (base.op === '+' || base.op === '-' || base.op === '*')) {
    const [a, b] = base.args;
    const number = b.f === 'const' ? b : a.f === 'const' && base.op !== '-' ? a : undefined;
    if (number === undefined) break;
    if (base.op === '*') scale *= number.v;
    else distance += (base.op === '-' ? -number.v : number.v) * scale;
    base = number === b ? a : b;
  }
  return { base, scale, distance };
}

/** Levels of operations up to which looking at shared parts several times is cheaper than remembering them. */
const SHALLOW = 4;

/** Whether `form` mentions the loop. Graphs are shared, so visited nodes are remembered. */
export function dependsOnLoop(form: Form, loop: LoopShape, seen?: Set<Form>): boolean {
  if ((form.f !== 'op' && form.f !== 'loop') || form.loopDepth < loop.depth) return false;
  if (form.f === 'loop' && form.loop === loop) return true;
  if (form.f === 'op' && form.depth <= SHALLOW) return someDepends(form.args, loop, seen);
  const visited = seen ?? new Set();
  if (visited.has(form)) return false;
  visited.add(form);
  if (form.f === 'op') return someDepends(form.args, loop, visited);
  return someDepends(form.loop.init, loop, visited) || someDepends(form.loop.next, loop, visited);
}

/** A loop takes it where data says, by itself further in each iteration. */
export function movesByData(form: Form, seen = new Set<Form>()): boolean {
  if (!form.data || seen.has(form)) return false;
  seen.add(form);
  if (form.f === 'any') return form.address !== undefined && movesByData(form.address, seen);
  return form.f === 'loop' || (form.f === 'op' && form.args.some((a) => movesByData(a, seen)));
}

/** What a loop that lanes leave by `break` has left: which iteration was the last is not known. */
export function isLeftByBreak(form: Form, seen = new Set<Form>()): boolean {
  if ((form.f !== 'op' && form.f !== 'loop') || seen.has(form)) return false;
  seen.add(form);
  if (form.f === 'op') return form.args.some((arg) => isLeftByBreak(arg, seen));
  const { loop, after } = form;
  return (after && loop.breaks) || [...loop.init, ...loop.next].some((each) => each !== undefined && isLeftByBreak(each, seen));
}

/** The same as dependsOnLoop, also where what changes says which place is loaded from. */
export function variesInLoop(form: Form, loop: LoopShape, seen = new Set<Form>()): boolean {
  if (form.loopDepth < loop.depth || seen.has(form)) return false;
  seen.add(form);
  if (form.f === 'any') return form.address !== undefined && variesInLoop(form.address, loop, seen);
  if (form.f === 'op') return form.args.some((a) => variesInLoop(a, loop, seen));
  return form.f === 'loop' && dependsOnLoop(form, loop);
}

/** The same also of what all lanes load alike, from another place in each iteration. */
export function isAnotherInEach(form: Form, loop: LoopShape, seen = new Set<Form>()): boolean {
  if (seen.has(form)) return false;
  seen.add(form);
  if (form.f === 'any' || form.f === 'symbol') return form.address !== undefined && isAnotherInEach(form.address, loop, seen);
  if (form.f === 'op') return form.args.some((a) => isAnotherInEach(a, loop, seen));
  return form.f === 'loop' && dependsOnLoop(form, loop);
}

function someDepends(forms: readonly (Form | undefined)[], loop: LoopShape, seen: Set<Form> | undefined): boolean {
  for (const form of forms) if (form !== undefined && dependsOnLoop(form, loop, seen)) return true;
  return false;
}

/** Runs statements: both sides of every undecided branch, loop bodies once with their variables as functions of the iteration. */
import { SM_90 } from '../../devices/prices.ts';
import type { Declarator, Expr, Stmt } from '../syntax/ast.ts';
import type { Place } from '../syntax/source.ts';
import { Sample, type Shape, stepOf, tripCounts } from './evaluate.ts';
import {
  construct,
  convert,
  declareObject,
  evaluate,
  evaluateCondition,
  evaluateDiscarded,
  lvalue,
  makeBranch,
  narrowsBack,
  newBranch,
  select,
} from './expressions.ts';
import { constant, type Form, idsSoFar, isDecided, type LoopForm, loopForm, newLoop, op, skipIdsSince } from './form.ts';
import { assignedCells } from './loop-targets.ts';
import {
  copyValue,
  declare,
  frameOf,
  type Machine,
  mayStep,
  momentOf,
  noteEscape,
  opaque,
  placeOf,
  rawValue,
  setCell,
  structType,
  typeOfRef,
  unknownOf,
  withScope,
} from './machine.ts';
import { Memo } from './memo.ts';
import { arrayOf, NO_BINDINGS, type Type } from './types.ts';
import {
  type Cell,
  forgetHostFacts,
  formOf,
  hostFactCounts,
  type MemoryObject,
  num,
  type PathStep,
  type RawBranch,
  type RawLoop,
  typeOf,
  type Value,
} from './values.ts';

/** How control leaves a statement, when it surely does. */
export type Flow = 'next' | 'return' | 'break' | 'continue';

/** `SYNC;` and `syncThreads();` of a file that is not at hand. CUDA's own functions are known. */
function soundsLikeBarrier(e: Expr): boolean {
  const named = e.k === 'call' ? e.f : e;
  return named.k === 'name' && /sync|barrier/i.test(named.name) && !named.name.startsWith('__');
}

function noteUnknownBarrier(m: Machine, s: Stmt): void {
  if (m.mode !== 'device') return;
  m.epoch++;
  if (m.trial === 0) m.facts.barriers.push({ ...momentOf(m, s), name: '', scope: 'unknown' });
}

export function execute(m: Machine, s: Stmt): Flow {
  if (!mayStep(m)) return 'next';
  switch (s.k) {
    case 'block': {
      const { scopes } = frameOf(m);
      scopes.push(undefined);
      const flow = executeAll(m, s.body);
      scopes.pop();
      return flow;
    }
    case 'decl':
      for (const d of s.decls) declaration(m, d);
      return 'next';
    case 'expr': {
      const before = m.facts.barriers.length;
      evaluateDiscarded(m, s.e);
      if (m.mode === 'device' && m.facts.barriers.length === before && soundsLikeBarrier(s.e)) noteUnknownBarrier(m, s);
      return 'next';
    }
    case 'if':
      return withScope(m, () => ifStatement(m, s));
    case 'for':
    case 'while':
    case 'do':
    case 'range':
      return withScope(m, () => loop(m, s));
    case 'switch':
      return switchStatement(m, s);
    case 'return': {
      const frame = frameOf(m);
      const value = s.e && evaluate(m, s.e);
      if (value && frame.def) narrowsBack(m, value, typeOfRef(m, frame.def.returns));
      frame.returns.push({ value: value && copyValue(value), path: m.path.slice(frame.pathBase) });
      noteExit(m, 'return', s);
      return 'return';
    }
    case 'break':
    case 'continue':
      noteExit(m, s.k, s);
      return s.k;
    case 'goto':
    case 'asm':
      m.facts.incomplete = true;
      m.weight++;
      if (s.k === 'asm') noteUnknownBarrier(m, s);
      return 'next';
    case 'aggregate':
      declare(m, s.def.name, { e: 'type', type: structType(m, s.def, NO_BINDINGS) as Type });
      return 'next';
    case 'alias':
      declare(m, s.def.name, { e: 'type', type: typeOfRef(m, s.def.type) });
      return 'next';
    default:
      return 'next';
  }
}

function noteExit(m: Machine, kind: 'return' | 'break' | 'continue', s: Stmt): void {
  if (m.trial > 0 || m.mode === 'host') return;
  const { place, order, path, loops, functionName, callSite, epoch } = momentOf(m, s);
  m.facts.exits.push({ place, order, path, loops, functionName, callSite, epoch, kind, depth: m.frames.length });
}

function executeAll(m: Machine, body: readonly Stmt[]): Flow {
  for (const s of body) {
    const flow = execute(m, s);
    if (flow !== 'next') return flow;
  }
  return 'next';
}

function declaration(m: Machine, d: Declarator): void {
  if (d.bindings) {
    if (d.init) evaluate(m, d.init);
    for (const name of d.bindings)
      declare(m, name, {
        e: 'cell',
        cell: { value: unknownOf({ t: 'unknown', name: 'auto' }), type: { t: 'unknown', name: 'auto' }, name },
      });
    return;
  }
  const written = typeOfRef(m, d.type);
  const { quals } = d.type;
  if (d.type.reference && d.init) {
    declare(m, d.name, { e: 'alias', lv: lvalue(m, d.init) });
    return;
  }
  if (m.mode === 'device' && quals.includes('__shared__')) {
    declareObject(m, objectOf(m, d, written, 'shared'));
    return;
  }
  if (written.t === 'array') {
    if (d.init) evaluate(m, d.init);
    // There is one of a static array for all threads.
    const space = m.mode === 'device' && quals.includes('static') ? 'global' : 'local';
    declareObject(m, { ...objectOf(m, d, sizedByValues(written, d), space), constantsAt: constantsAt(m, d) });
    return;
  }
  const init = initialValue(m, d, written);
  const type = written.t === 'unknown' && (d.type.name === 'auto' || d.type.name === 'decltype') ? typeOf(init) : written;
  noteEscape(m, init);
  declare(m, d.name, { e: 'cell', cell: { value: init, type, name: d.name } });
}

/** `T a[] = {…}` has as many elements as values. */
function sizedByValues(type: Type & { t: 'array' }, { type: { dims }, init }: Declarator): Type {
  return dims.length > 0 && dims[0] === undefined && init?.k === 'list' ? arrayOf(type.of, init.items.length) : type;
}

/** Where the type of a constant array of literals stands. */
function constantsAt(m: Machine, { type, init }: Declarator): Place | undefined {
  if (!type.quals.some((q) => q === 'const' || q === 'constexpr') || !init || !isLiteral(init)) return undefined;
  return { item: frameOf(m).item, start: type.start, end: type.end };
}

function isLiteral(e: Expr): boolean {
  if (e.k === 'list') return e.items.every(isLiteral);
  return e.k === 'number' || e.k === 'bool' || (e.k === 'unary' && e.op === '-' && isLiteral(e.a));
}

function initialValue(m: Machine, d: Declarator, type: Type): Value {
  const auto = type.t === 'unknown';
  if (d.init) {
    const value = evaluate(m, d.init);
    if (value.v === 'list') return construct(m, type, [], d, value.items);
    return auto ? copyValue(value) : copyValue(convert(m, value, type));
  }
  if (d.args && (d.args.length > 0 || type.t === 'struct')) {
    if (auto) {
      const values = d.args.map((a) => evaluate(m, a));
      return values.length === 1 ? values[0] : unknownOf(type);
    }
    return construct(m, type, d.args, d);
  }
  // Uninitialised: any value will do, and the same for all lanes keeps later merges simple.
  return type.t === 'struct' && type.name === 'dim3'
    ? construct(m, type, [], d)
    : opaque(type, { name: d.name, uniform: true, data: false });
}

function objectOf(m: Machine, d: Declarator, type: Type, space: 'shared' | 'local' | 'global'): MemoryObject {
  const { quals, dims } = d.type;
  const item = frameOf(m).item;
  return {
    id: `${space}:${d.name}@${d.nameStart}`,
    name: d.name,
    space,
    type,
    volatile: quals.includes('volatile'),
    dynamicShared: space === 'shared' && quals.includes('extern'),
    declaredAt: placeOf(m, d),
    dimPlaces: dims.flatMap((e) => (e ? [{ item, start: e.start, end: e.end }] : [])),
  };
}

interface Outcome {
  readonly flow: Flow;
  /** Cells changed on the side, with what they hold at its end. */
  readonly changed: ReadonlyMap<Cell, Value>;
}

const NOTHING: ReadonlyMap<Cell, Value> = new Map();
const UNCHANGED: Outcome = { flow: 'next', changed: NOTHING };

/** Runs one side of a branch and takes its changes back. */
function side(m: Machine, branch: RawBranch, which: PathStep['side'], body: readonly Stmt[]): Outcome {
  const { path, log: outer } = m;
  const { scopes } = frameOf(m);
  const log = new Map<Cell, Value>();
  m.log = log;
  m.path = [...path, { branch, side: which }];
  scopes.push(undefined);
  const flow = executeAll(m, body);
  scopes.pop();
  m.path = path;
  m.log = outer;
  // The log itself becomes the list of changes: what each cell holds now against what it held.
  for (const [cell, before] of log) {
    log.set(cell, cell.value);
    cell.value = before;
  }
  return { flow, changed: log };
}

function ifStatement(m: Machine, s: Stmt & { k: 'if' }): Flow {
  if (s.init) execute(m, s.init);
  const c = evaluateCondition(m, s.c);
  const form = formOf(c);
  if (form.f === 'const') {
    if (form.v !== 0) return execute(m, s.then);
    return s.else ? execute(m, s.else) : 'next';
  }
  const branch = newBranch(m, 'if', s, c, s.head, s.c);
  return split(m, branch, form, s);
}

function split(m: Machine, branch: RawBranch, c: Form, s: Stmt & { k: 'if' }): Flow {
  const barriers = m.facts.barriers.length;
  const loops = m.facts.loops.length;
  const branches = m.facts.branches.length;
  const start = { cost: m.cost, weight: m.weight };
  const a = side(m, branch, 'then', [s.then]);
  branch.thenCost = m.cost - start.cost;
  branch.thenHeavy = m.weight > start.weight;
  branch.loopInside = m.facts.loops.length > loops;
  branch.barrierInside = hasBlockBarrier(m, barriers);
  const middle = { cost: m.cost, weight: m.weight };
  const b = s.else ? side(m, branch, 'else', [s.else]) : UNCHANGED;
  branch.elseCost = m.cost - middle.cost;
  branch.elseHeavy = m.weight > middle.weight;
  branch.nested = hasBranch(m, branches);
  branch.thenEnd = middle.cost;
  branch.elseEnd = m.cost;
  if (a.flow !== 'next' && isBareExit(s.then)) branch.exits = a.flow;
  if (a.flow !== 'next') branch.leaves = a.flow;
  if (b.flow !== 'next') branch.otherLeaves = b.flow;
  merge(m, c, a, b);
  if (a.flow !== 'next' && b.flow !== 'next') return a.flow === b.flow ? a.flow : a.flow === 'return' ? b.flow : a.flow;
  if (a.flow !== 'next') {
    m.path = [...m.path, { branch, side: 'else' }];
    if (m.mode === 'device')
      m.exits.push({ branch, flow: a.flow, cost: m.cost, weight: m.weight, depth: a.flow === 'return' ? m.frames.length : m.loops.length });
  }
  if (b.flow !== 'next') m.path = [...m.path, { branch, side: 'then' }];
  return 'next';
}

/** Whether a barrier of the whole block or grid was noted since there were `before`. */
function hasBlockBarrier(m: Machine, before: number): boolean {
  const { barriers } = m.facts;
  for (let i = before; i < barriers.length; i++) if (barriers[i].scope === 'block' || barriers[i].scope === 'grid') return true;
  return false;
}

/** Whether an `if`, `?:` or `switch` was noted since there were `before` branches. */
function hasBranch(m: Machine, before: number): boolean {
  const { branches } = m.facts;
  for (let i = before; i < branches.length; i++) if (branches[i].kind !== 'logical') return true;
  return false;
}

/** What lanes that left do not run is the other side of their branch: its cost is known where the loop or the function ends. */
export function settleExits(m: Machine, of: 'loop' | 'function'): void {
  const depth = of === 'function' ? m.frames.length : m.loops.length;
  if (m.exits.length === 0) return;
  m.exits = m.exits.filter((e) => {
    if ((e.flow === 'return') !== (of === 'function') || e.depth < depth) return true;
    e.branch.elseCost = Math.max(e.branch.elseCost, m.cost - e.cost);
    e.branch.elseHeavy ||= m.weight > e.weight;
    e.branch.elseEnd = m.cost;
    return false;
  });
}

function isBareExit(s: Stmt): boolean {
  if (s.k === 'block') return s.body.length === 1 && isBareExit(s.body[0]);
  return s.k === 'return' || s.k === 'break' || s.k === 'continue';
}

/** Lanes that left do not come back: their values do not count after the branch. */
function merge(m: Machine, c: Form, a: Outcome, b: Outcome): void {
  const leaves = (o: Outcome) => o.flow === 'return' || o.flow === 'break';
  const cells =
    b.changed.size === 0 ? a.changed.keys() : a.changed.size === 0 ? b.changed.keys() : new Set([...a.changed.keys(), ...b.changed.keys()]);
  for (const cell of cells) {
    const before = cell.value;
    const va = leaves(a) ? undefined : (a.changed.get(cell) ?? before);
    const vb = leaves(b) ? undefined : (b.changed.get(cell) ?? before);
    if (va && vb) setCell(m, cell, select(c, va, vb));
    else if (va ?? vb) setCell(m, cell, (va ?? vb)!);
  }
}

function switchStatement(m: Machine, s: Stmt & { k: 'switch' }): Flow {
  const subject = evaluate(m, s.c);
  const form = formOf(subject);
  const groups = caseGroups(m, s.body.k === 'block' ? s.body.body : [s.body]);
  if (form.f === 'const') {
    const at = groups.findIndex((g) => g.values.includes(form.v));
    const chosen = at >= 0 ? at : groups.findIndex((g) => g.isDefault);
    if (chosen < 0) return 'next';
    const flow = withScope(m, () =>
      executeAll(
        m,
        groups.slice(chosen).flatMap((g) => g.body),
      ),
    );
    return flow === 'break' ? 'next' : flow;
  }
  const branch = newBranch(m, 'switch', s, subject, s.head, s.c);
  (branch as { cases?: number[] }).cases = groups.flatMap((g) => g.values);
  const start = { cost: m.cost, weight: m.weight };
  const outcomes = groups.map((group) => side(m, branch, 'then', group.body));
  branch.thenCost = m.cost - start.cost;
  branch.thenHeavy = m.weight > start.weight;
  branch.thenEnd = m.cost;
  branch.elseEnd = m.cost;
  const cells = new Set(outcomes.flatMap((o) => [...o.changed.keys()]));
  for (const cell of cells) {
    let value = cell.value;
    groups.forEach((group, i) => {
      if (outcomes[i].flow === 'return') return;
      const taken =
        group.isDefault && group.values.length === 0
          ? op(
              '!',
              groups
                .flatMap((g) => g.values)
                .map((v) => op('==', form, constant(v)))
                .reduce((x, y) => op('||', x, y), constant(0) as Form),
            )
          : group.values.map((v) => op('==', form, constant(v))).reduce((x, y) => op('||', x, y), constant(0) as Form);
      value = select(taken, outcomes[i].changed.get(cell) ?? cell.value, value);
    });
    setCell(m, cell, value);
  }
  const allReturn = outcomes.length > 0 && outcomes.every((o) => o.flow === 'return') && groups.some((g) => g.isDefault);
  return allReturn ? 'return' : 'next';
}

interface CaseGroup {
  readonly values: number[];
  isDefault: boolean;
  readonly body: Stmt[];
}

function caseGroups(m: Machine, body: readonly Stmt[]): CaseGroup[] {
  const groups: CaseGroup[] = [];
  let open: CaseGroup | undefined;
  for (const s of body) {
    if (s.k === 'case') {
      if (!open || open.body.length > 0) {
        open = { values: [], isDefault: false, body: [] };
        groups.push(open);
      }
      const value = s.value && formOf(evaluate(m, s.value));
      if (!s.value) open.isDefault = true;
      else if (value?.f === 'const') open.values.push(value.v);
    } else open?.body.push(s);
  }
  return groups;
}

type LoopStmt = Stmt & { k: 'for' | 'while' | 'do' | 'range' };

function loop(m: Machine, s: LoopStmt): Flow {
  if (s.k === 'for' && s.init) execute(m, s.init);
  if (s.k === 'range') rangeVariable(m, s);
  const condition = s.k === 'for' ? s.c : s.k === 'range' ? undefined : s.c;
  if (s.k === 'do' && condition?.k !== undefined && isFalse(m, condition)) {
    const flow = execute(m, s.body);
    return flow === 'return' ? 'return' : 'next';
  }
  if (s.k !== 'do' && condition && isFalse(m, condition)) return 'next';
  const shape = newLoop(m.loops.length + 1);
  const { place, order, path, loops, functionName, callSite, epoch } = momentOf(m, s);
  const raw: RawLoop = {
    place,
    order,
    path,
    loops,
    functionName,
    callSite,
    epoch,
    kind: s.k === 'range' ? 'for' : s.k,
    headPlace: placeOf(m, s.head),
    shape,
    condition: undefined,
    containsBarrier: false,
    unrolled: s.k === 'for' && s.unroll === true,
    bodyCost: 0,
    spins: undefined,
  };
  const saved = { path: m.path, loops: m.loops };
  m.loops = [...m.loops, raw];
  const flow = m.mode === 'host' ? hostLoop(m, s, raw) : deviceLoop(m, s, raw);
  m.path = saved.path;
  m.loops = saved.loops;
  return flow === 'return' && s.k === 'do' ? 'return' : 'next';
}

function deviceLoop(m: Machine, s: LoopStmt, raw: RawLoop): Flow {
  const start = { cost: m.cost, barriers: m.facts.barriers.length };
  const { cells, unproven } = develop(m, s, raw);
  if (m.trial === 0) m.facts.loops.push(raw);
  setMarkers(m, cells, raw, false);
  // A trial has just run the body with its variables marked: what it changed is known.
  const flow = m.trial > 0 ? 'next' : iteration(m, s, raw, true);
  if (unproven) proveTrial(m, raw.shape, cells, unproven);
  settleExits(m, 'loop');
  raw.containsBarrier = hasBlockBarrier(m, start.barriers);
  raw.bodyCost = m.cost - start.cost;
  const rounds = unrolledRounds(raw);
  if (rounds === undefined) m.weight++;
  m.cost = start.cost + raw.bodyCost * (rounds ?? SM_90.unrolledRounds);
  raw.end = m.cost;
  setMarkers(m, cells, raw, true);
  return flow;
}

interface HostRound {
  readonly flow: Flow;
  /** Cells taken for variables of the loop, and others that turned out to change, with what they held before. */
  readonly taken: ReadonlyMap<Cell, Value>;
  readonly others: ReadonlyMap<Cell, Value>;
  /** All that changed, those that the loop itself declares too. */
  readonly changed: ReadonlyMap<Cell, Value>;
}

/**
 * Of host code only constants count, and which variables a loop changes is mostly what its text assigns: it is run as if that were so.
 * Where that took a constant for a variable or a variable for a constant, it is run again with what did change.
 */
function hostLoop(m: Machine, s: LoopStmt, raw: RawLoop): Flow {
  const before = { path: m.path, facts: hostFactCounts(m.facts), returns: frameOf(m).returns.length };
  let round = hostRound(m, s, raw, assignedCells(m, s));
  if (isMisjudged(round)) {
    for (const cells of [round.changed, round.taken]) for (const [cell, value] of cells) cell.value = value;
    forgetHostFacts(m.facts, before.facts);
    frameOf(m).returns.length = before.returns;
    m.path = before.path;
    const { taken, others, changed } = round;
    round = hostRound(m, s, raw, [...[...taken.keys()].filter((cell) => changed.has(cell)), ...others.keys()]);
  }
  const { taken, others, changed, flow } = round;
  if (m.log) for (const cells of [taken, changed]) for (const [cell, value] of cells) if (!m.log.has(cell)) m.log.set(cell, value);
  setMarkers(m, [...taken.keys(), ...others.keys()], raw, true);
  return flow;
}

function hostRound(m: Machine, s: LoopStmt, raw: RawLoop, cells: readonly Cell[]): HostRound {
  const outer = m.log;
  const taken = new Map<Cell, Value>();
  for (const cell of cells) taken.set(cell, cell.value);
  m.log = undefined;
  setMarkers(m, cells, raw, false);
  const changed = new Map<Cell, Value>();
  m.log = changed;
  const flow = withScope(m, () => hostIteration(m, s));
  m.log = outer;
  const fresh = freshCells(m, changed, taken);
  const others = fresh.length > 0 ? new Map(fresh.map((cell) => [cell, changed.get(cell)!])) : NOTHING;
  return { flow, taken, others, changed };
}

/** A structure stands for its fields. */
function isMisjudged({ taken, others, changed }: HostRound): boolean {
  for (const [cell, value] of taken) if (!changed.has(cell) && !isUnknownNumber(value)) return true;
  for (const value of others.values()) if (value.v !== 'struct' && !isUnknownNumber(value)) return true;
  return false;
}

function isUnknownNumber(value: Value): boolean {
  return (value.v === 'num' || value.v === 'ptr') && formOf(value).f !== 'const';
}

function hostIteration(m: Machine, s: LoopStmt): Flow {
  const condition = s.k === 'range' ? undefined : s.c;
  if (condition && s.k !== 'do') {
    const value = evaluate(m, condition);
    if (formOf(value).f !== 'const') m.path = [...m.path, { branch: newBranch(m, 'loop-exit', condition, value, s.head), side: 'then' }];
  }
  const flow = execute(m, s.body);
  if (s.k === 'for' && s.step) evaluateDiscarded(m, s.step);
  if (condition && s.k === 'do') evaluate(m, condition);
  return flow;
}

/** How often the body of a loop runs that compilers write out: a known number of times, and few. Straight code is left of it. */
function unrolledRounds({ shape, kind }: RawLoop): number | undefined {
  const { condition, breaks } = shape;
  if (kind !== 'for' || breaks || !condition || !isDecided(condition)) return undefined;
  const rounds = tripCounts(
    shape,
    new Sample({ shape: ONE_THREAD, warp: 0, warps: 1, seed: 0, budget: { left: 64 } }, undefined),
    SM_90.unrolledRounds + 1,
  );
  return typeof rounds === 'number' && rounds <= SM_90.unrolledRounds ? rounds : undefined;
}

const ONE_THREAD: Shape = { block: [1, 1, 1], grid: [1, 1, 1] };

function isFalse(m: Machine, e: Expr): boolean {
  m.trial++;
  const form = formOf(evaluate(m, e));
  m.trial--;
  return form.f === 'const' && form.v === 0;
}

function rangeVariable(m: Machine, s: Stmt & { k: 'range' }): void {
  const over = evaluate(m, s.over);
  const type = typeOfRef(m, s.decl.type);
  const value =
    over.v === 'list' && over.items.length === 1
      ? over.items[0]
      : opaque(type.t === 'unknown' && over.v === 'list' && over.items[0] ? typeOf(over.items[0]) : type, {
          name: s.decl.name,
          uniform: true,
          data: false,
          known: true,
        });
  declare(m, s.decl.name, { e: 'cell', cell: { value, type: typeOf(value), name: s.decl.name } });
}

/** One pass over condition, body and step. */
function iteration(m: Machine, s: LoopStmt, raw: RawLoop, final: boolean): Flow {
  const { shape } = raw;
  const condition = s.k === 'range' ? undefined : s.c;
  const check = (): void => {
    if (!condition) return;
    const accesses = m.facts.accesses.length;
    const value = evaluateCondition(m, condition);
    if (!final) return;
    raw.condition = rawValue(m, value, condition);
    shape.condition = formOf(value);
    raw.spins = m.facts.accesses
      .slice(accesses)
      .find((a) => a.kind === 'load' && (a.object.space === 'global' || a.object.space === 'shared'));
    if (s.k !== 'do' && shape.condition.f !== 'const') {
      const branch = makeBranch(m, 'loop-exit', condition, raw.condition, raw.headPlace);
      branch.thenHeavy = true;
      m.path = [...m.path, { branch, side: 'then' }];
    }
  };
  if (s.k !== 'do') check();
  const exits = m.facts.exits.length;
  const flow = execute(m, s.body);
  if (
    final &&
    m.facts.exits.slice(exits).some((e) => e.kind !== 'continue' && e.depth === m.frames.length && e.loops[e.loops.length - 1] === raw)
  )
    shape.breaks = true;
  if (s.k === 'for' && s.step) evaluateDiscarded(m, s.step);
  if (s.k === 'do') check();
  return flow;
}

interface Developed {
  readonly cells: readonly Cell[];
  /**
   * What they hold before the loop, where a second trial was left out that mostly tells nothing new: the run that counts does the same,
   * and shows whether it would have.
   */
  readonly unproven: ReadonlyMap<Cell, Value> | undefined;
}

/** Finds the cells that the loop changes and how, by trial runs. */
function develop(m: Machine, s: LoopStmt, raw: RawLoop): Developed {
  const { shape } = raw;
  const outer = m.log;
  const saved = { path: m.path, cost: m.cost, epoch: m.epoch, weight: m.weight };
  m.trial++;
  const cells: Cell[] = [];
  const initial = new Map<Cell, Value>();
  let unproven: Developed['unproven'];
  const add = (cell: Cell) => {
    initial.set(cell, cell.value);
    cells.push(cell);
    shape.init.push(formOf(cell.value));
    shape.next.push(undefined);
  };
  for (const cell of assignedCells(m, s)) add(cell);
  for (let round = 0; round < 4; round++) {
    const ids = idsSoFar();
    const marked = new Map<Cell, Value>();
    m.log = marked;
    setMarkers(m, cells, raw, false);
    const log = new Map<Cell, Value>();
    m.log = log;
    withScope(m, () => iteration(m, s, raw, false));
    m.path = saved.path;
    const ends = cells.map((cell) => cell.value);
    for (const [cell, before] of log) cell.value = before;
    for (const [cell, before] of marked) cell.value = before;
    if (round === 0 && !cells.every((cell) => log.has(cell))) {
      // Assigned in a part of the loop that does not run: what stays as it was must not look like a variable.
      initial.clear();
      for (const list of [cells, shape.init, shape.next]) list.length = 0;
      for (const cell of freshCells(m, log, initial)) add(cell);
      continue;
    }
    const fresh = freshCells(m, log, initial);
    for (const cell of fresh) add(cell);
    const learnt = describeAll(shape, cells, initial, ends);
    if (fresh.length === 0 && !learnt) break;
    if (fresh.length === 0 && m.trial === 1 && m.trusting && !spreads(shape, ends)) {
      unproven = initial;
      skipIdsSince(ids);
      break;
    }
    // Nested trials would multiply at every level; one look with all variables marked is enough there.
    if (m.trial > 1 && (round > 0 || fresh.length === 0)) break;
  }
  m.trial--;
  m.log = outer;
  m.path = saved.path;
  m.cost = saved.cost;
  m.epoch = saved.epoch;
  m.weight = saved.weight;
  return { cells, unproven };
}

/** After a run that counts: notes if it told more of the loop's variables than they were marked with, so that its facts may be wrong. */
function proveTrial(m: Machine, shape: RawLoop['shape'], cells: readonly Cell[], initial: ReadonlyMap<Cell, Value>): void {
  const ends = cells.map((cell) => cell.value);
  if (!describeAll(shape, cells, initial, ends)) return;
  m.misjudged = true;
  // The rest of the run is for nothing.
  m.steps = m.stepLimit;
}

/** Changed cells that were not known to be. Those of the loop's own body are new in each iteration and do not count. */
function freshCells(m: Machine, log: ReadonlyMap<Cell, Value>, known: ReadonlyMap<Cell, Value>): Cell[] {
  const fresh: Cell[] = [];
  for (const cell of log.keys()) if (!known.has(cell)) fresh.push(cell);
  if (fresh.length === 0) return fresh;
  const live = liveCells(m);
  return fresh.filter((cell) => live.has(cell));
}

function liveCells(m: Machine): ReadonlySet<Cell> {
  const live = new Set<Cell>();
  for (const frame of m.frames) {
    for (const scope of frame.scopes) if (scope) for (const entry of scope.values()) if (entry.e === 'cell') addCell(live, entry.cell);
    if (frame.self) addContents(live, frame.self);
  }
  return live;
}

function addCell(live: Set<Cell>, cell: Cell): void {
  if (live.has(cell)) return;
  live.add(cell);
  addContents(live, cell.value);
}

function addContents(live: Set<Cell>, value: Value): void {
  if (value.v === 'ref' && value.lv.l === 'cell') addCell(live, value.lv.cell);
  else if (value.v === 'struct') for (const field of value.fields.values()) addCell(live, field);
}

interface Development {
  lane: boolean;
  block: boolean;
  data: boolean;
  unknown: boolean;
  symbolic: boolean;
  /** For pointers: what it points to in later iterations. */
  pointer?: Value & { v: 'ptr' };
}

const DEVELOPMENTS = new WeakMap<object, Development[]>();

function traitsOf(form: Form): Development {
  const { lane, block, data, unknown, symbolic } = form;
  return { lane, block, data, unknown, symbolic };
}

/** Of all the loop's variables. Cells that were added since have no end yet. */
function describeAll(shape: RawLoop['shape'], cells: readonly Cell[], initial: ReadonlyMap<Cell, Value>, ends: readonly Value[]): boolean {
  let learnt = false;
  for (let i = 0; i < ends.length; i++) learnt = describe(shape, i, initial.get(cells[i])!, ends[i]) || learnt;
  return learnt;
}

/** Returns whether anything was learnt: whether a further trial would see its variables marked differently from this one. */
function describe(shape: RawLoop['shape'], index: number, initial: Value, end: Value): boolean {
  let list = DEVELOPMENTS.get(shape);
  if (!list) {
    list = [];
    DEVELOPMENTS.set(shape, list);
  }
  const [a, b] = [formOf(initial), formOf(end)];
  const traits: Development = {
    lane: a.lane || b.lane,
    block: a.block || b.block,
    data: a.data || b.data,
    unknown: a.unknown || b.unknown,
    symbolic: a.symbolic || b.symbolic,
  };
  if (initial.v === 'ptr' && end.v === 'ptr' && initial.object.id !== end.object.id) {
    const space = initial.object.space === end.object.space ? initial.object.space : 'unknown';
    traits.pointer = { ...initial, object: { ...initial.object, id: `${initial.object.id}~`, space } };
  }
  const marked = list[index] ?? traitsOf(a);
  list[index] = traits;
  // From wherever it starts: a counter that begins at a loaded value still counts.
  const counts = end.v === 'num' && stepOf(b, shape, index)?.f === 'const';
  const understood = counts || ((end.v === 'num' || end.v === 'ptr') && !b.data && !b.unknown);
  shape.next[index] = understood ? b : undefined;
  return (
    marked.pointer?.object.space !== traits.pointer?.object.space ||
    marked.lane !== traits.lane ||
    marked.block !== traits.block ||
    marked.data !== traits.data ||
    marked.unknown !== traits.unknown ||
    marked.symbolic !== traits.symbolic
  );
}

/** Whether a variable may take over more from others in the next round. */
function spreads(shape: RawLoop['shape'], ends: readonly Value[]): boolean {
  const traits = DEVELOPMENTS.get(shape)!;
  return ends.some((end, i) => {
    for (const j of variablesIn(formOf(end), shape)) if (hasMore(traits[j], traits[i])) return true;
    return false;
  });
}

function hasMore(a: Development, b: Development): boolean {
  return (a.lane && !b.lane) || (a.block && !b.block) || (a.data && !b.data) || (a.unknown && !b.unknown) || (a.symbolic && !b.symbolic);
}

/** Indices of the loop's variables in a form. */
function variablesIn(form: Form, shape: RawLoop['shape'], found = new Set<number>(), seen = new Set<Form>()): ReadonlySet<number> {
  if ((form.f !== 'op' && form.f !== 'loop') || form.loopDepth < shape.depth || seen.has(form)) return found;
  seen.add(form);
  if (form.f === 'op') for (const a of form.args) variablesIn(a, shape, found, seen);
  else if (form.loop === shape) found.add(form.index);
  else for (const x of [...form.loop.init, ...form.loop.next]) if (x) variablesIn(x, shape, found, seen);
  return found;
}

function setMarkers(m: Machine, cells: readonly Cell[], raw: RawLoop, after: boolean): void {
  for (let i = 0; i < cells.length; i++) setCell(m, cells[i], marker(cells[i], raw, i, after));
}

function marker(cell: Cell, raw: RawLoop, index: number, after: boolean): Value {
  const initial = cell.value;
  const traits: Development = DEVELOPMENTS.get(raw.shape)?.[index] ?? traitsOf(formOf(initial));
  const exitsByLane = after && raw.shape.condition !== undefined && (raw.shape.condition.lane || raw.shape.breaks);
  const lane = traits.lane || exitsByLane;
  const form: LoopForm = loopForm(
    raw.shape,
    index,
    {
      ...traits,
      lane,
      data: traits.data || (after && raw.shape.condition?.data === true),
      symbolic: traits.symbolic || (after && raw.shape.condition?.symbolic !== false),
    },
    after,
  );
  if (initial.v === 'ptr') return { ...(traits.pointer ?? initial), offset: traits.pointer ? constant(0) : form };
  if (initial.v === 'num') return num(form, cell.type.t === 'unknown' ? initial.type : cell.type);
  return initial.v === 'struct' ? initial : opaque(cell.type, { name: cell.name, uniform: !lane, data: traits.data });
}

/** Value of a function from its returns, each under its own conditions. */
export function returned(frame: ReturnType<typeof frameOf>): Value | undefined {
  const { returns } = frame;
  if (returns.length === 0) return undefined;
  let result = returns[returns.length - 1].value;
  for (let i = returns.length - 2; i >= 0; i--) {
    const { value, path } = returns[i];
    if (!value || !result) continue;
    const c = path.map((p) => sideForm(p)).reduce((a, b) => op('&&', a, b), constant(1) as Form);
    result = select(c, value, result);
  }
  return result;
}

const DERIVED = { opaque: new Memo<Form, Form>(), '!': new Memo<Form, Form>() };

/** One object for all that ask, so that its values are computed once. */
function derived(form: Form, name: keyof typeof DERIVED): Form {
  const known = DERIVED[name].get(form) ?? op(name, form);
  DERIVED[name].set(form, known);
  return known;
}

export function sideForm(step: PathStep): Form {
  const { branch } = step;
  const form = branch.condition.form;
  if (branch.kind === 'switch') return derived(form, 'opaque');
  return step.side === 'then' ? form : negated(form);
}

export function negated(form: Form): Form {
  return derived(form, '!');
}

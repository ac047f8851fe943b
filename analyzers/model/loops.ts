/** Runs loops: trials until their variables are understood, and one run that notes facts. */
import { SM_90 } from '../../devices/prices.ts';
import type { Expr, Stmt } from '../syntax/ast.ts';
import { evaluateCondition } from './arithmetic.ts';
import { makeBranch, newBranch } from './branch-records.ts';
import { hasBlockBarrier, NOTHING } from './branches.ts';
import { hangsOnShape } from './conditions.ts';
import { select } from './conversions.ts';
import { typeOfRef } from './definitions.ts';
import { Sample, type Shape, tripCounts } from './evaluate.ts';
import { isInSwitch, settleExits } from './exits.ts';
import { idsSoFar, isDecided, newLoop, skipIdsSince } from './form.ts';
import { declare, frameOf, placeOf, withScope } from './frames.ts';
import { assignedCells } from './loop-targets.ts';
import { describeAll, freshCells, proveTrial, setMarkers, spreads } from './loop-variables.ts';
import { evaluate, evaluateDiscarded, execute, type Flow, type Machine } from './machine.ts';
import { opaque } from './made-values.ts';
import { sideForm } from './path-forms.ts';
import { momentOf, rawValue } from './recorder.ts';
import { setCell } from './trial.ts';
import { type Cell, forgetHostFacts, formOf, hostFactCounts, type PathStep, type RawLoop, typeOf, type Value } from './values.ts';

type LoopStmt = Stmt & { k: 'for' | 'while' | 'do' | 'range' };

export function loop(m: Machine, s: LoopStmt): Flow {
  if (s.k === 'for' && s.init) execute(m, s.init);
  if (s.k === 'range') rangeVariable(m, s);
  const condition = s.k === 'for' ? s.c : s.k === 'range' ? undefined : s.c;
  if (s.k === 'do' && condition?.k !== undefined && isFalse(m, condition)) return once(m, s.body);
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

/** `do { … } while (0)`: lanes that break out of it go on behind it, with what its cells held before, as far as that is known. */
function once(m: Machine, body: Stmt): Flow {
  const { path, log: outer } = m;
  const exits = m.exits.length;
  const log = new Map<Cell, Value>();
  m.log = log;
  const flow = execute(m, body);
  m.log = outer;
  const stayed = m.path.filter((step) => !path.includes(step) && !isPastReturn(step));
  m.path = m.path.filter((step) => !stayed.includes(step));
  settleExits(m, 'loop', exits);
  for (const [cell, before] of log) {
    if (outer && !outer.has(cell)) outer.set(cell, before);
    if (stayed.length > 0)
      setCell(
        m,
        cell,
        stayed.reduceRight((value, step) => select(sideForm(step), value, before), cell.value),
      );
  }
  return flow === 'return' ? 'return' : 'next';
}

/** Whether the lanes of the other side have left the function. */
function isPastReturn({ branch, side }: PathStep): boolean {
  return (side === 'else' ? branch.leaves : branch.otherLeaves) === 'return';
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
 * In host code only constants count, and which variables a loop changes is mostly what its text assigns: it is run as if that were so.
 * Where that took a constant for a variable or a variable for a constant, it is run again with what did change.
 */
function hostLoop(m: Machine, s: LoopStmt, raw: RawLoop): Flow {
  const before = { path: m.path, facts: hostFactCounts(m.facts), returns: frameOf(m).returns.length, left: frameOf(m).left?.length ?? 0 };
  let round = hostRound(m, s, raw, assignedCells(m, s));
  if (isMisjudged(round)) {
    for (const cells of [round.changed, round.taken]) for (const [cell, value] of cells) cell.value = value;
    forgetHostFacts(m.facts, before.facts);
    frameOf(m).returns.length = before.returns;
    frameOf(m).left?.splice(before.left);
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
  if (kind !== 'for' || breaks || !condition || !isDecided(condition) || hangsOnShape(condition)) return undefined;
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
    m.facts.exits
      .slice(exits)
      .some((e) => e.kind !== 'continue' && e.depth === m.frames.length && e.loops.at(-1) === raw && !(e.kind === 'break' && isInSwitch(e)))
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
    const learnt = describeAll(m, shape, cells, initial, ends);
    if (fresh.length === 0 && !learnt) break;
    if (fresh.length === 0 && m.trial === 1 && m.trusting && !spreads(m, shape, ends)) {
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

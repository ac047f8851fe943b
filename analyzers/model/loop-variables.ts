/** What a loop does to its variables, as far as its trials tell. */
import { agreement, exchangedOver, makesAgree } from './butterfly.ts';
import { differsByData } from './conditions.ts';
import { stepOf } from './evaluate.ts';
import { constant, type Form, type LoopForm, loopForm } from './form.ts';
import type { Machine } from './machine.ts';
import { opaque } from './made-values.ts';
import { type Development, setCell } from './trial.ts';
import { type Cell, formOf, num, type RawLoop, type Value } from './values.ts';

/** After a run that counts: notes if it told more of the loop's variables than they were marked with, so that its facts may be wrong. */
export function proveTrial(m: Machine, shape: RawLoop['shape'], cells: readonly Cell[], initial: ReadonlyMap<Cell, Value>): void {
  const ends = cells.map((cell) => cell.value);
  if (!describeAll(m, shape, cells, initial, ends)) return;
  m.misjudged = true;
  // The rest of the run is for nothing.
  m.steps = m.stepLimit;
}

/** Changed cells that were not known to be. Those of the loop's own body are new in each iteration and do not count. */
export function freshCells(m: Machine, log: ReadonlyMap<Cell, Value>, known: ReadonlyMap<Cell, Value>): Cell[] {
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

function traitsOf(form: Form): Development {
  const { lane, block, data, unknown, symbolic } = form;
  return { lane, block, data, unknown, symbolic };
}

/** All the loop's variables. Cells that were added since have no end yet. */
export function describeAll(
  m: Machine,
  shape: RawLoop['shape'],
  cells: readonly Cell[],
  initial: ReadonlyMap<Cell, Value>,
  ends: readonly Value[],
): boolean {
  let learnt = false;
  for (let i = 0; i < ends.length; i++) learnt = describe(m, shape, i, initial.get(cells[i])!, ends[i]) || learnt;
  return learnt;
}

/** Returns whether anything was learnt: whether a further trial would see its variables marked differently from this one. */
function describe(m: Machine, shape: RawLoop['shape'], index: number, initial: Value, end: Value): boolean {
  let list = m.developments.get(shape);
  if (!list) {
    list = [];
    m.developments.set(shape, list);
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
  const distance = end.v === 'num' ? exchangedOver(b, shape, index) : undefined;
  if (distance) shape.exchanges = (shape.exchanges ?? new Map()).set(index, distance);
  const step = end.v === 'num' ? stepOf(b, shape, index) : undefined;
  const counts = step !== undefined && !step.lane && !step.data && !step.unknown;
  const understood = counts || ((end.v === 'num' || end.v === 'ptr') && !b.data && !b.unknown);
  shape.next[index] = understood ? b : undefined;
  if (!understood && creeps(b, shape, index)) shape.creeping = (shape.creeping ?? new Set()).add(index);
  else shape.creeping?.delete(index);
  // Of itself it takes over what this is about.
  shape.alike = (shape.alike ?? new Set()).add(index);
  if (understood || differsByData(b)) shape.alike.delete(index);
  return (
    marked.pointer?.object.space !== traits.pointer?.object.space ||
    marked.lane !== traits.lane ||
    marked.block !== traits.block ||
    marked.data !== traits.data ||
    marked.unknown !== traits.unknown ||
    marked.symbolic !== traits.symbolic
  );
}

/** What it was, give or take constants: `data ? i + 1 : i`. */
function creeps(end: Form, shape: RawLoop['shape'], index: number): boolean {
  if (end.f === 'loop') return end.loop === shape && end.index === index && !end.after;
  if (end.f !== 'op') return false;
  const [a, b, c] = end.args;
  if (end.op === 'select') return creeps(b, shape, index) && creeps(c, shape, index);
  return (end.op === '+' || end.op === '-') && b?.f === 'const' && creeps(a, shape, index);
}

/** Whether a variable may take over more from others in the next round. */
export function spreads(m: Machine, shape: RawLoop['shape'], ends: readonly Value[]): boolean {
  const traits = m.developments.get(shape)!;
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

export function setMarkers(m: Machine, cells: readonly Cell[], raw: RawLoop, after: boolean): void {
  for (let i = 0; i < cells.length; i++) setCell(m, cells[i], marker(m, cells[i], raw, i, after));
}

function marker(m: Machine, cell: Cell, raw: RawLoop, index: number, after: boolean): Value {
  const initial = cell.value;
  const distance = after ? raw.shape.exchanges?.get(index) : undefined;
  if (distance && initial.v === 'num' && makesAgree(raw.shape, distance)) return num(agreement(), initial.type);
  const traits: Development = m.developments.get(raw.shape)?.[index] ?? traitsOf(formOf(initial));
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
  // From one array to another nothing is known of the offset, but where data sends each lane (`p = p->next`).
  if (initial.v === 'ptr') return { ...(traits.pointer ?? initial), offset: traits.pointer && !(lane && traits.data) ? constant(0) : form };
  if (initial.v === 'num') return num(form, cell.type.t === 'unknown' ? initial.type : cell.type);
  return initial.v === 'struct' ? initial : opaque(cell.type, { name: cell.name, uniform: !lane, data: traits.data });
}

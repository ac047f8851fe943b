/** What conditions look like: guards of bounds, rows, marks of exceptional data, and which parts of a path keep lanes out. */
import { dependsOnLoop, type Form, type LaneForm, type LoopShape, type OpForm, op, type SymbolForm, same } from './form.ts';
import type { Memos } from './memo.ts';
import { sideForm } from './path-forms.ts';
import { isComparison } from './rows.ts';
import type { PathStep, RawFacts } from './values.ts';

/** `i < n` and kin, where a side has a value that launches choose: all but the last warps agree on it. */
export function isBoundsGuard(memos: Memos, form: Form): boolean {
  if (form.f !== 'op') return false;
  let known = memos.guards.get(form);
  if (known === undefined) {
    known = looksLikeGuard(memos, form);
    memos.guards.set(form, known);
  }
  return known;
}

function looksLikeGuard(memos: Memos, form: OpForm): boolean {
  if (form.op === '!') return isBoundsGuard(memos, form.args[0]);
  if (form.op === '&&' || form.op === '||')
    return form.args.every((a) => isBoundsGuard(memos, a) || !a.lane) && form.args.some((a) => isBoundsGuard(memos, a));
  if (!/^(<|<=|>|>=)$/.test(form.op)) return false;
  // Where the threads' own places are on both sides, which of them pass is a part of the pattern.
  if (form.args.every(({ lane }) => lane)) return false;
  return form.symbolic && !form.args.some((a) => hasCycle(memos, a));
}

/** Hangs on a parameter, and not on the number of blocks: of them, one mostly goes on. */
export function isChosenAtLaunch(form: Form): boolean {
  const roles = rolesIn(form);
  return roles.has('parameter') && !roles.has('gridDim');
}

/** The launch decides, by the size of blocks or of the grid. */
export function hangsOnShape(form: Form): boolean {
  const roles = rolesIn(form);
  return roles.has('blockDim') || roles.has('gridDim');
}

/** Neither a parameter nor data has a say in it. */
export function isOfThreadsAlone(form: Form): boolean {
  return !form.data && !form.unknown && !rolesIn(form).has('parameter');
}

function rolesIn(form: Form, found = new Set<SymbolForm['role']>(), seen = new Set<Form>()): ReadonlySet<SymbolForm['role']> {
  if (seen.has(form)) return found;
  seen.add(form);
  if (form.f === 'symbol') found.add(form.role);
  else if (form.f === 'op') for (const a of form.args) rolesIn(a, found, seen);
  else if (form.f === 'loop') for (const x of [...form.loop.init, ...form.loop.next]) if (x) rolesIn(x, found, seen);
  return found;
}

/** `%`, `&` and `^` on thread indices repeat inside a warp: not monotonic, so not a guard. */
function hasCycle(memos: Memos, form: Form): boolean {
  if (form.f !== 'op') return false;
  let known = memos.cycles.get(form);
  if (known === undefined) {
    known = (form.lane && /^(%|&|\^|opaque|select)$/.test(form.op)) || form.args.some((a) => hasCycle(memos, a));
    memos.cycles.set(form, known);
  }
  return known;
}

/** `index % width` by a value known at run time: where a row ends depends on it, and mostly lies inside a warp. */
export function hasRowIndex(memos: Memos, form: Form): boolean {
  if (form.f !== 'op' || !form.lane || !form.symbolic) return false;
  let known = memos.rows.get(form);
  if (known === undefined) {
    const [a, b] = form.args;
    known = (form.op === '%' && a.lane && a.block && !b.lane && b.symbolic) || form.args.some((a) => hasRowIndex(memos, a));
    memos.rows.set(form, known);
  }
  return known;
}

/**
 * `z = z * z + c`, each lane with its own c, or a next value that hangs on this one (Collatz's numbers): how often a loop runs that asks for
 * it differs from lane to lane without a pattern.
 */
export function computesItsEnd(condition: Form, loop: LoopShape): boolean {
  if (condition.f === 'op') return condition.args.some((a) => computesItsEnd(a, loop));
  const next = condition.f === 'loop' && condition.lane && condition.loop === loop ? loop.next[condition.index] : undefined;
  return next !== undefined && isNonlinear(next, loop);
}

function isNonlinear(form: Form, loop: LoopShape): boolean {
  if (form.f !== 'op') return false;
  const [a, b] = form.args;
  if (form.op === '*' && dependsOnLoop(a, loop) && dependsOnLoop(b, loop)) return true;
  if (form.op === 'fdiv' && dependsOnLoop(b, loop)) return true;
  if (form.op === 'select' && dependsOnLoop(a, loop)) return true;
  return form.args.some((x) => isNonlinear(x, loop));
}

/** The conditions of a path that surely keep lanes out, each by itself. */
export function restrictionsOf(memos: Memos, path: readonly PathStep[]): readonly Form[] {
  let known = memos.restrictions.get(path);
  if (!known) {
    known = path.flatMap((step) => conjuncts(memos, sideForm(step))).filter((form) => restricts(memos, form));
    memos.restrictions.set(path, known);
  }
  return known;
}

/** Surely keeps lanes out, and not just those behind the end of the data. */
export function restricts(memos: Memos, form: Form): boolean {
  return form.lane && !form.data && !form.unknown && !isBoundsGuard(memos, form);
}

/** `a && b`, `!(a || b)`: each part restricts by itself, also where nothing is known of the other. */
export function conjuncts(memos: Memos, form: Form): readonly Form[] {
  if (form.f !== 'op') return [form];
  const known = memos.conjuncts.get(form) ?? splitConjunction(memos, form);
  memos.conjuncts.set(form, known);
  return known;
}

function splitConjunction(memos: Memos, form: OpForm): readonly Form[] {
  if (form.op === '&&') return form.args.flatMap((a) => conjuncts(memos, a));
  const [inner] = form.args;
  if (form.op === '!' && inner.f === 'op' && inner.op === '||') return inner.args.flatMap((a) => conjuncts(memos, op('!', a)));
  return [form];
}

/** The conditions of a path that surely keep lanes out, each as it is written. */
export function pathForms(memos: Memos, path: readonly PathStep[]): readonly Form[] {
  let known = memos.pathForms.get(path);
  if (!known) {
    known = path.map(sideForm).filter((form) => restricts(memos, form));
    memos.pathForms.set(path, known);
  }
  return known;
}

/** Ids of the values from memory that lanes may have different ones of. */
export function dataSources(form: Form, found = new Set<number>(), seen = new Set<Form>()): ReadonlySet<number> {
  if (!form.data || !form.lane || seen.has(form)) return found;
  seen.add(form);
  if (form.f === 'any') found.add(form.id);
  else if (form.f === 'op') for (const a of form.args) dataSources(a, found, seen);
  else if (form.f === 'loop') for (const x of [...form.loop.init, ...form.loop.next]) if (x) dataSources(x, found, seen);
  return found;
}

/** `a[i] < a[j]`: values from memory decide against each other, so that neighbours seldom agree, where flags and limits are alike for many. */
export function comparesData(form: Form): boolean {
  if (form.f !== 'op' || !form.data || !form.lane) return false;
  if (/^(!|&&|\|\|)$/.test(form.op)) return form.args.some(comparesData);
  return isComparison(form.op) && loadedPlaces(form).length > 1;
}

/** Loads by which lanes get values of their own, each place once. */
function loadedPlaces(form: Form, found: LaneForm[] = [], seen = new Set<Form>()): readonly LaneForm[] {
  if (!form.data || !form.lane || seen.has(form)) return found;
  seen.add(form);
  if (form.f === 'op') for (const a of form.args) loadedPlaces(a, found, seen);
  if (form.f !== 'any' || form.address === undefined) return found;
  const { address, from } = form;
  if (!found.some((other) => other.from === from && same(other.address!, address))) found.push(form);
  return found;
}

/** `data[i] % bins`, `byte >> 4`, `(x - least) / width`: the data chooses among few values, or as many as a calculation lets through. */
export function choosesAmongFew(form: Form, seen = new Set<Form>()): boolean {
  if (!form.data || !form.lane || seen.has(form)) return false;
  seen.add(form);
  if (form.f === 'any') return form.size !== undefined && form.size <= SHORT_BYTES;
  if (form.f !== 'op') return false;
  return /^(%|&|>>|\/|fdiv|min|floor|trunc)$/.test(form.op) || form.args.some((a) => choosesAmongFew(a, seen));
}

const SHORT_BYTES = 2;

/** Whether all data in it that lanes may have different ones of was loaded from global memory. */
export function comesFromLoads(form: Form, seen = new Set<Form>()): boolean {
  if (!form.data || !form.lane || seen.has(form)) return true;
  seen.add(form);
  if (form.f === 'any') return form.address !== undefined && !form.shared;
  if (form.f === 'op') return form.args.every((a) => comesFromLoads(a, seen));
  return form.f !== 'loop' || [...form.loop.init, ...form.loop.next].every((x) => x === undefined || comesFromLoads(x, seen));
}

/** Names of what its data was loaded from; undefined where one of them is not known. */
export function loadedNames(form: Form, seen = new Set<Form>(), names = new Set<string>()): ReadonlySet<string> | undefined {
  if (!form.data || seen.has(form)) return names;
  seen.add(form);
  if (form.f === 'any') return form.from && form.address ? loadedNames(form.address, seen, names.add(form.from)) : undefined;
  if (form.f === 'op') return form.args.every((a) => loadedNames(a, seen, names)) ? names : undefined;
  // A uniform value that was loaded.
  if (form.f !== 'loop') return undefined;
  return [...form.loop.init, ...form.loop.next].every((x) => x === undefined || loadedNames(x, seen, names)) ? names : undefined;
}

/** On data of global memory that the kernel only reads. */
export function hangsOnConstantData(form: Form, { accesses, atomics }: Pick<RawFacts, 'accesses' | 'atomics'>): boolean {
  if (!form.data || form.unknown || !comesFromLoads(form)) return false;
  const names = loadedNames(form);
  const isOf = ({ object }: { readonly object: { readonly name: string } }) => names?.has(object.name) !== false;
  return !atomics.some(isOf) && !accesses.some((access) => access.kind === 'store' && isOf(access));
}

/** Whether lanes may have different data in it: a size that all of them load alike is no such data, whatever is computed with it. */
export function differsByData(form: Form, seen = new Set<Form>()): boolean {
  if (!form.data || !form.lane || seen.has(form)) return false;
  seen.add(form);
  if (form.f === 'op') return form.args.some((a) => differsByData(a, seen));
  if (form.f !== 'loop') return true;
  const { loop, index, after } = form;
  if (differsByData(loop.init[index], seen) || (after && loop.condition && differsByData(loop.condition, seen))) return true;
  const next = loop.next[index];
  return next ? differsByData(next, seen) : !loop.alike?.has(index);
}

/**
 * `isnan(x)` and `x != x` anywhere; `x < 0` and `x == -1` where they lead out: marks that there is nothing to do; whether a loaded value lies between
 * two limits that are the same for all, which is a guard against the odd one; whether it is as good as zero.
 */
export function isExceptional(form: Form, leaves: boolean): boolean {
  if (form.f !== 'op') return false;
  if (isRangeOfLoaded(form) || comparesWithNearlyZero(form) || (form.op === '!=' && same(form.args[0], form.args[1]))) return true;
  if (/^is(nan|inf)$/.test(form.op)) return true;
  if (form.op === '!' || form.op === '||') return form.args.every((a) => isExceptional(a, leaves));
  const [, b] = form.args;
  return leaves && b?.f === 'const' && ((form.op === '<' && b.v === 0) || (form.op === '==' && b.v === -1));
}

/** Below what single precision adds to one. */
const NEARLY_ZERO = 1e-7;

/** `fabsf(x) > 1e-17f`: nothing that data mostly is, so one side is for all. */
function comparesWithNearlyZero({ op: name, args }: OpForm): boolean {
  return /^[<>]=?$/.test(name) && args.some((a) => a.f === 'const' && a.v !== 0 && Math.abs(a.v) <= NEARLY_ZERO);
}

function isRangeOfLoaded({ op: name, args }: OpForm): boolean {
  if (name !== '&&' && name !== '||') return false;
  const [a, b] = args.map(limitOfLoaded);
  return a !== undefined && b !== undefined && a.loaded === b.loaded && a.isUpper !== b.isUpper;
}

/** For `x < limit` and kin: the value as it was loaded, and which end of a range the limit is. */
function limitOfLoaded(form: Form): { readonly loaded: Form; readonly isUpper: boolean } | undefined {
  if (form.f !== 'op' || !/^[<>]=?$/.test(form.op)) return undefined;
  const [x, y] = form.args.map(converted);
  if (x.f === 'any' && x.data && !y.lane) return { loaded: x, isUpper: form.op.startsWith('<') };
  if (y.f === 'any' && y.data && !x.lane) return { loaded: y, isUpper: form.op.startsWith('>') };
  return undefined;
}

/** A value before conversions. */
function converted(form: Form): Form {
  return form.f === 'op' && form.args.length === 1 && /^(float|trunc|[iu]\d+)$/.test(form.op) ? converted(form.args[0]) : form;
}

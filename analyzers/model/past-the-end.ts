/**
 * Accesses that surely leave the memory that their launch was given: the grid, what was allocated and every value on the way are known. What
 * hangs on data, on values that launches do not agree on, or on arithmetic that may wrap around is left out.
 */
import { endsOf } from './bounds.ts';
import type { Context, Iterations } from './context.ts';
import { Sample } from './evaluate.ts';
import type { Form } from './form.ts';
import type { VariantSpec } from './kernel.ts';
import { sideForm } from './path-forms.ts';
import { LANES, laneOf } from './rows.ts';
import { sizeOf } from './types.ts';
import type { RawAccess, RawFacts } from './values.ts';

export interface PastTheEnd {
  readonly access: RawAccess;
  /** Bytes from the start of the memory, of the first thread that leaves it. */
  readonly offset: number;
  readonly bytes: number;
  /** Its place in the block, x changing fastest. */
  readonly thread: number;
  readonly block: readonly [number, number, number];
}

/** Values that are computed for all accesses of a variant together. */
const BUDGET = 60_000;
/** Blocks of a grid that are all looked at; of more those at its corners, and where the memory ends. */
const FEW_BLOCKS = 16;
const MOST_NODES = 200;
const KNOWN_OPERATIONS = new Set([
  ...['+', '-', '*', '/', '%', '<<', '>>', '&', '|', '^', '!', '<', '<=', '>', '>=', '==', '!=', '&&', '||', 'select', 'min', 'max'],
]);
/** What they make of an unsigned number that went below zero, nobody knows here. */
const READS_ALL_BITS = new Set(['/', '%', '>>', '<', '<=', '>', '>=', 'min', 'max']);
const MOST_INT = 2 ** 31 - 1;

/** The first of each array, in the order of the text. */
export function pastTheEnd(c: Context, spec: VariantSpec, facts: RawFacts, parameters: readonly string[]): PastTheEnd[] {
  const [x, y, z] = spec.grid;
  if (!spec.blockKnown || facts.incomplete || x === undefined || y === undefined || z === undefined) return [];
  const found = new Map<string, PastTheEnd>();
  const budget = { left: BUDGET };
  for (const access of facts.accesses) {
    const { id, space } = access.object;
    const parameter = id.startsWith('parameter:') ? parameters.indexOf(id.slice('parameter:'.length)) : -1;
    const bytes = parameter < 0 ? undefined : spec.allocated[parameter];
    if (!bytes || space !== 'global' || found.has(id)) continue;
    const first = firstOutside({ c, budget, grid: [x, y, z] }, access, bytes);
    if (first) found.set(id, { access, bytes, ...first });
  }
  return [...found.values()];
}

interface Search {
  readonly c: Context;
  readonly budget: { left: number };
  readonly grid: readonly [number, number, number];
}

type Found = Omit<PastTheEnd, 'access' | 'bytes'>;

function firstOutside(search: Search, access: RawAccess, bytes: number): Found | undefined {
  const { c } = search;
  const { offset, path, type, loops } = access;
  const size = sizeOf(type);
  if (!size || path.some(({ branch }) => branch.kind === 'switch')) return undefined;
  const conditions = path.map(sideForm);
  const operations = new Set<Form>();
  if (![offset, ...conditions].every((form) => collect(form, operations))) return undefined;
  // Whether the loop comes there may hang on the block.
  if (loops.some(({ shape }) => shape.condition?.block !== false)) return undefined;
  const ends = endsOf(c, access);
  for (const iterations of ends ?? []) {
    for (const block of blocksOf(search, access, bytes)) {
      const found = outsideIn(search, block, { offset, conditions, operations: [...operations], iterations, last: bytes - size });
      if (found) return found;
    }
  }
  return undefined;
}

/** Whether all that a form is made of is known once the block is; its operations are noted. */
function collect(form: Form, operations: Set<Form>): boolean {
  if (operations.has(form)) return true;
  switch (form.f) {
    case 'const':
    case 'thread':
      return true;
    case 'symbol':
      return form.role === 'blockIdx';
    case 'op':
      operations.add(form);
      return operations.size <= MOST_NODES && KNOWN_OPERATIONS.has(form.op) && form.args.every((arg) => collect(arg, operations));
    case 'loop': {
      const { loop, index, after } = form;
      operations.add(form);
      const next = loop.next[index];
      return !after && next !== undefined && collect(loop.init[index], operations) && collect(next, operations);
    }
    default:
      return false;
  }
}

type Block = PastTheEnd['block'];

function blocksOf({ c, budget, grid }: Search, { offset }: RawAccess, bytes: number): Block[] {
  const [x, y, z] = grid;
  if (x * y * z <= FEW_BLOCKS)
    return Array.from({ length: x * y * z }, (_, i) => [i % x, Math.floor(i / x) % y, Math.floor(i / (x * y))] as const);
  const along = (extent: number) => (extent === 1 ? [0] : [0, extent - 1]);
  const corners = along(z).flatMap((bz) => along(y).flatMap((by) => along(x).map((bx) => [bx, by, bz] as const)));
  const at = (bx: number) => laneOf(sampleAt({ c, budget, grid }, [bx, 0, 0]).value(offset), 0);
  const step = at(1) - at(0);
  // Where the guard is one too late, it is the block in which the memory ends.
  const end = y === 1 && z === 1 && step > 0 ? Math.floor((bytes - at(0)) / step) : -1;
  return [...[end - 1, end].flatMap((bx) => (bx > 0 && bx < x ? [[bx, 0, 0] as const] : [])), ...corners];
}

function sampleAt({ c, budget }: Search, block: Block): Sample {
  return new Sample({ shape: c.shape, budget, warp: 0, warps: c.warps, seed: 0, block }, undefined);
}

interface Judged {
  readonly offset: Form;
  readonly conditions: readonly Form[];
  readonly operations: readonly Form[];
  readonly iterations: Iterations;
  /** Where an access may begin at most. */
  readonly last: number;
}

function outsideIn(search: Search, block: Block, { offset, conditions, operations, iterations, last }: Judged): Found | undefined {
  let sample = sampleAt(search, block);
  for (const { loop, iteration } of iterations) sample = sample.at(loop, iteration);
  const offsets = sample.value(offset);
  const passed = conditions.map((form) => sample.value(form));
  for (let thread = 0; thread < search.c.warps * LANES; thread++) {
    if (((search.c.existing[Math.floor(thread / LANES)] >>> (thread % LANES)) & 1) === 0) continue;
    const at = laneOf(offsets, thread);
    if (at >= 0 && at <= last) continue;
    if (Number.isNaN(at) || !passed.every((values) => laneOf(values, thread) > 0)) continue;
    if (operations.every((form) => isExact(form, sample, thread))) return { offset: at, thread, block };
  }
  return undefined;
}

/** No value that 32 bits do not hold, and none below zero where it matters whether it is unsigned. */
function isExact(form: Form, sample: Sample, thread: number): boolean {
  const value = laneOf(sample.value(form), thread);
  if (Number.isNaN(value) || Math.abs(value) > MOST_INT) return false;
  return form.f !== 'op' || !READS_ALL_BITS.has(form.op) || form.args.every((arg) => laneOf(sample.value(arg), thread) >= 0);
}

/**
 * Accesses that surely leave the memory that their launch was given: the grid, what was allocated and every value on the way are known. What
 * hangs on data, on values that launches do not agree on, or on arithmetic that may wrap around is left out.
 */
import { endsOf } from './bounds.ts';
import type { Context, Iterations } from './context.ts';
import type { Form } from './form.ts';
import type { VariantSpec } from './kernel.ts';
import { type Block, blocksOf, collect, isExact, type Search, sampleAt, searchOf, threadsOf } from './known-launch.ts';
import { sideForm } from './path-forms.ts';
import { laneOf } from './rows.ts';
import { sizeOf } from './types.ts';
import type { RawAccess, RawFacts } from './values.ts';

export interface PastTheEnd {
  readonly access: RawAccess;
  /** Bytes from the start of the memory, of the first thread that leaves it. */
  readonly offset: number;
  readonly bytes: number;
  /** Its place in the block, x changing fastest. */
  readonly thread: number;
  readonly block: Block;
}

/** The first of each array, in the order of the text. */
export function pastTheEnd(c: Context, spec: VariantSpec, facts: RawFacts, parameters: readonly string[]): PastTheEnd[] {
  const search = searchOf(c, spec);
  if (!search || facts.incomplete) return [];
  const found = new Map<string, PastTheEnd>();
  for (const access of facts.accesses) {
    const { id, space } = access.object;
    const parameter = id.startsWith('parameter:') ? parameters.indexOf(id.slice('parameter:'.length)) : -1;
    const bytes = parameter < 0 ? undefined : spec.allocated[parameter];
    if (!bytes || space !== 'global' || found.has(id)) continue;
    const first = firstOutside(search, access, bytes);
    if (first) found.set(id, { access, bytes, ...first });
  }
  return [...found.values()];
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
    for (const block of blocksWithEnd(search, access, bytes)) {
      const found = outsideIn(search, block, { offset, conditions, operations: [...operations], iterations, last: bytes - size });
      if (found) return found;
    }
  }
  return undefined;
}

/** Of a large grid also where the memory ends. */
function blocksWithEnd(search: Search, { offset }: RawAccess, bytes: number): readonly Block[] {
  const [x, y, z] = search.grid;
  const blocks = blocksOf(search);
  if (blocks.length === x * y * z) return blocks;
  const at = (bx: number) => laneOf(sampleAt(search, [bx, 0, 0]).value(offset), 0);
  const step = at(1) - at(0);
  // Where the guard is one too late, it is the block in which the memory ends.
  const end = y === 1 && z === 1 && step > 0 ? Math.floor((bytes - at(0)) / step) : -1;
  return [...[end - 1, end].flatMap((bx) => (bx > 0 && bx < x ? [[bx, 0, 0] as const] : [])), ...blocks];
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
  for (const thread of threadsOf(search)) {
    const at = laneOf(offsets, thread);
    if (at >= 0 && at <= last) continue;
    if (Number.isNaN(at) || !passed.every((values) => laneOf(values, thread) > 0)) continue;
    if (operations.every((form) => isExact(form, sample, thread))) return { offset: at, thread, block };
  }
  return undefined;
}

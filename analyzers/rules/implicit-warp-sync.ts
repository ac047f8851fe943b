import type { AccessFacts, HazardFacts, VariantFacts } from '../model/facts.ts';
import { defineRule, type RuleEdit, type RuleFix } from './define-rule.ts';
import { phrase } from './phrases.ts';

/** Lanes of a warp exchange data through shared memory and trust that they run in lockstep, which Volta and later do not promise. */
export const implicitWarpSync = defineRule({
  id: 'implicit-warp-sync',
  summary: 'Warp-synchronous code without __syncwarp()',
  category: 'synchronisation',
  severity: 'warning',
  messages: {
    lockstep:
      'reads what other lanes of the warp have just written to `{object}`, but since Volta lanes advance independently{volatile}; put __syncwarp() between each write and the next read, and between each read and the next write, or use shuffles',
  },
  *detect(kernel) {
    for (const [first, ...others] of exchanges(kernel)) {
      const { read, write } = first;
      yield {
        at: read.place,
        message: 'lockstep',
        data: { object: nameIn(read), volatile: read.object.volatile ? phrase('volatileOrdersNothing') : '' },
        related: [
          { at: write.place, message: phrase('writtenHere') },
          ...others.map((other) => ({ at: other.read.place, message: phrase('readHereUnordered') })),
        ],
        fixes: orderingFix(kernel, [first, ...others]),
      };
    }
  },
});

/** A parameter of a function has a name of its own for the array. */
function nameIn({ text, object, callSite }: AccessFacts): string {
  return (callSite && /^(\w+)\s*\[/.exec(text)?.[1]) ?? object.name;
}

/** Between the same barriers, what one function does with one array is one piece of code: the unrolled tail of a reduction. */
function exchanges(kernel: VariantFacts): Iterable<readonly HazardFacts[]> {
  const unordered = kernel.hazards.filter((h) => h.scope === 'block' && h.first === 'write' && !h.nextIteration);
  // A barrier that others lack there orders these, too.
  const isMended = ({ read, write }: HazardFacts) =>
    unordered.some((h) => h.read.order === read.order || Math.max(h.write.order, write.order) < Math.min(h.read.order, read.order));
  const seen = new Set<string>();
  const groups = new Map<string, HazardFacts[]>();
  for (const hazard of kernel.hazards) {
    const { scope, read, nextIteration } = hazard;
    // What needs a barrier of the block is missing-barrier's.
    if (scope !== 'warp' || nextIteration || isMended(hazard)) continue;
    const place = `${read.object.id}@${read.functionName}:${read.place.start}`;
    if (seen.has(place)) continue;
    seen.add(place);
    const key = `${read.object.id}@${read.functionName}:${read.epoch}`;
    groups.set(key, [...(groups.get(key) ?? []), hazard]);
  }
  return groups.values();
}

/** Where all lanes of the warp get to each place, and none of the statements is one that cannot be taken apart. */
function orderingFix(kernel: VariantFacts, hazards: readonly HazardFacts[]): RuleFix[] {
  // Several reads in one statement share one edit.
  const edits = new Map<number, RuleEdit>();
  for (const { read, write } of hazards) {
    const edit = read.control.activeLanes === WARP ? (updateEdit(kernel, read) ?? readEdit(kernel, read, write)) : undefined;
    if (!edit) return [];
    edits.set(edit.at.start, edit);
  }
  return [{ title: phrase('syncwarpBetween'), edits: [...edits.values()], safe: true }];
}

const WARP = 32;

/** `s[t] += s[t + 16];`: all lanes read before one writes. */
function updateEdit(kernel: VariantFacts, read: AccessFacts): RuleEdit | undefined {
  const { statement } = read;
  if (!statement) return undefined;
  const [, target, operator, value] = /^([^=;]*?)\s*([+*|&^])=\s*([^;]*);$/.exec(statement.text) ?? [];
  if (value !== read.text) return undefined;
  if (!storesIn(kernel, read).some((store) => store.text === target)) return undefined;
  const name = /\bvalue\b/.test(statement.text) ? 'updated' : 'value';
  const newText = `{ __syncwarp(); auto ${name} = ${target} ${operator} ${value}; __syncwarp(); ${target} = ${name}; }`;
  return { at: statement.place, newText };
}

/** A statement that reads what an earlier one wrote. */
function readEdit(kernel: VariantFacts, read: AccessFacts, write: HazardFacts['write']): RuleEdit | undefined {
  const { statement } = read;
  if (!statement || storesIn(kernel, read).length > 0) return undefined;
  const { item, start } = statement.place;
  if (write.place.item === item && write.place.start >= start) return undefined;
  return { at: { item, start, end: start }, newText: '__syncwarp(); ' };
}

/** What the statement of a read stores in the same array. */
function storesIn({ accesses }: VariantFacts, { statement, object }: AccessFacts): readonly AccessFacts[] {
  const isHere = (a: AccessFacts) =>
    a.statement?.place.item === statement?.place.item && a.statement?.place.start === statement?.place.start;
  return accesses.filter((a) => a.kind === 'store' && a.object.id === object.id && isHere(a));
}

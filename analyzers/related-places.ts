/** The related places of a finding as people are shown them: in an editor's hover and in the text of `lanewise check`. */
import type { Finding, RelatedPlace } from '../protocol/finding.ts';
import { english, phrase } from './rules/phrases.ts';

/** A generated file of one line can have tens of thousands. */
const MOST_PLACES = 10;

/**
 * What is said once is not said again: places of which the same is said follow each other, those that say what the finding does first. Of a
 * line's places with the same message the first stands for all, and where there are many more than ten, the place behind them says how
 * many are left out.
 */
export function relatedPlaces({ related }: Finding): readonly RelatedPlace[] {
  const groups = new Map<string, Map<number, RelatedPlace>>([[english(phrase('andHere')), new Map()]]);
  for (const place of related) {
    const group = groups.get(place.message) ?? new Map<number, RelatedPlace>();
    groups.set(place.message, group);
    if (!group.has(place.range.start.line)) group.set(place.range.start.line, group.size > 0 ? saying(place, phrase('andHere')) : place);
  }
  const all = [...groups.values()].flatMap((group) => [...group.values()]);
  if (all.length <= MOST_PLACES + 1) return all;
  return [...all.slice(0, MOST_PLACES), saying(all[MOST_PLACES], phrase('andAtMore', { count: all.length - MOST_PLACES }))];
}

function saying({ range }: RelatedPlace, wording: ReturnType<typeof phrase>): RelatedPlace {
  return { range, message: english(wording), wording };
}

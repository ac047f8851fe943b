/** Texts made of a template and what stands in its places. */
import type { Part, Wording } from '../protocol/finding.ts';

/** What a rule puts in the places of a template; undefined ones stay as they are. */
export type Parts = Readonly<Record<string, Part | undefined>>;

/** Numbers with at most two decimals. Undefined where `say` has no words for a part. */
export function filled(template: string, parts: Parts = {}, say: (wording: Wording) => string | undefined): string | undefined {
  let isWhole = true;
  const text = template.replace(/\{(\w+)\}/g, (place, name: string) => {
    const part = parts[name];
    if (part === undefined) return place;
    const said = partText(part, say);
    isWhole &&= said !== undefined;
    return said ?? place;
  });
  return isWhole ? text : undefined;
}

function partText(part: Part, say: (wording: Wording) => string | undefined): string | undefined {
  if (typeof part === 'string') return part;
  if (typeof part === 'number') return String(Math.round(part * 100) / 100);
  if (!isList(part)) return say(part);
  const texts = part.map((each) => partText(each, say));
  return texts.includes(undefined) ? undefined : texts.join(', ');
}

function isList(part: Wording | readonly Part[]): part is readonly Part[] {
  return Array.isArray(part);
}

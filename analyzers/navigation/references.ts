/** Where else a name means the same, in its file and in others, and what renaming it takes. */
import type { LocatedRange, Position, RenamePlan, SourceRange } from '../../protocol/finding.ts';
import { offsetAt, type Place, rangeOf } from '../syntax/source.ts';
import { type NavigationInput, nameAt, placesOf } from './definitions.ts';
import { Places } from './places.ts';

/** In the order of the text, the place itself and the definition included. Nothing for what has no definition in reach. */
export function referencesAt({ model, source, lines }: NavigationInput, position: Position): SourceRange[] {
  const offset = offsetAt(lines, position);
  const name = nameAt(source.text, offset)?.text;
  const [target] = placesOf(model, source, offset);
  if (name === undefined || !target) return [];
  return occurrences({ model, source, lines }, name)
    .filter((place) => {
      const [meant] = placesOf(model, source, place.item.start + place.start);
      return meant !== undefined && isSame(meant, target);
    })
    .map((place) => rangeOf(place, lines));
}

/** A name, and where it is defined: in the file that is asked about where no path says another one. */
export interface Target extends LocatedRange {
  readonly name: string;
}

/** What the name at a position means. */
export function targetAt({ model, source, lines }: NavigationInput, position: Position): Target | undefined {
  const offset = offsetAt(lines, position);
  const name = nameAt(source.text, offset)?.text;
  const [place] = placesOf(model, source, offset);
  const located = place && new Places(model, source, lines).located(place);
  return name === undefined || !located ? undefined : { name, ...located };
}

/** Where a text means what another file defines. */
export function referencesTo({ model, source, lines }: NavigationInput, { name, path, range }: Target): SourceRange[] {
  const places = new Places(model, source, lines);
  return occurrences({ model, source, lines }, name)
    .filter((place) => {
      const [meant] = placesOf(model, source, place.item.start + place.start);
      const located = meant && places.located(meant);
      return located?.path === path && located?.range.start.line === range.start.line && located.range.start.column === range.start.column;
    })
    .map((place) => rangeOf(place, lines));
}

/** What to replace for another name, or why that cannot be said. */
export function renamePlan(input: NavigationInput, position: Position): RenamePlan | undefined {
  const { model, source, lines } = input;
  const offset = offsetAt(lines, position);
  const word = nameAt(source.text, offset);
  const targets = word ? placesOf(model, source, offset) : [];
  if (!word || targets.length === 0) return undefined;
  const { text: name } = word;
  const own = new Set(source.items);
  if (targets.some(({ item }) => !own.has(item)))
    return { problem: `\`${name}\` is defined in a header, which other files may include: rename it by searching for it.` };
  const inDirective = source.items.some(({ tokens }) =>
    tokens.some(({ kind, text }) => kind === 'directive' && new RegExp(`\\b${name}\\b`).test(text)),
  );
  if (inDirective) return { problem: `\`${name}\` is part of a macro or a directive: rename it by searching for it.` };
  const ranges = referencesAt(input, position);
  if (isMember(input, targets[0]) && ranges.length !== occurrences(input, name).length)
    return { problem: `Several types have a member \`${name}\`: rename it by searching for it.` };
  return { ranges };
}

function occurrences({ source }: NavigationInput, name: string): Place[] {
  return source.items
    .filter(({ kind, names }) => kind === 'declaration' && names.includes(name))
    .flatMap((item) =>
      item.tokens.filter(({ kind, text }) => kind === 'name' && text === name).map(({ start, end }) => ({ item, start, end })),
    );
}

function isSame(a: Place, b: Place): boolean {
  return a.item === b.item && a.start === b.start;
}

function isMember({ model }: NavigationInput, { item, start }: Place): boolean {
  return [...model.table.aggregates.values()].some(
    ({ def, item: owner }) => owner === item && [...def.fields, ...def.methods].some(({ nameStart }) => nameStart === start),
  );
}

/**
 * One cause is one finding: what follows from another finding, and what is said again a few lines further on, becomes related information
 * of it. Settings and suppressions count before: what they take away folds nothing.
 */
import type { Finding, Fix, RelatedPlace, SourceRange, Wording } from '../protocol/finding.ts';
import { english, phrase } from './rules/phrases.ts';

export interface FoundFinding {
  readonly finding: Finding;
  /** Places in the file: a finding at one of them, of whatever rule, is the reason for this one. */
  readonly causes: readonly SourceRange[];
  /** What is said of it where another has taken it in. */
  readonly short?: Wording;
  /** The message without the names of the variants that it is about. */
  readonly said?: string;
  /** The names of these variants, where another has taken it in that says the same. */
  readonly andHere?: Wording;
  /** What it is about: of all that a rule says of one subject, the gravest stands for the rest, however far apart in the file they are. */
  readonly subject?: string;
}

/** Lines from one place to the next at which the same is not said again. */
const NEARBY_LINES = 10;

/** Given and returned in order of place. */
export function foldFindings(found: readonly FoundFinding[]): Finding[] {
  const groups = new Map<Finding, Finding[]>();
  const mainOf = new Map<Finding, Finding>();
  const fold = (finding: Finding, into: Finding) => {
    const main = mainOf.get(into) ?? into;
    if (main === finding) return;
    const members = [finding, ...(groups.get(finding) ?? [])];
    groups.delete(finding);
    for (const member of members) mainOf.set(member, main);
    const group = groups.get(main) ?? [];
    for (const member of members) group.push(member);
    groups.set(main, group);
  };
  const byPlace = new Map([...found].reverse().map(({ finding }) => [placeKey(finding.range), finding]));
  for (const { finding, causes } of found) {
    const cause = causes.map((range) => byPlace.get(placeKey(range))).find((other) => other !== undefined && other !== finding);
    if (cause && (cause.severity !== 'hint' || finding.severity === 'hint')) fold(finding, cause);
  }
  const saidOf = new Map(found.map(({ finding, said = finding.message }) => [finding, said]));
  const shortOf = new Map(
    found.flatMap(({ finding, short, andHere }) => {
      const main = mainOf.get(finding);
      const said = main && andHere && saidOf.get(main) === saidOf.get(finding) ? andHere : short;
      return said ? [[finding, said] as const] : [];
    }),
  );
  const last = new Map<string, Finding>();
  for (const { finding, said = finding.message, andHere } of found) {
    if (mainOf.has(finding)) continue;
    const key = `${finding.rule} ${said}`;
    if (andHere) shortOf.set(finding, andHere);
    const before = last.get(key);
    const isNear = before !== undefined && finding.range.start.line - before.range.start.line <= NEARBY_LINES;
    const isGraver = isNear && gravity(finding) > gravity(mainOf.get(before) ?? before);
    if (isNear) fold(isGraver ? (mainOf.get(before) ?? before) : finding, isGraver ? finding : before);
    last.set(key, finding);
  }
  const ofSubject = new Map<string, Finding>();
  for (const { finding, subject } of found) {
    if (subject === undefined || mainOf.has(finding)) continue;
    const key = `${finding.rule} ${subject}`;
    const main = ofSubject.get(key);
    const isGraver = main !== undefined && gravity(finding) > gravity(main);
    if (main) fold(isGraver ? main : finding, isGraver ? finding : main);
    if (!main || isGraver) ofSubject.set(key, finding);
  }
  return found.flatMap(({ finding }) => (mainOf.has(finding) ? [] : [withFolded(finding, groups.get(finding) ?? [], shortOf, saidOf)]));
}

function gravity({ severity }: Finding): number {
  return ['hint', 'information', 'warning', 'error'].indexOf(severity);
}

function placeKey({ start, end }: SourceRange): string {
  return `${start.line}:${start.column}-${end.line}:${end.column}`;
}

function withFolded(
  main: Finding,
  folded: readonly Finding[],
  shortOf: ReadonlyMap<Finding, Wording>,
  saidOf: ReadonlyMap<Finding, string>,
): Finding {
  if (folded.length === 0) return main;
  const places = folded.flatMap((finding): RelatedPlace[] => {
    const { rule, severity, message, wording, range, related } = finding;
    const short = message === main.message ? phrase('andHere') : shortOf.get(finding);
    const said = short ? { message: english(short), wording: short } : { message, wording };
    return [{ range, ...said, folded: { rule, severity, message, wording } }, ...related];
  });
  // Findings of one cause point to the same places.
  const seen = new Set<string>();
  const shorts = new Set(folded.flatMap((finding) => shortOf.get(finding) ?? []).map((short) => english(short)));
  const related = [...main.related, ...places].filter(({ range, message }) => {
    const at = shorts.has(message) ? `${range.start.line}` : placeKey(range);
    const key = `${at} ${message}`;
    return !seen.has(key) && seen.add(key);
  });
  const same = folded.filter((finding) => finding.rule === main.rule && saidOf.get(finding) === saidOf.get(main));
  return { ...main, related, fixes: mergedFixes([main, ...same]) };
}

/** What mends one place mends all of them, and what mends only one of them stays beside it. */
function mergedFixes(same: readonly Finding[]): readonly Fix[] {
  const merged = new Map<string, { fix: Fix; edits: Map<string, Fix['edits'][number]> }>();
  for (const fix of same.flatMap(({ fixes }) => fixes)) {
    const key = `${fix.safe} ${fix.title}`;
    const edits = merged.get(key)?.edits ?? new Map();
    for (const edit of fix.edits) edits.set(JSON.stringify(edit), edit);
    merged.set(key, { fix, edits });
  }
  return [...merged.values()].map(({ fix, edits }) => ({ ...fix, edits: [...edits.values()] }));
}

/** Each place by itself again, for who asks about lines. */
export function unfolded(findings: readonly Finding[]): Finding[] {
  return findings.flatMap((finding) => [
    finding,
    ...finding.related.flatMap(({ range, folded }) => (folded ? [{ ...folded, range, related: [], fixes: [] }] : [])),
  ]);
}

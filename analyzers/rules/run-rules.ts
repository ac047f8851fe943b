/** Runs the rules over a model: settings, suppressions, one finding per place and rule, in a fixed order. */
import type { CompiledKernel } from '../../protocol/compiled.ts';
import type { Finding, Fix, Part, Severity, SourceRange, Wording } from '../../protocol/finding.ts';
import { compiledReports } from '../compiled-reports.ts';
import { type FoundFinding, foldFindings } from '../fold-findings.ts';
import type { KernelFacts, VariantFacts } from '../model/facts.ts';
import type { FileFacts } from '../model/file-facts.ts';
import { variantId } from '../model/shapes.ts';
import type { Place } from '../syntax/source.ts';
import { type LineTable, positionAt, rangeOf, type Source } from '../syntax/source.ts';
import type { Around, Report, Rule } from './define-rule.ts';
import { english, messageWording, phrase } from './phrases.ts';

export interface RunOptions {
  readonly rules: readonly Rule[];
  readonly severities: Readonly<Record<string, Severity | 'off'>>;
  readonly lines: LineTable;
  readonly source: Source;
  /** What rules said of a variant: its facts are the same object while nothing that they depend on changed. */
  readonly reports: WeakMap<VariantFacts, Map<Rule, SaidOfVariant>>;
  /** What the compiler says of variants, by their names in `variantId`. */
  readonly compiled?: ReadonlyMap<string, CompiledKernel>;
}

/** Items of the file itself. */
type Own = ReadonlySet<Place['item']>;

/** What a rule has said of a variant, and what it was told of the text around it. */
interface SaidOfVariant {
  readonly around: Around;
  readonly reports: readonly Report[];
}

/** What a rule says of one place. */
interface Candidate {
  readonly rule: Rule;
  /** What is said of the file rather than of a kernel. */
  ofFile: Report | undefined;
  /** The gravest of each variant. */
  readonly ofVariants: Map<VariantFacts, Report>;
}

export function runRules(file: FileFacts, options: RunOptions): Finding[] {
  const allowed = suppressions(options.source, options.lines);
  const own: Own = new Set(options.source.items);
  const out: Said[] = [];
  const chosen = new Map(Object.entries(options.severities));
  for (const rule of options.rules) {
    const severity = chosen.get(rule.id) ?? rule.severity;
    if (severity === 'off') continue;
    for (const candidate of candidates(rule, file, own, options)) {
      const said = toFinding(candidate, own, options, severity);
      if (!allowed(rule.id, said.found.finding.range)) out.push(said);
    }
  }
  return foldFindings(withHosts(out.sort((a, b) => compare(a.found.finding, b.found.finding))));
}

interface Said {
  readonly found: FoundFinding;
  readonly rule: Rule;
  readonly aside: Report['aside'];
  readonly kernels: ReadonlySet<KernelFacts>;
}

/** What says little by itself has the gravest finding of its kernel about the same matter among its causes, or else the first of its like. */
function withHosts(all: readonly Said[]): FoundFinding[] {
  const hosts = new Map<string, Map<KernelFacts, Host>>();
  all.forEach((said, order) => {
    if (said.aside === 'folded') return;
    const ofKernels = hosts.get(said.rule.category) ?? new Map<KernelFacts, Host>();
    hosts.set(said.rule.category, ofKernels);
    const host = { said, order, gravity: said.aside ? -1 : SEVERITIES.indexOf(said.found.finding.severity) };
    for (const kernel of said.kernels) ofKernels.set(kernel, better(ofKernels.get(kernel), host));
  });
  return all.flatMap((said) => {
    const { found, rule, aside, kernels } = said;
    if (!aside) return [found];
    let host: Host | undefined;
    for (const kernel of kernels) {
      const own = hosts.get(rule.category)?.get(kernel);
      if (own) host = better(host, own);
    }
    if (!host) return [];
    return [{ ...found, causes: host.said === said ? found.causes : [...found.causes, host.said.found.finding.range] }];
  });
}

/** `gravity` is below all others of what has no host but its like. */
interface Host {
  readonly said: Said;
  readonly order: number;
  readonly gravity: number;
}

/** The graver one, of two the first. */
function better(a: Host | undefined, b: Host): Host {
  if (!a || b.gravity > a.gravity) return b;
  return b.gravity === a.gravity && b.order < a.order ? b : a;
}

function candidates(rule: Rule, file: FileFacts, own: Own, options: RunOptions): Iterable<Candidate> {
  // Most rules have nothing to say of most files.
  let found: Found | undefined;
  const add = (report: Report, variant?: VariantFacts) => {
    // What lies in a header is said where the header is looked at, not once more for each file that includes it.
    if (!own.has(report.at.item)) return;
    found ??= { byPlace: new Map(), order: new Map() };
    addCandidate(found, rule, report, variant);
  };
  if (rule.detect)
    for (const kernel of file.kernels)
      for (const variant of kernel.variants) {
        const reports = reportsOf(rule, variant, file, options.reports);
        const compiled = options.compiled?.get(variantId(file, variant));
        for (const report of compiled ? compiledReports(rule, reports, variant, compiled, options) : reports) add(report, variant);
      }
  if (rule.detectFile) for (const report of rule.detectFile(file)) add(report);
  return found?.byPlace.values() ?? [];
}

interface Found {
  readonly byPlace: Map<string, Candidate>;
  /** Numbers for items. */
  readonly order: Map<object, number>;
}

function addCandidate({ byPlace, order }: Found, rule: Rule, report: Report, variant: VariantFacts | undefined): void {
  const { item, start, end } = report.at;
  if (!order.has(item)) order.set(item, order.size);
  const key = `${order.get(item)}:${start}:${end}`;
  let candidate = byPlace.get(key);
  if (!candidate) {
    candidate = { rule, ofFile: undefined, ofVariants: new Map() };
    byPlace.set(key, candidate);
  }
  const { ofVariants } = candidate;
  if (!variant) candidate.ofFile ??= report;
  else if (isGraver(rule, report, ofVariants.get(variant))) ofVariants.set(variant, report);
}

const SEVERITIES: readonly Severity[] = ['hint', 'information', 'warning', 'error'];

/** The first of equal ones counts. */
function isGraver(rule: Rule, report: Report, than: Report | undefined): boolean {
  if (!than) return true;
  const gravity = ({ severity }: Report) => SEVERITIES.indexOf(severity ?? rule.severity);
  return gravity(report) - gravity(than) > 0 || (gravity(report) === gravity(than) && (report.weight ?? 0) > (than.weight ?? 0));
}

function messageOf(rule: Rule, report: Report): string {
  return english(wordingOf(rule, report), rule);
}

function wordingOf(rule: Rule, { message, data }: Report): Wording {
  return messageWording(rule, message, data);
}

function reportsOf(rule: Rule, variant: VariantFacts, file: FileFacts, cache: RunOptions['reports']): readonly Report[] {
  const known = cache.get(variant) ?? new Map<Rule, SaidOfVariant>();
  cache.set(variant, known);
  const around = rule.around?.(variant, file) ?? {};
  const said = known.get(rule);
  if (said && Object.entries(around).every(([question, answer]) => said.around[question] === answer)) return said.reports;
  const reports = [...(rule.detect?.(variant, file, around) ?? [])];
  known.set(rule, { around, reports });
  return reports;
}

function toFinding({ rule, ofFile, ofVariants }: Candidate, own: Own, { lines, source }: RunOptions, severity: Severity): Said {
  const range = (place: Place) => rangeOf(place, lines);
  const said = [...(ofFile ? [ofFile] : []), ...ofVariants.values()];
  const report = said.reduce((gravest, other) => (isGraver(rule, other, gravest) ? other : gravest));
  const isOwn = ({ at }: { readonly at: Place }) => own.has(at.item);
  const fixes: Fix[] = (report.fixes ?? [])
    .filter((f) => f.edits.every(isOwn))
    .map((f) => ({
      title: english(f.title),
      wording: f.title,
      safe: f.safe,
      edits: f.edits.map((e) => ({ range: range(e.at), newText: e.newText })),
    }));
  const { wording, andHere } = report === ofFile ? { wording: wordingOf(rule, report) } : wordingOfVariants(rule, report, ofVariants);
  const finding: Finding = {
    rule: rule.id,
    severity: weaker(severity, rule, report.severity),
    range: range(report.at),
    message: english(wording, rule),
    wording,
    related: distinct(
      (report.related ?? []).filter(isOwn).map((r) => ({ range: range(r.at), message: english(r.message), wording: r.message })),
    ),
    fixes,
  };
  const causes = (report.causes ?? []).filter((at) => own.has(at.item)).map(range);
  // An error that is mended otherwise is another one.
  const mended = finding.severity === 'error' ? fixes.map(({ title }) => title) : [];
  const message = [messageOf(rule, report), ...mended].join(' ');
  const isOfFile = finding.severity !== 'error' && rule.costs;
  const ownSubject = report.subject && [report.subject, ...mended].join(' ');
  // Hints are looked for in the line; what the list of problems has, it has once.
  const inLine = finding.severity === 'hint' ? lineText(finding.range, source, lines) : '';
  const subject = ownSubject ?? (isOfFile ? `${message} ${inLine}` : undefined);
  const found = { finding, causes, short: report.short, said: message, andHere, subject };
  return { found, rule, aside: report.aside, kernels: new Set([...ofVariants.keys()].map(({ kernel }) => kernel)) };
}

/** Of a line's text: one of megabytes with a finding in each statement would be copied for each of them. */
const CHARACTERS_OF_A_LINE = 200;

/** But for its numbers, in which the lines of generated code differ. */
function lineText({ start: { line } }: SourceRange, { text }: Source, { starts }: LineTable): string {
  const start = starts[line] ?? 0;
  return text
    .slice(start, Math.min(starts[line + 1] ?? text.length, start + CHARACTERS_OF_A_LINE))
    .trim()
    .replace(/\d+/g, '0');
}

/** Both halves of `a[i] += x` stand in one place. */
function distinct(related: Finding['related']): Finding['related'] {
  return [...new Map(related.map((r) => [JSON.stringify(r), r])).values()];
}

/** Settings move a rule as a whole: a report that is a hint by itself stays one unless the user chose a severity. */
function weaker(setting: Severity, rule: Rule, own: Severity | undefined): Severity {
  return own !== undefined && setting === rule.severity ? own : setting;
}

/**
 * Names the variants, when the finding holds for some of a kernel's only, and the kernels, when it is in a function of several; and which
 * of them say the same, when others have other numbers or something else to say.
 */
function wordingOfVariants(
  rule: Rule,
  shown: Report,
  found: ReadonlyMap<VariantFacts, Report>,
): Pick<FoundFinding, 'andHere'> & { wording: Wording } {
  const message = wordingOf(rule, shown);
  const text = english(message, rule);
  const same: VariantFacts[] = [];
  const differing: VariantFacts[] = [];
  const saysSame = (report: Report) => messageOf(rule, inWordsOf(shown, report)) === text;
  for (const [v, report] of found) (report === shown || saysSame(report) ? same : differing).push(v);
  const kernelsOf = new Set([...found.keys()].map((v) => v.kernel));
  const all = [...kernelsOf].flatMap((kernel) => kernel.variants);
  if (kernelsOf.size === 1 && same.length === all.length) return { wording: message };
  const kernels = labels(same, all);
  if (differing.length === 0) return { wording: phrase('inKernels', { kernels, message }), andHere: phrase('andHereIn', { kernels }) };
  const others = labels(differing, all);
  const how = differing.every((v) => found.get(v)?.message === shown.message) ? 'Numbers' : 'Differing';
  const wording = phrase(`inKernels${how}`, { kernels, others, message });
  return { wording, andHere: phrase(`andHereIn${how}`, { kernels, others }) };
}

/** What is called `int4` in one instantiation and `uint4` in another is no other finding. */
function inWordsOf({ data: words = {} }: Report, report: Report): Report {
  if (!report.data) return report;
  const names = NAMES.filter((name) => report.data![name] !== undefined && words[name] !== undefined);
  return { ...report, data: { ...report.data, ...Object.fromEntries(names.map((name) => [name, words[name]])) } };
}

const NAMES = ['vector', 'structure'] as const;

/** With the shape of blocks where that tells them apart from others of the same name. */
function labels(which: readonly VariantFacts[], all: readonly VariantFacts[]): readonly Part[] {
  const isAmbiguous = ({ label }: VariantFacts) => all.some((v) => v.label === label && !which.includes(v));
  const shown = new Map(which.map((v) => (isAmbiguous(v) ? withShape(v) : v.label)).map((part) => [JSON.stringify(part), part]));
  return [...[...shown.values()].slice(0, 3), ...(shown.size > 3 ? ['…'] : [])];
}

function withShape({ label, block: { x, y, z }, blockKnown }: VariantFacts): Wording {
  if (!blockKnown) return phrase('labelOfUnknownBlocks', { label });
  return phrase('labelOfBlocks', { label, shape: [x, y, z].slice(0, z > 1 ? 3 : y > 1 ? 2 : 1).join(' × ') });
}

const ALLOW = /lanewise:\s*allow(?<whole>-file)?\((?<rules>[\w\s,-]+)\)\s*(?<reason>\S.*)?/;

/**
 * A comment `lanewise: allow(rule) reason` covers its own line and, when alone on it, the next one; `allow-file` the whole file. Without a
 * reason it counts for nothing.
 */
function suppressions(source: Source, lines: LineTable): (rule: string, range: SourceRange) => boolean {
  const byLine = new Map<number, Set<string>>();
  const everywhere = new Set<string>();
  for (const item of source.items) {
    for (const comment of item.comments) {
      const start = item.start + comment.start;
      const match = ALLOW.exec(source.text.slice(start, item.start + comment.end))?.groups;
      // What a quick fix leaves for the user to write behind it is no reason.
      const reason = match?.reason
        ?.replace(/\*\/$/, '')
        .replace(/^reason:/, '')
        .trim();
      if (!match || !reason) continue;
      const rules = match.rules.split(',').map((id) => id.trim());
      if (match.whole) {
        for (const id of rules) everywhere.add(id);
        continue;
      }
      const { line } = positionAt(lines, start);
      const alone = source.text.slice(lines.starts[line], start).trim() === '';
      const last = positionAt(lines, item.start + comment.end).line;
      for (const covered of alone ? [line, last + 1] : [line]) {
        const set = byLine.get(covered) ?? new Set<string>();
        byLine.set(covered, set);
        for (const id of rules) set.add(id);
      }
    }
  }
  return (rule, range) => everywhere.has(rule) || byLine.get(range.start.line)?.has(rule) === true;
}

export function compare(a: Finding, b: Finding): number {
  return (
    a.range.start.line - b.range.start.line ||
    a.range.start.column - b.range.start.column ||
    (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0) ||
    a.range.end.line - b.range.end.line ||
    a.range.end.column - b.range.end.column
  );
}

/**
 * What the compiled device code knows better than the text: which accesses are merged or kept in registers, which branches are
 * predicated, and what those that are left cost. Reports of rules about them take the compiler's numbers, go where it shows that there is
 * nothing to say, and come where the text did not show it. What hangs on data stays as the text has it.
 */
import type { CompiledKernel, CompiledMeans, CompiledSite } from '../protocol/compiled.ts';
import type { SourceRange, Wording } from '../protocol/finding.ts';
import type { AccessFacts, BranchFacts, LoopFacts, VariantFacts } from './model/facts.ts';
import { LANES } from './model/rows.ts';
import {
  asMean,
  assumedBlock,
  assumedPlane,
  besideMean,
  isBesideTraffic,
  isForUnaligned,
  type Report,
  type Rule,
} from './rules/define-rule.ts';
import { bothSides, hasOneSide, skipsNothing } from './rules/divergent-branch.ts';
import { isBitCount } from './rules/divergent-loop.ts';
import { phrase } from './rules/phrases.ts';
import { slowDivision, slowInSameLoop } from './rules/slow-integer-division.ts';
import {
  atLeast,
  LEAST_LANES,
  LOUD,
  leastSectors,
  ofBlocks,
  ofWhole,
  sectorsOf,
  vectorType,
  widerBlocks,
} from './rules/uncoalesced-access.ts';
import type { Place } from './syntax/source.ts';
import { type LineTable, positionAt, rangeOf, type Source } from './syntax/source.ts';

export interface CompiledOptions {
  readonly source: Source;
  readonly lines: LineTable;
}

type Known = CompiledSite & { readonly means: CompiledMeans };

/** What a rule says of a variant once the compiler has been asked. */
export function compiledReports(
  rule: Rule,
  reports: readonly Report[],
  variant: VariantFacts,
  compiled: CompiledKernel,
  options: CompiledOptions,
): readonly Report[] {
  const asked = ASKED[rule.id];
  if (!asked) return reports;
  const kept = reports.flatMap((report) => {
    const reported = rangeOf(upToAssignment(report.at), options.lines);
    const isThere = (site: CompiledSite) => site.lines.some((line) => isIn(reported, line));
    // A place of a header, or of another file: the compiler's sites are of this one.
    if (!options.source.items.includes(report.at.item)) return [report];
    const sites = compiled.sites.filter((site) => asked.isAbout(site) && isThere(site));
    // What is not there may be among that whose lines are lost.
    if (sites.length === 0 && compiled.unplaced?.some((kind) => asked.kinds.includes(kind))) return [report];
    const corrected = asked.corrected(report, sites, variant);
    return corrected ? [corrected] : [];
  });
  return asked.added ? [...kept, ...asked.added(reports, variant, compiled, options)] : kept;
}

/** A store is at its `=` for the compiler, which may stand on a line of its own. */
function upToAssignment(at: Place): Place {
  const next = at.item.tokens.find(({ start }) => start >= at.end);
  return next && /^([-+*/%&|^]|<<|>>)?=$/.test(next.text) ? { ...at, end: next.end } : at;
}

interface Asked {
  /** Whose absence says nothing where some have lost their lines. Branches are mostly not there because they are predicated. */
  readonly kinds: readonly CompiledSite['kind'][];
  isAbout(site: CompiledSite): boolean;
  /** The report with the numbers of the sites on its lines; undefined if there is nothing to say. */
  corrected(report: Report, sites: readonly CompiledSite[], variant: VariantFacts): Report | undefined;
  /** What the text did not show. */
  added?(reports: readonly Report[], variant: VariantFacts, compiled: CompiledKernel, options: CompiledOptions): readonly Report[];
}

/** Of what not all blocks agree on, and of pieces. */
const SECTORS_TOLERANCE = 1.3;
/** What the measurements call uncoalesced. */
const LEAST_EXCESS = 1.2;
const LEAST_WAYS = 1.9;
const LEAST_SHARE = 0.2;
/** Times the ideal of what rows that begin at sectors would mend. */
const LOUD_PITCH = 1.4;
/** Requests of few lanes need few sectors, however far apart they are: with fewer than these a hint, or nothing. */
const MANY_SECTORS = 4;
const LEAST_SECTORS = 2;

/** Of the text's it is the least certain. */
const INSIDE = 'inside';

const BY_DATA = new Set(['gathered', 'stretch']);

const SHARES = new Set(['split', 'idle', 'cases']);

const isAccess = ({ kind }: CompiledSite) => kind === 'load' || kind === 'store';
const isGlobal = (site: CompiledSite) => isAccess(site) && (!site.means || site.means.sectors > 0);
const isShared = (site: CompiledSite) => isAccess(site) && (!site.means || site.means.wavefronts > 0);
/** One with branches inside is told as its slow path. */
const isDivision = ({ kind }: CompiledSite) => kind === 'division' || kind === 'slowPath';
const isKnown = (site: CompiledSite): site is Known => site.means !== undefined;
/** Whatever the program is given. */
const isCertain = (site: CompiledSite): site is Known => isKnown(site) && !site.withoutArguments;

const ASKED: Readonly<Record<string, Asked>> = {
  'uncoalesced-access': {
    kinds: ['load', 'store', 'atomic'],
    isAbout: (site) => isGlobal(site) || site.kind === 'atomic',
    corrected(report, sites, variant) {
      // Whether it is the rows or the first of them alone is told by what the compiler knows.
      if (report.message === INSIDE && sites.some(tellsRows)) return undefined;
      if (!sites.every(isCertain)) return withBound(report, sites);
      const worst = worstOf(sites, excessSectors);
      if (!worst || excessSectors(worst) <= LEAST_EXCESS) return undefined;
      const near = accessOf(report, variant);
      const { sectors } = worst.means;
      const ideal = leastSectors(worst.means.idealSectors, near);
      const data = { ...report.data, sectors, ideal, assumed: besideMean(report.data?.assumed) };
      const corrected = { ...report, ...(report.message === 'pieces' && ofBlocks(sectors, ideal)), data, weight: excessSectors(worst) };
      // Where the compiler knows, data does not decide.
      if (!BY_DATA.has(report.message) && report.message !== 'scattered') return asMean(corrected, { isSampled: false });
      const said = asScattered(worst, near);
      return asMean({ ...corrected, ...said, data: { ...data, ...said.data } }, { isSampled: false });
    },
    added: scattered,
  },
  'bank-conflict': {
    kinds: ['load', 'store'],
    isAbout: isShared,
    corrected(report, there, variant) {
      const near = accessOf(report, variant);
      // What the line loads from nobody knows where says nothing of what it stores, nor do rounds of an unrolled loop that nobody runs.
      const sites = there.filter((site) => !site.unreached && (isCertain(site) || site.kind === (near?.kind ?? site.kind)));
      if (sites.length === 0 || !sites.every(isCertain)) return report;
      const worst = worstOf(sites, ways);
      if (!worst || ways(worst) < LEAST_WAYS) return undefined;
      const { wavefronts, ideal } = requestOf(sites, worst);
      // The worst of several iterations is the text's, which looks at each; the compiler's is their mean.
      const most = report.message === 'rounds' ? Math.max(Number(report.data?.ways), ways(worst)) : ways(worst);
      const assumed = besideMean(report.data?.assumed);
      const corrected = { ...report, data: { ...report.data, ways: Math.round(most), wavefronts, ideal, assumed }, weight: ways(worst) };
      return report.message === 'rounds' ? corrected : asMean(corrected, { isSampled: false });
    },
  },
  'divergent-branch': {
    kinds: [],
    isAbout: ({ kind }) => kind === 'branch',
    corrected(report, sites) {
      const worst = sites.every(isCertain) ? worstOf(sites, ({ means }) => means.divergent) : undefined;
      if (sites.length > 0 && !worst) return report;
      if (!worst || worst.means.divergent === 0) return undefined;
      // Of the warps that come there, which other conditions keep from being all of them.
      if (!SHARES.has(report.message) || worst.means.divergent >= (report.weight ?? 1)) return report;
      const aside = isRare(worst.means.divergent) ? 'folded' : report.aside;
      return { ...report, data: { ...report.data, share: shareText(worst) }, aside };
    },
    added(reports, ...of) {
      const branches = parted(reports, ...of);
      const all = [...branches, ...counted([...reports, ...branches], ...of)];
      return [...all, ...slowPaths([...reports, ...all], ...of)];
    },
  },
  'divergent-loop': {
    kinds: [],
    isAbout: ({ kind }) => kind === 'branch',
    corrected(report, sites) {
      // Unrolled, or computed at once: `lanes` know their numbers of iterations from the thread's index.
      if (sites.length === 0) return report.message === 'lanes' ? undefined : report;
      return sites.every((site) => site.means?.divergent === 0 && !site.withoutArguments) ? undefined : report;
    },
    added: leftLoops,
  },
  // Where a loop is unrolled, a divisor that changes in it is a constant in each round.
  'slow-integer-division': {
    kinds: ['division', 'slowPath'],
    isAbout: isDivision,
    corrected: (report, sites) => (sites.length === 0 ? undefined : report),
    added: otherDivisions,
  },
  'hot-global-atomic': {
    kinds: ['atomic'],
    isAbout: ({ kind }) => kind === 'atomic',
    corrected: (report, sites) => (sites.length === 0 ? undefined : report),
  },
};

/**
 * Where data or the end of a row leaves lanes out, those that are left need no more than all of them would. Where nobody knows how they begin
 * in a sector, no execution needs less than the best one.
 */
function withBound(report: Report, sites: readonly CompiledSite[]): Report {
  const tops = sites.map(({ means, most, least }) => means ?? most ?? least);
  const isOpen = sites.some(({ most, least }) => most ?? least);
  if (typeof report.data?.sectors !== 'number' || !isOpen || !tops.every((top) => top !== undefined)) return report;
  const worst = tops.reduce((a, b) => (excessOf(b) > excessOf(a) ? b : a));
  if (excessOf(worst) <= LEAST_EXCESS) return report;
  const { sectors, idealSectors: ideal } = worst;
  const isMost = sites.some(({ most }) => most);
  // The compiler's least may be below what the text knows.
  if (!isMost && sectors < report.data.sectors) return report;
  return {
    ...report,
    data: { ...report.data, sectors: isMost ? phrase('upTo', { count: Math.ceil(sectors) }) : atLeast(sectors, ideal), ideal },
  };
}

function tellsRows({ means, rough }: CompiledSite): boolean {
  return means !== undefined || rough !== undefined;
}

/** The most that lanes could need, or the least. */
function bound({ most }: CompiledSite, { sectors, idealSectors }: CompiledMeans): Wording {
  return most ? phrase('upTo', { count: Math.ceil(sectors) }) : atLeast(sectors, idealSectors);
}

function accessOf({ at }: Report, { accesses }: VariantFacts): AccessFacts | undefined {
  return accesses.find(({ place }) => place.item === at.item && place.start === at.start);
}

function worstOf(sites: readonly Known[], measure: (site: Known) => number): Known | undefined {
  return sites.length === 0 ? undefined : sites.reduce((worst, site) => (measure(site) > measure(worst) ? site : worst));
}

function excessSectors({ means }: Known): number {
  return excessOf(means);
}

function excessOf({ sectors, idealSectors }: CompiledMeans): number {
  return sectors / Math.max(1, idealSectors);
}

function ways({ means: { wavefronts, idealWavefronts } }: Known): number {
  return wavefronts / Math.max(1, idealWavefronts);
}

/** A request of the line in the mean, as a run counts it; of its worst access where it is not known how often each is executed. */
function requestOf(sites: readonly Known[], worst: Known): { readonly wavefronts: number; readonly ideal: number } {
  const all = sites.every(({ executions }) => executions !== undefined) ? sites : [worst];
  const requests = all.reduce((sum, { executions }) => sum + (executions ?? 1), 0);
  const mean = (of: (means: CompiledMeans) => number) =>
    all.reduce((sum, { means, executions }) => sum + of(means) * (executions ?? 1), 0) / requests;
  return { wavefronts: mean((each) => each.wavefronts), ideal: mean((each) => each.idealWavefronts) };
}

/** Of a loop, every warp may part in some rounds. */
function shareText({ means: { divergent } }: Known): Wording {
  if (divergent === 1) return phrase('allWarpsThere');
  return isRare(divergent) ? phrase('lessThanPercent') : phrase('percentOfExecutions', { percent: Math.round(100 * divergent) });
}

/** Of executions: nobody would know that lanes part there, or change anything for it. */
function isRare(divergent: number): boolean {
  return divergent < 0.01;
}

/** Branches that part many warps, and not just one lane of each, and of which the text said nothing. */
function parted(reports: readonly Report[], variant: VariantFacts, { sites }: CompiledKernel, options: CompiledOptions): Report[] {
  const said = reports.map(({ at }) => rangeOf(at, options.lines));
  const found = new Map<BranchFacts, Report>();
  for (const site of sites) {
    if (site.kind !== 'branch' || site.endsLoop || site.withoutArguments || (isKnown(site) && site.means.divergent < LEAST_SHARE)) continue;
    // A comparison of data is said where it stands, whatever is said of the calls that it was inlined into.
    const places = isKnown(site) ? site.lines : [site.line];
    if (said.some((range) => places.some((line) => isIn(range, line)))) continue;
    const here = variant.branches.filter(({ kind, headPlace }) => kind !== 'loop-exit' && isOnLine(headPlace, site, options));
    // Of a condition of several terms the whole, but for what data adds to a term that is known.
    const asked = here.filter(({ splits }) => (splits.kind === 'data') !== isKnown(site));
    const branch = asked.find(({ kind }) => (kind === 'logical') !== isKnown(site)) ?? asked[0];
    const report = branch && (isKnown(site) ? ofKnown(branch, site, variant) : keptBranch(branch));
    if (report) found.set(branch, report);
  }
  return [...found.values()];
}

function ofKnown(branch: BranchFacts, site: Known, variant: VariantFacts): Report | undefined {
  // Who leaves by a predicated EXIT parts from nobody.
  if (branch.splits.kind === 'data' || branch.predicated === 'exit') return undefined;
  const few = Math.round(site.means.smallerSide);
  const share = shareText(site);
  const assumed = assumedBlock(variant);
  // What is said of the condition is the reason.
  const rest = { at: branch.headPlace, causes: [branch.condition.place], severity: 'hint' as const, weight: site.means.divergent };
  if (few >= 2) return { ...rest, message: hasOneSide(branch) ? 'idle' : 'split', data: { share, lanes: few, assumed } };
  // One lane of a warp is how warps work together, but not where the place in the data says which.
  const isBorder = branch.splits.kind === 'guard' && branch.kind === 'if' && branch.exits === undefined;
  return isBorder ? { ...rest, message: 'border', data: { share, assumed, cost: bothSides(variant, branch) } } : undefined;
}

/** Where lanes surely part, or as data says: what a run counts and nothing else has been said of. */
function counted(reports: readonly Report[], variant: VariantFacts, { sites }: CompiledKernel, options: CompiledOptions): Report[] {
  const said = reports.map(({ at }) => rangeOf(at, options.lines));
  const found = new Map<number, Report>();
  for (const site of sites) {
    const parts = partingOf(site);
    if (!parts || parts === 'edge' || (site.endsLoop && parts !== 'sure') || isSaid(said, site)) continue;
    if (loopAt(site, variant, options)) continue;
    const branch = branchAt(site, variant, options);
    const isKept = isBeforeLoad(site, variant, options);
    if (parts === 'rarely' && !isKept) continue;
    // The GPU's compiler predicates some that stay branches here: where the text shows one to be short, nothing is said.
    if (branch?.exceptional || branch?.predicated === 'exit' || (branch && skipsNothing(branch, variant))) continue;
    if (branch?.predicated === 'yes' && !isKept) continue;
    // What data decides is a condition of the text; the compiler makes loops of barriers that wait.
    if (parts !== 'sure' && !branch) continue;
    const at = branch?.headPlace ?? tokenAt(site, options);
    const known = found.get(site.line);
    if (!at || (known && (known.weight ?? 0) >= weightOf(site))) continue;
    const assumed = site.withoutArguments ? phrase('withoutArguments') : assumedBlock(variant);
    const data = isKnown(site) && site.means.divergent > 0 ? { share: shareText(site), assumed } : { assumed };
    const message = parts !== 'sure' ? 'countedData' : 'share' in data ? 'counted' : 'countedSome';
    const aside = site.means && isRare(site.means.divergent) ? 'folded' : 'alone';
    found.set(site.line, { at, message, data, severity: 'hint', weight: weightOf(site), aside, short: phrase('partHere') });
  }
  return [...found.values()];
}

/** Divisions, roots and functions inside of which lanes part, as far as their operands are known, where nothing else has been said. */
function slowPaths(reports: readonly Report[], variant: VariantFacts, { sites }: CompiledKernel, options: CompiledOptions): Report[] {
  const said = reports.map(({ at }) => rangeOf(at, options.lines));
  const found = new Map<number, Report>();
  for (const site of sites) {
    const parts = site.kind === 'slowPath' ? partsAt(site) : undefined;
    if ((parts !== 'sure' && parts !== 'data') || isSaid(said, site) || found.has(site.line)) continue;
    const at = tokenAt(site, options);
    if (!at) continue;
    const assumed = site.withoutArguments ? phrase('withoutArguments') : assumedBlock(variant);
    const aside = site.means && isRare(site.means.divergent) ? 'folded' : 'alone';
    found.set(site.line, { at, message: 'inside', data: { assumed }, severity: 'hint', weight: 0, aside, short: phrase('partHere') });
  }
  return [...found.values()];
}

/** Of a loop whose first division is none for the compiler, the next one that is. */
function otherDivisions(
  reports: readonly Report[],
  variant: VariantFacts,
  { sites, unplaced = [] }: CompiledKernel,
  { lines, source }: CompiledOptions,
): Report[] {
  if (unplaced.includes('division') || unplaced.includes('slowPath')) return [];
  const divisions = sites.filter(isDivision);
  const isThere = (at: Place) => divisions.some((site) => site.lines.some((line) => isIn(rangeOf(at, lines), line)));
  return reports.flatMap(({ at }) => {
    if (!source.items.includes(at.item) || isThere(at)) return [];
    const next = slowInSameLoop(at, variant).find(({ place }) => source.items.includes(place.item) && isThere(place));
    return next ? [slowDivision(next, variant)] : [];
  });
}

/** The same of loops. */
function leftLoops(reports: readonly Report[], variant: VariantFacts, { sites }: CompiledKernel, options: CompiledOptions): Report[] {
  const said = reports.map(({ at }) => rangeOf(at, options.lines));
  const found = new Map<LoopFacts, Report>();
  for (const site of sites) {
    const parts = partingOf(site);
    if (!parts || isSaid(said, site)) continue;
    const loop = loopAt(site, variant, options);
    if (!loop || loop.retries || loop.spinsOn !== undefined || isBitCount(loop, variant)) continue;
    const isSure = parts === 'sure';
    // A block's or a warp's own elements: if they are fewer than its threads, or no multiple of them, lanes know at the start.
    const isRest = parts === 'edge';
    if (isRest && ((loop.strided !== 'block' && loop.strided !== 'warp') || !loop.endsAnywhere)) continue;
    if (parts === 'rarely' && (loop.control.dividedByData || (loop.strided !== 'no' && loop.divergence === 'data'))) continue;
    // Through all elements, each thread by its stride: the last round alone.
    const isEnd = !isSure && !isRest && loop.strided !== 'no' && (loop.divergence === 'none' || loop.divergence === 'guard');
    const before = found.get(loop)?.message;
    if (before === 'left' ? !isSure : before !== undefined && isRest) continue;
    const assumed = site.withoutArguments ? phrase('withoutArguments') : assumedBlock(variant);
    found.set(loop, {
      at: loop.headPlace,
      message: isSure ? 'left' : isRest ? 'leftAtEnd' : 'leftByData',
      data: { assumed },
      severity: 'hint',
      aside: isEnd ? 'folded' : 'alone',
      short: phrase('leftHere'),
    });
  }
  return [...found.values()];
}

function partingOf(site: CompiledSite): CompiledSite['parts'] {
  return site.kind === 'branch' ? partsAt(site) : undefined;
}

/** In the file's own text. */
function partsAt(site: CompiledSite): CompiledSite['parts'] {
  if (site.isOfHeader) return undefined;
  return isKnown(site) && site.means.divergent > 0 ? 'sure' : site.means ? undefined : site.parts;
}

function weightOf({ means, parts }: CompiledSite): number {
  return means ? means.divergent : parts === 'data' ? 0.5 : 0;
}

/** Lines of ranges count from 0, those of the compiler from 1. */
function isIn({ start, end }: SourceRange, line: number): boolean {
  return line > start.line && line <= end.line + 1;
}

function isSaid(said: readonly SourceRange[], { line }: CompiledSite): boolean {
  return said.some((range) => isIn(range, line));
}

/** The first stands for all. */
function oneOf(reports: readonly Report[], short: Wording): Report[] {
  const place = ({ at }: Report) => at.item.start + at.start;
  const [first, ...others] = reports.toSorted((a, b) => place(a) - place(b));
  return first ? [first, ...others.map((report) => ({ ...report, causes: [first.at], short }))] : [];
}

function isOnLine({ item, start, end }: Place, { line }: CompiledSite, { source, lines }: CompiledOptions): boolean {
  if (!source.items.includes(item)) return false;
  return isIn(rangeOf({ item, start, end }, lines), line);
}

function loopAt(site: CompiledSite, { loops, branches }: VariantFacts, options: CompiledOptions): LoopFacts | undefined {
  const loop = loops.findLast(({ headPlace }) => isOnLine(headPlace, site, options));
  // What goes on inside of it on the same line.
  const isInside = !site.endsLoop && branches.some(({ kind, headPlace }) => kind !== 'loop-exit' && isOnLine(headPlace, site, options));
  return isInside ? undefined : loop;
}

function branchAt(site: CompiledSite, { branches }: VariantFacts, options: CompiledOptions): BranchFacts | undefined {
  const here = branches.filter(({ kind, headPlace }) => kind !== 'loop-exit' && isOnLine(headPlace, site, options));
  return here.find(({ kind }) => kind !== 'logical') ?? here[0];
}

/** At `&&` or `||` in front of a load: a branch of its own leaves it out, however short what hangs on all of the condition is. */
function isBeforeLoad({ line, column }: CompiledSite, { accesses }: VariantFacts, { source, lines }: CompiledOptions): boolean {
  const from = lines.starts[line - 1] + column - 1;
  if (!/^(?:&&|\|\|)/.test(source.text.slice(from, from + 2))) return false;
  const start = ({ item, start: at }: Place) => (source.items.includes(item) ? item.start + at : -1);
  return accesses.some(({ kind, place, kept }) => kind === 'load' && !kept && start(place) > from && start(place) < lines.starts[line]);
}

/** One on data that the text takes for a few predicated instructions, and the compiler does not. */
function keptBranch(branch: BranchFacts): Report | undefined {
  const { kind, splits, comparesData, exceptional, predicated, control, condition, leaves, otherLeaves } = branch;
  if (kind !== 'logical' || splits.kind !== 'data' || !comparesData || exceptional || predicated === 'no') return undefined;
  if (control.dividedByData || control.oneThreadPerWarp || leaves !== undefined || otherLeaves !== undefined) return undefined;
  return { at: condition.place, message: 'chain', severity: 'hint' };
}

/** Accesses that need many sectors and of which the text said nothing. */
function scattered(reports: readonly Report[], variant: VariantFacts, { sites }: CompiledKernel, options: CompiledOptions): Report[] {
  const { lines } = options;
  const said = reports.map(({ at, message }) => ({ range: rangeOf(at, lines), isInside: message === INSIDE }));
  const found = new Map<string, Report>();
  for (const site of sites) {
    const means = site.means ?? site.rough ?? site.least;
    if (!isMoved(site) || !means || excessOf(means) <= (site.rough ? SECTORS_TOLERANCE : LEAST_EXCESS)) continue;
    const isSaidAt = site.lines.some((line) => said.some(({ range, isInside }) => isIn(range, line) && !(isInside && tellsRows(site))));
    if (isSaidAt) continue;
    const near = accessAt(site, variant, options);
    if (near && isForUnaligned(near.control)) continue;
    const at = near?.place ?? tokenAt(site, options);
    // What a library's function does with its memory is not the caller's to arrange.
    if (!at || (!near && (site.isOfHeader || (site.kind !== 'atomic' && isCall(at))))) continue;
    const told = site.most ?? means;
    const { sectors, idealSectors: ideal } = told;
    const weight = excessOf(told);
    const isShifted = sectors <= ideal + 1;
    if (!isShifted && sectors < LEAST_SECTORS) continue;
    const isPieces = !isShifted && weight <= SECTORS_TOLERANCE;
    const isPitch = isShifted && !Number.isInteger(sectors - ideal);
    const isFew = sectors < MANY_SECTORS;
    const isLittle = isPitch ? weight < LOUD_PITCH : isFew || isShifted || isPieces || weight <= LOUD;
    const isBeside = near !== undefined && isBesideTraffic(variant, near.control.loops, weight);
    // `curandState`: neighbours are side by side, each too large for one instruction, and its layout is not the caller's.
    const structure = !isShifted && near?.type.kind === 'unknown' ? near.type.name.replace(/\s*\*+$/, '') : undefined;
    const known = structure ? 'opaque' : isPieces ? 'pieces' : isPitch ? 'pitch' : isShifted ? 'inside' : undefined;
    const { message, data: pieces } = known ? { message: known } : asScattered(site, near);
    const key = `${positionAt(lines, at.item.start + at.start).line}`;
    if ((found.get(key)?.weight ?? 0) >= weight) continue;
    const shown = site.means ? sectors : site.rough ? phrase('about', { count: sectors }) : bound(site, told);
    found.set(
      key,
      asMean<Report>(
        {
          at,
          message,
          ...(message === 'pieces' && ofBlocks(shown, ideal)),
          data: {
            structure,
            ...pieces,
            sectors: shown,
            ideal,
            wide: widerBlocks(variant),
            assumed: site.withoutArguments ? phrase('withoutArguments') : assumedPlane(variant),
          },
          weight,
          // Where data lets few lanes take part, few sectors are wasted.
          severity: isLittle || isBeside || structure || site.isSparse || site.chosenBy === 'data' ? 'hint' : undefined,
        },
        { isSampled: false },
      ),
    );
  }
  const data = gathered([...reports, ...found.values()], variant, sites, options);
  const shifted = (message: string) => [...found.values()].filter((report) => report.message === message);
  const here = phrase('andHere');
  return [
    ...[...found.values()].filter(({ message }) => SAID_OF_LANES.has(message)),
    ...data,
    ...oneOf(shifted('opaque'), here),
    ...oneOf(shifted('pieces'), here),
    ...oneOf(shifted('pitch'), here),
    // What misaligned-access says of the same place, by its text.
    ...oneOf(shifted('inside'), here).map((report) => ({
      ...report,
      causes: [report.at, ...(report.causes ?? [])],
      short: phrase('sectorsInstead', { sectors: report.data!.sectors, ideal: report.data!.ideal }),
    })),
  ];
}

/** What is said of lanes that the text does not know to be equally far apart: one access could move what several do, or lanes are left out. */
function asScattered(
  { pieceOf, bytes = 4, isSparse }: CompiledSite,
  near: AccessFacts | undefined,
): Pick<Report, 'message' | 'data' | 'severity'> {
  if (pieceOf) {
    const vector = vectorType(near?.type.size === bytes ? near.type : undefined, pieceOf);
    return { message: 'together', data: { bytes: pieceOf, size: bytes, vector } };
  }
  if (isSparse) return { message: 'sparse', severity: 'hint' };
  const whole = near && bytes < (near.type.size ?? 0) ? ofWhole(near) : undefined;
  return whole ?? { message: 'scattered' };
}

/** Where the text does not follow an index, and the compiler shows that loaded values are in it: one finding for each array. */
function gathered(said: readonly Report[], variant: VariantFacts, sites: readonly CompiledSite[], options: CompiledOptions): Report[] {
  const ranges = said.map(({ at }) => rangeOf(at, options.lines));
  const found = new Map<string, Report>();
  const firsts = new Map<string, Report>();
  for (const site of sites) {
    if (!isAccess(site) || site.isOfHeader || site.means || site.least || site.rough || !site.parts) continue;
    if (ranges.some((range) => isIn(range, site.line))) continue;
    const access = accessAt(site, variant, options);
    // What the text follows is the rule's to say; what it takes for one place of all lanes it may have lost on the way.
    if (access?.object.space !== 'global' || (access.global && access.global.shape !== 'broadcast') || found.has(`${site.line}`)) continue;
    const { object, place: at } = access;
    const [array, ideal] = [object.name, site.bytes ?? 0];
    const lanes = Math.min(LANES, sectorsOf(object));
    if (lanes < ideal + LEAST_LANES) continue;
    const first = firsts.get(array);
    const report: Report = {
      at,
      message: 'gathered',
      // A request of 32 lanes.
      data: { array, lanes, ideal },
      severity: 'hint',
      causes: first ? [first.at] : [],
      short: phrase('placedHere', { array }),
      aside: 'alone',
    };
    if (!first) firsts.set(array, report);
    found.set(`${site.line}`, report);
  }
  return [...found.values()];
}

const SAID_OF_LANES: ReadonlySet<string> = new Set(['scattered', 'together', 'sparse', 'whole', 'large', 'unaligned']);

/** To or from global memory, by whatever instruction. */
function isMoved(site: CompiledSite): boolean {
  const { kind, means = site.least } = site;
  return (isAccess(site) || kind === 'atomic') && (!means || means.sectors > 0);
}

function tokenAt({ line, column }: CompiledSite, { source, lines }: CompiledOptions): Place | undefined {
  const start = lines.starts[line - 1];
  if (start === undefined) return undefined;
  const offset = start + column - 1;
  const item = source.items.find((i) => offset >= i.start && offset < i.start + i.length);
  const token = item?.tokens.find((t) => offset - item.start >= t.start && offset - item.start < t.end);
  return item && token ? { item, start: token.start, end: token.end } : undefined;
}

/** `curand_init(…)`: code of a header that comes with CUDA counts for its call. */
function isCall({ item: { tokens }, start }: Place): boolean {
  let name = tokens.findIndex((t) => t.start === start);
  while (tokens[name + 1]?.text === '::') name += 2;
  return tokens[name]?.kind === 'name' && tokens[name + 1]?.text === '(';
}

/** The access that the model has there. */
function accessAt(
  { kind, line, column }: CompiledSite,
  { accesses }: VariantFacts,
  { source, lines }: CompiledOptions,
): AccessFacts | undefined {
  const start = lines.starts[line - 1];
  if (start === undefined) return undefined;
  const isOnLine = (access: AccessFacts) => {
    if (access.kind !== kind || access.object.space === 'shared' || access.object.space === 'local' || access.kept) return false;
    return source.items.includes(access.place.item) && positionAt(lines, access.place.item.start + access.place.start).line === line - 1;
  };
  const distance = ({ place }: AccessFacts) => Math.abs(place.item.start + place.start - start - column + 1);
  return accesses.filter(isOnLine).sort((a, b) => distance(a) - distance(b))[0];
}

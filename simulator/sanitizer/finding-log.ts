/** Findings of a program, each once: what was found first, and how often it was found again. */
import type { Location } from '../ir/types.ts';
import type { Dim3 } from '../machine/launch.ts';
import { commonGap, type Gap } from './barrier-gaps.ts';

export type CheckName = 'race' | 'divergent-barrier' | 'wrong-mask' | 'uninitialised-read';

export type Repair = 'block-barrier' | 'warp-barrier' | 'full-mask' | 'atomic-add';

/** Who did something where. */
export interface Actor {
  readonly location: Location | undefined;
  readonly access: string;
  /** Mangled; undefined for the finding's, and for the host. */
  readonly kernel?: string;
  readonly block?: Dim3;
  readonly thread?: Dim3;
}

export interface RawFinding {
  readonly check: CheckName;
  /** Mangled. */
  readonly kernel: string;
  /** What is wrong, why it matters, what to do. */
  readonly message: string;
  /** The place to blame first. */
  readonly actors: readonly Actor[];
  /** What memory it is about, as "element 3 of tile". */
  readonly where?: string;
  readonly address?: number;
  /** What would mend it, where that is mechanical. */
  readonly repair?: Repair;
  /** Where a barrier is missing: races that one mends are one finding. */
  readonly gap?: Gap;
  /** Between blocks, what is missing and of which memory: races that share a place and this are one finding. */
  readonly cause?: string;
  /** What it says where threads have gone past a barrier of the block, which orders nothing for them. */
  readonly besideSkipped?: string;
  /** Of lanes of a warp: what it says where other warps race with one of them, too. */
  readonly inBlock?: string;
  /** Of what has been read where nothing was written and then copied: who has read it first. */
  readonly origin?: { readonly kernel: string; readonly location: Location | undefined };
}

export interface CountedFinding extends RawFinding {
  count: number;
}

export class FindingLog {
  readonly #findings = new Map<string, { readonly finding: CountedFinding; readonly width: number }>();

  get findings(): readonly CountedFinding[] {
    const all = byCause([...this.#findings.values()]);
    return all.filter((each) => each.check !== 'uninitialised-read' || !isOfRace(each, all));
  }

  /** `describe` is asked the first time, and when what is found is wider than before. `times`: how often it was found. The key names the check, the kernel and the lines. */
  add(key: string, describe: () => RawFinding, width = 0, times = 1): void {
    const known = this.#findings.get(key);
    if (known && known.width >= width) {
      known.finding.count += times;
      return;
    }
    this.#findings.set(key, { finding: { ...describe(), count: (known?.finding.count ?? 0) + times }, width });
  }
}

interface Found {
  readonly finding: CountedFinding;
  readonly width: number;
}

/** What one barrier mends is told once, with the widest race first and who else takes part behind it. */
function byCause(found: readonly Found[]): CountedFinding[] {
  const causes: Found[] = [];
  for (const each of found) {
    const known = causes.findIndex((other) => sharedGap(each, other) !== undefined || isOfOneCause(each, other));
    if (known < 0) causes.push(each);
    else causes[known] = joined(causes[known], each);
  }
  const skipping = new Set(causes.flatMap(({ finding: { check, kernel } }) => (check === 'divergent-barrier' ? [kernel] : [])));
  const isSkipped = ({ finding }: Found) =>
    finding.besideSkipped !== undefined && skipping.has(finding.kernel) && !causes.some((other) => isInFront(finding, other.finding));
  // Behind the barrier that is their cause, it may be.
  const barrierOf = (kernel: string) =>
    causes.findIndex(({ finding }) => finding.check === 'divergent-barrier' && finding.kernel === kernel);
  const places = new Map(causes.map((each, at) => [each, isSkipped(each) ? Math.max(at, barrierOf(each.finding.kernel) + 0.5) : at]));
  const inOrder = causes.toSorted((a, b) => places.get(a)! - places.get(b)!);
  return inOrder.map((each) => {
    const { finding } = each;
    if (isSkipped(each)) return { ...finding, message: finding.besideSkipped!, repair: undefined };
    return finding.inBlock && causes.some((other) => isWider(other, finding)) ? { ...finding, message: finding.inBlock } : finding;
  });
}

/** What is unordered in front of a barrier is so whoever goes past that. */
function isInFront({ gap, kernel }: CountedFinding, { check, kernel: own, actors: [waiting] }: CountedFinding): boolean {
  if (check !== 'divergent-barrier' || kernel !== own || gap?.kind !== 'between') return false;
  return waiting.location?.file === gap.file && gap.last < waiting.location.line;
}

/** Once that race is mended, this one is found between warps as well: __syncwarp() would not be enough. */
function isWider({ finding, width }: Found, { kernel, actors }: CountedFinding): boolean {
  if (width === 0 || finding.check !== 'race' || finding.kernel !== kernel) return false;
  const told = new Set(finding.actors.map(actorKey));
  return actors.some((actor) => told.has(actorKey(actor)));
}

function sharedGap({ finding: a }: Found, { finding: b }: Found): Gap | undefined {
  return a.gap && b.gap && a.kernel === b.kernel ? commonGap(a.gap, b.gap) : undefined;
}

function isOfOneCause({ finding: a }: Found, { finding: b }: Found): boolean {
  if (a.cause === undefined || a.cause !== b.cause || a.kernel !== b.kernel) return false;
  const told = new Set(a.actors.map(actorKey));
  return b.actors.some((actor) => told.has(actorKey(actor)));
}

function joined(known: Found, each: Found): Found {
  const [main, other] = each.width > known.width ? [each, known] : [known, each];
  const told = new Set(main.finding.actors.map(actorKey));
  const others = other.finding.actors.filter((actor) => !told.has(actorKey(actor)));
  const count = known.finding.count + each.finding.count;
  const actors = [...main.finding.actors, ...others];
  const gap = sharedGap(known, each);
  // It puts the barrier in front of what the first of the two reads.
  const repair = gap && gap.last !== main.finding.gap?.last ? undefined : main.finding.repair;
  return { width: main.width, finding: { ...main.finding, gap, repair, actors, count } };
}

function actorKey({ access, location }: Actor): string {
  return `${access}|${placeKey(location)}`;
}

/** What a race reads too early had not been written yet in the order in which it ran here. */
function isOfRace({ kernel: own, actors: [reader], origin }: CountedFinding, all: readonly CountedFinding[]): boolean {
  const { kernel, location } = origin ?? { kernel: own, location: reader.location };
  const place = placeKey(location);
  const isHere = ({ location: at }: Actor): boolean => placeKey(at) === place;
  return all.some(({ check, kernel: raced, actors }) => {
    if (check !== 'race' || raced !== kernel) return false;
    // An atomic finds a first value only where another thread writes one.
    const isWritten = actors.some(({ access }) => access.endsWith('write'));
    return actors.some((actor) => isHere(actor) && (actor.access.endsWith('read') || (isWritten && actor.access.endsWith('atomic'))));
  });
}

/** For keys: the same line of the source, whatever instructions the compiler made of it. */
export function placeKey(location: Location | undefined): string {
  let at = location;
  while (at?.line === 0 && at.inlinedAt) at = at.inlinedAt;
  const parts: string[] = [];
  for (; at; at = at.inlinedAt) parts.push(`${at.file}:${at.line}`);
  return parts.join('<');
}

/** Findings of a program, each once: what was found first, and how often it was found again. */
import type { Location } from '../ir/types.ts';
import type { Dim3 } from '../machine/launch.ts';

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
  /** Of what has been read where nothing was written and then copied: who has read it first. */
  readonly origin?: { readonly kernel: string; readonly location: Location | undefined };
}

export interface CountedFinding extends RawFinding {
  count: number;
}

export class FindingLog {
  readonly #findings = new Map<string, { readonly finding: CountedFinding; readonly width: number }>();

  get findings(): readonly CountedFinding[] {
    const all = [...this.#findings.values()].map(({ finding }) => finding);
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

/** What a race reads too early had not been written yet in the order in which it ran here. */
function isOfRace({ kernel: own, actors: [reader], origin }: CountedFinding, all: readonly CountedFinding[]): boolean {
  const { kernel, location } = origin ?? { kernel: own, location: reader.location };
  const place = placeKey(location);
  const reads = (actor: Actor): boolean => actor.access.endsWith('read') && placeKey(actor.location) === place;
  return all.some((other) => other.check === 'race' && other.kernel === kernel && other.actors.some(reads));
}

/** For keys: the same line of the source, whatever instructions the compiler made of it. */
export function placeKey(location: Location | undefined): string {
  let at = location;
  while (at?.line === 0 && at.inlinedAt) at = at.inlinedAt;
  const parts: string[] = [];
  for (; at; at = at.inlinedAt) parts.push(`${at.file}:${at.line}`);
  return parts.join('<');
}

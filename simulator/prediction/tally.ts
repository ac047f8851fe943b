/** What a prediction has seen of each instruction: how many warps execute it, and what each request costs or how often it parts lanes. */
import type { RequestCost } from '../machine/request.ts';
import { type Bounds, type LaneRow, liesLike, rowOf, widen } from './requests.ts';
import type { Value } from './values.ts';

/**
 * How lanes may part at a branch: `sure` in some execution; `data`: each lane decides by a value of its own that nobody knows; `some`: they
 * would if all lanes came; `edge`: in the one warp of many that holds an edge.
 */
export type Parting = 'sure' | 'data' | 'some' | 'edge';

const PARTINGS: readonly Parting[] = ['edge', 'some', 'data', 'sure'];

/** Of one instruction, over all warps that were looked at, each counted as often as there are others like it. */
export interface SiteTally extends Bounds {
  /** Warps, or requests of them, by weight. */
  executions: number;
  /** Of these: how many hang on what nobody knows before the program runs. */
  unknown: number;
  /** Of those that are unknown: of how many a least cost is known. */
  bounded: number;
  /** Sums of what each cost. */
  sums: Float64Array;
  /** What each cost, if it was always the same. */
  first: Float64Array | undefined;
  varies: boolean;
  /** Of some executions nobody knows which lanes take part: data decides, or an edge does. */
  chosenBy: 'data' | 'edge' | undefined;
  /** How often it is executed is not known, so that a mean of different costs would be made up. */
  unweighted: boolean;
  /** Blocks of a kind, each of which stands for many, do not agree. */
  uneven: boolean;
  /** Of a branch: the surest of all executions. Of an access: `data` where loaded data says where each lane goes. */
  parting: Parting | undefined;
  /** Of the block that is walked: executions and sums, without the block's weight. */
  readonly block: { executions: number; sums: Float64Array };
  /** Of an access: where the lanes of its first request lay, if they are as far apart in the others. */
  row: LaneRow | undefined;
  /** By kind of block: how many of them have executed it, how often the first one has, and what that cost in the mean. */
  readonly kinds: Map<string, { blocks: number; readonly first: readonly number[] }>;
}

/** `pointers`, `mask`: where the lanes of an access go. */
interface Unsure extends Partial<Readonly<Bounds>> {
  readonly parting?: Parting;
  readonly chosenBy?: 'data' | 'edge';
  readonly pointers?: Value;
  readonly mask?: number;
}

export class Tally {
  readonly #sites = new Map<number, SiteTally>();
  /** By kind: how many blocks have been walked. */
  readonly #blocks = new Map<string, number>();

  get sites(): ReadonlyMap<number, SiteTally> {
    return this.#sites;
  }

  /** `counts`: undefined where they hang on data; `least` and `most`: what they are then, if all lanes take part; `chosenBy`: they may not. */
  add(
    site: number,
    counts: RequestCost | readonly number[] | undefined,
    weight: number,
    isWeighted: boolean,
    { parting, least, most, chosenBy, pointers, mask }: Unsure = {},
  ): void {
    let tally = this.#sites.get(site);
    if (!tally) {
      tally = {
        executions: 0,
        unknown: 0,
        bounded: 0,
        sums: new Float64Array(counts?.length ?? 0),
        first: undefined,
        varies: false,
        least: undefined,
        most: undefined,
        chosenBy: undefined,
        unweighted: false,
        uneven: false,
        parting: undefined,
        block: { executions: 0, sums: new Float64Array(counts?.length ?? 0) },
        row: undefined,
        kinds: new Map(),
      };
      if (pointers && mask !== undefined) tally.row = rowOf(pointers, mask);
      this.#sites.set(site, tally);
    } else if (tally.row && pointers && mask !== undefined && !liesLike(tally.row, pointers, mask)) tally.row = undefined;
    tally.executions += weight;
    if (parting && (!tally.parting || PARTINGS.indexOf(parting) > PARTINGS.indexOf(tally.parting))) tally.parting = parting;
    if (!isWeighted) tally.unweighted = true;
    if (!counts) {
      tally.unknown += weight;
      if (!least || !most) return;
      tally.bounded += weight;
      if (chosenBy && tally.chosenBy !== 'data') tally.chosenBy = chosenBy;
      widen(tally, least, most);
      return;
    }
    if (!tally.first) {
      tally.first = Float64Array.from(counts);
      if (tally.sums.length === 0) {
        tally.sums = new Float64Array(counts.length);
        tally.block.sums = new Float64Array(counts.length);
      }
    } else if (!tally.varies) {
      for (let column = 0; column < counts.length; column++) if (counts[column] !== tally.first[column]) tally.varies = true;
    }
    widen(tally, counts, counts);
    tally.block.executions++;
    for (let column = 0; column < counts.length; column++) {
      tally.sums[column] += weight * counts[column];
      tally.block.sums[column] += counts[column];
    }
  }

  /** The block that is walked has ended. `kind`: undefined if it stands for itself. */
  endBlock(kind: string | undefined): void {
    if (kind !== undefined) this.#blocks.set(kind, (this.#blocks.get(kind) ?? 0) + 1);
    for (const tally of this.#sites.values()) {
      const { block, kinds } = tally;
      if (block.executions === 0) continue;
      if (kind !== undefined) {
        const counts = [block.executions, ...[...block.sums].map((sum) => sum / block.executions)];
        const known = kinds.get(kind) ?? { blocks: 0, first: counts };
        kinds.set(kind, known);
        known.blocks++;
        if (counts.some((count, column) => Math.abs(count - known.first[column]) > 1e-9)) tally.uneven = true;
      }
      block.executions = 0;
      block.sums.fill(0);
    }
  }

  /** All blocks have been walked. */
  end(): void {
    for (const tally of this.#sites.values()) {
      for (const [kind, { blocks }] of tally.kinds) if (blocks < this.#blocks.get(kind)!) tally.uneven = true;
    }
  }

  /** Blocks that stand for many do not agree on something that is not the same for all warps. */
  get isUneven(): boolean {
    return [...this.#sites.values()].some(({ uneven, varies, unweighted }) => uneven && varies && !unweighted);
  }
}

/** What the dearest execution costs at most, where in some of them nobody knows which lanes take part; undefined otherwise. */
export function mostOf({ chosenBy, most }: SiteTally): readonly number[] | undefined {
  return chosenBy && most ? [...most] : undefined;
}

/** What the cheapest execution costs, where a least is known of each; undefined otherwise. */
export function leastOf({ unknown, bounded, least }: SiteTally): readonly number[] | undefined {
  return unknown > bounded || !least ? undefined : [...least];
}

/** The mean of the blocks that were looked at, where others of their kind may cost something else. */
export function roughMeanOf({ unknown, first, unweighted, uneven, sums, executions }: SiteTally): readonly number[] | undefined {
  return unknown > 0 || !first || unweighted || !uneven ? undefined : [...sums].map((sum) => sum / executions);
}

/** What each execution costs, in the mean; undefined where that is not known. */
export function meanOf(tally: SiteTally): readonly number[] | undefined {
  if (tally.unknown > 0 || !tally.first) return undefined;
  if (!tally.varies) return [...tally.first];
  return tally.unweighted || tally.uneven ? undefined : [...tally.sums].map((sum) => sum / tally.executions);
}

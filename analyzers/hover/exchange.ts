/** What the lanes of a warp read from each other in a shuffle. Source: PTX ISA, "shfl.sync"; CUDA C++ Programming Guide, "Warp Shuffle Functions". */
import { arrows, box, CELL, cell, HOT, IDLE, LANES, laneNumbers, line, middle, type Segment, svg, text, USED } from './svg.ts';

export type ExchangeKind = 'up' | 'down' | 'xor' | 'idx';

export interface Exchange {
  readonly kind: ExchangeKind;
  /** Lanes that exchange among themselves: a power of two up to 32. */
  readonly width: number;
  /** Lanes that take part, lane 0 in the lowest bit. */
  readonly mask: number;
  /** Delta, source lane or lane mask of each lane, per round. */
  readonly rounds: readonly (readonly number[])[];
}

/** The lane that each lane's result comes from: its own where the other one is outside its group. */
export function sourceLanes({ kind, width }: Pick<Exchange, 'kind' | 'width'>, selectors: readonly number[]): number[] {
  return selectors.map((selector, lane) => {
    const by = selector & (LANES - 1);
    const first = lane & -width;
    const last = first + width - 1;
    switch (kind) {
      case 'up':
        return lane - by >= first ? lane - by : lane;
      case 'down':
        return lane + by <= last ? lane + by : lane;
      case 'xor':
        // Values of earlier groups are known, those of later ones are not.
        return (lane ^ by) <= last ? lane ^ by : lane;
      default:
        return first + (by & (width - 1));
    }
  });
}

export function takesPart({ mask }: Pick<Exchange, 'mask'>, lane: number): boolean {
  return ((mask >>> lane) & 1) === 1;
}

/** Lanes whose values each lane has gathered after all rounds, if in each it combines what it reads with what it has. */
export function gathered(exchange: Exchange): Set<number>[] {
  let held = Array.from({ length: LANES }, (_, lane) => new Set([lane]));
  for (const selectors of exchange.rounds) {
    const from = sourceLanes(exchange, selectors);
    const before = held;
    held = before.map((own, lane) => new Set([...own, ...before[from[lane]]]));
  }
  return held;
}

const MOST_ROUNDS = 6;

/** A row of lanes before and after each round, with an arrow to each lane that gets another one's value; the others keep theirs. */
export function exchangePicture(exchange: Exchange): string {
  const rounds = exchange.rounds.slice(0, MOST_ROUNDS);
  const rise = rounds.length > 2 ? 34 : 58;
  const parts = [...laneNumbers(12), text(4, 29, 'lanes'), ...row(18, (lane) => (takesPart(exchange, lane) ? USED : undefined))];
  rounds.forEach((selectors, round) => {
    const y = 18 + round * rise;
    const from = sourceLanes(exchange, selectors);
    const reads = (lane: number) => takesPart(exchange, lane) && from[lane] !== lane;
    const ways = (defined: boolean) =>
      from.flatMap((source, lane): Segment[] =>
        reads(lane) && takesPart(exchange, source) === defined ? [[middle(source), y + 13, middle(lane), y + rise - 1]] : [],
      );
    parts.push(...arrows(ways(true), USED), ...arrows(ways(false), HOT));
    const colour = (lane: number) =>
      !takesPart(exchange, lane) ? undefined : !reads(lane) ? IDLE : takesPart(exchange, from[lane]) ? USED : HOT;
    parts.push(text(4, y + rise + 11, label(exchange, selectors)), ...row(y + rise, colour));
  });
  const height = 18 + rounds.length * rise + 20;
  for (let lane = exchange.width; lane < LANES; lane += exchange.width) parts.push(line(cell(lane), 14, cell(lane), height - 2));
  return svg(height, parts);
}

function label({ kind }: Exchange, selectors: readonly number[]): string {
  const [first] = selectors;
  if (selectors.some((s) => s !== first)) return 'by lane';
  return { up: `up ${first}`, down: `down ${first}`, xor: `xor ${first}`, idx: `lane ${first}` }[kind];
}

/** Lanes without a colour are outlines. */
function row(y: number, colour: (lane: number) => string | undefined): string[] {
  return Array.from({ length: LANES }, (_, lane) => {
    const fill = colour(lane);
    return box(cell(lane) + 1, y, CELL - 2, fill ?? '#888', { height: 12, hollow: fill === undefined });
  });
}

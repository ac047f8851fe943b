/** What a shuffle does at its place: which lanes read from which, in words and as a picture. */
import type { ShuffleFacts } from '../model/facts.ts';
import { type Exchange, type ExchangeKind, exchangePicture, gathered, sourceLanes, takesPart } from './exchange.ts';
import { LANES } from './svg.ts';

export interface Explanation {
  readonly markdown: string;
  readonly picture?: string;
  /** True for this program as predicted, rather than for all programs by definition of the language. */
  readonly predicted?: boolean;
}

export function shuffleHover(shuffle: ShuffleFacts): Explanation | undefined {
  const kind = kindOf(shuffle.name);
  if (!kind) return undefined;
  const width = widthOf(shuffle);
  if (width === undefined || !shuffle.selectors)
    return { markdown: 'Which lane reads from which depends on values that are not known from the source.' };
  if (width < 1 || width > LANES || !Number.isInteger(Math.log2(width)))
    return { markdown: `The width ${width} is not a power of two up to 32, so the result is undefined.` };
  const mask = shuffle.mask?.constant;
  const exchange: Exchange = { kind, width, mask: mask === undefined ? -1 : mask | 0, rounds: shuffle.selectors };
  return { markdown: sentences(exchange).join(' '), picture: exchangePicture(exchange) };
}

function kindOf(name: string): ExchangeKind | undefined {
  const match = /^(?:__|tile\.)shfl(?:_(up|down|xor))?(?:_sync)?$/.exec(name);
  return match ? ((match[1] as ExchangeKind | undefined) ?? 'idx') : undefined;
}

function widthOf({ name, width, tileSize }: ShuffleFacts): number | undefined {
  if (name.startsWith('tile.')) return tileSize;
  return width ? width.constant : LANES;
}

function sentences(exchange: Exchange): string[] {
  const { kind, width, rounds } = exchange;
  const group = width === LANES ? 'the warp' : `each group of ${width} lanes`;
  const steps = rounds.map(([first]) => first);
  const uniform = rounds.every((selectors) => selectors.every((s) => s === selectors[0]));
  const by = steps.join(', then ');
  const out: string[] = [];
  if (!uniform) out.push(`In ${group}, each lane reads from the lane that it names.`);
  else if (kind === 'idx') out.push(`All lanes of ${group} read lane ${by}${width === LANES ? '' : ' of their group'}.`);
  else if (kind === 'xor') out.push(`In ${group}, lanes whose indices differ by XOR ${by} exchange values.`);
  else {
    const [where, ends] = kind === 'down' ? ['above', 'last'] : ['below', 'first'];
    const kept =
      steps.length > 1
        ? `as many of the ${ends} lanes keep their`
        : steps[0] === 1
          ? `the ${ends} keeps its`
          : `the ${ends} ${Math.min(steps[0], width)} keep their`;
    out.push(`In ${group}, each lane reads the one ${by} ${where} it; ${kept} own value (grey).`);
  }
  if (rounds.length > 1 && kind !== 'idx') out.push(reach(exchange));
  return [...out, ...outsideOfMask(exchange)];
}

/** What the iterations of a reduction or scan add up to. */
function reach(exchange: Exchange): string {
  const held = gathered(exchange);
  const rounds = `${exchange.rounds.length} iterations`;
  const { width } = exchange;
  if (held.every((lanes) => lanes.size === width))
    return `If each adds what it reads, every lane has the sum of all ${width} after ${rounds}.`;
  const complete = held.flatMap((lanes, lane) => (lanes.size === width ? [lane] : []));
  if (complete.length > 0 && complete.every((lane) => lane % width === 0))
    return `If each adds what it reads, the first lane${width === LANES ? '' : ' of each group'} has the sum of all ${width} after ${rounds}; the others have partial sums.`;
  if (held.every((lanes, lane) => lanes.size === (lane % width) + 1))
    return `If each adds what it reads, every lane has the sum of itself and all lanes before it after ${rounds}.`;
  return `If each adds what it reads, lane 0 has gathered ${held[0].size} of ${width} lanes after ${rounds}.`;
}

function outsideOfMask(exchange: Exchange): string[] {
  const outside = Array.from({ length: LANES }, (_, lane) => lane).filter((lane) => !takesPart(exchange, lane));
  if (outside.length === 0) return [];
  const undefinedReads = exchange.rounds.some((selectors) =>
    sourceLanes(exchange, selectors).some((from, lane) => takesPart(exchange, lane) && !takesPart(exchange, from)),
  );
  const absent = `${outside.length === 1 ? '1 lane is' : `${outside.length} lanes are`} not in the mask and must not call this.`;
  return undefinedReads ? [absent, 'Some lanes read from those and get undefined values (red).'] : [absent];
}

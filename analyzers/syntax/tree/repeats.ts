/**
 * Statements that read like an earlier one of the same item: with names and numbers written alike, unrolled code and the expansions of a
 * macro are the same text again and again. tree-sitter sees the first, and an empty statement for each other one; readers of the tree copy
 * the first one's nodes.
 */
import type { Layout } from './layout.ts';
import type { Pieces } from './writer.ts';

/** Shorter ones cost less to parse than to look up. */
const FEWEST_PIECES = 5;

interface Repeat {
  /** Pieces of the statement, and of the one that it reads like. */
  readonly first: number;
  readonly last: number;
  readonly like: number;
}

/**
 * The layout with all but one of statements that read alike folded into one piece each. Its marks say of a piece that others are folded
 * into the statement that begins there (-1), or that it is one, by one more than the first piece of the statement it reads like.
 */
export function foldRepeats(layout: Layout): Layout | undefined {
  const repeats = layout.isWhole ? repeatsIn(layout) : [];
  return repeats.length === 0 ? undefined : fold(layout, repeats);
}

function repeatsIn({ text, pieces, statements }: Layout): Repeat[] {
  const seen = new Map<string, number>();
  const repeats: Repeat[] = [];
  for (let k = 0; k < statements.length; k += 2) {
    const first = statements[k];
    const last = statements[k + 1];
    if (last - first + 1 < FEWEST_PIECES || !beginsWithName(text, pieces, first)) continue;
    const statement = text.slice(pieces.start[first], pieces.end[last]);
    const like = seen.get(statement);
    if (like === undefined) seen.set(statement, first);
    else if (isAlike(pieces, like, first, last)) repeats.push({ first, last, like });
  }
  return repeats;
}

/** No keyword: what begins with one may be half a statement. A plain name is written as one letter, and may have a sign before it. */
function beginsWithName(text: string, { start, end }: Pieces, piece: number): boolean {
  const length = end[piece] - start[piece];
  return text.charCodeAt(end[piece] - 1) === LETTER && (length === 1 || (length === 2 && text.charCodeAt(start[piece]) === SIGN));
}

const LETTER = 97;
const SIGN = 43;

/** Whether the tokens are as far apart, too: some are not in the text. */
function isAlike({ token, start }: Pieces, like: number, first: number, last: number): boolean {
  const tokens = token[first] - token[like];
  const places = start[first] - start[like];
  for (let k = first, l = like; k <= last; k++, l++) if (token[k] - token[l] !== tokens || start[k] - start[l] !== places) return false;
  return true;
}

function fold(layout: Layout, repeats: readonly Repeat[]): Layout {
  const { pieces, text } = layout;
  const token: number[] = [];
  const start: number[] = [];
  const end: number[] = [];
  const marks = new Int32Array(pieces.token.length);
  /** Where the statements that others read like are now. */
  const places = new Map<number, number>(repeats.map(({ like }) => [like, -1]));
  let folded = '';
  let next = 0;
  const keep = (until: number) => {
    const from = next < pieces.token.length ? pieces.start[next] : text.length;
    const to = until < pieces.token.length ? pieces.start[until] : text.length;
    const shift = folded.length - from;
    for (; next < until; next++) {
      if (places.has(next)) {
        places.set(next, token.length);
        marks[token.length] = -1;
      }
      token.push(pieces.token[next]);
      start.push(pieces.start[next] + shift);
      end.push(pieces.end[next] + shift);
    }
    folded += text.slice(from, to);
  };
  for (const { first, last, like } of repeats) {
    keep(first);
    marks[token.length] = places.get(like)! + 1;
    token.push(pieces.token[first]);
    start.push(folded.length);
    folded += ';';
    end.push(folded.length);
    next = last + 1;
  }
  keep(pieces.token.length);
  return { ...layout, text: folded, pieces: { token, start, end }, marks };
}

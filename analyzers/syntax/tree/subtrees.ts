/**
 * Reads a parsed tree straight out of tree-sitter's memory. Through a cursor every node costs several calls into WebAssembly, which
 * together take as long as parsing did; here it is a few array reads. The layout is that of `lib/src/subtree.h` for 32-bit little-endian
 * machines as of tree-sitter 0.25 to 0.27. It is not an interface, so grammar.ts compares the outcome with a cursor's when it loads, and
 * falls back to the cursor where they differ.
 */
import type { Tree } from 'web-tree-sitter';
import type { Columns } from './nodes.ts';

/** Views of tree-sitter's memory, replaced by its runtime whenever that grows. */
export interface Memory {
  readonly HEAPU8: Uint8Array;
  readonly HEAPU16: Uint16Array;
  readonly HEAPU32: Uint32Array;
}

/** Byte offsets in `SubtreeHeapData`. */
const PADDING = 4;
const SIZE = 16;
const CHILD_COUNT = 36;
const SYMBOL = 40;
const FLAGS = 44;
const PRODUCTION = 66;

/** Byte offsets in `TSLanguage`. */
const MAX_ALIASES = 36;
const FIELD_SLICES = 64;
const FIELD_ENTRIES = 68;
const PUBLIC_SYMBOLS = 76;
const ALIAS_SEQUENCES = 84;

const ERROR_SYMBOL = 65535;

/** A node whose children are being read. */
interface Frame {
  readonly data: number;
  readonly count: number;
  readonly production: number;
  /** Number of the node in the columns; -1 for a hidden one, whose children belong to the next visible one above. */
  readonly node: number;
  /** Field that children of a hidden node take over from it. */
  readonly field: number;
  child: number;
  /** The child's index without comments, by which fields and aliases are found. */
  structural: number;
  /** Where the child before ends, in bytes of UTF-16 text. */
  at: number;
}

export function readSubtrees(tree: Tree, memory: Memory, columns: Columns): void {
  const { HEAPU8, HEAPU16, HEAPU32 } = memory;
  const language = addressOf(tree.language);
  const maxAliases = HEAPU16[(language + MAX_ALIASES) >> 1];
  const aliases = HEAPU32[(language + ALIAS_SEQUENCES) >> 2];
  const slices = HEAPU32[(language + FIELD_SLICES) >> 2];
  const entries = HEAPU32[(language + FIELD_ENTRIES) >> 2];
  const publicSymbols = HEAPU32[(language + PUBLIC_SYMBOLS) >> 2];
  const publicSymbol = (symbol: number) => (symbol === ERROR_SYMBOL ? symbol : HEAPU16[(publicSymbols >> 1) + symbol]);
  const frames: Frame[] = [];

  const root = HEAPU32[addressOf(tree) >> 2];
  const rootStart = HEAPU32[(root + PADDING) >> 2];
  const rootNode = columns.add(
    publicSymbol(HEAPU16[(root + SYMBOL) >> 1]),
    0,
    rootStart >> 1,
    (rootStart + HEAPU32[(root + SIZE) >> 2]) >> 1,
  );
  push(root, rootNode, 0, rootStart);

  while (frames.length > 0) {
    const frame = frames[frames.length - 1];
    if (frame.child === frame.count) {
      frames.pop();
      if (frame.node >= 0) columns.close(frame.node);
      continue;
    }
    const slot = frame.data - 8 * (frame.count - frame.child);
    const word = HEAPU32[slot >> 2];
    const inline = (word & 1) === 1;
    const flags = inline ? word >> 1 : HEAPU16[(word + FLAGS) >> 1];
    const sizes = inline ? HEAPU32[(slot + 4) >> 2] : 0;
    const symbol = inline ? (word >> 8) & 0xff : HEAPU16[(word + SYMBOL) >> 1];
    const extra = (flags & 4) !== 0;
    let start = frame.at;
    // The first child's padding is its parent's.
    if (frame.child > 0) start += inline ? (sizes >> 16) & 0xff : HEAPU32[(word + PADDING) >> 2];
    const end = start + (inline ? sizes >>> 24 : HEAPU32[(word + SIZE) >> 2]);
    frame.at = end;
    frame.child++;
    let alias = 0;
    let field = 0;
    if (!extra) {
      if (frame.production !== 0) alias = HEAPU16[(aliases >> 1) + frame.production * maxAliases + frame.structural];
      field = fieldOf(frame.production, frame.structural) || frame.field;
      frame.structural++;
    }
    const count = inline ? 0 : HEAPU32[(word + CHILD_COUNT) >> 2];
    if (alias !== 0 || (flags & 1) !== 0) {
      const node = columns.add(publicSymbol(alias || symbol), field, start >> 1, end >> 1);
      if (node >= 0 && count > 0) push(word, node, 0, start);
    } else if (count > 0) push(word, -1, field, start);
  }

  function push(data: number, node: number, field: number, at: number): void {
    const count = HEAPU32[(data + CHILD_COUNT) >> 2];
    const production = count > 0 ? HEAPU16[(data + PRODUCTION) >> 1] : 0;
    frames.push({ data, count, production, node, field, child: 0, structural: 0, at });
  }

  function fieldOf(production: number, structural: number): number {
    const slice = (slices >> 1) + production * 2;
    const first = entries + HEAPU16[slice] * 4;
    const last = first + HEAPU16[slice + 1] * 4;
    // Entries that are inherited describe the fields of hidden children, which those know themselves.
    for (let at = first; at < last; at += 4) if (HEAPU8[at + 2] === structural && HEAPU8[at + 3] === 0) return HEAPU16[at >> 1];
    return 0;
  }
}

/** web-tree-sitter keeps an object's address in memory as its element 0. */
function addressOf(object: object): number {
  return (object as { readonly 0: number })[0];
}

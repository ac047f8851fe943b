/**
 * Trees as columns of numbers in preorder, which the converter reads many times over. Node 0 is nobody's child (a root, or nothing at
 * all), so 0 also says "no such child". Every question to a cursor is a call into WebAssembly, so it is asked only for what the order of
 * tokens does not say.
 */
import type { Tree, TreeCursor } from 'web-tree-sitter';
import { ENDS_WITH_CLOSER, HAS_FIELDS, K, LAST_FIELD, LEAVES, type Leaf } from './kinds.ts';
import type { Layout } from './layout.ts';

export interface Nodes {
  readonly kind: Uint8Array;
  readonly field: Uint8Array;
  /** Indices of a node's first and last token. */
  readonly first: Int32Array;
  readonly last: Int32Array;
  /** 1 for what tree-sitter put in where something was missing. It has the tokens before it. */
  readonly missing: Uint8Array;
  /** Index behind the node's last descendant: its next sibling, if it has one. */
  readonly after: Int32Array;
}

/** A grammar's numbers, translated to those of kinds.ts. */
export interface Numbering {
  readonly kinds: Uint8Array;
  readonly fields: Uint8Array;
  /** For nodes that say nothing (brackets, commas, comments) and are left out: how many pieces of the text they are. */
  readonly silent: Uint8Array;
  /** 1 for `)`, `]`, `}` and `;`. */
  readonly closers: Uint8Array;
}

/** Room for one tree after the other. */
export interface NodeRoom {
  nodes: Nodes;
}

export function newRoom(): NodeRoom {
  return { nodes: makeNodes(1024) };
}

interface Walk {
  readonly cursor: TreeCursor;
  readonly numbering: Numbering;
  readonly layout: Layout;
  readonly room: NodeRoom;
  /**
   * Each piece of the text is a leaf of the tree, in order, so that nothing has to be asked about places. A tree with errors has leaves
   * without pieces and pieces without leaves, and so has one whose text has more in it than the tokens.
   */
  readonly inOrder: boolean;
  /** The nodes around the current one, and where they start. */
  readonly open: number[];
  readonly starts: number[];
  count: number;
  /** In order, the last piece that the walk has passed; else the last that starts where the current node does, or before. */
  piece: number;
  /** The piece whose sign was passed. */
  signed: number;
  /** The node that the walk has passed last; -1 for a silent one, -2 for a closer. */
  passed: number;
  /** Nodes of statements that others were folded into, by their first pieces. */
  readonly repeated: Map<number, number>;
}

/** Valid until the room takes the next tree. */
export function readNodes(tree: Tree, layout: Layout, numbering: Numbering, room: NodeRoom): Nodes {
  const nodes = tree.rootNode.hasError ? undefined : readInOrder(tree, layout, numbering, room);
  if (!nodes) walk(tree, layout, numbering, room, false);
  return room.nodes;
}

/** Nothing if the tree's leaves are not the pieces of its text. */
export function readInOrder(tree: Tree, layout: Layout, numbering: Numbering, room: NodeRoom): Nodes | undefined {
  const isRead = layout.isWhole && walk(tree, layout, numbering, room, true) === layout.pieces.token.length - 1;
  return isRead ? room.nodes : undefined;
}

/** Returns the last piece that was passed. */
function walk(tree: Tree, layout: Layout, numbering: Numbering, room: NodeRoom, inOrder: boolean): number {
  const cursor = tree.walk();
  const w: Walk = {
    cursor,
    numbering,
    layout,
    room,
    inOrder,
    open: [],
    starts: [],
    count: 0,
    piece: inOrder ? -1 : 0,
    signed: -1,
    passed: -1,
    repeated: new Map(),
  };
  let entered = false;
  do {
    entered = enter(w);
    if (entered) continue;
    while (w.open.length > 0 && (isLast(w) || !cursor.gotoNextSibling())) leave(w);
  } while (w.open.length > 0);
  cursor.delete();
  return w.piece;
}

/**
 * Whether what was passed is known to be its parent's last child, which spares a question. Were a sibling left out, its pieces would be
 * missed at the end.
 */
function isLast({ inOrder, open, passed, room: { nodes } }: Walk): boolean {
  if (!inOrder || passed === -1) return false;
  const kind = nodes.kind[open[open.length - 1]];
  return passed === -2 ? ENDS_WITH_CLOSER[kind] === 1 : nodes.field[passed] !== 0 && nodes.field[passed] === LAST_FIELD[kind];
}

/** Adds the current node, if it says anything; whether its children come next. */
function enter(w: Walk): boolean {
  const { cursor, numbering, inOrder, open, starts } = w;
  const symbol = cursor.nodeTypeId;
  const silent = numbering.silent[symbol];
  if (silent !== 0) {
    if (inOrder) w.piece += silent;
    w.passed = numbering.closers[symbol] === 1 ? -2 : -1;
    return false;
  }
  const kind = numbering.kinds[symbol];
  const hasField = open.length > 0 && HAS_FIELDS[w.room.nodes.kind[open[open.length - 1]]] === 1;
  const field = hasField ? numbering.fields[cursor.currentFieldId] : 0;
  const start = inOrder ? -1 : cursor.startIndex;
  if (w.layout.marks && passRepeat(w, w.layout.marks)) return false;
  const n = inOrder ? add(w, kind, field, w.piece + 1) : add(w, kind, field, pieceAt(w, start));
  const leaf: Leaf = inOrder ? LEAVES[kind] : 'no';
  if (leaf === 'no' && cursor.gotoFirstChild()) {
    open.push(n);
    starts.push(start);
    return true;
  }
  if (inOrder) pass(w, n, leaf);
  else setEnd(w, n, start, cursor.endIndex);
  w.passed = n;
  return false;
}

/** Past a statement that is folded into an earlier one, by copying the nodes of that one; of others, those to be copied are noted. */
function passRepeat(w: Walk, marks: Int32Array): boolean {
  const piece = w.piece + 1;
  const mark = marks[piece];
  if (mark === 0) return false;
  if (mark < 0) {
    // The outermost node comes first.
    if (!w.repeated.has(piece)) w.repeated.set(piece, w.count);
    return false;
  }
  const { token } = w.layout.pieces;
  const from = w.repeated.get(mark - 1)!;
  const to = w.room.nodes.after[from];
  const n = w.count;
  while (n + to - from > w.room.nodes.kind.length) w.room.nodes = grow(w.room.nodes);
  copyNodes(w.room.nodes, from, to, n, token[piece] - token[mark - 1]);
  w.count += to - from;
  w.piece = piece;
  w.passed = n;
  return true;
}

function copyNodes({ kind, field, first, last, missing, after }: Nodes, from: number, to: number, n: number, tokens: number): void {
  kind.copyWithin(n, from, to);
  field.copyWithin(n, from, to);
  missing.copyWithin(n, from, to);
  const shift = n - from;
  for (let k = from; k < to; k++) {
    first[k + shift] = first[k] + tokens;
    last[k + shift] = last[k] + tokens;
    after[k + shift] = after[k] + shift;
  }
}

/** Past a leaf of a tree in order. */
function pass(w: Walk, n: number, leaf: Leaf): void {
  const { pieces, tokens, signed } = w.layout;
  const next = w.piece + 1;
  const token = pieces.token[next];
  // A sign that nobody wrote is no piece of its own.
  if (w.room.nodes.kind[n] === K.token && signed.has(token) && w.signed !== next) {
    w.signed = next;
    return;
  }
  w.piece = next;
  // What is one token for the grammar may be several of ours: `>>`, `>=`.
  if (leaf === 'one token' && tokens[token]?.text !== '>') return;
  const end = w.cursor.endIndex;
  while (pieces.end[w.piece + 1] <= end) w.piece++;
  w.room.nodes.last[n] = pieces.token[w.piece] ?? 0;
}

/** From a last child back to its parent, which ends with it. */
function leave(w: Walk): void {
  const { cursor, inOrder, open, starts, room, layout } = w;
  const n = open.pop()!;
  const start = starts.pop()!;
  w.passed = n;
  room.nodes.after[n] = w.count;
  cursor.gotoParent();
  if (inOrder) room.nodes.last[n] = layout.pieces.token[w.piece] ?? 0;
  else setEnd(w, n, start, cursor.endIndex);
}

function pieceAt(w: Walk, start: number): number {
  const { pieces } = w.layout;
  while (w.piece + 1 < pieces.start.length && pieces.start[w.piece + 1] <= start) w.piece++;
  while (w.piece > 0 && pieces.start[w.piece] > start) w.piece--;
  return w.piece;
}

/** Adds a node; until more is known, it ends with the token that it starts with. */
function add(w: Walk, kind: number, field: number, piece: number): number {
  const { room } = w;
  const n = w.count++;
  if (n === room.nodes.kind.length) room.nodes = grow(room.nodes);
  const { nodes } = room;
  const token = w.layout.pieces.token[piece] ?? 0;
  nodes.kind[n] = kind;
  nodes.field[n] = field;
  nodes.first[n] = token;
  nodes.last[n] = token;
  nodes.missing[n] = 0;
  nodes.after[n] = w.count;
  return n;
}

function setEnd({ layout, piece, room }: Walk, n: number, start: number, end: number): void {
  const { pieces } = layout;
  let last = piece;
  while (last + 1 < pieces.end.length && pieces.end[last + 1] <= end) last++;
  while (last > 0 && pieces.end[last] > end) last--;
  room.nodes.last[n] = pieces.token[last] ?? 0;
  room.nodes.missing[n] = start === end ? 1 : 0;
}

function makeNodes(size: number): Nodes {
  return {
    kind: new Uint8Array(size),
    field: new Uint8Array(size),
    first: new Int32Array(size),
    last: new Int32Array(size),
    missing: new Uint8Array(size),
    after: new Int32Array(size),
  };
}

function grow(old: Nodes): Nodes {
  const nodes = makeNodes(old.kind.length * 2);
  for (const key of ['kind', 'field', 'first', 'last', 'missing', 'after'] as const) nodes[key].set(old[key]);
  return nodes;
}

/** The first child with this field; 0 when there is none. */
export function childWithField(nodes: Nodes, parent: number, field: number): number {
  const last = nodes.after[parent];
  for (let n = parent + 1; n < last; n = nodes.after[n]) if (nodes.field[n] === field) return n;
  return 0;
}

/** The first child of this kind; 0 when there is none. */
export function childOfKind(nodes: Nodes, parent: number, kind: number): number {
  const last = nodes.after[parent];
  for (let n = parent + 1; n < last; n = nodes.after[n]) if (nodes.kind[n] === kind) return n;
  return 0;
}

/** The first child that is not punctuation; 0 when there is none. */
export function firstNamed(nodes: Nodes, parent: number): number {
  const last = nodes.after[parent];
  for (let n = parent + 1; n < last; n = nodes.after[n]) if (nodes.kind[n] !== K.token) return n;
  return 0;
}

export function childrenOf(nodes: Nodes, parent: number): number[] {
  const out: number[] = [];
  const last = nodes.after[parent];
  for (let n = parent + 1; n < last; n = nodes.after[n]) out.push(n);
  return out;
}

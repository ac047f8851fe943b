/**
 * Trees as columns of numbers in preorder, which the converter reads many times over. Node 0 is nobody's child (a root, or nothing at
 * all), so 0 also says "no such child". Every question to a cursor is a call into WebAssembly, so a cursor is asked only for what a
 * node's neighbours and the tokens do not say.
 */
import type { Tree, TreeCursor } from 'web-tree-sitter';
import type { Token } from '../token.ts';
import { HAS_FIELDS, K, LEAVES, type Leaf } from './kinds.ts';
import type { Layout } from './layout.ts';
import type { Pieces } from './writer.ts';

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
  /** Nodes that say nothing: brackets, commas, comments. They are left out. */
  readonly silent: Uint8Array;
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
  readonly tokens: readonly Token[];
  readonly pieces: Pieces;
  readonly room: NodeRoom;
  /** A tree with errors has nodes without tokens and tokens without nodes: nothing follows from neighbours. */
  readonly broken: boolean;
  /** The nodes around the current one, and where they start. */
  readonly open: number[];
  readonly starts: number[];
  count: number;
  /** The last piece that starts where the current node does, or before. */
  piece: number;
}

/** Valid until the room takes the next tree. */
export function readNodes(tree: Tree, { tokens, pieces }: Layout, numbering: Numbering, room: NodeRoom): Nodes {
  const cursor = tree.walk();
  const broken = tree.rootNode.hasError;
  const w: Walk = { cursor, numbering, tokens, pieces, room, broken, open: [], starts: [], count: 0, piece: 0 };
  let before = SILENT;
  do {
    before = enter(w, before === OPENED);
    if (before === OPENED) continue;
    while (w.open.length > 0 && !cursor.gotoNextSibling()) before = leave(w, before);
  } while (w.open.length > 0);
  cursor.delete();
  return room.nodes;
}

/** In place of a node's number: it was silent; its children come next. */
const SILENT = -1;
const OPENED = -2;

function enter(w: Walk, isFirst: boolean): number {
  const { cursor, numbering, broken, open, starts } = w;
  const symbol = cursor.nodeTypeId;
  if (numbering.silent[symbol] === 1) return SILENT;
  const kind = numbering.kinds[symbol];
  const hasField = open.length > 0 && HAS_FIELDS[w.room.nodes.kind[open[open.length - 1]]] === 1;
  const field = hasField ? numbering.fields[cursor.currentFieldId] : 0;
  // A first child starts where its parent does.
  const start = isFirst && !broken ? starts[starts.length - 1] : cursor.startIndex;
  const n = add(w, kind, field, start);
  const leaf: Leaf = broken ? 'no' : LEAVES[kind];
  if (leaf === 'no' && cursor.gotoFirstChild()) {
    open.push(n);
    starts.push(start);
    return OPENED;
  }
  if (leaf !== 'one token' || startsAngles(w)) setEnd(w, n, start, cursor.endIndex);
  return n;
}

/** From a last child back to its parent, which ends with it. */
function leave(w: Walk, lastChild: number): number {
  const { cursor, broken, open, starts, room } = w;
  const n = open.pop()!;
  const start = starts.pop()!;
  room.nodes.after[n] = w.count;
  const known = lastChild !== SILENT && !broken;
  cursor.gotoParent();
  if (known) room.nodes.last[n] = room.nodes.last[lastChild];
  else setEnd(w, n, start, cursor.endIndex);
  return n;
}

/** Adds a node; until more is known, it ends with the token that it starts with. */
function add(w: Walk, kind: number, field: number, start: number): number {
  const { pieces, room } = w;
  while (w.piece + 1 < pieces.start.length && pieces.start[w.piece + 1] <= start) w.piece++;
  while (w.piece > 0 && pieces.start[w.piece] > start) w.piece--;
  const n = w.count++;
  if (n === room.nodes.kind.length) room.nodes = grow(room.nodes);
  const { nodes } = room;
  const token = pieces.token[w.piece] ?? 0;
  nodes.kind[n] = kind;
  nodes.field[n] = field;
  nodes.first[n] = token;
  nodes.last[n] = token;
  nodes.missing[n] = 0;
  nodes.after[n] = w.count;
  return n;
}

function setEnd({ pieces, piece, room }: Walk, n: number, start: number, end: number): void {
  let last = piece;
  while (last + 1 < pieces.end.length && pieces.end[last + 1] <= end) last++;
  while (last > 0 && pieces.end[last] > end) last--;
  room.nodes.last[n] = pieces.token[last] ?? 0;
  room.nodes.missing[n] = start === end ? 1 : 0;
}

/** What is one token for the grammar may be several of ours: `>>`, `>=`. */
function startsAngles({ pieces, piece, tokens }: Walk): boolean {
  return tokens[pieces.token[piece]]?.text === '>';
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

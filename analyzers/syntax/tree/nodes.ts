/**
 * Tree-sitter trees as columns of numbers in preorder, which the converter reads many times over. Node 0 is nobody's child (a root, or
 * nothing at all), so 0 also says "no such child".
 */
import type { Tree } from 'web-tree-sitter';
import { K } from './kinds.ts';

export interface Nodes {
  readonly kind: Uint8Array;
  readonly field: Uint8Array;
  /** UTF-16 offsets in the parsed text. */
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** Index behind the node's last descendant: its next sibling, if it has one. */
  readonly after: Int32Array;
}

/** The grammar's numbers, translated to those of kinds.ts. */
export interface Numbering {
  readonly kinds: Uint8Array;
  readonly fields: Uint8Array;
  /** Nodes that say nothing when they have no field: brackets, commas, comments. They are left out. */
  readonly silent: Uint8Array;
}

export interface Columns {
  /** Adds a node; -1 where it says nothing, and is left out with what is inside. */
  add(symbol: number, field: number, start: number, end: number): number;
  /** All descendants of the node are added. */
  close(node: number): void;
  readonly nodes: () => Nodes;
  /** Other nodes take the place of all. */
  clear(): void;
}

export function newColumns(numbering: Numbering): Columns {
  const { kinds, fields, silent } = numbering;
  let nodes = makeNodes(1024);
  let count = 0;
  return {
    add(symbol, field, start, end) {
      if (silent[symbol] === 1 && field === 0) return -1;
      if (count === nodes.kind.length) nodes = grow(nodes);
      const n = count++;
      nodes.kind[n] = kinds[symbol];
      nodes.field[n] = fields[field];
      nodes.start[n] = start;
      nodes.end[n] = end;
      nodes.after[n] = count;
      return n;
    },
    close(n) {
      nodes.after[n] = count;
    },
    nodes: () => nodes,
    clear() {
      count = 0;
    },
  };
}

/** Through the public interface. */
export function readWithCursor(tree: Tree, columns: Columns): void {
  const open: number[] = [];
  const cursor = tree.walk();
  for (;;) {
    const n = columns.add(cursor.nodeTypeId, cursor.currentFieldId, cursor.startIndex, cursor.endIndex);
    if (n >= 0 && cursor.gotoFirstChild()) {
      open.push(n);
      continue;
    }
    while (open.length > 0 && !cursor.gotoNextSibling()) {
      cursor.gotoParent();
      columns.close(open.pop()!);
    }
    if (open.length === 0) break;
  }
  cursor.delete();
}

function makeNodes(size: number): Nodes {
  return {
    kind: new Uint8Array(size),
    field: new Uint8Array(size),
    start: new Int32Array(size),
    end: new Int32Array(size),
    after: new Int32Array(size),
  };
}

function grow(old: Nodes): Nodes {
  const nodes = makeNodes(old.kind.length * 2);
  nodes.kind.set(old.kind);
  nodes.field.set(old.field);
  nodes.start.set(old.start);
  nodes.end.set(old.end);
  nodes.after.set(old.after);
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

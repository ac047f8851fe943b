/**
 * Dominators of a directed graph (Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm"), for control flow forwards and,
 * with the edges turned round, backwards.
 */
import type { Block } from './types.ts';

/** Nodes are 0 .. size - 1; every list may be shared and is not changed. */
export interface Graph {
  readonly size: number;
  readonly root: number;
  readonly successors: readonly (readonly number[])[];
}

export interface DominatorTree {
  /** Immediate dominator of each node; of the root itself; -1 where the root does not reach the node. */
  readonly parent: Int32Array;
  /** Nodes that the root reaches, each before those it leads to (back edges aside). */
  readonly order: readonly number[];
  /** Position of a node in `order`; -1 where the root does not reach it. */
  readonly position: Int32Array;
}

export function dominatorTree({ size, root, successors }: Graph): DominatorTree {
  const order = reversePostorder(size, root, successors);
  const position = new Int32Array(size).fill(-1);
  order.forEach((node, index) => {
    position[node] = index;
  });
  const predecessors = invert(size, successors);
  const parent = new Int32Array(size).fill(-1);
  parent[root] = root;
  for (let changed = true; changed; ) {
    changed = false;
    for (const node of order) {
      if (node === root) continue;
      let dominator = -1;
      for (const p of predecessors[node]) {
        if (parent[p] >= 0) dominator = dominator < 0 ? p : meet(parent, position, p, dominator);
      }
      if (parent[node] === dominator) continue;
      parent[node] = dominator;
      changed = true;
    }
  }
  return { parent, order, position };
}

/** Dominators of a function's blocks, from its entry. */
export function blockDominators(blocks: readonly Block[]): DominatorTree {
  return dominatorTree({ size: blocks.length, root: 0, successors: blocks.map((b) => b.successors) });
}

/** True if every path from the root to `node` goes through `dominator`, which may be the node itself. */
export function dominates({ parent, position }: DominatorTree, dominator: number, node: number): boolean {
  while (position[node] > position[dominator]) node = parent[node];
  return node === dominator;
}

/** Edges turned round. */
export function invert(size: number, successors: readonly (readonly number[])[]): number[][] {
  const inverse: number[][] = Array.from({ length: size }, () => []);
  successors.forEach((targets, from) => {
    for (const to of targets) inverse[to].push(from);
  });
  return inverse;
}

function meet(parent: Int32Array, position: Int32Array, a: number, b: number): number {
  while (a !== b) {
    while (position[a] > position[b]) a = parent[a];
    while (position[b] > position[a]) b = parent[b];
  }
  return a;
}

export function reversePostorder(size: number, root: number, successors: readonly (readonly number[])[]): number[] {
  const seen = new Uint8Array(size);
  const postorder: number[] = [];
  const path: { node: number; next: number }[] = [{ node: root, next: 0 }];
  seen[root] = 1;
  for (let top = path.at(-1); top; top = path.at(-1)) {
    const target = successors[top.node][top.next++];
    if (target === undefined) {
      postorder.push(top.node);
      path.pop();
    } else if (!seen[target]) {
      seen[target] = 1;
      path.push({ node: target, next: 0 });
    }
  }
  return postorder.reverse();
}

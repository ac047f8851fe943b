/**
 * CUDA graphs: nodes of work with the nodes that must have run before them. A graph is a plan; what is launched is an executable made
 * of it, whose nodes have work of their own that can be exchanged.
 */

import type { Launch } from '../../machine/launch.ts';

/** cudaGraphNodeType. */
export const NODE = {
  kernel: 0,
  memcpy: 1,
  memset: 2,
  host: 3,
  graph: 4,
  empty: 5,
  waitEvent: 6,
  eventRecord: 7,
  memAlloc: 10,
  memFree: 11,
  conditional: 13,
} as const;
export type NodeKind = (typeof NODE)[keyof typeof NODE];

/** What a node does in the stream that launches its graph; its error, if any. */
export type NodeWork = (stream: number) => number | undefined;

/** What a node does, and how it was asked for. */
export interface NodeAction {
  readonly kind: NodeKind;
  readonly work: NodeWork;
  /** The structure that it was made from, for those who ask for it. */
  readonly parameters?: Uint8Array;
  /** Of a node that runs a graph. */
  readonly child?: Graph;
  /** Of a conditional node: graphs that it may run, and which of them by the value that is found at launch. */
  readonly bodies?: readonly Graph[];
  /** Of a kernel. */
  readonly kernel?: number;
  /** Of a kernel that was captured. */
  readonly launch?: Launch;
  /** Address of memory that the node allocates or frees, or of a condition. */
  readonly memory?: number;
  readonly event?: number;
  /** Attributes of a kernel node, by number. */
  readonly attributes?: Map<number, Uint8Array>;
}

export interface GraphNode {
  readonly handle: number;
  readonly graph: Graph;
  action: NodeAction;
  readonly dependencies: Set<GraphNode>;
}

export class Graph {
  readonly handle: number;
  /** In the order in which they were added. */
  readonly nodes: GraphNode[] = [];
  /** User objects that live as long as the graph, with how many references. */
  readonly objects = new Map<number, number>();
  /** Nodes of this graph by those of the graph that it is a copy of. */
  readonly copies = new Map<GraphNode, GraphNode>();
  /** Address and first value of what its conditional nodes ask. */
  readonly conditions: { readonly address: number; readonly initial: number | undefined }[] = [];
  readonly #newHandle: () => number;

  constructor(newHandle: () => number) {
    this.#newHandle = newHandle;
    this.handle = newHandle();
  }

  add(action: NodeAction, dependencies: Iterable<GraphNode>): GraphNode {
    const node = { handle: this.#newHandle(), graph: this, action, dependencies: new Set(dependencies) };
    this.nodes.push(node);
    return node;
  }

  remove(node: GraphNode): void {
    this.nodes.splice(this.nodes.indexOf(node), 1);
    for (const each of this.nodes) each.dependencies.delete(node);
  }

  clone(): Graph {
    const copy = new Graph(this.#newHandle);
    for (const node of this.nodes) {
      const { child } = node.action;
      const action = child ? { ...node.action, child: child.clone() } : node.action;
      copy.copies.set(node, copy.add(action, []));
    }
    for (const node of this.nodes) for (const each of node.dependencies) copy.copies.get(node)!.dependencies.add(copy.copies.get(each)!);
    copy.conditions.push(...this.conditions);
    return copy;
  }

  /** An order that all dependencies allow, otherwise that in which nodes were added; undefined if they run in a circle. */
  ordered(): GraphNode[] | undefined {
    const done = new Set<GraphNode>();
    let left = [...this.nodes];
    while (left.length > 0) {
      const before = done.size;
      left = left.filter((node) => {
        if (![...node.dependencies].every((each) => done.has(each))) return true;
        done.add(node);
        return false;
      });
      if (done.size === before) return undefined;
    }
    return [...done];
  }

  dependents(node: GraphNode): GraphNode[] {
    return this.nodes.filter((each) => each.dependencies.has(node));
  }
}

/** A node of an executable. */
export interface ExecutableNode {
  action: NodeAction;
  enabled: boolean;
  /** The graph below it, as it is executed. */
  child?: Executable;
  bodies?: readonly Executable[];
}

export class Executable {
  readonly flags: number;
  /** In the order in which they run, by the node that they were made of. */
  readonly nodes: ReadonlyMap<GraphNode, ExecutableNode>;
  readonly conditions: Graph['conditions'];

  private constructor(flags: number, nodes: ReadonlyMap<GraphNode, ExecutableNode>, conditions: Graph['conditions']) {
    this.flags = flags;
    this.nodes = nodes;
    this.conditions = conditions;
  }

  /** undefined if the graph, or one below it, runs in a circle. */
  static of(graph: Graph, flags: number): Executable | undefined {
    const order = graph.ordered();
    if (!order) return undefined;
    const nodes = new Map<GraphNode, ExecutableNode>();
    for (const node of order) {
      const { child, bodies } = node.action;
      const below = [...(child ? [child] : []), ...(bodies ?? [])].map((each) => Executable.of(each, flags));
      if (below.includes(undefined)) return undefined;
      const executables = below as Executable[];
      nodes.set(node, { action: node.action, enabled: true, ...(child ? { child: executables[0] } : bodies && { bodies: executables }) });
    }
    return new Executable(flags, nodes, [...graph.conditions]);
  }

  /** The node made of one of the graph, or of a copy of it. */
  find(node: GraphNode): ExecutableNode | undefined {
    const own = this.nodes.get(node);
    if (own) return own;
    for (const [made, executable] of this.nodes)
      if (node.graph.copies.get(made) === node || made.graph.copies.get(node) === made) return executable;
    return undefined;
  }

  /** All nodes, those of graphs below included. */
  *all(): Generator<ExecutableNode> {
    for (const node of this.nodes.values()) {
      yield node;
      if (node.child) yield* node.child.all();
      for (const body of node.bodies ?? []) yield* body.all();
    }
  }

  /** Takes over what a graph of the same shape does; else says where they differ. */
  update(graph: Graph): { readonly result: UpdateResult; readonly node?: GraphNode } {
    const order = graph.ordered();
    const own = [...this.nodes.keys()];
    if (!order || order.length !== own.length) return { result: 'topology', node: order?.[own.length] };
    const partner = new Map(own.map((node, index) => [node, order[index]]));
    for (const [node, other] of partner) {
      if (node.action.kind !== other.action.kind) return { result: 'type', node: other };
      const same =
        node.dependencies.size === other.dependencies.size &&
        [...node.dependencies].every((each) => other.dependencies.has(partner.get(each)!));
      if (!same) return { result: 'topology', node: other };
      if (node.action.memory !== other.action.memory && other.action.kind === NODE.memAlloc) return { result: 'parameters', node: other };
    }
    for (const [node, other] of partner) {
      const executable = this.nodes.get(node)!;
      executable.action = other.action;
      const { child } = other.action;
      if (!child) continue;
      const below = executable.child?.update(child);
      if (below && below.result !== 'success') return below;
    }
    return { result: 'success' };
  }
}

export type UpdateResult = 'success' | 'topology' | 'type' | 'parameters';

/** A capture under way: streams whose work becomes nodes of a graph, in the order that streams and events give it. */
import { type Graph, type GraphNode, NODE, type NodeAction, type NodeKind, type NodeWork } from './graph.ts';

/** Kinds of nodes by the call that was captured; a launch has no name. */
const KINDS: readonly (readonly [calls: RegExp, kind: NodeKind])[] = [
  [/^$/, NODE.kernel],
  [/^cudaMemcpy/, NODE.memcpy],
  [/^cudaMemset/, NODE.memset],
  [/^cuda(LaunchHostFunc|StreamAddCallback)/, NODE.host],
];

export class Capture {
  readonly graph: Graph;
  /** The stream in which it began. */
  readonly origin: number;
  readonly id: number;
  readonly mode: number;
  /** By stream: the nodes that its next one depends on. */
  readonly last = new Map<number, ReadonlySet<GraphNode>>();
  /** By event: the nodes that whoever waits for it depends on. */
  readonly recorded = new Map<number, ReadonlySet<GraphNode>>();

  constructor(graph: Graph, { origin, id, mode }: { readonly origin: number; readonly id: number; readonly mode: number }) {
    this.graph = graph;
    this.origin = origin;
    this.id = id;
    this.mode = mode;
    this.last.set(origin, new Set());
  }

  /** Makes work of a stream a node. `action`: what more is known of it. */
  add(stream: number, call: string, work: NodeWork, action?: Partial<NodeAction>): void {
    const kind = KINDS.find(([calls]) => calls.test(call))?.[1] ?? NODE.empty;
    const node = this.graph.add({ kind, work, ...action }, this.last.get(stream) ?? []);
    this.last.set(stream, new Set([node]));
  }

  record(event: number, stream: number): void {
    this.recorded.set(event, this.last.get(stream) ?? new Set());
  }

  /** False if the event was not recorded in this capture. */
  wait(stream: number, event: number): boolean {
    const nodes = this.recorded.get(event);
    if (!nodes) return false;
    this.last.set(stream, new Set([...(this.last.get(stream) ?? []), ...nodes]));
    return true;
  }

  /** Streams have joined that the first one has not waited for. */
  get isUnjoined(): boolean {
    const joined = new Set<GraphNode>();
    const visit = (node: GraphNode): void => {
      if (joined.has(node)) return;
      joined.add(node);
      for (const each of node.dependencies) visit(each);
    };
    for (const node of this.last.get(this.origin) ?? []) visit(node);
    return [...this.last.values()].some((nodes) => [...nodes].some((node) => !joined.has(node)));
  }
}

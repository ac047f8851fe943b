/** The graphs of a program by their handles, and what they share. */
import type { CudaContext } from '../cuda-context.ts';
import type { StreamTable } from '../cuda-streams.ts';
import type { Executable, Graph, GraphNode, NodeAction } from './graph.ts';
import type { GraphMemory } from './graph-memory.ts';
import { kernelParameters, type NodeParts } from './node-actions.ts';

export class GraphState {
  readonly context: CudaContext;
  readonly streams: StreamTable;
  readonly parts: NodeParts;
  readonly graphs = new Map<number, Graph>();
  readonly nodes = new Map<number, GraphNode>();
  readonly executables = new Map<number, Executable>();
  /** Destructors of user objects, and how many references hold them. */
  readonly objects = new Map<number, { readonly destroy: number; readonly pointer: number; references: number }>();

  constructor(context: CudaContext, streams: StreamTable, parts: NodeParts) {
    this.context = context;
    this.streams = streams;
    this.parts = parts;
  }

  get memory(): GraphMemory {
    return this.parts.memory;
  }

  readonly newHandle = (): number => this.streams.newHandle();

  /** Makes a graph, its nodes and those below it known by their handles. */
  add(graph: Graph): Graph {
    this.graphs.set(graph.handle, graph);
    for (const node of graph.nodes) this.nodes.set(node.handle, node);
    return graph;
  }

  addNode(graph: Graph, action: NodeAction, dependencies: Iterable<GraphNode>): GraphNode {
    const node = graph.add(action, dependencies);
    this.nodes.set(node.handle, node);
    return node;
  }

  remove(graph: Graph): void {
    this.graphs.delete(graph.handle);
    for (const node of graph.nodes) this.nodes.delete(node.handle);
    for (const [object, count] of graph.objects) this.release(object, count);
    graph.objects.clear();
  }

  /** Gives references to a user object back; it is destroyed with the last one. False if there are not so many. */
  release(handle: number, count: number): boolean {
    const object = this.objects.get(handle);
    if (!object || object.references < count) return false;
    object.references -= count;
    if (object.references === 0) {
      this.objects.delete(handle);
      this.parts.launches.callHost(object.destroy, object.pointer);
    }
    return true;
  }

  parametersOf({ action }: GraphNode): Uint8Array | undefined {
    const { parameters, kernel, launch } = action;
    if (parameters || kernel === undefined || !launch) return parameters;
    return kernelParameters(this.parts, { kernel, launch });
  }
}

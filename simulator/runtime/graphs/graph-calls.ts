/** CUDA graphs, as programs build them node by node and ask about them. */
import type { Functions } from '../cuda-context.ts';
import { CUDA } from '../cuda-errors.ts';
import { FIELDS, POINTER_BYTES, pointersAt, SIZE_BYTES } from '../structures.ts';
import { Graph, type GraphNode, NODE, type NodeAction, type NodeKind } from './graph.ts';
import type { GraphState } from './graph-state.ts';
import {
  allocAction,
  childAction,
  eventAction,
  freeAction,
  hostAction,
  kernelAction,
  memcpy1DAction,
  memcpyAction,
  memcpySymbolAction,
  memsetAction,
} from './node-actions.ts';

type Made = NodeAction | number;

export function graphBuilding(state: GraphState): Functions {
  return { ...lifetimes(state), ...additions(state), ...changes(state), ...edges(state), ...conditions(state) };
}

function lifetimes(state: GraphState): Functions {
  const { host } = state.context;
  return {
    cudaGraphCreate: (out, flags) => {
      if (out === 0 || flags !== 0) return CUDA.InvalidValue;
      host.setU64(out, state.add(new Graph(state.newHandle)).handle);
      return CUDA.Success;
    },
    cudaGraphClone: (out, handle) => {
      const graph = state.graphs.get(handle);
      // Memory belongs to one graph alone.
      if (!graph || graph.nodes.some(({ action }) => action.kind === NODE.memAlloc || action.kind === NODE.memFree))
        return CUDA.InvalidValue;
      host.setU64(out, state.add(graph.clone()).handle);
      return CUDA.Success;
    },
    cudaGraphDestroy: (handle) => {
      const graph = state.graphs.get(handle);
      if (!graph) return CUDA.InvalidValue;
      state.remove(graph);
      return CUDA.Success;
    },
    cudaGraphNodeFindInClone: (out, original, clone) => {
      const [node, graph] = [state.nodes.get(original), state.graphs.get(clone)];
      const copy = node && graph?.copies.get(node);
      if (!copy) return CUDA.InvalidValue;
      host.setU64(out, copy.handle);
      return CUDA.Success;
    },
    cudaGraphDestroyNode: (handle) => {
      const node = state.nodes.get(handle);
      if (!node) return CUDA.InvalidValue;
      if (node.action.kind === NODE.memAlloc || node.action.kind === NODE.memFree) return CUDA.NotSupported;
      node.graph.remove(node);
      state.nodes.delete(handle);
      return CUDA.Success;
    },
  };
}

function additions(state: GraphState): Functions {
  const { host } = state.context;
  const { parts } = state;
  const add = (out: number, graphHandle: number, dependencies: number, count: number, make: () => Made): number => {
    const graph = state.graphs.get(graphHandle);
    const before = graph && nodesAt(state, dependencies, count);
    if (!graph || !before || before.some((node) => node.graph !== graph)) return CUDA.InvalidValue;
    const action = make();
    if (typeof action === 'number') return action;
    host.setU64(out, state.addNode(graph, action, before).handle);
    return CUDA.Success;
  };
  const adder =
    (make: (...args: number[]) => Made) =>
    (out: number, graph: number, dependencies: number, count: number, ...args: number[]) =>
      add(out, graph, dependencies, count, () => make(...args));
  const child = (handle: number): Made => {
    const graph = state.graphs.get(handle);
    return graph ? childAction(graph) : CUDA.InvalidValue;
  };
  const event = (kind: NodeKind) => (handle: number) => eventAction(parts, kind, handle);
  return {
    cudaGraphAddKernelNode: adder((at) => kernelAction(parts, at)),
    cudaGraphAddMemcpyNode: adder((at) => memcpyAction(parts, at)),
    cudaGraphAddMemcpyNode1D: adder((...args) => memcpy1DAction(parts, args)),
    cudaGraphAddMemcpyNodeToSymbol: adder((...args) => memcpySymbolAction(parts, 'to', args)),
    cudaGraphAddMemcpyNodeFromSymbol: adder((...args) => memcpySymbolAction(parts, 'from', args)),
    cudaGraphAddMemsetNode: adder((at) => memsetAction(parts, at)),
    cudaGraphAddHostNode: adder((at) => hostAction(parts, at)),
    cudaGraphAddEmptyNode: adder(() => ({ kind: NODE.empty, work: () => CUDA.Success })),
    cudaGraphAddChildGraphNode: adder(child),
    cudaGraphAddEventRecordNode: adder(event(NODE.eventRecord)),
    cudaGraphAddEventWaitNode: adder(event(NODE.waitEvent)),
    cudaGraphAddMemAllocNode: adder((at) => allocAction(parts, at)),
    cudaGraphAddMemFreeNode: adder((address) => freeAction(parts, address)),
    // The fourth argument is data of the edges.
    cudaGraphAddNode: (out, graph, dependencies, _data, count, at) =>
      add(out, graph, dependencies, count, () => actionOf(state, host.u32(at), at + FIELDS.cudaGraphNodeParams.kernel)),
  };
}

/** From a member of cudaGraphNodeParams. */
export function actionOf(state: GraphState, kind: number, at: number): Made {
  const { host } = state.context;
  const { parts } = state;
  switch (kind) {
    case NODE.kernel:
      return kernelAction(parts, at);
    case NODE.memcpy:
      return memcpyAction(parts, at + FIELDS.cudaMemcpyNodeParams.copyParams);
    case NODE.memset:
      return memsetAction(parts, at);
    case NODE.host:
      return hostAction(parts, at);
    case NODE.graph: {
      const graph = state.graphs.get(host.u64(at));
      return graph ? childAction(graph) : CUDA.InvalidValue;
    }
    case NODE.empty:
      return { kind: NODE.empty, work: () => CUDA.Success };
    case NODE.waitEvent:
    case NODE.eventRecord:
      return eventAction(parts, kind, host.u64(at));
    case NODE.memAlloc:
      return allocAction(parts, at);
    case NODE.memFree:
      return freeAction(parts, host.u64(at));
    case NODE.conditional:
      return conditionalAction(state, at);
    default:
      return CUDA.NotSupported;
  }
}

/** cudaGraphConditionalNodeType. */
const IF = 0;
const WHILE = 1;
const SWITCH = 2;

function conditionalAction(state: GraphState, at: number): Made {
  const { host, memory } = state.context;
  const { handle, type, size, phGraph_out } = FIELDS.cudaConditionalNodeParams;
  const [address, kind, count] = [host.u64(at + handle), host.u32(at + type), host.u32(at + size)];
  if (!memory.find(address, 4) || kind > SWITCH || count < 1 || (kind === WHILE && count !== 1) || (kind === IF && count > 2)) {
    return CUDA.InvalidValue;
  }
  const bodies = Array.from({ length: count }, () => state.add(new Graph(state.newHandle)));
  const table = host.allocate(count * POINTER_BYTES);
  for (const [index, body] of bodies.entries()) host.setU64(table + index * POINTER_BYTES, body.handle);
  host.setU64(at + phGraph_out, table);
  const parameters = host.read(at, SIZE_BYTES.cudaConditionalNodeParams);
  return { kind: NODE.conditional, bodies, memory: address, work: () => kind, parameters };
}

/** Which body runs for a value of a conditional node; undefined: none. `kind`: what its work gives. */
export function chosenBody(kind: number, value: number): number | undefined {
  if (kind === IF) return value !== 0 ? 0 : 1;
  if (kind === WHILE) return value !== 0 ? 0 : undefined;
  return value;
}

export function isLoop(kind: number): boolean {
  return kind === WHILE;
}

/** The value is a word of device memory, which cudaGraphSetConditional writes. */
function conditions(state: GraphState): Functions {
  const { host, memory } = state.context;
  return {
    cudaGraphConditionalHandleCreate: (out, graphHandle, initial, flags) => {
      const graph = state.graphs.get(graphHandle);
      if (!graph || flags > 1) return CUDA.InvalidValue;
      const word = memory.allocate(4, '__condition of a graph');
      if (!word) return CUDA.MemoryAllocation;
      graph.conditions.push({ address: word.address, initial: flags === 1 ? initial : undefined });
      host.setU64(out, word.address);
      return CUDA.Success;
    },
  };
}

function changes(state: GraphState): Functions {
  const { host } = state.context;
  const { parts } = state;
  const set =
    (kind: NodeKind, make: (node: GraphNode, ...args: number[]) => Made) =>
    (handle: number, ...args: number[]) => {
      const node = state.nodes.get(handle);
      if (node?.action.kind !== kind) return CUDA.InvalidValue;
      const action = make(node, ...args);
      if (typeof action === 'number') return action;
      node.action = action;
      return CUDA.Success;
    };
  const get = (kind: NodeKind) => (handle: number, out: number) => {
    const node = state.nodes.get(handle);
    const parameters = node?.action.kind === kind ? state.parametersOf(node) : undefined;
    if (!parameters) return CUDA.InvalidValue;
    host.write(out, parameters);
    return CUDA.Success;
  };
  const getPointer = (kind: NodeKind, field: 'memory' | 'event') => (handle: number, out: number) => {
    const action = state.nodes.get(handle)?.action;
    if (action?.kind !== kind) return CUDA.InvalidValue;
    host.setU64(out, action[field] ?? 0);
    return CUDA.Success;
  };
  const keepingAttributes = (node: GraphNode, at: number) => kernelAction(parts, at, node.action.attributes);
  return {
    cudaGraphKernelNodeGetParams: get(NODE.kernel),
    cudaGraphKernelNodeSetParams: set(NODE.kernel, keepingAttributes),
    cudaGraphMemcpyNodeGetParams: get(NODE.memcpy),
    cudaGraphMemcpyNodeSetParams: set(NODE.memcpy, (_, at) => memcpyAction(parts, at)),
    cudaGraphMemcpyNodeSetParams1D: set(NODE.memcpy, (_, ...args) => memcpy1DAction(parts, args)),
    cudaGraphMemcpyNodeSetParamsToSymbol: set(NODE.memcpy, (_, ...args) => memcpySymbolAction(parts, 'to', args)),
    cudaGraphMemcpyNodeSetParamsFromSymbol: set(NODE.memcpy, (_, ...args) => memcpySymbolAction(parts, 'from', args)),
    cudaGraphMemsetNodeGetParams: get(NODE.memset),
    cudaGraphMemsetNodeSetParams: set(NODE.memset, (_, at) => memsetAction(parts, at)),
    cudaGraphHostNodeGetParams: get(NODE.host),
    cudaGraphHostNodeSetParams: set(NODE.host, (_, at) => hostAction(parts, at)),
    cudaGraphMemAllocNodeGetParams: get(NODE.memAlloc),
    cudaGraphMemFreeNodeGetParams: getPointer(NODE.memFree, 'memory'),
    cudaGraphEventRecordNodeGetEvent: getPointer(NODE.eventRecord, 'event'),
    cudaGraphEventRecordNodeSetEvent: set(NODE.eventRecord, (_, event) => eventAction(parts, NODE.eventRecord, event)),
    cudaGraphEventWaitNodeGetEvent: getPointer(NODE.waitEvent, 'event'),
    cudaGraphEventWaitNodeSetEvent: set(NODE.waitEvent, (_, event) => eventAction(parts, NODE.waitEvent, event)),
    cudaGraphChildGraphNodeGetGraph: (handle, out) => {
      const child = state.nodes.get(handle)?.action.child;
      if (!child) return CUDA.InvalidValue;
      host.setU64(out, state.add(child).handle);
      return CUDA.Success;
    },
    cudaGraphNodeSetParams: (handle, at) => {
      const node = state.nodes.get(handle);
      if (!node || node.action.kind !== host.u32(at)) return CUDA.InvalidValue;
      return set(node.action.kind, () => actionOf(state, node.action.kind, at + FIELDS.cudaGraphNodeParams.kernel))(handle);
    },
    ...kernelAttributes(state),
  };
}

function kernelAttributes(state: GraphState): Functions {
  const { host } = state.context;
  const attributesOf = (handle: number) => state.nodes.get(handle)?.action.attributes;
  return {
    cudaGraphKernelNodeGetAttribute: (handle, attribute, out) => {
      const attributes = attributesOf(handle);
      if (!attributes) return CUDA.InvalidValue;
      host.write(out, attributes.get(attribute) ?? new Uint8Array(SIZE_BYTES.cudaLaunchAttributeValue));
      return CUDA.Success;
    },
    cudaGraphKernelNodeSetAttribute: (handle, attribute, value) => {
      const attributes = attributesOf(handle);
      if (!attributes) return CUDA.InvalidValue;
      attributes.set(attribute, host.read(value, SIZE_BYTES.cudaLaunchAttributeValue));
      return CUDA.Success;
    },
    cudaGraphKernelNodeCopyAttributes: (to, from) => {
      const [target, source] = [attributesOf(to), attributesOf(from)];
      if (!target || !source) return CUDA.InvalidValue;
      for (const [attribute, value] of source) target.set(attribute, value);
      return CUDA.Success;
    },
  };
}

function nodesAt(state: GraphState, at: number, count: number): GraphNode[] | undefined {
  if (count > 0 && at === 0) return undefined;
  const nodes = pointersAt(state.context.host, at, count).map((handle) => state.nodes.get(handle));
  return nodes.includes(undefined) ? undefined : (nodes as GraphNode[]);
}

function edges(state: GraphState): Functions {
  const { host } = state.context;
  const list = (handles: readonly (readonly number[])[], outs: readonly number[], countOut: number): number => {
    const room = outs[0] === 0 ? handles.length : host.u64(countOut);
    for (const [index, row] of handles.entries()) {
      if (index >= room) break;
      for (const [column, handle] of row.entries()) if (outs[column] !== 0) host.setU64(outs[column] + index * POINTER_BYTES, handle);
    }
    // What is left of the caller's room is nothing.
    if (outs[0] !== 0) for (let index = handles.length; index < room; index++) host.setU64(outs[0] + index * POINTER_BYTES, 0);
    host.setU64(countOut, outs[0] === 0 ? handles.length : Math.min(room, handles.length));
    return CUDA.Success;
  };
  const change = (
    graphHandle: number,
    from: number,
    to: number,
    count: number,
    each: (from: GraphNode, to: GraphNode) => boolean,
  ): number => {
    const graph = state.graphs.get(graphHandle);
    const [before, after] = [nodesAt(state, from, count), nodesAt(state, to, count)];
    if (!graph || !before || !after || [...before, ...after].some((node) => node.graph !== graph)) return CUDA.InvalidValue;
    return before.every((node, index) => each(node, after[index])) ? CUDA.Success : CUDA.InvalidValue;
  };
  const ofGraph = (
    handle: number,
    nodes: (graph: Graph) => readonly (readonly GraphNode[])[],
    outs: number[],
    countOut: number,
  ): number => {
    const graph = state.graphs.get(handle);
    if (!graph || countOut === 0) return CUDA.InvalidValue;
    return list(
      nodes(graph).map((row) => row.map((node) => node.handle)),
      outs,
      countOut,
    );
  };
  const ofNode = (handle: number, nodes: (node: GraphNode) => readonly GraphNode[], out: number, countOut: number): number => {
    const node = state.nodes.get(handle);
    return node && countOut !== 0
      ? list(
          nodes(node).map((each) => [each.handle]),
          [out],
          countOut,
        )
      : CUDA.InvalidValue;
  };
  return {
    cudaGraphAddDependencies: (graph, from, to, _data, count) =>
      change(graph, from, to, count, (a, b) => a !== b && !b.dependencies.has(a) && b.dependencies.add(a) !== undefined),
    cudaGraphRemoveDependencies: (graph, from, to, _data, count) => change(graph, from, to, count, (a, b) => b.dependencies.delete(a)),
    cudaGraphGetNodes: (graph, out, countOut) => ofGraph(graph, ({ nodes }) => nodes.map((node) => [node]), [out], countOut),
    cudaGraphGetRootNodes: (graph, out, countOut) =>
      ofGraph(graph, ({ nodes }) => nodes.filter(({ dependencies }) => dependencies.size === 0).map((node) => [node]), [out], countOut),
    cudaGraphGetEdges: (graph, from, to, _data, countOut) =>
      ofGraph(graph, ({ nodes }) => nodes.flatMap((node) => [...node.dependencies].map((each) => [each, node])), [from, to], countOut),
    cudaGraphNodeGetDependencies: (node, out, _data, countOut) => ofNode(node, ({ dependencies }) => [...dependencies], out, countOut),
    cudaGraphNodeGetDependentNodes: (node, out, _data, countOut) => ofNode(node, (each) => each.graph.dependents(each), out, countOut),
    cudaGraphNodeGetType: (handle, out) => {
      const node = state.nodes.get(handle);
      if (!node) return CUDA.InvalidValue;
      host.setU32(out, node.action.kind);
      return CUDA.Success;
    },
  };
}

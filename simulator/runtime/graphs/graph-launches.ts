/** Executable graphs: made, changed and launched. All work of a launch is in the stream that it is launched in; the clock knows its order. */
import type { Operation } from '../clock/operation.ts';
import type { Functions } from '../cuda-context.ts';
import { CUDA } from '../cuda-errors.ts';
import { FIELDS } from '../structures.ts';
import {
  Executable,
  type ExecutableNode,
  type Graph,
  type GraphNode,
  NODE,
  type NodeAction,
  type NodeKind,
  type UpdateResult,
} from './graph.ts';
import { actionOf, chosenBody, isLoop } from './graph-calls.ts';
import type { GraphState } from './graph-state.ts';
import {
  childAction,
  eventAction,
  hostAction,
  kernelAction,
  memcpy1DAction,
  memcpyAction,
  memcpySymbolAction,
  memsetAction,
} from './node-actions.ts';

type Made = NodeAction | number;

export function graphLaunching(state: GraphState): Functions {
  return { ...instantiation(state), ...launching(state), ...updates(state), ...nodeChanges(state), ...switches(state) };
}

const AUTO_FREE = 1;
const FLAGS = 15;
const DEVICE_LAUNCH = 4;
const INVALID_STRUCTURE = 2;
const NOT_SUPPORTED = 3;

function instantiation(state: GraphState): Functions {
  const { host } = state.context;
  const make = (out: number, handle: number, flags: number): number => {
    const graph = state.graphs.get(handle);
    if (!graph || out === 0 || flags > FLAGS) return CUDA.InvalidValue;
    // Launches from device code are not known.
    if (flags & DEVICE_LAUNCH) return CUDA.NotSupported;
    const executable = Executable.of(graph, flags);
    if (!executable) return CUDA.InvalidValue;
    const made = state.newHandle();
    state.executables.set(made, executable);
    host.setU64(out, made);
    return CUDA.Success;
  };
  return {
    cudaGraphInstantiate: make,
    cudaGraphInstantiateWithFlags: make,
    cudaGraphInstantiateWithParams: (out, graph, at) => {
      const { flags, errNode_out, result_out } = FIELDS.cudaGraphInstantiateParams;
      const code = make(out, graph, host.u64(at + flags));
      host.setU64(at + errNode_out, 0);
      host.setU32(at + result_out, code === CUDA.Success ? 0 : code === CUDA.NotSupported ? NOT_SUPPORTED : INVALID_STRUCTURE);
      return code;
    },
    cudaGraphExecGetFlags: (handle, out) => {
      const executable = state.executables.get(handle);
      if (!executable) return CUDA.InvalidValue;
      host.setU64(out, executable.flags);
      return CUDA.Success;
    },
    cudaGraphExecDestroy: (handle) => (state.executables.delete(handle) ? CUDA.Success : CUDA.InvalidValue),
    cudaGraphUpload: (handle, stream) => (state.executables.has(handle) ? state.streams.check(stream) : CUDA.InvalidValue),
  };
}

function launching(state: GraphState): Functions {
  return {
    cudaGraphLaunch: (handle, stream) => {
      const executable = state.executables.get(handle);
      if (!executable) return CUDA.InvalidValue;
      const error = freeBefore(state, executable);
      if (error !== CUDA.Success) return error;
      return state.streams.submit(stream, () => run(state, executable, stream), 'cudaGraphLaunch', { kind: NODE.graph });
    },
  };
}

/** What a launch allocates must not be there already, unless the graph frees it by itself. */
function freeBefore({ memory }: GraphState, executable: Executable): number {
  for (const { action, enabled } of executable.all()) {
    if (!enabled || action.kind !== NODE.memAlloc || action.memory === undefined || !memory.isLive(action.memory)) continue;
    if (!(executable.flags & AUTO_FREE)) return CUDA.InvalidValue;
    memory.free(action.memory);
  }
  return CUDA.Success;
}

function run(state: GraphState, executable: Executable, stream: number): number {
  const { memory } = state.context;
  for (const { address, initial } of executable.conditions) {
    if (initial !== undefined) memory.write(address, new Uint8Array(Uint32Array.of(initial).buffer));
  }
  const { clock } = state.context;
  const ends = new Map<GraphNode, Operation | undefined>();
  const order = isChain(executable) ? undefined : state.context.tasks?.order.graph(stream);
  const code = clock.graph(() => {
    for (const [node, own] of executable.nodes) {
      let error: number = CUDA.Success;
      const dependencies = [...node.dependencies];
      const work = (): void => {
        if (own.enabled) error = runNode(state, own, stream);
      };
      const behind = dependencies.map((each) => ends.get(each));
      const end = clock.node(behind, () => {
        if (order) order.node(own, nodesOf(executable, dependencies), work);
        else work();
      });
      ends.set(node, end);
      if (error !== CUDA.Success) return error;
    }
    return CUDA.Success;
  });
  order?.end();
  return code;
}

/** Each node comes behind the one before. */
function isChain({ nodes }: Executable): boolean {
  return [...nodes.keys()].every((node, index, all) => index === 0 || node.dependencies.has(all[index - 1]));
}

function nodesOf({ nodes }: Executable, of: readonly GraphNode[]): readonly ExecutableNode[] {
  return of.flatMap((each) => nodes.get(each) ?? []);
}

function runNode(state: GraphState, { action, child, bodies }: ExecutableNode, stream: number): number {
  if (child) return run(state, child, stream);
  if (!bodies) return action.work(stream) ?? CUDA.Success;
  const kind = action.work(stream) ?? 0;
  for (;;) {
    if (state.context.isDead) return CUDA.Success;
    const value = state.context.memory.view.getUint32(action.memory!, true);
    const body = bodies[chosenBody(kind, value) ?? bodies.length];
    if (!body) return CUDA.Success;
    const error = run(state, body, stream);
    if (error !== CUDA.Success || !isLoop(kind)) return error;
  }
}

const UPDATE_RESULTS: Readonly<Record<UpdateResult, number>> = { success: 0, topology: 2, type: 3, parameters: 5 };

function updates(state: GraphState): Functions {
  const { host } = state.context;
  return {
    cudaGraphExecUpdate: (handle, graphHandle, at) => {
      const [executable, graph] = [state.executables.get(handle), state.graphs.get(graphHandle)];
      if (!executable || !graph || at === 0) return CUDA.InvalidValue;
      const { result, errorNode, errorFromNode } = FIELDS.cudaGraphExecUpdateResultInfo;
      const outcome = executable.update(graph);
      host.setU32(at + result, UPDATE_RESULTS[outcome.result]);
      host.setU64(at + errorNode, outcome.node?.handle ?? 0);
      host.setU64(at + errorFromNode, 0);
      return outcome.result === 'success' ? CUDA.Success : CUDA.GraphExecUpdateFailure;
    },
  };
}

function nodeChanges(state: GraphState): Functions {
  const { host } = state.context;
  const { parts } = state;
  const found = (handle: number, nodeHandle: number): ExecutableNode | undefined => {
    const node = state.nodes.get(nodeHandle);
    return node && state.executables.get(handle)?.find(node);
  };
  const set =
    (kind: NodeKind, make: (node: ExecutableNode, ...args: number[]) => Made) =>
    (handle: number, nodeHandle: number, ...args: number[]) => {
      const node = found(handle, nodeHandle);
      if (node?.action.kind !== kind) return CUDA.InvalidValue;
      const action = make(node, ...args);
      if (typeof action === 'number') return action;
      node.action = action;
      return CUDA.Success;
    };
  const child = (node: ExecutableNode, graphHandle: number): Made => {
    const graph: Graph | undefined = state.graphs.get(graphHandle);
    if (!graph) return CUDA.InvalidValue;
    const outcome = node.child?.update(graph);
    return outcome?.result === 'success' ? { ...childAction(graph), child: graph } : CUDA.GraphExecUpdateFailure;
  };
  return {
    cudaGraphExecKernelNodeSetParams: set(NODE.kernel, ({ action }, at) => kernelAction(parts, at, action.attributes)),
    cudaGraphExecMemcpyNodeSetParams: set(NODE.memcpy, (_, at) => memcpyAction(parts, at)),
    cudaGraphExecMemcpyNodeSetParams1D: set(NODE.memcpy, (_, ...args) => memcpy1DAction(parts, args)),
    cudaGraphExecMemcpyNodeSetParamsToSymbol: set(NODE.memcpy, (_, ...args) => memcpySymbolAction(parts, 'to', args)),
    cudaGraphExecMemcpyNodeSetParamsFromSymbol: set(NODE.memcpy, (_, ...args) => memcpySymbolAction(parts, 'from', args)),
    cudaGraphExecMemsetNodeSetParams: set(NODE.memset, (_, at) => memsetAction(parts, at)),
    cudaGraphExecHostNodeSetParams: set(NODE.host, (_, at) => hostAction(parts, at)),
    cudaGraphExecEventRecordNodeSetEvent: set(NODE.eventRecord, (_, event) => eventAction(parts, NODE.eventRecord, event)),
    cudaGraphExecEventWaitNodeSetEvent: set(NODE.waitEvent, (_, event) => eventAction(parts, NODE.waitEvent, event)),
    cudaGraphExecChildGraphNodeSetParams: set(NODE.graph, child),
    cudaGraphExecNodeSetParams: (handle, nodeHandle, at) => {
      const node = found(handle, nodeHandle);
      if (!node || node.action.kind !== host.u32(at)) return CUDA.InvalidValue;
      const { kind } = node.action;
      return set(kind, () => actionOf(state, kind, at + FIELDS.cudaGraphNodeParams.kernel))(handle, nodeHandle);
    },
  };
}

/** Kernels, copies and fills can be left out of launches. */
function switches(state: GraphState): Functions {
  const { host } = state.context;
  const found = (handle: number, nodeHandle: number): ExecutableNode | undefined => {
    const node = state.nodes.get(nodeHandle);
    const executable = node && state.executables.get(handle)?.find(node);
    return executable && executable.action.kind <= NODE.memset ? executable : undefined;
  };
  return {
    cudaGraphNodeSetEnabled: (handle, nodeHandle, enabled) => {
      const node = found(handle, nodeHandle);
      if (!node) return CUDA.InvalidValue;
      node.enabled = enabled !== 0;
      return CUDA.Success;
    },
    cudaGraphNodeGetEnabled: (handle, nodeHandle, out) => {
      const node = found(handle, nodeHandle);
      if (!node) return CUDA.InvalidValue;
      host.setU32(out, node.enabled ? 1 : 0);
      return CUDA.Success;
    },
  };
}

/** Captures of streams, memory that captured calls allocate, user objects and attributes of graph memory. */
import type { Functions } from '../cuda-context.ts';
import { CUDA } from '../cuda-errors.ts';
import { POINTER_BYTES, pointersAt } from '../structures.ts';
import { Capture } from './capture.ts';
import { Graph, type GraphNode, NODE } from './graph.ts';
import type { GraphState } from './graph-state.ts';

/** cudaStreamCaptureStatus. */
const NONE = 0;
const ACTIVE = 1;
/** cudaStreamCaptureMode. */
const MODES = 3;

export function graphCapturing(state: GraphState): Functions {
  return { ...captures(state), ...information(state), ...userObjects(state), ...graphMemory(state) };
}

let captureIds = 0;

function captures(state: GraphState): Functions {
  const { streams } = state;
  const { host } = state.context;
  const begin = (handle: number, mode: number, graph: Graph, first: ReadonlySet<GraphNode>): number => {
    const stream = streams.get(handle);
    if (!stream) return CUDA.InvalidResourceHandle;
    if (mode >= MODES) return CUDA.InvalidValue;
    // The default stream orders itself with all others, which a capture cannot express.
    if (streams.named(handle) === 0 || stream.capture) return stream.capture ? CUDA.IllegalState : CUDA.StreamCaptureUnsupported;
    const capture = new Capture(graph, { origin: handle, id: ++captureIds, mode });
    capture.last.set(handle, first);
    stream.capture = capture;
    return CUDA.Success;
  };
  const exchanged = { mode: 0 };
  return {
    cudaStreamBeginCapture: (handle, mode) => begin(handle, mode, new Graph(state.newHandle), new Set()),
    cudaStreamBeginCaptureToGraph: (handle, graphHandle, dependencies, _data, count, mode) => {
      const graph = state.graphs.get(graphHandle);
      const nodes = pointersAt(host, dependencies, count).map((each) => state.nodes.get(each));
      if (!graph || nodes.some((node) => node?.graph !== graph)) return CUDA.InvalidValue;
      return begin(handle, mode, graph, new Set(nodes as GraphNode[]));
    },
    cudaStreamEndCapture: (handle, out) => {
      const capture = streams.get(handle)?.capture;
      if (!capture) return CUDA.IllegalState;
      if (capture.origin !== handle) return CUDA.StreamCaptureUnmatched;
      streams.endCapture(capture);
      if (capture.isUnjoined) {
        host.setU64(out, 0);
        return CUDA.StreamCaptureUnjoined;
      }
      // Who captures into a graph of his own need not be told which it is.
      const isOwn = state.graphs.has(capture.graph.handle);
      const graph = state.add(capture.graph);
      if (out !== 0 || !isOwn) host.setU64(out, graph.handle);
      return CUDA.Success;
    },
    cudaStreamIsCapturing: (handle, out) => {
      const stream = streams.get(handle);
      if (!stream) return CUDA.InvalidResourceHandle;
      host.setU32(out, stream.capture ? ACTIVE : NONE);
      return CUDA.Success;
    },
    cudaThreadExchangeStreamCaptureMode: (at) => {
      const mode = host.u32(at);
      if (mode >= MODES) return CUDA.InvalidValue;
      host.setU32(at, exchanged.mode);
      exchanged.mode = mode;
      return CUDA.Success;
    },
  };
}

function information(state: GraphState): Functions {
  const { streams } = state;
  const { host } = state.context;
  return {
    cudaStreamGetCaptureInfo: (handle, statusOut, idOut, graphOut, dependenciesOut, dataOut, countOut) => {
      const stream = streams.get(handle);
      if (!stream) return CUDA.InvalidResourceHandle;
      const { capture } = stream;
      host.setU32(statusOut, capture ? ACTIVE : NONE);
      if (!capture) return CUDA.Success;
      state.add(capture.graph);
      const last = [...(capture.last.get(handle) ?? [])];
      if (idOut !== 0) host.setU64(idOut, capture.id);
      if (graphOut !== 0) host.setU64(graphOut, capture.graph.handle);
      if (dataOut !== 0) host.setU64(dataOut, 0);
      if (countOut !== 0) host.setU64(countOut, last.length);
      if (dependenciesOut !== 0) {
        const table = host.allocate(Math.max(1, last.length) * POINTER_BYTES);
        for (const [index, node] of last.entries()) host.setU64(table + index * POINTER_BYTES, node.handle);
        host.setU64(dependenciesOut, table);
      }
      return CUDA.Success;
    },
    cudaStreamUpdateCaptureDependencies: (handle, dependencies, _data, count, flags) => {
      const capture = streams.get(handle)?.capture;
      if (!capture) return CUDA.IllegalState;
      const nodes = pointersAt(host, dependencies, count).map((each) => state.nodes.get(each));
      if (flags > 1 || nodes.some((node) => node?.graph !== capture.graph)) return CUDA.InvalidValue;
      const kept = flags === 0 ? (capture.last.get(handle) ?? []) : [];
      capture.last.set(handle, new Set([...kept, ...(nodes as GraphNode[])]));
      return CUDA.Success;
    },
  };
}

function userObjects(state: GraphState): Functions {
  const { host } = state.context;
  const { objects } = state;
  const retain = (handle: number, count: number): number => {
    const object = objects.get(handle);
    if (!object || count === 0) return CUDA.InvalidValue;
    object.references += count;
    return CUDA.Success;
  };
  const release = (handle: number, count: number) => (count > 0 && state.release(handle, count) ? CUDA.Success : CUDA.InvalidValue);
  return {
    cudaUserObjectCreate: (out, pointer, destroy, references, flags) => {
      if (out === 0 || destroy === 0 || references === 0 || flags !== 1) return CUDA.InvalidValue;
      const handle = state.newHandle();
      objects.set(handle, { destroy, pointer, references });
      host.setU64(out, handle);
      return CUDA.Success;
    },
    cudaUserObjectRetain: retain,
    cudaUserObjectRelease: release,
    cudaGraphRetainUserObject: (graphHandle, handle, count, flags) => {
      const graph = state.graphs.get(graphHandle);
      if (!graph || flags > 1 || !objects.has(handle)) return CUDA.InvalidValue;
      const moved = flags === 1;
      if (!moved && retain(handle, count) !== CUDA.Success) return CUDA.InvalidValue;
      graph.objects.set(handle, (graph.objects.get(handle) ?? 0) + count);
      return CUDA.Success;
    },
    cudaGraphReleaseUserObject: (graphHandle, handle, count) => {
      const graph = state.graphs.get(graphHandle);
      const held = graph?.objects.get(handle) ?? 0;
      if (!graph || held < count) return CUDA.InvalidValue;
      graph.objects.set(handle, held - count);
      return release(handle, count);
    },
  };
}

function graphMemory(state: GraphState): Functions {
  const { host } = state.context;
  const { memory } = state;
  const only = (ordinal: number) => (ordinal === 0 ? CUDA.Success : CUDA.InvalidDevice);
  return {
    cudaDeviceGetGraphMemAttribute: (ordinal, attribute, out) => {
      const value = memory.attribute(attribute);
      if (value === undefined) return CUDA.InvalidValue;
      if (only(ordinal) === CUDA.Success) host.setU64(out, value);
      return only(ordinal);
    },
    cudaDeviceSetGraphMemAttribute: (ordinal, attribute, at) => {
      if (ordinal !== 0) return CUDA.InvalidDevice;
      return host.u64(at) === 0 && memory.reset(attribute) ? CUDA.Success : CUDA.InvalidValue;
    },
    cudaDeviceGraphMemTrim: (ordinal) => {
      memory.trim();
      return only(ordinal);
    },
  };
}

/** Allocations and frees that are captured become nodes; the address is known at once. */
export function capturedAllocations(state: GraphState, plain: Functions): Functions {
  const { streams, memory } = state;
  const { host } = state.context;
  const allocate =
    (call: string, streamAt: number) =>
    (...args: number[]) => {
      const stream = args[streamAt];
      const capture = streams.get(stream)?.capture;
      if (!capture) return plain[call](...args);
      const [out, sizeBytes] = args;
      if (out === 0 || sizeBytes <= 0) return CUDA.InvalidValue;
      const address = memory.reserve(sizeBytes);
      host.setU64(out, address ?? 0);
      if (address === undefined) return state.context.refuse(call, sizeBytes);
      capture.add(stream, call, () => memory.allocate(address), { kind: NODE.memAlloc, memory: address });
      return CUDA.Success;
    };
  const free = (address: number) => (memory.has(address) ? memory.free(address) : undefined);
  return {
    cudaMallocAsync: allocate('cudaMallocAsync', 2),
    cudaMallocFromPoolAsync: allocate('cudaMallocFromPoolAsync', 3),
    cudaFreeAsync: (address, stream) => {
      const capture = streams.get(stream)?.capture;
      if (!capture) return free(address) ?? plain.cudaFreeAsync(address, stream);
      if (!memory.has(address)) return CUDA.InvalidValue;
      capture.add(stream, 'cudaFreeAsync', () => memory.free(address), { kind: NODE.memFree, memory: address });
      return CUDA.Success;
    },
    cudaFree: (address) => free(address) ?? plain.cudaFree(address),
  };
}

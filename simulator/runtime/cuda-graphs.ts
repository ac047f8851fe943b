/** Graphs made by capturing streams: a list of work in an order that its dependencies allow. Graphs built node by node are not known. */
import type { Functions } from './cuda-context.ts';
import { CUDA } from './cuda-errors.ts';
import type { StreamParts, Work } from './cuda-streams.ts';

/** cudaStreamCaptureStatus. */
const CAPTURE_NONE = 0;
const CAPTURE_ACTIVE = 1;

export function graphCalls({ context: { host }, streams }: StreamParts): Functions {
  const graphs = new Map<number, readonly Work[]>();
  const made = (out: number, work: readonly Work[]) => {
    const handle = streams.newHandle();
    graphs.set(handle, work);
    host.setU64(out, handle);
    return CUDA.Success;
  };
  const instantiate = (out: number, graph: number) => {
    const work = graphs.get(graph);
    return work ? made(out, work) : CUDA.InvalidValue;
  };
  const destroy = (handle: number) => (graphs.delete(handle) ? CUDA.Success : CUDA.InvalidValue);
  return {
    cudaStreamBeginCapture: (handle) => {
      const stream = streams.get(handle);
      if (!stream) return CUDA.InvalidResourceHandle;
      // The default stream orders itself with all others, which a capture cannot express.
      if (handle === 0 || stream.capture) return stream.capture ? CUDA.IllegalState : CUDA.StreamCaptureUnsupported;
      stream.capture = [];
      return CUDA.Success;
    },
    cudaStreamEndCapture: (handle, out) => {
      const work = streams.get(handle)?.capture;
      if (!work) return CUDA.IllegalState;
      streams.endCapture(work);
      return made(out, work);
    },
    cudaStreamIsCapturing: (handle, out) => {
      const stream = streams.get(handle);
      if (!stream) return CUDA.InvalidResourceHandle;
      host.setU32(out, stream.capture ? CAPTURE_ACTIVE : CAPTURE_NONE);
      return CUDA.Success;
    },
    cudaGraphInstantiate: instantiate,
    cudaGraphInstantiateWithFlags: instantiate,
    cudaGraphUpload: (graph) => (graphs.has(graph) ? CUDA.Success : CUDA.InvalidValue),
    cudaGraphLaunch: (graph, stream) => {
      const work = graphs.get(graph);
      if (!work) return CUDA.InvalidValue;
      return streams.submit(stream, () => {
        for (const each of work) {
          const error = each() ?? CUDA.Success;
          if (error !== CUDA.Success) return error;
        }
        return CUDA.Success;
      });
    },
    cudaGraphGetNodes: (graph, _nodes, countOut) => {
      const work = graphs.get(graph);
      if (!work) return CUDA.InvalidValue;
      host.setU64(countOut, work.length);
      return CUDA.Success;
    },
    cudaGraphDestroy: destroy,
    cudaGraphExecDestroy: destroy,
  };
}

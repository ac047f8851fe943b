/** CUDA graphs: captured from streams or built node by node, with memory and conditions of their own. See graphs/. */
import { apiCalls, type CudaContext, type Functions } from './cuda-context.ts';
import type { StreamTable } from './cuda-streams.ts';
import { graphBuilding } from './graphs/graph-calls.ts';
import { capturedAllocations, graphCapturing } from './graphs/graph-captures.ts';
import { graphLaunching } from './graphs/graph-launches.ts';
import { GraphMemory } from './graphs/graph-memory.ts';
import { GraphState } from './graphs/graph-state.ts';
import type { NodeParts } from './graphs/node-actions.ts';

export function graphFunctions(context: CudaContext, streams: StreamTable, parts: Omit<NodeParts, 'memory'>): Functions {
  const state = new GraphState(context, streams, { ...parts, memory: new GraphMemory(context) });
  const { functions } = parts;
  return {
    ...apiCalls(context, { ...graphBuilding(state), ...graphLaunching(state), ...graphCapturing(state) }),
    ...capturedAllocations(state, functions),
  };
}

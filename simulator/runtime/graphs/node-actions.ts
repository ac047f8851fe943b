/** What nodes do, from the structures that programs describe them with. An error where one makes no sense. */
import type { Launch } from '../../machine/launch.ts';
import { copyOf3D } from '../cuda-array-copies.ts';
import type { ArrayTable } from '../cuda-arrays.ts';
import type { Functions } from '../cuda-context.ts';
import { CUDA } from '../cuda-errors.ts';
import { configurationOf, type Kernels, type LaunchParts, preparedLaunch } from '../cuda-launch.ts';
import { copy, fillElements, type SymbolCopies } from '../cuda-memory.ts';
import { dim3At, FIELDS, POINTER_BYTES, SIZE_BYTES } from '../structures.ts';
import { type Graph, NODE, type NodeAction, type NodeKind } from './graph.ts';
import type { GraphMemory } from './graph-memory.ts';

export interface NodeParts {
  readonly launches: LaunchParts;
  readonly kernels: Kernels;
  readonly arrays: ArrayTable;
  readonly symbols: SymbolCopies;
  readonly memory: GraphMemory;
  /** The runtime's own functions, for what they do in a stream. */
  readonly functions: Functions;
}

type Made = NodeAction | number;

/** Reads a kernel's structure; `kernelParams` is kept as a copy, so that it can be asked for when the caller's is gone. */
export function kernelAction({ launches, kernels }: NodeParts, at: number, attributes = new Map<number, Uint8Array>()): Made {
  const { host } = launches.context;
  const { func, gridDim, blockDim, sharedMemBytes, kernelParams } = FIELDS.cudaKernelNodeParams;
  const stub = host.u64(at + func);
  const kernel = kernels.get(stub);
  if (!kernel) return CUDA.InvalidDeviceFunction;
  const configuration = configurationOf(dim3At(host, at + gridDim), dim3At(host, at + blockDim), host.u32(at + sharedMemBytes), 0);
  const args = host.u64(at + kernelParams);
  const prepared = preparedLaunch(launches, kernel, configuration, { args, cooperative: isCooperative(attributes), attributes });
  if (typeof prepared === 'number') return prepared;
  const parameters = host.read(at, SIZE_BYTES.cudaKernelNodeParams);
  setPointer(parameters, kernelParams, keepArguments(launches, prepared.launch.args));
  return { kind: NODE.kernel, kernel: stub, work: prepared.run, parameters, attributes };
}

const COOPERATIVE = 2;

function isCooperative(attributes: ReadonlyMap<number, Uint8Array>): boolean {
  return (attributes.get(COOPERATIVE)?.[0] ?? 0) !== 0;
}

/** The arguments of a launch in the host program's memory, as `kernelParams` wants them. */
function keepArguments({ context: { host } }: LaunchParts, args: readonly Uint8Array[]): number {
  if (args.length === 0) return 0;
  const sizes = args.map(({ length }) => Math.ceil(length / 16) * 16);
  const table = host.allocate(Math.ceil((args.length * POINTER_BYTES) / 16) * 16 + sizes.reduce((sum, size) => sum + size, 0));
  if (table === 0) return 0;
  let next = table + Math.ceil((args.length * POINTER_BYTES) / 16) * 16;
  for (const [index, bytes] of args.entries()) {
    host.setU64(table + index * POINTER_BYTES, next);
    host.write(next, bytes);
    next += sizes[index];
  }
  return table;
}

function setPointer(bytes: Uint8Array, at: number, value: number): void {
  new DataView(bytes.buffer, bytes.byteOffset).setBigUint64(at, BigInt(value), true);
}

/** A structure of a kernel that was captured: made when it is asked for. */
export function kernelParameters(
  { launches }: NodeParts,
  { kernel, launch }: { readonly kernel: number; readonly launch: Launch },
): Uint8Array {
  const bytes = new Uint8Array(SIZE_BYTES.cudaKernelNodeParams);
  const view = new DataView(bytes.buffer);
  const { func, gridDim, blockDim, sharedMemBytes, kernelParams } = FIELDS.cudaKernelNodeParams;
  setPointer(bytes, func, kernel);
  for (const [axis, size] of launch.grid.entries()) view.setUint32(gridDim + 4 * axis, size, true);
  for (const [axis, size] of launch.block.entries()) view.setUint32(blockDim + 4 * axis, size, true);
  view.setUint32(sharedMemBytes, launch.dynamicSharedBytes, true);
  setPointer(bytes, kernelParams, keepArguments(launches, launch.args));
  return bytes;
}

export function memcpyAction({ launches: { context }, arrays }: NodeParts, at: number): Made {
  const work = copyOf3D(context, arrays, at);
  return typeof work === 'number' ? work : { kind: NODE.memcpy, work, parameters: context.host.read(at, SIZE_BYTES.cudaMemcpy3DParms) };
}

export function memcpy1DAction({ launches: { context } }: NodeParts, [to, from, sizeBytes, kind]: readonly number[]): Made {
  if (sizeBytes < 0 || kind > 4) return CUDA.InvalidValue;
  return { kind: NODE.memcpy, work: () => copy(context, to, from, sizeBytes, kind) };
}

export function memcpySymbolAction({ symbols }: NodeParts, direction: 'to' | 'from', args: readonly number[]): Made {
  return { kind: NODE.memcpy, work: () => symbols[direction](...(args as [number, number, number, number, number])) };
}

export function memsetAction({ launches: { context } }: NodeParts, at: number): Made {
  const { host } = context;
  const { dst, pitch, value, elementSize, width, height } = FIELDS.cudaMemsetParams;
  const elementBytes = host.u32(at + elementSize);
  if (![1, 2, 4].includes(elementBytes)) return CUDA.InvalidValue;
  const rows = { address: host.u64(at + dst), pitchBytes: host.u64(at + pitch), rowsPerSlice: host.u64(at + height) };
  const volume = { widthBytes: host.u64(at + width) * elementBytes, height: rows.rowsPerSlice, depth: 1 };
  const element = host.u32(at + value);
  const work = () => fillElements(context, rows, { value: element, bytes: elementBytes }, volume);
  return { kind: NODE.memset, work, parameters: host.read(at, SIZE_BYTES.cudaMemsetParams) };
}

export function hostAction({ launches }: NodeParts, at: number): Made {
  const { context, callHost } = launches;
  const { fn, userData } = FIELDS.cudaHostNodeParams;
  const [pointer, data] = [context.host.u64(at + fn), context.host.u64(at + userData)];
  const call = () => callHost(pointer, data);
  const work = () => {
    context.clock.hostFunction(() => (context.tasks ? context.tasks.callback(call) : call()));
    return CUDA.Success;
  };
  return { kind: NODE.host, work, parameters: context.host.read(at, SIZE_BYTES.cudaHostNodeParams) };
}

export function eventAction({ functions }: NodeParts, kind: NodeKind, event: number): NodeAction {
  const call =
    kind === NODE.eventRecord
      ? functions.cudaEventRecord
      : (handle: number, stream: number) => functions.cudaStreamWaitEvent(stream, handle, 0);
  return { kind, event, work: (stream) => call(event, stream) };
}

export function childAction(graph: Graph): NodeAction {
  return { kind: NODE.graph, child: graph.clone(), work: () => CUDA.Success };
}

/** Writes the address to the structure's `dptr`. */
export function allocAction({ launches: { context }, memory }: NodeParts, at: number): Made {
  const { bytesize, dptr } = FIELDS.cudaMemAllocNodeParams;
  const sizeBytes = context.host.u64(at + bytesize);
  if (sizeBytes <= 0) return CUDA.InvalidValue;
  const address = memory.reserve(sizeBytes);
  context.host.setU64(at + dptr, address ?? 0);
  if (address === undefined) return context.refuse('cudaGraphAddMemAllocNode', sizeBytes);
  const parameters = context.host.read(at, SIZE_BYTES.cudaMemAllocNodeParams);
  return { kind: NODE.memAlloc, memory: address, work: () => memory.allocate(address), parameters };
}

export function freeAction({ memory }: NodeParts, address: number): Made {
  if (!memory.has(address)) return CUDA.InvalidValue;
  return { kind: NODE.memFree, memory: address, work: () => memory.free(address) };
}

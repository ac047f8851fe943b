/** Functions that a device program calls from the runtime: printf, the heap, assertions, launches of further grids. */
import { LOCAL_BASE } from '../ir/address-map.ts';
import type { RuntimeCall } from '../ir/intrinsics/description.ts';
import { alignOf, alignUp, sizeOf } from '../ir/layout.ts';
import type { Location } from '../ir/types.ts';
import { forLanes } from '../machine/lanes.ts';
import type { ChildLaunch, Dim3 } from '../machine/launch.ts';
import {
  argumentsOf,
  formatPrintf,
  MOST_PRINTF_BYTES,
  type PrintfFormat,
  type PrintfMemory,
  PrintfTooLong,
  parsePrintf,
  readString,
} from '../machine/printf.ts';
import { sameBytes } from '../machine/same-bytes.ts';
import { howToRaise } from '../options/limits.ts';
import { FaultSignal, type Path } from './warp.ts';

/** Executes a function for one lane. Its operands as unsigned numbers; what it returns is the result's word. */
type RuntimeFunction = (path: Path, lane: number, args: readonly number[], location: Location | undefined) => number;

export const DEVICE_RUNTIME: Readonly<Record<RuntimeCall, RuntimeFunction>> = {
  vprintf: print,
  malloc: (path, _, [bytes]) => allocate(path, bytes, 'device malloc'),
  free: (path, lane, [address], location) => release(path, lane, address, location),
  __assertfail: failAssertion,
  __lanewise_no_function: failCall,
  // Clang takes no buffer for a launch that fails, also where the kernel has no parameters.
  cudaGetParameterBuffer: (path, _, [, bytes]) => allocate(path, Math.max(1, bytes), 'parameters of a device launch'),
  cudaLaunchDevice: launchChild,
  cudaGetLastError: () => 0,
  cudaPeekAtLastError: () => 0,
  __lanewise_device_stream: createStream,
};

function memoryOf(path: Path, lane: number): PrintfMemory {
  return { read: (address, bytes) => path.warp.block.bytesAt(path, lane, address, bytes) };
}

/** Arguments: format, arguments. */
function print(path: Path, lane: number, [format, args]: readonly number[], location: Location | undefined): number {
  if (format === 0) return -1;
  const memory = memoryOf(path, lane);
  try {
    const parts = formatAt(path, format, memory);
    path.warp.block.grid.output.add(formatPrintf(parts, args, memory));
    return argumentsOf(parts);
  } catch (error) {
    if (!(error instanceof PrintfTooLong)) throw error;
    const message = `printf of more than ${MOST_PRINTF_BYTES >> 20} MiB in one call: a width or a precision is far too large, or a string has no end`;
    throw new FaultSignal(path, { kind: 'trap', message, lane, location });
  }
}

/** A format in global memory is taken apart once in a launch, unless it changes. */
function formatAt({ warp }: Path, address: number, memory: PrintfMemory): PrintfFormat {
  const { formats } = warp.block.grid;
  const known = formats.get(address);
  if (known && sameBytes(memory.read(address, known.text.length), known.text)) return known.format;
  const text = readString(address, memory);
  const format = parsePrintf(text);
  if (address < LOCAL_BASE) formats.set(address, { text: memory.read(address, text.length + 1).slice(), format });
  return format;
}

function allocate(path: Path, bytes: number, label: string): number {
  return bytes === 0 ? 0 : (path.warp.block.grid.memory.allocate(bytes, label)?.address ?? 0);
}

function release(path: Path, lane: number, address: number, location: Location | undefined): number {
  const { memory } = path.warp.block.grid;
  if (address === 0 || memory.release(address, 'free in a kernel')) return 0;
  const message = `free of 0x${address.toString(16)}, which malloc did not return, or which was already freed`;
  throw new FaultSignal(path, { kind: 'trap', message, lane, location, address });
}

/** Arguments: condition, file, line, function, size of a character. The runtime prints the fault's message to stderr. */
function failAssertion(path: Path, lane: number, args: readonly number[], location: Location | undefined): number {
  const [text, name] = [args[0], args[3]].map((at) => (at === 0 ? '?' : new TextDecoder().decode(readString(at, memoryOf(path, lane)))));
  const [x, y, z] = path.warp.shape.thread;
  const threads: Dim3[] = [];
  forLanes(path.mask, (each) => void threads.push([x[each], y[each], z[each]]));
  // As nvcc's parser writes what Clang has as [T = int].
  const assertion = { function: name.replace(/ \[(?=\w+ = )/, ' [with '), threads };
  throw new FaultSignal(path, { kind: 'assert', message: `assertion \`${text}\` failed`, lane, location, assertion });
}

function failCall(path: Path, lane: number, [address]: readonly number[], location: Location | undefined): number {
  const message = `call through a pointer that is not a function (0x${address.toString(16)})`;
  throw new FaultSignal(path, { kind: 'illegal-instruction', message, lane, location, address });
}

/** Streams belong to the block that creates them: how many it has. */
const streamsOf = new WeakMap<object, number>();
/** Handles below this one are CUDA's own. */
const FIRST_STREAM = 0x100;

function createStream({ warp }: Path): number {
  const count = streamsOf.get(warp.block) ?? 0;
  streamsOf.set(warp.block, count + 1);
  return FIRST_STREAM + 0x10 * count;
}

const TAIL_STREAM = 3;
const SUCCESS = 0;
const INVALID_DEVICE_FUNCTION = 98;
const INVALID_CONFIGURATION = 9;

/** Arguments: kernel, parameter buffer, addresses of the grid's and the block's dim3, shared bytes, stream. */
function launchChild(path: Path, lane: number, args: readonly number[], location: Location | undefined): number {
  const [fn, buffer, gridAddress, blockAddress, dynamicSharedBytes, stream] = args;
  const { grid } = path.warp.block;
  const { module } = grid.options;
  const kernel = module.functionTable[fn - 1];
  const parameters = module.ir.functions.get(kernel ?? '')?.parameters;
  if (!kernel || !parameters) return INVALID_DEVICE_FUNCTION;
  const read = (address: number, bytes: number): Uint8Array => path.warp.block.bytesAt(path, lane, address, bytes).slice();
  const dims = (address: number): Dim3 => {
    const [x, y, z] = new Uint32Array(read(address, 12).buffer);
    return [x, y, z];
  };
  const [gridDims, blockDims] = [dims(gridAddress), dims(blockAddress)];
  const threads = blockDims[0] * blockDims[1] * blockDims[2];
  const cluster = module.ir.functions.get(kernel)?.cluster;
  if (cluster && gridDims.some((size, axis) => size % cluster[axis] !== 0)) return INVALID_CONFIGURATION;
  if (gridDims.includes(0) || threads === 0 || threads > grid.options.device.maxThreadsPerBlock) return INVALID_CONFIGURATION;
  let at = buffer;
  const values = parameters.map(({ type, byval }) => {
    const align = byval ? Math.max(byval.align, alignOf(byval.type)) : alignOf(type);
    at = alignUp(at - buffer, align) + buffer;
    const bytes = sizeOf(byval?.type ?? type);
    at += bytes;
    return read(at - bytes, bytes);
  });
  if (buffer !== 0) grid.memory.release(buffer);
  const most = grid.options.limits.pendingLaunches ?? Number.POSITIVE_INFINITY;
  if (grid.children.length >= most) {
    const message = `stopped with ${most} launches that wait for the end of the kernel; ${howToRaise('pendingLaunches')}`;
    throw new FaultSignal(path, { kind: 'unsupported', message, lane, location });
  }
  const child: ChildLaunch = {
    kernel,
    grid: gridDims,
    block: blockDims,
    dynamicSharedBytes,
    args: values,
    cooperative: false,
    ...(cluster && { cluster }),
    tail: stream === TAIL_STREAM,
  };
  grid.children.push(child);
  const { block, shape } = path.warp;
  grid.reporter?.childLaunch({ block: block.linear, warp: shape.index, lane, child, stream });
  return SUCCESS;
}

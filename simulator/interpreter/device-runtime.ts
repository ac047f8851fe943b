/** Functions that a device program calls from the runtime: printf, the heap, assertions, traps, launches of further grids. */

import { alignOf, alignUp, sizeOf } from '../ir/layout.ts';
import { leavesOf } from '../machine/cells.ts';
import type { ChildLaunch, Dim3 } from '../machine/launch.ts';
import { formatPrintf, type PrintfMemory, readString } from '../machine/printf.ts';
import type { Step } from '../scheduling/program.ts';
import { FaultSignal, type Path } from '../scheduling/warp.ts';
import { forLanes } from './casts.ts';
import type { Call, Meaning } from './intrinsics.ts';
import type { Translation } from './translate.ts';

export function deviceRuntimeFunction(t: Translation, call: Call): Meaning | undefined {
  const make = FUNCTIONS[call.callee];
  return make?.(t, call);
}

const FUNCTIONS: Readonly<Record<string, (t: Translation, call: Call) => Meaning>> = {
  vprintf: (t, call) => perLane(t, call, (path, lane, [format, args]) => print(path, lane, format, args)),
  malloc: (t, call) => perLane(t, call, (path, _, [bytes]) => allocate(path, bytes, 'device malloc')),
  free: (t, call) => perLane(t, call, (path, lane, [address]) => release(path, call, lane, address)),
  __assertfail: (t, call) => perLane(t, call, (path, lane, args) => failAssertion(path, call, lane, args)),
  'llvm.trap': (_, call) => ({ step: trap(call) }),
  'llvm.ubsantrap': (_, call) => ({ step: trap(call) }),
  'llvm.nvvm.exit': () => ({
    end: (path) => {
      path.warp.exit(path, path.mask);
      return false;
    },
  }),
  'llvm.nvvm.nanosleep': () => ({ step: () => {} }),
  cudaGetParameterBuffer: (t, call) => perLane(t, call, (path, _, [, bytes]) => allocate(path, bytes, 'parameters of a device launch')),
  cudaLaunchDevice: (t, call) => perLane(t, call, (path, lane, args) => launchChild(path, lane, args)),
  // Since CUDA 12 a device program cannot wait for grids that it launched.
  cudaDeviceSynchronize: (t, call) => perLane(t, call, () => 0),
  cudaGetLastError: (t, call) => perLane(t, call, () => 0),
  cudaPeekAtLastError: (t, call) => perLane(t, call, () => 0),
};

/** Calls `run` for each active lane with its operands as unsigned numbers; the result, if wanted, is the word that it returns. */
function perLane(t: Translation, call: Call, run: (path: Path, lane: number, args: readonly number[]) => number): Meaning {
  const args = call.args.map((a) => ({ cell: t.cells(a)[0], wide: leavesOf(a.type)[0].bits > 32 }));
  const [result] = t.results(call);
  return {
    step: (path) => {
      forLanes(path.mask, (lane) => {
        const { cells } = path.frame;
        const value = run(
          path,
          lane,
          args.map(({ cell, wide }) => (wide ? Number(cells[cell].q[lane]) : cells[cell].i[lane] >>> 0)),
        );
        if (result !== undefined) cells[result].i[lane] = value;
      });
    },
  };
}

function memoryOf(path: Path, lane: number): PrintfMemory {
  return { read: (address, bytes) => path.warp.block.bytesAt(path, lane, address, bytes) };
}

function print(path: Path, lane: number, format: number, args: number): number {
  const memory = memoryOf(path, lane);
  const text = formatPrintf(readString(format, memory), args, memory);
  path.warp.block.grid.output.push(text);
  return text.length;
}

function allocate(path: Path, bytes: number, label: string): number {
  return bytes === 0 ? 0 : (path.warp.block.grid.memory.allocate(bytes, label)?.address ?? 0);
}

function release(path: Path, call: Call, lane: number, address: number): number {
  const { memory } = path.warp.block.grid;
  if (address === 0 || memory.release(address, 'free in a kernel')) return 0;
  const message = `free of 0x${address.toString(16)}, which malloc did not return or which has been freed already`;
  throw new FaultSignal(path, { kind: 'trap', message, lane, location: call.location, address });
}

/** Arguments: condition, file, line, function, size of a character. The runtime prints the fault's message to stderr. */
function failAssertion(path: Path, call: Call, lane: number, [condition]: readonly number[]): number {
  const text = condition === 0 ? '?' : new TextDecoder().decode(readString(condition, memoryOf(path, lane)));
  throw new FaultSignal(path, { kind: 'assert', message: `assertion \`${text}\` failed`, lane, location: call.location });
}

function trap(call: Call): Step {
  return (path) => {
    const lane = 31 - Math.clz32(path.mask & -path.mask);
    throw new FaultSignal(path, { kind: 'trap', message: 'the program executed a trap', lane, location: call.location });
  };
}

const TAIL_STREAM = 3;
const SUCCESS = 0;
const INVALID_DEVICE_FUNCTION = 98;
const INVALID_CONFIGURATION = 9;

/** Arguments: kernel, parameter buffer, addresses of the grid's and the block's dim3, shared bytes, stream. */
function launchChild(path: Path, lane: number, args: readonly number[]): number {
  const [fn, buffer, gridAddress, blockAddress, dynamicSharedBytes, stream] = args;
  const { grid } = path.warp.block;
  const { module } = grid.state;
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
  if (gridDims.includes(0) || threads === 0 || threads > grid.state.device.maxThreadsPerBlock) return INVALID_CONFIGURATION;
  let at = buffer;
  const values = parameters.map(({ type, byval }) => {
    const align = byval ? Math.max(byval.align, alignOf(byval.type)) : alignOf(type);
    at = alignUp(at - buffer, align) + buffer;
    const bytes = sizeOf(byval?.type ?? type);
    at += bytes;
    return read(at - bytes, bytes);
  });
  if (buffer !== 0) grid.memory.release(buffer);
  const child: ChildLaunch = {
    kernel,
    grid: gridDims,
    block: blockDims,
    dynamicSharedBytes,
    args: values,
    cooperative: false,
    tail: stream === TAIL_STREAM,
  };
  grid.children.push(child);
  return SUCCESS;
}

/**
 * The CUDA driver API, on the runtime's functions: what a call does is what the runtime's does, and what it needs besides (cuInit, a
 * current context) is checked here. A module is the device code of one of the program's files.
 */
import type { CudaContext, Functions } from './cuda-context.ts';
import { deviceAttribute } from './cuda-device.ts';
import { CUDA, errorName, errorText } from './cuda-errors.ts';
import { configurationOf, type Kernel, type LaunchParts, preparedLaunch } from './cuda-launch.ts';
import { fillElements } from './cuda-memory.ts';
import { mappingCalls } from './driver-mappings.ts';
import { type DriverModules, moduleCalls } from './driver-modules.ts';
import { parameterCalls } from './driver-parameters.ts';
import { FIELDS, POINTER_BYTES } from './structures.ts';

export interface DriverParts {
  readonly launches: LaunchParts;
  readonly kernels: Map<number, Kernel>;
  /** The runtime's own functions. */
  readonly runtime: Functions;
  readonly modules: DriverModules;
}

/** CUresult, where the runtime has no code of the same number for it. */
const NOT_INITIALIZED = 3;
const INVALID_CONTEXT = 201;
const INVALID_DEVICE = CUDA.InvalidDevice;

/** Runtime errors that the driver has no number for are wrong arguments. */
function resultOf(code: number | undefined): number {
  if (code === CUDA.InvalidDeviceFunction) return CUDA.InvalidResourceHandle;
  return code !== undefined && [9, 12, 13, 16, 17, 20, 21, 26, 27].includes(code) ? CUDA.InvalidValue : (code ?? CUDA.Success);
}

interface State {
  initialized: boolean;
  readonly contexts: Set<number>;
  readonly current: number[];
  /** The context that the runtime uses; made when somebody wants it. */
  primary: number;
  retained: number;
}

/** Calls that work before cuInit, and those that need no context. */
const BEFORE_INIT = /^cu(Init|DriverGetVersion|GetErrorName|GetErrorString)$/;
const WITHOUT_CONTEXT = /^cu(Device|Ctx(Create|Destroy|GetCurrent|SetCurrent|PushCurrent|PopCurrent)|Profiler)/;

export function driverFunctions(parts: DriverParts): Functions {
  const { context, streams } = parts.launches;
  const state: State = { initialized: false, contexts: new Set(), current: [], primary: 0, retained: 0 };
  const functions: Functions = {
    ...general(parts, state),
    ...deviceCalls(parts),
    ...contextCalls(parts, state, () => streams.newHandle()),
    ...moduleCalls(parts),
    ...launchCalls(parts),
    ...memoryCalls(parts),
    ...copyCalls(parts),
    ...mappingCalls(context),
    ...fillCalls(parts),
    ...streamCalls(parts),
  };
  return Object.fromEntries(Object.entries(functions).map(([name, call]) => [name, guarded(name, call, state, context)]));
}

/** The driver's calls leave the runtime's last error alone. */
function guarded(name: string, call: Functions[string], state: State, context: CudaContext): Functions[string] {
  return (...args) => {
    // The runtime begins the driver and makes a context as soon as they are needed.
    if (!BEFORE_INIT.test(name) && !state.initialized && context.begun === 'nothing') return NOT_INITIALIZED;
    if (!BEFORE_INIT.test(name) && !WITHOUT_CONTEXT.test(name) && state.current.length === 0 && context.begun !== 'context') {
      return INVALID_CONTEXT;
    }
    const { lastError, begun } = context;
    const code = resultOf(call(...args));
    context.lastError = lastError;
    // It was not the program that called the runtime.
    if (context.begun === 'context') context.begun = begun;
    return code;
  };
}

function general({ launches: { context }, runtime }: DriverParts, state: State): Functions {
  const { host } = context;
  const text = (out: number, code: number, of: (code: number) => string) => {
    const known = of(code);
    host.setU64(out, known === 'unrecognized error code' ? 0 : host.keep(known));
    return known === 'unrecognized error code' ? CUDA.InvalidValue : CUDA.Success;
  };
  return {
    cuInit: (flags) => {
      if (flags !== 0) return CUDA.InvalidValue;
      state.initialized = true;
      return CUDA.Success;
    },
    cuDriverGetVersion: (out) => runtime.cudaDriverGetVersion(out),
    cuGetErrorName: (code, out) => text(out, code, driverName),
    cuGetErrorString: (code, out) => text(out, code, errorText),
    cuProfilerStart: () => CUDA.Success,
    cuProfilerStop: () => CUDA.Success,
  };
}

/** CUDA_ERROR_INVALID_VALUE for cudaErrorInvalidValue; the few whose words differ are listed. */
function driverName(code: number): string {
  const special = DRIVER_NAMES.get(code);
  if (special) return special;
  const name = errorName(code);
  return name.startsWith('cudaError')
    ? `CUDA_ERROR_${name
        .slice(9)
        .replace(/(?<=[a-z0-9])([A-Z])/g, '_$1')
        .toUpperCase()}`
    : name;
}

const DRIVER_NAMES: ReadonlyMap<number, string> = new Map([
  [0, 'CUDA_SUCCESS'],
  [2, 'CUDA_ERROR_OUT_OF_MEMORY'],
  [3, 'CUDA_ERROR_NOT_INITIALIZED'],
  [4, 'CUDA_ERROR_DEINITIALIZED'],
  [200, 'CUDA_ERROR_INVALID_IMAGE'],
  [201, 'CUDA_ERROR_INVALID_CONTEXT'],
  [209, 'CUDA_ERROR_NO_BINARY_FOR_GPU'],
  [400, 'CUDA_ERROR_INVALID_HANDLE'],
  [500, 'CUDA_ERROR_NOT_FOUND'],
  [719, 'CUDA_ERROR_LAUNCH_FAILED'],
]);

function deviceCalls({ launches: { context }, runtime }: DriverParts): Functions {
  const { host, device } = context;
  const count = () => {
    const out = host.allocate(4);
    runtime.cudaGetDeviceCount(out);
    return host.u32(out);
  };
  const only = (ordinal: number, answer: () => void): number => {
    if (ordinal >= count()) return INVALID_DEVICE;
    answer();
    return CUDA.Success;
  };
  return {
    cuDeviceGet: (out, ordinal) => only(ordinal, () => host.setU32(out, ordinal)),
    cuDeviceGetCount: (out) => runtime.cudaGetDeviceCount(out),
    cuDeviceGetName: (out, capacity, ordinal) =>
      only(ordinal, () => {
        const bytes = new TextEncoder().encode(device.name).subarray(0, capacity - 1);
        host.write(out, Uint8Array.of(...bytes, 0));
      }),
    // As the runtime has it in its properties.
    cuDeviceGetUuid: (out, ordinal) => only(ordinal, () => host.write(out, new Uint8Array(16))),
    cuDeviceGetAttribute: (out, attribute, ordinal) => {
      const value = deviceAttribute(device, attribute);
      return value === undefined ? CUDA.InvalidValue : only(ordinal, () => host.setU32(out, value));
    },
    cuDeviceTotalMem: (out, ordinal) => only(ordinal, () => host.setU64(out, device.globalBytes)),
    cuDeviceComputeCapability: (majorOut, minorOut, ordinal) =>
      only(ordinal, () => {
        host.setU32(majorOut, device.computeCapability[0]);
        host.setU32(minorOut, device.computeCapability[1]);
      }),
    cuDeviceGetPCIBusId: (out, length, ordinal) => runtime.cudaDeviceGetPCIBusId(out, length, ordinal),
    cuDeviceGetByPCIBusId: (out, text) => runtime.cudaDeviceGetByPCIBusId(out, text),
    cuDeviceCanAccessPeer: (out, ordinal, peer) => runtime.cudaDeviceCanAccessPeer(out, ordinal, peer),
  };
}

function contextCalls({ launches: { context }, runtime }: DriverParts, state: State, newHandle: () => number): Functions {
  const { host } = context;
  const { contexts, current } = state;
  const make = (): number => {
    const handle = newHandle();
    contexts.add(handle);
    return handle;
  };
  const primary = () => {
    if (state.primary === 0) state.primary = make();
    return state.primary;
  };
  const top = () => current[current.length - 1] ?? (context.begun === 'context' ? primary() : 0);
  const give = (out: number, value: number) => {
    host.setU64(out, value);
    return CUDA.Success;
  };
  const only = (ordinal: number) => (ordinal === 0 ? CUDA.Success : INVALID_DEVICE);
  return {
    cuDevicePrimaryCtxRetain: (out, ordinal) => {
      state.retained++;
      return only(ordinal) || give(out, primary());
    },
    cuDevicePrimaryCtxRelease: (ordinal) => {
      if (state.retained === 0) return INVALID_CONTEXT;
      state.retained--;
      return only(ordinal);
    },
    cuDevicePrimaryCtxReset: (ordinal) => only(ordinal) || runtime.cudaDeviceReset(),
    cuDevicePrimaryCtxSetFlags: (ordinal, flags) => only(ordinal) || runtime.cudaSetDeviceFlags(flags),
    cuDevicePrimaryCtxGetState: (ordinal, flagsOut, activeOut) => {
      host.setU32(activeOut, state.primary === 0 ? 0 : 1);
      return only(ordinal) || runtime.cudaGetDeviceFlags(flagsOut);
    },
    cuCtxCreate_v4: (out, _parameters, _flags, ordinal) => {
      if (ordinal !== 0) return INVALID_DEVICE;
      const handle = make();
      current.push(handle);
      return give(out, handle);
    },
    cuCtxDestroy: (handle) => {
      if (!contexts.delete(handle)) return INVALID_CONTEXT;
      if (top() === handle) current.pop();
      return CUDA.Success;
    },
    cuCtxGetCurrent: (out) => give(out, top()),
    cuCtxSetCurrent: (handle) => {
      if (handle !== 0 && !contexts.has(handle)) return INVALID_CONTEXT;
      current.pop();
      if (handle !== 0) current.push(handle);
      return CUDA.Success;
    },
    cuCtxPushCurrent: (handle) => {
      if (!contexts.has(handle)) return INVALID_CONTEXT;
      current.push(handle);
      return CUDA.Success;
    },
    cuCtxPopCurrent: (out) => {
      const popped = current.pop();
      if (popped === undefined) return INVALID_CONTEXT;
      return out === 0 ? CUDA.Success : give(out, popped);
    },
    cuCtxGetDevice: (out) => runtime.cudaGetDevice(out),
    cuCtxGetFlags: (out) => runtime.cudaGetDeviceFlags(out),
    cuCtxGetApiVersion: (_handle, out) => runtime.cudaDriverGetVersion(out),
    cuCtxSynchronize: () => runtime.cudaDeviceSynchronize(),
    cuCtxGetLimit: (out, limit) => runtime.cudaDeviceGetLimit(out, limit),
    cuCtxSetLimit: (limit, value) => runtime.cudaDeviceSetLimit(limit, value),
    cuCtxGetCacheConfig: (out) => runtime.cudaDeviceGetCacheConfig(out),
    cuCtxSetCacheConfig: (config) => runtime.cudaDeviceSetCacheConfig(config),
    cuCtxGetStreamPriorityRange: (least, greatest) => runtime.cudaDeviceGetStreamPriorityRange(least, greatest),
  };
}

/** CU_LAUNCH_PARAM_BUFFER_POINTER and CU_LAUNCH_PARAM_END. */
const BUFFER = 1;
const END = 0;

function launchCalls(parts: DriverParts): Functions {
  const { launches, kernels, runtime } = parts;
  const { context, streams } = launches;
  const launch = (args: readonly number[], cooperative: boolean): number => {
    const [handle, gx, gy, gz, bx, by, bz, sharedBytes, stream, parameters, extra = 0] = args;
    const kernel = kernels.get(handle);
    if (!kernel) return CUDA.InvalidResourceHandle;
    const configuration = configurationOf([gx, gy, gz], [bx, by, bz], sharedBytes, stream);
    const table = parameters !== 0 || extra === 0 ? parameters : argumentTable(parts, kernel, extra);
    if (table === undefined) return CUDA.InvalidValue;
    const prepared = preparedLaunch(launches, kernel, configuration, { args: table, cooperative });
    if (typeof prepared === 'number') return prepared;
    return streams.submit(stream, prepared.run, '', { kernel: handle, launch: prepared.launch, attributes: new Map() });
  };
  const attributes = FIELDS.cudaFuncAttributes;
  /** By CUfunction_attribute: fields of 8 bytes and of 4. */
  const wide = [undefined, attributes.sharedSizeBytes, attributes.constSizeBytes, attributes.localSizeBytes];
  const narrow = new Map([
    [0, attributes.maxThreadsPerBlock],
    [4, attributes.numRegs],
    [5, attributes.ptxVersion],
    [6, attributes.binaryVersion],
    [7, attributes.cacheModeCA],
    [8, attributes.maxDynamicSharedSizeBytes],
    [9, attributes.preferredShmemCarveout],
  ]);
  return {
    cuLaunchKernel: (...args) => launch(args, false),
    ...parameterCalls(parts, (...args) => launch(args, false)),
    cuLaunchCooperativeKernel: (...args) => launch(args, true),
    cuLaunchHostFunc: (stream, pointer, data) => runtime.cudaLaunchHostFunc(stream, pointer, data),
    cuFuncGetAttribute: (out, attribute, handle) => {
      const at = wide[attribute] ?? narrow.get(attribute);
      if (at === undefined) return CUDA.InvalidValue;
      const structure = context.host.allocate(ATTRIBUTES_BYTES);
      const code = runtime.cudaFuncGetAttributes(structure, handle);
      if (code === CUDA.Success) context.host.setU32(out, context.host.u32(structure + at));
      return code;
    },
    cuFuncSetAttribute: (handle, attribute, value) => runtime.cudaFuncSetAttribute(handle, attribute, value),
    cuFuncSetCacheConfig: (handle, config) => runtime.cudaFuncSetCacheConfig(handle, config),
    cuFuncGetName: (out, handle) => runtime.cudaFuncGetName(out, handle),
    cuOccupancyMaxActiveBlocksPerMultiprocessor: (...args) => runtime.cudaOccupancyMaxActiveBlocksPerMultiprocessor(...args),
    cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags: (...args) => runtime.cudaOccupancyMaxActiveBlocksPerMultiprocessor(...args),
  };
}

const ATTRIBUTES_BYTES = 256;

/** Addresses of the arguments that lie one behind the other in a buffer; undefined where `extra` names none. */
function argumentTable({ launches: { context }, runtime, kernels }: DriverParts, kernel: Kernel, extra: number): number | undefined {
  const { host } = context;
  let buffer = 0;
  for (let at = extra; host.u64(at) !== END; at += 2 * POINTER_BYTES) if (host.u64(at) === BUFFER) buffer = host.u64(at + POINTER_BYTES);
  if (buffer === 0) return undefined;
  const handle = [...kernels].find(([, each]) => each === kernel)![0];
  const count = kernel.unit.module.ir.functions.get(kernel.name)?.parameters.length ?? 0;
  const table = host.allocate((count + 1) * POINTER_BYTES);
  for (let index = 0; index < count; index++) {
    runtime.cudaFuncGetParamInfo(handle, index, table + index * POINTER_BYTES, 0);
    host.setU64(table + index * POINTER_BYTES, buffer + host.u64(table + index * POINTER_BYTES));
  }
  return table;
}

/** Attributes of a pointer: what memory it is, and where it is seen. */
const POINTER_MEMORY_TYPE = 2;
const POINTER_DEVICE = 3;
const POINTER_HOST = 4;
const POINTER_IS_MANAGED = 8;
const POINTER_ORDINAL = 9;
const POINTER_START = 11;
const POINTER_SIZE = 12;

function memoryCalls({ launches: { context }, runtime }: DriverParts): Functions {
  const { host, memory } = context;
  const attribute = (out: number, which: number, pointer: number): number => {
    const structure = host.allocate(64);
    runtime.cudaPointerGetAttributes(structure, pointer);
    const at = FIELDS.cudaPointerAttributes;
    const type = host.u32(structure + at.type);
    if (type === 0) return CUDA.InvalidValue;
    const allocation = memory.find(context.deviceAddress(pointer), 1);
    if (which === POINTER_MEMORY_TYPE) host.setU32(out, type === 1 ? 1 : 2);
    else if (which === POINTER_DEVICE) host.setU64(out, host.u64(structure + at.devicePointer));
    else if (which === POINTER_HOST) host.setU64(out, host.u64(structure + at.hostPointer));
    else if (which === POINTER_IS_MANAGED) host.write(out, Uint8Array.of(type === 3 ? 1 : 0));
    else if (which === POINTER_ORDINAL) host.setU32(out, 0);
    else if (which === POINTER_START) host.setU64(out, allocation?.address ?? 0);
    else if (which === POINTER_SIZE) host.setU64(out, allocation?.sizeBytes ?? 0);
    else return CUDA.NotSupported;
    return CUDA.Success;
  };
  return {
    cuMemGetInfo: (free, total) => runtime.cudaMemGetInfo(free, total),
    cuMemAlloc: (out, bytes) => (bytes === 0 ? CUDA.InvalidValue : runtime.cudaMalloc(out, bytes)),
    cuMemAllocPitch: (out, pitch, width, height) => runtime.cudaMallocPitch(out, pitch, width, height),
    cuMemAllocManaged: (out, bytes, flags) => runtime.cudaMallocManaged(out, bytes, flags),
    cuMemAllocHost: (out, bytes) => runtime.cudaMallocHost(out, bytes),
    cuMemHostAlloc: (out, bytes, flags) => runtime.cudaHostAlloc(out, bytes, flags),
    cuMemFree: (pointer) => runtime.cudaFree(pointer),
    cuMemFreeHost: (pointer) => runtime.cudaFreeHost(pointer),
    cuMemHostRegister: (pointer, bytes, flags) => runtime.cudaHostRegister(pointer, bytes, flags),
    cuMemHostUnregister: (pointer) => runtime.cudaHostUnregister(pointer),
    cuMemHostGetDevicePointer: (out, pointer, flags) => runtime.cudaHostGetDevicePointer(out, pointer, flags),
    cuMemAllocAsync: (out, bytes, stream) => runtime.cudaMallocAsync(out, bytes, stream),
    cuMemFreeAsync: (pointer, stream) => runtime.cudaFreeAsync(pointer, stream),
    cuMemGetAddressRange: (baseOut, bytesOut, pointer) => {
      const allocation = memory.find(pointer, 1);
      if (!allocation) return CUDA.InvalidValue;
      if (baseOut !== 0) host.setU64(baseOut, allocation.address);
      if (bytesOut !== 0) host.setU64(bytesOut, allocation.sizeBytes);
      return CUDA.Success;
    },
    cuPointerGetAttribute: attribute,
  };
}

/** cudaMemcpyKind. */
const HOST_TO_HOST = 0;
const HOST_TO_DEVICE = 1;
const DEVICE_TO_HOST = 2;
const DEVICE_TO_DEVICE = 3;
const BY_ADDRESS = 4;

function copyCalls({ launches: { context }, runtime }: DriverParts): Functions {
  const { host } = context;
  const plain = (kind: number) => (to: number, from: number, bytes: number) => runtime.cudaMemcpy(to, from, bytes, kind);
  const later = (kind: number) => (to: number, from: number, bytes: number, stream: number) =>
    runtime.cudaMemcpyAsync(to, from, bytes, kind, stream);
  /** CUmemorytype: 1 host, 2 device, 4 unified; 3 is an array. */
  const side = (at: number, fields: { x: number; y: number; type: number; host: number; device: number; pitch: number }) => {
    const type = host.u32(at + fields.type);
    if (type === 0 || type === 3) return undefined;
    const pitch = host.u64(at + fields.pitch);
    const base = host.u64(at + (type === 1 ? fields.host : fields.device));
    return { type, address: base + host.u64(at + fields.y) * pitch + host.u64(at + fields.x), pitch };
  };
  /** An array is the device's. */
  const direction = (from = 2, to = 2): number =>
    from > 2 || to > 2 ? BY_ADDRESS : [HOST_TO_HOST, HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE][2 * (from - 1) + (to - 1)];
  /** An array, and where in it: bytes, rows. */
  const arrayOf = (at: number, fields: typeof MEMCPY2D.src): [number, number, number] | undefined =>
    host.u32(at + fields.type) === 3 ? [host.u64(at + fields.array), host.u64(at + fields.x), host.u64(at + fields.y)] : undefined;
  const box = (at: number, run: (...args: number[]) => number | undefined): number => {
    const [from, to] = [side(at, MEMCPY2D.src), side(at, MEMCPY2D.dst)];
    const [width, height] = [host.u64(at + MEMCPY2D.width), host.u64(at + MEMCPY2D.height)];
    if (!from || !to) {
      const [source, target] = [arrayOf(at, MEMCPY2D.src), arrayOf(at, MEMCPY2D.dst)];
      if (from && target)
        return (
          runtime.cudaMemcpy2DToArray(...target, from.address, from.pitch || width, width, height, direction(from.type)) ?? CUDA.Success
        );
      if (to && source)
        return (
          runtime.cudaMemcpy2DFromArray(to.address, to.pitch || width, ...source, width, height, direction(undefined, to.type)) ??
          CUDA.Success
        );
      if (!source || !target) return CUDA.InvalidValue;
      return runtime.cudaMemcpy2DArrayToArray(...target, ...source, width, height, DEVICE_TO_DEVICE) ?? CUDA.Success;
    }
    return (
      run(to.address, to.pitch || width, from.address, from.pitch || width, width, height, direction(from.type, to.type)) ?? CUDA.Success
    );
  };
  return {
    cuMemcpy: plain(BY_ADDRESS),
    cuMemcpyHtoD: plain(HOST_TO_DEVICE),
    cuMemcpyDtoH: plain(DEVICE_TO_HOST),
    cuMemcpyDtoD: plain(DEVICE_TO_DEVICE),
    cuMemcpyAsync: later(BY_ADDRESS),
    cuMemcpyHtoDAsync: later(HOST_TO_DEVICE),
    cuMemcpyDtoHAsync: later(DEVICE_TO_HOST),
    cuMemcpyDtoDAsync: later(DEVICE_TO_DEVICE),
    cuMemcpy2D: (at) => box(at, runtime.cudaMemcpy2D),
    cuMemcpy2DUnaligned: (at) => box(at, runtime.cudaMemcpy2D),
    cuMemcpy2DAsync: (at, stream) => box(at, (...args) => runtime.cudaMemcpy2DAsync(...args, stream)),
  };
}

/** CUDA_MEMCPY2D. */
const MEMCPY2D = {
  src: { x: 0, y: 8, type: 16, host: 24, device: 32, array: 40, pitch: 48 },
  dst: { x: 56, y: 64, type: 72, host: 80, device: 88, array: 96, pitch: 104 },
  width: 112,
  height: 120,
};

function fillCalls({ launches: { context, streams } }: DriverParts): Functions {
  const fill = (
    address: number,
    value: number,
    bytes: number,
    { width, height, pitch }: { width: number; height: number; pitch: number },
  ) => {
    const rows = { address, pitchBytes: pitch, rowsPerSlice: height };
    return fillElements(context, rows, { value, bytes }, { widthBytes: width * bytes, height, depth: 1 });
  };
  const line = (bytes: number) => (address: number, value: number, count: number) =>
    fill(address, value, bytes, { width: count, height: 1, pitch: count * bytes });
  const plane = (bytes: number) => (address: number, pitch: number, value: number, width: number, height: number) =>
    fill(address, value, bytes, { width, height, pitch });
  const now =
    (run: (...args: number[]) => number, name: string) =>
    (...args: number[]) =>
      streams.submit(0, () => run(...args), name);
  const later =
    (run: (...args: number[]) => number, name: string) =>
    (...args: number[]) =>
      streams.submit(args[3], () => run(...args), name);
  return {
    cuMemsetD8: now(line(1), 'cudaMemset'),
    cuMemsetD16: now(line(2), 'cudaMemset'),
    cuMemsetD32: now(line(4), 'cudaMemset'),
    cuMemsetD8Async: later(line(1), 'cudaMemsetAsync'),
    cuMemsetD16Async: later(line(2), 'cudaMemsetAsync'),
    cuMemsetD32Async: later(line(4), 'cudaMemsetAsync'),
    cuMemsetD2D8: now(plane(1), 'cudaMemset2D'),
    cuMemsetD2D32: now(plane(4), 'cudaMemset2D'),
  };
}

/** Same arguments, same meaning. */
function streamCalls({ runtime }: DriverParts): Functions {
  const same = {
    cuStreamCreate: 'cudaStreamCreateWithFlags',
    cuStreamCreateWithPriority: 'cudaStreamCreateWithPriority',
    cuStreamDestroy: 'cudaStreamDestroy',
    cuStreamSynchronize: 'cudaStreamSynchronize',
    cuStreamQuery: 'cudaStreamQuery',
    cuStreamGetFlags: 'cudaStreamGetFlags',
    cuStreamGetPriority: 'cudaStreamGetPriority',
    cuStreamWaitEvent: 'cudaStreamWaitEvent',
    cuStreamAddCallback: 'cudaStreamAddCallback',
    cuEventCreate: 'cudaEventCreateWithFlags',
    cuEventRecord: 'cudaEventRecord',
    cuEventSynchronize: 'cudaEventSynchronize',
    cuEventQuery: 'cudaEventQuery',
    cuEventElapsedTime: 'cudaEventElapsedTime',
    cuEventDestroy: 'cudaEventDestroy',
  };
  return Object.fromEntries(Object.entries(same).map(([name, of]) => [name, runtime[of]]));
}

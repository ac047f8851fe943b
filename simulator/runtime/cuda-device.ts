/** Devices of the CUDA runtime, each described by a profile: properties, limits, peers, errors and versions. */
import { areConnected } from '../../devices/links.ts';
import type { DeviceProfile } from '../../devices/profile.ts';
import { apiCalls, type CudaContext, type Functions } from './cuda-context.ts';
import { CUDA, errorName, errorText } from './cuda-errors.ts';

/** CUDA 12.8, which the headers speak. */
const CUDA_VERSION = 12080;

export function deviceFunctions(context: CudaContext): Functions {
  const calls = apiCalls(context, { ...deviceCalls(context), ...settingCalls(context), ...peerCalls(context) });
  let checked = 0;
  const check = (ordinal: number) => {
    const code = calls.__lanewise_device_check(ordinal);
    if (code === CUDA.Success) checked = ordinal;
    return code;
  };
  // A fault of one device is none of the others.
  const select = (ordinal: number) => {
    if (ordinal === context.current.index || !context.devices[ordinal]) return calls.cudaSetDevice(ordinal);
    context.select(ordinal);
    return CUDA.Success;
  };
  return {
    ...errorCalls(context),
    ...calls,
    cudaSetDevice: select,
    ...propertyFunctions(context, () => checked),
    __lanewise_device_check: check,
  };
}

/** These tell and clear errors rather than make them. */
function errorCalls(context: CudaContext): Functions {
  const { host } = context;
  const noticed = (): void => {
    context.unseenRefusals.length = 0;
    context.unnoticed.length = 0;
  };
  const named = (code: number, text: (code: number) => string): number => {
    if (code !== CUDA.Success) context.unnoticed.length = 0;
    return host.keep(text(code));
  };
  return {
    // Cleared by reading it, after a fault as well: it is the next call that fails again.
    cudaGetLastError: () => {
      const code = context.lastError;
      context.lastError = CUDA.Success;
      noticed();
      return code;
    },
    cudaPeekAtLastError: () => {
      noticed();
      return context.lastError;
    },
    cudaDeviceReset: () => reset(context),
    cudaThreadExit: () => reset(context),
    cudaGetErrorName: (code) => named(code, errorName),
    cudaGetErrorString: (code) => named(code, errorText),
  };
}

function deviceCalls(context: CudaContext): Functions {
  const { host, devices } = context;
  const answer = (out: number, value: number): number => {
    if (out === 0) return CUDA.InvalidValue;
    host.setU32(out, value);
    return CUDA.Success;
  };
  const check = (ordinal: number) => (devices[ordinal] ? CUDA.Success : CUDA.InvalidDevice);
  const busId = (ordinal: number) => `0000:0${ordinal.toString(16)}:00.0`;
  return {
    cudaGetDeviceCount: (out) => answer(out, devices.length),
    cudaGetDevice: (out) => answer(out, context.current.index),
    cudaSetDevice: (ordinal) => {
      if (check(ordinal) === CUDA.Success) context.select(ordinal);
      return check(ordinal);
    },
    cudaInitDevice: check,
    cudaSetValidDevices: () => CUDA.Success,
    cudaChooseDevice: (out) => answer(out, 0),
    cudaDeviceSynchronize: () => context.synchronizeAll(),
    cudaThreadSynchronize: () => context.synchronizeAll(),
    cudaDeviceGetAttribute: (out, attribute, ordinal) => {
      if (check(ordinal) !== CUDA.Success) return CUDA.InvalidDevice;
      const value = attribute === PCI_BUS ? ordinal : deviceAttribute(devices[ordinal].profile, attribute);
      return value === undefined ? CUDA.InvalidValue : answer(out, value);
    },
    cudaDeviceGetPCIBusId: (out, capacity, ordinal) => {
      if (check(ordinal) !== CUDA.Success) return CUDA.InvalidDevice;
      const bytes = new TextEncoder().encode(`${busId(ordinal)}\0`);
      if (capacity < bytes.length) return CUDA.InvalidValue;
      host.write(out, bytes);
      return CUDA.Success;
    },
    cudaDeviceGetByPCIBusId: (out, text) => {
      const found = devices.find(({ index }) => busId(index) === host.text(text));
      return found ? answer(out, found.index) : CUDA.InvalidDevice;
    },
    cudaDriverGetVersion: (out) => answer(out, CUDA_VERSION),
    cudaRuntimeGetVersion: (out) => answer(out, CUDA_VERSION),
    cudaProfilerStart: () => CUDA.Success,
    cudaProfilerStop: () => CUDA.Success,
    __lanewise_device_check: check,
  };
}

/** cudaDevAttrPciBusId. */
const PCI_BUS = 33;

/** Succeeds even after a fault, but brings back no device that had one: so an H200 behaves. Variables of the module keep their memory. */
function reset(context: CudaContext): number {
  const faulted = context.synchronize() !== CUDA.Success;
  for (const { address, label, owner = 0 } of [...context.memory.allocations]) {
    if (owner === context.current.index && !label.startsWith('__') && !context.unified.find(address)) {
      context.memory.release(address, `cudaDeviceReset ${context.launchesSoFar()}`);
    }
  }
  context.lastError = CUDA.Success;
  if (faulted) context.corrupted = CUDA.DevicesUnavailable;
  return CUDA.Success;
}

/** cudaLimit with its value at the start, on an H200: stack, device heap, pending launches, L2 fetch granularity, L2 share. */
const LIMITS: readonly (readonly [limit: number, initial: number])[] = [
  [0, 1024],
  [2, 8388608],
  [4, 2048],
  [5, 64],
  [7, 232448],
];
const LIMIT_PRINTF_FIFO = 1;
const LIMIT_SYNC_DEPTH = 3;
const LIMIT_PERSISTING_L2 = 6;

/** The L2 cache is set aside in tenths of what can be set aside, rounded up (H200, driver 580.159: fixtures/runtime/l2-policy). */
const PERSISTING_L2_SHARES = 10;

function wholeShares(bytes: number, maxBytes: number): number {
  const share = maxBytes / PERSISTING_L2_SHARES;
  return share === 0 ? 0 : Math.ceil(bytes / share) * share;
}

/** Settings that are kept and given back, and change nothing that the simulator counts. */
function settingCalls(context: CudaContext): Functions {
  const limits = new Map(LIMITS);
  const { host, printf } = context;
  const settings = { flags: 0, cacheConfig: 0, sharedConfig: 1 };
  const keeper = (name: keyof typeof settings) => (value: number) => {
    settings[name] = value;
    return CUDA.Success;
  };
  const teller = (name: keyof typeof settings) => (out: number) => {
    host.setU32(out, settings[name]);
    return CUDA.Success;
  };
  return {
    cudaDeviceSetLimit: (limit, value) => {
      if (limit === LIMIT_PRINTF_FIFO) return printf.resize(value) ? CUDA.Success : CUDA.InvalidValue;
      if (limit !== LIMIT_PERSISTING_L2 && !limits.has(limit)) return unknownLimit(limit);
      if (limit === LIMIT_PERSISTING_L2 && value > context.device.persistingL2MaxBytes) return CUDA.InvalidValue;
      if (limit === LIMIT_PERSISTING_L2) context.persistingL2Bytes = wholeShares(value, context.device.persistingL2MaxBytes);
      else limits.set(limit, value);
      return CUDA.Success;
    },
    cudaDeviceGetLimit: (out, limit) => {
      const value =
        limit === LIMIT_PRINTF_FIFO ? printf.sizeBytes : limit === LIMIT_PERSISTING_L2 ? context.persistingL2Bytes : limits.get(limit);
      if (value === undefined) return unknownLimit(limit);
      host.setU64(out, value);
      return CUDA.Success;
    },
    cudaSetDeviceFlags: keeper('flags'),
    cudaGetDeviceFlags: teller('flags'),
    cudaDeviceSetCacheConfig: keeper('cacheConfig'),
    cudaDeviceGetCacheConfig: teller('cacheConfig'),
    cudaDeviceSetSharedMemConfig: keeper('sharedConfig'),
    cudaDeviceGetSharedMemConfig: teller('sharedConfig'),
    cudaDeviceGetStreamPriorityRange: (leastOut, greatestOut) => {
      if (leastOut !== 0) host.setU32(leastOut, 0);
      if (greatestOut !== 0) host.setU32(greatestOut, -5);
      return CUDA.Success;
    },
  };
}

/** Waiting in device code was removed, and its limit with it. */
function unknownLimit(limit: number): number {
  return limit === LIMIT_SYNC_DEPTH ? CUDA.UnsupportedLimit : CUDA.InvalidValue;
}

/** cudaDeviceP2PAttr: rank, access, native atomics, arrays. */
const P2P_ATTRIBUTES = [1, 2, 3, 4];
const P2P_RANK = 1;

function peerCalls(context: CudaContext): Functions {
  const { host, devices } = context;
  const isDevice = (ordinal: number) => devices[ordinal] !== undefined;
  const reaches = (from: number, to: number) => from !== to && areConnected(devices[from].profile, devices[to].profile);
  return {
    cudaDeviceCanAccessPeer: (out, ordinal, peer) => {
      if (!isDevice(ordinal) || !isDevice(peer)) return CUDA.InvalidDevice;
      host.setU32(out, reaches(ordinal, peer) ? 1 : 0);
      return CUDA.Success;
    },
    cudaDeviceGetP2PAttribute: (out, attribute, from, to) => {
      // A device is no peer of itself.
      if (!isDevice(from) || !isDevice(to) || from === to) return CUDA.InvalidDevice;
      if (!P2P_ATTRIBUTES.includes(attribute)) return CUDA.InvalidValue;
      host.setU32(out, attribute !== P2P_RANK && reaches(from, to) ? 1 : 0);
      return CUDA.Success;
    },
    cudaDeviceEnablePeerAccess: (peer, flags) => {
      if (!isDevice(peer)) return CUDA.InvalidDevice;
      if (flags !== 0) return CUDA.InvalidValue;
      const { index, peers } = context.current;
      if (!reaches(index, peer)) return CUDA.PeerAccessUnsupported;
      if (peers.has(peer)) return CUDA.PeerAccessAlreadyEnabled;
      peers.add(peer);
      return CUDA.Success;
    },
    cudaDeviceDisablePeerAccess: (peer) => {
      if (!isDevice(peer)) return CUDA.InvalidDevice;
      return context.current.peers.delete(peer) ? CUDA.Success : CUDA.PeerAccessNotEnabled;
    },
  };
}

/** Functions of our own that the headers build cudaGetDeviceProperties from, for the device that they have checked last; values, not errors. */
function propertyFunctions(context: CudaContext, checked: () => number): Functions {
  const profile = () => context.devices[checked()].profile;
  return {
    __lanewise_device_property: (index) => (index === PCI_BUS ? checked() : (deviceProperty(profile(), index) ?? 0)),
    __lanewise_device_name: (buffer, capacity) => {
      const bytes = new TextEncoder().encode(profile().name).subarray(0, capacity - 1);
      context.host.write(buffer, Uint8Array.of(...bytes, 0));
      return 0;
    },
  };
}

/** By cudaDeviceAttr, and from 10000 on what cudaDeviceProp has without an attribute. */
function deviceProperty(device: DeviceProfile, index: number): number | undefined {
  return index === 10000 ? device.globalBytes : deviceAttribute(device, index);
}

/** Value of a cudaDeviceAttr; undefined for a number that is none. */
export function deviceAttribute(device: DeviceProfile, attribute: number): number | undefined {
  return profileAttributes(device).get(attribute) ?? FIXED_ATTRIBUTES.get(attribute);
}

const attributesOf = new WeakMap<DeviceProfile, ReadonlyMap<number, number>>();

/** Made once for each device: cudaGetDeviceProperties asks for a hundred, and some allocators call it each time. */
function profileAttributes(device: DeviceProfile): ReadonlyMap<number, number> {
  const known = attributesOf.get(device) ?? readAttributes(device);
  attributesOf.set(device, known);
  return known;
}

function readAttributes(device: DeviceProfile): ReadonlyMap<number, number> {
  return new Map([
    [1, device.maxThreadsPerBlock],
    [120, Number(device.computeCapability[0] >= 9)],
    [2, device.maxBlock[0]],
    [3, device.maxBlock[1]],
    [4, device.maxBlock[2]],
    [5, device.maxGrid[0]],
    [6, device.maxGrid[1]],
    [7, device.maxGrid[2]],
    [8, device.sharedPerBlock],
    [9, device.constantBytes],
    [10, device.warpSize],
    [12, device.registersPerBlock],
    [13, device.clockKHz],
    [16, device.multiprocessors],
    [36, device.memoryClockKHz],
    [37, device.memoryBusBits],
    [38, device.l2Bytes],
    [39, device.maxThreadsPerMultiprocessor],
    [75, device.computeCapability[0]],
    [76, device.computeCapability[1]],
    [81, device.sharedPerMultiprocessor],
    [82, device.registersPerMultiprocessor],
    [97, device.sharedPerBlockOptin],
    [106, device.maxBlocksPerMultiprocessor],
    [108, device.persistingL2MaxBytes],
    [109, device.accessPolicyMaxWindowBytes],
    [111, device.reservedSharedPerBlock],
  ]);
}

/** What an H200 answers that no profile varies, except where the simulated machine is different: that is said behind the number. */
const FIXED_ATTRIBUTES: ReadonlyMap<number, number> = new Map([
  [11, 2147483647], // largest pitch
  [14, 512], // texture alignment
  [15, 1], // overlap of copies and kernels
  [17, 0], // run time limit on kernels
  [18, 0], // integrated
  [19, 1], // mapped host memory
  [20, 0], // compute mode
  [21, 131072], // texture sizes, in cudaDeviceAttr's order
  [22, 131072],
  [23, 65536],
  [24, 16384],
  [25, 16384],
  [26, 16384],
  [27, 32768],
  [28, 32768],
  [29, 2048],
  [30, 512], // surface alignment
  [31, 1], // concurrent kernels
  [32, 1], // ECC
  [33, 0], // PCI bus, device
  [34, 6],
  [35, 0], // TCC driver
  [40, 3], // asynchronous copy engines
  [41, 1], // unified addressing
  [42, 32768],
  [43, 2048],
  [44, 1],
  [45, 32768],
  [46, 32768],
  [47, 8192],
  [48, 8192],
  [49, 32768],
  [50, 0], // PCI domain
  [51, 32], // texture pitch alignment
  [52, 32768],
  [53, 32768],
  [54, 2046],
  [55, 32768], // surface sizes
  [56, 131072],
  [57, 65536],
  [58, 16384],
  [59, 16384],
  [60, 16384],
  [61, 32768],
  [62, 2048],
  [63, 32768],
  [64, 32768],
  [65, 2048],
  [66, 32768],
  [67, 32768],
  [68, 2046],
  [69, 268435456], // linear textures
  [70, 131072],
  [71, 65000],
  [72, 2097120],
  [73, 32768],
  [74, 32768],
  [77, 32768],
  [78, 1], // stream priorities
  [79, 1], // global loads in L1
  [80, 1], // local memory in L1
  [83, 1], // managed memory
  [84, 0], // multi-GPU board
  [85, 0],
  [86, 0], // native atomics over the link to the host
  [87, 2], // single to double precision throughput
  [88, 0], // pageable memory access
  [89, 1], // concurrent managed access
  [90, 1], // compute preemption
  [91, 0], // in the simulator, registered memory has an address of its own on the device
  [95, 1], // cooperative launch
  [96, 0], // and on several devices, which answers cudaErrorNotSupported
  [98, 0],
  [99, 1], // host memory registration
  [100, 0],
  [101, 0],
  [102, 1], // virtual memory management, without handles for other processes and without compression
  [103, 0],
  [104, 0],
  [105, 0],
  [107, 0],
  [112, 0],
  [113, 0],
  [114, 0],
  [115, 1], // cudaMallocAsync
  [116, 0],
  [117, 0],
  [118, 0],
  [119, 0],
  [121, 0],
  [125, 0],
  [126, 4],
  [130, 0],
  [131, -1],
  [133, 0],
  [134, 0],
]);

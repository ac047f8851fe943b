/** Launches of the CUDA runtime: what Clang's registration code and kernel stubs call, and attributes of kernels. */

import { occupancyLimits } from '../../devices/occupancy.ts';
import { sizeOf, storeSizeOf } from '../ir/layout.ts';
import type { IrFunction } from '../ir/types.ts';
import type { Dim3, Launch } from '../machine/launch.ts';
import { localVariableBytes } from '../machine/stack.ts';
import { demangle } from '../toolchain/demangle.ts';
import { apiCalls, type CudaContext, type Functions } from './cuda-context.ts';
import { CUDA } from './cuda-errors.ts';
import { ACCESS_POLICY_WINDOW, launchAttributes, type StreamTable, windowOf } from './cuda-streams.ts';
import type { DeviceProgram, DeviceUnit } from './device-program.ts';
import type { HostMemory } from './host-memory.ts';
import { dim3At, FIELDS, POINTER_BYTES, SIZE_BYTES, setDim3 } from './structures.ts';

/** A kernel as the host program knows it: by the address of its stub. */
export interface Kernel {
  readonly name: string;
  readonly unit: DeviceUnit;
  /** What cudaFuncSetAttribute allowed beyond the 48 KB that need no permission. */
  maxDynamicSharedBytes?: number;
  /** Whether it allowed clusters of more blocks than every GPU has room for. */
  largeClusters?: boolean;
}

/** By the addresses of their stubs. */
export type Kernels = ReadonlyMap<number, Kernel>;

interface Configuration {
  readonly grid: Dim3;
  readonly block: Dim3;
  readonly sharedBytes: number;
  readonly stream: number;
  /** Blocks of a cluster, where the launch says so. */
  readonly cluster?: Dim3;
}

export interface LaunchParts {
  readonly context: CudaContext;
  readonly program: DeviceProgram;
  readonly streams: StreamTable;
  /** Calls a function of the host program through its table. */
  callHost(pointer: number, ...args: number[]): number;
  /** Filled by registration; read by the functions that copy to and from symbols. */
  readonly symbols: Map<number, { readonly address: number; readonly sizeBytes: number }>;
}

/** Of a texture reference on the device. */
const HANDLE_BYTES = 8;
const FUNC_MAX_DYNAMIC_SHARED = 8;
/** cudaFuncAttributeNonPortableClusterSizeAllowed. */
const FUNC_LARGE_CLUSTERS = 14;
const FUNC_ATTRIBUTES = [8, 9, 10, 11, 12, 13, 14, 15];
const LAUNCH_COOPERATIVE = 2;
const LAUNCH_CLUSTER = 4;
const CONFIG = FIELDS.cudaLaunchConfig_t;
/** Registers are ptxas's to assign, which the simulator does not run. Programs that ask are told a common number. */
const ASSUMED_REGISTERS = 32;

/** `kernels` is filled by registration. */
export function launchFunctions(parts: LaunchParts, kernels: Map<number, Kernel>): Functions {
  return {
    ...registration(parts, kernels),
    ...configurations(parts),
    ...apiCalls(parts.context, { ...launches(parts, kernels), ...attributes(parts, kernels), ...occupancy(parts, kernels) }),
  };
}

function registration({ context, program, symbols, callHost }: LaunchParts, kernels: Map<number, Kernel>): Functions {
  const { host, unified } = context;
  const unitOf = (handle: number) => program.units[handle - 1];
  // The handle that registration code is given and hands on: 1 and up. A wrapper is { int magic, int version, void *data, ... }; the data
  // is the number of the file's device module (toolchain/compile.ts).
  const handleOf = (wrapper: number) => host.u32(host.u64(wrapper + 8)) + 1;
  const register = (handle: number, shadow: number, nameAt: number, sizeBytes: number) => {
    const name = host.text(nameAt);
    const { module } = unitOf(handle);
    const address = module.addresses.get(name);
    // A variable that no kernel uses is not in the module.
    if (address === undefined) return 0;
    symbols.set(shadow, {
      // Each device has its own.
      get address() {
        return program.unitsOn(context.current.index)[handle - 1].module.addresses.get(name)!;
      },
      sizeBytes,
    });
    if (module.ir.globals.get(name)?.managed) unified.adopt({ host: shadow, device: address, sizeBytes });
    return 0;
  };
  return {
    __cudaRegisterFatBinary: handleOf,
    __cudaRegisterFatBinaryEnd: () => 0,
    __cudaUnregisterFatBinary: () => 0,
    __cudaInitModule: () => 1,
    __cudaRegisterLinkedBinary: (registerGlobals, wrapper) => callHost(registerGlobals, handleOf(wrapper)),
    __cudaRegisterFunction: (handle, stub, _function, name) => {
      kernels.set(stub, { name: deviceName(unitOf(handle), host.text(name)), unit: unitOf(handle) });
      return 0;
    },
    __cudaRegisterVar: (handle, shadow, _deviceName, nameAt, _external, sizeBytes) => register(handle, shadow, nameAt, sizeBytes),
    __cudaRegisterTexture: (handle, shadow, _deviceAddress, nameAt) => register(handle, shadow, nameAt, HANDLE_BYTES),
    __cudaRegisterSurface: (handle, shadow, _deviceAddress, nameAt) => register(handle, shadow, nameAt, HANDLE_BYTES),
  };
}

/**
 * The device module's name of a kernel. Types of `main` (lambdas given to a template kernel) are called after it, and WebAssembly mangles
 * a `main` that has parameters, which the device does not.
 */
function deviceName({ module: { ir } }: Kernel['unit'], name: string): string {
  if (ir.functions.has(name) || ir.unsupported.has(name) || !name.includes('4mainiPP')) return name;
  const wanted = demangle(name).replaceAll(/\bmain\(int, [^()]*\)/g, 'main');
  return [...ir.functions.keys(), ...ir.unsupported.keys()].find((each) => each.includes('4main') && demangle(each) === wanted) ?? name;
}

/** The stack of configurations between `<<<...>>>` and the kernel's stub. */
function configurations({ context: { host } }: LaunchParts): Functions {
  const stack: Configuration[] = [];
  return {
    __cudaPushCallConfiguration: (grid, block, sharedBytes, stream) => {
      stack.push({ grid: dim3At(host, grid), block: dim3At(host, block), sharedBytes, stream });
      return 0;
    },
    __cudaPopCallConfiguration: (gridOut, blockOut, sharedOut, streamOut) => {
      const top = stack.pop();
      if (!top) return CUDA.MissingConfiguration;
      setDim3(host, gridOut, top.grid);
      setDim3(host, blockOut, top.block);
      host.setU64(sharedOut, top.sharedBytes);
      host.setU64(streamOut, top.stream);
      return 0;
    },
  };
}

/** An H200's runtime looks at only 32 bits of the shared-memory size. */
export function configurationOf(grid: Dim3, block: Dim3, sharedBytes: number, stream: number): Configuration {
  return { grid, block, sharedBytes: sharedBytes >>> 0, stream };
}

function launches(parts: LaunchParts, kernels: ReadonlyMap<number, Kernel>): Functions {
  const { host, unseenRefusals } = parts.context;
  const known = (stub: number) => {
    const kernel = kernels.get(stub);
    return kernel && { ...kernel, stub };
  };
  const launch = (stub: number, configuration: Configuration, args: number, cooperative: boolean, attributes?: Map<number, Uint8Array>) =>
    launchKernel(parts, known(stub), configuration, { args, cooperative, attributes });
  return {
    cudaLaunchKernel: (stub, grid, block, args, sharedBytes, stream) => {
      const configuration = configurationOf(dim3At(host, grid), dim3At(host, block), sharedBytes, stream);
      const code = launch(stub, configuration, args, false);
      const kernel = kernels.get(stub);
      if (code !== CUDA.Success && kernel) unseenRefusals.push({ kernel: kernel.name, code });
      return code;
    },
    cudaLaunchCooperativeKernel: (stub, grid, block, args, sharedBytes, stream) =>
      launch(stub, configurationOf(dim3At(host, grid), dim3At(host, block), sharedBytes, stream), args, true),
    cudaLaunchKernelExC: (config, stub, args) => {
      let cooperative = false;
      let attributes: Map<number, Uint8Array> | undefined;
      for (let i = 0; i < host.u32(config + CONFIG.numAttrs); i++) {
        const attribute = host.u64(config + CONFIG.attrs) + SIZE_BYTES.cudaLaunchAttribute * i;
        const id = host.u32(attribute + FIELDS.cudaLaunchAttribute.id);
        // The value is a dim3 or an int.
        const value = dim3At(host, attribute + FIELDS.cudaLaunchAttribute.val);
        if (id === LAUNCH_COOPERATIVE) cooperative = value[0] !== 0;
        if (id === ACCESS_POLICY_WINDOW)
          attributes = new Map([[id, host.read(attribute + FIELDS.cudaLaunchAttribute.val, SIZE_BYTES.cudaLaunchAttributeValue)]]);
      }
      const [grid, block] = [dim3At(host, config + CONFIG.gridDim), dim3At(host, config + CONFIG.blockDim)];
      const [sharedBytes, stream] = [host.u64(config + CONFIG.dynamicSmemBytes), host.u64(config + CONFIG.stream)];
      const configuration = { ...configurationOf(grid, block, sharedBytes, stream), cluster: clusterOf(host, config) };
      return launch(stub, configuration, args, cooperative, attributes);
    },
  };
}

/** The cluster that a launch asks for. */
function clusterOf(host: HostMemory, config: number): Dim3 | undefined {
  for (let i = 0; i < host.u32(config + CONFIG.numAttrs); i++) {
    const attribute = host.u64(config + CONFIG.attrs) + SIZE_BYTES.cudaLaunchAttribute * i;
    if (host.u32(attribute + FIELDS.cudaLaunchAttribute.id) === LAUNCH_CLUSTER)
      return dim3At(host, attribute + FIELDS.cudaLaunchAttribute.val);
  }
  return undefined;
}

function launchKernel(
  parts: LaunchParts,
  kernel: (Kernel & { readonly stub: number }) | undefined,
  configuration: Configuration,
  how: LaunchOptions,
): number {
  if (!kernel) return CUDA.InvalidResourceHandle;
  const prepared = preparedLaunch(parts, kernel, configuration, how);
  if (typeof prepared === 'number') return prepared;
  return parts.streams.submit(configuration.stream, prepared.run, '', {
    kernel: kernel.stub,
    launch: prepared.launch,
    attributes: prepared.attributes,
  });
}

interface LaunchOptions {
  /** Address of the arguments' addresses. */
  readonly args: number;
  readonly cooperative: boolean;
  /** Of this launch, by cudaLaunchAttributeID; those of its stream unless given. Looked at when it runs. */
  readonly attributes?: Map<number, Uint8Array>;
}

interface PreparedLaunch {
  readonly launch: Launch;
  readonly attributes: Map<number, Uint8Array>;
  run(): number;
}

/** A launch that is checked, with its arguments read; an error where it must fail. */
export function preparedLaunch(
  { context, program, streams }: LaunchParts,
  kernel: Kernel,
  configuration: Configuration,
  { args, cooperative, attributes }: LaunchOptions,
): PreparedLaunch | number {
  const { ir } = kernel.unit.module;
  const definition = ir.functions.get(kernel.name);
  // A kernel that the parser refused has no definition: running it names the reason.
  if (!definition && !ir.unsupported.has(kernel.name)) return CUDA.InvalidDeviceFunction;
  const stream = streams.get(configuration.stream);
  // A kernel runs on the device that is chosen, in a stream of it.
  if (stream?.queue.device.index !== context.current.index) return CUDA.InvalidResourceHandle;
  const code = limits(context, kernel, configuration, cooperative);
  if (code !== CUDA.Success) return code;
  const { grid, block, sharedBytes } = configuration;
  const asked = configuration.cluster ?? clusterIn(attributes);
  const cluster = definition?.cluster ?? asked;
  const clusterCode = clusterError(context, kernel, { ...configuration, cluster: asked });
  if (clusterCode !== CUDA.Success) return clusterCode;
  const own = attributes ?? new Map();
  for (const [attribute, bytes] of attributes ? [] : launchAttributes(stream)) own.set(attribute, bytes);
  const launch = {
    kernel: kernel.name,
    grid,
    block,
    dynamicSharedBytes: sharedBytes,
    args: definition ? argumentBytes(context, definition, args) : [],
    cooperative,
    ...(cluster && blocksOf(cluster) > 1 && { cluster }),
  };
  const run = () => {
    const window = windowOf(own, context.persistingL2Bytes);
    program.run(kernel.unit, window ? { ...launch, window } : launch);
    return CUDA.Success;
  };
  return { launch, run, attributes: own };
}

/** Which limit of the device a launch exceeds, as CUDA 13 reports it on an H200. */
function limits(context: CudaContext, kernel: Kernel, { grid, block, sharedBytes }: Configuration, cooperative: boolean): number {
  const { device } = context;
  const threads = block[0] * block[1] * block[2];
  const definition = definitionOf(kernel);
  const staticBytes = staticSharedBytes(kernel);
  const mostDynamic = Math.max(device.sharedPerBlock - staticBytes, kernel.maxDynamicSharedBytes ?? 0);
  const exceeded =
    grid.some((size, axis) => size === 0 || size > device.maxGrid[axis]) ||
    block.some((size, axis) => size === 0 || size > device.maxBlock[axis]) ||
    threads > Math.min(device.maxThreadsPerBlock, definition?.maxThreads ?? device.maxThreadsPerBlock) ||
    sharedBytes > mostDynamic;
  if (exceeded) return CUDA.InvalidValue;
  if (!cooperative) return CUDA.Success;
  const resident = blocksPerMultiprocessor(context, threads, staticBytes + sharedBytes) * device.multiprocessors;
  return grid[0] * grid[1] * grid[2] > resident ? CUDA.CooperativeLaunchTooLarge : CUDA.Success;
}

/** What an attribute of a graph's node says. */
function clusterIn(attributes: ReadonlyMap<number, Uint8Array> | undefined): Dim3 | undefined {
  const bytes = attributes?.get(LAUNCH_CLUSTER);
  if (!bytes) return undefined;
  const [x, y, z] = new Uint32Array(bytes.slice(0, 12).buffer);
  return [x, y, z];
}

const blocksOf = ([x, y, z]: Dim3): number => x * y * z;

/** CUDA C++ Programming Guide, "Thread Block Clusters": 8 blocks are portable; more are allowed kernel by kernel. */
const PORTABLE_CLUSTER = 8;
const LARGEST_CLUSTER = 16;

/** Why a launch cannot have its cluster. */
function clusterError({ device }: CudaContext, kernel: Kernel, { grid, cluster }: Configuration): number {
  const fixed = definitionOf(kernel)?.cluster;
  const asked = fixed ?? cluster;
  if (!asked) return CUDA.Success;
  if (fixed && cluster && fixed.some((size, axis) => size !== cluster[axis])) return CUDA.InvalidClusterSize;
  if (asked.includes(0)) return CUDA.InvalidClusterSize;
  const most = device.computeCapability[0] < 9 ? 1 : kernel.largeClusters ? LARGEST_CLUSTER : PORTABLE_CLUSTER;
  if (blocksOf(asked) > most || grid.some((size, axis) => size % asked[axis] !== 0)) return CUDA.InvalidClusterSize;
  return CUDA.Success;
}

function definitionOf({ name, unit }: Kernel): IrFunction | undefined {
  return unit.module.ir.functions.get(name);
}

function staticSharedBytes({ name, unit }: Kernel): number {
  return unit.module.sharedBytes.get(name) ?? 0;
}

function argumentBytes({ host }: CudaContext, definition: IrFunction, args: number): Uint8Array[] {
  return definition.parameters.map(({ type, byval }, index) => {
    const at = host.u64(args + POINTER_BYTES * index);
    return host.read(at, byval ? sizeOf(byval.type) : storeSizeOf(type));
  });
}

function blocksPerMultiprocessor({ device }: CudaContext, threads: number, sharedBytes: number): number {
  if (threads === 0 || threads > device.maxThreadsPerBlock) return 0;
  const { blocks, warps, sharedMemory } = occupancyLimits(device, { threads, sharedBytes });
  return Math.min(blocks, warps, sharedMemory);
}

function setFunctionAttribute({ device }: CudaContext, kernel: Kernel | undefined, attribute: number, value: number): number {
  if (!kernel) return CUDA.InvalidDeviceFunction;
  if (!FUNC_ATTRIBUTES.includes(attribute)) return CUDA.InvalidValue;
  if (attribute === FUNC_LARGE_CLUSTERS) kernel.largeClusters = value !== 0;
  if (attribute !== FUNC_MAX_DYNAMIC_SHARED) return CUDA.Success;
  if (value > device.sharedPerBlockOptin - staticSharedBytes(kernel)) return CUDA.InvalidValue;
  kernel.maxDynamicSharedBytes = value;
  return CUDA.Success;
}

/** Where a kernel's parameters lie one behind the other. */
function parameterPlaces(definition: IrFunction | undefined): { readonly offset: number; readonly sizeBytes: number }[] {
  let end = 0;
  return (definition?.parameters ?? []).map(({ type, byval }) => {
    const sizeBytes = byval ? sizeOf(byval.type) : storeSizeOf(type);
    const align = byval?.align ?? Math.min(16, sizeBytes);
    const offset = Math.ceil(end / align) * align;
    end = offset + sizeBytes;
    return { offset, sizeBytes };
  });
}

function attributes({ context }: LaunchParts, kernels: ReadonlyMap<number, Kernel>): Functions {
  const { host } = context;
  const accepted = (stub: number) => (kernels.has(stub) ? CUDA.Success : CUDA.InvalidDeviceFunction);
  return {
    cudaFuncSetAttribute: (stub, attribute, value) => setFunctionAttribute(context, kernels.get(stub), attribute, value),
    cudaFuncSetCacheConfig: accepted,
    cudaFuncSetSharedMemConfig: accepted,
    cudaFuncGetAttributes: (out, stub) => {
      const kernel = kernels.get(stub);
      if (!kernel) return CUDA.InvalidDeviceFunction;
      const { device } = context;
      const definition = definitionOf(kernel);
      const staticBytes = staticSharedBytes(kernel);
      const version = device.computeCapability[0] * 10 + device.computeCapability[1];
      const dynamicBytes = Math.max(device.sharedPerBlock - staticBytes, kernel.maxDynamicSharedBytes ?? 0);
      const threads = definition?.maxThreads ?? device.maxThreadsPerBlock;
      const at = FIELDS.cudaFuncAttributes;
      host.setU64(out + at.sharedSizeBytes, staticBytes);
      host.setU64(out + at.constSizeBytes, 0);
      host.setU64(out + at.localSizeBytes, localVariableBytes(definition));
      host.setU32(out + at.maxThreadsPerBlock, threads);
      host.setU32(out + at.numRegs, ASSUMED_REGISTERS);
      host.setU32(out + at.ptxVersion, version);
      host.setU32(out + at.binaryVersion, version);
      host.setU32(out + at.cacheModeCA, 0);
      host.setU32(out + at.maxDynamicSharedSizeBytes, dynamicBytes);
      host.setU32(out + at.preferredShmemCarveout, -1);
      const [width, height, depth] = definition?.cluster ?? [0, 0, 0];
      host.setU32(out + at.clusterDimMustBeSet, Number(definition?.cluster !== undefined));
      host.setU32(out + at.requiredClusterWidth, width);
      host.setU32(out + at.requiredClusterHeight, height);
      host.setU32(out + at.requiredClusterDepth, depth);
      host.setU32(out + at.nonPortableClusterSizeAllowed, Number(kernel.largeClusters ?? false));
      return CUDA.Success;
    },
    // Functions of the runtime and of the driver are the same here, and so are kernels.
    cudaGetFuncBySymbol: (out, stub) => {
      if (!kernels.has(stub)) return CUDA.InvalidDeviceFunction;
      host.setU64(out, stub);
      return CUDA.Success;
    },
    cudaGetKernel: (out, stub) => {
      if (!kernels.has(stub)) return CUDA.InvalidDeviceFunction;
      host.setU64(out, stub);
      return CUDA.Success;
    },
    cudaKernelSetAttributeForDevice: (stub, attribute, value, ordinal) =>
      ordinal < context.devices.length ? setFunctionAttribute(context, kernels.get(stub), attribute, value) : CUDA.InvalidDevice,
    cudaFuncGetParamInfo: (stub, index, offsetOut, sizeOut) => {
      const kernel = kernels.get(stub);
      if (!kernel) return CUDA.InvalidDeviceFunction;
      const parameter = parameterPlaces(definitionOf(kernel))[index];
      if (!parameter) return CUDA.InvalidValue;
      host.setU64(offsetOut, parameter.offset);
      if (sizeOut !== 0) host.setU64(sizeOut, parameter.sizeBytes);
      return CUDA.Success;
    },
    cudaFuncGetName: (out, stub) => {
      const kernel = kernels.get(stub);
      if (!kernel) return CUDA.InvalidDeviceFunction;
      host.setU64(out, host.keep(kernel.name));
      return CUDA.Success;
    },
  };
}

function occupancy({ context }: LaunchParts, kernels: ReadonlyMap<number, Kernel>): Functions {
  const { host } = context;
  const activeBlocks = (out: number, stub: number, threads: number, dynamicBytes: number): number => {
    const kernel = kernels.get(stub);
    if (!kernel) return CUDA.InvalidDeviceFunction;
    if (threads === 0) return CUDA.InvalidValue;
    const staticBytes = staticSharedBytes(kernel);
    host.setU32(out, blocksPerMultiprocessor(context, threads, staticBytes + dynamicBytes));
    return CUDA.Success;
  };
  return {
    cudaOccupancyMaxActiveBlocksPerMultiprocessor: activeBlocks,
    cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags: activeBlocks,
    // By blocks alone: how a GPU's multiprocessors are grouped is not known.
    cudaOccupancyMaxActiveClusters: (out, stub, config) => {
      const kernel = kernels.get(stub);
      if (!kernel) return CUDA.InvalidDeviceFunction;
      const [grid, cluster] = [dim3At(host, config + CONFIG.gridDim), clusterOf(host, config)];
      const code = clusterError(context, kernel, { grid, block: grid, sharedBytes: 0, stream: 0, cluster });
      if (code !== CUDA.Success) return code;
      const [x, y, z] = dim3At(host, config + CONFIG.blockDim);
      const sharedBytes = staticSharedBytes(kernel) + host.u64(config + CONFIG.dynamicSmemBytes);
      const blocks = blocksPerMultiprocessor(context, x * y * z, sharedBytes) * context.device.multiprocessors;
      host.setU32(out, Math.floor(blocks / blocksOf(definitionOf(kernel)?.cluster ?? cluster ?? [1, 1, 1])));
      return CUDA.Success;
    },
    cudaOccupancyMaxPotentialClusterSize: (out, stub) => {
      const kernel = kernels.get(stub);
      if (!kernel) return CUDA.InvalidDeviceFunction;
      host.setU32(out, context.device.computeCapability[0] < 9 ? 1 : kernel.largeClusters ? LARGEST_CLUSTER : PORTABLE_CLUSTER);
      return CUDA.Success;
    },
    cudaOccupancyAvailableDynamicSMemPerBlock: (out, stub, blocks, threads) => {
      if (!kernels.has(stub) || blocks === 0 || threads === 0) return CUDA.InvalidValue;
      const { device } = context;
      const perBlock = Math.floor(device.sharedPerMultiprocessor / blocks) - device.reservedSharedPerBlock;
      host.setU64(out, Math.max(0, Math.min(perBlock, device.sharedPerBlockOptin)));
      return CUDA.Success;
    },
  };
}

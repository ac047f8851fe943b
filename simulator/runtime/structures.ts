/**
 * CUDA's structures in the host program's memory: where the fields lie that the runtime reads and writes, on 64-bit Linux. The names are
 * those of driver_types.h; a test compares the numbers with our headers and with NVIDIA's.
 */
import type { Dim3 } from '../machine/launch.ts';
import { BadAddress, type HostMemory } from './host-memory.ts';

export const POINTER_BYTES = 8;

/** Offsets in bytes. */
export const FIELDS = {
  dim3: { x: 0, y: 4, z: 8 },
  cudaExtent: { width: 0, height: 8, depth: 16 },
  cudaPos: { x: 0, y: 8, z: 16 },
  cudaPitchedPtr: { ptr: 0, pitch: 8, xsize: 16, ysize: 24 },
  cudaMemcpy3DParms: { srcArray: 0, srcPos: 8, srcPtr: 32, dstArray: 64, dstPos: 72, dstPtr: 96, extent: 128, kind: 152 },
  cudaMemcpy3DPeerParms: { srcArray: 0, srcPos: 8, srcPtr: 32, dstArray: 72, dstPos: 80, dstPtr: 104, extent: 144 },
  cudaChannelFormatDesc: { x: 0, y: 4, z: 8, w: 12, f: 16 },
  cudaResourceViewDesc: {
    format: 0,
    width: 8,
    height: 16,
    depth: 24,
    firstMipmapLevel: 32,
    lastMipmapLevel: 36,
    firstLayer: 40,
    lastLayer: 44,
  },
  cudaTextureDesc: {
    addressMode: 0,
    filterMode: 12,
    readMode: 16,
    sRGB: 20,
    borderColor: 24,
    normalizedCoords: 40,
    maxAnisotropy: 44,
    mipmapFilterMode: 48,
    mipmapLevelBias: 52,
    minMipmapLevelClamp: 56,
    maxMipmapLevelClamp: 60,
    disableTrilinearOptimization: 64,
    seamlessCubemap: 68,
  },
  /** The union's members begin with a handle or a pointer; those of memory go on with a format and one or three sizes. */
  cudaResourceDesc: {
    resType: 0,
    res: 8,
    'res.linear.desc': 16,
    'res.linear.sizeInBytes': 40,
    'res.pitch2D.width': 40,
    'res.pitch2D.height': 48,
    'res.pitch2D.pitchInBytes': 56,
  },
  cudaKernelNodeParams: { func: 0, gridDim: 8, blockDim: 20, sharedMemBytes: 32, kernelParams: 40, extra: 48 },
  cudaMemcpyNodeParams: { flags: 0, copyParams: 16 },
  cudaMemsetParams: { dst: 0, pitch: 8, value: 16, elementSize: 20, width: 24, height: 32 },
  cudaHostNodeParams: { fn: 0, userData: 8 },
  cudaMemAllocNodeParams: { poolProps: 0, accessDescs: 88, accessDescCount: 96, bytesize: 104, dptr: 112 },
  cudaConditionalNodeParams: { handle: 0, type: 8, size: 12, phGraph_out: 16 },
  cudaGraphNodeParams: { type: 0, kernel: 16 },
  cudaGraphInstantiateParams: { flags: 0, uploadStream: 8, errNode_out: 16, result_out: 24 },
  cudaGraphExecUpdateResultInfo: { result: 0, errorNode: 8, errorFromNode: 16 },
  cudaMemPoolProps: { allocType: 0, handleTypes: 4, location: 8, maxSize: 24 },
  cudaMemLocation: { type: 0, id: 4 },
  cudaMemAccessDesc: { location: 0, flags: 8 },
  cudaMemcpy3DOperand: { type: 0, 'op.ptr.ptr': 8, 'op.ptr.rowLength': 16, 'op.ptr.layerHeight': 24, 'op.array.offset': 16 },
  cudaMemcpy3DBatchOp: { src: 0, dst: 40, extent: 80 },
  cudaPointerAttributes: { type: 0, device: 4, devicePointer: 8, hostPointer: 16 },
  cudaFuncAttributes: {
    sharedSizeBytes: 0,
    constSizeBytes: 8,
    localSizeBytes: 16,
    maxThreadsPerBlock: 24,
    numRegs: 28,
    ptxVersion: 32,
    binaryVersion: 36,
    cacheModeCA: 40,
    maxDynamicSharedSizeBytes: 44,
    preferredShmemCarveout: 48,
    clusterDimMustBeSet: 52,
    requiredClusterWidth: 56,
    requiredClusterHeight: 60,
    requiredClusterDepth: 64,
    nonPortableClusterSizeAllowed: 72,
  },
  cudaAccessPolicyWindow: { base_ptr: 0, num_bytes: 8, hitRatio: 16, hitProp: 20, missProp: 24 },
  cudaLaunchConfig_t: { gridDim: 0, blockDim: 12, dynamicSmemBytes: 24, stream: 32, attrs: 40, numAttrs: 48 },
  cudaLaunchAttribute: { id: 0, val: 8 },
} as const;

export const SIZE_BYTES = {
  dim3: 12,
  cudaKernelNodeParams: 56,
  cudaMemcpy3DParms: 160,
  cudaMemsetParams: 40,
  cudaHostNodeParams: 16,
  cudaMemAllocNodeParams: 120,
  cudaConditionalNodeParams: 24,
  cudaMemAccessDesc: 12,
  cudaMemcpy3DBatchOp: 112,
  cudaResourceDesc: 144,
  cudaTextureDesc: 72,
  cudaResourceViewDesc: 112,
  cudaLaunchAttribute: 72,
  cudaLaunchAttributeValue: 64,
} as const;

export function dim3At(host: HostMemory, at: number): Dim3 {
  const { x, y, z } = FIELDS.dim3;
  return [host.u32(at + x), host.u32(at + y), host.u32(at + z)];
}

export function setDim3(host: HostMemory, at: number, [x, y, z]: Dim3): void {
  host.setU32(at + FIELDS.dim3.x, x);
  host.setU32(at + FIELDS.dim3.y, y);
  host.setU32(at + FIELDS.dim3.z, z);
}

/** So many pointers or sizes, one behind the other. Throws BadAddress. */
export function pointersAt(host: HostMemory, at: number, count: number): number[] {
  if (count < 0 || count * POINTER_BYTES > host.sizeBytes) throw new BadAddress(at, 'read');
  return Array.from({ length: count }, (_, index) => host.u64(at + index * POINTER_BYTES));
}

/** A box of rows in bytes. */
export interface Extent {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
}

export function extentAt(host: HostMemory, at: number): Extent {
  const { width, height, depth } = FIELDS.cudaExtent;
  return { width: host.u64(at + width), height: host.u64(at + height), depth: host.u64(at + depth) };
}

export interface PitchedPointer {
  readonly pointer: number;
  readonly pitch: number;
  readonly xsize: number;
  readonly ysize: number;
}

export function pitchedPointerAt(host: HostMemory, at: number): PitchedPointer {
  const { ptr, pitch, xsize, ysize } = FIELDS.cudaPitchedPtr;
  return { pointer: host.u64(at + ptr), pitch: host.u64(at + pitch), xsize: host.u64(at + xsize), ysize: host.u64(at + ysize) };
}

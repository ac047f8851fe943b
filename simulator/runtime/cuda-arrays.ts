/**
 * CUDA arrays and mipmapped arrays: images in allocations of their own, which only copies, textures and surfaces reach. Formats that are
 * compressed or of several planes, sparse arrays and those that are mapped later are refused.
 */
import {
  type ChannelKind,
  type Image,
  type ImageLevel,
  levelAt,
  levelBytes,
  mipmapLevels,
  type Size3,
  type TexelFormat,
  texelBytes,
} from '../machine/images/image.ts';
import { apiCalls, type CudaContext, type Functions } from './cuda-context.ts';
import { CUDA } from './cuda-errors.ts';
import type { HostMemory } from './host-memory.ts';
import { extentAt, FIELDS } from './structures.ts';

export interface CudaArray {
  readonly image: Image;
  /** As it was asked for: 0 in directions that it does not have. */
  readonly extent: Size3;
  readonly flags: number;
  readonly format: ChannelFormat;
  /** It is a level of a mipmapped array, which owns its memory. */
  readonly isLevel: boolean;
}

/** As cudaChannelFormatDesc has it. */
export interface ChannelFormat {
  readonly bits: readonly [number, number, number, number];
  readonly kind: number;
}

export const FLAG = { layered: 1, surface: 2, cubemap: 4, gather: 8, sparse: 0x40, deferred: 0x80 };
const KINDS: Readonly<Record<number, ChannelKind>> = { 0: 'signed', 1: 'unsigned', 2: 'float' };
/** Formats by number that read as normalized: the first of three, with 1, 2 and 4 channels, of so many bits. */
const NORMALIZED: readonly (readonly [first: number, kind: ChannelKind, bits: number])[] = [
  [5, 'unsigned', 8],
  [8, 'unsigned', 16],
  [11, 'signed', 8],
  [14, 'signed', 16],
];

export class ArrayTable {
  readonly #arrays = new Map<number, CudaArray>();
  readonly #levels = new Map<number, number[]>();
  /** Far from what memory and streams have. */
  #next = 0x10000;

  add(array: CudaArray): number {
    this.#next += 0x10;
    this.#arrays.set(this.#next, array);
    return this.#next;
  }

  get(handle: number): CudaArray | undefined {
    return this.#arrays.get(handle);
  }

  remove(handle: number): CudaArray | undefined {
    const array = this.#arrays.get(handle);
    this.#arrays.delete(handle);
    for (const level of this.#levels.get(handle) ?? []) this.#arrays.delete(level);
    this.#levels.delete(handle);
    return array;
  }

  /** The handle of a level of a mipmapped array: the same whenever it is asked for. */
  level(handle: number, level: number): number | undefined {
    const mipmap = this.#arrays.get(handle);
    const at = mipmap?.image.levels[level];
    if (!mipmap || !at) return undefined;
    const known = this.#levels.get(handle) ?? [];
    this.#levels.set(handle, known);
    const { image, extent } = mipmap;
    const half = (length: number) => (length === 0 ? 0 : Math.max(1, length >> level));
    const depth = image.shape === '3d' ? half(extent.depth) : extent.depth;
    known[level] ??= this.add({
      ...mipmap,
      image: { ...image, levels: [at] },
      extent: { width: half(extent.width), height: half(extent.height), depth },
      isLevel: true,
    });
    return known[level];
  }
}

export function channelFormatAt(host: HostMemory, at: number): ChannelFormat {
  const { x, y, z, w, f } = FIELDS.cudaChannelFormatDesc;
  return { bits: [host.u32(at + x), host.u32(at + y), host.u32(at + z), host.u32(at + w)], kind: host.u32(at + f) };
}

export function setChannelFormat(host: HostMemory, at: number, { bits, kind }: ChannelFormat): void {
  const { x, y, z, w, f } = FIELDS.cudaChannelFormatDesc;
  for (const [index, field] of [x, y, z, w].entries()) host.setU32(at + field, bits[index]);
  host.setU32(at + f, kind);
}

/** undefined: no texel has such a format, or the simulator does not know it. */
export function texelFormat({ bits, kind }: ChannelFormat): (TexelFormat & { readonly normalized: boolean }) | undefined {
  const normalized = NORMALIZED.find(([first]) => kind >= first && kind < first + 3);
  if (normalized) return { kind: normalized[1], bits: normalized[2], channels: [1, 2, 4][kind - normalized[0]], normalized: true };
  const channels = bits.filter((each) => each !== 0).length;
  const [width] = bits;
  const right = [8, 16, 32].includes(width) && bits.every((each, index) => each === (index < channels ? width : 0));
  if (!right || ![1, 2, 4].includes(channels) || KINDS[kind] === undefined || (kind === 2 && width === 8)) return undefined;
  return { kind: KINDS[kind], bits: width, channels, normalized: false };
}

interface Wanted {
  readonly format: ChannelFormat;
  readonly extent: Size3;
  readonly flags: number;
  readonly levels: number;
}

/** The image of an array, at address 0; an error where there is none. */
function imageOf({ format, extent, flags, levels }: Wanted): Image | number {
  const texel = texelFormat(format);
  if (!texel) return format.kind >= 17 || format.kind === 4 ? CUDA.NotSupported : CUDA.InvalidChannelDescriptor;
  if (flags & (FLAG.sparse | FLAG.deferred)) return CUDA.NotSupported;
  const { width, height, depth } = extent;
  const [layered, cube] = [(flags & FLAG.layered) !== 0, (flags & FLAG.cubemap) !== 0];
  if (width <= 0 || Math.min(height, depth) < 0 || (layered && depth === 0)) return CUDA.InvalidValue;
  if (cube && (width !== height || (layered ? depth % 6 !== 0 : depth !== 6))) return CUDA.InvalidValue;
  if (depth > 0 && height === 0 && !layered) return CUDA.InvalidValue;
  const shape = cube ? 'cube' : height === 0 ? '1d' : depth === 0 || layered ? '2d' : '3d';
  const layers = layered || cube ? depth : 1;
  const size = { width, height: Math.max(1, height), depth: Math.max(1, depth) };
  const most = 1 + Math.floor(Math.log2(Math.max(width, height, shape === '3d' ? depth : 1)));
  const parts = { shape, layered, layers, format: texel } as const;
  return { ...parts, levels: mipmapLevels(size, Math.min(Math.max(1, levels), most), parts) };
}

function placed(image: Image, address: number): Image {
  return { ...image, levels: image.levels.map((level) => ({ ...level, address: level.address + address })) };
}

function bytesOf({ levels }: Image): number {
  const last = levels[levels.length - 1];
  return last.address - levels[0].address + levelBytes(last);
}

export function arrayFunctions(context: CudaContext, arrays: ArrayTable): Functions {
  const { host } = context;
  return {
    // Gives a structure, not an error: the first argument says where.
    cudaCreateChannelDesc: (out, x, y, z, w, kind) => {
      setChannelFormat(host, out, { bits: [x, y, z, w], kind });
      return 0;
    },
    ...apiCalls(context, { ...allocations(context, arrays), ...questions(context, arrays) }),
  };
}

function allocations(context: CudaContext, arrays: ArrayTable): Functions {
  const { host, memory } = context;
  const allocate = (call: string, out: number, wanted: Wanted): number => {
    if (out === 0) return CUDA.InvalidValue;
    const image = imageOf(wanted);
    if (typeof image === 'number') return image;
    const sizeBytes = bytesOf(image);
    const allocation = memory.allocate(sizeBytes, context.label(call));
    if (!allocation) return context.refuse(call, sizeBytes);
    host.setU64(out, arrays.add({ ...wanted, image: placed(image, allocation.address), isLevel: false }));
    return CUDA.Success;
  };
  const release = (call: string) => (handle: number) => {
    const error = context.synchronizeAll();
    if (error !== CUDA.Success || handle === 0) return error;
    const array = arrays.get(handle);
    if (!array || array.isLevel) return CUDA.InvalidResourceHandle;
    arrays.remove(handle);
    memory.release(array.image.levels[0].address, `${call} ${context.launchesSoFar()}`);
    context.freed++;
    return CUDA.Success;
  };
  const flat = (width: number, height: number): Size3 => ({ width, height, depth: 0 });
  return {
    cudaMallocArray: (out, format, width, height, flags) =>
      allocate('cudaMallocArray', out, { format: channelFormatAt(host, format), extent: flat(width, height), flags, levels: 1 }),
    cudaMalloc3DArray: (out, format, extent, flags) =>
      allocate('cudaMalloc3DArray', out, { format: channelFormatAt(host, format), extent: extentAt(host, extent), flags, levels: 1 }),
    cudaMallocMipmappedArray: (out, format, extent, levels, flags) =>
      allocate('cudaMallocMipmappedArray', out, { format: channelFormatAt(host, format), extent: extentAt(host, extent), flags, levels }),
    cudaFreeArray: release('cudaFreeArray'),
    cudaFreeMipmappedArray: release('cudaFreeMipmappedArray'),
    cudaGetMipmappedArrayLevel: (out, mipmap, level) => {
      const handle = arrays.level(mipmap, level);
      if (handle === undefined) return arrays.get(mipmap) ? CUDA.InvalidValue : CUDA.InvalidResourceHandle;
      host.setU64(out, handle);
      return CUDA.Success;
    },
  };
}

function questions({ host }: CudaContext, arrays: ArrayTable): Functions {
  /** Sparse arrays alone have these, and nobody can make one. */
  const onlySparse = (_out: number, handle: number) => (arrays.get(handle) ? CUDA.InvalidValue : CUDA.InvalidResourceHandle);
  const requirements = (_out: number, handle: number) => onlySparse(_out, handle);
  return {
    cudaGetChannelDesc: (out, handle) => {
      const array = arrays.get(handle);
      if (!array) return CUDA.InvalidResourceHandle;
      setChannelFormat(host, out, array.format);
      return CUDA.Success;
    },
    cudaArrayGetInfo: (formatOut, extentOut, flagsOut, handle) => {
      const array = arrays.get(handle);
      if (!array) return CUDA.InvalidResourceHandle;
      const { width, height, depth } = FIELDS.cudaExtent;
      if (formatOut !== 0) setChannelFormat(host, formatOut, array.format);
      if (extentOut !== 0) {
        host.setU64(extentOut + width, array.extent.width);
        host.setU64(extentOut + height, array.extent.height);
        host.setU64(extentOut + depth, array.extent.depth);
      }
      if (flagsOut !== 0) host.setU32(flagsOut, array.flags);
      return CUDA.Success;
    },
    // Formats of one plane have none.
    cudaArrayGetPlane: (_out, handle) => (arrays.get(handle) ? CUDA.InvalidValue : CUDA.InvalidResourceHandle),
    cudaArrayGetSparseProperties: onlySparse,
    cudaMipmappedArrayGetSparseProperties: onlySparse,
    cudaArrayGetMemoryRequirements: requirements,
    cudaMipmappedArrayGetMemoryRequirements: requirements,
  };
}

/** Memory of a program as an image; undefined for a format that textures do not have. */
export function linearImage(
  address: number,
  { width, height, pitchBytes }: { readonly width: number; readonly height: number; readonly pitchBytes: number },
  format: TexelFormat,
): Image {
  const level: ImageLevel = {
    ...levelAt(address, { width, height, depth: 1 }, 1, format),
    rowBytes: pitchBytes,
    sliceBytes: pitchBytes * height,
  };
  return { shape: height === 1 ? 'linear' : '2d', layered: false, layers: 1, format, levels: [level] };
}

/** Texels that fit into so many bytes. */
export function texelsIn(sizeBytes: number, format: TexelFormat): number {
  return Math.floor(sizeBytes / texelBytes(format));
}

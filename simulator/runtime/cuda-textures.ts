/** Texture and surface objects: what their descriptors ask for, checked, and given to the device under a handle. */
import { type Image, type ImageObjects, type TexelFormat, texelBytes } from '../machine/images/image.ts';
import type { AddressMode, FilterMode, Sampling, Texture } from '../machine/images/texture.ts';
import { type ArrayTable, type ChannelFormat, channelFormatAt, FLAG, linearImage, texelFormat, texelsIn } from './cuda-arrays.ts';
import { apiCalls, type CudaContext, type Functions } from './cuda-context.ts';
import { CUDA } from './cuda-errors.ts';
import type { Symbols } from './cuda-memory.ts';
import type { HostMemory } from './host-memory.ts';
import { FIELDS, SIZE_BYTES } from './structures.ts';

const RESOURCE = FIELDS.cudaResourceDesc;
const TEXTURE = FIELDS.cudaTextureDesc;
const VIEW = FIELDS.cudaResourceViewDesc;

/** cudaResourceType. */
const ARRAY = 0;
const MIPMAP = 1;
const LINEAR = 2;
const PITCH_2D = 3;
/** cudaDevAttrTextureAlignment and cudaDevAttrTexturePitchAlignment of an H200. */
const ALIGNMENT = 512;
const PITCH_ALIGNMENT = 32;
/** cudaDevAttrMaxTexture1DLinear. */
const MOST_LINEAR_TEXELS = 268435456;

/** What an object was made from, to be given back. */
interface Descriptors {
  readonly resource: Uint8Array;
  readonly texture?: Uint8Array;
  readonly view?: Uint8Array;
}

interface Resource {
  readonly image: Image;
  /** Integers of the format are read as numbers from 0 or -1 to 1, whatever the texture says. */
  readonly normalized: boolean;
  readonly isMipmap: boolean;
  readonly flags: number;
}

export function textureFunctions(context: CudaContext, arrays: ArrayTable, symbols: Symbols): Functions {
  return apiCalls(context, { ...textureCalls(context, arrays), ...surfaceCalls(context, arrays), ...referenceCalls(context, symbols) });
}

/**
 * Texture and surface references, of which lanewise/texture-references.h makes objects. Addresses of device variables lie far above the
 * handles of objects.
 */
function referenceCalls({ host, memory }: CudaContext, symbols: Symbols): Functions {
  const bind =
    <T>(objects: ImageObjects<T>) =>
    (reference: number, object: number) => {
      const variable = symbols.get(reference);
      // One that no kernel reads is not in the module.
      if (variable) objects.bind(variable.address, object === 0 ? undefined : objects.get(object));
      return CUDA.Success;
    };
  return {
    __lanewise_bind_texture: bind(memory.textures),
    __lanewise_bind_surface: bind(memory.surfaces),
    __lanewise_bytes_from: (out, pointer) => {
      const allocation = memory.find(pointer, 1);
      if (!allocation) return CUDA.InvalidValue;
      host.setU64(out, allocation.address + allocation.sizeBytes - pointer);
      return CUDA.Success;
    },
  };
}

function textureCalls(context: CudaContext, arrays: ArrayTable): Functions {
  const { host, memory } = context;
  const known = new Map<number, Descriptors>();
  const describe = (part: 'resource' | 'texture' | 'view') => (out: number, handle: number) => {
    const bytes = known.get(handle)?.[part];
    if (!bytes) return CUDA.InvalidValue;
    host.write(out, bytes);
    return CUDA.Success;
  };
  return {
    cudaCreateTextureObject: (out, resourceAt, textureAt, viewAt) => {
      if (out === 0 || textureAt === 0) return CUDA.InvalidValue;
      const resource = resourceOf(context, arrays, resourceAt);
      if (typeof resource === 'number') return resource;
      const viewed = viewAt === 0 ? resource.image : viewOf(host, viewAt, resource);
      if (typeof viewed === 'number') return viewed;
      const sampling = samplingOf(host, textureAt, resource, viewed);
      if (typeof sampling === 'number') return sampling;
      const handle = memory.textures.add({ image: viewed, sampling } satisfies Texture);
      known.set(handle, {
        resource: host.read(resourceAt, SIZE_BYTES.cudaResourceDesc),
        texture: host.read(textureAt, SIZE_BYTES.cudaTextureDesc),
        view: viewAt === 0 ? new Uint8Array(SIZE_BYTES.cudaResourceViewDesc) : host.read(viewAt, SIZE_BYTES.cudaResourceViewDesc),
      });
      host.setU64(out, handle);
      return CUDA.Success;
    },
    cudaDestroyTextureObject: (handle) => {
      known.delete(handle);
      return handle === 0 || memory.textures.remove(handle) ? CUDA.Success : CUDA.InvalidValue;
    },
    cudaGetTextureObjectResourceDesc: describe('resource'),
    cudaGetTextureObjectTextureDesc: describe('texture'),
    cudaGetTextureObjectResourceViewDesc: describe('view'),
    cudaDeviceGetTexture1DLinearMaxWidth: (out, format, ordinal) => {
      if (ordinal !== 0) return CUDA.InvalidDevice;
      const texel = texelFormat(channelFormatAt(host, format));
      if (!texel) return CUDA.InvalidChannelDescriptor;
      host.setU64(out, Math.min(MOST_LINEAR_TEXELS, texelsIn(context.device.globalBytes, texel)));
      return CUDA.Success;
    },
  };
}

function surfaceCalls({ host, memory }: CudaContext, arrays: ArrayTable): Functions {
  const known = new Map<number, Uint8Array>();
  return {
    cudaCreateSurfaceObject: (out, resourceAt) => {
      if (out === 0 || host.u32(resourceAt + RESOURCE.resType) !== ARRAY) return CUDA.InvalidValue;
      const array = arrays.get(host.u64(resourceAt + RESOURCE.res));
      if (!array) return CUDA.InvalidResourceHandle;
      if (!(array.flags & FLAG.surface)) return CUDA.InvalidValue;
      const handle = memory.surfaces.add(array.image);
      known.set(handle, host.read(resourceAt, SIZE_BYTES.cudaResourceDesc));
      host.setU64(out, handle);
      return CUDA.Success;
    },
    cudaDestroySurfaceObject: (handle) => {
      known.delete(handle);
      return handle === 0 || memory.surfaces.remove(handle) ? CUDA.Success : CUDA.InvalidValue;
    },
    cudaGetSurfaceObjectResourceDesc: (out, handle) => {
      const bytes = known.get(handle);
      if (!bytes) return CUDA.InvalidValue;
      host.write(out, bytes);
      return CUDA.Success;
    },
  };
}

function resourceOf(context: CudaContext, arrays: ArrayTable, at: number): Resource | number {
  const { host } = context;
  const type = host.u32(at + RESOURCE.resType);
  if (type === ARRAY || type === MIPMAP) {
    const array = arrays.get(host.u64(at + RESOURCE.res));
    if (!array) return CUDA.InvalidResourceHandle;
    const normalized = texelFormat(array.format)?.normalized ?? false;
    return { image: array.image, normalized, isMipmap: type === MIPMAP, flags: array.flags };
  }
  if (type !== LINEAR && type !== PITCH_2D) return CUDA.InvalidValue;
  const format = texelFormat(channelFormatAt(host, at + RESOURCE['res.linear.desc']));
  if (!format) return CUDA.InvalidChannelDescriptor;
  const address = host.u64(at + RESOURCE.res);
  // The length in bytes, or the width in texels.
  const first = host.u64(at + RESOURCE['res.linear.sizeInBytes']);
  if (address % ALIGNMENT !== 0) return CUDA.InvalidValue;
  const size =
    type === LINEAR
      ? { width: texelsIn(first, format), height: 1, pitchBytes: first }
      : {
          width: first,
          height: host.u64(at + RESOURCE['res.pitch2D.height']),
          pitchBytes: host.u64(at + RESOURCE['res.pitch2D.pitchInBytes']),
        };
  if (size.width <= 0 || size.height <= 0 || size.width > MOST_LINEAR_TEXELS) return CUDA.InvalidValue;
  if (type === PITCH_2D && (size.pitchBytes % PITCH_ALIGNMENT !== 0 || size.pitchBytes < size.width * texelBytes(format))) {
    return CUDA.InvalidValue;
  }
  const place = context.locate(address, type === LINEAR ? 1 : (size.height - 1) * size.pitchBytes + size.width * texelBytes(format));
  if (!place || place.side === 'host') return CUDA.InvalidValue;
  const start = context.deviceAddress(address);
  const image = linearImage(start, type === LINEAR ? inside(context, start, size, format) : size, format);
  return {
    image: type === PITCH_2D ? { ...image, shape: '2d' } : image,
    normalized: format.normalized,
    isMipmap: false,
    flags: FLAG.gather,
  };
}

/**
 * A row may be said to have more texels than its memory, as in NVIDIA's convolutionFFT2D, which runs. Those that are not there are read as
 * what lies behind a row.
 */
function inside<S extends { readonly width: number }>({ memory }: CudaContext, at: number, size: S, format: TexelFormat): S {
  const { address, sizeBytes } = memory.find(at, 1)!;
  const width = Math.min(size.width, texelsIn(address + sizeBytes - at, format));
  return { ...size, width, pitchBytes: width * texelBytes(format) };
}

/** Levels and layers of a resource, as another format of the same size. */
function viewOf(host: HostMemory, at: number, { image }: Resource): Image | number {
  const format = VIEW_FORMATS[host.u32(at + VIEW.format)];
  const texel = host.u32(at + VIEW.format) === 0 ? image.format : format && texelFormat(format);
  if (!texel) return CUDA.NotSupported;
  if (texelBytes(texel) !== texelBytes(image.format)) return CUDA.InvalidValue;
  const [firstLevel, lastLevel] = [host.u32(at + VIEW.firstMipmapLevel), host.u32(at + VIEW.lastMipmapLevel)];
  const [firstLayer, lastLayer] = [host.u32(at + VIEW.firstLayer), host.u32(at + VIEW.lastLayer)];
  if (lastLevel < firstLevel || lastLevel >= image.levels.length) return CUDA.InvalidValue;
  if (lastLayer < firstLayer || (image.layered && lastLayer >= image.layers)) return CUDA.InvalidValue;
  const layers = image.layered ? lastLayer - firstLayer + 1 : image.layers;
  const levels = image.levels.slice(firstLevel, lastLevel + 1).map((level) => {
    return image.layered ? { ...level, address: level.address + firstLayer * level.sliceBytes, depth: layers } : level;
  });
  return { ...image, format: texel, levels, layers };
}

/** cudaResourceViewFormat; those of compressed texels are missing. */
const VIEW_FORMATS: readonly (ChannelFormat | undefined)[] = [
  undefined,
  ...[
    { bits: 8, kind: 1 },
    { bits: 8, kind: 0 },
    { bits: 16, kind: 1 },
    { bits: 16, kind: 0 },
    { bits: 32, kind: 1 },
    { bits: 32, kind: 0 },
    { bits: 16, kind: 2 },
    { bits: 32, kind: 2 },
  ].flatMap(({ bits, kind }) =>
    [1, 2, 4].map((channels): ChannelFormat => {
      const [x, y, z, w] = [0, 1, 2, 3].map((index) => (index < channels ? bits : 0));
      return { bits: [x, y, z, w], kind };
    }),
  ),
];

const ADDRESS_MODES: readonly AddressMode[] = ['wrap', 'clamp', 'mirror', 'border'];
const FILTERS: readonly FilterMode[] = ['point', 'linear'];

function samplingOf(host: HostMemory, at: number, { normalized, isMipmap }: Resource, { format, shape }: Image): Sampling | number {
  const address = [0, 4, 8].map((offset) => ADDRESS_MODES[host.u32(at + TEXTURE.addressMode + offset)]);
  const filter = FILTERS[host.u32(at + TEXTURE.filterMode)];
  const levelFilter = FILTERS[host.u32(at + TEXTURE.mipmapFilterMode)];
  const [x, y, z] = address;
  if (!x || !y || !z || !filter || !levelFilter || host.u32(at + TEXTURE.readMode) > 1) return CUDA.InvalidValue;
  const normalizedRead = normalized || host.u32(at + TEXTURE.readMode) === 1;
  const normalizedCoordinates = host.u32(at + TEXTURE.normalizedCoords) !== 0;
  if (normalizedRead && format.kind !== 'float' && format.bits === 32) return CUDA.InvalidNormSetting;
  if (filter === 'linear' && format.kind !== 'float' && !normalizedRead) return CUDA.InvalidFilterSetting;
  if (isMipmap && !normalizedCoordinates) return CUDA.InvalidValue;
  // Filtering over the edges of cubes is not known.
  if (shape === 'cube' && filter === 'linear' && host.u32(at + TEXTURE.seamlessCubemap) !== 0) return CUDA.NotSupported;
  const f32 = (field: number) => host.f32(at + field);
  return {
    address: [x, y, z],
    filter,
    levelFilter,
    normalizedRead,
    normalizedCoordinates,
    sRgb: host.u32(at + TEXTURE.sRGB) !== 0,
    border: [f32(TEXTURE.borderColor), f32(TEXTURE.borderColor + 4), f32(TEXTURE.borderColor + 8), f32(TEXTURE.borderColor + 12)],
    levelBias: f32(TEXTURE.mipmapLevelBias),
    lowestLevel: isMipmap ? f32(TEXTURE.minMipmapLevelClamp) : 0,
    highestLevel: isMipmap ? f32(TEXTURE.maxMipmapLevelClamp) : 0,
  };
}

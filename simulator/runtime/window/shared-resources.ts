/** Buffers and textures of OpenGL in CUDA: registered, mapped for kernels, and given back. A texture is an array of CUDA's from then on. */
import { apiCalls, type CudaContext, type Functions } from '../cuda-context.ts';
import { CUDA } from '../cuda-errors.ts';
import type { GlTexture, OpenGl } from './opengl.ts';

const ERROR = { alreadyMapped: 208, notMapped: 211, notAnArray: 212, notAPointer: 213 } as const;
/** cudaGraphicsRegisterFlagsSurfaceLoadStore, and the flag of arrays that surfaces write to. */
const SURFACE = { registered: 4, array: 2 } as const;
const KIND = { signed: 0, unsigned: 1, float: 2 } as const;

/** Channels by OpenGL's internal formats: how many, of how many bits, of which kind. */
const FORMATS: Readonly<Record<number, readonly [channels: number, bits: number, kind: number]>> = {
  4: [4, 8, KIND.unsigned], // the number of channels, as it was in the beginning
  6408: [4, 8, KIND.unsigned], // RGBA
  32856: [4, 8, KIND.unsigned], // RGBA8
  32993: [4, 8, KIND.unsigned], // BGRA
  6403: [1, 8, KIND.unsigned], // RED
  33321: [1, 8, KIND.unsigned], // R8
  33323: [2, 8, KIND.unsigned], // RG8
  32832: [1, 8, KIND.unsigned], // LUMINANCE8
  32828: [1, 8, KIND.unsigned], // ALPHA8
  32859: [4, 16, KIND.unsigned], // RGBA16
  33326: [1, 32, KIND.float], // R32F
  33328: [2, 32, KIND.float], // RG32F
  34836: [4, 32, KIND.float], // RGBA32F
  34840: [1, 32, KIND.float], // LUMINANCE32F
  33325: [1, 16, KIND.float], // R16F
  34842: [4, 16, KIND.float], // RGBA16F
  36220: [4, 8, KIND.unsigned], // RGBA8UI
  36238: [4, 8, KIND.signed], // RGBA8I
  33330: [1, 8, KIND.unsigned], // R8UI
  33334: [1, 32, KIND.unsigned], // R32UI
  36208: [4, 32, KIND.unsigned], // RGBA32UI
  36226: [4, 32, KIND.signed], // RGBA32I
};

interface Resource {
  readonly buffer?: number;
  /** Of CUDA. */
  readonly array?: number;
  isMapped: boolean;
}

export function sharedResourceFunctions(context: CudaContext, gl: OpenGl, runtime: Functions): Functions {
  const { host } = context;
  const resources = new Map<number, Resource>();
  let next = 0x20000;
  const add = (out: number, resource: Omit<Resource, 'isMapped'>): number => {
    next += 0x10;
    resources.set(next, { ...resource, isMapped: false });
    host.setU64(out, next);
    return CUDA.Success;
  };
  const each = (count: number, at: number, change: (resource: Resource) => number): number => {
    const all: Resource[] = [];
    for (let k = 0; k < count; k++) {
      const resource = resources.get(host.u64(at + 8 * k));
      if (!resource) return CUDA.InvalidResourceHandle;
      all.push(resource);
    }
    for (const resource of all) {
      const code = change(resource);
      if (code !== CUDA.Success) return code;
    }
    return CUDA.Success;
  };
  const map = (resource: Resource): number => {
    if (resource.isMapped) return ERROR.alreadyMapped;
    resource.isMapped = true;
    return CUDA.Success;
  };
  const unmap = (resource: Resource): number => {
    if (!resource.isMapped) return ERROR.notMapped;
    resource.isMapped = false;
    return CUDA.Success;
  };
  const pointer = (out: number, size: number, resource: Resource | undefined): number => {
    if (!resource) return CUDA.InvalidResourceHandle;
    if (!resource.isMapped) return ERROR.notMapped;
    const buffer = resource.buffer === undefined ? undefined : gl.buffers.get(resource.buffer);
    if (!buffer) return ERROR.notAPointer;
    host.setU64(out, buffer.address);
    if (size !== 0) host.setU64(size, buffer.sizeBytes);
    return CUDA.Success;
  };
  /** As the runtime's first functions for it have it: by the buffer's own name. */
  const byName = new Map<number, Resource>();
  const named = (name: number, change: (resource: Resource) => number): number => {
    const resource = byName.get(name);
    return resource ? change(resource) : CUDA.InvalidResourceHandle;
  };
  const mapByName = (out: number, name: number): number =>
    named(name, (resource) => {
      const code = map(resource);
      return code === CUDA.Success ? pointer(out, 0, resource) : code;
    });
  return apiCalls(context, {
    cudaGraphicsGLRegisterBuffer: (out, name) => (gl.buffers.has(name) ? add(out, { buffer: name }) : CUDA.InvalidValue),
    cudaGraphicsGLRegisterImage: (out, name, _target, flags) => {
      const texture = gl.textures.get(name);
      if (!texture) return CUDA.InvalidValue;
      const array = arrayOf(context, texture, flags, runtime);
      return typeof array === 'number' ? array : add(out, array);
    },
    cudaGraphicsUnregisterResource: (handle) => {
      const resource = resources.get(handle);
      if (!resource) return CUDA.InvalidResourceHandle;
      resources.delete(handle);
      return resource.array === undefined ? CUDA.Success : (runtime.cudaFreeArray(resource.array) ?? CUDA.Success);
    },
    cudaGraphicsMapResources: (count, at) => each(count, at, map),
    cudaGraphicsUnmapResources: (count, at) => each(count, at, unmap),
    cudaGraphicsResourceSetMapFlags: (handle) => {
      const resource = resources.get(handle);
      if (!resource) return CUDA.InvalidResourceHandle;
      return resource.isMapped ? ERROR.alreadyMapped : CUDA.Success;
    },
    cudaGraphicsResourceGetMappedPointer: (out, size, handle) => pointer(out, size, resources.get(handle)),
    cudaGraphicsSubResourceGetMappedArray: (out, handle, index, level) => {
      const resource = resources.get(handle);
      if (!resource) return CUDA.InvalidResourceHandle;
      if (!resource.isMapped) return ERROR.notMapped;
      if (resource.array === undefined) return ERROR.notAnArray;
      if (index !== 0 || level !== 0) return CUDA.InvalidValue;
      host.setU64(out, resource.array);
      return CUDA.Success;
    },
    cudaGLRegisterBufferObject: (name) => {
      if (!gl.buffers.has(name)) return CUDA.InvalidValue;
      byName.set(name, { buffer: name, isMapped: false });
      return CUDA.Success;
    },
    cudaGLUnregisterBufferObject: (name) => (byName.delete(name) ? CUDA.Success : CUDA.InvalidResourceHandle),
    cudaGLSetBufferObjectMapFlags: (name) => named(name, () => CUDA.Success),
    cudaGLMapBufferObject: mapByName,
    cudaGLMapBufferObjectAsync: mapByName,
    cudaGLUnmapBufferObject: (name) => named(name, unmap),
    cudaGLUnmapBufferObjectAsync: (name) => named(name, unmap),
    cudaGLSetGLDevice: (device) => runtime.cudaSetDevice(device),
    cudaGLGetDevices: (count, devices, most) => {
      host.setU32(count, 1);
      if (most > 0) host.setU32(devices, 0);
      return CUDA.Success;
    },
  });
}

/** What a texture is for CUDA; an error where it has no such format. */
function arrayOf({ host }: CudaContext, { width, height, depth, internalFormat }: GlTexture, flags: number, runtime: Functions) {
  const format = FORMATS[internalFormat];
  if (!format) return CUDA.NotSupported;
  const [channels, bits, kind] = format;
  const words = [0, 1, 2, 3].map((k) => (k < channels ? bits : 0));
  const arguments_ = host.allocate(96);
  if (arguments_ === 0) return CUDA.MemoryAllocation;
  const [description, extent, out] = [0, 32, 64].map((offset) => arguments_ + offset);
  for (const [k, word] of [...words, kind].entries()) host.setU32(description + 4 * k, word);
  for (const [k, length] of [width, height, depth].entries()) host.setU64(extent + 8 * k, length);
  const code = runtime.cudaMalloc3DArray(out, description, extent, flags & SURFACE.registered ? SURFACE.array : 0);
  return code === CUDA.Success ? { array: host.u64(out) } : (code ?? CUDA.Success);
}

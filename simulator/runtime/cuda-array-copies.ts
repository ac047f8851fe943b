/** Copies to, from and between CUDA arrays: rows of texels, at positions in texels or, where a function says so, in bytes. */
import { texelBytes } from '../machine/images/image.ts';
import type { ArrayTable, CudaArray } from './cuda-arrays.ts';
import { apiCalls, type CudaContext, type Functions } from './cuda-context.ts';
import { CUDA } from './cuda-errors.ts';
import { BY_ADDRESS, copyRows, ON_DEVICES, type Rows, type Sides, type Volume } from './cuda-memory.ts';
import type { StreamTable } from './cuda-streams.ts';
import type { HostMemory } from './host-memory.ts';
import { extentAt, FIELDS, pitchedPointerAt } from './structures.ts';

/** Rows of an array from a position on, x in bytes; undefined where a box of that size would leave it. */
export function arrayRows(
  { image }: CudaArray,
  at: { readonly x: number; readonly y: number; readonly z: number },
  box: Volume,
): Rows | undefined {
  const [{ address, rowBytes, sliceBytes, height, depth }] = image.levels;
  const inside = at.x >= 0 && at.y >= 0 && at.z >= 0 && at.x + box.widthBytes <= rowBytes;
  if (!inside || at.y + box.height > height || at.z + box.depth > depth) return undefined;
  return { address: address + at.z * sliceBytes + at.y * rowBytes + at.x, pitchBytes: rowBytes, rowsPerSlice: height };
}

/** The copy that cudaMemcpy3DParms describe, read now and done when it is called; an error where they make no sense. */
export function copyOfParameters(
  context: CudaContext,
  arrays: ArrayTable,
  at: { readonly [Field in 'srcArray' | 'srcPos' | 'srcPtr' | 'dstArray' | 'dstPos' | 'dstPtr' | 'extent']: number },
  kind: number,
  sides?: Sides,
): (() => number) | number {
  const { host } = context;
  const [source, target] = [host.u64(at.srcArray), host.u64(at.dstArray)].map((handle) => ({ handle, array: arrays.get(handle) }));
  if ([source, target].some(({ handle, array }) => handle !== 0 && !array)) return CUDA.InvalidResourceHandle;
  const array = source.array ?? target.array;
  const elementBytes = array ? texelBytes(array.image.format) : 1;
  if (source.array && target.array && texelBytes(target.array.image.format) !== elementBytes) return CUDA.InvalidValue;
  const { width, height, depth } = extentAt(host, at.extent);
  const volume = { widthBytes: width * elementBytes, height, depth };
  const side = (of: { array?: CudaArray }, position: number, pointer: number) => {
    const { x, y, z } = FIELDS.cudaPos;
    const place = { x: host.u64(position + x), y: host.u64(position + y), z: host.u64(position + z) };
    return of.array ? arrayRows(of.array, { ...place, x: place.x * elementBytes }, volume) : pointerRows(host, pointer, place);
  };
  const [from, to] = [side(source, at.srcPos, at.srcPtr), side(target, at.dstPos, at.dstPtr)];
  return from && to ? () => copyRows(context, to, from, volume, kind, sides) : CUDA.InvalidValue;
}

function pointerRows(host: HostMemory, pitched: number, at: { readonly x: number; readonly y: number; readonly z: number }): Rows {
  const { pointer, pitch, ysize } = pitchedPointerAt(host, pitched);
  return { address: pointer + at.x + (at.y + at.z * ysize) * pitch, pitchBytes: pitch, rowsPerSlice: ysize };
}

/** As above, from cudaMemcpy3DParms in memory. */
export function copyOf3D(context: CudaContext, arrays: ArrayTable, parms: number): (() => number) | number {
  const { kind, ...fields } = FIELDS.cudaMemcpy3DParms;
  return copyOfParameters(context, arrays, shifted(fields, parms), context.host.u32(parms + kind));
}

export function copyOf3DPeer(context: CudaContext, arrays: ArrayTable, parms: number): (() => number) | number {
  return copyOfParameters(context, arrays, shifted(FIELDS.cudaMemcpy3DPeerParms, parms), BY_ADDRESS, ON_DEVICES);
}

function shifted<F extends Readonly<Record<string, number>>>(fields: F, by: number): F {
  return Object.fromEntries(Object.entries(fields).map(([name, offset]) => [name, offset + by])) as F;
}

interface Parts {
  readonly context: CudaContext;
  readonly arrays: ArrayTable;
  readonly streams: StreamTable;
}

export function arrayCopyFunctions(parts: Parts): Functions {
  const { context, streams } = parts;
  const copies = { ...boxCopies(parts), ...lineCopies(parts) };
  const functions: Functions = {};
  for (const [name, { call, streamAt }] of Object.entries(copies)) {
    functions[name] = (...args) => {
      streams.enter(0, name);
      return context.synchronize() || call(...args);
    };
    if (streamAt !== undefined)
      functions[`${name}Async`] = (...args) => streams.submit(args[streamAt], () => call(...args), `${name}Async`);
  }
  return apiCalls(context, functions);
}

type Copies = Readonly<Record<string, { readonly call: (...args: number[]) => number; readonly streamAt?: number }>>;

/** Boxes of rows. */
function boxCopies({ context, arrays }: Parts): Copies {
  const box = (widthBytes: number, height: number): Volume => ({ widthBytes, height, depth: 1 });
  const rows = (handle: number, x: number, y: number, volume: Volume) => {
    const array = arrays.get(handle);
    return array ? (arrayRows(array, { x, y, z: 0 }, volume) ?? CUDA.InvalidValue) : CUDA.InvalidResourceHandle;
  };
  const run = (to: Rows | number, from: Rows | number, volume: Volume, kind: number) => {
    if (typeof to === 'number') return to;
    return typeof from === 'number' ? from : copyRows(context, to, from, volume, kind);
  };
  return {
    cudaMemcpy2DToArray: {
      streamAt: 8,
      call: (to, x, y, from, pitchBytes, width, height, kind) => {
        const volume = box(width, height);
        return run(rows(to, x, y, volume), { address: from, pitchBytes, rowsPerSlice: height }, volume, kind);
      },
    },
    cudaMemcpy2DFromArray: {
      streamAt: 8,
      call: (to, pitchBytes, from, x, y, width, height, kind) => {
        const volume = box(width, height);
        return run({ address: to, pitchBytes, rowsPerSlice: height }, rows(from, x, y, volume), volume, kind);
      },
    },
    cudaMemcpy2DArrayToArray: {
      call: (to, dx, dy, from, sx, sy, width, height, kind) => {
        const volume = box(width, height);
        return run(rows(to, dx, dy, volume), rows(from, sx, sy, volume), volume, kind);
      },
    },
  };
}

/** So many bytes from a position on, over the ends of rows: the rows of an array lie one behind the other. */
function lineCopies({ context, arrays }: Parts): Copies {
  const line = (handle: number, x: number, y: number, count: number): Rows | number => {
    const array = arrays.get(handle);
    if (!array) return CUDA.InvalidResourceHandle;
    const [{ address, rowBytes, height }] = array.image.levels;
    const start = y * rowBytes + x;
    if (x < 0 || y < 0 || count < 0 || x > rowBytes || start + count > rowBytes * height) return CUDA.InvalidValue;
    return plain(address + start, count);
  };
  const plain = (address: number, count: number): Rows => ({ address, pitchBytes: count, rowsPerSlice: 1 });
  const run = (to: Rows | number, from: Rows | number, count: number, kind: number) => {
    if (typeof to === 'number') return to;
    return typeof from === 'number' ? from : copyRows(context, to, from, { widthBytes: count, height: 1, depth: 1 }, kind);
  };
  return {
    cudaMemcpyToArray: { streamAt: 6, call: (to, x, y, from, count, kind) => run(line(to, x, y, count), plain(from, count), count, kind) },
    cudaMemcpyFromArray: {
      streamAt: 6,
      call: (to, from, x, y, count, kind) => run(plain(to, count), line(from, x, y, count), count, kind),
    },
    cudaMemcpyArrayToArray: {
      call: (to, dx, dy, from, sx, sy, count, kind) => run(line(to, dx, dy, count), line(from, sx, sy, count), count, kind),
    },
  };
}

/**
 * Images: what lies behind textures, surfaces and CUDA arrays. A texel has 1, 2 or 4 channels of equal width; an image has levels
 * (mipmaps), and a level has slices: layers, faces of cubes, or depth. All of it lies in allocations of device memory, row by row.
 */
import type { DeviceMemory } from '../device-memory.ts';
import { halfToNumber } from '../half.ts';

export type ChannelKind = 'signed' | 'unsigned' | 'float';

export interface TexelFormat {
  readonly kind: ChannelKind;
  /** 8, 16 or 32. */
  readonly bits: number;
  /** 1, 2 or 4. */
  readonly channels: number;
}

/** 1 for what an image does not have in a direction. */
export interface Size3 {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
}

export interface ImageLevel extends Size3 {
  readonly address: number;
  readonly rowBytes: number;
  readonly sliceBytes: number;
}

export interface Image {
  /** `linear`: memory of the program, one row of texels. */
  readonly shape: 'linear' | '1d' | '2d' | '3d' | 'cube';
  readonly layered: boolean;
  /** Layers of a layered image, 6 for each layer of cubes. */
  readonly layers: number;
  readonly format: TexelFormat;
  readonly levels: readonly ImageLevel[];
}

export function texelBytes({ bits, channels }: TexelFormat): number {
  return (bits / 8) * channels;
}

/** A level as its allocation holds it: `slices` are its depth, or its layers. */
export function levelAt(address: number, size: Size3, slices: number, format: TexelFormat): ImageLevel {
  const rowBytes = size.width * texelBytes(format);
  return { ...size, address, rowBytes, sliceBytes: rowBytes * size.height, depth: slices };
}

export function levelBytes({ sliceBytes, depth }: ImageLevel): number {
  return sliceBytes * depth;
}

/** The levels of a mipmap, each half as large as the one before it; layers stay. Addresses are offsets from the first. */
export function mipmapLevels(
  size: Size3,
  levels: number,
  { shape, layers, format }: Pick<Image, 'shape' | 'layers' | 'format'>,
): ImageLevel[] {
  const made: ImageLevel[] = [];
  let offset = 0;
  for (let level = 0; level < levels; level++) {
    const half = (length: number) => Math.max(1, length >> level);
    const slices = shape === '3d' ? half(size.depth) : layers;
    const each = levelAt(offset, { width: half(size.width), height: half(size.height), depth: slices }, slices, format);
    made.push(each);
    offset += Math.ceil(levelBytes(each) / LEVEL_ALIGN_BYTES) * LEVEL_ALIGN_BYTES;
  }
  return made;
}

/** cudaDevAttrTextureAlignment. */
const LEVEL_ALIGN_BYTES = 512;

/** Reads one channel at a byte offset: an integer, or the number of a float. */
export function channelReader({ kind, bits }: TexelFormat, { view }: DeviceMemory): (at: number) => number {
  if (kind === 'float') return bits === 16 ? (at) => halfToNumber(view.getUint16(at, true)) : (at) => view.getFloat32(at, true);
  if (bits === 8) return kind === 'signed' ? (at) => view.getInt8(at) : (at) => view.getUint8(at);
  if (bits === 16) return kind === 'signed' ? (at) => view.getInt16(at, true) : (at) => view.getUint16(at, true);
  return kind === 'signed' ? (at) => view.getInt32(at, true) : (at) => view.getUint32(at, true);
}

/** What the program has made of images: by the handles that kernels get. */
export class ImageObjects<T> {
  readonly #objects = new Map<number, T>();
  #last = 0;

  /** Handles count from 1 and are never given again. */
  add(object: T): number {
    this.#objects.set(++this.#last, object);
    return this.#last;
  }

  /** Gives an object, or none, a handle that the caller has chosen, above all that `add` gives. */
  bind(handle: number, object: T | undefined): void {
    if (object === undefined) this.#objects.delete(handle);
    else this.#objects.set(handle, object);
  }

  get(handle: number): T | undefined {
    return this.#objects.get(handle);
  }

  remove(handle: number): boolean {
    return this.#objects.delete(handle);
  }
}

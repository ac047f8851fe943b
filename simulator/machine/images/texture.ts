/**
 * Textures: an image and how it is read, by the CUDA C++ Programming Guide, "Texture Fetching", and as an H200 does (filter.ts). Not
 * known: what anisotropic filtering reads (the level alone is chosen), and filtering over the edges of cubes.
 */
import type { DeviceMemory } from '../device-memory.ts';
import { FRACTIONS, fixed, linearOf, normalized, planeWeights, type Sum, sumOf, upperShare } from './filter.ts';
import { channelReader, type Image, type ImageLevel, texelBytes } from './image.ts';

export type AddressMode = 'wrap' | 'clamp' | 'mirror' | 'border';
export type FilterMode = 'point' | 'linear';

export interface Sampling {
  /** Of x, y and z. */
  readonly address: readonly [AddressMode, AddressMode, AddressMode];
  readonly filter: FilterMode;
  /** Integers become numbers from 0 or -1 to 1. */
  readonly normalizedRead: boolean;
  /** Red, green and blue of 8 bits are sRGB. */
  readonly sRgb: boolean;
  readonly border: readonly [number, number, number, number];
  readonly normalizedCoordinates: boolean;
  readonly levelFilter: FilterMode;
  readonly levelBias: number;
  readonly lowestLevel: number;
  readonly highestLevel: number;
}

export interface Texture {
  readonly image: Image;
  readonly sampling: Sampling;
}

/** Where a lane reads. */
export interface Place {
  x: number;
  y: number;
  z: number;
  layer: number;
  level: number;
}

type Texel = [number, number, number, number];

/** Reads a texture: made once for all lanes of an instruction. Texels are in `out`, as numbers. */
export class Sampler {
  readonly #texture: Texture;
  readonly #read: (at: number) => number;
  readonly #convert: (value: number, channel: number) => number;
  readonly #sums: readonly Sum[];
  readonly #border: Texel;
  readonly #bytes: number;
  readonly #channelBytes: number;
  /** What is read with one result: weights that add up to 256, and the texels as they lie in memory. */
  #weights: number[] = [];
  #texels: Texel[] = [];
  /** Where given, addresses of the texels that are read are added to it. */
  touched: number[] | undefined;

  constructor(texture: Texture, memory: DeviceMemory) {
    const { format } = texture.image;
    const { sRgb, normalizedRead } = texture.sampling;
    this.#texture = texture;
    this.#read = channelReader(format, memory);
    this.#convert = conversion(texture);
    const sums = [sumOf(format, sRgb && normalizedRead && format.bits === 8), sumOf(format, false)];
    this.#sums = [sums[0], sums[0], sums[0], sums[1]];
    this.#border = borderTexel(texture);
    this.#bytes = texelBytes(format);
    this.#channelBytes = format.bits / 8;
  }

  /** tex1Dfetch: by the number of the texel, 0 outside. */
  fetch(index: number, out: Texel): void {
    const [level] = this.#texture.image.levels;
    if (index < 0 || index >= level.width) {
      out.fill(0);
      return;
    }
    this.#take(level, index, 0, 0, FRACTIONS);
    this.#result(out);
  }

  sample(place: Place, out: Texel): void {
    const { levels } = this.#texture.image;
    const { sampling } = this.#texture;
    const wanted = Math.min(Math.max(place.level + sampling.levelBias, sampling.lowestLevel), sampling.highestLevel);
    const level = Math.min(Math.max(wanted || 0, 0), levels.length - 1);
    if (sampling.levelFilter === 'point' || levels.length === 1) {
      this.#sampleLevel(levels[Math.floor(level + 0.5)] ?? levels[levels.length - 1], place, FRACTIONS);
    } else {
      const steps = Math.floor(level * FRACTIONS);
      const lower = Math.floor(steps / FRACTIONS);
      const share = steps - lower * FRACTIONS;
      this.#sampleLevel(levels[lower], place, FRACTIONS - share);
      if (share > 0) this.#sampleLevel(levels[lower + 1], place, share);
    }
    this.#result(out);
  }

  /** tex2Dgather: one channel of the four texels that would be interpolated, from the lower left on counter-clockwise. */
  gather({ x, y }: Place, channel: number, out: Texel): void {
    const [level] = this.#texture.image.levels;
    const [u, v] = [fixed(this.#scaled(x, level.width, 0)).index || 0, fixed(this.#scaled(y, level.height, 1)).index || 0];
    const texel: Texel = [0, 0, 0, 0];
    [[0, 1], [1, 1], [1, 0], [0, 0]].forEach(([dx, dy], index) => {
      this.#addressed(level, u + dx, v + dy, 0, FRACTIONS);
      this.#result(texel);
      out[index] = texel[channel & 3];
    }); // biome-ignore format: corners
  }

  /** The level of detail for these changes of the coordinates from one pixel to the next. */
  levelFor(dx: readonly [number, number, number], dy: readonly [number, number, number]): number {
    const [{ width, height, depth }] = this.#texture.image.levels;
    const size = this.#texture.sampling.normalizedCoordinates ? [width, height, this.#texture.image.shape === '3d' ? depth : 0] : [1, 1, 1];
    const length = (d: readonly number[]) => Math.hypot(...d.map((each, axis) => each * size[axis]));
    const most = Math.max(length(dx), length(dy));
    return most > 0 ? Math.log2(most) : Number.NEGATIVE_INFINITY;
  }

  /** Takes the texels of a level that share the weight `total`. */
  #sampleLevel(level: ImageLevel, place: Place, total: number): void {
    const { shape, layered, layers } = this.#texture.image;
    // A negative layer is a large number to the hardware.
    const layerOf = (count: number) => (!layered ? 0 : place.layer < 0 ? count - 1 : Math.min(place.layer, count - 1));
    if (shape === 'cube') {
      const { face, x, y } = cubePlace(place);
      const slice = layerOf(layers / FACES) * FACES + face;
      this.#plane(level, normalized(x) * level.width, normalized(y) * level.height, slice, total);
      return;
    }
    const x = this.#scaled(place.x, level.width, 0);
    // A row is a plane of height 1 that is read at 0: half of it is the border.
    const y = this.#isRow ? (layered ? 0.5 : 0) : this.#scaled(place.y, level.height, 1);
    if (shape === '3d') this.#volume(level, x, y, this.#scaled(place.z, level.depth, 2), total);
    else this.#plane(level, x, y, layerOf(layers), total);
  }

  /** In texels. What is no number is 0, and so is infinity where the texture repeats. */
  #scaled(coordinate: number, size: number, axis: 0 | 1 | 2): number {
    const { normalizedCoordinates, address } = this.#texture.sampling;
    if (Number.isNaN(coordinate)) return 0;
    if (!normalizedCoordinates) return coordinate;
    const period = { wrap: 1, mirror: 2, clamp: 0, border: 0 }[address[axis]];
    if (period === 0) return normalized(coordinate) * size;
    return Number.isFinite(coordinate) ? normalized(coordinate - Math.floor(coordinate / period) * period) * size : 0;
  }

  #plane(level: ImageLevel, x: number, y: number, slice: number, total: number, isLower = false): void {
    if (this.#texture.sampling.filter === 'point') {
      this.#addressed(level, Math.floor(x), Math.floor(y), slice, total);
      return;
    }
    const [u, v] = [fixed(x), fixed(y)];
    planeWeights(u.share, v.share, total, isLower).forEach((weight, corner) => {
      if (weight > 0) this.#addressed(level, u.index + (corner & 1), v.index + (corner >> 1), slice, weight);
    });
  }

  #volume(level: ImageLevel, x: number, y: number, z: number, total: number): void {
    const plane = (index: number, weight: number, isLower: boolean) => {
      const at = this.#index(index, level.depth, 2);
      if (at === undefined) this.#add(this.#border, weight);
      else this.#plane(level, x, y, at, weight, isLower);
    };
    if (this.#texture.sampling.filter === 'point') {
      plane(Math.floor(z), total, false);
      return;
    }
    const { index, share } = fixed(z);
    const upper = upperShare(total, share);
    if (upper < total) plane(index, total - upper, true);
    if (upper > 0) plane(index + 1, upper, false);
  }

  get #isRow(): boolean {
    const { shape } = this.#texture.image;
    return shape === '1d' || shape === 'linear';
  }

  /** The texel where the address modes lead. */
  #addressed(level: ImageLevel, x: number, y: number, slice: number, weight: number): void {
    const u = this.#index(x, level.width, 0);
    const v = this.#index(y, level.height, 1);
    if (u === undefined || v === undefined) this.#add(this.#border, weight);
    else this.#take(level, u, v, slice, weight);
  }

  /** undefined: the border's colour. */
  #index(index: number, size: number, axis: 0 | 1 | 2): number | undefined {
    const { address, normalizedCoordinates } = this.#texture.sampling;
    const mode = address[axis];
    if (index >= 0 && index < size) return index;
    if (mode === 'border') return undefined;
    // Wrapping and mirroring are for normalized coordinates alone.
    if (mode === 'clamp' || (!normalizedCoordinates && this.#texture.image.shape !== 'cube')) return index < 0 ? 0 : size - 1;
    if (mode === 'wrap') return index - Math.floor(index / size) * size;
    const within = index - Math.floor(index / (2 * size)) * 2 * size;
    return within < size ? within : 2 * size - 1 - within;
  }

  #take(level: ImageLevel, x: number, y: number, slice: number, weight: number): void {
    const at = level.address + slice * level.sliceBytes + y * level.rowBytes + x * this.#bytes;
    this.touched?.push(at);
    const { channels } = this.#texture.image.format;
    const texel: Texel = [0, 0, 0, 0];
    for (let channel = 0; channel < channels; channel++) texel[channel] = this.#read(at + channel * this.#channelBytes);
    this.#add(texel, weight);
  }

  #add(texel: Texel, weight: number): void {
    this.#weights.push(weight);
    this.#texels.push(texel);
  }

  /** What the taken texels make. A single one is only converted. */
  #result(out: Texel): void {
    const weights = this.#weights;
    const texels = this.#texels;
    const isSum = this.#texture.sampling.filter === 'linear' || texels.length > 1;
    for (let channel = 0; channel < 4; channel++) {
      if (isSum)
        out[channel] = this.#sums[channel](weights, texels.map((texel) => texel[channel])); // biome-ignore format: one line
      else out[channel] = this.#convert(texels[0][channel], channel);
    }
    this.#weights = [];
    this.#texels = [];
  }
}

const FACES = 6;

/** The border's colour as a texel would lie in memory. */
function borderTexel({ image: { format }, sampling: { border, normalizedRead } }: Texture): Texel {
  const texel: Texel = [0, 0, 0, 0];
  const most = format.kind === 'signed' ? 2 ** (format.bits - 1) - 1 : 2 ** format.bits - 1;
  for (let channel = 0; channel < format.channels; channel++) {
    const color = border[channel];
    const isNumber = format.kind === 'float' || !normalizedRead;
    texel[channel] = isNumber ? color : Math.round(Math.min(1, Math.max(format.kind === 'signed' ? -1 : 0, color)) * most);
  }
  return texel;
}

function conversion({ image: { format }, sampling }: Texture): (value: number, channel: number) => number {
  if (format.kind === 'float' || !sampling.normalizedRead) return (value) => value;
  const most = format.kind === 'signed' ? 2 ** (format.bits - 1) - 1 : 2 ** format.bits - 1;
  const plain = (value: number) => Math.max(-1, value / most);
  return sampling.sRgb && format.bits === 8 ? (value, channel) => (channel < 3 ? linearOf(value) : plain(value)) : plain;
}

/** CUDA C++ Programming Guide, "Cubemap Textures": the face that a direction meets, and where, from 0 to 1. Of equal ones z is before y
 * and y before x. */
export function cubePlace({ x, y, z }: Pick<Place, 'x' | 'y' | 'z'>): { face: number; x: number; y: number } {
  const [ax, ay, az] = [Math.abs(x), Math.abs(y), Math.abs(z)];
  const on = (face: number, most: number, s: number, t: number) => ({ face, x: (s / most + 1) / 2, y: (t / most + 1) / 2 });
  if (az >= ax && az >= ay) return z >= 0 ? on(4, az, x, -y) : on(5, az, -x, -y);
  if (ay >= ax) return y >= 0 ? on(2, ay, x, z) : on(3, ay, x, -z);
  return x >= 0 ? on(0, ax, -z, -y) : on(1, ax, z, -y);
}

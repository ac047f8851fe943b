/**
 * Textures: an image and how it is read. The rules are those of the CUDA C++ Programming Guide, "Texture Fetching": coordinates are
 * fixed-point numbers with 8 fractional bits where texels are interpolated, so that weights are multiples of 1/256. Not known: what
 * anisotropic filtering reads (the level alone is chosen), and filtering over the edges of cubes.
 */
import type { DeviceMemory } from '../device-memory.ts';
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
  readonly #bytes: number;
  readonly #channelBytes: number;

  constructor(texture: Texture, memory: DeviceMemory) {
    const { format } = texture.image;
    this.#texture = texture;
    this.#read = channelReader(format, memory);
    this.#convert = conversion(texture);
    this.#bytes = texelBytes(format);
    this.#channelBytes = format.bits / 8;
  }

  /** tex1Dfetch: by the number of the texel, 0 outside. */
  fetch(index: number, out: Texel): void {
    const [level] = this.#texture.image.levels;
    if (index < 0 || index >= level.width) out.fill(0);
    else this.#texel(level, index, 0, 0, out);
  }

  sample(place: Place, out: Texel): void {
    const { levels } = this.#texture.image;
    const { sampling } = this.#texture;
    const wanted = Math.min(Math.max(place.level + sampling.levelBias, sampling.lowestLevel), sampling.highestLevel);
    const level = Math.min(Math.max(wanted || 0, 0), levels.length - 1);
    if (sampling.levelFilter === 'point' || levels.length === 1) {
      this.#sampleLevel(levels[Math.floor(level + 0.5)] ?? levels[levels.length - 1], place, out);
      return;
    }
    const lower = Math.floor(level);
    const share = Math.floor((level - lower) * FRACTIONS + 0.5) / FRACTIONS;
    this.#sampleLevel(levels[lower], place, out);
    if (share === 0) return;
    const upper: Texel = [0, 0, 0, 0];
    this.#sampleLevel(levels[lower + 1], place, upper);
    for (let channel = 0; channel < 4; channel++) out[channel] += share * (upper[channel] - out[channel]);
  }

  /** tex2Dgather: one channel of the four texels that would be interpolated, from the lower left on counter-clockwise. */
  gather({ x, y }: Place, channel: number, out: Texel): void {
    const [level] = this.#texture.image.levels;
    const [u, v] = [this.#scaled(x, level.width) - 0.5, this.#scaled(y, level.height) - 0.5].map((each) => Math.floor(each) || 0);
    const texel: Texel = [0, 0, 0, 0];
    [[0, 1], [1, 1], [1, 0], [0, 0]].forEach(([dx, dy], index) => {
      this.#addressed(level, u + dx, v + dy, 0, texel);
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

  #sampleLevel(level: ImageLevel, place: Place, out: Texel): void {
    const { shape, layered, layers } = this.#texture.image;
    if (shape === 'cube') {
      const { face, x, y } = cubePlace(place);
      const cubes = layers / FACES;
      const cube = layered ? Math.min(Math.max(place.layer, 0), cubes - 1) : 0;
      this.#plane(level, x * level.width, y * level.height, cube * FACES + face, out);
      return;
    }
    const x = this.#scaled(place.x, level.width);
    const y = shape === '1d' || shape === 'linear' ? 0.5 : this.#scaled(place.y, level.height);
    if (shape === '3d') this.#volume(level, x, y, this.#scaled(place.z, level.depth), out);
    else this.#plane(level, x, y, layered ? Math.min(Math.max(place.layer, 0), layers - 1) : 0, out);
  }

  #scaled(coordinate: number, size: number): number {
    return this.#texture.sampling.normalizedCoordinates ? coordinate * size : coordinate;
  }

  #plane(level: ImageLevel, x: number, y: number, slice: number, out: Texel): void {
    if (this.#texture.sampling.filter === 'point') {
      this.#addressed(level, Math.floor(x), Math.floor(y), slice, out);
      return;
    }
    const [u, v] = [fixed(x), fixed(y)];
    const isRow = this.#isRow;
    blend(
      out,
      (texel) => this.#row(level, u, isRow ? 0 : v.index, slice, texel),
      (texel) => this.#row(level, u, v.index + 1, slice, texel),
      isRow ? 0 : v.share,
    );
  }

  #volume(level: ImageLevel, x: number, y: number, z: number, out: Texel): void {
    const slice = (index: number, size: number) => this.#index(index, size, 2);
    if (this.#texture.sampling.filter === 'point') {
      const at = slice(Math.floor(z), level.depth);
      if (at === undefined) this.#border(out);
      else this.#addressed(level, Math.floor(x), Math.floor(y), at, out);
      return;
    }
    const w = fixed(z);
    const plane = (index: number) => (texel: Texel) => {
      const at = slice(index, level.depth);
      if (at === undefined) this.#border(texel);
      else this.#plane(level, x, y, at, texel);
    };
    blend(out, plane(w.index), plane(w.index + 1), w.share);
  }

  get #isRow(): boolean {
    const { shape } = this.#texture.image;
    return shape === '1d' || shape === 'linear';
  }

  /** Two neighbours of a row, interpolated. */
  #row(level: ImageLevel, { index, share }: Fixed, y: number, slice: number, out: Texel): void {
    blend(
      out,
      (texel) => this.#addressed(level, index, y, slice, texel),
      (texel) => this.#addressed(level, index + 1, y, slice, texel),
      share,
    );
  }

  /** The texel where the address modes lead. */
  #addressed(level: ImageLevel, x: number, y: number, slice: number, out: Texel): void {
    const u = this.#index(x, level.width, 0);
    const v = this.#isRow ? 0 : this.#index(y, level.height, 1);
    if (u === undefined || v === undefined) this.#border(out);
    else this.#texel(level, u, v, slice, out);
  }

  /** undefined: the border's colour. */
  #index(index: number, size: number, axis: 0 | 1 | 2): number | undefined {
    const { address, normalizedCoordinates } = this.#texture.sampling;
    const mode = this.#texture.image.shape === 'cube' ? 'clamp' : address[axis];
    if (Number.isNaN(index)) return 0;
    if (index >= 0 && index < size) return index;
    if (mode === 'border') return undefined;
    // Wrapping and mirroring are for normalized coordinates alone.
    if (mode === 'clamp' || !normalizedCoordinates || !Number.isFinite(index)) return index < 0 ? 0 : size - 1;
    if (mode === 'wrap') return index - Math.floor(index / size) * size;
    const within = index - Math.floor(index / (2 * size)) * 2 * size;
    return within < size ? within : 2 * size - 1 - within;
  }

  #texel(level: ImageLevel, x: number, y: number, slice: number, out: Texel): void {
    const at = level.address + slice * level.sliceBytes + y * level.rowBytes + x * this.#bytes;
    const { channels } = this.#texture.image.format;
    for (let channel = 0; channel < 4; channel++) {
      out[channel] = channel < channels ? this.#convert(this.#read(at + channel * this.#channelBytes), channel) : 0;
    }
  }

  #border(out: Texel): void {
    const { border } = this.#texture.sampling;
    for (let channel = 0; channel < 4; channel++) out[channel] = border[channel];
  }
}

/** Steps of a coordinate between two texels, and of a level between two levels. */
const FRACTIONS = 256;
const FACES = 6;

interface Fixed {
  readonly index: number;
  readonly share: number;
}

/** The lower of two neighbours, and the upper one's weight. */
function fixed(coordinate: number): Fixed {
  const steps = Math.floor((coordinate - 0.5) * FRACTIONS + 0.5);
  const index = Math.floor(steps / FRACTIONS);
  return { index, share: steps / FRACTIONS - index || 0 };
}

function blend(out: Texel, lower: (texel: Texel) => void, upper: (texel: Texel) => void, share: number): void {
  lower(out);
  if (share === 0) return;
  const other: Texel = [0, 0, 0, 0];
  upper(other);
  for (let channel = 0; channel < 4; channel++) out[channel] = (1 - share) * out[channel] + share * other[channel];
}

function conversion({ image: { format }, sampling }: Texture): (value: number, channel: number) => number {
  if (format.kind === 'float' || !sampling.normalizedRead) return (value) => value;
  const most = format.kind === 'signed' ? 2 ** (format.bits - 1) - 1 : 2 ** format.bits - 1;
  const plain = (value: number) => Math.max(-1, value / most);
  return sampling.sRgb && format.bits === 8 ? (value, channel) => (channel < 3 ? linearOf(plain(value)) : plain(value)) : plain;
}

/** IEC 61966-2-1. */
function linearOf(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/** CUDA C++ Programming Guide, "Cubemap Textures": the face that a direction meets, and where, from 0 to 1. */
export function cubePlace({ x, y, z }: Pick<Place, 'x' | 'y' | 'z'>): { face: number; x: number; y: number } {
  const [ax, ay, az] = [Math.abs(x), Math.abs(y), Math.abs(z)];
  const on = (face: number, most: number, s: number, t: number) => ({ face, x: (s / most + 1) / 2, y: (t / most + 1) / 2 });
  if (ax >= ay && ax >= az) return x >= 0 ? on(0, ax, -z, -y) : on(1, ax, z, -y);
  if (ay >= az) return y >= 0 ? on(2, ay, x, z) : on(3, ay, x, -z);
  return z >= 0 ? on(4, az, x, -y) : on(5, az, -x, -y);
}

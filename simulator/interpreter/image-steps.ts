/** Reads of textures, reads and writes of surfaces, for the lanes of a warp one after the other. No request to global memory counts. */
import type { ImageCall } from '../ir/intrinsics/description.ts';
import type { Location } from '../ir/types.ts';
import { type Image, type ImageLevel, levelBytes } from '../machine/images/image.ts';
import { type Place, Sampler, type Texture } from '../machine/images/texture.ts';
import { forLanes } from '../machine/lanes.ts';
import type { Step } from '../scheduling/program.ts';
import { FaultSignal, type Path } from '../scheduling/warp.ts';
import type { Call } from './intrinsics.ts';
import type { Translation } from './translate.ts';

export function imageStep(t: Translation, call: Call, what: ImageCall): Step {
  return { texture: textureStep, level: levelStep, surfaceRead: surfaceReadStep, surfaceWrite: surfaceWriteStep }[what](t, call);
}

/** Second operand of __lanewise_texture. */
const FETCH = 0;
const GATHER = 2;

/** Operands: object, what to read, x, y, z, layer (or the number of the texel, or the channel), level. */
function textureStep(t: Translation, call: Call): Step {
  const [object, operation, x, y, z, layer, level] = call.args.map((a) => t.cell(a));
  const results = t.results(call);
  const samplerOf = samplers(call.location);
  const texel: [number, number, number, number] = [0, 0, 0, 0];
  const place: Place = { x: 0, y: 0, z: 0, layer: 0, level: 0 };
  return (path) => {
    const { cells } = path.frame;
    const touched = isTraced(path) ? [] : undefined;
    forLanes(path.mask, (lane) => {
      const { sampler, integers } = samplerOf(path, lane, Number(cells[object].q[lane]));
      sampler.touched = touched;
      const how = cells[operation].i[lane];
      const index = cells[layer].i[lane];
      place.x = cells[x].f[lane];
      place.y = cells[y].f[lane];
      place.z = cells[z].f[lane];
      place.layer = index;
      place.level = cells[level].f[lane];
      if (how === FETCH) sampler.fetch(index, texel);
      else if (how === GATHER) sampler.gather(place, index, texel);
      else sampler.sample(place, texel);
      for (let channel = 0; channel < 4; channel++) {
        if (integers) cells[results[channel]].i[lane] = texel[channel];
        else cells[results[channel]].f[lane] = texel[channel];
      }
    });
    if (touched) trace(path, call, { access: 'read', touched });
  };
}

function isTraced({ warp: { block } }: Path): boolean {
  return block.grid.trace?.into.follows(block.linear) ?? false;
}

/** No request to global memory counts, but caches hold what is read. */
function trace(
  { frame, warp }: Path,
  { site }: Call,
  { access, touched }: { readonly access: 'read' | 'write'; readonly touched: readonly number[] },
): void {
  const { linear, grid } = warp.block;
  const { into, keyOf } = grid.trace!;
  into.addTexels({ key: keyOf(frame.program.fn.name, site), block: linear, warp: warp.shape.index }, access, touched);
}

/** Operands: object, and by how much x, y and z change in either direction of the screen. */
function levelStep(t: Translation, call: Call): Step {
  const [object, ...changes] = call.args.map((a) => t.cell(a));
  const [result] = t.results(call);
  const samplerOf = samplers(call.location);
  return (path) => {
    const { cells } = path.frame;
    forLanes(path.mask, (lane) => {
      const [a, b, c, d, e, f] = changes.map((cell) => cells[cell].f[lane]);
      const { sampler } = samplerOf(path, lane, Number(cells[object].q[lane]));
      cells[result].f[lane] = sampler.levelFor([a, b, c], [d, e, f]);
    });
  };
}

interface KnownTexture {
  readonly handle: number;
  readonly texture: Texture;
  readonly sampler: Sampler;
  readonly integers: boolean;
  readonly generation: number;
  readonly path: Path['warp']['block']['grid'];
}

/** The sampler of a texture object, which all lanes of an instruction mostly share. */
function samplers(location: Location | undefined): (path: Path, lane: number, handle: number) => KnownTexture {
  let last: KnownTexture | undefined;
  return (path, lane, handle) => {
    const { grid } = path.warp.block;
    const { memory } = grid;
    if (last?.handle === handle && last.path === grid && last.generation === memory.generation) return last;
    const texture = memory.textures.get(handle);
    if (!texture) throw fault(path, lane, location, `the texture object ${handle} does not exist: cudaCreateTextureObject makes them`);
    requireMemory(path, lane, location, texture.image, 'read');
    const { format } = texture.image;
    const integers = format.kind !== 'float' && !texture.sampling.normalizedRead;
    last = { handle, texture, sampler: new Sampler(texture, memory), integers, generation: memory.generation, path: grid };
    return last;
  };
}

function requireMemory(path: Path, lane: number, location: Location | undefined, { levels }: Image, access: 'read' | 'write'): void {
  const { grid } = path.warp.block;
  const [{ address }] = levels;
  const last = levels[levels.length - 1];
  const allocation = grid.memory.find(address, last.address + levelBytes(last) - address);
  if (!allocation) throw fault(path, lane, location, 'the memory behind a texture or surface has been freed');
  grid.footprint.add(allocation.address, access);
}

function fault(path: Path, lane: number, location: Location | undefined, message: string): FaultSignal {
  return new FaultSignal(path, { kind: 'out-of-bounds', message, lane, location });
}

/** cudaSurfaceBoundaryMode; what is neither clamped nor ignored is a fault. */
const ZERO = 0;
const CLAMP = 1;

/** Where a lane's bytes lie; undefined: outside, and ignored. Operands: object, bytes and 256 * boundary mode, x in bytes, y, slice. */
function surfacePlaces(t: Translation, call: Call, access: 'read' | 'write') {
  const [object, how, x, y, slice] = call.args.map((a) => t.cell(a));
  return (path: Path, lane: number): { readonly at: number | undefined; readonly bytes: number } => {
    const { cells } = path.frame;
    const handle = Number(cells[object].q[lane]);
    const surface = path.warp.block.grid.memory.surfaces.get(handle);
    if (!surface) throw fault(path, lane, call.location, `the surface object ${handle} does not exist: cudaCreateSurfaceObject makes them`);
    requireMemory(path, lane, call.location, surface, access);
    const [bytes, mode] = [cells[how].i[lane] & 255, cells[how].i[lane] >> 8];
    const wanted = [cells[x].i[lane], cells[y].i[lane], cells[slice].i[lane]] as const;
    const [level] = surface.levels;
    const inside = isInside(level, wanted, bytes);
    if (!inside && mode === ZERO) return { at: undefined, bytes };
    if (!inside && mode !== CLAMP) {
      const message = `a surface ${access} of ${bytes} bytes at (${wanted.join(', ')}), x in bytes, is outside its ${level.rowBytes} bytes by ${level.height} by ${level.depth}`;
      throw fault(path, lane, call.location, message);
    }
    return { at: placeIn(level, wanted, bytes), bytes };
  };
}

type Position = readonly [x: number, y: number, slice: number];

function isInside({ rowBytes, height, depth }: ImageLevel, [x, y, slice]: Position, bytes: number): boolean {
  return x >= 0 && x + bytes <= rowBytes && y >= 0 && y < height && slice >= 0 && slice < depth;
}

function placeIn({ address, rowBytes, sliceBytes, height, depth }: ImageLevel, [x, y, slice]: Position, bytes: number): number {
  const within = (value: number, most: number) => Math.min(Math.max(value, 0), most);
  return address + within(slice, depth - 1) * sliceBytes + within(y, height - 1) * rowBytes + within(x, rowBytes - bytes);
}

function surfaceReadStep(t: Translation, call: Call): Step {
  const placeOf = surfacePlaces(t, call, 'read');
  const results = t.results(call);
  const words = new Uint8Array(16);
  const view = new DataView(words.buffer);
  return (path) => {
    const { cells } = path.frame;
    const touched: number[] = [];
    forLanes(path.mask, (lane) => {
      const { at, bytes } = placeOf(path, lane);
      if (at !== undefined) touched.push(at);
      words.fill(0);
      if (at !== undefined) words.set(path.warp.block.grid.memory.bytes.subarray(at, at + bytes));
      for (let word = 0; word < 4; word++) cells[results[word]].i[lane] = view.getInt32(4 * word, true);
    });
    if (isTraced(path)) trace(path, call, { access: 'read', touched });
  };
}

function surfaceWriteStep(t: Translation, call: Call): Step {
  const placeOf = surfacePlaces(t, call, 'write');
  const values = call.args.slice(5).map((a) => t.cell(a));
  const words = new Uint8Array(16);
  const view = new DataView(words.buffer);
  return (path) => {
    const { cells } = path.frame;
    const places = new Map<number, ReturnType<typeof placeOf>>();
    forLanes(path.mask, (lane) => void places.set(lane, placeOf(path, lane)));
    // The lowest lane's value stays, as with stores.
    for (const [lane, { at, bytes }] of [...places].reverse()) {
      if (at === undefined) continue;
      for (let word = 0; word < 4; word++) view.setInt32(4 * word, cells[values[word]].i[lane], true);
      path.warp.block.grid.memory.bytes.set(words.subarray(0, bytes), at);
    }
    const touched = [...places.values()].flatMap(({ at }) => at ?? []);
    if (isTraced(path)) trace(path, call, { access: 'write', touched });
  };
}

/**
 * Loads and stores of a warp: the request is resolved and counted (machine/request.ts), then values move. What space a generic pointer
 * means is decided lane by lane from its value.
 */
import { FIELD, SITE_FIELDS } from '../counters/site-counters.ts';
import { locationAt } from '../ir/moved-instructions.ts';
import type { Location } from '../ir/types.ts';
import type { Cell, Leaf } from '../machine/cells.ts';
import type { Allocation } from '../machine/device-memory.ts';
import { misalignedMessage, outOfBoundsMessage } from '../machine/faults.ts';
import type { MemoryViews } from '../machine/memory-views.ts';
import { type Access, type AccessShape, isCombined, price, REQUEST_COLUMNS, type Reach, Request, resolve } from '../machine/request.ts';
import type { Grid } from '../scheduling/grid.ts';
import { FaultSignal, type Path } from '../scheduling/warp.ts';
import type { Aggregation } from '../simt/atomics.ts';

/** One memory instruction: what never changes about it. */
export interface AccessSite extends AccessShape {
  readonly site: number;
  readonly location: Location | undefined;
  /** Set for atomics only. */
  readonly atomic: { readonly aggregation: Aggregation | undefined; readonly countsUp: boolean; readonly spins: boolean } | undefined;
  /** The allocation that held the last access of a launch: usually holds the next. */
  readonly cache: { allocation: Allocation | undefined; generation: number; grid: Grid | undefined };
}

/** What the lanes of the path that executes an instruction may touch. */
class PathReach implements Reach<Allocation> {
  path!: Path;
  readonly sharedAt = 0;

  get sharedBytes(): number {
    return this.path.warp.block.sharedBytes;
  }

  get localBytes(): number {
    return this.path.frame.stackTop;
  }

  get parameterBytes(): number {
    return this.path.warp.block.grid.parameterBytes;
  }

  sharedOfRank(rank: number): number | undefined {
    return this.path.warp.block.cluster?.sharedOfRank(rank);
  }

  localPlace(): { at: number; stride: number } {
    const { local } = this.path.warp;
    // Before the first offset is computed: growing moves the lanes apart.
    local.reserve(this.localBytes);
    return { at: 0, stride: local.capacity };
  }

  find(address: number, bytes: number, access: Access): Allocation | undefined {
    const { grid } = this.path.warp.block;
    const allocation = grid.memory.find(address, bytes);
    if (allocation) grid.footprint.add(allocation.address, access);
    return allocation;
  }

  isConstant(allocation: Allocation): boolean {
    return this.path.warp.block.grid.isConstant(allocation);
  }
}

/** Valid until the next one. */
const request = new Request<Allocation>();
const reach = new PathReach();

/** Finds, checks and counts what all active lanes access. Throws FaultSignal for the lowest lane that may not do this. */
export function resolveLanes(path: Path, pointers: Int32Array, site: AccessSite): Request<Allocation> {
  const { cache } = site;
  const { grid } = path.warp.block;
  if (cache.generation !== grid.memory.generation || cache.grid !== grid) {
    cache.allocation = undefined;
    cache.generation = grid.memory.generation;
    cache.grid = grid;
  }
  reach.path = path;
  request.allocation = cache.allocation;
  if (!resolve(request, pointers, path.mask, site, reach)) throw faultOf(path, site);
  cache.allocation = request.allocation;
  if (site.counted) count(path, site);
  return request;
}

export function loadLanes(path: Path, pointers: Int32Array, site: AccessSite, leaves: readonly Leaf[], results: readonly Cell[]): void {
  const { globalMask, sharedMask, localMask, clusterMask } = resolveLanes(path, pointers, site);
  const { block, local } = path.warp;
  for (let index = 0; index < leaves.length; index++) {
    const leaf = leaves[index];
    if (clusterMask !== 0) loadLeaf(block.place.all, clusterMask, leaf, results[index], site.align);
    if (globalMask !== 0) loadLeaf(block.grid.global(), globalMask, leaf, results[index], site.align);
    if (sharedMask !== 0) loadLeaf(block.shared, sharedMask, leaf, results[index], site.align);
    if (localMask !== 0) loadLeaf(local.views, localMask, leaf, results[index], site.align);
  }
}

export function storeLanes(path: Path, pointers: Int32Array, site: AccessSite, leaves: readonly Leaf[], values: readonly Cell[]): void {
  const { globalMask, sharedMask, localMask, clusterMask } = resolveLanes(path, pointers, site);
  const { block, local } = path.warp;
  for (let index = 0; index < leaves.length; index++) {
    const leaf = leaves[index];
    if (clusterMask !== 0) storeLeaf(block.place.all, clusterMask, leaf, values[index], site.align);
    if (globalMask !== 0) storeLeaf(block.grid.global(), globalMask, leaf, values[index], site.align);
    if (sharedMask !== 0) storeLeaf(block.shared, sharedMask, leaf, values[index], site.align);
    if (localMask !== 0) storeLeaf(local.views, localMask, leaf, values[index], site.align);
  }
}

/** Memory and byte offset of one lane of the request that was resolved last. */
export function laneMemory(path: Path, lane: number): { views: MemoryViews; offset: number } {
  const bit = 1 << lane;
  const { block, local } = path.warp;
  if (request.clusterMask & bit) return { views: block.place.all, offset: request.offsets[lane] };
  const views = request.globalMask & bit ? block.grid.global() : request.sharedMask & bit ? block.shared : local.views;
  return { views, offset: request.offsets[lane] };
}

function loadLeaf(views: MemoryViews, mask: number, leaf: Leaf, cell: Cell, align: number): void {
  const { offsets } = request;
  const target = cell.i;
  const { offset, bytes } = leaf;
  if (bytes === 4 && align >= 4) {
    const { i32 } = views;
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const lane = 31 - Math.clz32(rest & -rest);
      target[lane] = i32[(offsets[lane] + offset) >>> 2];
    }
  } else if (bytes === 8 && align >= 4) {
    const { i32 } = views;
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const lane = 31 - Math.clz32(rest & -rest);
      const word = (offsets[lane] + offset) >>> 2;
      target[2 * lane] = i32[word];
      target[2 * lane + 1] = i32[word + 1];
    }
  } else {
    const { u8 } = views;
    const ones = leaf.bits === 1 ? 1 : 255;
    const cellBytes = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
    const stride = target.length >> 3;
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const lane = 31 - Math.clz32(rest & -rest);
      for (let byte = 0; byte < stride; byte++) {
        cellBytes[lane * stride + byte] = byte < bytes ? u8[offsets[lane] + offset + byte] & ones : 0;
      }
    }
  }
}

/** Lanes store from 31 down to 0, so that where several store to one word the lowest one's value stays (as on the H200). */
function storeLeaf(views: MemoryViews, mask: number, leaf: Leaf, cell: Cell, align: number): void {
  const { offsets } = request;
  const source = cell.i;
  const { offset, bytes } = leaf;
  if (bytes === 4 && align >= 4) {
    const { i32 } = views;
    for (let rest = mask; rest !== 0; ) {
      const lane = 31 - Math.clz32(rest);
      rest ^= 1 << lane;
      i32[(offsets[lane] + offset) >>> 2] = source[lane];
    }
  } else if (bytes === 8 && align >= 4) {
    const { i32 } = views;
    for (let rest = mask; rest !== 0; ) {
      const lane = 31 - Math.clz32(rest);
      rest ^= 1 << lane;
      const word = (offsets[lane] + offset) >>> 2;
      i32[word] = source[2 * lane];
      i32[word + 1] = source[2 * lane + 1];
    }
  } else {
    const { u8 } = views;
    const cellBytes = new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
    const stride = source.length >> 3;
    for (let rest = mask; rest !== 0; ) {
      const lane = 31 - Math.clz32(rest);
      rest ^= 1 << lane;
      for (let byte = 0; byte < bytes; byte++) u8[offsets[lane] + offset + byte] = cellBytes[lane * stride + byte];
    }
  }
}

/** Where each count of a request goes in a row. */
const COLUMN = REQUEST_COLUMNS.map((name) => FIELD[name]);

/** Adds the request to the counters of its site. */
function count(path: Path, site: AccessSite): void {
  const { rows } = path.frame.counts;
  const row = site.site * SITE_FIELDS.length;
  const { atomic } = site;
  const cost = price(request, site, atomic && { ...atomic, combined: isCombined(atomic.aggregation, path.mask) });
  for (let column = 0; column < cost.length; column++) rows[row + COLUMN[column]] += cost[column];
  const { block, shape } = path.warp;
  const { trace } = block.grid;
  if (!trace?.into.follows(block.linear)) return;
  const combined = atomic !== undefined && isCombined(atomic.aggregation, path.mask);
  const key = trace.keyOf(path.frame.program.fn.name, site.site);
  trace.into.add({ key, block: block.linear, warp: shape.index }, site, request.addresses, request.globalMask, combined);
}

function faultOf(path: Path, site: AccessSite): FaultSignal {
  const { kind, lane, address } = request.fault!;
  const { access, bytes, align } = site;
  const bad = { access, address, bytes, sharedBytes: reach.sharedBytes, localBytes: reach.localBytes };
  const message = kind === 'misaligned' ? misalignedMessage(bad, align) : outOfBoundsMessage(path.warp.block.grid.memory, bad);
  return new FaultSignal(path, { kind, message, lane, location: locationAt(path.frame.program.fn, site.site), address });
}

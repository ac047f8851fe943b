/**
 * Loads and stores of a warp. Every active lane's address is checked first; then the request is counted; then values move. What
 * space a generic pointer means is decided lane by lane from its value.
 */
import { FIELD, SITE_FIELDS } from '../counters/site-counters.ts';
import type { AddressSpace, Location } from '../ir/types.ts';
import { INVALID_ADDRESS, INVALID_START, LOCAL_BASE, SHARED_BASE } from '../machine/address-map.ts';
import { sharedAtomicWavefronts, sharedWavefronts, sharedWavefrontsIdeal, spinWavefronts } from '../machine/banks.ts';
import type { Cell, Leaf } from '../machine/cells.ts';
import type { Allocation } from '../machine/device-memory.ts';
import { type BadAccess, misalignedMessage, outOfBoundsMessage } from '../machine/faults.ts';
import type { MemoryViews } from '../machine/memory-views.ts';
import { atomicSectors, countSectors, idealSectors } from '../machine/sectors.ts';
import type { Grid } from '../scheduling/grid.ts';
import { FaultSignal, type Path } from '../scheduling/warp.ts';
import type { Aggregation } from '../simt/atomics.ts';

/** One memory instruction: what never changes about it. */
export interface AccessSite {
  readonly site: number;
  readonly location: Location | undefined;
  readonly access: BadAccess['access'];
  readonly space: AddressSpace;
  /** Bytes per lane. */
  readonly bytes: number;
  readonly align: number;
  /** How the request is counted; undefined for one that counts with another (see simt's access merging) or not at all. */
  readonly counted: { readonly bytes: number; readonly offset: number } | undefined;
  /** Of an atomic that the compiler executes once for the lanes of a warp (see simt's atomics). */
  readonly aggregation: Aggregation | undefined;
  /** Of an atomic that counts up by one without giving back the old value: in shared memory it is ATOMS.POPC.INC, for which lanes on
   *  one word are one access. */
  readonly countsUp: boolean;
  /** Of an atomic that is a loop in shared memory. */
  readonly spins: boolean;
  /** The allocation that held the last access of a launch: usually holds the next. */
  readonly cache: { allocation: Allocation | undefined; generation: number; grid: Grid | undefined };
}

/** Where the lanes of a request go: valid until the next request. */
class Request {
  globalMask = 0;
  sharedMask = 0;
  localMask = 0;
  /** Lanes of the global mask whose allocation holds `__constant__` variables, and local lanes that read kernel parameters. */
  uncountedMask = 0;
  /** Generic addresses. */
  readonly addresses = new Int32Array(32);
  /** Byte offsets into the memory of the lane's space. */
  readonly offsets = new Uint32Array(32);
}

const request = new Request();

/** Finds and checks the addresses of all active lanes. Throws FaultSignal for the lowest lane that may not do this. */
export function resolveLanes(path: Path, pointers: Int32Array, site: AccessSite): Request {
  const { warp } = path;
  const { grid, sharedBytes } = warp.block;
  const { space, bytes, cache } = site;
  const alignMask = site.align - 1;
  if (cache.generation !== grid.memory.generation || cache.grid !== grid) {
    cache.allocation = undefined;
    cache.generation = grid.memory.generation;
    cache.grid = grid;
  }
  let start = cache.allocation ? cache.allocation.address : 0;
  let end = cache.allocation ? start + cache.allocation.sizeBytes : 0;
  request.globalMask = 0;
  request.sharedMask = 0;
  request.localMask = 0;
  request.uncountedMask = 0;
  for (let rest = path.mask; rest !== 0; rest &= rest - 1) {
    const bit = rest & -rest;
    const lane = 31 - Math.clz32(bit);
    let address = pointers[lane] >>> 0;
    if (space === 3) address += SHARED_BASE;
    else if (space === 5) address += LOCAL_BASE;
    request.addresses[lane] = address;
    if (address >= INVALID_START && space !== 3 && space !== 5) throw outOfBounds(path, site, lane, INVALID_ADDRESS);
    if ((address & alignMask) !== 0) throw misaligned(path, site, lane, address);
    if (address >= SHARED_BASE) {
      const offset = address - SHARED_BASE;
      if (offset + bytes > sharedBytes) throw outOfBounds(path, site, lane, address);
      request.sharedMask |= bit;
      request.offsets[lane] = offset;
    } else if (address >= LOCAL_BASE) {
      const offset = address - LOCAL_BASE;
      if (offset + bytes > path.frame.stackTop) throw outOfBounds(path, site, lane, address);
      // Before the first offset is computed: growing moves the lanes apart.
      if (request.localMask === 0) warp.local.reserve(path.frame.stackTop);
      request.localMask |= bit;
      request.offsets[lane] = lane * warp.local.capacity + offset;
      if (offset < grid.parameterBytes) request.uncountedMask |= bit;
    } else {
      if (address < start || address + bytes > end) {
        const allocation = grid.memory.find(address, bytes);
        if (!allocation) throw outOfBounds(path, site, lane, address);
        grid.footprint.add(allocation.address, site.access);
        cache.allocation = allocation;
        start = allocation.address;
        end = start + allocation.sizeBytes;
      }
      request.globalMask |= bit;
      request.offsets[lane] = address;
    }
  }
  if (request.globalMask !== 0 && cache.allocation && grid.isConstant(cache.allocation)) request.uncountedMask |= request.globalMask;
  if (site.counted) countRequest(path, site, site.counted);
  return request;
}

export function loadLanes(path: Path, pointers: Int32Array, site: AccessSite, leaves: readonly Leaf[], results: readonly Cell[]): void {
  const { globalMask, sharedMask, localMask } = resolveLanes(path, pointers, site);
  const { block, local } = path.warp;
  for (let index = 0; index < leaves.length; index++) {
    const leaf = leaves[index];
    if (globalMask !== 0) loadLeaf(block.grid.global(), globalMask, leaf, results[index], site.align);
    if (sharedMask !== 0) loadLeaf(block.shared, sharedMask, leaf, results[index], site.align);
    if (localMask !== 0) loadLeaf(local.views, localMask, leaf, results[index], site.align);
  }
}

export function storeLanes(path: Path, pointers: Int32Array, site: AccessSite, leaves: readonly Leaf[], values: readonly Cell[]): void {
  const { globalMask, sharedMask, localMask } = resolveLanes(path, pointers, site);
  const { block, local } = path.warp;
  for (let index = 0; index < leaves.length; index++) {
    const leaf = leaves[index];
    if (globalMask !== 0) storeLeaf(block.grid.global(), globalMask, leaf, values[index], site.align);
    if (sharedMask !== 0) storeLeaf(block.shared, sharedMask, leaf, values[index], site.align);
    if (localMask !== 0) storeLeaf(local.views, localMask, leaf, values[index], site.align);
  }
}

/** Memory and byte offset of one lane of the request that was resolved last. */
export function laneMemory(path: Path, lane: number): { views: MemoryViews; offset: number } {
  const bit = 1 << lane;
  const { block, local } = path.warp;
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

/** Of lanes that store to one word, lane 0's value stays (as on the H200): they store from 31 down to 0. */
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

const moved = new Int32Array(32);

/** Adds the request to the counters of its site. */
function countRequest(path: Path, site: AccessSite, { bytes, offset }: NonNullable<AccessSite['counted']>): void {
  const rows = path.frame.program.counters;
  const row = site.site * SITE_FIELDS.length;
  let { addresses } = request;
  if (offset !== 0) {
    for (let lane = 0; lane < 32; lane++) moved[lane] = addresses[lane] + offset;
    addresses = moved;
  }
  const atomic = site.access === 'atomic';
  const global = requestLanes(path, site, request.globalMask & ~request.uncountedMask);
  const shared = requestLanes(path, site, request.sharedMask);
  if (global !== 0) {
    const sectors = countSectors(addresses, global, bytes);
    rows[row + FIELD.globalRequests]++;
    rows[row + FIELD.globalSectors] += sectors;
    rows[row + FIELD.globalSectorsIdeal] += idealSectors(sectors, global, bytes);
    if (atomic) rows[row + FIELD.globalAtomicSectors] += atomicSectors(addresses, global);
  }
  if (shared !== 0) {
    const { requests, wavefronts, ideal } = sharedCost(addresses, shared, site, bytes);
    rows[row + FIELD.sharedRequests] += requests;
    rows[row + FIELD.sharedWavefronts] += wavefronts;
    rows[row + FIELD.sharedWavefrontsIdeal] += ideal;
  }
  const local = request.localMask & ~request.uncountedMask;
  if (local !== 0) {
    rows[row + FIELD.localRequests]++;
    rows[row + FIELD.localSectors] += localSectors(addresses, local, bytes);
  }
}

function sharedCost(
  addresses: Int32Array,
  mask: number,
  { access, countsUp, spins }: AccessSite,
  bytes: number,
): { requests: number; wavefronts: number; ideal: number } {
  if (spins) {
    const { rounds, wavefronts, ideal } = spinWavefronts(addresses, mask);
    return { requests: rounds, wavefronts, ideal };
  }
  if (access === 'atomic' && !countsUp) return { requests: 1, wavefronts: sharedAtomicWavefronts(addresses, mask), ideal: 1 };
  return { requests: 1, wavefronts: sharedWavefronts(addresses, mask, bytes), ideal: sharedWavefrontsIdeal(mask, bytes) };
}

/** Lanes that the hardware's request has: one, where the compiler combines the lanes of a warp first. */
function requestLanes(path: Path, { aggregation }: AccessSite, mask: number): number {
  const combined = aggregation === 'always' || (aggregation === 'full-warp' && path.mask === -1);
  return combined ? mask & -mask : mask;
}

const physical = new Int32Array(32);

/** Hardware interleaves local memory so that the same word of 32 lanes fills one line of 128 bytes. */
function localSectors(addresses: Int32Array, mask: number, bytes: number): number {
  let total = 0;
  for (let byte = 0; byte < bytes; byte += 4) {
    for (let lane = 0; lane < 32; lane++) physical[lane] = ((addresses[lane] - LOCAL_BASE + byte) >>> 2) * 128 + lane * 4;
    total += countSectors(physical, mask, 4);
  }
  return total;
}

function outOfBounds(path: Path, site: AccessSite, lane: number, address: number): FaultSignal {
  const message = outOfBoundsMessage(path.warp.block.grid.memory, badAccess(path, site, address));
  return new FaultSignal(path, { kind: 'out-of-bounds', message, lane, location: site.location, address: address >>> 0 });
}

function misaligned(path: Path, site: AccessSite, lane: number, address: number): FaultSignal {
  const message = misalignedMessage(badAccess(path, site, address), site.align);
  return new FaultSignal(path, { kind: 'misaligned', message, lane, location: site.location, address: address >>> 0 });
}

function badAccess(path: Path, site: AccessSite, address: number): BadAccess {
  return { access: site.access, address, bytes: site.bytes, sharedBytes: path.warp.block.sharedBytes, localBytes: path.frame.stackTop };
}

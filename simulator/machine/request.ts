/**
 * What a memory instruction of a warp asks of memory: where the address of each active lane leads, whether it may go there, and what
 * the request costs in sectors and wavefronts. This is the definition: the interpreter and the compiler's host path call it, and the
 * compiled fast paths are tested against it. Pure but for the request that is filled in, which is used again and again.
 */
import { COLUMNS, type Column } from '../../counters/counters.ts';
import { CLUSTER_WINDOW_BYTES, INVALID_ADDRESS, INVALID_START, LOCAL_BASE, SHARED_BASE } from '../ir/address-map.ts';
import type { MergedAccess } from '../simt/access-merging.ts';
import { checkedAlignment } from '../simt/access-merging.ts';
import type { FunctionFacts } from '../simt/analyze.ts';
import type { Aggregation } from '../simt/atomics.ts';
import { sharedAtomicWavefronts, sharedWavefronts, sharedWavefrontsIdeal, spinWavefronts } from './banks.ts';
import { DistinctSet } from './distinct-set.ts';
import { atomicSectors, countSectors, idealSectors, type LaneAddresses } from './sectors.ts';

export type Access = 'read' | 'write' | 'atomic';

/** What never changes about a memory instruction. */
export interface AccessShape {
  readonly access: Access;
  /** What is added to pointers to make them generic: the start of a window for pointers of that space (see `windowOf`). */
  readonly base: number;
  /** Bytes per lane. */
  readonly bytes: number;
  readonly align: number;
  /** How the request is counted; undefined for one that counts with another (see simt's access merging) or not at all. */
  readonly counted: { readonly bytes: number; readonly offset: number } | undefined;
}

/** How the lanes of an atomic come together before they reach memory. */
export interface AtomicRules {
  /** The compiler combines the lanes of the warp: one lane's request remains. */
  readonly combined: boolean;
  /** Counts up by one without giving back the old value: in shared memory this is ATOMS.POPC.INC, for which lanes on one word are one
   *  access. */
  readonly countsUp: boolean;
  /** In shared memory the atomic is a loop of compare-and-swaps. */
  readonly spins: boolean;
}

/** A piece of global memory that the program may use. */
export interface Extent {
  readonly address: number;
  readonly sizeBytes: number;
}

/** What the lanes of a warp may touch, and where it lies. */
export interface Reach<E extends Extent> {
  readonly sharedBytes: number;
  /** Bytes of local memory in use, and how many of them hold kernel parameters, whose reading counts as no request. */
  readonly localBytes: number;
  readonly parameterBytes: number;
  /** Offset of shared memory in its views. */
  readonly sharedAt: number;
  /** Where the block of a rank in the cluster has its shared memory; undefined if there is none, or it has ended. */
  sharedOfRank(rank: number): number | undefined;
  /** Offset of lane 0's local memory in its views, and bytes from lane to lane: asked for when a lane leads there. */
  localPlace(): { readonly at: number; readonly stride: number };
  /** The allocation that holds all these bytes; takes note of the access. */
  find(address: number, bytes: number, access: Access): E | undefined;
  /** Reading the allocation is no request to global memory. */
  isConstant(allocation: E): boolean;
}

export interface RequestFault {
  readonly kind: 'out-of-bounds' | 'misaligned';
  readonly lane: number;
  readonly address: number;
}

/** Columns of an instruction's row that a request counts in. The others count executions. */
export type RequestColumn = Exclude<Column, 'executions' | 'lanes' | 'divergent'>;

export const REQUEST_COLUMNS = COLUMNS.filter(
  (column): column is RequestColumn => column !== 'executions' && column !== 'lanes' && column !== 'divergent',
);

/** What a request costs, in the order of REQUEST_COLUMNS: `cost[COST.globalSectors]`. */
export type RequestCost = Float64Array;

export const COST = Object.fromEntries(REQUEST_COLUMNS.map((column, index) => [column, index])) as Readonly<Record<RequestColumn, number>>;

/** Where the lanes of a request go. */
export class Request<E extends Extent> {
  globalMask = 0;
  sharedMask = 0;
  localMask = 0;
  /** In the shared memory of a block of the cluster, by its rank. */
  clusterMask = 0;
  /** Lanes that count as no request: they read constants or kernel parameters. */
  uncountedMask = 0;
  /** Generic addresses. */
  readonly addresses = new Int32Array(32);
  /** Byte offsets into the views of the lane's space. */
  readonly offsets = new Uint32Array(32);
  /** The allocation of the last lane in global memory. Where it is set before, it is tried first. */
  allocation: E | undefined;
  /** Lanes have gone to more than one allocation. */
  scattered = false;
  fault: RequestFault | undefined;
  readonly cost: RequestCost = new Float64Array(REQUEST_COLUMNS.length);
}

/** Start of the window in which pointers of an address space count. */
export function windowOf(space: number): number {
  return space === 3 ? SHARED_BASE : space === 5 ? LOCAL_BASE : 0;
}

/** The shape of an access at a site. `align`: as the instruction declares it. */
export function shapeOf(
  { access, space, bytes, align }: { readonly access: Access; readonly space: number; readonly bytes: number; readonly align: number },
  site: number,
  { merged }: Pick<FunctionFacts, 'merged'>,
): AccessShape {
  const group: MergedAccess | undefined = merged.get(site);
  const alone = group ? undefined : { bytes, offset: 0 };
  return {
    access,
    base: windowOf(space),
    bytes,
    align: checkedAlignment(align, group?.bytes ?? bytes),
    counted: group?.leader === site ? { bytes: group.bytes, offset: -group.leaderOffset } : alone,
  };
}

/** Whether the compiler combines the lanes of an atomic that these lanes execute. */
export function isCombined(aggregation: Aggregation | undefined, mask: number): boolean {
  return aggregation === 'always' || (aggregation === 'full-warp' && mask === -1);
}

/** Finds and checks the addresses of all lanes of a mask. False: the lowest lane that may not do this is the request's fault. */
export function resolve<E extends Extent>(
  request: Request<E>,
  pointers: Int32Array,
  mask: number,
  shape: AccessShape,
  reach: Reach<E>,
): boolean {
  const { base, bytes, access } = shape;
  const { addresses, offsets } = request;
  const { sharedBytes, localBytes, parameterBytes, sharedAt } = reach;
  const alignMask = shape.align - 1;
  let allocation = request.allocation;
  let start = allocation ? allocation.address : 0;
  let end = allocation ? start + allocation.sizeBytes : 0;
  let globalMask = 0;
  let sharedMask = 0;
  let localMask = 0;
  let clusterMask = 0;
  let uncountedMask = 0;
  let localAt = 0;
  let localStride = 0;
  request.scattered = false;
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const bit = rest & -rest;
    const lane = 31 - Math.clz32(bit);
    const address = (pointers[lane] >>> 0) + base;
    addresses[lane] = address;
    if (base === 0 && address >= INVALID_START) return fail(request, 'out-of-bounds', lane, INVALID_ADDRESS);
    if ((address & alignMask) !== 0) return fail(request, 'misaligned', lane, address);
    if (address >= SHARED_BASE) {
      const offset = address - SHARED_BASE;
      if (offset + bytes <= sharedBytes) {
        sharedMask |= bit;
        offsets[lane] = sharedAt + offset;
      } else {
        const within = offset % CLUSTER_WINDOW_BYTES;
        const start = within + bytes > sharedBytes ? undefined : reach.sharedOfRank(Math.floor(offset / CLUSTER_WINDOW_BYTES) - 1);
        if (start === undefined) return fail(request, 'out-of-bounds', lane, address);
        clusterMask |= bit;
        offsets[lane] = start + within;
      }
    } else if (address >= LOCAL_BASE) {
      const offset = address - LOCAL_BASE;
      if (offset + bytes > localBytes) return fail(request, 'out-of-bounds', lane, address);
      if (localMask === 0) ({ at: localAt, stride: localStride } = reach.localPlace());
      localMask |= bit;
      offsets[lane] = localAt + lane * localStride + offset;
      if (offset < parameterBytes) uncountedMask |= bit;
    } else {
      if (address < start || address + bytes > end) {
        const found = reach.find(address, bytes, access);
        if (!found) return fail(request, 'out-of-bounds', lane, address);
        if (globalMask !== 0) request.scattered = true;
        allocation = found;
        start = found.address;
        end = start + found.sizeBytes;
      }
      globalMask |= bit;
      offsets[lane] = address;
    }
  }
  // Measured on an H200: a pointer from cudaGetSymbolAddress writes constant memory as it does other global memory.
  if (globalMask !== 0 && access === 'read' && allocation && reach.isConstant(allocation)) uncountedMask |= globalMask;
  request.allocation = allocation;
  request.globalMask = globalMask;
  request.sharedMask = sharedMask;
  request.localMask = localMask;
  request.clusterMask = clusterMask;
  request.uncountedMask = uncountedMask;
  return true;
}

function fail<E extends Extent>(request: Request<E>, kind: RequestFault['kind'], lane: number, address: number): false {
  request.fault = { kind, lane, address: address >>> 0 };
  return false;
}

/** What a request that has been resolved costs: nothing where it counts with another. `rules`: of an atomic. */
export function price<E extends Extent>(request: Request<E>, { access, counted }: AccessShape, rules?: AtomicRules): RequestCost {
  const { cost, globalMask, sharedMask, localMask, uncountedMask } = request;
  const global = requestLanes(globalMask & ~uncountedMask, rules);
  const shared = requestLanes(sharedMask, rules);
  const local = localMask & ~uncountedMask;
  cost.fill(0);
  if (!counted) return cost;
  const addresses = countedAddresses(request.addresses, counted.offset);
  if (global !== 0) {
    cost[COST.globalRequests] = 1;
    priceGlobal(cost, addresses, global, counted.bytes);
    if (rules) priceGlobalAtomic(cost, addresses, global);
  }
  if (shared !== 0) priceShared(cost, addresses, shared, { access, bytes: counted.bytes }, rules);
  if (local !== 0) {
    cost[COST.localRequests] = 1;
    cost[COST.localSectors] = localSectors(addresses, local, counted.bytes);
  }
  return cost;
}

/** Sectors of lanes in global memory. */
export function priceGlobal(cost: RequestCost, addresses: LaneAddresses, mask: number, bytes: number): void {
  cost[COST.globalSectors] = countSectors(addresses, mask, bytes);
  cost[COST.globalSectorsIdeal] = idealSectors(cost[COST.globalSectors], mask, bytes);
}

const meetings = new DistinctSet();

/** What lanes at one address cost, which go one after the other. */
function priceGlobalAtomic(cost: RequestCost, addresses: LaneAddresses, mask: number): void {
  cost[COST.globalAtomicSectors] = atomicSectors(addresses, mask);
  let turns = 0;
  meetings.clear();
  for (let rest = mask; rest !== 0; rest &= rest - 1) turns = Math.max(turns, meetings.add(addresses[31 - Math.clz32(rest & -rest)] >>> 0));
  cost[COST.globalAtomicTurns] = turns;
}

/** Requests and wavefronts of lanes in shared memory. */
export function priceShared(
  cost: RequestCost,
  addresses: LaneAddresses,
  mask: number,
  { access, bytes }: Pick<AccessShape, 'access' | 'bytes'>,
  rules?: AtomicRules,
): void {
  if (rules?.spins) {
    const { rounds, wavefronts, ideal } = spinWavefronts(addresses, mask);
    cost[COST.sharedRequests] = rounds;
    cost[COST.sharedWavefronts] = wavefronts;
    cost[COST.sharedWavefrontsIdeal] = ideal;
    return;
  }
  const plain = !rules || rules.countsUp;
  const load = access === 'read';
  cost[COST.sharedRequests] = 1;
  cost[COST.sharedWavefronts] = plain ? sharedWavefronts(addresses, mask, bytes, load) : sharedAtomicWavefronts(addresses, mask);
  cost[COST.sharedWavefrontsIdeal] = plain ? sharedWavefrontsIdeal(addresses, mask, bytes, load) : 1;
}

const moved = new Int32Array(32);

/** The addresses from which a request counts; valid until the next one is asked for. */
export function countedAddresses(addresses: Int32Array, offset: number): Int32Array {
  if (offset === 0) return addresses;
  for (let lane = 0; lane < 32; lane++) moved[lane] = addresses[lane] + offset;
  return moved;
}

/** Lanes that the hardware's request has: one, where the compiler combines the lanes of a warp first. */
function requestLanes(mask: number, rules: AtomicRules | undefined): number {
  return rules?.combined ? mask & -mask : mask;
}

const interleaved = new Int32Array(32);

/** Hardware interleaves local memory so that the same word of 32 lanes fills one line of 128 bytes; each further word, another. */
function localSectors(addresses: LaneAddresses, mask: number, bytes: number): number {
  for (let lane = 0; lane < 32; lane++) interleaved[lane] = ((addresses[lane] - LOCAL_BASE) >>> 2) * 128 + lane * 4;
  return Math.ceil(bytes / 4) * countSectors(interleaved, mask, 4);
}

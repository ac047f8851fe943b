/**
 * Memory pools: which pool stream-ordered allocations come from, and what pools hold and keep. A pool keeps what is freed up to its
 * threshold until it is trimmed or the host waits for the device; how a GPU rounds what it keeps is not known, so these are exact bytes.
 */
import { apiCalls, type CudaContext, type Functions } from './cuda-context.ts';
import { CUDA } from './cuda-errors.ts';
import type { StreamTable } from './cuda-streams.ts';
import { FIELDS, SIZE_BYTES } from './structures.ts';

class Pool {
  /** cudaMemPoolAttr 1 to 3: how memory may be reused. */
  readonly reuse = new Map([1, 2, 3].map((attribute) => [attribute, 1]));
  threshold = 0;
  used = 0;
  mostUsed = 0;
  /** With what was freed and is kept. */
  reserved = 0;
  mostReserved = 0;
  readonly maxBytes: number;
  /** cudaMemAccessFlags of the device: its own memory is always open. */
  access = 3;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  take(sizeBytes: number): void {
    this.used += sizeBytes;
    this.reserved = Math.max(this.reserved, this.used);
    this.mostUsed = Math.max(this.mostUsed, this.used);
    this.mostReserved = Math.max(this.mostReserved, this.reserved);
  }

  trim(keptBytes: number): void {
    this.reserved = Math.max(this.used, Math.min(this.reserved, keptBytes));
  }
}

export interface PoolParts {
  readonly context: CudaContext;
  readonly streams: StreamTable;
  /** The runtime's own functions, without pools. */
  readonly plain: Functions;
}

/** cudaMemPoolAttr. */
const THRESHOLD = 4;
const CURRENT_AND_HIGH = [5, 6, 7, 8];

export function poolFunctions(parts: PoolParts): Functions {
  const state = new PoolState(parts);
  return {
    ...apiCalls(parts.context, { ...lifetimes(state), ...attributes(state), ...deviceCalls(state) }),
    ...allocations(state, parts.plain),
  };
}

class PoolState {
  readonly context: CudaContext;
  readonly streams: StreamTable;
  readonly pools = new Map<number, Pool>();
  readonly owners = new Map<number, { readonly pool: Pool; readonly sizeBytes: number }>();
  readonly defaultHandle: number;
  /** What cudaMallocAsync takes from. */
  current: number;

  constructor({ context, streams }: PoolParts) {
    this.context = context;
    this.streams = streams;
    this.defaultHandle = this.make(0);
    this.current = this.defaultHandle;
    context.afterSynchronizing = () => {
      for (const pool of this.pools.values()) pool.trim(pool.threshold);
    };
  }

  make(maxBytes: number): number {
    const handle = this.streams.newHandle();
    this.pools.set(handle, new Pool(maxBytes));
    return handle;
  }
}

function lifetimes(state: PoolState): Functions {
  const { host } = state.context;
  const { allocType, handleTypes, location, maxSize } = FIELDS.cudaMemPoolProps;
  return {
    cudaMemPoolCreate: (out, at) => {
      if (out === 0 || at === 0 || host.u32(at + allocType) !== 1) return CUDA.InvalidValue;
      // Handles are for other processes.
      if (host.u32(at + handleTypes) !== 0) return CUDA.NotSupported;
      const { type, id } = FIELDS.cudaMemLocation;
      const [kind, device] = [host.u32(at + location + type), host.u32(at + location + id)];
      if (kind !== 1) return kind === 0 ? CUDA.InvalidValue : CUDA.NotSupported;
      if (device >= state.context.devices.length) return CUDA.InvalidDevice;
      host.setU64(out, state.make(host.u64(at + maxSize)));
      return CUDA.Success;
    },
    cudaMemPoolDestroy: (handle) => {
      if (!state.pools.has(handle) || handle === state.defaultHandle) return CUDA.InvalidValue;
      state.pools.delete(handle);
      if (state.current === handle) state.current = state.defaultHandle;
      return CUDA.Success;
    },
    cudaMemPoolTrimTo: (handle, keptBytes) => {
      const pool = state.pools.get(handle);
      pool?.trim(keptBytes);
      return pool ? CUDA.Success : CUDA.InvalidValue;
    },
    cudaMemPoolSetAccess: (handle, list, count) => {
      const pool = state.pools.get(handle);
      if (!pool) return CUDA.InvalidValue;
      for (let index = 0; index < count; index++) {
        const at = list + index * SIZE_BYTES.cudaMemAccessDesc;
        const { location: place, flags } = FIELDS.cudaMemAccessDesc;
        if (host.u32(at + place + FIELDS.cudaMemLocation.id) !== 0) return CUDA.InvalidDevice;
        // A device cannot be kept from its own memory.
        if (host.u32(at + flags) !== 3) return CUDA.InvalidValue;
      }
      return CUDA.Success;
    },
    cudaMemPoolGetAccess: (out, handle) => {
      const pool = state.pools.get(handle);
      if (!pool) return CUDA.InvalidValue;
      host.setU32(out, pool.access);
      return CUDA.Success;
    },
  };
}

function attributes(state: PoolState): Functions {
  const { host } = state.context;
  return {
    cudaMemPoolGetAttribute: (handle, attribute, out) => {
      const pool = state.pools.get(handle);
      if (!pool) return CUDA.InvalidValue;
      const reuse = pool.reuse.get(attribute);
      if (reuse !== undefined) host.setU32(out, reuse);
      else if (attribute === THRESHOLD) host.setU64(out, pool.threshold);
      else if (CURRENT_AND_HIGH.includes(attribute)) {
        host.setU64(out, [pool.reserved, pool.mostReserved, pool.used, pool.mostUsed][attribute - CURRENT_AND_HIGH[0]]);
      } else return CUDA.InvalidValue;
      return CUDA.Success;
    },
    cudaMemPoolSetAttribute: (handle, attribute, at) => {
      const pool = state.pools.get(handle);
      if (!pool) return CUDA.InvalidValue;
      if (pool.reuse.has(attribute)) pool.reuse.set(attribute, host.u32(at));
      else if (attribute === THRESHOLD) {
        // Programs give UINT64_MAX for everything, which a number does not hold exactly.
        const bytes = host.u64(at);
        pool.threshold = bytes < 0 ? Number.MAX_SAFE_INTEGER : bytes;
      } else if (attribute === 6 && host.u64(at) === 0) pool.mostReserved = pool.reserved;
      else if (attribute === 8 && host.u64(at) === 0) pool.mostUsed = pool.used;
      else return CUDA.InvalidValue;
      return CUDA.Success;
    },
  };
}

function deviceCalls(state: PoolState): Functions {
  const { host } = state.context;
  const give = (out: number, ordinal: number, handle: number) => {
    if (ordinal !== 0) return CUDA.InvalidDevice;
    host.setU64(out, handle);
    return CUDA.Success;
  };
  const place = (at: number) => host.u32(at + FIELDS.cudaMemLocation.id);
  const isDevice = (at: number) => host.u32(at + FIELDS.cudaMemLocation.type) === 1;
  const set = (ordinal: number, handle: number) => {
    if (ordinal !== 0) return CUDA.InvalidDevice;
    if (!state.pools.has(handle)) return CUDA.InvalidValue;
    state.current = handle;
    return CUDA.Success;
  };
  return {
    cudaDeviceGetDefaultMemPool: (out, ordinal) => give(out, ordinal, state.defaultHandle),
    cudaDeviceGetMemPool: (out, ordinal) => give(out, ordinal, state.current),
    cudaDeviceSetMemPool: set,
    cudaMemGetDefaultMemPool: (out, at) => (isDevice(at) ? give(out, place(at), state.defaultHandle) : CUDA.NotSupported),
    cudaMemGetMemPool: (out, at) => (isDevice(at) ? give(out, place(at), state.current) : CUDA.NotSupported),
    cudaMemSetMemPool: (at, _type, handle) => (isDevice(at) ? set(place(at), handle) : CUDA.NotSupported),
  };
}

function allocations(state: PoolState, plain: Functions): Functions {
  const { host } = state.context;
  const { owners } = state;
  const taken = (pool: Pool | undefined, out: number, sizeBytes: number, run: () => number | undefined): number => {
    if (!pool) return CUDA.InvalidValue;
    if (pool.maxBytes > 0 && pool.used + sizeBytes > pool.maxBytes) return CUDA.MemoryAllocation;
    const code = run() ?? CUDA.Success;
    const address = code === CUDA.Success ? host.u64(out) : 0;
    if (address === 0) return code;
    pool.take(sizeBytes);
    owners.set(address, { pool, sizeBytes });
    return code;
  };
  const given = (address: number, run: () => number | undefined): number => {
    const code = run() ?? CUDA.Success;
    const owner = code === CUDA.Success ? owners.get(address) : undefined;
    owners.delete(address);
    if (owner) owner.pool.used -= owner.sizeBytes;
    return code;
  };
  return {
    cudaMallocAsync: (out, sizeBytes, stream) =>
      taken(state.pools.get(state.current), out, sizeBytes, () => plain.cudaMallocAsync(out, sizeBytes, stream)),
    cudaMallocFromPoolAsync: (out, sizeBytes, handle, stream) =>
      taken(state.pools.get(handle), out, sizeBytes, () => plain.cudaMallocFromPoolAsync(out, sizeBytes, handle, stream)),
    cudaFreeAsync: (address, stream) => given(address, () => plain.cudaFreeAsync(address, stream)),
    cudaFree: (address) => given(address, () => plain.cudaFree(address)),
  };
}

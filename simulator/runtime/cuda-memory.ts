/** Memory of the CUDA runtime: allocation, copies and fills, symbols, pinned, registered and managed memory. */

import type { TransferRange } from '../sanitizer/tasks.ts';
import { mappingNs, pinningNs } from './clock/costs.ts';
import { copyOf3D, copyOf3DPeer } from './cuda-array-copies.ts';
import type { ArrayTable } from './cuda-arrays.ts';
import { apiCalls, type CudaContext, type Functions, type Place } from './cuda-context.ts';
import { CUDA } from './cuda-errors.ts';
import type { StreamTable } from './cuda-streams.ts';
import { type Extent, extentAt, FIELDS, pitchedPointerAt } from './structures.ts';
import { hostAddress, type Mirror, type MirrorKind } from './unified-memory.ts';

/** cudaMemcpyKind. */
const HOST_TO_HOST = 0;
const HOST_TO_DEVICE = 1;
const DEVICE_TO_HOST = 2;
const DEVICE_TO_DEVICE = 3;
export const BY_ADDRESS = 4;

/** Rows of cudaMallocPitch begin at multiples of this many bytes (what an H200 returns: texturePitchAlignment is 32, its pitch 512). */
const PITCH_BYTES = 512;
/** What cudaMemGetInfo misses of an H200's memory in a program that has allocated nothing (driver 580, CUDA 13.0). */
const DRIVER_BYTES = 552402944;

/** Device variables by the address of their shadow in the host program. */
export type Symbols = ReadonlyMap<number, { readonly address: number; readonly sizeBytes: number }>;

export interface Rows {
  readonly address: number;
  readonly pitchBytes: number;
  /** Rows from one slice of a volume to the next. */
  readonly rowsPerSlice: number;
}

export interface Volume {
  readonly widthBytes: number;
  readonly height: number;
  readonly depth: number;
}

/** Functions that put work into a stream, with the position of that argument. */
const STREAM_ARGUMENT: Readonly<Record<string, number>> = {
  cudaMallocAsync: 2,
  cudaMallocFromPoolAsync: 3,
  cudaFreeAsync: 1,
  cudaMemcpyAsync: 4,
  cudaMemcpyPeerAsync: 5,
  cudaMemcpy2DAsync: 7,
  cudaMemcpyToSymbolAsync: 5,
  cudaMemcpyFromSymbolAsync: 5,
  cudaMemsetAsync: 3,
  cudaMemset2DAsync: 5,
  cudaMemPrefetchAsync: 3,
};

export function memoryFunctions(
  context: CudaContext,
  { symbols, streams, arrays }: { readonly symbols: Symbols; readonly streams: StreamTable; readonly arrays: ArrayTable },
): Functions {
  const functions: Functions = {
    ...allocationCalls(context),
    ...pinnedCalls(context),
    ...copyCalls(context),
    ...volumeCalls(context, arrays),
    ...fillCalls(context),
    ...symbolCalls(context, symbols),
    ...adviceCalls(context),
  };
  for (const [name, position] of Object.entries(STREAM_ARGUMENT)) {
    const call = functions[name];
    functions[name] = (...args) => streams.submit(args[position], () => call(...args), name);
  }
  for (const name of Object.keys(functions).filter((each) => /^cudaMem(cpy|set)/.test(each) && !(each in STREAM_ARGUMENT))) {
    const call = functions[name];
    functions[name] = (...args) => {
      streams.enter(0, name);
      return call(...args);
    };
  }
  return apiCalls(context, { ...functions, ...submittedVolumes(context, arrays, streams) });
}

function allocationCalls(context: CudaContext): Functions {
  const { host, memory } = context;
  const allocate = (call: string, out: number, sizeBytes: number): number => {
    if (out === 0) return CUDA.InvalidValue;
    if (sizeBytes === 0) {
      host.setU64(out, 0);
      return CUDA.Success;
    }
    const allocation = sizeBytes > 0 ? memory.allocate(sizeBytes, context.label(call)) : undefined;
    if (allocation) memory.changed(allocation.address, 'zeroed');
    // The pointer is null where there is no room, as on an H200.
    host.setU64(out, allocation?.address ?? 0);
    if (allocation && !/Async|Pool/.test(call)) context.clock.host.spend(mappingNs(sizeBytes));
    return allocation ? CUDA.Success : context.refuse(call, sizeBytes);
  };
  /** The pitch is told whether or not there is room. */
  const pitched = (call: string, at: { readonly out: number; readonly pitchOut: number }, widthBytes: number, rows: number): number => {
    const pitch = widthBytes < 0 ? 0 : Math.ceil(widthBytes / PITCH_BYTES) * PITCH_BYTES;
    host.setU64(at.pitchOut, pitch);
    if (widthBytes >= 0) return allocate(call, at.out, pitch * rows);
    host.setU64(at.out, 0);
    return CUDA.InvalidValue;
  };
  return {
    cudaMalloc: (out, sizeBytes) => allocate('cudaMalloc', out, sizeBytes),
    cudaMallocAsync: (out, sizeBytes) => allocate('cudaMallocAsync', out, sizeBytes),
    cudaMallocFromPoolAsync: (out, sizeBytes) => allocate('cudaMallocFromPoolAsync', out, sizeBytes),
    cudaMallocPitch: (out, pitchOut, widthBytes, height) => pitched('cudaMallocPitch', { out, pitchOut }, widthBytes, height),
    // The extent is passed by address.
    cudaMalloc3D: (out, extent) => {
      const { width, height, depth } = extentAt(host, extent);
      const { ptr, pitch, xsize, ysize } = FIELDS.cudaPitchedPtr;
      const code = pitched('cudaMalloc3D', { out: out + ptr, pitchOut: out + pitch }, width, height * depth);
      if (code !== CUDA.Success) return code;
      host.setU64(out + xsize, width);
      host.setU64(out + ysize, height);
      return code;
    },
    cudaFree: (address) => {
      const error = context.synchronizeAll();
      return error || free(context, address, 'cudaFree');
    },
    cudaFreeAsync: (address) => {
      // What still uses the memory has to be in order with it, as with a write.
      const allocation = context.memory.find(address, 1);
      if (allocation?.address === address)
        context.tasks?.transfer([{ to: address, bytes: allocation.sizeBytes }], { waits: false, isShared: false });
      return free(context, address, 'cudaFreeAsync');
    },
    cudaMemGetInfo: (freeOut, totalOut) => {
      host.setU64(freeOut, context.device.globalBytes - DRIVER_BYTES - context.heldBytes());
      host.setU64(totalOut, context.device.globalBytes);
      return CUDA.Success;
    },
  };
}

function free(context: CudaContext, address: number, call: string): number {
  if (address === 0) return CUDA.Success;
  const freedBy = `${call} ${context.launchesSoFar()}`;
  if (context.unified.release(address, freedBy, 'managed')) return released(context);
  if (context.unified.find(address)) return CUDA.InvalidValue;
  const allocation = context.memory.find(address, 1);
  // A variable of the program is memory too, but not the program's to free.
  if (allocation?.address !== address || allocation.label.startsWith('__') || context.memory.reservationAt(address))
    return CUDA.InvalidValue;
  return context.memory.release(address, freedBy) ? released(context) : CUDA.InvalidValue;
}

function released(context: CudaContext): number {
  context.freed++;
  return CUDA.Success;
}

const MEMORY_TYPES: Readonly<Record<MirrorKind | 'device', number>> = { pinned: 1, registered: 1, device: 2, managed: 3 };

function pinnedCalls(context: CudaContext): Functions {
  const { host, unified } = context;
  const allocate = (call: string, kind: 'managed' | 'pinned', out: number, sizeBytes: number): number => {
    if (out === 0 || (kind === 'managed' && sizeBytes === 0)) return CUDA.InvalidValue;
    if (sizeBytes === 0) {
      host.setU64(out, 0);
      return CUDA.Success;
    }
    const { refused } = host.space;
    const mirror = sizeBytes > 0 ? unified.allocate(sizeBytes, kind, { label: context.label(call), call }) : undefined;
    host.setU64(out, mirror?.host ?? 0);
    if (mirror && kind === 'pinned') context.clock.host.spend(pinningNs(sizeBytes, true));
    if (mirror) return CUDA.Success;
    return host.space.refused === refused ? context.refuse(call, sizeBytes) : CUDA.MemoryAllocation;
  };
  return {
    cudaMallocManaged: (out, sizeBytes) => allocate('cudaMallocManaged', 'managed', out, sizeBytes),
    cudaMallocHost: (out, sizeBytes) => allocate('cudaMallocHost', 'pinned', out, sizeBytes),
    cudaHostAlloc: (out, sizeBytes) => allocate('cudaHostAlloc', 'pinned', out, sizeBytes),
    cudaFreeHost: (address) => {
      const error = context.synchronizeAll();
      if (error !== CUDA.Success || address === 0) return error;
      return unified.release(address, `cudaFreeHost ${context.launchesSoFar()}`, 'pinned') ? released(context) : CUDA.InvalidValue;
    },
    cudaHostRegister: (address, sizeBytes) => {
      if (sizeBytes <= 0 || !host.owns(address, sizeBytes)) return CUDA.InvalidValue;
      if (unified.find(address)) return CUDA.HostMemoryAlreadyRegistered;
      if (!unified.register(address, sizeBytes, context.label('cudaHostRegister'))) return CUDA.MemoryAllocation;
      context.clock.host.spend(pinningNs(sizeBytes, false));
      return CUDA.Success;
    },
    cudaHostUnregister: (address) =>
      unified.release(address, `cudaHostUnregister ${context.launchesSoFar()}`, 'registered') ? CUDA.Success : CUDA.HostMemoryNotRegistered,
    cudaHostGetDevicePointer: (out, address) => {
      const mirror = unified.find(address);
      if (!mirror || mirror.kind === 'managed') return CUDA.InvalidValue;
      host.setU64(out, mirror.device + (address - mirror.host));
      return CUDA.Success;
    },
    cudaHostGetFlags: (out, address) => {
      if (!unified.find(address)) return CUDA.InvalidValue;
      host.setU32(out, 2);
      return CUDA.Success;
    },
    cudaPointerGetAttributes: (out, address) => {
      const mirror = unified.find(address);
      const onDevice = mirror === undefined && context.memory.find(address, 1) !== undefined;
      // An address that both sides have: nobody can tell which is meant.
      if (onDevice && host.owns(address, 1)) return CUDA.InvalidValue;
      const type = mirror ? MEMORY_TYPES[mirror.kind] : onDevice ? MEMORY_TYPES.device : 0;
      const seen = mirror ? bothAddresses(mirror, address) : { device: onDevice ? address : 0, host: onDevice ? 0 : address };
      const at = FIELDS.cudaPointerAttributes;
      host.setU32(out + at.type, type);
      host.setU32(out + at.device, type === 0 ? -2 : (context.memory.find(address, 1)?.owner ?? 0));
      host.setU64(out + at.devicePointer, seen.device);
      host.setU64(out + at.hostPointer, seen.host);
      return CUDA.Success;
    },
  };
}

/** Where each side sees what lies at an address of either. */
function bothAddresses(mirror: Mirror, address: number): { readonly device: number; readonly host: number } {
  const offset = hostAddress(mirror, address) - mirror.host;
  return { device: mirror.device + offset, host: mirror.host + offset };
}

/** Whether a place may stand where the direction of a copy says host or device. */
function matches(place: Place, side: 'host' | 'device'): boolean {
  return place.side === 'both' || place.side === side;
}

type Side = Parameters<CudaContext['locate']>[2];
export type Sides = Readonly<Record<'to' | 'from', Side>>;

/** Of calls without a direction whose pointers are the device's. */
export const ON_DEVICES: Sides = { to: 'device', from: 'device' };

/** The sides that a direction names. */
function sidesOf(kind: number): Sides {
  if (kind === BY_ADDRESS) return { to: 'either', from: 'either' };
  return {
    to: kind === HOST_TO_HOST || kind === DEVICE_TO_HOST ? 'host' : 'device',
    from: kind === HOST_TO_HOST || kind === HOST_TO_DEVICE ? 'host' : 'device',
  };
}

function fits(kind: number, to: Place, from: Place): boolean {
  switch (kind) {
    case HOST_TO_HOST:
      return matches(to, 'host') && matches(from, 'host');
    case HOST_TO_DEVICE:
      return matches(to, 'device') && matches(from, 'host');
    case DEVICE_TO_HOST:
      return matches(to, 'host') && matches(from, 'device');
    case DEVICE_TO_DEVICE:
      return matches(to, 'device') && matches(from, 'device');
    default:
      return true;
  }
}

/** Copies one piece; where either side lies in no allocation, or on the wrong side for the direction, nothing is copied. */
export function copy(context: CudaContext, to: number, from: number, sizeBytes: number, kind: number, sides = sidesOf(kind)): number {
  if (kind > BY_ADDRESS) return CUDA.InvalidMemcpyDirection;
  if (sizeBytes === 0) return CUDA.Success;
  const target = context.locate(to, sizeBytes, sides.to);
  const source = context.locate(from, sizeBytes, sides.from);
  if (!target || !source || !fits(kind, target, source)) return CUDA.InvalidValue;
  const happened = told(context, target, source, [{ to, from, bytes: sizeBytes }]);
  // Both may be views of one memory: copyWithin's rules hold for set() too, overlapping or not.
  if (target.side === 'device') context.memory.write(to, source.bytes);
  else target.bytes.set(source.bytes);
  happened?.();
  context.clock.copy(source.end, target.end, sizeBytes);
  return CUDA.Success;
}

/** Tells of a copy or fill before it happens; what is returned is to be called behind it. */
function told(context: CudaContext, target: Place, source: Place | undefined, ranges: readonly TransferRange[]) {
  const { tasks } = context;
  if (!tasks) return undefined;
  const seen = (side: Place['side'] | undefined, address: number | undefined) =>
    side === undefined || side === 'host' || address === undefined ? undefined : context.deviceAddress(address);
  const onDevice = ranges.map(({ to, from, bytes }) => ({ to: seen(target.side, to), from: seen(source?.side, from), bytes }));
  const isShared = target.side === 'both' || source?.side === 'both';
  return tasks.transfer(onDevice, { waits: hostWaits(tasks.isAsynchronous, target, source), isShared });
}

/** CUDA Runtime API, "API synchronization behavior". */
function hostWaits(isAsynchronous: boolean, target: Place, source: Place | undefined): boolean {
  if (isAsynchronous) return target.side === 'host';
  return target.side !== 'device' || (source !== undefined && source.side !== 'device');
}

export function copyRows(
  context: CudaContext,
  to: Rows,
  from: Rows,
  { widthBytes, height, depth }: Volume,
  kind: number,
  sides = sidesOf(kind),
): number {
  if (kind > BY_ADDRESS) return CUDA.InvalidMemcpyDirection;
  if (widthBytes === 0 || height === 0 || depth === 0) return CUDA.Success;
  if (Math.min(widthBytes, height, depth, to.pitchBytes, from.pitchBytes) < 0) return CUDA.InvalidValue;
  if (height * depth > 1 && (widthBytes > to.pitchBytes || widthBytes > from.pitchBytes)) return CUDA.InvalidPitchValue;
  const target = volumeRows(context, to, { widthBytes, height, depth }, sides.to);
  const source = volumeRows(context, from, { widthBytes, height, depth }, sides.from);
  if (!target || !source || !fits(kind, target.place, source.place)) return CUDA.InvalidValue;
  const ranges = Array.from({ length: context.tasks ? height * depth : 0 }, (_, row) => {
    return { to: to.address + target.offset(row), from: from.address + source.offset(row), bytes: widthBytes };
  });
  const happened = told(context, target.place, source.place, ranges);
  for (let row = 0; row < height * depth; row++) {
    const start = source.offset(row);
    target.place.bytes.set(source.place.bytes.subarray(start, start + widthBytes), target.offset(row));
    if (target.place.side === 'device') context.memory.observer?.written(to.address + target.offset(row), widthBytes);
  }
  if (target.place.side === 'device') context.memory.changed(to.address);
  happened?.();
  context.clock.copy(source.place.end, target.place.end, widthBytes * height * depth);
  return CUDA.Success;
}

function volumeRows(context: CudaContext, rows: Rows, { widthBytes, height, depth }: Volume, side: Side = 'device') {
  const offset = (row: number) => (Math.floor(row / height) * rows.rowsPerSlice + (row % height)) * rows.pitchBytes;
  const place = context.locate(rows.address, offset(height * depth - 1) + widthBytes, side);
  return place && { place, offset };
}

function copyCalls(context: CudaContext): Functions {
  /** Waits for the device first, as a copy does that is not asynchronous. */
  const waiting =
    (call: (...args: number[]) => number) =>
    (...args: number[]) =>
      context.synchronize() || call(...args);
  const plain = (to: number, from: number, sizeBytes: number, kind: number) => copy(context, to, from, sizeBytes, kind);
  const peer = (to: number, toDevice: number, from: number, fromDevice: number, sizeBytes: number) =>
    Math.max(toDevice, fromDevice) < context.devices.length
      ? copy(context, to, from, sizeBytes, BY_ADDRESS, ON_DEVICES)
      : CUDA.InvalidDevice;
  const flat = (to: number, toPitch: number, from: number, fromPitch: number, widthBytes: number, height: number, kind: number) =>
    copyRows(
      context,
      { address: to, pitchBytes: toPitch, rowsPerSlice: height },
      { address: from, pitchBytes: fromPitch, rowsPerSlice: height },
      { widthBytes, height, depth: 1 },
      kind,
    );
  return {
    cudaMemcpy: waiting(plain),
    cudaMemcpyAsync: plain,
    cudaMemcpyPeer: waiting(peer),
    cudaMemcpyPeerAsync: peer,
    cudaMemcpy2D: waiting(flat),
    cudaMemcpy2DAsync: flat,
  };
}

function volumeCalls(context: CudaContext, arrays: ArrayTable): Functions {
  const done = (copy: (() => number) | number) => (typeof copy === 'number' ? copy : copy());
  return {
    cudaMemcpy3D: (parms) => context.synchronize() || done(copyOf3D(context, arrays, parms)),
    cudaMemcpy3DPeer: (parms) => context.synchronize() || done(copyOf3DPeer(context, arrays, parms)),
  };
}

/** These read structures of the caller's, which may be gone when a graph runs: so they are read when the work is submitted. */
function submittedVolumes(context: CudaContext, arrays: ArrayTable, streams: StreamTable): Functions {
  const submit = (stream: number, work: (() => number) | number, call: string) =>
    typeof work === 'number' ? work : streams.submit(stream, work, call);
  return {
    cudaMemcpy3DAsync: (parms, stream) => submit(stream, copyOf3D(context, arrays, parms), 'cudaMemcpy3DAsync'),
    cudaMemcpy3DPeerAsync: (parms, stream) => submit(stream, copyOf3DPeer(context, arrays, parms), 'cudaMemcpy3DPeerAsync'),
    cudaMemset3DAsync: (pitched, value, extent, stream) => {
      const { pointer, pitch, ysize } = pitchedPointerAt(context.host, pitched);
      const volume = volumeOf(extentAt(context.host, extent));
      return streams.submit(
        stream,
        () => fillRows(context, { address: pointer, pitchBytes: pitch, rowsPerSlice: ysize }, value, volume),
        'cudaMemset3DAsync',
      );
    },
  };
}

function volumeOf({ width, height, depth }: Extent): Volume {
  return { widthBytes: width, height, depth };
}

/** Fills rows with a byte. */
export function fillRows(context: CudaContext, { address, pitchBytes, rowsPerSlice }: Rows, value: number, volume: Volume): number {
  if (volume.widthBytes === 0 || volume.height === 0 || volume.depth === 0) return CUDA.Success;
  if (Math.min(volume.widthBytes, volume.height, volume.depth, pitchBytes) < 0) return CUDA.InvalidValue;
  if (volume.height * volume.depth > 1 && volume.widthBytes > pitchBytes) return CUDA.InvalidValue;
  const target = volumeRows(context, { address, pitchBytes, rowsPerSlice }, volume);
  if (!target || !matches(target.place, 'device')) return CUDA.InvalidValue;
  const rows = context.tasks ? volume.height * volume.depth : 0;
  const ranges = Array.from({ length: rows }, (_, row) => ({ to: address + target.offset(row), bytes: volume.widthBytes }));
  const happened = told(context, target.place, undefined, ranges);
  const isDevice = target.place.side === 'device';
  const isOneRow = volume.height * volume.depth === 1;
  for (let row = 0; row < volume.height * volume.depth; row++) {
    const start = target.offset(row);
    if (isDevice && isOneRow) context.memory.fill(address, volume.widthBytes, value & 0xff);
    else target.place.bytes.fill(value, start, start + volume.widthBytes);
    if (isDevice) context.memory.observer?.written(address + start, volume.widthBytes);
  }
  if (isDevice && !isOneRow) context.memory.changed(address);
  happened?.();
  context.clock.fill(target.place.end, volume.widthBytes * volume.height * volume.depth);
  return CUDA.Success;
}

/** As `fillRows`, by elements of 1, 2 or 4 bytes. */
export function fillElements(
  context: CudaContext,
  rows: Rows,
  { value, bytes }: { readonly value: number; readonly bytes: number },
  volume: Volume,
): number {
  const pattern = new Uint8Array(Uint32Array.of(value).buffer).subarray(0, bytes);
  const error = fillRows(context, rows, pattern[0], volume);
  if (error !== CUDA.Success || pattern.every((byte) => byte === pattern[0])) return error;
  const target = volumeRows(context, rows, volume);
  for (let row = 0; target && row < volume.height * volume.depth; row++) {
    const start = target.offset(row);
    const own = target.place.bytes.subarray(start, start + volume.widthBytes);
    for (let at = 0; at < volume.widthBytes; at += bytes) own.set(pattern, at);
  }
  if (target?.place.side === 'device') context.memory.changed(rows.address);
  return CUDA.Success;
}

function fillCalls(context: CudaContext): Functions {
  const plain = (address: number, value: number, sizeBytes: number) =>
    fillRows(context, { address, pitchBytes: sizeBytes, rowsPerSlice: 1 }, value, { widthBytes: sizeBytes, height: 1, depth: 1 });
  const flat = (address: number, pitchBytes: number, value: number, widthBytes: number, height: number) =>
    fillRows(context, { address, pitchBytes, rowsPerSlice: height }, value, { widthBytes, height, depth: 1 });
  const volume = (pitched: number, value: number, extent: number) => {
    const { pointer, pitch, ysize } = pitchedPointerAt(context.host, pitched);
    return fillRows(context, { address: pointer, pitchBytes: pitch, rowsPerSlice: ysize }, value, volumeOf(extentAt(context.host, extent)));
  };
  return {
    cudaMemset: plain,
    cudaMemsetAsync: plain,
    cudaMemset2D: flat,
    cudaMemset2DAsync: flat,
    cudaMemset3D: volume,
  };
}

export interface SymbolCopies {
  to(symbol: number, from: number, sizeBytes: number, offset: number, kind: number): number;
  from(into: number, symbol: number, sizeBytes: number, offset: number, kind: number): number;
}

export function symbolCopies(context: CudaContext, symbols: Symbols): SymbolCopies {
  const at = (symbol: number, offset: number, sizeBytes: number): number | undefined => {
    const variable = symbols.get(symbol);
    return variable && offset >= 0 && sizeBytes >= 0 && offset + sizeBytes <= variable.sizeBytes ? variable.address + offset : undefined;
  };
  const to = (symbol: number, from: number, sizeBytes: number, offset: number, kind: number): number => {
    if (!symbols.has(symbol)) return CUDA.InvalidSymbol;
    if (kind !== HOST_TO_DEVICE && kind !== DEVICE_TO_DEVICE && kind !== BY_ADDRESS) return CUDA.InvalidMemcpyDirection;
    const address = at(symbol, offset, sizeBytes);
    return address === undefined ? CUDA.InvalidValue : copy(context, address, from, sizeBytes, kind);
  };
  const from = (into: number, symbol: number, sizeBytes: number, offset: number, kind: number): number => {
    if (!symbols.has(symbol)) return CUDA.InvalidSymbol;
    if (kind !== DEVICE_TO_HOST && kind !== DEVICE_TO_DEVICE && kind !== BY_ADDRESS) return CUDA.InvalidMemcpyDirection;
    const address = at(symbol, offset, sizeBytes);
    return address === undefined ? CUDA.InvalidValue : copy(context, into, address, sizeBytes, kind);
  };
  return { to, from };
}

function symbolCalls(context: CudaContext, symbols: Symbols): Functions {
  const { to, from } = symbolCopies(context, symbols);
  const answer = (out: number, value: number | undefined): number => {
    if (value === undefined) return CUDA.InvalidSymbol;
    context.host.setU64(out, value);
    return CUDA.Success;
  };
  return {
    cudaMemcpyToSymbol: (...args) => context.synchronize() || to(...(args as Parameters<typeof to>)),
    cudaMemcpyToSymbolAsync: to,
    cudaMemcpyFromSymbol: (...args) => context.synchronize() || from(...(args as Parameters<typeof from>)),
    cudaMemcpyFromSymbolAsync: from,
    cudaGetSymbolAddress: (out, symbol) => answer(out, symbols.get(symbol)?.address),
    cudaGetSymbolSize: (out, symbol) => answer(out, symbols.get(symbol)?.sizeBytes),
  };
}

/** Hints about where managed memory should lie: for what a program computes there is one place only, and only its clock knows others. */
function adviceCalls(context: CudaContext): Functions {
  const { unified, clock } = context;
  const hint = (address: number, sizeBytes: number) =>
    context.unified.find(address)?.kind === 'managed' && context.locate(address, sizeBytes) ? CUDA.Success : CUDA.InvalidValue;
  const prefetch = (address: number, sizeBytes: number, device: number) => {
    const error = hint(address, sizeBytes);
    if (error !== CUDA.Success) return error;
    unified.copyToDevice();
    const mirror = unified.find(address)!;
    const toDevice = (device | 0) >= 0;
    const moved = toDevice ? unified.migrate((each) => each === mirror.device).bytes : unified.returnAll(mirror);
    clock.prefetch(moved, toDevice);
    return CUDA.Success;
  };
  return { cudaMemPrefetchAsync: prefetch, cudaMemAdvise: hint, cudaStreamAttachMemAsync: (_stream, address) => hint(address, 0) };
}

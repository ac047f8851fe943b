/** How long copies and fills take and what they occupy: by the links of devices/links.ts and the profile's memory. */
import { linkOf, peerLink } from '../../../devices/links.ts';
import { memoryBytesPerNs } from '../../../devices/peaks.ts';
import type { DeviceProfile } from '../../../devices/profile.ts';
import type { Migrated } from '../unified-memory.ts';
import type { Needs } from './operation.ts';

/** Where one end of a copy lies. */
export type End = { readonly at: 'pageable' | 'pinned' } | { readonly at: 'device'; readonly device: number };

export interface CopyCost {
  readonly ns: number;
  readonly needs: Needs;
  /** Nanoseconds that the host works at it: staging of pageable memory. */
  readonly hostNs: number;
  /** A call that does not end in Async takes so much longer. */
  readonly heldNs?: number;
  /** The call returns when it is done, also one that ends in Async. */
  readonly waits: boolean;
  /** "HtoD", as profilers say. */
  readonly direction: string;
}

/*
 * Measured on one H200 (test/fixtures/hardware/h200-microbenchmarks.json): copies of 4 bytes to 256 MiB by host time and between events, less
 * the call and the wait.
 */
/** One transfer, besides its bytes: up and down. */
const START_NS = { in: 2400, out: 1500 } as const;
/** Of the link's rate without headers, what large copies reach: 55.3 of 57.6 bytes per nanosecond. */
const LINK_SHARE = 0.96;
/** Of its rate alone, what a copy reaches beside one in the other direction: "up beside down", 0.88 to 0.95 by size. */
const OPPOSITE_SHARE = 0.92;
/** Bytes per nanosecond that one core copies between pageable memory and the driver's pinned pieces: up from caches and from memory, down. */
const STAGING_BYTES_PER_NS = { cached: 13, uncached: 8.4, out: 14 } as const;
/** What the host's caches hold. */
const CACHED_BYTES = 32 << 20;
/**
 * Fills and copies within the device are kernels: until they begin, what they reach of the memory's peak, and what the call of such a copy
 * takes longer ("host within the device", "within the device", 4 B to 4 MiB).
 */
const FILL_START_NS = 3700;
const WITHIN_START_NS = 6000;
const WITHIN_CALL_NS = 3000;
const MEMORY_SHARE = 0.85;
/** CUDA Runtime API, "API synchronization behavior": up to so many bytes of pageable memory are only staged when the call returns. */
const STAGED_BYTES = 65536;
/** "cudaMemcpy pageable to device", 4 B to 64 KiB, less the call and the staging. */
const STAGED_CALL_NS = 6000;
/**
 * "kernel on managed memory that the host wrote", "kernel reads managed memory that the host has read": the first fault, and bytes per
 * nanosecond of a link of 57.6.
 */
const FIRST_FAULT_NS = { written: 300_000, read: 50_000 } as const;
const MIGRATED_SHARE = 9.5 / 57.6;
/** "kernel fills fresh 16 MiB": pages that nobody has touched are made where the kernel touches them. */
const FRESH_BYTES_PER_NS = 12;
/** "host reads managed memory that the device wrote", from one word to 64 MiB, less the loop itself. */
const HOST_FAULT_NS = 18_000;
const RETURNED_SHARE = 6.3 / 57.6;
/** "prefetch to the device", "prefetch to the host": until it begins, and shares of the link's rate. */
const PREFETCH_START_NS = 60_000;
const PREFETCH_SHARE = { in: 50 / 57.6, out: 16.2 / 57.6 } as const;

export function copyCost(devices: readonly DeviceProfile[], from: End, to: End, bytes: number): CopyCost {
  if (from.at === 'device' && to.at === 'device') return betweenDevices(devices, from.device, to.device, bytes);
  if (from.at !== 'device' && to.at !== 'device') {
    const hostNs = bytes / stagingRate(bytes, true);
    return { ns: 0, needs: { kind: 'nothing' }, hostNs, waits: true, direction: 'HtoH' };
  }
  const inwards = to.at === 'device';
  const [device, host] = inwards ? [(to as { device: number }).device, from] : [(from as { device: number }).device, to];
  const linkNs = bytes / (LINK_SHARE * linkOf(devices[device]).hostBytesPerNs);
  const way = inwards ? 'in' : 'out';
  const needs = overLink(device, way);
  const direction = inwards ? 'HtoD' : 'DtoH';
  if (host.at === 'pinned') return { ns: START_NS[way] + linkNs, needs, hostNs: 0, waits: false, direction };
  const stagingNs = bytes / stagingRate(bytes, inwards);
  // Pieces are staged while others are transferred: the slower of both counts.
  const staged = inwards && bytes <= STAGED_BYTES;
  return staged
    ? { ns: START_NS[way] + linkNs, needs, hostNs: stagingNs, heldNs: STAGED_CALL_NS, waits: false, direction }
    : { ns: START_NS[way] + Math.max(linkNs, stagingNs), needs, hostNs: 0, waits: true, direction };
}

function betweenDevices(devices: readonly DeviceProfile[], from: number, to: number, bytes: number): CopyCost {
  if (from === to) {
    // Each byte is read and written.
    const ns = WITHIN_START_NS + (2 * bytes) / (MEMORY_SHARE * memoryBytesPerNs(devices[from]));
    return { ns, needs: { kind: 'engines', engines: [engine(from, 'within')] }, hostNs: WITHIN_CALL_NS, waits: false, direction: 'DtoD' };
  }
  const { bytesPerNs, direct } = peerLink(devices[from], devices[to]);
  const [out, into] = direct ? (['peer out', 'peer in'] as const) : (['out', 'in'] as const);
  const needs: Needs = { kind: 'engines', engines: [engine(from, out), engine(to, into)] };
  return { ns: START_NS.in + bytes / bytesPerNs, needs, hostNs: 0, waits: false, direction: 'PtoP' };
}

export function fillCost(devices: readonly DeviceProfile[], device: number, bytes: number): Pick<CopyCost, 'ns' | 'needs'> {
  const ns = FILL_START_NS + bytes / (MEMORY_SHARE * memoryBytesPerNs(devices[device]));
  return { ns, needs: { kind: 'engines', engines: [engine(device, 'within')] } };
}

/** Managed memory that the host has used moves when a kernel touches it, fault by fault. */
export function migrationNs(device: DeviceProfile, { bytes, freshBytes, isWritten }: Migrated): number {
  if (bytes + freshBytes === 0) return 0;
  const first = FIRST_FAULT_NS[isWritten || bytes === 0 ? 'written' : 'read'];
  return first + bytes / (MIGRATED_SHARE * linkOf(device).hostBytesPerNs) + freshBytes / FRESH_BYTES_PER_NS;
}

/** What the host waits for that touches managed memory on the device. */
export function hostFaultNs(device: DeviceProfile, { faults, bytes }: { readonly faults: number; readonly bytes: number }): number {
  return faults * HOST_FAULT_NS + bytes / (RETURNED_SHARE * linkOf(device).hostBytesPerNs);
}

/** Managed memory moves ahead of its use. */
export function prefetchCost(devices: readonly DeviceProfile[], device: number, way: 'in' | 'out', bytes: number): CopyCost {
  const ns = PREFETCH_START_NS + bytes / (PREFETCH_SHARE[way] * linkOf(devices[device]).hostBytesPerNs);
  const needs = overLink(device, way);
  return { ns, needs, hostNs: 0, waits: false, direction: way === 'in' ? 'HtoD' : 'DtoH' };
}

function stagingRate(bytes: number, inwards: boolean): number {
  if (!inwards) return STAGING_BYTES_PER_NS.out;
  return bytes <= CACHED_BYTES ? STAGING_BYTES_PER_NS.cached : STAGING_BYTES_PER_NS.uncached;
}

function overLink(device: number, way: 'in' | 'out'): Needs {
  const opposite = engine(device, way === 'in' ? 'out' : 'in');
  return { kind: 'engines', engines: [engine(device, way)], slowed: { by: [opposite], speed: OPPOSITE_SHARE } };
}

function engine(device: number, name: string): string {
  return `${device} ${name}`;
}

/** How long copies and fills take and what they occupy: by the links of devices/links.ts and the profile's memory. */
import { linkOf, peerLink } from '../../../devices/links.ts';
import { memoryBytesPerNs } from '../../../devices/peaks.ts';
import type { DeviceProfile } from '../../../devices/profile.ts';
import type { Needs } from './operation.ts';

/** Where one end of a copy lies. */
export type End = { readonly at: 'pageable' | 'pinned' } | { readonly at: 'device'; readonly device: number };

export interface CopyCost {
  readonly ns: number;
  readonly needs: Needs;
  /** Nanoseconds that the host works at it: staging of pageable memory. */
  readonly hostNs: number;
  /** The call returns when it is done, also one that ends in Async. */
  readonly waits: boolean;
  /** "HtoD", as profilers say. */
  readonly direction: string;
}

/** Rule of thumb: one DMA transfer, from its start to its first byte. */
const START_NS = 1300;
/** Rule of thumb: bytes per nanosecond that one core copies between pageable memory and the driver's pinned pieces. */
const STAGING_BYTES_PER_NS = 12;
/** CUDA Runtime API, "API synchronization behavior": up to so many bytes of pageable memory are only staged when the call returns. */
const STAGED_BYTES = 65536;

export function copyCost(devices: readonly DeviceProfile[], from: End, to: End, bytes: number): CopyCost {
  if (from.at === 'device' && to.at === 'device') return betweenDevices(devices, from.device, to.device, bytes);
  if (from.at !== 'device' && to.at !== 'device') {
    const hostNs = bytes / STAGING_BYTES_PER_NS;
    return { ns: 0, needs: { kind: 'nothing' }, hostNs, waits: true, direction: 'HtoH' };
  }
  const inwards = to.at === 'device';
  const [device, host] = inwards ? [(to as { device: number }).device, from] : [(from as { device: number }).device, to];
  const linkNs = bytes / linkOf(devices[device]).hostBytesPerNs;
  const needs: Needs = { kind: 'engines', engines: [engine(device, inwards ? 'in' : 'out')] };
  const direction = inwards ? 'HtoD' : 'DtoH';
  if (host.at === 'pinned') return { ns: START_NS + linkNs, needs, hostNs: 0, waits: false, direction };
  const stagingNs = bytes / STAGING_BYTES_PER_NS;
  // Pieces are staged while others are transferred: the slower of both counts.
  const staged = inwards && bytes <= STAGED_BYTES;
  return staged
    ? { ns: START_NS + linkNs, needs, hostNs: stagingNs, waits: false, direction }
    : { ns: START_NS + Math.max(linkNs, stagingNs), needs, hostNs: 0, waits: true, direction };
}

function betweenDevices(devices: readonly DeviceProfile[], from: number, to: number, bytes: number): CopyCost {
  if (from === to) {
    // Each byte is read and written.
    const ns = START_NS + (2 * bytes) / memoryBytesPerNs(devices[from]);
    return { ns, needs: { kind: 'engines', engines: [engine(from, 'within')] }, hostNs: 0, waits: false, direction: 'DtoD' };
  }
  const { bytesPerNs, direct } = peerLink(devices[from], devices[to]);
  const [out, into] = direct ? (['peer out', 'peer in'] as const) : (['out', 'in'] as const);
  const needs: Needs = { kind: 'engines', engines: [engine(from, out), engine(to, into)] };
  return { ns: START_NS + bytes / bytesPerNs, needs, hostNs: 0, waits: false, direction: 'PtoP' };
}

export function fillCost(devices: readonly DeviceProfile[], device: number, bytes: number): Pick<CopyCost, 'ns' | 'needs'> {
  return { ns: START_NS + bytes / memoryBytesPerNs(devices[device]), needs: { kind: 'engines', engines: [engine(device, 'within')] } };
}

/**
 * Managed memory that the host has written moves when a kernel touches it: at half of what a copy takes ("Maximizing Unified Memory
 * Performance in CUDA", NVIDIA Technical Blog, 2017: 5.4 of 10.9 bytes per nanosecond). Prefetched, it moves as a copy.
 */
export function migrationNs(device: DeviceProfile, bytes: number): number {
  return (2 * bytes) / linkOf(device).hostBytesPerNs;
}

function engine(device: number, name: string): string {
  return `${device} ${name}`;
}

/**
 * Memory that host and device see under the same address: managed and pinned allocations, and host memory that was registered. Between
 * launches the host's copy counts; a launch copies it to the device before it starts and back when it ends.
 */
import { DEVICE_FLOOR } from '../ir/address-map.ts';
import type { DeviceMemory } from '../machine/device-memory.ts';
import { copyChanges } from '../machine/same-bytes.ts';
import type { HostMemory } from './host-memory.ts';

/** What made the memory: decides what cudaPointerGetAttributes says and which call releases it. */
export type MirrorKind = 'managed' | 'pinned' | 'registered';

export interface Mirror {
  readonly kind: MirrorKind;
  /** Equal to `device` except for what lies where the C library or the linker put it: registered memory and variables. */
  readonly host: number;
  readonly device: number;
  readonly sizeBytes: number;
  /** Of managed memory: bytes that lie where the host has used them and no kernel since, and those that lie on the device. */
  hostBytes: number;
  deviceBytes: number;
  /** The host has written some of `hostBytes`. */
  isWritten: boolean;
  /** Blocks that have come back to the host since all lay on the device; up to this one all have. */
  readonly returned: Set<number>;
  returnedBytes: number;
  firstAway: number;
}

/** What managed memory moves by when the host touches it. Measured on an H200: one word and 64 KiB take nearly the same. */
const BLOCK_BYTES = 65536;

/** What has moved to the device. */
export interface Migrated {
  readonly bytes: number;
  /** Of allocations that nobody had used so far. */
  readonly freshBytes: number;
  readonly isWritten: boolean;
}

/** What an access of the host has brought back from the device: faults that begin a run of blocks, and all bytes. */
export interface Returned {
  readonly faults: number;
  readonly bytes: number;
}

const NOTHING_RETURNED: Returned = { faults: 0, bytes: 0 };

const newMirror = (of: Pick<Mirror, 'kind' | 'host' | 'device' | 'sizeBytes'>): Mirror => ({
  ...of,
  hostBytes: 0,
  deviceBytes: 0,
  isWritten: false,
  returned: new Set(),
  returnedBytes: 0,
  firstAway: 0,
});

export class UnifiedMemory {
  readonly #host: HostMemory;
  readonly #device: DeviceMemory;
  readonly #mirrors: Mirror[] = [];
  /** Called when managed memory has moved. */
  moved: () => void = () => undefined;

  constructor(host: HostMemory, device: DeviceMemory) {
    this.#host = host;
    this.#device = device;
  }

  get isEmpty(): boolean {
    return this.#mirrors.length === 0;
  }

  /** Zeroed memory at one address in both; undefined when there is no room. `call`: who asks. */
  allocate(sizeBytes: number, kind: 'managed' | 'pinned', { label, call }: { label: string; call?: string }): Mirror | undefined {
    const address = this.#host.space.map(sizeBytes, DEVICE_FLOOR, call);
    if (address === undefined) return undefined;
    if (!this.#device.allocateAt(address, sizeBytes, label)) {
      this.#host.space.unmap(address, sizeBytes);
      return undefined;
    }
    return this.#add(newMirror({ kind, host: address, device: address, sizeBytes }));
  }

  /** Gives host memory that the program owns a device address; undefined where there is none, or addresses have two meanings already. */
  register(host: number, sizeBytes: number, label: string): Mirror | undefined {
    if (this.#device.line.overlaps) return undefined;
    this.#device.line.keepsApart = true;
    const allocation = this.#device.allocate(sizeBytes, label, 'shared');
    return allocation && this.#add(newMirror({ kind: 'registered', host, device: allocation.address, sizeBytes }));
  }

  /** Ties a `__managed__` variable to its shadow in the host program, which begins with the device's value. */
  adopt(variable: { readonly host: number; readonly device: number; readonly sizeBytes: number }): void {
    if (variable.host + variable.sizeBytes > DEVICE_FLOOR) this.#device.line.keepsApart = true;
    this.#host.bytes.set(this.#device.bytes.subarray(variable.device, variable.device + variable.sizeBytes), variable.host);
    this.#add(newMirror({ kind: 'managed', ...variable }));
  }

  /** False if no such memory starts at the host address. `freedBy`: see DeviceMemory.release. */
  release(host: number, freedBy: string, ...kinds: MirrorKind[]): boolean {
    const index = this.#mirrors.findIndex((mirror) => mirror.host === host && kinds.includes(mirror.kind));
    if (index < 0) return false;
    const [{ device, sizeBytes }] = this.#mirrors.splice(index, 1);
    this.moved();
    this.#device.release(device, freedBy);
    if (host === device) this.#host.space.unmap(host, sizeBytes);
    return true;
  }

  /** The memory that holds an address of either side. */
  find(address: number): Mirror | undefined {
    const within = (start: number, size: number) => address >= start && address < start + Math.max(1, size);
    return this.#mirrors.find((mirror) => within(mirror.device, mirror.sizeBytes) || within(mirror.host, mirror.sizeBytes));
  }

  /** The smallest interval of the host's addresses that has all of it. */
  get hull(): { readonly start: number; readonly bytes: number } {
    if (this.isEmpty) return { start: 0, bytes: 0 };
    const start = Math.min(...this.#mirrors.map(({ host }) => host));
    return { start, bytes: Math.max(...this.#mirrors.map(({ host, sizeBytes }) => host + sizeBytes)) - start };
  }

  /** As the device sees it. */
  get ranges(): readonly { readonly start: number; readonly end: number }[] {
    return this.#mirrors.map(({ device, sizeBytes }) => ({ start: device, end: device + sizeBytes }));
  }

  copyToDevice(): void {
    for (const mirror of this.#mirrors) {
      const { kind, host, device, sizeBytes } = mirror;
      const changed = this.#device.renew(device, this.#host.bytes.subarray(host, host + sizeBytes));
      if (kind !== 'managed') continue;
      // What was written where nobody watches has come back, too.
      const unseen = Math.max(0, changed - mirror.returnedBytes);
      mirror.hostBytes = Math.min(sizeBytes, mirror.hostBytes + mirror.returnedBytes + unseen);
      mirror.deviceBytes = Math.max(0, mirror.deviceBytes - unseen);
      mirror.returnedBytes = 0;
      mirror.isWritten ||= changed > 0;
    }
  }

  /** Kernels have touched managed memory, or it was prefetched: it lies on the device. */
  migrate(touched: (address: number) => boolean): Migrated {
    let bytes = 0;
    let freshBytes = 0;
    let isWritten = false;
    for (const mirror of this.#mirrors) {
      if (mirror.kind !== 'managed' || !touched(mirror.device)) continue;
      if (mirror.hostBytes + mirror.deviceBytes === 0) freshBytes += mirror.sizeBytes;
      bytes += mirror.hostBytes;
      isWritten ||= mirror.isWritten;
      Object.assign(mirror, { hostBytes: 0, deviceBytes: mirror.sizeBytes, isWritten: false, firstAway: 0 });
      mirror.returned.clear();
    }
    this.moved();
    return { bytes, freshBytes, isWritten };
  }

  /** All of it has come back to the host ahead of its use: bytes that have. */
  returnAll(mirror: Mirror): number {
    const bytes = mirror.deviceBytes;
    mirror.deviceBytes = 0;
    this.moved();
    return bytes;
  }

  /** The smallest interval of the host's addresses that has all managed memory on the device. */
  get away(): { readonly start: number; readonly bytes: number } {
    const away = this.#mirrors.filter(({ kind, deviceBytes }) => kind === 'managed' && deviceBytes > 0);
    if (away.length === 0) return { start: 0, bytes: 0 };
    const start = Math.min(...away.map(({ host, firstAway }) => host + firstAway * BLOCK_BYTES));
    return { start, bytes: Math.max(...away.map(({ host, sizeBytes }) => host + sizeBytes)) - start };
  }

  /** The host has accessed what may lie on the device. */
  returnBlocks(address: number, bytes: number): Returned {
    const mirror = this.#mirrors.find(({ host, sizeBytes }) => address >= host && address < host + sizeBytes);
    if (!mirror || mirror.deviceBytes === 0) return NOTHING_RETURNED;
    const { host, sizeBytes, returned } = mirror;
    const last = Math.floor((Math.min(address + Math.max(1, bytes), host + sizeBytes) - 1 - host) / BLOCK_BYTES);
    let faults = 0;
    let moved = 0;
    for (let block = Math.floor((address - host) / BLOCK_BYTES); block <= last; block++) {
      if (returned.has(block)) continue;
      if (!returned.has(block - 1)) faults++;
      returned.add(block);
      moved += Math.min(BLOCK_BYTES, sizeBytes - block * BLOCK_BYTES);
    }
    if (moved === 0) return NOTHING_RETURNED;
    while (returned.has(mirror.firstAway)) mirror.firstAway++;
    mirror.deviceBytes = Math.max(0, mirror.deviceBytes - moved);
    mirror.returnedBytes += moved;
    this.moved();
    return { faults, bytes: moved };
  }

  /** `written`: where the allocations start that the device may have changed. */
  copyToHost(written: ReadonlySet<number>): void {
    for (const { host, device, sizeBytes } of this.#mirrors) {
      if (!written.has(device)) continue;
      copyChanges(this.#host.bytes.subarray(host, host + sizeBytes), this.#device.bytes.subarray(device, device + sizeBytes));
    }
  }

  #add(mirror: Mirror): Mirror {
    this.#mirrors.push(mirror);
    return mirror;
  }
}

/** Where the host sees what lies at an address of either side. */
export function hostAddress({ host, device, sizeBytes }: Mirror, address: number): number {
  return address >= host && address < host + Math.max(1, sizeBytes) ? address : host + (address - device);
}

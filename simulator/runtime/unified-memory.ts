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
  /** Of managed memory: bytes that the host has written and no kernel has touched since, and those that lie on the device. */
  hostBytes: number;
  deviceBytes: number;
}

export class UnifiedMemory {
  readonly #host: HostMemory;
  readonly #device: DeviceMemory;
  readonly #mirrors: Mirror[] = [];

  constructor(host: HostMemory, device: DeviceMemory) {
    this.#host = host;
    this.#device = device;
  }

  get isEmpty(): boolean {
    return this.#mirrors.length === 0;
  }

  /** Zeroed memory at one address in both; undefined when there is no room. */
  allocate(sizeBytes: number, kind: 'managed' | 'pinned', label: string): Mirror | undefined {
    const address = this.#host.space.map(sizeBytes, DEVICE_FLOOR);
    if (address === undefined) return undefined;
    if (!this.#device.allocateAt(address, sizeBytes, label)) {
      this.#host.space.unmap(address, sizeBytes);
      return undefined;
    }
    return this.#add({ kind, host: address, device: address, sizeBytes, hostBytes: 0, deviceBytes: 0 });
  }

  /** Gives host memory that the program owns a device address. */
  register(host: number, sizeBytes: number, label: string): Mirror | undefined {
    const allocation = this.#device.allocate(sizeBytes, label, 'shared');
    return allocation && this.#add({ kind: 'registered', host, device: allocation.address, sizeBytes, hostBytes: 0, deviceBytes: 0 });
  }

  /** Ties a `__managed__` variable to its shadow in the host program, which begins with the device's value. */
  adopt(variable: { readonly host: number; readonly device: number; readonly sizeBytes: number }): void {
    this.#host.bytes.set(this.#device.bytes.subarray(variable.device, variable.device + variable.sizeBytes), variable.host);
    this.#add({ kind: 'managed', ...variable, hostBytes: 0, deviceBytes: 0 });
  }

  /** False if no such memory starts at the host address. `freedBy`: see DeviceMemory.release. */
  release(host: number, freedBy: string, ...kinds: MirrorKind[]): boolean {
    const index = this.#mirrors.findIndex((mirror) => mirror.host === host && kinds.includes(mirror.kind));
    if (index < 0) return false;
    const [{ device, sizeBytes }] = this.#mirrors.splice(index, 1);
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
      mirror.hostBytes = Math.min(sizeBytes, mirror.hostBytes + changed);
      mirror.deviceBytes = Math.max(0, mirror.deviceBytes - changed);
    }
  }

  /** Kernels have touched managed memory, or it was prefetched: it lies on the device. Bytes that have moved there. */
  migrate(touched: (address: number) => boolean): number {
    let moved = 0;
    for (const mirror of this.#mirrors) {
      if (mirror.kind !== 'managed' || !touched(mirror.device)) continue;
      moved += mirror.hostBytes;
      mirror.hostBytes = 0;
      mirror.deviceBytes = mirror.sizeBytes;
    }
    return moved;
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

/**
 * The line between the addresses that the host program's memory has and those of the device: it moves with need. The host's memory grows
 * upwards from 0, the device's region downwards from its top. Neither takes what the other one has as long as there are others. When there
 * are none they overlap: the two are memories of their own, and nearly every call says which one it means.
 */
import { DEVICE_FLOOR } from '../ir/address-map.ts';

export class AddressLine {
  /** The host's memory ends here. */
  hostEnd = 0;
  /** No memory that is the device's alone lies below. */
  deviceStart: number;
  /** Memory of the host's has another address on the device: then no address may be both the host's and the device's. */
  keepsApart = false;
  /** Whether an address lies in what the host has in use, of which the device may see some. */
  hostHolds: (address: number) => boolean = () => false;

  /** `deviceTop`: nothing lies above. */
  constructor(readonly deviceTop: number) {
    this.deviceStart = deviceTop;
  }

  /** The lowest address that the device may take now without one of the host's. */
  get deviceLimit(): number {
    return Math.max(DEVICE_FLOOR, this.hostEnd);
  }

  /** The lowest address that it may take at all. */
  get deviceFloor(): number {
    return this.keepsApart ? this.deviceLimit : DEVICE_FLOOR;
  }

  /** The host's memory may not reach further. */
  get hostLimit(): number {
    return this.keepsApart ? this.deviceStart : this.deviceTop;
  }

  /** Addresses may be both the host's and the device's. */
  get overlaps(): boolean {
    return this.hostEnd > this.deviceStart;
  }

  /** Whether an address that is no allocation's is one of the host's. */
  isHost(address: number): boolean {
    return address < DEVICE_FLOOR || (address < this.hostEnd && this.hostHolds(address));
  }

  /** Lets the host's memory reach up to `end`; false if it must not. */
  raiseHost(end: number): boolean {
    if (end > this.hostLimit) return false;
    this.hostEnd = Math.max(this.hostEnd, end);
    return true;
  }

  /** Lets the device's region begin at `start`; false if it must not. */
  lowerDevice(start: number): boolean {
    if (start < this.deviceFloor) return false;
    this.deviceStart = Math.min(this.deviceStart, start);
    return true;
  }
}

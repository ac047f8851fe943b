/**
 * The line between the addresses that the host program's memory has and those of the device: it moves with need. The host's memory grows
 * upwards from 0, the device's region downwards from its top, and neither ever takes what the other one has.
 */
import { DEVICE_FLOOR } from '../ir/address-map.ts';

export class AddressLine {
  /** The host's memory ends here. */
  hostEnd = 0;
  /** No memory that is the device's alone lies below. */
  deviceStart: number;
  /** Whether an address lies in what the host has in use, of which the device may see some. */
  hostHolds: (address: number) => boolean = () => false;

  constructor(deviceTop: number) {
    this.deviceStart = deviceTop;
  }

  /** The lowest address that the device may take now. */
  get deviceLimit(): number {
    return Math.max(DEVICE_FLOOR, this.hostEnd);
  }

  /** Whether an address that is no allocation's is one of the host's. */
  isHost(address: number): boolean {
    return address < DEVICE_FLOOR || (address < this.deviceStart && this.hostHolds(address));
  }

  /** Lets the host's memory reach up to `end`; false if that is the device's. */
  raiseHost(end: number): boolean {
    if (end > this.deviceStart) return false;
    this.hostEnd = Math.max(this.hostEnd, end);
    return true;
  }

  /** Lets the device's region begin at `start`; false if that is the host's. */
  lowerDevice(start: number): boolean {
    if (start < this.deviceLimit) return false;
    this.deviceStart = Math.min(this.deviceStart, start);
    return true;
  }
}

/** What a device can do at most: the roofs under which its launches stay. From the profile's clocks, widths and throughputs. */
import type { DeviceProfile } from './profile.ts';
import { bytesPerClock, timingsOf } from './timings.ts';

export interface DevicePeaks {
  /** Without the maker: "H200". */
  readonly device: string;
  /** Of the multiprocessors: times are estimated for it. */
  readonly clockHz: number;
  /** Floating-point operations per nanosecond; a fused multiply-add is two. */
  readonly fp32FlopsPerNs: number;
  readonly fp64FlopsPerNs: number;
  /** Warp instructions that all multiprocessors issue per nanosecond. */
  readonly warpInstructionsPerNs: number;
  readonly l2BytesPerNs: number;
  readonly dramBytesPerNs: number;
}

export function devicePeaks(device: DeviceProfile): DevicePeaks {
  const { lanes, l2SectorsPerClock } = timingsOf(device);
  const clocksPerNs = device.clockKHz / 1e6;
  const flops = (each: number): number => 2 * each * device.multiprocessors * clocksPerNs;
  return {
    device: device.name.replace(/^NVIDIA /, ''),
    clockHz: device.clockKHz * 1000,
    fp32FlopsPerNs: flops(lanes.fp32),
    fp64FlopsPerNs: flops(lanes.fp64),
    warpInstructionsPerNs: device.prices.issuesPerClock * device.multiprocessors * clocksPerNs,
    l2BytesPerNs: 32 * l2SectorsPerClock * clocksPerNs,
    dramBytesPerNs: memoryBytesPerNs(device),
  };
}

/** Peak of the memory. */
export function memoryBytesPerNs(device: DeviceProfile): number {
  return (bytesPerClock(device) * device.clockKHz) / 1e6;
}

import type { Prices } from './prices.ts';

/** What Lanewise needs to know of a GPU: plain data, every number with its source. */
export interface DeviceProfile {
  /** Name for the setting `device` and for `--device`. */
  readonly id: string;
  /** cudaDeviceProp::name. */
  readonly name: string;
  readonly computeCapability: readonly [major: number, minor: number];
  readonly multiprocessors: number;
  readonly warpSize: 32;
  readonly maxThreadsPerBlock: number;
  readonly maxThreadsPerMultiprocessor: number;
  readonly maxBlocksPerMultiprocessor: number;
  readonly maxBlock: readonly [number, number, number];
  readonly maxGrid: readonly [number, number, number];
  readonly registersPerMultiprocessor: number;
  readonly registersPerBlock: number;
  /** Bytes. */
  readonly sharedPerMultiprocessor: number;
  readonly sharedPerBlock: number;
  readonly sharedPerBlockOptin: number;
  /** Taken by the system of each block's share. */
  readonly reservedSharedPerBlock: number;
  /** A block's shared memory is rounded up to a multiple of this. */
  readonly sharedGranuleBytes: number;
  readonly constantBytes: number;
  readonly l2Bytes: number;
  readonly persistingL2MaxBytes: number;
  readonly accessPolicyMaxWindowBytes: number;
  readonly globalBytes: number;
  readonly clockKHz: number;
  readonly memoryClockKHz: number;
  readonly memoryBusBits: number;
  readonly prices: Prices;
}

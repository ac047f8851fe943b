/**
 * The GPUs that can be simulated, by the names that `--device` takes. What a compute capability fixes comes from the CUDA C++
 * Programming Guide, "Compute Capabilities", table "Technical Specifications per Compute Capability"; what a product fixes from the
 * document named at the product. Clocks are boost clocks.
 */
import { h200 } from './h200.ts';
import type { DeviceProfile } from './profile.ts';

type ByCapability = Pick<
  DeviceProfile,
  | 'computeCapability'
  | 'warpSize'
  | 'maxThreadsPerBlock'
  | 'maxThreadsPerMultiprocessor'
  | 'maxBlocksPerMultiprocessor'
  | 'maxBlock'
  | 'maxGrid'
  | 'registersPerMultiprocessor'
  | 'registersPerBlock'
  | 'sharedPerMultiprocessor'
  | 'sharedPerBlock'
  | 'sharedPerBlockOptin'
  | 'reservedSharedPerBlock'
  | 'constantBytes'
>;

const KB = 1024;
const MB = 1024 * KB;
const GB = 1024 * MB;

/** The same from compute capability 5.0 on. */
const COMMON = {
  warpSize: 32,
  maxThreadsPerBlock: 1024,
  maxBlock: [1024, 1024, 64],
  maxGrid: [2147483647, 65535, 65535],
  registersPerMultiprocessor: 65536,
  registersPerBlock: 65536,
  sharedPerBlock: 48 * KB,
  constantBytes: 64 * KB,
} as const;

/** The driver keeps 1 KB of shared memory per block from 8.0 on (CUDA C++ Programming Guide, "Shared Memory" of 8.x and 9.0). */
const CAPABILITY_7_5: ByCapability = {
  ...COMMON,
  computeCapability: [7, 5],
  maxThreadsPerMultiprocessor: 1024,
  maxBlocksPerMultiprocessor: 16,
  sharedPerMultiprocessor: 64 * KB,
  sharedPerBlockOptin: 64 * KB,
  reservedSharedPerBlock: 0,
};
const CAPABILITY_8_0: ByCapability = {
  ...COMMON,
  computeCapability: [8, 0],
  maxThreadsPerMultiprocessor: 2048,
  maxBlocksPerMultiprocessor: 32,
  sharedPerMultiprocessor: 164 * KB,
  sharedPerBlockOptin: 163 * KB,
  reservedSharedPerBlock: 1 * KB,
};
const CAPABILITY_8_6: ByCapability = {
  ...COMMON,
  computeCapability: [8, 6],
  maxThreadsPerMultiprocessor: 1536,
  maxBlocksPerMultiprocessor: 16,
  sharedPerMultiprocessor: 100 * KB,
  sharedPerBlockOptin: 99 * KB,
  reservedSharedPerBlock: 1 * KB,
};
const CAPABILITY_8_9: ByCapability = { ...CAPABILITY_8_6, computeCapability: [8, 9], maxBlocksPerMultiprocessor: 24 };
const CAPABILITY_9_0: ByCapability = {
  ...COMMON,
  computeCapability: [9, 0],
  maxThreadsPerMultiprocessor: 2048,
  maxBlocksPerMultiprocessor: 32,
  sharedPerMultiprocessor: 228 * KB,
  sharedPerBlockOptin: 227 * KB,
  reservedSharedPerBlock: 1 * KB,
};

const PROFILES: readonly DeviceProfile[] = [
  h200,
  {
    // NVIDIA H100 Tensor Core GPU Architecture (white paper), table 3, SXM5: SMs, L2, memory. The persisting share of L2 as measured
    // on the H200 of the same generation (5/8).
    ...CAPABILITY_9_0,
    id: 'h100',
    name: 'NVIDIA H100 80GB HBM3',
    multiprocessors: 132,
    l2Bytes: 50 * MB,
    persistingL2MaxBytes: (50 * MB * 5) / 8,
    accessPolicyMaxWindowBytes: 128 * MB,
    globalBytes: 80 * GB,
    clockKHz: 1980000,
    memoryClockKHz: 2619000,
    memoryBusBits: 5120,
  },
  {
    // NVIDIA A100 Tensor Core GPU Architecture (white paper), table 4 and "L2 Cache Persistence Controls": up to 30 MB of L2.
    ...CAPABILITY_8_0,
    id: 'a100',
    name: 'NVIDIA A100-SXM4-80GB',
    multiprocessors: 108,
    l2Bytes: 40 * MB,
    persistingL2MaxBytes: 30 * MB,
    accessPolicyMaxWindowBytes: 128 * MB,
    globalBytes: 80 * GB,
    clockKHz: 1410000,
    memoryClockKHz: 1593000,
    memoryBusBits: 5120,
  },
  {
    // NVIDIA Ada GPU Architecture (white paper), appendix A, GeForce RTX 4090. Persisting L2: three quarters, as on the A100.
    ...CAPABILITY_8_9,
    id: 'rtx4090',
    name: 'NVIDIA GeForce RTX 4090',
    multiprocessors: 128,
    l2Bytes: 72 * MB,
    persistingL2MaxBytes: (72 * MB * 3) / 4,
    accessPolicyMaxWindowBytes: 128 * MB,
    globalBytes: 24 * GB,
    clockKHz: 2520000,
    memoryClockKHz: 10501000,
    memoryBusBits: 384,
  },
  {
    // NVIDIA GeForce RTX 3060 product page (3584 CUDA cores: 28 SMs of 128; 12 GB, 192 bits, 15 Gbps; boost 1.78 GHz) and NVIDIA
    // Ampere GA102 GPU Architecture (white paper) for 512 KB of L2 per 32-bit controller: 3 MB with 192 bits.
    ...CAPABILITY_8_6,
    id: 'rtx3060',
    name: 'NVIDIA GeForce RTX 3060',
    multiprocessors: 28,
    l2Bytes: 3 * MB,
    persistingL2MaxBytes: (3 * MB * 3) / 4,
    accessPolicyMaxWindowBytes: 128 * MB,
    globalBytes: 12 * GB,
    clockKHz: 1777000,
    memoryClockKHz: 7501000,
    memoryBusBits: 192,
  },
  {
    // NVIDIA Turing GPU Architecture (white paper), appendix C, Tesla T4. No persisting L2 before compute capability 8.0.
    ...CAPABILITY_7_5,
    id: 't4',
    name: 'Tesla T4',
    multiprocessors: 40,
    l2Bytes: 4 * MB,
    persistingL2MaxBytes: 0,
    accessPolicyMaxWindowBytes: 0,
    globalBytes: 16 * GB,
    clockKHz: 1590000,
    memoryClockKHz: 5001000,
    memoryBusBits: 256,
  },
];

/** Names that `--device` takes; the first is the default. */
export function deviceIds(): readonly string[] {
  return PROFILES.map((profile) => profile.id);
}

export function deviceNamed(id: string): DeviceProfile | undefined {
  return PROFILES.find((profile) => profile.id === id);
}

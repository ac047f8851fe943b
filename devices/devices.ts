/**
 * The GPUs that code can be checked against and simulated on, by the names that the setting `device` and `--device` take. What a compute
 * capability fixes comes from the CUDA C++ Programming Guide, "Compute Capabilities", table "Technical Specifications per Compute
 * Capability", and from cuda_occupancy.h of CUDA 13.0 (blocks per multiprocessor, carveouts, granularity of shared memory); 7.0 from the
 * guide of CUDA 12. What a product fixes comes from the document named at the product. "Checked", 2026-11-23: found again in reviews, lists of
 * GPUs or the output of programs on one; what is called not checked was written down from memory of the maker's data sheet. Clocks are boost
 * clocks.
 */
import { h200 } from './h200.ts';
import { SM_90 } from './prices.ts';
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
  | 'sharedGranuleBytes'
  | 'constantBytes'
  | 'prices'
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
  prices: SM_90,
} as const;

const CAPABILITY_7_0: ByCapability = {
  ...COMMON,
  computeCapability: [7, 0],
  maxThreadsPerMultiprocessor: 2048,
  maxBlocksPerMultiprocessor: 32,
  sharedPerMultiprocessor: 96 * KB,
  sharedPerBlockOptin: 96 * KB,
  reservedSharedPerBlock: 0,
  sharedGranuleBytes: 256,
};
const CAPABILITY_7_5: ByCapability = {
  ...CAPABILITY_7_0,
  computeCapability: [7, 5],
  maxThreadsPerMultiprocessor: 1024,
  maxBlocksPerMultiprocessor: 16,
  sharedPerMultiprocessor: 64 * KB,
  sharedPerBlockOptin: 64 * KB,
};
/** The driver keeps 1 KB of shared memory per block from 8.0 on (CUDA C++ Programming Guide, "Shared Memory" of 8.x and 9.0). */
const CAPABILITY_8_0: ByCapability = {
  ...COMMON,
  computeCapability: [8, 0],
  maxThreadsPerMultiprocessor: 2048,
  maxBlocksPerMultiprocessor: 32,
  sharedPerMultiprocessor: 164 * KB,
  sharedPerBlockOptin: 163 * KB,
  reservedSharedPerBlock: 1 * KB,
  sharedGranuleBytes: 128,
};
const CAPABILITY_8_6: ByCapability = {
  ...CAPABILITY_8_0,
  computeCapability: [8, 6],
  maxThreadsPerMultiprocessor: 1536,
  maxBlocksPerMultiprocessor: 16,
  sharedPerMultiprocessor: 100 * KB,
  sharedPerBlockOptin: 99 * KB,
};
const CAPABILITY_8_7: ByCapability = {
  ...CAPABILITY_8_6,
  computeCapability: [8, 7],
  sharedPerMultiprocessor: 164 * KB,
  sharedPerBlockOptin: 163 * KB,
};
const CAPABILITY_8_9: ByCapability = { ...CAPABILITY_8_6, computeCapability: [8, 9], maxBlocksPerMultiprocessor: 24 };
const CAPABILITY_9_0: ByCapability = {
  ...CAPABILITY_8_0,
  computeCapability: [9, 0],
  sharedPerMultiprocessor: 228 * KB,
  sharedPerBlockOptin: 227 * KB,
};
const CAPABILITY_10_0: ByCapability = { ...CAPABILITY_9_0, computeCapability: [10, 0] };
const CAPABILITY_12_0: ByCapability = { ...CAPABILITY_8_9, computeCapability: [12, 0] };

/** cudaDeviceProp::accessPolicyMaxWindowSize as devices of 8.x report it: a page less than 128 MB. */
const WINDOW_8_X = 128 * MB - 4 * KB;

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
    // NVIDIA Blackwell Tuning Guide: 126 MB of L2. SMs, memory and its clock as cudaGetDeviceProperties reports them. The boost clock is
    // that of the NVIDIA HGX B200 data sheet's peak rates; the persisting share of L2 is taken to be the H200's (5/8).
    ...CAPABILITY_10_0,
    id: 'b200',
    name: 'NVIDIA B200',
    multiprocessors: 148,
    l2Bytes: 126.5 * MB,
    persistingL2MaxBytes: (126.5 * MB * 5) / 8,
    accessPolicyMaxWindowBytes: 128 * MB,
    globalBytes: 178 * GB,
    clockKHz: 1965000,
    memoryClockKHz: 3996000,
    memoryBusBits: 7680,
  },
  {
    // NVIDIA A100 Tensor Core GPU Architecture (white paper), table 4 and "L2 Cache Persistence Controls": up to 30 MB of L2.
    ...CAPABILITY_8_0,
    id: 'a100',
    name: 'NVIDIA A100-SXM4-80GB',
    multiprocessors: 108,
    l2Bytes: 40 * MB,
    persistingL2MaxBytes: 30 * MB,
    accessPolicyMaxWindowBytes: WINDOW_8_X,
    globalBytes: 80 * GB,
    clockKHz: 1410000,
    memoryClockKHz: 1593000,
    memoryBusBits: 5120,
  },
  {
    // NVIDIA Tesla V100 GPU Architecture (white paper), table 1, SXM2. No persisting L2 before compute capability 8.0.
    ...CAPABILITY_7_0,
    id: 'v100',
    name: 'Tesla V100-SXM2-32GB',
    multiprocessors: 80,
    l2Bytes: 6 * MB,
    persistingL2MaxBytes: 0,
    accessPolicyMaxWindowBytes: 0,
    globalBytes: 32 * GB,
    clockKHz: 1530000,
    memoryClockKHz: 877000,
    memoryBusBits: 4096,
  },
  {
    // NVIDIA RTX Blackwell GPU Architecture (white paper), GeForce RTX 5090: 170 SMs, 96 MB of L2, 512 bits at 28 Gbps, boost 2.41 GHz.
    // The persisting share of L2 is taken to be that of the RTX 4090.
    ...CAPABILITY_12_0,
    id: 'rtx5090',
    name: 'NVIDIA GeForce RTX 5090',
    multiprocessors: 170,
    l2Bytes: 96 * MB,
    persistingL2MaxBytes: (96 * MB * 11) / 16,
    accessPolicyMaxWindowBytes: WINDOW_8_X,
    globalBytes: 32 * GB,
    clockKHz: 2407000,
    memoryClockKHz: 14001000,
    memoryBusBits: 512,
  },
  {
    // NVIDIA Ada GPU Architecture (white paper), appendix A, GeForce RTX 4090. Persisting L2 as cudaGetDeviceProperties reports it: 11/16.
    ...CAPABILITY_8_9,
    id: 'rtx4090',
    name: 'NVIDIA GeForce RTX 4090',
    multiprocessors: 128,
    l2Bytes: 72 * MB,
    persistingL2MaxBytes: (72 * MB * 11) / 16,
    accessPolicyMaxWindowBytes: WINDOW_8_X,
    globalBytes: 24 * GB,
    clockKHz: 2520000,
    memoryClockKHz: 10501000,
    memoryBusBits: 384,
  },
  {
    // NVIDIA GeForce RTX 3060 product page (3584 CUDA cores: 28 SMs of 128; 12 GB, 192 bits, 15 Gbps; boost 1.78 GHz) and NVIDIA
    // Ampere GA102 GPU Architecture (white paper) for 512 KB of L2 per 32-bit controller: 3 MB with 192 bits. The persisting share of L2
    // is taken to be that of the RTX 4090.
    ...CAPABILITY_8_6,
    id: 'rtx3060',
    name: 'NVIDIA GeForce RTX 3060',
    multiprocessors: 28,
    l2Bytes: 3 * MB,
    persistingL2MaxBytes: (3 * MB * 11) / 16,
    accessPolicyMaxWindowBytes: WINDOW_8_X,
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
  {
    // NVIDIA GH200 Grace Hopper Superchip data sheet, 96 GB of HBM3 (4 TB/s): the GPU is an H100 with 132 SMs. L2 of 60 MB is not checked.
    // Clocks are taken to be the H100's, the persisting share of L2 the H200's (5/8).
    ...CAPABILITY_9_0,
    id: 'gh200',
    name: 'NVIDIA GH200 480GB',
    multiprocessors: 132,
    l2Bytes: 60 * MB,
    persistingL2MaxBytes: (60 * MB * 5) / 8,
    accessPolicyMaxWindowBytes: 128 * MB,
    globalBytes: 96 * GB,
    clockKHz: 1980000,
    memoryClockKHz: 2619000,
    memoryBusBits: 6144,
  },
  {
    // NVIDIA L40S data sheet: 18,176 CUDA cores (142 SMs of 128), 48 GB, 864 GB/s, 384 bits; boost 2.52 GHz (checked). L2 is that of the whole
    // AD102 (NVIDIA Ada GPU Architecture, white paper), as measured on an L40, which has this die and as many SMs (arXiv:2606.22588); other
    // lists have 48 MB. The persisting share of L2 is taken to be that of the RTX 4090.
    ...CAPABILITY_8_9,
    id: 'l40s',
    name: 'NVIDIA L40S',
    multiprocessors: 142,
    l2Bytes: 96 * MB,
    persistingL2MaxBytes: (96 * MB * 11) / 16,
    accessPolicyMaxWindowBytes: WINDOW_8_X,
    globalBytes: 48 * GB,
    clockKHz: 2520000,
    memoryClockKHz: 9001000,
    memoryBusBits: 384,
  },
  {
    // NVIDIA L4 data sheet: 24 GB, 300 GB/s, 192 bits, boost 2.04 GHz, L2 of 48 MB (checked); 7,424 CUDA cores (58 SMs of 128) and
    // 2.04 GHz as deviceQuery prints them (bottlerocket-os/bottlerocket-kernel-kit, pull request 139), where other lists have 7,680.
    // The persisting share of L2 is taken to be that of the RTX 4090.
    ...CAPABILITY_8_9,
    id: 'l4',
    name: 'NVIDIA L4',
    multiprocessors: 58,
    l2Bytes: 48 * MB,
    persistingL2MaxBytes: (48 * MB * 11) / 16,
    accessPolicyMaxWindowBytes: WINDOW_8_X,
    globalBytes: 24 * GB,
    clockKHz: 2040000,
    memoryClockKHz: 6251000,
    memoryBusBits: 192,
  },
  {
    // NVIDIA A10G: 80 SMs and 6 MB of L2 as PyTorch's get_device_properties prints them (checked). 6 MB are twelve controllers of 32 bits
    // with 512 KB (NVIDIA Ampere GA102 GPU Architecture, white paper): 384 bits. 24 GB and 600 GB/s (AWS G5 instances) and the boost clock of
    // 1.71 GHz are not checked. The persisting share of L2 is taken to be that of the RTX 4090.
    ...CAPABILITY_8_6,
    id: 'a10g',
    name: 'NVIDIA A10G',
    multiprocessors: 80,
    l2Bytes: 6 * MB,
    persistingL2MaxBytes: (6 * MB * 11) / 16,
    accessPolicyMaxWindowBytes: WINDOW_8_X,
    globalBytes: 24 * GB,
    clockKHz: 1710000,
    memoryClockKHz: 6251000,
    memoryBusBits: 384,
  },
  {
    // NVIDIA GeForce RTX 40 Series laptops, comparison: 3,072 CUDA cores (24 SMs of 128), 8 GB, 128 bits, boost 1.47 to 2.37 GHz by the power
    // that the laptop gives: the highest. 16 Gbps and 32 MB of L2 of the AD107 (all checked). The persisting share of L2 is that of the RTX 4090.
    ...CAPABILITY_8_9,
    id: 'rtx4060laptop',
    name: 'NVIDIA GeForce RTX 4060 Laptop GPU',
    multiprocessors: 24,
    l2Bytes: 32 * MB,
    persistingL2MaxBytes: (32 * MB * 11) / 16,
    accessPolicyMaxWindowBytes: WINDOW_8_X,
    globalBytes: 8 * GB,
    clockKHz: 2370000,
    memoryClockKHz: 8001000,
    memoryBusBits: 128,
  },
  {
    // NVIDIA Turing GPU Architecture (white paper), table 1, GeForce RTX 2080 Ti, reference: 68 SMs, 5.5 MB of L2, 352 bits at 14 Gbps,
    // boost 1.545 GHz (checked but for L2). No persisting L2 before compute capability 8.0.
    ...CAPABILITY_7_5,
    id: 'rtx2080ti',
    name: 'NVIDIA GeForce RTX 2080 Ti',
    multiprocessors: 68,
    l2Bytes: 5.5 * MB,
    persistingL2MaxBytes: 0,
    accessPolicyMaxWindowBytes: 0,
    globalBytes: 11 * GB,
    clockKHz: 1545000,
    memoryClockKHz: 7000000,
    memoryBusBits: 352,
  },
  {
    // NVIDIA GeForce GTX 1660 product page: 1,408 CUDA cores (22 SMs of 64), 6 GB, 192 bits at 8 Gbps, boost 1.785 GHz; L2 of 1.5 MB (all
    // checked). No persisting L2 before compute capability 8.0.
    ...CAPABILITY_7_5,
    id: 'gtx1660',
    name: 'NVIDIA GeForce GTX 1660',
    multiprocessors: 22,
    l2Bytes: 1.5 * MB,
    persistingL2MaxBytes: 0,
    accessPolicyMaxWindowBytes: 0,
    globalBytes: 6 * GB,
    clockKHz: 1785000,
    memoryClockKHz: 4001000,
    memoryBusBits: 192,
  },
  {
    // NVIDIA Jetson AGX Orin Series Technical Brief, 64 GB module: 2,048 CUDA cores (16 SMs of 128), 4 MB of L2 (checked), up to 1.3 GHz, 256 bits of
    // LPDDR5 at 204.8 GB/s, which the processor shares. The persisting share of L2 is taken to be that of the RTX 4090.
    ...CAPABILITY_8_7,
    id: 'jetsonorin',
    name: 'Jetson AGX Orin',
    multiprocessors: 16,
    l2Bytes: 4 * MB,
    persistingL2MaxBytes: (4 * MB * 11) / 16,
    accessPolicyMaxWindowBytes: WINDOW_8_X,
    globalBytes: 64 * GB,
    clockKHz: 1300000,
    memoryClockKHz: 3200000,
    memoryBusBits: 256,
  },
];

/** Names that `device` takes; the first is the default. */
export function deviceIds(): readonly string[] {
  return PROFILES.map((profile) => profile.id);
}

export function deviceNamed(id: string): DeviceProfile | undefined {
  return PROFILES.find((profile) => profile.id === id);
}

/** The devices of a machine: their names, or so many of one. */
export function deviceList(devices: readonly string[] | number, device: string): readonly string[] {
  return typeof devices === 'number' ? new Array<string>(devices).fill(device) : devices;
}

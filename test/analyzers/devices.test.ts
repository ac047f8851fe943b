/** The setting `device`: what fits one GPU and not another. */
import { describe, expect, test } from 'vitest';
import { deviceIds, deviceNamed } from '../../devices/devices.ts';
import { occupancyLimits, residentBlocks } from '../../devices/occupancy.ts';
import { theAnalyzer } from './open.ts';

const KB = 1024;

/** Devices below the data centre's largest, in the order of the list. */
const LATER = ['l40s', 'l4', 'a10g', 'rtx4060laptop', 'rtx2080ti', 'gtx1660', 'jetsonorin'];

/** As cuda_occupancy.h of CUDA 13.0 has them: resident blocks and KB of shared memory of a multiprocessor, by compute capability. */
const BY_CAPABILITY: readonly (readonly [string, blocks: number, threads: number, sharedKb: number, blockKb: number, granule: number])[] = [
  ['7.0', 32, 2048, 96, 96, 256],
  ['7.5', 16, 1024, 64, 64, 256],
  ['8.0', 32, 2048, 164, 163, 128],
  ['8.6', 16, 1536, 100, 99, 128],
  ['8.7', 16, 1536, 164, 163, 128],
  ['8.9', 24, 1536, 100, 99, 128],
  ['9.0', 32, 2048, 228, 227, 128],
  ['10.0', 32, 2048, 228, 227, 128],
  ['12.0', 24, 1536, 100, 99, 128],
];

test('every compute capability has a device, and its limits', () => {
  const seen = new Set<string>();
  for (const device of deviceIds().map((id) => deviceNamed(id)!)) {
    const capability = device.computeCapability.join('.');
    seen.add(capability);
    const { maxBlocksPerMultiprocessor, maxThreadsPerMultiprocessor, sharedPerMultiprocessor, sharedPerBlockOptin, sharedGranuleBytes } =
      device;
    expect([
      capability,
      maxBlocksPerMultiprocessor,
      maxThreadsPerMultiprocessor,
      sharedPerMultiprocessor / KB,
      sharedPerBlockOptin / KB,
      sharedGranuleBytes,
    ]).toEqual(BY_CAPABILITY.find(([name]) => name === capability));
    expect(device.persistingL2MaxBytes).toBeLessThan(device.l2Bytes);
    expect(Number.isInteger(device.l2Bytes) && Number.isInteger(device.persistingL2MaxBytes)).toBe(true);
  }
  expect(seen).toEqual(new Set(BY_CAPABILITY.map(([capability]) => capability)));
});

/** Ids of the devices on which the rule reports something in the text, with its message. */
async function where(rule: string, text: string): Promise<Record<string, string>> {
  const analyzer = await theAnalyzer();
  const found = deviceIds().flatMap((device) => {
    const document = analyzer.open(text, { device });
    const finding = document.findings().find((f) => f.rule === rule);
    document.dispose();
    return finding ? [[device, finding.message] as const] : [];
  });
  return Object.fromEntries(found);
}

describe('rules ask the device of the settings', () => {
  test('invalid-launch: 100 KB of shared memory per block', async () => {
    const found = await where(
      'invalid-launch',
      `__global__ void tile(float* v) { extern __shared__ float s[]; s[threadIdx.x] = v[threadIdx.x]; __syncthreads(); v[threadIdx.x] = s[255 - threadIdx.x]; }
void run(float* v) {
  cudaFuncSetAttribute(tile, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024);
  tile<<<1, 256, 100 * 1024>>>(v);
}
`,
    );
    expect(Object.keys(found)).toEqual([
      'v100',
      'rtx5090',
      'rtx4090',
      'rtx3060',
      't4',
      'l40s',
      'l4',
      'a10g',
      'rtx4060laptop',
      'rtx2080ti',
      'gtx1660',
    ]);
    expect(found.rtx3060).toBe(
      '102400 bytes of shared memory per block exceed the limit of 101376 on NVIDIA GeForce RTX 3060: the launch fails with cudaErrorInvalidValue',
    );
    expect(found.v100).toContain('the limit of 98304 on Tesla V100-SXM2-32GB');
  });

  test('low-occupancy: blocks of one warp', async () => {
    const found = await where(
      'low-occupancy',
      '__global__ void f(float* v) { v[blockIdx.x * 32 + threadIdx.x] = 1.0f; }\nvoid run(float* v) { f<<<1024, 32>>>(v); }\n',
    );
    // 16 of 48 warps on 8.6; 16 of 32 on the T4 are just enough; 24 of 48 on 8.9 and 12.0, 32 of 64 on the others too.
    expect(Object.keys(found)).toEqual(['rtx3060', 'a10g', 'jetsonorin']);
    expect(found.rtx3060).toContain('only 16 blocks fit on a multiprocessor, 33 % of its 48 warps');
  });

  test('grid-sync-misuse: a cooperative grid that only the larger devices hold, by shared memory', async () => {
    const found = await where(
      'grid-sync-misuse',
      `#include <cooperative_groups.h>
__global__ void f(float* v) {
  __shared__ float s[8192];
  s[threadIdx.x] = v[blockIdx.x * 256 + threadIdx.x];
  cooperative_groups::this_grid().sync();
  v[threadIdx.x] = s[255 - threadIdx.x];
}
void run(float* v) { void* args[] = {&v}; cudaLaunchCooperativeKernel((void*)f, 512, 256, args, 0, 0); }
`,
    );
    // Six blocks of 33 KB per multiprocessor of 9.0 and 10.0, four of 8.0, three of 7.0, 8.9 and 12.0, two of 32 KB on the T4.
    expect(Object.keys(found)).toEqual(['a100', 'v100', 'rtx5090', 'rtx4090', 'rtx3060', 't4', ...LATER]);
    expect(found.rtx3060).toContain('at most 84 blocks of 256 threads fit on NVIDIA GeForce RTX 3060');
    expect(found.t4).toContain('at most 80 blocks of');
  });

  test('l2-window: a page less than 128 MB before 9.0, nothing before 8.0', async () => {
    const found = await where(
      'l2-window',
      `void run(void* p, cudaStream_t s) {
  cudaStreamAttrValue a;
  a.accessPolicyWindow.base_ptr = p;
  a.accessPolicyWindow.num_bytes = 128 * 1024 * 1024;
  cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &a);
}
`,
    );
    expect(Object.keys(found)).toEqual(['a100', 'v100', 'rtx5090', 'rtx4090', 'rtx3060', 't4', ...LATER]);
    expect(found.t4).toContain('Tesla T4 does not support L2 access policies');
  });

  test('l2-window: no more is set aside than the device can', async () => {
    const found = await where(
      'l2-window',
      `void run(void* p, cudaStream_t s) {
  cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 64 * 1024 * 1024);
  cudaStreamAttrValue a;
  a.accessPolicyWindow.num_bytes = 60 * 1024 * 1024;
  a.accessPolicyWindow.hitRatio = 1.0f;
  cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &a);
}
`,
    );
    expect(Object.keys(found)).toEqual(['h200', 'h100', 'a100', 'v100', 'rtx4090', 'rtx3060', 't4', 'gh200', 'l4', ...LATER.slice(2)]);
    expect(found.a100).toContain('67108864 bytes are more than the 31457280 that');
    expect(found.a100).toContain('cudaDeviceSetLimit fails');
  });

  test('an unknown device is the default one', async () => {
    const document = (await theAnalyzer()).open('__global__ void f() {}\nvoid run() { f<<<1, 32, 230000>>>(); }\n', { device: 'gtx' });
    const [finding] = document.findings().filter((f) => f.rule === 'invalid-launch');
    expect(finding.message).toContain('cudaFuncSetAttribute');
    document.dispose();
  });
});

test('resident blocks by the least of what is known', () => {
  const h200 = deviceNamed('h200')!;
  expect(occupancyLimits(h200, { threads: 257, sharedBytes: 0 })).toEqual({ blocks: 32, warps: 7, sharedMemory: 32 });
  expect(residentBlocks(occupancyLimits(h200, { threads: 32, sharedBytes: 0 }))).toBe(32);
  // 40 KB and the reserved 1 KB: five times 41 in 228.
  expect(residentBlocks(occupancyLimits(h200, { threads: 128, sharedBytes: 40 * KB }))).toBe(5);
  // No reserve, and granules of 256 bytes, before 8.0.
  expect(occupancyLimits(deviceNamed('t4')!, { threads: 128, sharedBytes: 16 * KB }).sharedMemory).toBe(4);
  expect(occupancyLimits(deviceNamed('t4')!, { threads: 128, sharedBytes: 16 * KB + 1 }).sharedMemory).toBe(3);
});

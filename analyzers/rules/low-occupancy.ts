/** Blocks that leave most of a multiprocessor's warps empty, by block size and shared memory. Registers are not known from the text. */
import type { DeviceLimits, VariantFacts } from '../model/facts.ts';
import { defineRule } from './define-rule.ts';

/** Shared memory is given to blocks in pieces of this many bytes (CUDA occupancy calculator, sm_80 and later). */
const SHARED_GRANULE_BYTES = 128;
/** Below half of the warps there is little to hide latency with. */
const LOW = 0.5;

export const lowOccupancy = defineRule({
  id: 'low-occupancy',
  summary: 'Block size or shared memory that leaves a multiprocessor mostly empty',
  category: 'arithmetic',
  severity: 'information',
  messages: {
    shared:
      '{bytes} bytes of shared memory per block: {blocks} blocks of {warps} warps fit on a multiprocessor, {percent} % of its {limit} warps; shared memory is the limit, so smaller tiles or larger blocks hide more latency',
    blocks:
      'blocks of {threads} threads: at most {blocks} fit on a multiprocessor, {percent} % of its {limit} warps, with most lanes of latency left unhidden; the number of blocks is the limit, so use 128 to 256 threads',
  },
  *detect(kernel, file) {
    const { device } = file;
    if (!kernel.blockKnown) return;
    for (const launch of kernel.launches) {
      const found = occupancy(kernel, launch.sharedBytes, device);
      if (!found || found.fraction >= LOW) continue;
      yield { at: launch.configPlace, message: found.limiter, data: { ...found.data, percent: Math.round(100 * found.fraction) } };
    }
  },
});

function occupancy(kernel: VariantFacts, dynamicBytes: number | undefined, device: DeviceLimits) {
  if (dynamicBytes === undefined || kernel.staticSharedBytes === undefined) return undefined;
  const threads = kernel.block.x * kernel.block.y * kernel.block.z;
  if (threads === 0 || threads > device.maxThreadsPerBlock) return undefined;
  const warps = Math.ceil(threads / 32);
  const limit = device.maxThreadsPerMultiprocessor / 32;
  const bytes = dynamicBytes + kernel.staticSharedBytes;
  const perBlock = Math.ceil((bytes + device.sharedReservedPerBlock) / SHARED_GRANULE_BYTES) * SHARED_GRANULE_BYTES;
  const byShared = Math.floor(device.sharedPerMultiprocessor / perBlock);
  const byBlocks = Math.min(device.maxBlocksPerMultiprocessor, Math.floor(limit / warps));
  if (byShared === 0) return undefined;
  const blocks = Math.min(byShared, byBlocks);
  const limiter = byShared < byBlocks ? ('shared' as const) : ('blocks' as const);
  return { fraction: (blocks * warps) / limit, limiter, data: { bytes, blocks, warps, threads, limit } };
}

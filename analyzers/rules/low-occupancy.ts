/** Blocks whose size or shared memory leaves most of a multiprocessor's warps unused. Registers are not known from the text. */
import { occupancyLimits, residentBlocks } from '../../devices/occupancy.ts';
import type { DeviceProfile } from '../../devices/profile.ts';
import type { Dim3Facts, VariantFacts } from '../model/facts.ts';
import { counted, defineRule } from './define-rule.ts';

/** Below half of the warps, little is left to hide latency with. */
const LOW = 0.5;
/** Some kernels need no more than this, by working on several elements at a time. */
const VERY_LOW = 0.25;

export const lowOccupancy = defineRule({
  id: 'low-occupancy',
  summary: 'Low occupancy because of block size or shared memory',
  category: 'arithmetic',
  costs: true,
  severity: 'information',
  messages: {
    shared:
      '{bytes} bytes of shared memory per block: only {blocks} of {warps} fit on a multiprocessor, {percent} % of its {limit} warps; shared memory is the limit, so use smaller tiles or larger blocks to hide more latency',
    blocks:
      'blocks of {threads}: only {blocks} fit on a multiprocessor, {percent} % of its {limit} warps, too few to hide latency; the number of blocks is the limit, so use 128 to 256 threads per block',
  },
  *detect(kernel, file) {
    const { device } = file;
    if (!kernel.blockKnown) return;
    for (const launch of kernel.launches) {
      const found = occupancy(kernel, launch.sharedBytes, device);
      if (!found || found.fraction >= LOW || hasMultiprocessorEach(launch.grid, device)) continue;
      const percent = Math.round(100 * found.fraction);
      const severity = found.fraction >= VERY_LOW ? ('hint' as const) : undefined;
      yield { at: launch.configPlace, message: found.limiter, data: { ...found.data, percent }, severity };
    }
  },
});

/** So few blocks that each has a multiprocessor to itself, however many would fit. */
function hasMultiprocessorEach({ x, y, z }: Dim3Facts, device: DeviceProfile): boolean {
  return x !== undefined && y !== undefined && z !== undefined && x * y * z <= device.multiprocessors;
}

function occupancy(kernel: VariantFacts, dynamicBytes: number | undefined, device: DeviceProfile) {
  if (dynamicBytes === undefined || kernel.staticSharedBytes === undefined) return undefined;
  const threads = kernel.block.x * kernel.block.y * kernel.block.z;
  if (threads === 0 || threads > device.maxThreadsPerBlock) return undefined;
  const warps = Math.ceil(threads / 32);
  const limit = device.maxThreadsPerMultiprocessor / 32;
  const bytes = dynamicBytes + kernel.staticSharedBytes;
  const limits = occupancyLimits(device, { threads, sharedBytes: bytes });
  const blocks = residentBlocks(limits);
  if (blocks === 0) return undefined;
  const limiter = limits.sharedMemory < Math.min(limits.blocks, limits.warps) ? ('shared' as const) : ('blocks' as const);
  const data = { bytes, blocks: counted(blocks, 'block'), warps: counted(warps, 'warp'), threads: counted(threads, 'thread'), limit };
  return { fraction: (blocks * warps) / limit, limiter, data };
}

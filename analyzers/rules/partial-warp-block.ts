import type { LaunchFacts } from '../model/facts.ts';
import { counted, defineRule, type RuleFix } from './define-rule.ts';
import { phrase } from './phrases.ts';

/**
 * So few warps, of a grid whose size is known, leave the device idle whatever is in their lanes. Single threads are often one for each
 * multiprocessor or each of a few tasks; more of them than a warp holds could have been a warp.
 */
const FEW_WARPS = 32;

/** A block whose size is no multiple of 32 has a last warp with lanes that never do anything. */
export const partialWarpBlock = defineRule({
  id: 'partial-warp-block',
  summary: 'Block size that is not a multiple of 32',
  category: 'divergence',
  costs: true,
  severity: 'information',
  messages: {
    partial:
      'blocks of {threads} threads take {warps}, and {idle} of {lanes} lanes stay idle ({share} %); round the block size up to a multiple of 32 and guard the index',
    small:
      'blocks of {threads} threads take 1 warp, and {idle} of its 32 lanes stay idle ({share} %); let one block do the work of {times} of these',
    single:
      '{blocks} blocks of one thread take a warp each, and 31 of its 32 lanes stay idle (97 %); give each block 128 to 256 threads and take as many times fewer blocks',
  },
  *detectFile(file) {
    for (const launch of file.launches) {
      const { x, y, z } = launch.block;
      const blocks = launch.grid;
      if (x === undefined || y === undefined || z === undefined) continue;
      const threads = x * y * z;
      const count = (blocks.x ?? 0) * (blocks.y ?? 0) * (blocks.z ?? 0);
      if (threads === 1 && count > FEW_WARPS) {
        yield { at: launch.blockPlace ?? launch.configPlace, message: 'single', data: { blocks: count } };
        continue;
      }
      // One small block alone, or a few, waste nothing that anyone would miss.
      if (threads <= 0 || threads % 32 === 0 || threads > 1024 || (blocks.x === 1 && blocks.y === 1 && blocks.z === 1) || threads === 1)
        continue;
      const warps = Math.ceil(threads / 32);
      if (count > 0 && count * warps <= FEW_WARPS) continue;
      const idle = warps * 32 - threads;
      const share = Math.round((100 * idle) / (warps * 32));
      const data = { threads, warps: counted(warps, 'warp'), idle, lanes: warps * 32, share };
      const at = launch.blockPlace ?? launch.configPlace;
      const subject = `blocks of ${threads}`;
      const fixes = roundedUp(launch, warps * 32);
      // Rounding up tiles gains nothing: their work has to be put together.
      const severity = share < FEW_IDLE || file.launches.some((other) => hasWholeWarps(other, launch)) ? 'hint' : undefined;
      if (threads <= 16) yield { at, message: 'small', subject, data: { ...data, times: Math.floor(32 / threads) }, fixes, severity };
      else yield { at, message: 'partial', subject, data, fixes, severity };
    }
  },
});

/** The same kernel with larger blocks: sizes are compared, or chosen. */
function hasWholeWarps({ kernelName, block: { x, y, z } }: LaunchFacts, of: LaunchFacts): boolean {
  return kernelName === of.kernelName && x !== undefined && y !== undefined && z !== undefined && (x * y * z) % 32 === 0;
}

/** Per cent of the lanes that nobody would miss. */
const FEW_IDLE = 15;

/** A number in the launch itself. Whether the grid and the guard go with it, only the author knows. */
function roundedUp({ blockPlace, blockText }: LaunchFacts, threads: number): RuleFix[] {
  if (!blockPlace || !/^\d+$/.test(blockText) || threads > 1024) return [];
  return [{ title: phrase('roundBlockSizeUp', { threads }), edits: [{ at: blockPlace, newText: String(threads) }], safe: false }];
}

import { occupancyLimits, residentBlocks } from '../../devices/occupancy.ts';
import type { AccessFacts, VariantFacts } from '../model/facts.ts';
import { counted, defineRule } from './define-rule.ts';
import { phrase } from './phrases.ts';

const WARP = 32;

/** Blocks of an ordinary launch cannot wait for each other; a cooperative launch can, with all blocks resident. */
export const gridSyncMisuse = defineRule({
  id: 'grid-sync-misuse',
  summary: 'Grid-wide synchronisation that does not work',
  category: 'synchronisation',
  severity: 'error',
  messages: {
    blockBarrier:
      '{name} synchronises only the threads of one block, but `{object}` is read here where other blocks write it in another iteration; use one kernel launch per step, or a cooperative launch with grid.sync()',
    blocks:
      'block {second} reads from `{object}` what block {first} writes, and nothing inside the kernel orders blocks (`__syncthreads()` orders the threads of one): it gets the old value or the new one; read in a second kernel, or launch cooperatively and call grid.sync() in between',
    ordinaryLaunch:
      'grid.sync() in a kernel launched with <<<>>>: the grid handle is invalid, and the kernel faults or hangs; launch with cudaLaunchCooperativeKernel',
    tooLarge:
      'a cooperative grid of {blocks} blocks cannot be resident at once: at most {limit} of {threads} fit on {device}, so the launch fails with cudaErrorCooperativeLaunchTooLarge; use a grid-stride loop',
    spin: 'waits for another block through `{object}`: in an ordinary launch that block may never start, and the grid hangs; use a cooperative launch, or let the last block to finish do the remaining work',
  },
  *detect(kernel, file) {
    yield* blockBarrierAcrossGrid(kernel);
    yield* readsOfOtherBlocks(kernel);
    if (kernel.cooperative === 'no') {
      for (const barrier of kernel.barriers) if (barrier.scope === 'grid') yield { at: barrier.place, message: 'ordinaryLaunch' as const };
      for (const loop of kernel.loops) {
        if (loop.spinsOn && loop.spinsOn.object.space === 'global' && isWritten(loop.spinsOn.object.id, kernel))
          yield { at: loop.headPlace, message: 'spin' as const, data: { object: loop.spinsOn.object.name } };
      }
    }
    const syncs = kernel.barriers.some(({ scope }) => scope === 'grid');
    // Where other launches of the kernel are cooperative, these are what is wrong.
    if (kernel.cooperative !== 'no' && syncs)
      for (const { api, configPlace: at } of kernel.launches)
        if (api === 'triple-chevron') yield { at, message: 'ordinaryLaunch' as const };
    for (const launch of kernel.launches) {
      const { x, y, z } = launch.grid;
      if (!launch.cooperative || x === undefined || y === undefined || z === undefined) continue;
      const threads = kernel.block.x * kernel.block.y * kernel.block.z;
      const sharedBytes = (launch.sharedBytes ?? 0) + (kernel.staticSharedBytes ?? 0);
      const limit = residentBlocks(occupancyLimits(file.device, { threads, sharedBytes })) * file.device.multiprocessors;
      if (x * y * z > limit)
        yield {
          at: launch.configPlace,
          message: 'tooLarge' as const,
          data: { blocks: x * y * z, limit: counted(limit, 'block'), threads: counted(threads, 'thread'), device: file.device.name },
        };
    }
  },
});

function* readsOfOtherBlocks({ blockConflicts }: VariantFacts) {
  for (const { write, read, blocks } of blockConflicts) {
    const [first, second] = blocks;
    const related = [{ at: write.place, message: phrase('writtenHere') }];
    yield { at: read.place, message: 'blocks' as const, data: { first, second, object: read.object.name }, related };
  }
}

/** By a thread of the grid: other flags are the host's, or another kernel's. */
function isWritten(id: string, { accesses, atomics }: VariantFacts): boolean {
  return atomics.some(({ object }) => object.id === id) || accesses.some(({ kind, object }) => kind === 'store' && object.id === id);
}

/** In a loop with a block barrier, global elements at a distance that grows with the loop are read and written. */
function* blockBarrierAcrossGrid(kernel: VariantFacts) {
  const reported = new Set<string>();
  for (const barrier of kernel.barriers) {
    if (barrier.scope !== 'block') continue;
    const loop = barrier.control.loops[barrier.control.loops.length - 1];
    if (!loop) continue;
    const inLoop = (a: AccessFacts) =>
      a.object.space === 'global' && a.control.loops.includes(loop) && a.offset.uniformity === 'lane' && !a.offset.unknown;
    const accesses = kernel.accesses.filter(inLoop);
    for (const load of accesses) {
      if (load.kind !== 'load' || load.readModifyWrite || reported.has(load.object.id)) continue;
      const store = accesses.find((a) => a.kind === 'store' && a.object.id === load.object.id);
      if (!store || kernel.grid.x === 1 || hasWindow(load) || !(crossesBlocks(load, store, kernel) || readsNeighbours(load, store, kernel)))
        continue;
      reported.add(load.object.id);
      yield {
        at: barrier.place,
        message: 'blockBarrier' as const,
        data: { name: `${barrier.name}()`, object: load.object.name },
        severity: kernel.blockKnown ? undefined : ('warning' as const),
        related: [
          { at: load.place, message: phrase('readHere') },
          { at: store.place, message: phrase('writtenHere') },
        ],
      };
    }
  }
}

/** Of each block, some threads alone: those may be far enough from its edges. */
function hasWindow({ control }: AccessFacts): boolean {
  return control.branches.some(
    ({ branch: { kind, condition } }) => kind !== 'loop-exit' && condition.splitsBlock && /\bthreadIdx\b/.test(condition.text),
  );
}

/**
 * Blocks share one array, of which each has as many neighbouring elements as threads: what a thread reads further away is another block's. A
 * part of the array for each block, or one whose size is not known, is its own.
 */
function crossesBlocks(load: AccessFacts, store: AccessFacts, kernel: VariantFacts): boolean {
  if (load.loopInvariant || !sharesArray(load, kernel)) return false;
  // Where no launch gives a size, code that is written for several blocks is taken to run in some; a tree over the block stays in any.
  const isOverBlock = load.control.loops.at(-1)?.hangsOnShape === true;
  const blockBytes = kernel.blockKnown || isOverBlock ? load.blockStrideBytes! : WARP * load.type.size!;
  const shift = load.laneOffsets && store.laneOffsets ? (load.laneOffsets[0] - store.laneOffsets[0]) * load.type.size! : 0;
  return [shift, ...(load.reachBytes ?? []).map((reach) => shift + reach)].some((distance) => Math.abs(distance) >= blockBytes);
}

function sharesArray({ blockStrideBytes, type }: AccessFacts, { block }: VariantFacts): boolean {
  return type.size !== undefined && blockStrideBytes === block.x * block.y * block.z * type.size;
}

/**
 * `u[i]` is written and `u[i - 1]` read, by global index: at a block's edge the neighbour is another block's. A condition on threadIdx may
 * keep edges out.
 */
function readsNeighbours(load: AccessFacts, store: AccessFacts, kernel: VariantFacts): boolean {
  if (!sharesArray(load, kernel) || !sharesArray(store, kernel) || !load.laneOffsets || !store.laneOffsets) return false;
  const { laneOffsets: written } = store;
  const shift = load.laneOffsets[0] - written[0];
  if (shift === 0 || Math.abs(shift) >= WARP || load.laneOffsets.some((offset, lane) => offset - written[lane] !== shift)) return false;
  if (new Set(written).size < WARP) return false;
  return [load, store].every(({ control }) =>
    control.branches.every(({ branch }) => branch.kind === 'loop-exit' || branch.splits.kind === 'none' || branch.splits.kind === 'guard'),
  );
}

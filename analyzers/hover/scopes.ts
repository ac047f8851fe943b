/**
 * Barriers and fences: which threads wait, and whose memory accesses are ordered. Source: CUDA C++ Programming Guide, "Synchronization
 * Functions", "Memory Fence Functions" and "Cooperative Groups".
 */
import type { BarrierFacts, FenceFacts, VariantFacts } from '../model/facts.ts';
import { countLanes } from '../model/patterns.ts';
import type { Explanation } from './shuffles.ts';
import { box, boxes, HOT, IDLE, LANES, svg, text, USED } from './svg.ts';

/** Threads that wait for each other. */
type Waiting =
  | { readonly kind: 'nobody' | 'block' | 'cluster' | 'grid' | 'devices' }
  | { readonly kind: 'lanes'; readonly mask: number }
  | { readonly kind: 'tile'; readonly size: number };

type Ordered = 'group' | 'block' | 'device' | 'system';

export function barrierHover(barrier: BarrierFacts, { block }: VariantFacts): Explanation | undefined {
  const threads = block.x * block.y * block.z;
  const warps = Math.ceil(threads / LANES);
  switch (barrier.scope) {
    case 'warp': {
      const { tileSize } = barrier;
      if (barrier.name !== '__syncwarp') {
        if (tileSize === undefined) return undefined;
        return {
          markdown: `The ${tileSize} threads of a tile wait for each other and then see each other’s earlier writes.`,
          picture: scopePicture({ kind: 'tile', size: tileSize }, 'group'),
        };
      }
      const mask = barrier.mask ? barrier.mask.constant : 0xffffffff;
      if (mask === undefined) return { markdown: 'The lanes in the mask wait for each other. The mask is not known from the source.' };
      const lanes = countLanes(mask | 0);
      return {
        markdown: `${lanes === LANES ? 'All 32 lanes of the warp' : `${lanes} lanes of the warp`} wait for each other and then see each other’s earlier writes.`,
        picture: scopePicture({ kind: 'lanes', mask: mask | 0 }, 'group'),
      };
    }
    case 'block':
      return {
        markdown: `The ${threads} threads (${warps === 1 ? '1 warp' : `${warps} warps`}) of a block wait for each other, except those that have exited; other blocks continue.`,
        picture: scopePicture({ kind: 'block' }, 'block'),
      };
    case 'cluster':
      return { markdown: 'All threads of the cluster’s blocks wait for each other.', picture: scopePicture({ kind: 'cluster' }, 'device') };
    case 'grid':
      return {
        markdown: 'All threads of the grid wait for each other, so all blocks must be resident. This needs a cooperative launch.',
        picture: scopePicture({ kind: 'grid' }, 'device'),
      };
    case 'multi-grid':
      return {
        markdown: 'All threads of the grids on all devices wait for each other (removed in CUDA 13).',
        picture: scopePicture({ kind: 'devices' }, 'system'),
      };
    default:
      if (barrier.tileSize === undefined) return undefined;
      return {
        markdown: `The ${barrier.tileSize} threads of a tile, ${barrier.tileSize / LANES} warps, wait for each other.`,
        picture: scopePicture({ kind: 'tile', size: barrier.tileSize }, 'group'),
      };
  }
}

export function fenceHover(fence: FenceFacts): Explanation {
  const seen = {
    block: 'the threads of its block',
    device: 'all threads of the device',
    system: 'all threads of the device, the host and other devices',
  };
  return {
    markdown: `This thread’s earlier writes become visible to ${seen[fence.scope]} before its later ones. No thread waits.`,
    picture: scopePicture({ kind: 'nobody' }, fence.scope),
  };
}

const BLOCKS = 3;
const WARPS = 3;
const BLOCK_WIDTH = 172;
const THREAD = 5;
const ORDERED = '#3a9a6a';

/**
 * Three blocks of a grid, each row of a block one warp. Blue are the threads that wait; of a fence, red is the thread that it stands in and
 * green are those that see its order. Framed in green is the memory whose accesses are ordered.
 */
export function scopePicture(waiting: Waiting, ordered: Ordered): string {
  const everywhere = ordered === 'device' || ordered === 'system';
  const whose = everywhere ? 'all threads of the device' : ordered === 'block' ? 'the threads of the block' : 'these threads';
  return svg(
    172,
    [
      text(10, 18, 'device', { size: 11 }),
      box(2, 2, 576, FRAME, { height: 120, hollow: true, radius: 5 }),
      ...(waiting.kind === 'cluster' ? clusterFrame() : []),
      ...Array.from({ length: BLOCKS }, (_, block) => blockParts(block, waiting, ordered)).flat(),
      ...memory({ x: 12, y: 98, width: 556 }, `global memory, for ${whose}`, true),
      ...memory({ x: 2, y: 128, width: 576 }, 'memory of the host and other devices', ordered === 'system'),
      ...legend(waiting),
    ],
    580,
  );
}

const FRAME = '#888';

function clusterFrame(): string[] {
  return [box(7, 22, 2 * BLOCK_WIDTH + 30, USED, { height: 71, hollow: true, radius: 5 }), text(70, 18, 'cluster', { size: 11 })];
}

function blockParts(block: number, waiting: Waiting, ordered: Ordered): string[] {
  const x = 12 + block * (BLOCK_WIDTH + 20);
  const parts = [
    text(x + BLOCK_WIDTH, 22, `block ${block}`, { size: 11, anchor: 'end' }),
    box(x, 26, BLOCK_WIDTH, FRAME, { height: 64, hollow: true, radius: 4 }),
  ];
  for (let warp = 0; warp < WARPS; warp++) {
    const colours = Array.from({ length: LANES }, (_, lane) => threadColour({ block, warp, lane }, waiting, ordered));
    for (let lane = 0, next = 0; lane < LANES; lane = next) {
      while (next < LANES && colours[next] === colours[lane]) next++;
      const style = { width: THREAD - 1, height: 8, colour: colours[lane] };
      parts.push(boxes(x + 6 + lane * THREAD, 32 + warp * 11, next - lane, style));
    }
  }
  return [...parts, ...memory({ x: x + 4, y: 68, width: BLOCK_WIDTH - 8 }, 'shared memory', block < blocksConcerned(waiting))];
}

interface Thread {
  readonly block: number;
  readonly warp: number;
  readonly lane: number;
}

function threadColour(thread: Thread, waiting: Waiting, ordered: Ordered): string {
  if (waiting.kind !== 'nobody') return waits(waiting, thread) ? USED : IDLE;
  if (thread.block + thread.warp + thread.lane === 0) return HOT;
  return thread.block === 0 || ordered !== 'block' ? ORDERED : IDLE;
}

/** Blocks whose shared memory is among what is ordered. */
function blocksConcerned({ kind }: Waiting): number {
  return kind === 'grid' || kind === 'devices' ? BLOCKS : kind === 'cluster' ? 2 : 1;
}

function waits(waiting: Waiting, { block, warp, lane }: Thread): boolean {
  switch (waiting.kind) {
    case 'lanes':
      return block + warp === 0 && ((waiting.mask >>> lane) & 1) === 1;
    case 'tile':
      return block === 0 && warp * LANES + lane < waiting.size;
    default:
      return block < blocksConcerned(waiting);
  }
}

function memory(
  { x, y, width }: { readonly x: number; readonly y: number; readonly width: number },
  label: string,
  ordered: boolean,
): string[] {
  const fill = ordered ? [box(x, y, width, `${ORDERED}33`, { height: 17 })] : [];
  const colour = ordered ? ORDERED : undefined;
  const frame = box(x, y, width, colour ?? `${FRAME}8`, { height: 17, hollow: true });
  return [...fill, frame, text(x + width / 2, y + 12.5, label, { size: 11, anchor: 'middle' })];
}

function legend({ kind }: Waiting): string[] {
  const y = 153;
  const mark = (x: number, colour: string, words: string) => [
    box(x, y + 2, 10, colour, { height: 10 }),
    text(x + 15, y + 11, words, { size: 11 }),
  ];
  const order = [
    box(372, y + 2, 10, `${ORDERED}33`, { height: 10 }),
    box(372, y + 2, 10, ORDERED, { height: 10, hollow: true }),
    text(387, y + 11, 'memory whose accesses are ordered', { size: 11 }),
  ];
  if (kind !== 'nobody') return [...mark(4, USED, 'threads that wait for each other (a row is a warp)'), ...order];
  return [...mark(4, HOT, 'this thread'), ...mark(92, ORDERED, 'threads that see this order; none waits'), ...order];
}

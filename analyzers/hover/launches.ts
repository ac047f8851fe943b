/**
 * What a launch puts on the device: warps of a block, blocks that are resident on a multiprocessor by each limit, waves. Registers are known
 * only after compilation and are left out. Source: CUDA C++ Programming Guide, "Hardware Multithreading"; cuda_occupancy.h.
 */

import { type OccupancyLimits, occupancyLimits, residentBlocks } from '../../devices/occupancy.ts';
import type { DeviceProfile } from '../../devices/profile.ts';
import { type LaunchFacts, variantOf } from '../model/facts.ts';
import { codeSpan } from '../printable.ts';
import type { Explanation } from './shuffles.ts';
import { box, boxes, HOT, IDLE, LANES, svg, text, USED, USED_TOO } from './svg.ts';

interface Residency {
  readonly device: DeviceProfile;
  readonly threads: number;
  readonly warps: number;
  readonly limits: OccupancyLimits;
  readonly resident: number;
  /** Blocks of the grid. */
  readonly blocks?: number;
}

export function launchHover(launch: LaunchFacts, device: DeviceProfile): Explanation {
  const title = `**Launch of ${codeSpan(launch.kernelName)}**`;
  const { x, y, z } = launch.block;
  if (x === undefined || y === undefined || z === undefined)
    return { markdown: `${title}\n\nThe block size is not known from the source.`, predicted: true };
  const threads = x * y * z;
  const blocks = blocksOf(launch);
  if (threads < 1 || threads > device.maxThreadsPerBlock || blocks === 0)
    return {
      markdown: `${title}\n\nThe runtime rejects this launch: ${threads} threads per block${blocks === undefined ? '' : `, ${blocks} blocks`}.`,
      predicted: true,
    };
  const staticBytes = variantOf(launch)?.staticSharedBytes;
  const sharedBytes = (launch.sharedBytes ?? 0) + (staticBytes ?? 0);
  const limits = occupancyLimits(device, { threads, sharedBytes });
  const warps = Math.ceil(threads / LANES);
  const residency: Residency = { device, threads, warps, limits, resident: residentBlocks(limits), blocks };
  const unknown =
    launch.sharedBytes === undefined || (launch.kernel && staticBytes === undefined) ? ['shared memory', 'registers'] : ['registers'];
  const lines = [title, shapeText(residency, [x, y, z]), residentText(residency, sharedBytes), ...wavesText(residency)];
  if (residency.resident > 0) lines.push(`Possibly limited further by ${unknown.join(' and ')}, not known from the source.`);
  return { markdown: lines.join('\n\n'), picture: residency.resident > 0 ? launchPicture(residency) : undefined, predicted: true };
}

function blocksOf({ grid: { x, y, z } }: LaunchFacts): number | undefined {
  return x === undefined || y === undefined || z === undefined ? undefined : x * y * z;
}

function shapeText({ threads, warps, blocks }: Residency, [x, y, z]: readonly [number, number, number]): string {
  const sides = z > 1 ? [x, y, z] : y > 1 ? [x, y] : [x];
  const shape = sides.length > 1 ? `${sides.join(' × ')} = ${threads}` : `${threads}`;
  const partial = threads % LANES;
  const idle = partial === 0 ? '' : `, the last with ${partial} of ${LANES} lanes`;
  const count = blocks === undefined ? 'Blocks' : blocks === 1 ? '1 block' : `${grouped(blocks)} blocks`;
  return `${count} of ${shape} threads: ${warps === 1 ? '1 warp' : `${warps} warps`} each${idle}.`;
}

function residentText({ device, limits, resident, warps }: Residency, sharedBytes: number): string {
  if (resident === 0)
    return `${grouped(sharedBytes)} bytes of shared memory per block exceed what a multiprocessor of the ${device.name} has.`;
  const slots = device.maxThreadsPerMultiprocessor / LANES;
  return `${device.name}: ${resident === 1 ? '1 block' : `${resident} blocks`} resident on a multiprocessor, ${resident * warps} of ${slots} warps; the limit is ${LIMIT_WORDS[limiter(limits)]}.`;
}

const LIMIT_WORDS: Readonly<Record<keyof OccupancyLimits, string>> = {
  warps: 'the number of warps',
  blocks: 'the number of blocks',
  sharedMemory: 'shared memory',
};

function limiter({ warps, blocks, sharedMemory }: OccupancyLimits): keyof OccupancyLimits {
  if (sharedMemory < Math.min(warps, blocks)) return 'sharedMemory';
  return warps <= blocks ? 'warps' : 'blocks';
}

function wavesText({ device, resident, blocks }: Residency): string[] {
  if (blocks === undefined || resident === 0) return [];
  const perWave = resident * device.multiprocessors;
  const waves = blocks / perWave;
  const all = `${device.multiprocessors} multiprocessors hold ${grouped(perWave)} blocks at a time`;
  if (blocks < device.multiprocessors)
    return [`${all}: with ${grouped(blocks)}, ${device.multiprocessors - blocks} multiprocessors stay idle.`];
  if (waves <= 1) return [`${all}: one wave, ${Math.round(100 * waves)} % full.`];
  const last = blocks % perWave || perWave;
  return [`${all}: ${Math.ceil(waves)} waves, the last ${Math.round((100 * last) / perWave)} % full.`];
}

const PANEL = 232;
const HEIGHT = 176;

/** Left a block's warps, right the warp slots of a multiprocessor, below them the limits and the waves. */
function launchPicture(r: Residency): string {
  return svg(HEIGHT, [...blockPanel(r), ...slotsPanel(r), ...limitsPanel(r), ...wavesPanel(r)]);
}

function blockPanel({ threads, warps }: Residency): string[] {
  const rise = Math.min(16, Math.floor((HEIGHT - 36) / warps));
  const height = Math.max(2, rise - Math.max(1, Math.round(rise / 5)));
  const parts = [text(4, 14, `one block: ${warps === 1 ? '1 warp' : `${warps} warps`} of 32 lanes`)];
  for (let warp = 0; warp < warps; warp++) {
    const lanes = Math.min(LANES, threads - warp * LANES);
    const y = 24 + warp * rise;
    parts.push(boxes(4, y, lanes, { width: 5, height, colour: USED }));
    if (lanes < LANES) parts.push(boxes(4 + lanes * 6, y, LANES - lanes, { width: 5, height, colour: IDLE }));
  }
  return parts;
}

const SLOTS_PER_ROW = 16;

function slotsPanel({ device, resident, warps }: Residency): string[] {
  const slots = device.maxThreadsPerMultiprocessor / LANES;
  const parts = [
    text(
      PANEL,
      14,
      `resident on one multiprocessor: ${resident * warps} of ${slots} warps, ${resident === 1 ? '1 block' : `${resident} blocks`}`,
    ),
  ];
  for (let slot = 0; slot < slots; slot++) {
    const block = Math.floor(slot / warps);
    const colour = block >= resident ? IDLE : block % 2 === 0 ? USED : USED_TOO;
    parts.push(box(PANEL + (slot % SLOTS_PER_ROW) * 22, 24 + Math.floor(slot / SLOTS_PER_ROW) * 13, 20, colour, { height: 11 }));
  }
  return parts;
}

function limitsPanel({ device, limits }: Residency): string[] {
  const rows: readonly (readonly [string, keyof OccupancyLimits])[] = [
    ['by warps', 'warps'],
    ['by blocks', 'blocks'],
    ['by shared memory', 'sharedMemory'],
  ];
  const tightest = limiter(limits);
  const most = device.maxBlocksPerMultiprocessor;
  const top = 86;
  const parts = rows.flatMap(([name, key], i) => {
    const y = top + i * 17;
    const value = Math.min(limits[key], most);
    const size = (150 * value) / most;
    return [
      text(PANEL, y + 10, name, { size: 11 }),
      box(PANEL + 110, y + 1, Math.max(2, size), key === tightest ? HOT : IDLE, { height: 11 }),
      text(PANEL + 118 + size, y + 10, key === 'sharedMemory' && limits[key] >= most ? `${most} or more` : String(limits[key]), {
        size: 11,
      }),
    ];
  });
  return [
    ...parts,
    text(PANEL, top + 61, 'by registers', { size: 11 }),
    text(PANEL + 110, top + 61, 'known after compilation', { size: 11 }),
  ];
}

const MOST_WAVES = 8;

function wavesPanel({ device, resident, blocks }: Residency): string[] {
  if (blocks === undefined) return [];
  const perWave = resident * device.multiprocessors;
  const waves = Math.ceil(blocks / perWave);
  const shown = Math.min(waves, MOST_WAVES);
  const last = (blocks - (waves - 1) * perWave) / perWave;
  const y = 156;
  const parts = [text(PANEL, y + 11, waves === 1 ? '1 wave' : `${grouped(waves)} waves`, { size: 11 })];
  for (let wave = 0; wave < shown; wave++) {
    const full = waves > MOST_WAVES && wave === shown - 2 ? undefined : wave === shown - 1 ? last : 1;
    const x = PANEL + 110 + wave * 30;
    if (full === undefined) parts.push(text(x + 13, y + 10, '…', { anchor: 'middle' }));
    else parts.push(box(x, y + 1, 27, IDLE, { height: 12 }), box(x, y + 1, 27 * full, USED, { height: 12 }));
  }
  return parts;
}

function grouped(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ',');
}

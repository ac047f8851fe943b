/**
 * PTX's special registers: who and where a thread is. Clocks go on from the launch's start with the instructions that a warp executes from
 * its first look on, and with those of others for which it waits at barriers, so that the same run reads the same time.
 */

import type { Clock, Register } from '../ir/intrinsics/description.ts';
import type { Cell } from '../machine/cells.ts';
import { rankOf } from '../scheduling/cluster.ts';
import type { Step } from '../scheduling/program.ts';
import type { Path } from '../scheduling/warp.ts';
import { delayingClocks } from '../simt/delay-loops.ts';
import type { Call } from './intrinsics.ts';
import type { Translation } from './translate.ts';

/** Value for each lane; lanes that do not run may get one too. */
type Fill = (path: Path, to: Int32Array) => void;

/** Cycles that pass per executed warp instruction, so that loops that wait for time to pass end. Rule of thumb: one that depends on the last. */
const CYCLES_PER_INSTRUCTION = 4;
/** %globaltimer begins at 2026-01-01 00:00 UTC, as the host's clock does (runtime/clock/host-clock.ts). */
const START_SECONDS = 1_767_225_600n;

export function specialRegister(t: Translation, call: Call, register: Register): Step {
  const result = t.results(call)[0];
  if (isClock(register)) {
    const put = TIMES[register];
    const delays = delayingClocks(t.fn).has(call);
    return (path) => {
      const { warp } = path;
      const { grid } = warp.block;
      const cycles = cyclesSeen(warp, warp.elapsed, delays ? delayIn(grid.launch.grid) : MEASUREMENT);
      if (cycles > grid.clockCycles) grid.clockCycles = cycles;
      put(path.frame.cells[result], path.mask, { startNs: grid.launch.startNs ?? 0, cycles, clockKHz: grid.options.device.clockKHz });
    };
  }
  const fill = REGISTERS[register];
  return (path) => fill(path, path.frame.cells[result].i);
}

interface Patience {
  /** Looks after which time passes faster. */
  readonly looks: number;
  /** Each further look skips one part in so many of what has passed. */
  readonly share: number;
}
/** A loop that waits for time to pass and does nothing else ends up to so much later than it asks for. */
const DELAY: Patience = { looks: 16, share: 128 };
/** In launches of so many blocks, where each warp's looks add up. */
const MANY_BLOCKS = 1024;
const DELAY_OF_MANY: Patience = { looks: 8, share: 16 };
const VERY_MANY_BLOCKS = 16_384;
const DELAY_OF_VERY_MANY: Patience = { looks: 4, share: 4 };
function delayIn([x, y, z]: readonly [number, number, number]): Patience {
  const blocks = x * y * z;
  return blocks < MANY_BLOCKS ? DELAY : blocks < VERY_MANY_BLOCKS ? DELAY_OF_MANY : DELAY_OF_VERY_MANY;
}

/** Others may be about each look: programs measure with some thousand of them. */
const MEASUREMENT: Patience = { looks: 8192, share: 256 };
/** A round of a waiting loop has so many instructions at most. */
const WAITING_STEPS = 24;

/**
 * Cycles since a warp first looked at a clock. One that looks and looks again, and does little else, waits for time to pass: time then
 * passes faster and faster, so that a wait of a second takes some hundred rounds of its loop, or some thousand if it does more.
 */
function cyclesSeen(warp: Path['warp'], steps: number, patience: Patience): number {
  warp.clock ??= { start: steps, last: steps, looks: 0, skipped: 0 };
  const { clock } = warp;
  clock.looks = steps - clock.last <= WAITING_STEPS ? clock.looks + 1 : 0;
  clock.last = steps;
  const cycles = (steps - clock.start) * CYCLES_PER_INSTRUCTION + clock.skipped;
  if (clock.looks <= patience.looks) return cycles;
  const more = Math.floor(cycles / patience.share);
  clock.skipped += more;
  return cycles + more;
}

function isClock(register: Register): register is Clock {
  return Object.hasOwn(TIMES, register);
}

/** So many cycles behind a moment of the program. */
interface Moment {
  readonly startNs: number;
  readonly cycles: number;
  readonly clockKHz: number;
}
type PutTime = (cell: Cell, mask: number, moment: Moment) => void;

const cycleAt = ({ startNs, cycles, clockKHz }: Moment): number => Math.floor((startNs * clockKHz) / 1e6) + cycles;
const nanosecondAt = ({ startNs, cycles, clockKHz }: Moment): bigint =>
  START_SECONDS * 1_000_000_000n + BigInt(Math.floor(startNs + (cycles * 1e6) / clockKHz));

function putWord({ i }: Cell, mask: number, word: number) {
  for (let lane = 0; lane < 32; lane++) if ((mask >>> lane) & 1) i[lane] = word;
}

function putWide({ q }: Cell, mask: number, now: bigint) {
  for (let lane = 0; lane < 32; lane++) if ((mask >>> lane) & 1) q[lane] = now;
}

/** As `putWide`: what a kernel that waits for time to pass spends itself on. */
function putWords({ i }: Cell, mask: number, now: number) {
  const low = now | 0;
  const high = Math.floor(now / 2 ** 32);
  for (let lane = 0; lane < 32; lane++) {
    if (((mask >>> lane) & 1) === 0) continue;
    i[2 * lane] = low;
    i[2 * lane + 1] = high;
  }
}

/** A number of cycles is below 2^53: that is a month. */
const TIMES: Readonly<Record<Clock, PutTime>> = {
  clock: (cell, mask, moment) => putWord(cell, mask, cycleAt(moment) % 2 ** 32),
  'clock.hi': (cell, mask, moment) => putWord(cell, mask, Math.floor(cycleAt(moment) / 2 ** 32)),
  clock64: (cell, mask, moment) => putWords(cell, mask, cycleAt(moment)),
  globaltimer: (cell, mask, moment) => putWide(cell, mask, nanosecondAt(moment)),
};

const LANES = Int32Array.from({ length: 32 }, (_, lane) => lane);

function perLane(value: (lane: number) => number): Fill {
  const values = LANES.map(value);
  return (_, to) => to.set(values);
}

function same(value: (path: Path) => number): Fill {
  return (path, to) => void to.fill(value(path));
}

type Placed = 'tid' | 'ntid' | 'ctaid' | 'nctaid' | 'cluster.ctaid' | 'cluster.nctaid' | 'clusterid' | 'nclusterid';

/** Registers of one axis. Without clusters, each block is a cluster of its own. */
const clusterSize = ({ warp }: Path, k: number): number => warp.block.grid.launch.cluster?.[k] ?? 1;

function ofAxis<Axis extends string>(axis: Axis, k: number): Record<`${Placed}.${Axis}`, Fill> {
  const fills: Record<Placed, Fill> = {
    tid: (path, to) => to.set(path.warp.shape.thread[k]),
    ntid: same((path) => path.warp.block.grid.launch.block[k]),
    ctaid: same((path) => path.warp.block.id[k]),
    nctaid: same((path) => path.warp.block.grid.launch.grid[k]),
    'cluster.ctaid': same((path) => path.warp.block.id[k] % clusterSize(path, k)),
    'cluster.nctaid': same((path) => clusterSize(path, k)),
    clusterid: same((path) => Math.floor(path.warp.block.id[k] / clusterSize(path, k))),
    nclusterid: same((path) => path.warp.block.grid.launch.grid[k] / clusterSize(path, k)),
  };
  return Object.fromEntries(Object.entries(fills).map(([name, fill]) => [`${name}.${axis}`, fill])) as Record<`${Placed}.${Axis}`, Fill>;
}

const REGISTERS: Readonly<Record<Exclude<Register, Clock>, Fill>> = {
  ...ofAxis('x', 0),
  ...ofAxis('y', 1),
  ...ofAxis('z', 2),
  'cluster.ctarank': same((path) => rankOf(path.warp.block)),
  'cluster.nctarank': same((path) => [0, 1, 2].reduce((product, k) => product * clusterSize(path, k), 1)),
  warpsize: same(() => 32),
  laneid: perLane((lane) => lane),
  'lanemask.eq': perLane((lane) => 1 << lane),
  'lanemask.lt': perLane((lane) => (1 << lane) - 1),
  'lanemask.le': perLane((lane) => (2 << lane) - 1),
  'lanemask.ge': perLane((lane) => -1 << lane),
  'lanemask.gt': perLane((lane) => -2 << lane),
  warpid: same((path) => path.warp.shape.index),
  nwarpid: same((path) => path.warp.block.warps.length),
  smid: same((path) => path.warp.block.linear % path.warp.block.grid.options.device.multiprocessors),
  nsmid: same((path) => path.warp.block.grid.options.device.multiprocessors),
  gridid: same(() => 1),
  total_smem_size: same((path) => path.warp.block.sharedBytes),
  dynamic_smem_size: same((path) => path.warp.block.grid.launch.dynamicSharedBytes),
};

/**
 * What a kernel's launches moved between the levels of memory, as a picture: requests and sectors that were counted on the left, and on the
 * right what L2 and DRAM would be asked for, which is estimated.
 */

import { COLUMN_FIGURES, figure, sumOfMetrics } from '../../counters/figures.ts';
import { grouped } from '../../counters/grouped.ts';
import { l10n } from '../../counters/spoken.ts';
import type { KernelReport } from '../../protocol/report.ts';
import { escaped, type Picture, picture } from './svg.ts';

const SECTOR_BYTES = 32;
const WAVEFRONT_BYTES = 128;
const SIZE = { width: 760, height: 190 };
const BOX = { width: 92, height: 46 };

interface Link {
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
  readonly bytes: number;
  readonly label: readonly string[];
}

/** `launches`: all of one kernel. Undefined where one has no estimate, or nothing was moved. */
export function memoryPicture(launches: readonly KernelReport[]): Picture | undefined {
  const traffic = trafficOf(launches);
  if (!traffic) return undefined;
  const { loaded, stored, wavefronts, conflicts, l1HitRate, l2, dram } = traffic;
  const [top, low] = [30, 118];
  const isGlobal = loaded + stored > 0;
  const isShared = wavefronts > 0;
  // As high as what it has to do with.
  const kernelTop = isGlobal ? top : low;
  const kernelHeight = (isShared ? low : top) + BOX.height - kernelTop;
  const boxes: readonly Box[] = [
    { name: l10n.t('kernel'), x: 10, y: kernelTop, height: kernelHeight },
    ...(isGlobal ? [box('L1', 230, top), box('L2', 450, top), box('DRAM', 658, top)] : []),
    ...(isShared ? [box(l10n.t('shared'), 230, low)] : []),
  ];
  const middle = top + BOX.height / 2;
  const global: Link[] = [
    {
      from: [102, middle],
      to: [230, middle],
      bytes: (loaded + stored) * SECTOR_BYTES,
      label: transfer(loaded * SECTOR_BYTES, stored * SECTOR_BYTES),
    },
    { from: [322, middle], to: [450, middle], bytes: l2, label: [`${bytes(l2)}`, l10n.t('L1 hits {0} %', Math.round(100 * l1HitRate))] },
    {
      from: [542, middle],
      to: [658, middle],
      bytes: dram.read + dram.written,
      label: transfer(dram.read, dram.written),
    },
  ];
  const shared: Link = {
    from: [102, low + BOX.height / 2],
    to: [230, low + BOX.height / 2],
    bytes: wavefronts * WAVEFRONT_BYTES,
    label: [l10n.t('{0} wavefronts', grouped(Math.round(wavefronts))), l10n.t('{0} conflicts', grouped(Math.round(conflicts)))],
  };
  const links = [...(isGlobal ? global : []), ...(isShared ? [shared] : [])];
  const most = Math.max(...links.map((link) => link.bytes));
  const words = [
    ...(loaded + stored > 0
      ? [
          l10n.t('Global memory: {0} read and {1} written (simulated)', bytes(loaded * SECTOR_BYTES), bytes(stored * SECTOR_BYTES)),
          l10n.t(
            'L1 has {0} % of what is loaded, {1} go to and from L2, DRAM reads {2} and writes {3} (estimated)',
            Math.round(100 * l1HitRate),
            bytes(l2),
            bytes(dram.read),
            bytes(dram.written),
          ),
        ]
      : []),
    ...(wavefronts > 0
      ? [
          l10n.t(
            'Shared memory: {0} wavefronts, {1} of them bank conflicts (simulated)',
            grouped(Math.round(wavefronts)),
            grouped(Math.round(conflicts)),
          ),
        ]
      : []),
  ].join('; ');
  const parts = [
    `<text x="120" y="14">${escaped(l10n.t('simulated'))}</text>`,
    ...(isGlobal ? [`<text x="350" y="14">${escaped(l10n.t('estimated'))}</text>`] : []),
    ...links.map((link) => arrow(link, most)),
    ...boxes.map(drawnBox),
  ];
  // Without the row of shared memory, no room for it.
  return picture(parts, `${words}.`, isShared ? SIZE : { ...SIZE, height: low - 20 });
}

function transfer(read: number, written: number): readonly string[] {
  return [l10n.t('{0} read', bytes(read)), l10n.t('{0} written', bytes(written))];
}

function trafficOf(launches: readonly KernelReport[]) {
  if (launches.length === 0 || launches.some(({ estimate }) => !estimate)) return undefined;
  const sums = sumOfMetrics(launches);
  const sectors = (...operations: readonly string[]) => sectorsIn(sums, operations);
  const wavefronts = Object.entries(sums).reduce((total, [name, value]) => total + (/wavefronts_mem_shared_op_/.test(name) ? value : 0), 0);
  const conflicts = COLUMN_FIGURES.filter(({ title }) => title === 'conflicts').reduce(
    (total, one) => total + (figure(one, sums)?.value ?? 0),
    0,
  );
  const [loaded, stored] = [sectors('ld', 'atom'), sectors('st', 'red')];
  if (loaded + stored + wavefronts === 0) return undefined;
  const estimates = launches.map(({ estimate }) => estimate!);
  const sum = (of: (each: (typeof estimates)[number]) => number) => estimates.reduce((total, each) => total + of(each), 0);
  return {
    loaded,
    stored,
    wavefronts,
    conflicts,
    l1HitRate: hitRate(launches),
    l2: sum(({ l2Sectors: { read, write, atomic } }) => (read + write + atomic) * SECTOR_BYTES),
    dram: { read: sum(({ dramReadBytes }) => dramReadBytes), written: sum(({ dramWrittenBytes }) => dramWrittenBytes) },
  };
}

function sectorsIn(metrics: Readonly<Record<string, number>>, operations: readonly string[]): number {
  return operations.reduce((total, operation) => total + (metrics[`l1tex__t_sectors_pipe_lsu_mem_global_op_${operation}.sum`] ?? 0), 0);
}

/** Of all that is loaded. */
function hitRate(launches: readonly KernelReport[]): number {
  const loads = launches.map(({ metrics }) => sectorsIn(metrics, ['ld']));
  const all = loads.reduce((total, each) => total + each, 0);
  return all === 0 ? 0 : launches.reduce((total, { estimate }, index) => total + estimate!.l1HitRate * loads[index], 0) / all;
}

interface Box {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

function box(name: string, x: number, y: number): Box {
  return { name, x, y, height: BOX.height };
}

function drawnBox({ name, x, y, height }: Box): string {
  const frame = `<rect x="${x}" y="${y}" width="${BOX.width}" height="${height}" rx="4" fill="none" stroke="currentColor" stroke-width="1.5"/>`;
  return `${frame}<text x="${x + BOX.width / 2}" y="${y + height / 2 + 4}" text-anchor="middle" font-size="13">${escaped(name)}</text>`;
}

/** The thicker, the more. */
function arrow({ from: [x1, y1], to: [x2, y2], bytes: amount, label }: Link, most: number): string {
  const width = amount === 0 ? 0.5 : 1 + 7 * (amount / most);
  const middle = (x1 + x2) / 2;
  const text = label.map(
    (line, index) => `<text x="${middle}" y="${(y1 + y2) / 2 + (index === 0 ? -9 : 19)}" text-anchor="middle">${escaped(line)}</text>`,
  );
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="currentColor" stroke-opacity="0.45" stroke-width="${width.toFixed(1)}"/>${text.join('')}`;
}

function bytes(amount: number): string {
  const [scale, unit] = amount >= 1e9 ? [1e9, 'GB'] : amount >= 1e6 ? [1e6, 'MB'] : amount >= 1e3 ? [1e3, 'kB'] : [1, 'B'];
  return `${Number((amount / (scale as number)).toPrecision(3))} ${unit}`;
}

/**
 * What a kernel's launches moved between the levels of memory, as a picture: requests and sectors that were counted on the left, and on the
 * right what L2 and DRAM would be asked for, which is estimated. Arrows are as thick as what global memory moves; what machine code and
 * local memory do there is said beside them.
 */

import { COLUMN_FIGURES, figure, sumOfMetrics } from '../../counters/figures.ts';
import { grouped } from '../../counters/grouped.ts';
import { l10n } from '../../counters/spoken.ts';
import type { KernelReport, OtherBytes } from '../../protocol/report.ts';
import { escaped, NARROW, type Picture, picture, WIDE } from './svg.ts';

const SECTOR_BYTES = 32;
const WAVEFRONT_BYTES = 128;
const BOX = { width: 92, height: 46 };
const LINE_HEIGHT = 14;

interface Link {
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
  readonly bytes: number;
  readonly labels: readonly Label[];
  readonly anchor: 'middle' | 'start';
}

interface Label {
  readonly text: string;
  readonly at: readonly [x: number, y: number];
}

/** What is moved to a level and from it, and the lines that say so, two or more. */
interface Level {
  readonly bytes: number;
  readonly label: readonly string[];
}

interface Levels {
  readonly isGlobal: boolean;
  readonly isShared: boolean;
  readonly l1: Level;
  readonly l2: Level;
  readonly dram: Level;
  readonly shared: Level;
}

interface Layout {
  readonly boxes: readonly Box[];
  readonly links: readonly Link[];
  readonly titles: readonly Label[];
  readonly height: number;
}

/** `launches`: all of one kernel. Undefined where one has no estimate, or nothing was moved. */
export function memoryPicture(launches: readonly KernelReport[], width = WIDE): Picture | undefined {
  const traffic = trafficOf(launches);
  if (!traffic) return undefined;
  const { loaded, stored, wavefronts, conflicts, l1HitRate, l2, dram, code, local } = traffic;
  const isGlobal = loaded + stored > 0;
  const isShared = wavefronts > 0;
  const levels: Levels = {
    isGlobal,
    isShared,
    l1: { bytes: (loaded + stored) * SECTOR_BYTES, label: transfer(loaded * SECTOR_BYTES, stored * SECTOR_BYTES) },
    l2: {
      bytes: l2,
      label: [bytes(l2), l10n.t('L1 hits {0} %', Math.round(100 * l1HitRate)), ...others(code.l2Bytes, local.l2Bytes)],
    },
    dram: {
      bytes: dram.read + dram.written,
      label: [...transfer(dram.read, dram.written), ...others(code.dramReadBytes, local.dramReadBytes + local.dramWrittenBytes)],
    },
    shared: {
      bytes: wavefronts * WAVEFRONT_BYTES,
      label: [l10n.t('{0} wavefronts', grouped(Math.round(wavefronts))), l10n.t('{0} conflicts', grouped(Math.round(conflicts)))],
    },
  };
  const { boxes, links, titles, height } = width <= NARROW ? downwards(levels, width) : across(levels);
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
          ...(code.l2Bytes > 0
            ? [l10n.t('Machine code: {0} from L2, {1} from DRAM (estimated)', bytes(code.l2Bytes), bytes(code.dramReadBytes))]
            : []),
          ...(local.l2Bytes > 0
            ? [
                l10n.t(
                  'Local memory: {0} to and from L2, {1} to and from DRAM (estimated)',
                  bytes(local.l2Bytes),
                  bytes(local.dramReadBytes + local.dramWrittenBytes),
                ),
              ]
            : []),
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
    ...titles.map(({ text, at: [x, y] }) => `<text x="${x}" y="${y}">${escaped(text)}</text>`),
    ...links.map((link) => arrow(link, most)),
    ...boxes.map(drawnBox),
  ];
  return picture(parts, `${words}.`, { width, height });
}

/** Global memory's levels beside each other, with shared memory below. Where nothing is asked of one of both, it is left out. */
function across({ isGlobal, isShared, l1, l2, dram, shared }: Levels): Layout {
  const [top, low] = [30, isGlobal ? 118 : 30];
  const kernel: Box = { name: l10n.t('kernel'), x: 10, y: top, height: (isShared ? low : top) + BOX.height - top };
  const middle = top + BOX.height / 2;
  const link = ({ bytes, label }: Level, [from, to]: readonly [number, number], y = middle): Link => {
    const labels = label.map((text, index) => ({
      text,
      at: [(from + to) / 2, y + (index === 0 ? -9 : 5 + index * LINE_HEIGHT)] as const,
    }));
    return { from: [from, y], to: [to, y], bytes, labels, anchor: 'middle' };
  };
  return {
    boxes: [
      kernel,
      ...(isGlobal ? [box('L1', 230, top), box('L2', 450, top), box('DRAM', 658, top)] : []),
      ...(isShared ? [box(l10n.t('shared'), 230, low)] : []),
    ],
    links: [
      ...(isGlobal ? [link(l1, [102, 230]), link(l2, [322, 450]), link(dram, [542, 658])] : []),
      ...(isShared ? [link(shared, [102, 230], low + BOX.height / 2)] : []),
    ],
    titles: [{ text: l10n.t('simulated'), at: [120, 14] }, ...(isGlobal ? [{ text: l10n.t('estimated'), at: [350, 14] as const }] : [])],
    height: Math.max(low + BOX.height + 22, middle + 9 + LINE_HEIGHT * Math.max(l2.label.length, dram.label.length)),
  };
}

/** Below each other, as narrow panels ask: the kernel above, and what it asks last at the bottom. */
function downwards({ isGlobal, isShared, l1, l2, dram, shared }: Levels, width: number): Layout {
  const [left, right] = [10, isGlobal ? width / 2 + 10 : 10];
  const top = 4;
  // For the lines of a level and its grade.
  const gap = 10 + LINE_HEIGHT * (1 + Math.max(...[l1, l2, dram, shared].map(({ label }) => label.length)));
  const step = BOX.height + gap;
  const kernel: Box = {
    name: l10n.t('kernel'),
    x: left,
    y: top,
    height: BOX.height,
    width: isShared ? right + BOX.width - left : BOX.width,
  };
  const link = ({ bytes, label }: Level, row: number, { x, grade }: { readonly x: number; readonly grade: string }): Link => {
    const [from, to] = [top + row * step - gap, top + row * step];
    const at = x + BOX.width / 2;
    const labels = [...label, grade].map((text, index) => ({ text, at: [at + 12, from + 16 + index * LINE_HEIGHT] as const }));
    return { from: [at, from], to: [at, to], bytes, labels, anchor: 'start' };
  };
  const [simulated, estimated] = [l10n.t('simulated'), l10n.t('estimated')];
  return {
    boxes: [
      kernel,
      ...(isGlobal ? ['L1', 'L2', 'DRAM'].map((name, index) => box(name, left, top + (index + 1) * step)) : []),
      ...(isShared ? [box(l10n.t('shared'), right, top + step)] : []),
    ],
    links: [
      ...(isGlobal
        ? [
            link(l1, 1, { x: left, grade: simulated }),
            link(l2, 2, { x: left, grade: estimated }),
            link(dram, 3, { x: left, grade: estimated }),
          ]
        : []),
      ...(isShared ? [link(shared, 1, { x: right, grade: simulated })] : []),
    ],
    titles: [],
    height: top + (isGlobal ? 3 : 1) * step + BOX.height + 6,
  };
}

function transfer(read: number, written: number): readonly string[] {
  return [l10n.t('{0} read', bytes(read)), l10n.t('{0} written', bytes(written))];
}

/** What else goes there, where there is any. */
function others(code: number, local: number): readonly string[] {
  return [...(code > 0 ? [l10n.t('code: {0}', bytes(code))] : []), ...(local > 0 ? [l10n.t('local memory: {0}', bytes(local))] : [])];
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
  const other = (what: 'code' | 'local'): OtherBytes => ({
    l2Bytes: sum((each) => each[what]?.l2Bytes ?? 0),
    dramReadBytes: sum((each) => each[what]?.dramReadBytes ?? 0),
    dramWrittenBytes: sum((each) => each[what]?.dramWrittenBytes ?? 0),
  });
  const [code, local] = [other('code'), other('local')];
  // Numbers of an estimate are rounded each by itself.
  const rest = (all: number, of: keyof OtherBytes) => Math.max(0, all - code[of] - local[of]);
  return {
    loaded,
    stored,
    wavefronts,
    conflicts,
    l1HitRate: hitRate(launches),
    l2: rest(
      sum(({ l2Sectors: { read, write, atomic } }) => (read + write + atomic) * SECTOR_BYTES),
      'l2Bytes',
    ),
    dram: {
      read: rest(
        sum(({ dramReadBytes }) => dramReadBytes),
        'dramReadBytes',
      ),
      written: rest(
        sum(({ dramWrittenBytes }) => dramWrittenBytes),
        'dramWrittenBytes',
      ),
    },
    code,
    local,
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
  /** That of the others unless given. */
  readonly width?: number;
}

function box(name: string, x: number, y: number): Box {
  return { name, x, y, height: BOX.height };
}

function drawnBox({ name, x, y, height, width = BOX.width }: Box): string {
  const frame = `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="4" fill="none" stroke="currentColor" stroke-width="1.5"/>`;
  return `${frame}<text x="${x + width / 2}" y="${y + height / 2 + 4}" text-anchor="middle" font-size="13">${escaped(name)}</text>`;
}

/** The thicker, the more. */
function arrow({ from: [x1, y1], to: [x2, y2], bytes: amount, labels, anchor }: Link, most: number): string {
  const width = amount === 0 ? 0.5 : 1 + 7 * (amount / most);
  const texts = labels.map(({ text, at: [x, y] }) => `<text x="${x}" y="${y}" text-anchor="${anchor}">${escaped(text)}</text>`);
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="currentColor" stroke-opacity="0.45" stroke-width="${width.toFixed(1)}"/>${texts.join('')}`;
}

function bytes(amount: number): string {
  const [scale, unit] = amount >= 1e9 ? [1e9, 'GB'] : amount >= 1e6 ? [1e6, 'MB'] : amount >= 1e3 ? [1e3, 'kB'] : [1, 'B'];
  return `${Number((amount / (scale as number)).toPrecision(3))} ${unit}`;
}

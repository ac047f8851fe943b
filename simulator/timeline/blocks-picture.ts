/**
 * How the blocks of a kernel's launches come to the multiprocessors, as a picture: a column for each time that the grid fills the device, as
 * high as it is full. Estimated, because the registers that limit how many blocks are there at once are.
 */
import { grouped } from '../../counters/grouped.ts';
import { l10n } from '../../counters/spoken.ts';
import type { KernelReport } from '../../protocol/report.ts';
import { coordinate, escaped, type Picture, picture, WIDE, wrapped } from './svg.ts';

const TITLE_HEIGHT = 18;
const LINE_HEIGHT = 14;
/** `gap` between columns, `below` them to the next row. */
const COLUMNS = { left: 10, height: 30, width: 22, gap: 3, above: 5, below: 16 };
/** Shapes of a kernel's launches, those of most launches first. */
const MOST_ROWS = 4;
const PAINT = 'fill="currentColor" fill-opacity="0.45"';
const FRAME = 'fill="none" stroke="currentColor" stroke-opacity="0.7"';

interface Filled {
  readonly launches: number;
  readonly blocks: number;
  /** Blocks that the device has room for at once. */
  readonly room: number;
  readonly resident: number;
  readonly multiprocessors: number;
}

/** `launches`: all of one kernel. Undefined where none has an estimate. */
export function blocksPicture(launches: readonly KernelReport[], multiprocessors: number, width = WIDE): Picture | undefined {
  const shapes = new Map<string, Filled>();
  for (const { grid, estimate } of launches) {
    if (!estimate) continue;
    const blocks = grid[0] * grid[1] * grid[2];
    // Fewer blocks than multiprocessors have one to themselves, however many would fit.
    const key = blocks < multiprocessors ? `${blocks}` : `${blocks}|${estimate.residentBlocks}`;
    const known = shapes.get(key);
    const resident = Math.min(known?.resident ?? Number.POSITIVE_INFINITY, estimate.residentBlocks);
    shapes.set(key, { launches: (known?.launches ?? 0) + 1, blocks, room: resident * multiprocessors, resident, multiprocessors });
  }
  const shown = [...shapes.values()].sort((a, b) => b.launches - a.launches).slice(0, MOST_ROWS);
  if (shown.length === 0) return undefined;
  let bottom = TITLE_HEIGHT;
  const rows = shown.map((each) => {
    const drawn = row(each, { top: bottom, width });
    bottom += drawn.height;
    return drawn.svg;
  });
  const parts = [
    `<text x="${COLUMNS.left}" y="12">${escaped(l10n.t('blocks over {0} multiprocessors, estimated', multiprocessors))}</text>`,
    ...rows,
  ];
  return picture(parts, `${shown.map(wordsOf).join('; ')}.`, { width, height: bottom });
}

/** How full the device is each time, the last time last. */
function fillings({ blocks, room }: Pick<Filled, 'blocks' | 'room'>, most: number): number[] {
  const times = Math.ceil(blocks / room);
  return Array.from({ length: Math.min(times, most) }, (_, index) => {
    const isLast = index === Math.min(times, most) - 1;
    return isLast ? (blocks - (times - 1) * room) / room : 1;
  });
}

function row(filled: Filled, { top, width }: { readonly top: number; readonly width: number }) {
  const step = COLUMNS.width + COLUMNS.gap;
  // A grid that fills the device more often shows its first and its last times.
  const most = Math.floor((width - 2 * COLUMNS.left) / step) - 1;
  const all = fillings(filled, most);
  const times = Math.ceil(filled.blocks / filled.room);
  const lines = wrapped(wordsOf(filled), width - 2 * COLUMNS.left);
  const bottom = top + lines.length * LINE_HEIGHT + COLUMNS.above + COLUMNS.height;
  const columns = all.map((share, index) => {
    // Room for the dots in front of the last one.
    const skipped = times > most && index === all.length - 1 ? 1 : 0;
    const x = COLUMNS.left + (index + skipped) * step;
    const height = Math.max(1, share * COLUMNS.height);
    const dots = skipped === 0 ? '' : `<text x="${x - COLUMNS.width / 2 - COLUMNS.gap}" y="${bottom - 10}" text-anchor="middle">…</text>`;
    return [
      dots,
      `<rect x="${x}" y="${coordinate(bottom - height)}" width="${COLUMNS.width}" height="${coordinate(height)}" ${PAINT}/>`,
      `<rect x="${x}" y="${bottom - COLUMNS.height}" width="${COLUMNS.width}" height="${COLUMNS.height}" ${FRAME}/>`,
    ].join('');
  });
  const texts = lines.map((line, index) => `<text x="${COLUMNS.left}" y="${top + 11 + index * LINE_HEIGHT}">${escaped(line)}</text>`);
  return { svg: [...texts, ...columns].join(''), height: bottom + COLUMNS.below - top };
}

function wordsOf({ launches, blocks, room, resident, multiprocessors }: Filled): string {
  const times = Math.ceil(blocks / room);
  const one = blocks === 1 ? l10n.t('1 block') : l10n.t('{0} blocks', grouped(blocks));
  const several =
    blocks === 1
      ? l10n.t('{0} launches of 1 block', grouped(launches))
      : l10n.t('{0} launches of {1} blocks', grouped(launches), grouped(blocks));
  const what = launches === 1 ? one : several;
  const fits = resident === 1 ? l10n.t('1 fits on a multiprocessor') : l10n.t('{0} fit on a multiprocessor', grouped(resident));
  const idle = multiprocessors - blocks;
  if (idle === 1) return l10n.t('{0}: 1 of {1} multiprocessors has none', what, multiprocessors);
  if (idle > 0) return l10n.t('{0}: {1} of {2} multiprocessors have none', what, idle, multiprocessors);
  const last = (100 * (blocks - (times - 1) * room)) / room;
  const full = Math.max(1, Math.floor(last));
  if (times === 1) return l10n.t('{0}: {1}, all at once, which fills {2} % of the device', what, fits, full);
  return l10n.t('{0}: {1}, so they come in {2} waves, of which the last fills {3} % of the device', what, fits, grouped(times), full);
}

/** Small SVG pictures: which sectors or banks the lanes of a warp touch, and how the levels of a tree split a warp. Colours suit light and dark. */
import type { SplitLevel } from '../model/facts.ts';

const LANES = 32;
const CELL = 16;
const WIDTH = LANES * CELL + 80;
const USED = '#3b82c4';
const IDLE = '#8884';
const HOT = '#d9553f';

/** Lanes above, the distinct 32-byte sectors that they touch below, a line for each lane. */
export function sectorsPicture(elementIndices: readonly number[], elementBytes: number): string {
  const sector = (lane: number) => Math.floor((elementIndices[lane] * elementBytes) / 32);
  const sectors = [...new Set(elementIndices.map((_, lane) => sector(lane)))].sort((a, b) => a - b);
  const step = (LANES * CELL) / sectors.length;
  const lines = elementIndices.map((_, lane) => line(cell(lane) + CELL / 2, 34, 70 + (sectors.indexOf(sector(lane)) + 0.5) * step, 66));
  const boxes = sectors.map((_, i) => box(70 + i * step + 1, 66, step - 2, sectors.length > 8 ? HOT : USED));
  return svg(100, [text(4, 30, 'lanes'), ...laneBoxes(() => USED), ...lines, text(4, 80, 'sectors'), ...boxes]);
}

/** Lanes above, the 32 banks below; a bank that serves several words is marked with their number. */
export function banksPicture(elementIndices: readonly number[], elementBytes: number): string {
  const word = (lane: number) => Math.floor((elementIndices[lane] * elementBytes) / 4);
  const bank = (lane: number) => ((word(lane) % LANES) + LANES) % LANES;
  const words = Array.from({ length: LANES }, () => new Set<number>());
  for (let lane = 0; lane < LANES; lane++) words[bank(lane)].add(word(lane));
  const lines = elementIndices.map((_, lane) => line(cell(lane) + CELL / 2, 34, cell(bank(lane)) + CELL / 2, 66));
  const boxes = words.map((w, i) => box(cell(i) + 1, 66, CELL - 2, w.size > 1 ? HOT : w.size === 1 ? USED : IDLE));
  const counts = words.flatMap((w, i) => (w.size > 1 ? [text(cell(i) + 2, 94, String(w.size), 9)] : []));
  return svg(104, [text(4, 30, 'lanes'), ...laneBoxes(() => USED), ...lines, text(4, 80, 'banks'), ...boxes, ...counts]);
}

/** One row per level: how many lanes of the first split warp are on the taken side. */
export function levelsPicture(levels: readonly SplitLevel[]): string {
  const rows = levels.slice(0, 10);
  const parts = rows.flatMap((level, row) => {
    const y = 8 + row * 18;
    const lanes = Array.from({ length: LANES }, (_, lane) =>
      box(cell(lane) + 1, y, CELL - 2, level.splitWarps > 0 ? (lane < level.thenLanes ? USED : IDLE) : USED, 12),
    );
    return [text(4, y + 10, `level ${row + 1}`, 10), ...lanes];
  });
  return svg(16 + rows.length * 18, parts);
}

function cell(lane: number): number {
  return 70 + lane * CELL;
}

function laneBoxes(colour: (lane: number) => string): string[] {
  return Array.from({ length: LANES }, (_, lane) => box(cell(lane) + 1, 20, CELL - 2, colour(lane)));
}

function box(x: number, y: number, width: number, colour: string, height = 14): string {
  return `<rect x="${round(x)}" y="${y}" width="${round(Math.max(1, width))}" height="${height}" rx="2" fill="${colour}"/>`;
}

function line(x1: number, y1: number, x2: number, y2: number): string {
  return `<line x1="${round(x1)}" y1="${y1}" x2="${round(x2)}" y2="${y2}" stroke="#888" stroke-width="1"/>`;
}

function text(x: number, y: number, content: string, size = 12): string {
  return `<text x="${x}" y="${y}" font-size="${size}" font-family="sans-serif" fill="#888">${content}</text>`;
}

function round(n: number): number {
  return Math.round(n * 10) / 10;
}

function svg(height: number, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}">${parts.join('')}</svg>`;
}

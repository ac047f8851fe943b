/** Which sectors or banks the lanes of a warp touch, and how the levels of a tree split a warp. */
import type { SplitLevel } from '../model/facts.ts';
import { modulo } from '../model/patterns.ts';
import { box, CELL, cell, HOT, IDLE, LANES, LEFT, laneNumbers, line, middle, SPLIT, svg, text, USED, WIDTH } from './svg.ts';

/** Lanes above, the distinct 32-byte sectors that they touch below, a line for each lane; red where fewer would do. */
export function sectorsPicture(
  elementIndices: readonly number[],
  elementBytes: number,
  { wasteful }: { readonly wasteful: boolean },
): string {
  const sector = (lane: number) => Math.floor((elementIndices[lane] * elementBytes) / 32);
  const sectors = [...new Set(elementIndices.map((_, lane) => sector(lane)))].sort((a, b) => a - b);
  const step = (LANES * CELL) / sectors.length;
  const lines = elementIndices.map((_, lane) => line(middle(lane), 34, LEFT + (sectors.indexOf(sector(lane)) + 0.5) * step, 66));
  const boxes = sectors.map((_, i) => box(LEFT + i * step + 1, 66, step - 2, wasteful ? HOT : USED));
  return svg(88, [text(4, 31, 'lanes'), ...laneNumbers(14), ...laneBoxes(), ...lines, text(4, 77, `${sectors.length} sectors`), ...boxes]);
}

/** Lanes above, the 32 banks below; a bank that serves several words is marked with their number. */
export function banksPicture(elementIndices: readonly number[], elementBytes: number): string {
  const word = (lane: number) => Math.floor((elementIndices[lane] * elementBytes) / 4);
  const bank = (lane: number) => modulo(word(lane), LANES);
  const words = Array.from({ length: LANES }, () => new Set<number>());
  for (let lane = 0; lane < LANES; lane++) words[bank(lane)].add(word(lane));
  const lines = elementIndices.map((_, lane) => line(middle(lane), 34, middle(bank(lane)), 66));
  const boxes = words.map((w, i) => box(cell(i) + 1, 66, CELL - 2, w.size > 1 ? HOT : w.size === 1 ? USED : IDLE));
  const counts = words.flatMap((w, i) => (w.size > 1 ? [text(middle(i), 94, String(w.size), { size: 11, anchor: 'middle' })] : []));
  const legend = counts.length > 0 ? [text(4, 94, 'words')] : [];
  return svg(100, [
    text(4, 31, 'lanes'),
    ...laneNumbers(14),
    ...laneBoxes(),
    ...lines,
    text(4, 77, 'banks'),
    ...boxes,
    ...legend,
    ...counts,
  ]);
}

/** One row per level, of the first warp that is split: blue and yellow lanes go different ways, outlined ones are not there any more. */
export function levelsPicture(levels: readonly SplitLevel[]): string {
  const rows = levels.slice(0, 10);
  const parts = rows.flatMap(({ masks, splitWarps, warps }, row) => {
    const y = 20 + row * 18;
    const has = (mask: number, lane: number) => ((mask >>> lane) & 1) === 1;
    const lanes = Array.from({ length: LANES }, (_, lane) => {
      if (!masks) return box(cell(lane) + 1, y, CELL - 2, USED, { height: 12 });
      const active = has(masks.active, lane);
      return box(cell(lane) + 1, y, CELL - 2, active ? (has(masks.then, lane) ? USED : SPLIT) : IDLE, { height: 12, hollow: !active });
    });
    const label = rows.length > 1 ? `iteration ${row + 1}` : 'lanes';
    return [text(4, y + 10, label, { size: 11 }), ...lanes, text(cell(LANES) + 6, y + 10, `${splitWarps}/${warps}`, { size: 11 })];
  });
  const head = [...laneNumbers(14), text(cell(LANES) + 6, 14, 'warps', { size: 11 })];
  return svg(26 + rows.length * 18, [...head, ...parts], WIDTH + 30);
}

function laneBoxes(): string[] {
  return Array.from({ length: LANES }, (_, lane) => box(cell(lane) + 1, 20, CELL - 2, USED));
}

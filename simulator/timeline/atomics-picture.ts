/** In which lines lanes of a warp wait for each other at one address of global memory, as a picture: a bar of turns for each line. Simulated. */

import type { LineCounters } from '../../counters/counters.ts';
import { grouped } from '../../counters/grouped.ts';
import { l10n } from '../../counters/spoken.ts';
import { coordinate, escaped, type Picture, picture } from './svg.ts';

const SIZE = { width: 760, row: 40, title: 18 };
const BAR = { left: 10, width: 640, height: 12, top: 18 };
/** Those with most turns. */
const MOST_LINES = 6;
const LANES = 32;
/** Fewer are no contention. */
const LEAST_TURNS = 1.05;

/** `lines`: of one kernel, by `file:line`. Undefined where every lane has an address of its own. */
export function atomicsPicture(lines: Readonly<Record<string, LineCounters>>): Picture | undefined {
  const contended = Object.entries(lines)
    .map(([place, { atomicRequests, atomicTurns }]) => ({ place, requests: atomicRequests, turns: atomicTurns }))
    .filter(({ requests, turns }) => requests > 0 && turns >= LEAST_TURNS * requests)
    .sort((a, b) => b.turns - a.turns)
    .slice(0, MOST_LINES);
  if (contended.length === 0) return undefined;
  const words = contended.map(({ place, requests, turns }) =>
    l10n.t('{0}: {1} turns for each of {2} atomics of a warp', place, (turns / requests).toFixed(1), grouped(Math.round(requests))),
  );
  const rows = contended.map(({ requests, turns }, index) => {
    const top = SIZE.title + index * SIZE.row;
    const width = (BAR.width * Math.min(LANES, turns / requests)) / LANES;
    return [
      `<text x="${BAR.left}" y="${top + 13}">${escaped(words[index])}</text>`,
      `<rect x="${BAR.left}" y="${top + BAR.top}" width="${coordinate(width)}" height="${BAR.height}" fill="currentColor" fill-opacity="0.45"/>`,
      `<rect x="${BAR.left}" y="${top + BAR.top}" width="${BAR.width}" height="${BAR.height}" fill="none" stroke="currentColor" stroke-opacity="0.7"/>`,
    ].join('');
  });
  const title = l10n.t('lanes at one address go one after the other, at most 32 (simulated)');
  const parts = [`<text x="${BAR.left}" y="12">${escaped(title)}</text>`, ...rows];
  return picture(parts, `${words.join('; ')}.`, { width: SIZE.width, height: SIZE.title + contended.length * SIZE.row });
}

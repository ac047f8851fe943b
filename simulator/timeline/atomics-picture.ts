/** In which lines lanes of a warp wait for each other at one address of global memory, as a picture: a bar of turns for each line. Simulated. */

import type { LineCounters } from '../../counters/counters.ts';
import { grouped } from '../../counters/grouped.ts';
import { l10n } from '../../counters/spoken.ts';
import { coordinate, escaped, type Picture, picture, WIDE, wrapped } from './svg.ts';

const LEFT = 10;
const LINE_HEIGHT = 14;
const BAR = { most: 640, height: 12, below: 10 };
/** Those with most turns. */
const MOST_LINES = 6;
const LANES = 32;
/** Fewer are no contention. */
const LEAST_TURNS = 1.05;

/** `lines`: of one kernel, by `file:line`. Undefined where every lane has an address of its own. */
export function atomicsPicture(lines: Readonly<Record<string, LineCounters>>, width = WIDE): Picture | undefined {
  const contended = Object.entries(lines)
    .map(([place, { atomicRequests, atomicTurns }]) => ({ place, requests: atomicRequests, turns: atomicTurns }))
    .filter(({ requests, turns }) => requests > 0 && turns >= LEAST_TURNS * requests)
    .sort((a, b) => b.turns - a.turns)
    .slice(0, MOST_LINES);
  if (contended.length === 0) return undefined;
  const words = contended.map(({ place, requests, turns }) =>
    l10n.t('{0}: {1} turns for each of {2} atomics of a warp', place, (turns / requests).toFixed(1), grouped(Math.round(requests))),
  );
  const whole = Math.min(BAR.most, width - 2 * LEFT);
  const title = l10n.t('lanes at one address go one after the other, at most 32 (simulated)');
  let bottom = 0;
  const written = (text: string) =>
    wrapped(text, width - 2 * LEFT).map((line) => {
      bottom += LINE_HEIGHT;
      return `<text x="${LEFT}" y="${bottom - 2}">${escaped(line)}</text>`;
    });
  const parts = [
    ...written(title),
    ...contended.flatMap(({ requests, turns }, index) => {
      bottom += 4;
      const texts = written(words[index]);
      const place = `x="${LEFT}" y="${bottom + 4}" height="${BAR.height}"`;
      bottom += BAR.height + BAR.below;
      return [
        ...texts,
        `<rect ${place} width="${coordinate((whole * Math.min(LANES, turns / requests)) / LANES)}" fill="currentColor" fill-opacity="0.45"/>`,
        `<rect ${place} width="${whole}" fill="none" stroke="currentColor" stroke-opacity="0.7"/>`,
      ];
    }),
  ];
  return picture(parts, `${words.join('; ')}.`, { width, height: bottom });
}

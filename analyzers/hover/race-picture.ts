/** A race as a picture: two threads, what each does at which line, and nothing that says which comes first. */
import type { SanitizerPlace } from '../../protocol/report.ts';
import { box, HOT, line, svg, text, USED } from './svg.ts';

const WIDTH = 460;
const ROW = 44;
/** Where a thread's line begins, and where on it the access is. */
const START = 14;
const ACCESS = 250;

/** undefined where one of the two is no thread of the grid, or its line is not known. */
export function racePicture([now, earlier]: readonly SanitizerPlace[]): string | undefined {
  if (!now?.thread || !earlier?.thread || now.line === undefined || earlier.line === undefined) return undefined;
  const rows = [earlier, now].flatMap((place, row) => {
    const y = 20 + row * ROW;
    return [
      text(START, y - 6, whoIs(place)),
      line(START, y + 8, WIDTH - 10, y + 8),
      box(ACCESS, y + 1, 14, place.access.endsWith('read') ? USED : HOT),
      text(ACCESS + 20, y - 6, `${place.access}, line ${place.line}`),
    ];
  });
  return svg(20 + 2 * ROW, [...rows, text(ACCESS - 6, 20 + ROW - 12, '?', { anchor: 'end' })], WIDTH);
}

function whoIs({ thread, block }: SanitizerPlace): string {
  return `thread (${thread!.join(', ')})${block ? ` of block (${block.join(', ')})` : ''}`;
}

/** The same in words. */
export function raceText([now, earlier]: readonly SanitizerPlace[]): string {
  const one = (place: SanitizerPlace): string => `${place.access} at line ${place.line} by ${whoIs(place)}`;
  return `Found in a run: ${one(earlier)}, ${one(now)}. Nothing orders the two: either may come first.`;
}

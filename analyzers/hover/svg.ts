/**
 * Pieces of the pictures in hovers. Colours are told apart on light and on dark ground; text has the colour of the root element, which whoever
 * shows a picture sets by the ground that it is shown on: no colour is read well on both.
 */

export const LANES = 32;
/** One lane's place in a row of lanes. */
export const CELL = 16;
/** Where rows of lanes begin: left of it stand their labels. */
export const LEFT = 70;
export const WIDTH = LEFT + LANES * CELL + 10;

export const USED = '#3b82c4';
/** Beside USED, for what alternates with it. */
export const USED_TOO = '#79b1e4';
/** The other side of a branch. */
export const SPLIT = '#e0a33c';
export const IDLE = '#8884';
export const HOT = '#d9553f';

export interface BoxStyle {
  readonly height?: number;
  /** Drawn as an outline. */
  readonly hollow?: boolean;
  readonly radius?: number;
}

export function box(
  x: number,
  y: number,
  width: number,
  colour: string,
  { height = 14, hollow = false, radius = 2 }: BoxStyle = {},
): string {
  const paint = hollow ? `fill="none" stroke="${colour}"` : `fill="${colour}"`;
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(Math.max(1, width))}" height="${round(height)}" rx="${radius}" ${paint}/>`;
}

export function line(x1: number, y1: number, x2: number, y2: number, colour = '#888'): string {
  return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke="${colour}" stroke-width="1"/>`;
}

export type Segment = readonly [x1: number, y1: number, x2: number, y2: number];

/** Lines with heads at their ends, as two elements for all of them. */
export function arrows(segments: readonly Segment[], colour: string): string[] {
  if (segments.length === 0) return [];
  const shafts: string[] = [];
  const heads: string[] = [];
  for (const [x1, y1, x2, y2] of segments) {
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const corner = (side: number) => `${round(x2 - 5 * dx + side * 2.5 * dy)} ${round(y2 - 5 * dy - side * 2.5 * dx)}`;
    shafts.push(`M${round(x1)} ${round(y1)}L${round(x2 - 4 * dx)} ${round(y2 - 4 * dy)}`);
    heads.push(`M${round(x2)} ${round(y2)}L${corner(1)} ${corner(-1)}Z`);
  }
  return [`<path d="${shafts.join('')}" stroke="${colour}" stroke-width="1"/>`, `<path d="${heads.join('')}" fill="${colour}"/>`];
}

/** `count` small boxes in a row with a gap of 1, as one dashed line. */
export function boxes(
  x: number,
  y: number,
  count: number,
  style: { readonly width: number; readonly height: number; readonly colour: string },
): string {
  const { width, height, colour } = style;
  const middle = round(y + height / 2);
  const end = round(x + count * (width + 1) - 1);
  return `<line x1="${round(x)}" y1="${middle}" x2="${end}" y2="${middle}" stroke="${colour}" stroke-width="${round(height)}" stroke-dasharray="${width} 1"/>`;
}

export interface TextStyle {
  readonly size?: number;
  readonly anchor?: 'start' | 'middle' | 'end';
}

export function text(x: number, y: number, content: string, { size = 12, anchor = 'start' }: TextStyle = {}): string {
  const escaped = content.replace(/&/g, '&amp;').replace(/</g, '&lt;');
  return `<text x="${round(x)}" y="${round(y)}" font-size="${size}" font-family="sans-serif" text-anchor="${anchor}" fill="currentColor">${escaped}</text>`;
}

/** Left edge of a lane's place. */
export function cell(lane: number): number {
  return LEFT + lane * CELL;
}

export function middle(lane: number): number {
  return cell(lane) + CELL / 2;
}

export function laneNumbers(y: number): string[] {
  return [0, 8, 16, 24, 31].map((lane) => text(middle(lane), y, String(lane), { size: 11, anchor: 'middle' }));
}

export function svg(height: number, parts: readonly string[], width = WIDTH): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${round(height)}" viewBox="0 0 ${width} ${round(height)}">${parts.join('')}</svg>`;
}

function round(n: number): number {
  return Math.round(n * 10) / 10;
}

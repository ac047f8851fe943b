/**
 * What the pictures of a run share. Text and lines have the colour of the root element, which whoever shows a picture sets by the ground
 * that it is shown on; a picture in a file of its own brings its ground.
 */

export interface Picture {
  readonly svg: string;
  /** What it shows, in words: for those who cannot see it. It is in the picture, too. */
  readonly words: string;
}

/** Pixels: as wide as there is room, and for a panel beside the source. */
export const WIDE = 760;
export const NARROW = 440;

export interface PictureSize {
  readonly width: number;
  readonly height: number;
  /** For a file of its own: dark text on white ground. */
  readonly alone?: boolean;
}

export function picture(parts: readonly string[], words: string, { width, height, alone }: PictureSize): Picture {
  const root = `<svg xmlns="http://www.w3.org/2000/svg"${alone ? ' color="#1f1f1f"' : ''} width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(words)}" font-family="sans-serif" font-size="11" fill="currentColor">`;
  const ground = alone ? [`<rect width="${width}" height="${height}" fill="#ffffff"/>`] : [];
  return { svg: [root, ...ground, ...parts, '</svg>'].join('\n'), words };
}

/** As a report shows it: the page takes the one that its panel has room for. */
export function bothWidths(draw: (width: number) => Picture | undefined): (Picture & { readonly narrow: string }) | undefined {
  const wide = draw(WIDE);
  return wide && { ...wide, narrow: draw(NARROW)!.svg };
}

export function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

export function coordinate(value: number): number {
  return Number(value.toFixed(2));
}

/** What characters take at most in the usual fonts without serifs, at the size that pictures are written in. */
function characterWidth(character: string): number {
  return /[MWmw@%…]/.test(character) || character > '\u2e80' ? 11 : /[A-Z_]/.test(character) ? 8 : 6.7;
}

export function textWidth(text: string): number {
  return [...text].reduce((sum, character) => sum + characterWidth(character), 0);
}

/** In lines no wider than this, unless a word is. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  // Chinese characters and their like need no space to end a line behind.
  for (const piece of text.match(/[\u2e80-\uffff]|[^\s\u2e80-\uffff]+|\s+/gu) ?? []) {
    if (line !== '' && piece.trim() !== '' && textWidth((line + piece).trimEnd()) > width) {
      lines.push(line.trimEnd());
      line = '';
    }
    if (line !== '' || piece.trim() !== '') line += piece;
  }
  return line === '' ? lines : [...lines, line.trimEnd()];
}

export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

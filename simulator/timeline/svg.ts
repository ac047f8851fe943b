/**
 * What the pictures of a run share. Text and lines have the colour of the root element, which whoever shows a picture sets by the ground
 * that it is shown on; a picture in a file of its own brings its ground.
 */

export interface Picture {
  readonly svg: string;
  /** What it shows, in words: for those who cannot see it. It is in the picture, too. */
  readonly words: string;
}

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

export function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

export function coordinate(value: number): number {
  return Number(value.toFixed(2));
}

export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

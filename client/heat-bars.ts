/** Bars in the gutter: the longer, the more of the chosen metric a line has. Told apart from the ground by at least 3:1 in every theme. */
import * as vscode from 'vscode';

/** Lengths of bars. */
export const LEVELS = 8;

const COLOURS = {
  fresh: { light: '#b35900', dark: '#f0a15a' },
  stale: { light: '#767676', dark: '#9a9a9a' },
} as const;

export type Freshness = keyof typeof COLOURS;

/** For each freshness one decoration for each length, the shortest first. */
export function heatBars(): Readonly<Record<Freshness, readonly vscode.TextEditorDecorationType[]>> {
  return { fresh: bars('fresh'), stale: bars('stale') };
}

function bars(freshness: Freshness): vscode.TextEditorDecorationType[] {
  const { light, dark } = COLOURS[freshness];
  return Array.from({ length: LEVELS }, (_, level) =>
    vscode.window.createTextEditorDecorationType({
      light: { gutterIconPath: bar(level, light, freshness) },
      dark: { gutterIconPath: bar(level, dark, freshness) },
      gutterIconSize: 'contain',
    }),
  );
}

function bar(level: number, colour: string, freshness: Freshness): vscode.Uri {
  const width = (16 * (level + 1)) / LEVELS;
  const paint = freshness === 'fresh' ? `fill="${colour}"` : `fill="none" stroke="${colour}"`;
  const inset = freshness === 'fresh' ? 0 : 0.5;
  const rect = `<rect x="${inset}" y="${4 + inset}" width="${Math.max(1, width - 2 * inset)}" height="${8 - 2 * inset}" rx="1" ${paint}/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16">${rect}</svg>`;
  return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`);
}

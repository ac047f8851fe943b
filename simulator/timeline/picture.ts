/** A timeline as a picture: one row for each track, the host's above, and the time below. SVG of fixed size. */
import { grouped } from '../../counters/grouped.ts';
import { plainName } from '../../counters/kernel-names.ts';
import { l10n, spoken } from '../../counters/spoken.ts';
import type { Timeline, TimelineSpan, TimelineTrack } from '../../protocol/timeline.ts';
import { launchesIn } from './chrome-trace.ts';
import { coordinate, cut, escaped, NARROW, type Picture, picture, textWidth } from './svg.ts';

export interface PictureOptions {
  /** Nanoseconds to show; all unless given. */
  readonly fromNs?: number;
  readonly toNs?: number;
  readonly width?: number;
  readonly alone?: boolean;
}

const ROW = { height: 22, bar: 16 };
const LABEL = { width: 150, characters: 22 };
/** Where there is little room, names are cut, which the words say whole. */
const NARROW_LABEL = { width: 104, characters: 14 };
const AXIS_HEIGHT = 26;
const TITLE_HEIGHT = 20;
const LEGEND = { line: 18, square: 10, gap: 16 };
/** Bars this near to each other are drawn as one: a picture has no more pixels. */
const NARROWEST = 0.5;
const LEAST_CHARACTERS = 3;

/** White text is read on each of them (4.6:1 or more), and each stands out from white and from dark ground (3.2:1 or more). */
const COLOURS: Readonly<Record<TimelineSpan['kind'], string>> = {
  call: '#6e7681',
  kernel: '#2f7d32',
  copy: '#1a73c8',
  fill: '#8a50c7',
  host: '#a86200',
};

export const WORDS: Readonly<Record<TimelineSpan['kind'], string>> = {
  call: 'calls',
  kernel: 'kernels',
  copy: 'copies',
  fill: 'fills',
  host: 'host functions',
};

export function timelinePicture(timeline: Timeline, options: PictureOptions = {}): Picture {
  const { fromNs = 0, toNs = Math.max(1, timeline.endNs), width = 900, alone } = options;
  const tracks = timeline.tracks.filter(({ spans }) => spans.some((span) => isSeen(span, fromNs, toNs)));
  const below = TITLE_HEIGHT + tracks.length * ROW.height + AXIS_HEIGHT;
  const label = width <= NARROW ? NARROW_LABEL : LABEL;
  // Half of the last time stands behind the end.
  const x = (ns: number): number => label.width + ((width - label.width - 24) * (ns - fromNs)) / (toNs - fromNs);
  const rows = tracks.map((track, index) =>
    row(track, { top: TITLE_HEIGHT + index * ROW.height, label, x, fromNs, toNs, devices: timeline.devices }),
  );
  const seen = new Set(tracks.flatMap(({ spans }) => spans.filter((span) => isSeen(span, fromNs, toNs)).map(({ kind }) => kind)));
  const key = legend(seen, { left: label.width, top: below, width });
  const height = below + key.height;
  const title = l10n.t('estimated for {0}', [...new Set(timeline.devices)].join(', '));
  const parts = [
    `<text x="${label.width}" y="13">${escaped(title)}</text>`,
    ...rows,
    axis({ fromNs, toNs, x, ticks: Math.min(8, (width - label.width) / 60), top: TITLE_HEIGHT, bottom: below - AXIS_HEIGHT }),
    ...key.parts,
  ];
  const words = [
    l10n.t('timeline, {0}, {1}', title, duration(toNs - fromNs)),
    ...tracks.map((track) => trackWords(track, { fromNs, toNs, devices: timeline.devices })),
  ];
  return picture(parts, `${words.join('; ')}.`, { width, height, alone });
}

/** What the colours stand for: bars of short work have no room for names. */
function legend(
  kinds: ReadonlySet<TimelineSpan['kind']>,
  { left, top, width }: { readonly left: number; readonly top: number; readonly width: number },
) {
  let [x, y] = [left, top];
  const parts: string[] = [];
  for (const kind of Object.keys(COLOURS) as TimelineSpan['kind'][]) {
    if (!kinds.has(kind)) continue;
    const words = spoken(WORDS[kind]);
    const wide = LEGEND.square + 5 + textWidth(words);
    if (x > left && x + wide > width) [x, y] = [left, y + LEGEND.line];
    parts.push(
      `<rect x="${coordinate(x)}" y="${y}" width="${LEGEND.square}" height="${LEGEND.square}" fill="${COLOURS[kind]}"/>`,
      `<text x="${coordinate(x + LEGEND.square + 5)}" y="${y + 9}">${escaped(words)}</text>`,
    );
    x += wide + LEGEND.gap;
  }
  return { parts, height: parts.length === 0 ? 0 : y - top + LEGEND.line };
}

/** `stream 1: copies 20 µs, kernels 12 µs`. */
function trackWords(
  { name, device, spans }: TimelineTrack,
  { fromNs, toNs, devices }: Pick<RowPlace, 'fromNs' | 'toNs' | 'devices'>,
): string {
  const sums = new Map<TimelineSpan['kind'], number>();
  for (const { kind, startNs, endNs } of spans) {
    sums.set(kind, (sums.get(kind) ?? 0) + Math.max(0, Math.min(endNs, toNs) - Math.max(startNs, fromNs)));
  }
  const parts = [...sums].map(([kind, ns]) => `${spoken(WORDS[kind])} ${duration(ns)}`);
  return `${device !== undefined && devices.length > 1 ? `${device}: ${name}` : name}: ${parts.join(', ')}`;
}

function isSeen({ startNs, endNs }: TimelineSpan, fromNs: number, toNs: number): boolean {
  return endNs >= fromNs && startNs <= toNs;
}

interface RowPlace {
  readonly top: number;
  readonly label: typeof LABEL;
  readonly x: (ns: number) => number;
  readonly fromNs: number;
  readonly toNs: number;
  readonly devices: readonly string[];
}

function row({ name, device, spans }: TimelineTrack, { top, label: { width, characters }, x, fromNs, toNs, devices }: RowPlace): string {
  const label = device !== undefined && devices.length > 1 ? `${device}: ${name}` : name;
  const bars: string[] = [];
  let drawnTo = Number.NEGATIVE_INFINITY;
  for (const span of spans) {
    if (!isSeen(span, fromNs, toNs)) continue;
    const left = Math.max(x(fromNs), x(span.startNs));
    const right = Math.min(x(toNs), x(span.endNs));
    if (right - drawnTo < NARROWEST) continue;
    drawnTo = Math.max(right, left + NARROWEST);
    bars.push(bar(span, { left, width: drawnTo - left, top: top + (ROW.height - ROW.bar) / 2 }));
  }
  return `<text x="${width - 8}" y="${top + 15}" text-anchor="end">${escaped(cut(label, characters))}</text>\n${bars.join('\n')}`;
}

function bar(span: TimelineSpan, { left, width, top }: { readonly left: number; readonly width: number; readonly top: number }): string {
  const name = fitting(plainName(span.name), width - 6);
  const text = name === '' ? '' : `<text x="${coordinate(left + 3)}" y="${top + 12}" fill="#ffffff">${escaped(name)}</text>`;
  const place = `x="${coordinate(left)}" y="${top}" width="${coordinate(width)}" height="${ROW.bar}"`;
  return `<g><title>${escaped(tooltip(span))}</title><rect ${place} fill="${COLOURS[span.kind]}"/>${text}</g>`;
}

/** As much of a name as has room: its letters are white, and beside the bar the ground may be, too. */
function fitting(name: string, room: number): string {
  for (let most = name.length; most >= Math.min(LEAST_CHARACTERS, name.length); most--) {
    const shown = cut(name, most);
    if (textWidth(shown) <= room) return shown;
  }
  return '';
}

function tooltip({ name, startNs, endNs, bytes, nested }: TimelineSpan): string {
  const size = bytes === undefined ? '' : `, ${l10n.t('{0} bytes', grouped(bytes))}`;
  const launches = nested ? `, ${l10n.t('with {0} launches of its own', grouped(launchesIn(nested)))}` : '';
  const when = l10n.t('{0} from {1} on', duration(endNs - startNs), duration(startNs));
  return `${name}: ${when}${size}${launches} (${l10n.t('estimated')})`;
}

interface AxisPlace extends Omit<RowPlace, 'devices' | 'label'> {
  readonly ticks: number;
  readonly bottom: number;
}

function axis({ fromNs, toNs, x, ticks: most, top, bottom }: AxisPlace): string {
  const stepNs = roundStep((toNs - fromNs) / most);
  const ticks: string[] = [];
  for (let ns = Math.ceil(fromNs / stepNs) * stepNs; ns <= toNs; ns += stepNs) {
    const at = coordinate(x(ns));
    ticks.push(`<path d="M${at} ${top}V${bottom + 4}" stroke="currentColor" stroke-opacity="0.2" fill="none"/>`);
    ticks.push(`<text x="${at}" y="${bottom + 17}" text-anchor="middle">${ns === 0 ? '0' : duration(ns)}</text>`);
  }
  return ticks.join('\n');
}

/** 1, 2 or 5 times a power of ten. */
function roundStep(ns: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, ns)));
  return power * [1, 2, 5, 10].find((factor) => factor * power >= ns)!;
}

export function duration(ns: number): string {
  const [unit, size] = ns >= 1e9 ? ['s', 1e9] : ns >= 1e6 ? ['ms', 1e6] : ns >= 1e3 ? ['µs', 1e3] : ['ns', 1];
  return `${Number((ns / size).toPrecision(4))} ${unit}`;
}

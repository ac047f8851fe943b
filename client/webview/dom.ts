/** Elements in few words. Texts of programs become text nodes, never markup. */

import { percent } from '../../counters/percent.ts';
import { l10n } from '../../counters/spoken.ts';
import type { ReportPicture } from '../../protocol/run.ts';

export type Child = Node | string | undefined | false;

export interface Properties {
  readonly class?: string;
  readonly id?: string;
  readonly on?: Readonly<Record<string, (event: Event) => void>>;
  /** Further attributes; those that are undefined are left out. */
  readonly set?: Readonly<Record<string, string | undefined>>;
}

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Properties,
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (properties.class) made.className = properties.class;
  if (properties.id) made.id = properties.id;
  for (const [event, listener] of Object.entries(properties.on ?? {})) made.addEventListener(event, listener);
  for (const [attribute, value] of Object.entries(properties.set ?? {})) if (value !== undefined) made.setAttribute(attribute, value);
  made.append(...children.filter((child) => child !== undefined && child !== false));
  return made;
}

/** Nsight Compute's name of a metric, which goes on in the next line behind one of its parts. */
export function metricName(name: string, className?: string): HTMLElement {
  const parts = name.split(/(?<=[_.])(?=[^_.])/);
  return element('code', { class: className }, ...parts.flatMap((part, index) => (index === 0 ? [part] : [element('wbr', {}), part])));
}

/** Words in which code stands between backticks. */
export function prose(text: string): readonly Child[] {
  return text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? element('code', { class: 'inline' }, part) : part));
}

/** A bar with its share in words beside it. The length is set by the object model, which a strict policy allows and attributes are not. */
export function share(value: number): HTMLElement {
  const bar = element('span', { class: 'bar', set: { 'aria-hidden': 'true' } });
  bar.style.backgroundSize = `${Math.max(0, Math.min(100, 100 * value)).toFixed(1)}% 100%`;
  return element('span', { class: 'share' }, bar, element('span', { class: 'number' }, percent(value)));
}

export function shape(dimensions: readonly number[]): string {
  const used = dimensions[2] > 1 ? 3 : dimensions[1] > 1 ? 2 : 1;
  return dimensions.slice(0, used).join(' × ');
}

export function headings(...titles: readonly (string | readonly [title: string, className: string])[]): HTMLTableSectionElement {
  const cells = titles.map((title) =>
    typeof title === 'string'
      ? element('th', { set: { scope: 'col' } }, title)
      : element('th', { class: title[1], set: { scope: 'col' } }, title[0]),
  );
  return element('thead', {}, element('tr', {}, ...cells));
}

/** Its texts get the page's own colour. */
function pictureUrl(svg: string): string {
  const ink = getComputedStyle(document.body).color;
  return `data:image/svg+xml;utf8,${encodeURIComponent(svg.replace(/^<svg/, `<svg color="${ink}"`))}`;
}

/** As large as it is before it is decoded: what is below does not move. */
export function drawing(svg: string, words: string): HTMLImageElement {
  return element('img', { set: { src: pictureUrl(svg), alt: words, ...sizeOf(svg) } });
}

function sizeOf(svg: string) {
  const [, width, height] = /^<svg[^>]*? width="([\d.]+)"[^>]*? height="([\d.]+)"/.exec(svg) ?? [];
  return { width, height };
}

/** What a panel has no room for, with the space at its sides, is drawn for a narrow one. */
const HAS_NO_ROOM = '(max-width: 799px)';

function fittingPicture({ svg, narrow, words }: ReportPicture): HTMLElement {
  if (narrow === undefined) return drawing(svg, words);
  const source = element('source', { set: { media: HAS_NO_ROOM, srcset: pictureUrl(narrow), ...sizeOf(narrow) } });
  return element('picture', {}, source, drawing(svg, words));
}

/** With what it shows in words, for those who would rather read. */
export function widePicture(picture: ReportPicture): HTMLElement {
  return element(
    'figure',
    {},
    // By keyboard, too, where it is wider than the panel.
    element('div', { class: 'wide', set: { tabindex: '0', role: 'group', 'aria-label': l10n.t('Picture') } }, fittingPicture(picture)),
    element('figcaption', {}, element('details', {}, element('summary', {}, l10n.t('In words')), element('p', {}, picture.words))),
  );
}

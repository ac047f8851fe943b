/** What several orders of a program's threads had to do with its results: a row for each result. */
import { l10n } from '../../counters/spoken.ts';
import type { OrdersView } from '../../protocol/run.ts';
import { element, headings } from './dom.ts';

export function orders({ text, results }: OrdersView): HTMLElement {
  const title = l10n.t('Orders of threads (simulated)');
  const rows = results.map(({ orders: names, lines }) =>
    element(
      'tr',
      {},
      element('th', { set: { scope: 'row' } }, names.join(', ')),
      element('td', {}, ...lines.map((line) => element('div', {}, element('code', {}, line)))),
    ),
  );
  return element(
    'section',
    { id: 'orders', set: { 'aria-label': title } },
    element('h2', {}, title),
    element('p', {}, `${text}.`),
    results.length > 1 &&
      element(
        'div',
        { class: 'wide', set: { tabindex: '0', role: 'group', 'aria-label': title } },
        element('table', {}, headings(l10n.t('Orders'), l10n.t('What they alone have')), element('tbody', {}, ...rows)),
      ),
  );
}

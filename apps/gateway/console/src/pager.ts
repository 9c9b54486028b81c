import { element, type Child } from './elements.js';
import { fragmentOf, pageOf, type Place } from './place.js';

/** Rows of a page. */
export const PAGE_SIZE = 25;

/** Leads to the pages beside the one that is shown. `total`: rows of all pages. */
export function pager(place: Place, total: number): HTMLElement {
  const page = pageOf(place.query);
  const last = Math.max(1, Math.ceil(total / PAGE_SIZE));
  const to = (target: number, text: string, rel: string): Child => {
    if (target < 1 || target > last) return element('span', { class: 'unavailable' }, text);
    const href = fragmentOf({ ...place, query: { ...place.query, page: String(target) } });
    return element('a', { href, rel }, text);
  };
  return element(
    'nav',
    { class: 'pager', 'aria-label': 'Pages' },
    // A page behind the last one leads to the last one.
    to(Math.min(page - 1, last), 'Newer', 'prev'),
    element('span', {}, `Page ${page} of ${last}, ${total} ${total === 1 ? 'row' : 'rows'}`),
    to(page + 1, 'Older', 'next'),
  );
}

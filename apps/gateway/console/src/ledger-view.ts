import { viewHeading } from './elements.js';
import { objectsOf, textOf } from './json.js';
import { ledgerTable } from './ledger-table.js';
import { PAGE_SIZE, pager } from './pager.js';
import { pageOf } from './place.js';
import type { View } from './view.js';

/** How the balance moved, a page at a time. */
export const ledgerView: View = async ({ api, place }) => {
  const query = { page: String(pageOf(place.query)), page_size: String(PAGE_SIZE) };
  const list = await api.read('/auth/credits/ledger', query);
  return [
    viewHeading('Ledger'),
    ledgerTable('Entries, the newest first', objectsOf(list['items']), 'The ledger has no entry here yet.'),
    pager(place, Number(textOf(list['total']))),
  ];
};

import { objectIn, type Data, type Gateway } from '../gateway/gateway.js';
import { refusal } from '../gateway/refusal.js';

const PATH = '/admin/v1/ledger-entries';
export const FINANCE_SCOPE = 'admin';
const PAGE_SIZE = 1_000;

/** Entries of all accounts that came in one answer. */
export interface LedgerPage {
  /** As they came: a line each. */
  readonly lines: readonly string[];
  readonly entries: readonly Data[];
  /** Behind the last of them. */
  readonly cursor: string;
}

/**
 * Every entry of the ledger behind `cursor`, page after page, until there is no more.
 * @throws CommandError
 */
export async function* ledgerPages(gateway: Gateway, cursor = ''): AsyncGenerator<LedgerPage> {
  for (;;) {
    const query = `?page_size=${PAGE_SIZE}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
    const { response, text } = await gateway.send('GET', `${PATH}${query}`);
    if (!response.ok) throw refusal(gateway, response.status, objectIn(text) ?? {}, { neededScope: FINANCE_SCOPE });
    const lines = text.split('\n').filter(Boolean);
    const entries = lines.map(objectIn).filter((entry) => entry !== undefined);
    if (lines.length === 0) return;
    const place = entries.at(-1)?.['cursor'];
    if (entries.length < lines.length || typeof place !== 'string' || place === cursor)
      throw gateway.noGateway(response.status);
    cursor = place;
    yield { lines, entries, cursor };
  }
}

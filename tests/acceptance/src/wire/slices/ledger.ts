import { newAccount } from '../../support/accounts.js';
import { listLedger } from '../../support/audit.js';
import type { Reply } from '../../support/http.js';
import { asObject, asString } from '../../support/json.js';
import { awayFromTheHour, settledCall } from '../settled.js';
import type { Slice } from '../slice.js';

const list = '/api/v1/auth/credits/ledger';
const history = '/api/v1/auth/account/settlement-history';
const nobodys = `led_${'0'.repeat(32)}`;

const faults = [
  'start_date=yesterday',
  'end_date=2026-13-01',
  'direction=sideways',
  'bucket=month',
  'min_credits=-1',
  'min_credits=2&max_credits=1',
  'min_credits=much',
  'entry_type=gift',
  'scope=some',
  'page=0',
  'page=1000001',
  'page_size=0',
  'page_size=501',
  'limit=0',
  'limit=x',
] as const;

export const ledger: Slice = {
  name: 'ledger',
  async run(wire, provider) {
    await awayFromTheHour();
    const { key } = await newAccount(20.5);
    wire.caller('anna', key);
    const charged = await settledCall(key, provider, 'list', { session_id: 'a task' });
    await settledCall(key, provider, 'count');
    await settledCall(key, provider, 'cached', { parameters: { size: 2 } });
    const get = (title: string, path: string, by = key): Promise<Reply> => wire.ask(title, 'GET', path, { key: by });

    await get('what there is', '/api/v1/auth/credits');
    await get('what there is, by the short path', '/api/v1/credits');
    await get('the list', list);
    await get('a page', `${list}?page=2&page_size=2`);
    await get('a limit', `${list}?limit=1&page_size=3`);
    await get('with a summary', `${list}?summary=true&limit=1`);
    await get('a summary by week', `${list}?summary=true&bucket=week&start_date=2026-01-01&direction=consume&limit=2`);
    await get('a summary of nothing', `${list}?summary=true&start_date=2001-01-01&end_date=2001-01-02`);
    for (const filter of [
      'entry_type=consume_tool_execute',
      'scope=account_history',
      'scope=all',
      'direction=grant',
      'direction=consume',
      'direction=any',
      'min_credits=0.5&max_credits=5e-1',
      'end_date=2001-01-01',
      'no_such_parameter=1',
    ]) {
      await get(`where ${filter}`, `${list}?${filter}&page_size=1`);
    }
    for (const fault of faults) await get(`refused: ${fault}`, `${list}?${fault}`);

    const entries = await listLedger(key);
    const charge = asString(entries.find((entry) => entry['execution_id'] === charged)?.['id'], 'id');
    await get('one entry', `${list}/${charge}`);
    await get('an entry that there is not', `${list}/${nobodys}`);
    await get('an entry id that is none', `${list}/1`);
    const other = await newAccount(1);
    wire.caller('ben', other.key);
    await get("another account's entry", `${list}/${charge}`, other.key);

    await get('the export', `${list}/export`);
    await get('the export of everything', `${list}/export?scope=all`);
    await get('the export of nothing', `${list}/export?end_date=2001-01-01`);
    await get('an export of an unknown scope', `${list}/export?scope=some`);
    await get('an export of a bad date', `${list}/export?start_date=soon`);

    await get('readiness', '/api/v1/auth/credits/ledger-readiness');
    await get(
      'readiness of a range',
      '/api/v1/auth/credits/ledger-readiness?start_date=2001-01-01&end_date=2001-12-31',
    );
    await get('readiness of a bad date', '/api/v1/auth/credits/ledger-readiness?start_date=soon');

    const page = await get('the first page of the settlement history', `${history}?scope=all&page_size=2`);
    const cursor = asString(asObject(page.json['data'])['next_cursor'], 'next_cursor');
    wire.name('cursor', cursor);
    await get('the second page of the settlement history', `${history}?scope=all&page_size=2&cursor=${cursor}`);
    await get('the settlement history', history);
    await get('the settlement history of a range', `${history}?start_date=2001-01-01&end_date=2001-12-31`);
    await get('a cursor of another scope', `${history}?cursor=${cursor}`);
    await get("another account's cursor", `${history}?scope=all&page_size=2&cursor=${cursor}`, other.key);
    await get('a settlement history of an unknown scope', `${history}?scope=some`);
    await get('a settlement history of a bad date', `${history}?start_date=soon`);
    await get('a page of the settlement history that is too long', `${history}?page_size=501`);
  },
};

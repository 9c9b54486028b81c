import { newAccount } from '../../support/accounts.js';
import { listUsage } from '../../support/audit.js';
import { eventually } from '../../support/eventually.js';
import { call, type Reply } from '../../support/http.js';
import { asObject, asString } from '../../support/json.js';
import { awayFromTheHour, settledCall } from '../settled.js';
import type { Slice } from '../slice.js';

const path = '/api/v1/auth/usage/history/v2';
const nobodys = '00000000-0000-7000-8000-000000000000';

const faults = [
  'start_date=yesterday',
  'end_date=2026-13-01',
  'bucket=month',
  'min_credits=-1',
  'min_credits=2&max_credits=1',
  'min_credits=much',
  'event_type=call',
  'kind=all',
  'success=maybe',
  'charge_outcome=free',
  'anomaly=odd',
  'outcome=',
  'api_key_id=1',
  `oauth_client_id=${'x'.repeat(2_049)}`,
  `credential_type=${'x'.repeat(33)}`,
  'page=0',
  'page=1000001',
  'page=x',
  'page_size=0',
  'page_size=50001',
  'limit=0',
  'limit=x',
  'summary=1.5',
  'kind=call&kind=model',
  'bucket=day&bucket=hour',
] as const;

export const usage: Slice = {
  name: 'usage',
  async run(wire, provider) {
    await awayFromTheHour();
    const { key, keyId } = await newAccount(20);
    wire.caller('anna', key);
    const search = await call('POST', '/search', { key, body: { query: provider.idOf('list'), session_id: 'a task' } });
    const searchId = asString(search.json['search_id'], 'search_id');
    // Feeds have the order of recording, in which searches come by another way than calls.
    await listUntil(key, 1);
    await call('POST', '/tools/by-ids', { key, body: { tool_ids: [provider.idOf('list')], search_id: searchId } });
    await listUntil(key, 2);
    const charged = await settledCall(key, provider, 'list', {
      search_id: searchId,
      session_id: 'a task',
      model: 'large-1',
    });
    await settledCall(key, provider, 'count');
    const failed = await settledCall(key, provider, 'failing');
    await settledCall(key, provider, 'empty');
    const refused = await settledCall(key, provider, 'list', { parameters: {} });
    const get = (title: string, query: string, on = ''): Promise<Reply> =>
      wire.ask(title, 'GET', `${path}${on}${query === '' ? '' : `?${query}`}`, { key });

    await get('the list', '');
    await get('a page', 'page=2&page_size=3');
    await get('a page behind the last', 'page=9&page_size=3');
    await get('a limit', 'limit=2&page_size=5');
    await get('with details', `include_details=true&execution_id=${charged}`);
    await get('a search with details', `include_details=true&search_id=${searchId}`);
    await get('with a summary', 'summary=true&limit=1');
    await get('a summary by week', 'summary=true&bucket=week&start_date=2026-01-01&limit=1&charge_outcome=charged');
    await get('a summary of nothing', 'summary=true&start_date=2001-01-01&end_date=2001-01-02');
    const filters = [
      'event_type=search',
      'kind=discover',
      'success=false&kind=call',
      'billable_success=true',
      'outcome=empty_result',
      'reason_code=validation_error',
      'has_execution_outcome=false',
      'charge_outcome=charged',
      'anomaly=failed_charged_review',
      'anomaly=missing_ledger_link',
      'anomaly=missing_billing_snapshot',
      `search_id=${searchId}`,
      `execution_id=${failed}`,
      `api_key_id=${keyId}`,
      'oauth_client_id=nobody',
      'credential_type=api_key',
      'min_credits=0.1&max_credits=0.5',
      'start_date=2090-01-01',
      'end_date=2001-01-01T00:00:00%2B08:00',
      'no_such_parameter=1&event_type=model_call',
    ];
    for (const filter of filters) await get(`where ${wire.shown(filter)}`, `${filter}&page_size=1`);
    for (const fault of faults) await get(`refused: ${fault.length > 60 ? fault.slice(0, 30) : fault}`, fault);

    const [first] = await listUsage(key, { execution_id: charged });
    await get('one event', '', `/${asString(first?.['id'], 'id')}`);
    const [last] = await listUsage(key, { execution_id: refused });
    await get('one event of a refused call', '', `/${asString(last?.['id'], 'id')}`);
    await get('an event that there is not', '', `/${nobodys}`);
    await get('an event id that is none', '', '/1');
    const other = await newAccount(1);
    wire.caller('ben', other.key);
    await wire.ask("another account's event", 'GET', `${path}/${asString(first?.['id'], 'id')}`, { key: other.key });
    await wire.ask("another account's call", 'GET', `${path}?execution_id=${charged}`, { key: other.key });

    const feed = await get('the first page of the feed', 'page_size=3', '/summary');
    const cursor = asString(asObject(feed.json['data'])['next_cursor'], 'next_cursor');
    wire.name('cursor', cursor);
    await get('the second page of the feed', `page_size=3&cursor=${cursor}`, '/summary');
    await get('the feed of calls', 'kind=call&page_size=500', '/summary');
    await get('a cursor of other filters', `kind=call&cursor=${cursor}`, '/summary');
    await get('a cursor that is none', 'cursor=abc', '/summary');
    await wire.ask("another account's cursor", 'GET', `${path}/summary?cursor=${cursor}`, { key: other.key });
    await get('a page of the feed that is too long', 'page_size=501', '/summary');

    await get('the export', '', '/export');
    await get('the export of what was charged', 'charge_outcome=charged', '/export');
    await get('the export of nothing', 'end_date=2001-01-01', '/export');
    await get('an export refused', 'kind=all', '/export');
    await get('an export of a bad date', 'start_date=soon', '/export');

    const spent = (title: string, query: string): Promise<Reply> =>
      wire.ask(title, 'GET', `/api/v1/auth/usage/credits-spent${query}`, { key });
    await spent('credits spent', '');
    await spent('credits spent on searches', '?kind=discover');
    await spent('credits spent long ago', '?start_date=2001-01-01&end_date=2001-12-31&charge_outcome=charged');
    await spent('credits spent, refused', '?kind=all');
    await spent('credits spent on a bad date', '?start_date=soon');
  },
};

async function listUntil(key: string, rows: number): Promise<void> {
  await eventually(async () => {
    const found = (await listUsage(key)).length;
    if (found !== rows) throw new Error(`${found} of ${rows} rows`);
  });
}

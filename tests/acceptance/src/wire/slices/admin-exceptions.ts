import { newAccount } from '../../support/accounts.js';
import { adminKey } from '../../support/environment.js';
import type { Reply } from '../../support/http.js';
import { asArray, asObject, asString } from '../../support/json.js';
import { settledCall } from '../settled.js';
import type { Slice } from '../slice.js';

const exceptions = '/admin/v1/exceptions';
const noException = `xcp_${'0'.repeat(32)}`;

/** Outcomes that are revised, and the exceptions that come of them. */
export const adminExceptions: Slice = {
  name: 'admin-exceptions',
  async run(wire, provider) {
    const { accountId, key } = await newAccount(10);
    wire.caller('anna', key);
    const executionId = await settledCall(key, provider, 'list');
    const second = await settledCall(key, provider, 'count');
    const refused = await settledCall(key, provider, 'list', { parameters: {} });
    const report = (title: string, id: string, body: unknown, repeats = ''): Promise<Reply> =>
      wire.ask(title, 'POST', `/admin/v1/executions/${id}/outcome-revisions`, {
        key: adminKey,
        body,
        ...(repeats === '' ? {} : { repeats }),
      });
    const get = (title: string, path: string, until?: (reply: Reply) => boolean): Promise<Reply> =>
      wire.ask(title, 'GET', `${exceptions}${path}`, { key: adminKey, ...(until === undefined ? {} : { until }) });
    const itemsOf = (reply: Reply): unknown[] => asArray(asObject(reply.json['data'])['items']);

    const revision = { reason_code: 'provider.error', reference: 'ticket-7' };
    await report('a revision', executionId, revision);
    await report('the revision again', executionId, revision, 'a revision');
    await report('another revision', executionId, { reason_code: 'result.empty' });
    const one = await get(
      'the exception that comes of it',
      `?account_id=${accountId}`,
      (reply) => itemsOf(reply).length === 1,
    );
    const id = asString(asObject(itemsOf(one)[0])['exception_id'], 'exception_id');
    await report('a second call is revised', second, { reason_code: 'result.empty' });
    const page = await get('a page of the queue', `?account_id=${accountId}&page_size=1`, (reply) =>
      reply.text.includes('next_cursor'),
    );
    const cursor = asString(asObject(page.json['data'])['next_cursor'], 'next_cursor');
    wire.name('cursor', cursor);
    await get('the next page', `?account_id=${accountId}&page_size=1&cursor=${cursor}`);
    await get('a cursor of other filters', `?page_size=1&cursor=${cursor}`);
    await get('of one call', `?account_id=${accountId}&execution_id=${second}&kind=failed_charged_review&state=open`);
    await get('of another kind', `?account_id=${accountId}&kind=missing_hold`);
    await wire.ask('the usage of the revised call', 'GET', '/api/v1/auth/usage/history/v2', {
      key,
      query: { execution_id: executionId },
      until: ({ text }) => text.includes('failed_charged_review'),
    });

    let sent = 0;
    const resolve = (
      title: string,
      how: string,
      body: unknown,
      { of = id, idempotencyKey = `${provider.id}-x${(sent += 1)}`, repeats = '' } = {},
    ): Promise<Reply> =>
      wire.ask(title, 'POST', `${exceptions}/${of}/${how}`, {
        key: adminKey,
        body,
        headers: { 'idempotency-key': idempotencyKey },
        ...(repeats === '' ? {} : { repeats }),
      });
    await resolve('a write-off of what was collected', 'write-off', { note: 'n' });
    await resolve('a resolution without a note', 'refund', {});
    await resolve('a resolution with a broken reference', 'refund', { note: 'n', reference: 'two words' });
    await resolve('an unknown member', 'refund', { note: 'n', amount_credits: 1 });
    await wire.ask('a resolution without a key', 'POST', `${exceptions}/${id}/refund`, {
      key: adminKey,
      body: { note: 'n' },
    });
    const idempotencyKey = `${provider.id}-refund`;
    await resolve('a refund', 'refund', { note: 'worthless', reference: 'ticket-8' }, { idempotencyKey });
    await resolve(
      'the refund again',
      'refund',
      { note: 'worthless', reference: 'ticket-8' },
      {
        idempotencyKey,
        repeats: 'a refund',
      },
    );
    await resolve('another note under its key', 'refund', { note: 'another' }, { idempotencyKey });
    await resolve('a confirmation of what was refunded', 'confirm', { note: 'fine' });
    const other = asString(asObject(itemsOf(page)[0])['exception_id'], 'exception_id');
    await resolve('a confirmation', 'confirm', { note: 'it was delivered' }, { of: other });
    await get('a refunded exception', `/${id}`);
    await get('a confirmed exception', `/${other}`);
    await get('what is closed', `?account_id=${accountId}&state=closed`);
    await get('an exception that there is not', `/${noException}`);
    await get('an exception id that is none', '/xcp_1');
    await resolve('the resolution of no exception', 'confirm', { note: 'n' }, { of: noException });
    await resolve('an unknown resolution', 'forget', { note: 'n' });
    for (const fault of [
      'state=half',
      'kind=odd',
      'account_id=acc_1',
      'execution_id=led_1',
      'page_size=0',
      'cursor=abc',
    ]) {
      await get(`refused: ${fault}`, `?${fault}`);
    }
    await get('an unknown parameter', `?account_id=${accountId}&kind=missing_hold&other=1`);

    await report('a revision of a refused call', refused, revision);
    await report('a revision of no call', `exec_${'0'.repeat(32)}`, revision);
    await report('a revision of no id', 'exec_1', revision);
    for (const body of [
      {},
      { reason_code: 'result.valid' },
      { reason_code: 7 },
      { ...revision, reference: 'a b' },
      { ...revision, note: 'x' },
    ]) {
      await report(`a revision, refused: ${JSON.stringify(body)}`, executionId, body);
    }
  },
};

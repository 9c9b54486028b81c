import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { unaffordableCall } from '@capability-router/contracts/answers';
import { admin, newAccount, type TestAccount } from './support/accounts.js';
import { listCharges, remainingCredits, settledUsageOf } from './support/audit.js';
import { nextOrigin } from './support/environment.js';
import { eventually } from './support/eventually.js';
import { execute } from './support/execute.js';
import { expectShape } from './support/expect-shape.js';
import { call } from './support/http.js';
import { asObject, asString } from './support/json.js';
import { toldError } from './support/told-error.js';
import { freeCall, largeCall, paidCall } from './support/tools.js';

const act = (accountId: string, action: string) => admin('POST', `/accounts/${accountId}:${action}`);
const creditsStatus = async (key: string): Promise<number> => (await call('GET', '/auth/credits', { key })).status;

const BERLIN_TO_PARIS = { from_latitude: 52.52, from_longitude: 13.405, to_latitude: 48.8566, to_longitude: 2.3522 };
/** Milliseconds within which a gateway has verified a key that it knows; where it has not, the answer is 401, and all is tried again. */
const VERIFIED_MS = 300;

/** Sends a request up to the last byte of its body, which `finish` sends; the gateway has verified the key by then. */
async function begin(origin: string, path: string, key: string, body: object) {
  const payload = Buffer.from(JSON.stringify(body));
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const sent = request(`${origin}/api/v1${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-length': payload.length },
  });
  const answered = new Promise<{ status: number | undefined; json: unknown }>((resolve, reject) => {
    sent.once('error', reject).once('response', (response) => {
      void text(response).then((got) => resolve({ status: response.statusCode, json: JSON.parse(got) }), reject);
    });
  });
  answered.catch(() => undefined);
  sent.write(payload.subarray(0, -1));
  await delay(VERIFIED_MS);
  return {
    finish: () => {
      sent.end(payload.subarray(-1));
      return answered;
    },
  };
}

describe('an account', () => {
  let account: TestAccount;
  beforeAll(async () => {
    account = await newAccount();
  });

  it('that is suspended is 401 to every key once that is answered, and may do all again once it is resumed', async () => {
    expect(await act(account.accountId, 'suspend')).toEqual({
      account_id: account.accountId,
      state: 'suspended',
      changed: true,
    });
    expect([await creditsStatus(account.key), (await execute(account.key, freeCall)).status]).toEqual([401, 401]);
    await act(account.accountId, 'resume');
    expect([await creditsStatus(account.key), (await execute(account.key, freeCall)).status]).toEqual([200, 200]);
  });

  it('that is blocked for non-payment reads on and spends nothing; a refused call has its row and no charge', async () => {
    expect(await act(account.accountId, 'block')).toMatchObject({ state: 'payment_required' });
    for (const known of [paidCall, freeCall]) {
      const reply = await execute(account.key, known);
      expect([reply.status, reply.json['code']]).toEqual([402, 'payment_required']);
      expectShape(reply.json, unaffordableCall);
      expect(await settledUsageOf(account.key, reply.json['execution_id'])).toEqual(
        expect.objectContaining({ reason_code: 'insufficient_credits', charge_outcome: 'failed_not_charged' }),
      );
    }
    const body = { capability_id: 'geo.distance', parameters: {} };
    for (const reply of [
      await call('POST', '/capabilities/query', { key: account.key, body }),
      await call('GET', '/capabilities/geo.distance', { key: account.key }),
    ]) {
      expect([reply.status, reply.json]).toEqual([
        402,
        expect.objectContaining({ status: 'failure', code: 'payment_required', message: expect.any(String) }),
      ]);
    }
    expect(await remainingCredits(account.key)).toBe(account.initialCredits);
    expect(await listCharges(account.key)).toEqual([]);
    await act(account.accountId, 'unblock');
    expect((await execute(account.key, paidCall)).status).toBe(200);
  });

  it('that is closed takes no key any more, for good, and its links are gone', async () => {
    const closing = await newAccount();
    const { json } = await execute(closing.key, largeCall, { max_response_size: 100 });
    const link = asString(asObject(json['result'])['full_content_file_url'], 'the link');
    const linkStatus = async (): Promise<number> => (await fetch(link, { method: 'HEAD' })).status;
    expect(await linkStatus()).toBe(200);
    expect(await act(closing.accountId, 'close')).toMatchObject({ state: 'closed', changed: true });
    expect(await creditsStatus(closing.key)).toBe(401);
    await eventually(async () => expect(await linkStatus()).toBe(410));
    await expect(act(closing.accountId, 'resume')).rejects.toThrow('409');
  });

  it('that is closed while a request of it is under way is a 404 to that request, which runs nothing', async () => {
    const message: unknown = expect.stringContaining('closed');
    const gone = { status: 'failure', message, ...toldError('account_not_active') };
    const query = { capability_id: 'geo.distance', parameters: BERLIN_TO_PARIS };
    await eventually(async () => {
      const closing = await newAccount();
      const { json } = await execute(closing.key, largeCall, { max_response_size: 100 });
      const link = asString(asObject(json['result'])['full_content_file_url'], 'the link');
      const origin = nextOrigin();
      const head = { headers: { authorization: `Bearer ${closing.key}` } };
      expect((await fetch(`${origin}/api/v1/auth/credits`, head)).status).toBe(200);
      const begun = await Promise.all([
        begin(origin, '/tools/execute', closing.key, { tool_id: paidCall.toolId, parameters: paidCall.parameters }),
        begin(origin, '/capabilities/query', closing.key, query),
      ]);
      await act(closing.accountId, 'close');
      // Its links are gone by the same record by which nothing of it starts any more.
      await eventually(async () => expect((await fetch(link, { method: 'HEAD' })).status).toBe(410));
      const answers = await Promise.all(begun.map(({ finish }) => finish()));
      expect(answers).toEqual([
        { status: 404, json: gone },
        { status: 404, json: gone },
      ]);
    });
  });
});

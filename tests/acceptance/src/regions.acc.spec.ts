import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { admin, newAccount, type TestAccount } from './support/accounts.js';
import { listCharges, remainingCredits, settledUsageOf } from './support/audit.js';
import { adminKey } from './support/environment.js';
import { eventually } from './support/eventually.js';
import { execute } from './support/execute.js';
import { send, type CallOptions, type Reply } from './support/http.js';
import { asObject } from './support/json.js';
import { listen } from './support/listen.js';

/** Letters only, so that nothing else has it. */
const provider = `zr${randomBytes(6).toString('hex').replaceAll(/\d/g, 'k')}`;
const toolId = `${provider}.things.get.v1`;
/** Milliseconds: what is published has to reach every replica. */
const TIMEOUT_MS = 180_000;

let account: TestAccount;
let server: Server;
let requests = 0;

const setRegion = (region: unknown, accountId = account.accountId): Promise<Reply> =>
  send('PUT', `/admin/v1/accounts/${accountId}/region`, { key: adminKey, body: { region } });
const callTool = (options: CallOptions = {}): Promise<Reply> =>
  execute(account.key, { toolId, parameters: {} }, {}, options);
const reasonOf = (reply: Reply): unknown => asObject(reply.json['execution_outcome'])['reason_code'];

/** Every replica has heard of a change when it is seen as often as there may be replicas. */
const settlesAt = (reason: string): Promise<void> =>
  eventually(async () => {
    for (let turn = 0; turn < 4; turn += 1) expect(reasonOf(await callTool())).toBe(reason);
  });

beforeAll(async () => {
  account = await newAccount();
  server = createServer((_request, response) => {
    requests += 1;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"thing":1}');
  });
  await listen(server);
  const reply = await send('PUT', `/admin/v1/providers/${provider}`, {
    key: adminKey,
    body: {
      provider_id: provider,
      name: { en: provider },
      description: { en: 'Things of some regions.' },
      egress: { allow_http: true, allow_networks: ['127.0.0.1/32'] },
      tools: [
        {
          tool_id: toolId,
          name: { en: 'Get a thing' },
          description: { en: 'Gives a thing to those who may have it.' },
          parameters_schema: { type: 'object', additionalProperties: false },
          price: { amount_credits: '0.5' },
          region: 'US|CA',
          binding: { kind: 'http', method: 'GET', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` },
        },
      ],
    },
  });
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 });
  await settlesAt('region_restricted');
}, TIMEOUT_MS);
afterAll(
  () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    }),
);

describe('a tool for some regions', () => {
  it('is kept from an account without a region and from one elsewhere: not sent, not charged, on record', async () => {
    for (const region of [null, 'CH']) {
      expect((await setRegion(region)).status).toBe(200);
      const before = await remainingCredits(account.key);
      const reply = await callTool();
      expect(reply.status).toBe(200);
      expect(reply.json).toMatchObject({
        success: false,
        cost: 0,
        error_message: expect.stringContaining('US|CA'),
        execution_outcome: { outcome: 'refused', reason_code: 'region_restricted', billable_success: false },
      });
      const row = await settledUsageOf(account.key, reply.json['execution_id']);
      expect(row).toMatchObject({
        event_type: 'tool_execute',
        tool_id: toolId,
        reason_code: 'region_restricted',
        charge_outcome: 'failed_not_charged',
      });
      expect(await remainingCredits(account.key)).toBe(before);
    }
    expect(requests).toBe(0);
    expect(await listCharges(account.key)).toEqual([]);
  });

  it('is kept from whoever only says so', async () => {
    for (const name of ['x-region', 'x-account-region', 'cf-ipcountry', 'x-account-assertion']) {
      expect(reasonOf(await callTool({ headers: { [name]: 'US' } }))).toBe('region_restricted');
    }
    expect(requests).toBe(0);
  });

  it(
    'is open to an account that an administrator places in one, and closed when it moves away',
    async () => {
      expect((await setRegion('CA')).json['data']).toEqual({ account_id: account.accountId, region: 'CA' });
      await settlesAt('result.valid');
      expect(requests).toBeGreaterThan(0);
      await setRegion('DE');
      await settlesAt('region_restricted');
    },
    TIMEOUT_MS,
  );

  it('is open to an account that is opened there', async () => {
    const opened = await admin('POST', '/accounts', { kind: 'formal', name: 'here', region: 'US' });
    expect(opened['region']).toBe('US');
  });
});

describe('the region of an account', () => {
  it('is for administrators to set, as two letters of ISO 3166', async () => {
    expect((await setRegion('United States')).status).toBe(422);
    expect((await setRegion('XX')).status).toBe(422);
    expect((await setRegion('US', `acc_${'0'.repeat(32)}`)).status).toBe(404);
    const body = { region: 'US' };
    const path = `/admin/v1/accounts/${account.accountId}/region`;
    expect((await send('PUT', path, { key: account.key, body })).status).toBe(403);
  });
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gatewayRoutes } from '../routes/routes.js';
import { nameOf, pathOf, requestOf } from '../test-support/route-paths.js';
import { account, adminKey, RunningGateway } from '../test-support/running-gateway.js';

const ACCOUNT = `acc_${'1'.repeat(32)}`;
const PATH = `/admin/v1/accounts/${ACCOUNT}/grants`;
const BODY = { credits: 1 };

let gateway: RunningGateway;
beforeEach(async () => {
  gateway = new RunningGateway();
  await gateway.start();
  gateway.upstream.answer(201, { status: 'success', data: {} });
});
afterEach(() => gateway.stop());

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(20);
}

describe('a change in a service other than identity', () => {
  it('is in the security log before the service hears of it, and what was answered follows', async () => {
    let recordedFirst = 0;
    gateway.upstream.behave = (_request, response) => {
      recordedFirst = gateway.identity.admittedChanges.length;
      response.writeHead(201, { 'content-type': 'application/json' }).end('{}');
    };
    const headers = { 'x-request-id': 'req-1', 'user-agent': 'test' };
    expect((await gateway.post(`${PATH}?dry=1`, BODY, adminKey, headers)).status).toBe(201);
    expect(recordedFirst).toBe(1);
    const [change] = gateway.identity.admittedChanges;
    const caller = { accountId: account.accountId, apiKeyId: account.apiKeyId, credentialType: 'api_key' };
    const route = 'POST /admin/v1/accounts/:accountId/grants';
    expect(change).toEqual({
      entryId: expect.any(String),
      caller,
      route,
      path: PATH,
      accountId: ACCOUNT,
      requestId: 'req-1',
      clientAddress: '127.0.0.1',
      userAgent: 'test',
    });
    await until(() => gateway.identity.securityReports.length > 0);
    expect(gateway.identity.securityReports).toEqual([
      {
        entryId: expect.any(String),
        kind: 'answered',
        occurrences: 1,
        caller,
        admittedId: change?.entryId,
        route,
        reason: 'status_201',
        requestId: 'req-1',
        accountId: ACCOUNT,
      },
    ]);
  });

  it('is recorded without an account where its path names none', async () => {
    expect((await gateway.post('/admin/v1/accounts/%C2%84/grants', BODY, adminKey)).status).toBe(201);
    const [change] = gateway.identity.admittedChanges;
    expect([change?.path, change && 'accountId' in change]).toEqual(['/admin/v1/accounts/%C2%84/grants', false]);
  });

  it('is not passed on while it cannot be recorded', async () => {
    gateway.identity.admissionStatus = 503;
    const refused = await gateway.post(PATH, BODY, adminKey);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
    expect(gateway.upstream.seen).toEqual([]);
    await sleep(50);
    expect(gateway.identity.securityReports).toEqual([]);
  });

  it('is passed on without an entry, and that is logged, where identity is of the release before', async () => {
    gateway.identity.admissionStatus = 404;
    expect((await gateway.post(PATH, BODY, adminKey)).status).toBe(201);
    expect(gateway.logs).toContainEqual(expect.objectContaining({ msg: 'a change is missing in the security log' }));
  });

  it('has an outcome also where its caller has gone', async () => {
    let answer: (() => unknown) | undefined;
    gateway.upstream.behave = (_request, response) => (answer = () => response.end('{}'));
    const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
    const sent = httpRequest(`${gateway.url}${PATH}`, { method: 'POST', headers }).on('error', () => undefined);
    sent.end(JSON.stringify(BODY));
    await until(() => gateway.upstream.seen.length > 0);
    sent.destroy();
    answer?.();
    await until(() => gateway.identity.securityReports.length > 0);
    expect(gateway.identity.securityReports[0]).toMatchObject({ kind: 'answered', reason: 'caller_gone' });
  });

  it('is every one of administrators and owners; no read is, and nothing that is refused before', async () => {
    gateway.scopesOfKey.set(adminKey, ['admin', 'manage']);
    const others = gatewayRoutes.filter(({ service }) => service !== 'identity');
    const isGuarded = ({ scope }: (typeof others)[number]): boolean => scope === 'admin' || scope === 'manage';
    const isRead = ({ method }: (typeof others)[number]): boolean => method === 'GET' || method === 'HEAD';
    for (const route of others.filter((of) => isGuarded(of))) {
      const before = gateway.identity.admittedChanges.length;
      const { status } = await gateway.fetch(pathOf(route), requestOf(route), adminKey);
      const recorded = gateway.identity.admittedChanges.length - before;
      expect([nameOf(route), status, recorded]).toEqual([nameOf(route), 201, isRead(route) ? 0 : 1]);
    }
    const before = gateway.identity.admittedChanges.length;
    await gateway.post(PATH, BODY);
    expect(gateway.identity.admittedChanges).toHaveLength(before);
  });
});

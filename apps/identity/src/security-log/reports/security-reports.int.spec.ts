import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ManualClock, uuidv7 } from '@capability-router/kernel';
import { ADDRESS, operator, ReadSecurityLog } from '../../test-support/read-security-log.js';
import { RunningIdentity, type Answer } from '../../test-support/running-identity.js';

const nowMs = Date.UTC(2026, 0, 15, 12);

let identity: RunningIdentity;
let log: ReadSecurityLog;
beforeAll(async () => {
  identity = await RunningIdentity.start(new ManualClock(nowMs));
  log = new ReadSecurityLog(identity);
  await log.openOperator();
});
afterAll(() => identity.stop());

describe('the security log', () => {
  it('has what the gateway refused in the chain of the account, once, and without a trace of an address in the chain', async () => {
    const { accountId } = await log.openAccount();
    const caller = { accountId, credentialType: 'api_key', apiKeyId: operator.apiKeyId };
    const forbidden = {
      kind: 'forbidden',
      occurrences: 70,
      route: 'GET /admin/v1/*',
      reason: 'insufficient_scope:admin',
    };
    const reports = [
      { entryId: uuidv7(nowMs), ...forbidden, caller, clientAddress: ADDRESS, requestId: 'req-1' },
      { entryId: uuidv7(nowMs), kind: 'sign_in_failed', occurrences: 5 },
    ];
    const report = (body: unknown, as: 'gateway' | 'billing' = 'gateway'): Promise<Answer> =>
      identity.call({ method: 'POST', url: '/internal/security-log:report', body, as });
    const answers = await Promise.all([report({ reports }), report({ reports }), report({ reports })]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await log.list(`account_id=${accountId}&action=request.forbidden`)).toMatchObject([
      {
        actor: { type: 'account', account_id: accountId, api_key_id: operator.apiKeyId },
        object: { type: 'route', id: 'GET /admin/v1/*' },
        reason: 'insufficient_scope:admin',
        occurrences: 70,
        request_id: 'req-1',
        details: { client_address: ADDRESS },
        entry_seq: 3,
      },
    ]);
    const failed = await log.list('action=sign_in.failed');
    expect(failed).toMatchObject([
      { actor: { type: 'anonymous' }, occurrences: 5, chain: expect.stringMatching(/^deployment\/\d$/) },
    ]);
    expect(await log.verification(accountId)).toEqual({ sound: true, entries: 3, findings: [] });
    const { rows } = await identity.database.owner.query('SELECT * FROM security_log');
    expect(JSON.stringify(rows)).not.toContain(ADDRESS);
    expect((await report({ reports }, 'billing')).status).toBe(403);
    for (const broken of [{}, { reports: [{}] }, { reports: [{ ...reports[0], occurrences: 0 }] }]) {
      expect((await report(broken)).status).toBe(422);
    }
  });

  it('has what an operator asked of another service, with the account of its path, and what became of it', async () => {
    const { accountId } = await log.openAccount();
    const caller = { accountId: operator.accountId, credentialType: 'api_key', apiKeyId: operator.apiKeyId };
    const route = 'POST /admin/v1/accounts/:accountId/grants';
    const path = `/admin/v1/accounts/${accountId}/grants`;
    const change = { entryId: randomUUID(), caller, route, path, requestId: randomUUID(), clientAddress: ADDRESS };
    const admit = (body: unknown, as: 'gateway' | 'billing' = 'gateway'): Promise<Answer> =>
      identity.call({ method: 'POST', url: '/internal/security-log:admit', body, as });
    const sent = { ...change, accountId, userAgent: 'curl' };
    expect((await Promise.all([admit(sent), admit(sent)])).map(({ status }) => status)).toEqual([200, 200]);
    const answered = { entryId: randomUUID(), kind: 'answered', occurrences: 1, caller, route, reason: 'status_200' };
    const reports = [{ ...answered, accountId, admittedId: change.entryId, requestId: change.requestId }];
    await identity.call({ method: 'POST', url: '/internal/security-log:report', body: { reports }, as: 'gateway' });
    const actor = { type: 'operator', account_id: operator.accountId, api_key_id: operator.apiKeyId };
    const [outcome, request] = await log.list(`account_id=${accountId}`);
    expect([request, outcome]).toMatchObject([
      {
        entry_id: change.entryId,
        action: 'change.requested',
        actor,
        object: { type: 'route', id: route },
        request_id: change.requestId,
        details: { client_address: ADDRESS, path, user_agent: 'curl' },
      },
      {
        action: 'change.answered',
        actor,
        object: { type: 'security_log_entry', id: change.entryId },
        reason: 'status_200',
        request_id: change.requestId,
      },
    ]);
    expect(await log.verification(accountId)).toMatchObject({ sound: true, findings: [] });
    // An account that does not exist has no chain; an account's own change is its own.
    const strange = { ...change, entryId: randomUUID(), accountId: 'acc_made_up' };
    expect((await admit(strange)).status).toBe(200);
    const own = { ...change, entryId: randomUUID(), route: 'PUT /api/v1/auth/provider-credentials/:providerId' };
    expect((await admit({ ...own, caller: { ...caller, accountId } })).status).toBe(200);
    const [ofOperator] = await log.list(`actor=${operator.accountId}&action=change.requested`);
    expect(ofOperator).toMatchObject({ chain: expect.stringMatching(/^deployment\//) });
    const [ofOwner] = await log.list(`account_id=${accountId}`);
    expect(ofOwner).toMatchObject({ entry_id: own.entryId, actor: { type: 'account', account_id: accountId } });
    expect((await admit(sent, 'billing')).status).toBe(403);
    for (const broken of [{}, { ...sent, caller: {} }, { ...sent, path: 'x'.repeat(301) }, { ...sent, caller: null }])
      expect((await admit(broken)).status).toBe(422);
  });
});

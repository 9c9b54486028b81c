import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { account, RunningGateway, unknownKey } from '../test-support/running-gateway.js';

const PATH = '/admin/v1/accounts';

let gateway: RunningGateway;
beforeEach(async () => {
  gateway = new RunningGateway();
  await gateway.start();
});
afterEach(() => gateway.stop());

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(20);
}

describe('what the gateway tells the security log', () => {
  it('says whose credential was refused on which route, also where a service refused it, and counts bad keys alone', async () => {
    expect((await gateway.fetch(PATH)).status).toBe(403);
    gateway.upstream.answer(403, { status: 'failure', message: 'no', code: 'forbidden' });
    expect((await gateway.fetch('/api/v1/auth/credits')).status).toBe(403);
    for (let index = 0; index < 5; index += 1) await gateway.fetch('/api/v1/auth/credits', {}, unknownKey);
    const { securityReports: reports } = gateway.identity;
    // Whoever stops tells what is left; the minute of the bad keys has not ended.
    await gateway.stop();
    gateway = new RunningGateway();
    const caller = { accountId: account.accountId, apiKeyId: account.apiKeyId, credentialType: 'api_key' };
    expect(reports.filter(({ kind }) => kind === 'forbidden')).toEqual([
      expect.objectContaining({ route: `GET ${PATH}`, reason: 'insufficient_scope:admin', caller, occurrences: 1 }),
      expect.objectContaining({ route: 'GET /api/v1/auth/credits', reason: 'forbidden', caller, occurrences: 1 }),
    ]);
    const failed = reports.filter(({ kind }) => kind === 'sign_in_failed');
    expect(failed.reduce((sum, { occurrences }) => sum + occurrences, 0)).toBe(5);
    expect(JSON.stringify(failed)).not.toMatch(/127\.0\.0\.1|::1|sk-/);
  });

  it('sends what identity has not confirmed again, under the same id', async () => {
    gateway.identity.securityReportStatus = 503;
    await gateway.fetch(PATH);
    const { securityReports: reports } = gateway.identity;
    await until(() => reports.length >= 2);
    gateway.identity.securityReportStatus = 200;
    expect(new Set(reports.map(({ entryId }) => entryId)).size).toBe(1);
    expect(reports[0]?.occurrences).toBe(1);
  });

  it('leaves out what identity refuses for ever, says so, and goes on with what follows', async () => {
    gateway.identity.securityReportStatus = 422;
    const { securityReports: reports } = gateway.identity;
    await gateway.fetch(PATH);
    await until(() => reports.length > 0);
    await gateway.fetch('/admin/v1/tools');
    await until(() => reports.some(({ route }) => route === 'GET /admin/v1/tools'));
    const dropped = await gateway.metrics.getSingleMetricAsString('gateway_security_reports_dropped_total');
    expect(dropped).toMatch(/ [12]$/);
    expect(gateway.logs).toContainEqual(
      expect.objectContaining({ status: 422, reports: 1, msg: 'identity refuses reports for the security log' }),
    );
    expect(new Set(reports.map(({ entryId }) => entryId)).size).toBe(reports.length);
  });

  it.each([401, 404, 408, 429])(
    'sends again what identity answers with %i, which has nothing to do with what was told',
    async (status) => {
      gateway.identity.securityReportStatus = status;
      await gateway.fetch(PATH);
      const { securityReports: reports } = gateway.identity;
      await until(() => reports.length >= 2);
      expect(new Set(reports.map(({ entryId }) => entryId)).size).toBe(1);
    },
  );
});

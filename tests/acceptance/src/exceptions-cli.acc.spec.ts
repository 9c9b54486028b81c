import { describe, expect, it } from '@jest/globals';
import { newAccount } from './support/accounts.js';
import { remainingCredits, settledUsageOf } from './support/audit.js';
import { caprouterAsAdmin } from './support/caprouter.js';
import { adminKey } from './support/environment.js';
import { eventually } from './support/eventually.js';
import { execute } from './support/execute.js';
import { send } from './support/http.js';
import { asNumber, asObject, asString } from './support/json.js';
import { paidCall } from './support/tools.js';

describe('the exceptions queue, from the command line', () => {
  it('is listed, decided once per key, and shown with what was decided', async () => {
    const account = await newAccount();
    const call = await execute(account.key, paidCall);
    const executionId = asString(call.json['execution_id'], 'execution_id');
    const price = asNumber(asObject(call.json['billing'])['list_amount_credits']);
    await settledUsageOf(account.key, executionId);
    const reported = await send('POST', `/admin/v1/executions/${executionId}/outcome-revisions`, {
      key: adminKey,
      body: { reason_code: 'provider.error' },
    });
    expect(reported.status).toBe(201);

    const mine = ['exceptions', 'list', '--account', account.accountId];
    const exceptionId = await eventually(async () => {
      const listed = await caprouterAsAdmin(...mine, '--kind', 'failed_charged_review', '--limit', '10');
      expect([listed.exitCode, listed.stderr]).toEqual([0, '']);
      const [, line = '', ...more] = listed.stdout.trimEnd().split('\n');
      const [id = '', ...cells] = line.split(/ {2,}/);
      expect(more).toEqual([]);
      expect(cells.slice(0, 4)).toEqual(['open', 'failed_charged_review', account.accountId, executionId]);
      return id;
    });

    const key = `command-line-${exceptionId}`;
    const refund = ['exceptions', 'refund', exceptionId, '--note', 'the provider was out', '--idempotency-key', key];
    const decided = await caprouterAsAdmin('--json', ...refund, '--reference', 'ticket-7');
    expect([decided.exitCode, decided.stderr.trim()]).toEqual([0, `idempotency key: ${key}`]);
    expect(JSON.parse(decided.stdout)).toMatchObject({
      exception_id: exceptionId,
      state: 'refunded',
      refund: { amount_credits: price },
    });
    expect(await remainingCredits(account.key)).toBe(account.initialCredits);
    const again = await caprouterAsAdmin('--json', ...refund, '--reference', 'ticket-7');
    expect([again.exitCode, JSON.parse(again.stdout)]).toEqual([0, JSON.parse(decided.stdout)]);
    const late = await caprouterAsAdmin('exceptions', 'confirm', exceptionId, '--note', 'too late');
    expect([late.exitCode, late.stdout]).toEqual([1, '']);
    expect(late.stderr).toContain('is closed');
    expect((await caprouterAsAdmin(...mine)).stdout.trim()).toBe('no exceptions');
    const shown = await caprouterAsAdmin('exceptions', 'show', exceptionId);
    expect(shown.stdout).toMatch(/refunded by .*reference ticket-7.*note the provider was out/);
  });
});

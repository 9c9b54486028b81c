import { ManualClock, type JsonObject } from '@capability-router/kernel';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ClaimingIdentity, dataOf } from '../test-support/claiming-identity.js';
import type { Answer } from '../test-support/running-identity.js';

const clock = new ManualClock(Date.UTC(2026, 0, 15, 0, 1));
/** Seconds from then to the end of the day (UTC). */
const REST_OF_DAY = 86_340;

let service: ClaimingIdentity | undefined;
afterEach(() => service?.stop());

async function start(env: NodeJS.ProcessEnv): Promise<(email: string, clientAddress: string) => Promise<JsonObject>> {
  const started = await ClaimingIdentity.start(clock, env);
  service = started;
  return async (email, clientAddress) => {
    const { claimCode } = await started.register();
    return dataOf(await started.ask('claim', { claim_code: claimCode, email }, { clientAddress }));
  };
}

describe('a claim that is blocked', () => {
  it('comes from an address, or a network, that was sent as many mails as a day allows', async () => {
    const claim = await start({ CLAIM_MAILS_PER_ADDRESS_PER_DAY: '1', CLAIM_MAILS_PER_NETWORK_PER_DAY: '2' });
    const blocked = { status: 'blocked', risk_code: 'too_many_claims', retry_after_seconds: REST_OF_DAY };
    expect(await claim('one@example.org', '192.0.2.7')).toMatchObject({ status: 'code_sent' });
    expect(await claim('two@example.org', '192.0.2.7')).toMatchObject(blocked);
    expect(await claim('two@example.org', '192.0.2.8')).toMatchObject({ status: 'code_sent' });
    expect(await claim('three@example.org', '192.0.2.9')).toMatchObject(blocked);
    expect(await claim('three@example.org', '198.51.100.7')).toMatchObject({ status: 'code_sent' });
  });

  it('is in the security log of its trial once a day for each reason, however often it is asked for', async () => {
    const today = new ManualClock(clock.nowMs());
    const started = await ClaimingIdentity.start(today, { CLAIM_MAILS_PER_ADDRESS_PER_DAY: '1' });
    service = started;
    const [sent, trial] = [await started.register(), await started.register()];
    const from = (clientAddress: string): Promise<Answer> =>
      started.ask('claim', { claim_code: trial.claimCode, email: 'two@example.org' }, { clientAddress });
    await started.claim(sent, 'one@example.org');
    // At the same time too, and then once more.
    for (const times of [3, 1]) {
      const answers = await Promise.all(Array.from({ length: times }, () => from('192.0.2.7')));
      expect(answers.map((answer) => dataOf(answer)['risk_code'])).toEqual(Array(times).fill('too_many_claims'));
    }
    const blocks = async (): Promise<unknown> => {
      const { rows } = await started.identity.database.owner.query(
        `SELECT e.action, e.actor_type, e.object_id, e.reason, d.details->>'clientAddress' AS address
         FROM security_log e LEFT JOIN security_log_details d USING (entry_id)
         WHERE e.account_id = $1 AND e.action LIKE 'claim%' ORDER BY e.entry_seq`,
        [trial.accountId],
      );
      return rows;
    };
    const block = {
      action: 'claim.blocked',
      actor_type: 'anonymous',
      object_id: trial.accountId,
      reason: 'too_many_claims',
      address: '192.0.2.7',
    };
    expect(await blocks()).toEqual([block]);

    today.advanceMs(24 * 60 * 60 * 1000);
    await started.claim(sent, 'one@example.org');
    expect(dataOf(await from('192.0.2.7'))).toMatchObject({ status: 'blocked' });
    expect(await blocks()).toEqual([block, block]);
  });

  it('comes to a deployment that sends no mail', async () => {
    const claim = await start({ MAIL_URL: undefined, MAIL_FROM: undefined, MAIL_TLS: undefined });
    expect(await claim('one@example.org', '192.0.2.7')).toEqual({
      status: 'blocked',
      risk_code: 'mail_unavailable',
      message: expect.any(String),
    });
  });
});

import { ManualClock } from '@capability-router/kernel';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DEVICE_CODE_GRANT } from '@capability-router/contracts';
import { readStream } from '@capability-router/event-store';
import { DeviceFlow, type Asked } from '../test-support/device-flow.js';
import type { Answer } from '../test-support/running-identity.js';
import { MAX_FAMILIES } from '../tokens/refresh-families.js';
import { purgeDeviceCodes } from './device-codes.sql.js';

let flow: DeviceFlow;
const clock = new ManualClock(Date.UTC(2026, 0, 15, 10));
beforeAll(async () => {
  flow = await DeviceFlow.start(clock);
});
afterAll(() => flow.stop());
beforeEach(() => flow.renew());

describe('a program that asks for access', () => {
  it('gets its codes, waits, and has tokens of the person once they have consented with a key', async () => {
    const answer = await flow.post('device/authorize', { scope: 'read' });
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: {
        device_code: expect.stringMatching(/^dc-[0-9A-Za-z]{40}$/),
        user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
        verification_uri: 'http://127.0.0.1/device',
        expires_in: 600,
        interval: 5,
      },
    });
    const { device_code: deviceCode, user_code: userCode } = answer.body as unknown as Asked;
    expect(answer.body['verification_uri_complete']).toBe(`http://127.0.0.1/device?user_code=${userCode}`);
    expect(await flow.poll(deviceCode)).toMatchObject({ status: 400, body: { error: 'authorization_pending' } });
    const consent = await flow.withKey(userCode.toLowerCase().replace('-', ' '));
    expect(consent.status).toBe(200);
    expect((await flow.decide(consent, 'approve')).text).toContain('Access given');
    const given = await flow.poll(deviceCode);
    expect(given).toMatchObject({ status: 200, body: { scope: 'read', refresh_token: expect.stringMatching(/^rt-/) } });
    const verified = await flow.verify(given.body['access_token']);
    expect(verified).toMatchObject({
      valid: true,
      assertion: { accountId: flow.person, apiKeyId: flow.keyId, oauthClientId: flow.clientId, scopes: ['read'] },
    });
    expect(await flow.poll(deviceCode)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await readStream(flow.identity.database.pool, flow.person)).toContainEqual(
      expect.objectContaining({
        type: 'OAuthFamilyBegan',
        data: expect.objectContaining({ clientId: flow.clientId, apiKeyId: flow.keyId, scopes: ['read'] }),
      }),
    );
  });

  it('is told in the words of the protocol to wait, to slow down, that it was denied, and that it is too late', async () => {
    const { device_code: deviceCode, user_code: userCode } = await flow.asked();
    const error = (): Promise<unknown> => flow.pollError(deviceCode);
    expect(await error()).toBe('authorization_pending');
    clock.advanceMs(4_999);
    expect(await error()).toBe('slow_down');
    clock.advanceMs(9_999);
    expect(await error()).toBe('slow_down');
    clock.advanceMs(15_000);
    expect(await error()).toBe('authorization_pending');
    expect((await flow.decide(await flow.withKey(userCode), 'deny')).text).toContain('Access denied');
    expect(await error()).toBe('access_denied');
    const late = await flow.asked();
    const consent = await flow.withKey(late.user_code);
    clock.advanceMs(600_000);
    expect(await flow.pollError(late.device_code)).toBe('expired_token');
    expect((await flow.withKey(late.user_code)).text).toContain('No device waits');
    expect((await flow.decide(consent, 'approve')).status).toBe(400);
    expect(await purgeDeviceCodes(flow.identity.database.pool, new Date(clock.nowMs()), 10_000)).toBeGreaterThan(0);
  });

  it('is refused what it was not registered for, and a code of another program', async () => {
    const owner = await flow.opened({});
    const body = { account_id: owner, name: 'batch', scopes: ['call'] };
    const batch = await flow.ask<{ client_id: string; client_secret: string }>('POST', '/admin/v1/oauth-clients', body);
    const errorOf = async (form: Record<string, string>): Promise<unknown> =>
      (await flow.post('device/authorize', form)).body['error'];
    expect(await errorOf({ client_id: batch.client_id, client_secret: batch.client_secret })).toBe(
      'unauthorized_client',
    );
    expect(await errorOf({ scope: 'manage' })).toBe('invalid_scope');
    expect(await errorOf({ resource: 'https://elsewhere.example' })).toBe('invalid_target');
    expect(await errorOf({ client_id: `client_${'0'.repeat(32)}` })).toBe('invalid_client');
    const { device_code: deviceCode } = await flow.asked();
    flow.clientId = await flow.registered(owner);
    expect(await flow.pollError(deviceCode)).toBe('invalid_grant');
    for (const text of ['x', `dc-${'0'.repeat(40)}`]) expect(await flow.pollError(text)).toBe('invalid_grant');
    expect((await flow.post('token', { grant_type: DEVICE_CODE_GRANT })).body['error']).toBe('invalid_request');
  });

  it('gets its tokens once, however many of it ask at the same moment', async () => {
    const { device_code: deviceCode, user_code: userCode } = await flow.asked();
    await flow.decide(await flow.withKey(userCode), 'approve');
    const answers = await Promise.all(Array.from({ length: 20 }, () => flow.poll(deviceCode)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('has so many codes that wait for one address, and no more', async () => {
    const codes = Array.from({ length: 100 }, () => flow.post('device/authorize', {}, '192.0.2.77'));
    expect((await Promise.all(codes)).every(({ status }) => status === 200)).toBe(true);
    expect(await flow.post('device/authorize', {}, '192.0.2.77')).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
    expect((await flow.post('device/authorize', {}, '192.0.2.78')).status).toBe(200);
  });

  it('is stored as hashes alone', async () => {
    const { device_code: deviceCode, user_code: userCode } = await flow.asked();
    const { rows } = await flow.identity.database.pool.query<{ text: string }>(
      `SELECT oauth_device_codes::text AS text FROM oauth_device_codes UNION ALL SELECT registration_counters::text FROM registration_counters`,
    );
    for (const secret of [deviceCode, deviceCode.slice(3), userCode, userCode.replace('-', '')])
      expect(rows.filter(({ text }) => text.includes(secret))).toEqual([]);
  });
});

describe('the consents of one account to one client', () => {
  it('are so many, and the oldest ends for a new one', async () => {
    const given: Answer[] = [];
    for (let count = 0; count <= MAX_FAMILIES; count += 1) {
      const { user_code: userCode, device_code: deviceCode } = await flow.asked();
      await flow.decide(await flow.withKey(userCode), 'approve');
      given.push(await flow.poll(deviceCode));
      clock.advanceMs(1);
    }
    const refresh = async (answer: Answer | undefined): Promise<number> => {
      const form = { grant_type: 'refresh_token', refresh_token: String(answer?.body['refresh_token']) };
      return (await flow.post('token', form)).status;
    };
    expect([await refresh(given[0]), await refresh(given[1]), await refresh(given.at(-1))]).toEqual([400, 200, 200]);
  });
});

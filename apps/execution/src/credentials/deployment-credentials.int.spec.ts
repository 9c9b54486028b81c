import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AccountAssertion } from '@capability-router/contracts';
import { readStream } from '@capability-router/event-store';
import { newExecutionId, systemClock } from '@capability-router/kernel';
import {
  adminPath,
  assertion,
  operator,
  ownPath,
  reasonOf,
  startCredentialsWorld,
  untilReplica,
  type CredentialsWorld,
} from '../test-support/credentials-world.js';

let world: CredentialsWorld;
beforeAll(async () => {
  world = await startCredentialsWorld();
}, 60_000);
afterAll(() => world.stop());
beforeEach(() => world.reset());

const shownTo = (): unknown[] => world.callsOfTools().map(({ headers }) => headers.authorization);

describe('credentials of the deployment', () => {
  it('are shown to the provider once set, replaced on every replica, and gone on every replica once deleted', async () => {
    const account = assertion();
    expect(reasonOf(await world.call('weather.now.get.v1', account))).toBe('oauth_signin_required');
    expect(await world.put(adminPath('weather'), { token: 'sesame-one' }, operator)).toMatchObject({ status: 200 });
    for (const on of [world.execution, world.replica]) {
      expect(reasonOf(await world.call('weather.now.get.v1', account, on))).toBe('result.valid');
    }
    await world.put(adminPath('weather'), { token: 'sesame-two' }, operator);
    await world.call('weather.now.get.v1', account);
    expect(shownTo()).toEqual(['Bearer sesame-one', 'Bearer sesame-one', 'Bearer sesame-two']);
    await untilReplica(async () => {
      await world.call('weather.now.get.v1', account, world.replica);
      return shownTo().at(-1) === 'Bearer sesame-two';
    });
    expect((await world.execution.send('DELETE', adminPath('weather'), undefined, operator)).body).toMatchObject({
      data: { deleted: true },
    });
    expect(reasonOf(await world.call('weather.now.get.v1', account))).toBe('oauth_signin_required');
    await world.untilRefused('weather.now.get.v1', account);
    expect((await world.execution.send('DELETE', adminPath('weather'), undefined, operator)).body).toMatchObject({
      data: { deleted: false },
    });
  });

  it('that are missing end a call before anything is reserved: recorded, not charged, nothing sent', async () => {
    const executionId = newExecutionId(systemClock.nowMs());
    const holds = world.execution.billing.holds.length;
    const answer = await world.execution.call(
      { tool_id: 'other.now.get.v1', parameters: { city: 'Bern' } },
      { executionId },
    );
    expect(answer).toMatchObject({
      status: 200,
      body: {
        success: false,
        cost: 0,
        execution_outcome: { outcome: 'refused', reason_code: 'oauth_signin_required' },
      },
    });
    const events = await readStream(world.execution.database.pool, executionId);
    expect(events.map(({ type }) => type)).toEqual(['ExecutionRefused']);
    expect(world.execution.billing.holds).toHaveLength(holds);
    expect(world.provider.requests).toEqual([]);
  });

  it('show which fields are set, by which key and since when, and never a value', async () => {
    const set = await world.put(adminPath('weather'), { username: 'sesame-user', password: 'sesame-pass' }, operator);
    const field = (name: string) => ({
      field: name,
      key_id: 'k1',
      set_at: expect.stringMatching(/Z$/),
      sealed_at: expect.stringMatching(/Z$/),
    });
    const fields = [field('password'), field('username')];
    expect(set.body['data']).toEqual({ provider_id: 'weather', fields });
    const got = await world.execution.send('GET', adminPath('weather'), undefined, operator);
    expect(got.body['data']).toEqual({
      provider_id: 'weather',
      credential: 'deployment',
      accepts: [
        { auth: 'basic', fields: ['username', 'password'] },
        { auth: 'bearer', fields: ['token'] },
      ],
      fields,
    });
    const listed = await world.execution.send('GET', '/admin/v1/provider-credentials?limit=500', undefined, operator);
    expect(listed.body['data']).toMatchObject({ items: [{ provider_id: 'weather', fields }], current_key_id: 'k1' });
    for (const answer of [set, got, listed]) expect(JSON.stringify(answer.body)).not.toContain('sesame');
    expect(reasonOf(await world.call('weather.basic.get.v1'))).toBe('result.valid');
    // The other tool of the provider wants another credential.
    expect(reasonOf(await world.call('weather.now.get.v1'))).toBe('oauth_signin_required');
  });

  it.each<[string, string, unknown, AccountAssertion, number]>([
    ['no operator', adminPath('weather'), { fields: { token: 't' } }, assertion(), 403],
    ['a provider that is not there', adminPath('nobody'), { fields: { token: 't' } }, operator, 404],
    ['a provider whose accounts bring theirs', adminPath('mail'), { fields: { token: 't' } }, operator, 409],
    ['an unknown field', adminPath('weather'), { fields: { api_key: 'sesame-x' } }, operator, 422],
    ['a header of its own', adminPath('weather'), { fields: { token: 'sesame\r\nx: y' } }, operator, 422],
    ['a provider that wants none', adminPath('open'), { fields: { token: 'sesame-x' } }, operator, 422],
    ['no body', adminPath('weather'), undefined, operator, 422],
    [
      'an account, for a provider of the deployment’s',
      ownPath('weather'),
      { fields: { token: 't' } },
      assertion(),
      409,
    ],
    ['an account, for one that is not there', ownPath('nobody'), { fields: { token: 't' } }, assertion(), 404],
    [
      'a token that was handed on',
      ownPath('mail'),
      { fields: { token: 't' } },
      assertion({ credentialType: 'delegation_token' }),
      403,
    ],
  ])('are refused from, or with, %s', async (_name, path, body, as, status) => {
    const answer = await world.execution.send('PUT', path, body, as);
    expect({ status: answer.status, message: answer.body['message'] }).toEqual({
      status,
      message: expect.stringMatching(/\S/),
    });
    expect(JSON.stringify(answer.body)).not.toContain('sesame');
  });

  it('name what is allowed instead of an unknown field', async () => {
    const { body } = await world.put(adminPath('weather'), { api_key: 'sesame-x' }, operator);
    expect(body).toMatchObject({
      message: expect.stringContaining('"username", "password", "token"'),
      detail: [{ type: 'extra_forbidden', loc: ['body', 'fields', 'api_key'] }],
    });
  });
});

describe('a sealed credential', () => {
  it('that somebody moved to another row of the database is not sent, and says so in the log', async () => {
    await world.put(adminPath('weather'), { token: 'sesame-weather' }, operator);
    await world.put(adminPath('other'), { token: 'sesame-other' }, operator);
    await world.execution.database.pool.query(
      `UPDATE provider_credentials o SET sealed_fields = w.sealed_fields, revision = w.revision
         FROM provider_credentials w WHERE o.provider_id = 'other' AND w.provider_id = 'weather'`,
    );
    const answer = await world.call('other.now.get.v1', undefined, world.replica);
    expect(answer.body).toMatchObject({ cost: 0, execution_outcome: { reason_code: 'transport.execution_failed' } });
    expect(world.callsOfTools().map(({ method, url, headers }) => `${method} ${url} ${headers.authorization}`)).toEqual(
      [],
    );
    expect(world.logged.join('')).toContain('is not authentic');
    await world.execution.send('DELETE', adminPath('other'), undefined, operator);
  });
});

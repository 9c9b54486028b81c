import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountAssertion } from '@capability-router/contracts';
import { readStream } from '@capability-router/event-store';
import { ManualClock } from '@capability-router/kernel';
import { RunningIdentity, type Answer } from '../test-support/running-identity.js';

const admin: AccountAssertion = {
  accountId: `acc_${'a'.repeat(32)}`,
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: ['admin'],
};
const none = '00000000-0000-7000-8000-000000000000';

let identity: RunningIdentity;
beforeAll(async () => {
  identity = await RunningIdentity.start(new ManualClock(Date.UTC(2026, 0, 15, 12)));
});
afterAll(() => identity.stop());

type Method = 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
const dataOf = ({ body }: Answer) => body['data'] as Record<string, unknown>;
const byAdmin = (method: Method, path: string, body?: unknown): Promise<Answer> =>
  identity.call({ method, url: `/admin/v1${path}`, body, account: admin });

/** An account, how its first key is vouched for, and what that key asks. */
class Company {
  private constructor(
    readonly accountId: string,
    readonly credential: string,
    readonly apiKeyId: string,
  ) {}

  static async open(): Promise<Company> {
    const accountId = String(dataOf(await byAdmin('POST', '/accounts', { kind: 'formal', name: 'a' }))['account_id']);
    const issued = dataOf(await byAdmin('POST', `/accounts/${accountId}/api-keys`, { name: 'first' }));
    return new Company(accountId, String(issued['api_key']), String(issued['api_key_id']));
  }

  /** As the gateway is told of a credential now. */
  async vouched(credential = this.credential): Promise<AccountAssertion> {
    const asked = { method: 'POST', url: '/internal/credentials:verify', body: { credential } } as const;
    return (await identity.call(asked)).body['assertion'] as AccountAssertion;
  }

  async ask(method: Method, path: string, body?: unknown, credential?: string): Promise<Answer> {
    return identity.call({ method, url: `/api/v1/auth${path}`, body, account: await this.vouched(credential) });
  }

  async project(body: object = { name: 'research' }): Promise<string> {
    return String(dataOf(await this.ask('POST', '/projects', body))['project_id']);
  }

  async key(body: object): Promise<{ id: string; credential: string }> {
    const issued = dataOf(await this.ask('POST', '/api-keys', body));
    return { id: String(issued['api_key_id']), credential: String(issued['api_key']) };
  }
}

describe('the projects of an account', () => {
  it('that there is not are 404 to an administrator, and none of an account that has none', async () => {
    const { accountId } = await Company.open();
    const listed = await byAdmin('GET', `/accounts/${accountId}/projects`);
    expect([listed.status, dataOf(listed)]).toEqual([200, { items: [] }]);
    expect((await byAdmin('GET', `/accounts/acc_${'f'.repeat(32)}/projects`)).status).toBe(404);
  });

  it('are what a key spends for, and under whose budget: from when it is issued, and as it is moved', async () => {
    const company = await Company.open();
    const projectId = await company.project({ name: 'research', budget: { amount_credits: 5, period: 'month' } });
    const budgets = { project: { limitMicroCredits: '5000000', period: 'month' } };
    const born = await company.key({ name: 'born', project_id: projectId, session_budget: { amount_credits: 1 } });
    expect(await company.vouched(born.credential)).toMatchObject({
      projectId,
      budgets: { ...budgets, session: { limitMicroCredits: '1000000' } },
      scopes: ['call', 'read'],
    });
    const moved = await company.key({ name: 'moved' });
    expect(await company.vouched(moved.credential)).not.toHaveProperty('projectId');
    const into = `/projects/${projectId}/api-keys/${moved.id}`;
    for (const expected of [1, 2]) {
      expect([expected, dataOf(await company.ask('PUT', into))]).toEqual([
        expected,
        { api_key_id: moved.id, account_id: company.accountId, project_id: projectId },
      ]);
    }
    expect(await company.vouched(moved.credential)).toMatchObject({ projectId, budgets });
    const members = dataOf(await company.ask('GET', `/projects/${projectId}`))['api_keys'] as { name: string }[];
    expect(members.map(({ name }) => name).sort()).toEqual(['born', 'moved']);

    const other = await company.project({ name: 'sales' });
    await company.ask('PUT', `/projects/${other}/api-keys/${moved.id}`);
    expect(await company.vouched(moved.credential)).toMatchObject({ projectId: other });
    // Out of a project that it is not in, it stays.
    expect(dataOf(await company.ask('DELETE', into))).toMatchObject({ project_id: other });
    await company.ask('DELETE', `/projects/${other}/api-keys/${moved.id}`);
    expect(await company.vouched(moved.credential)).not.toHaveProperty('projectId');

    const facts = await readStream(identity.database.pool, company.accountId);
    const moves = facts.filter(({ type }) => type === 'ApiKeyProjectChanged').map(({ data }) => data['projectId']);
    expect(moves).toEqual([projectId, other, null]);
    expect(facts.find(({ type }) => type === 'ProjectCreated')?.data).toMatchObject({ budget: budgets.project });
    expect(JSON.stringify(facts)).not.toContain('research');
  });

  it('are closed and opened: keys of a closed one spend nothing, and everything else is as it was', async () => {
    const company = await Company.open();
    const projectId = await company.project();
    const { credential } = await company.key({ name: 'k', project_id: projectId, scopes: ['call', 'read', 'manage'] });
    const change = async (body: object): Promise<Record<string, unknown>> =>
      dataOf(await company.ask('PATCH', `/projects/${projectId}`, body));
    expect(await change({ state: 'closed' })).toMatchObject({ state: 'closed', name: 'research' });
    expect(await company.vouched(credential)).toMatchObject({ scopes: ['read', 'manage'], projectClosed: true });
    const reader = await company.key({ name: 'r', project_id: projectId, scopes: ['read'] });
    expect(await company.vouched(reader.credential)).not.toHaveProperty('projectClosed');
    expect((await company.ask('POST', '/api-keys', { name: 'x' }, credential)).status).toBe(403);
    await change({ state: 'closed' });
    await change({ name: 'labs', budget: { amount_credits: 2, period: 'total' } });
    expect(await change({ state: 'open' })).toMatchObject({ name: 'labs', budget: { amount_credits: 2 } });
    expect((await company.vouched(credential)).scopes).toEqual(['call', 'read', 'manage']);
    expect(await company.vouched(credential)).not.toHaveProperty('projectClosed');
    expect(await change({ budget: null })).not.toHaveProperty('budget');
    expect(await company.vouched(credential)).not.toHaveProperty('budgets');
    const facts = await readStream(identity.database.pool, company.accountId);
    const states = facts.filter(({ type }) => type === 'ProjectChanged').map(({ data }) => data['state']);
    expect(states).toEqual(['closed', 'closed', 'open', 'open']);
  });

  it('bind their keys: none leaves its project, gives a key beside it, or changes what it may spend', async () => {
    const company = await Company.open();
    const [projectId, other] = [await company.project(), await company.project()];
    const scopes = ['call', 'read', 'manage'];
    const member = await company.key({ name: 'member', project_id: projectId, scopes });
    const asMember = (method: Method, path: string, body?: unknown): Promise<Answer> =>
      company.ask(method, path, body, member.credential);
    for (const [method, path, body] of [
      ['DELETE', `/projects/${projectId}/api-keys/${member.id}`, undefined],
      ['PUT', `/projects/${other}/api-keys/${member.id}`, undefined],
      ['PATCH', `/projects/${projectId}`, { budget: null }],
      ['POST', '/projects', { name: 'mine' }],
      ['POST', '/api-keys', { name: 'x', project_id: other }],
      ['POST', `/api-keys/${company.apiKeyId}:rotate`, {}],
    ] as const) {
      expect([path, (await asMember(method, path, body)).status]).toEqual([path, 403]);
    }
    const given = dataOf(await asMember('POST', '/api-keys', { name: 'given' }));
    expect(given).toMatchObject({ project_id: projectId });
    const rotated = dataOf(await asMember('POST', `/api-keys/${member.id}:rotate`, {}));
    expect(await company.vouched(String(rotated['api_key']))).toMatchObject({ projectId });
    expect((await asMember('GET', `/projects/${projectId}`)).status).toBe(200);
  });

  it('are of one account, and for administrators all of them', async () => {
    const [company, stranger] = [await Company.open(), await Company.open()];
    const projectId = await company.project();
    for (const [method, path, body] of [
      ['GET', `/projects/${projectId}`, undefined],
      ['PATCH', `/projects/${projectId}`, { state: 'closed' }],
      ['PUT', `/projects/${projectId}/api-keys/${stranger.apiKeyId}`, undefined],
      ['GET', `/projects/${none}`, undefined],
      ['GET', '/projects/x', undefined],
    ] as const) {
      expect([path, (await stranger.ask(method, path, body)).status]).toEqual([path, 404]);
    }
    expect((await company.ask('PUT', `/projects/${projectId}/api-keys/${stranger.apiKeyId}`)).status).toBe(404);
    expect((await stranger.ask('POST', '/api-keys', { name: 'x', project_id: projectId })).status).toBe(422);
    expect(dataOf(await stranger.ask('GET', '/projects'))).toEqual({ items: [] });

    expect(dataOf(await byAdmin('GET', `/projects/${projectId}`))).toMatchObject({ account_id: company.accountId });
    const listed = dataOf(await byAdmin('GET', `/accounts/${company.accountId}/projects`))['items'];
    expect(listed).toEqual([expect.objectContaining({ project_id: projectId, name: 'research', state: 'open' })]);
    const into = `/projects/${projectId}/api-keys/${company.apiKeyId}`;
    expect(dataOf(await byAdmin('PUT', into))).toMatchObject({ project_id: projectId });
    expect(dataOf(await byAdmin('DELETE', into))).not.toHaveProperty('project_id');
    expect(dataOf(await byAdmin('PATCH', `/projects/${projectId}`, { state: 'closed' }))).toMatchObject({
      state: 'closed',
    });
    expect((await byAdmin('POST', `/accounts/acc_${'0'.repeat(32)}/projects`, { name: 'x' })).status).toBe(404);
  });

  it('and their keys are the same by ids in upper case, which are told in lower case everywhere', async () => {
    const company = await Company.open();
    const projectId = await company.project();
    const upper = projectId.toUpperCase();
    const key = await company.key({ name: 'k', project_id: upper });
    const [own, ofAll] = [`/api-keys/${key.id.toUpperCase()}`, '/projects'];
    const into = `${ofAll}/${upper}${own}`;
    const asked = [
      await company.ask('GET', `${ofAll}/${upper}`),
      await company.ask('DELETE', into),
      await byAdmin('PUT', into),
      await company.ask('PATCH', `${ofAll}/${upper}`, { state: 'closed' }),
      await byAdmin('PATCH', own, { budget: { amount_credits: 1, period: 'day' } }),
      await byAdmin('POST', `${own}/scopes`, { scopes: ['manage'] }),
      await byAdmin('POST', `${own}:rotate`, { overlap_seconds: 60 }),
      await company.ask('DELETE', own),
      await byAdmin('DELETE', own),
    ];
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 201, 200, 200]);
    const facts = await readStream(identity.database.pool, company.accountId);
    const log = dataOf(await byAdmin('GET', `/security-log?account_id=${company.accountId}`))['items'];
    const told = JSON.stringify([asked.map(dataOf), facts.map(({ data }) => data), log]);
    const ids = told.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi) ?? [];
    expect(ids.filter((id) => id === key.id).length).toBeGreaterThan(10);
    expect(ids.filter((id) => id !== id.toLowerCase())).toEqual([]);
  });

  it.each([
    [{}],
    [{ name: '' }],
    [{ name: 'x'.repeat(81) }],
    [{ name: 7 }],
    [{ name: 'x', budget: { amount_credits: 0, period: 'day' } }],
    [{ name: 'x', budget: { amount_credits: 1 } }],
    [{ name: 'x', budget: { amount_credits: 1, period: 'year' } }],
    [{ name: 'x', colour: 'blue' }],
  ])('are not made of %j', async (body) => {
    const company = await Company.open();
    expect((await company.ask('POST', '/projects', body)).status).toBe(422);
    const projectId = await company.project();
    const changed = Object.keys(body).length === 0 ? { name: null } : body;
    expect((await company.ask('PATCH', `/projects/${projectId}`, changed)).status).toBe(422);
    expect((await company.ask('PATCH', `/projects/${projectId}`, { state: 'gone' })).status).toBe(422);
  });

  it('are at most a hundred, and go with the account', async () => {
    const company = await Company.open();
    await identity.database.pool.query(
      `INSERT INTO projects (project_id, account_id, name, state, created_at)
       SELECT gen_random_uuid(), $1, 'filler', 'closed', now() FROM generate_series(1, 98)`,
      [company.accountId],
    );
    const made = await Promise.all([1, 2, 3].map(() => company.ask('POST', '/projects', { name: 'x' })));
    expect(made.map(({ status }) => status).sort()).toEqual([201, 201, 409]);
    expect((await byAdmin('DELETE', `/accounts/${company.accountId}`)).status).toBe(200);
    expect(dataOf(await byAdmin('GET', `/accounts/${company.accountId}/projects`))).toEqual({ items: [] });
  });
});

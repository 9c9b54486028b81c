/**
 * OWASP API1:2023. Attacked: what another account owns, by its id. Ids in paths are in `owned-routes`, sessions and budgets in
 * `budgets`, credentials for providers in `provider-credentials`; here are ids in filters, in bodies and in headers.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, newKey, type TestAccount } from '../support/accounts.js';
import { settledUsageOf } from '../support/audit.js';
import { execute } from '../support/execute.js';
import { call } from '../support/http.js';
import { asArray, asObject, asString } from '../support/json.js';
import { freeCall, paidCall } from '../support/tools.js';

const IDEMPOTENCY_KEY = 'owasp-api1';

let owner: TestAccount;
let stranger: TestAccount;
/** Ids of things that the owner has, by the name that filters and bodies have for it. */
let ids: Readonly<Record<'execution_id' | 'search_id' | 'api_key_id' | 'project_id', string>>;
beforeAll(async () => {
  [owner, stranger] = await Promise.all([newAccount(), newAccount()]);
  const found = await call('POST', '/search', { key: owner.key, body: { query: paidCall.toolId } });
  const searchId = asString(found.json['search_id']);
  const headers = { 'idempotency-key': IDEMPOTENCY_KEY };
  const body = { tool_id: paidCall.toolId, parameters: paidCall.parameters, search_id: searchId };
  const called = await call('POST', '/tools/execute', { key: owner.key, body, headers });
  const executionId = asString(called.json['execution_id']);
  await settledUsageOf(owner.key, executionId);
  const project = await call('POST', '/auth/projects', { key: owner.key, body: { name: 'owned' } });
  const projectId = asString(asObject(project.json['data'])['project_id']);
  ids = { execution_id: executionId, search_id: searchId, api_key_id: owner.keyId, project_id: projectId };
});

describe("a stranger who knows another account's ids", () => {
  it.each(['execution_id', 'search_id', 'api_key_id'] as const)(
    'finds nothing of it in the audit by %s, where its owner does',
    async (name) => {
      const query = { [name]: ids[name] };
      const itemsFor = async (key: string): Promise<readonly unknown[]> => {
        const reply = await call('GET', '/auth/usage/history/v2', { key, query });
        return asArray(asObject(reply.json['data'])['items']);
      };
      expect(await itemsFor(stranger.key)).toEqual([]);
      expect(await itemsFor(owner.key)).not.toEqual([]);
      const csv = await call('GET', '/auth/usage/history/v2/export', { key: stranger.key, query });
      expect([csv.status, csv.text.includes(ids.execution_id)]).toEqual([200, false]);
    },
  );

  it('cannot have a key of its own spend from the project', async () => {
    const refused = async (projectId: string): Promise<unknown[]> => {
      const body = { name: 'a key', scopes: ['call'], project_id: projectId };
      const reply = await call('POST', '/auth/api-keys', { key: stranger.key, body });
      return [reply.status, reply.text.replaceAll(projectId, '…')];
    };
    const nobodys = '01a21436-f0fe-7ce1-829f-e1ca33f845b4';
    expect(await refused(ids.project_id)).toEqual([422, expect.any(String)]);
    expect(await refused(ids.project_id)).toEqual(await refused(nobodys));
  });

  it("cannot lead its key into the project, nor the owner's key into its own", async () => {
    const mine = await call('POST', '/auth/projects', { key: stranger.key, body: { name: 'mine' } });
    const mineId = asString(asObject(mine.json['data'])['project_id']);
    const { keyId } = await newKey(stranger.accountId);
    const statuses = await Promise.all(
      [`${ids.project_id}/api-keys/${keyId}`, `${mineId}/api-keys/${ids.api_key_id}`].map(
        async (path) => (await call('PUT', `/auth/projects/${path}`, { key: stranger.key })).status,
      ),
    );
    expect(statuses).toEqual([404, 404]);
  });

  it("gets neither the owner's answer by its idempotency key, nor is it told that there is one", async () => {
    const query = { key: IDEMPOTENCY_KEY };
    const looked = await call('GET', '/tools/executions/by-idempotency-key', { key: stranger.key, query });
    expect(looked.status).toBe(404);
    const headers = { 'idempotency-key': IDEMPOTENCY_KEY };
    const body = { tool_id: freeCall.toolId, parameters: freeCall.parameters };
    const called = await call('POST', '/tools/execute', { key: stranger.key, body, headers });
    expect([called.status, called.json['success']]).toEqual([200, true]);
    expect(called.json['execution_id']).not.toBe(ids.execution_id);
  });

  it("adds nothing to the owner's search by naming it in a call", async () => {
    const reply = await execute(stranger.key, freeCall, { search_id: ids.search_id });
    const executionId = asString(reply.json['execution_id']);
    // Once the stranger can read it, the owner could.
    await settledUsageOf(stranger.key, executionId);
    const query = { search_id: ids.search_id };
    const rows = await call('GET', '/auth/usage/history/v2', { key: owner.key, query });
    expect(rows.text).toContain(ids.execution_id);
    expect(rows.text).not.toContain(executionId);
  });
});

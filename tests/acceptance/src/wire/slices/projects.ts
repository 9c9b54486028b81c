import { newAccount } from '../../support/accounts.js';
import { adminKey } from '../../support/environment.js';
import type { Reply } from '../../support/http.js';
import { asObject, asString } from '../../support/json.js';
import type { Slice } from '../slice.js';

const path = '/api/v1/auth/projects';
const keys = '/api/v1/auth/api-keys';
const usage = '/api/v1/auth/usage/history/v2';
const none = '00000000-0000-7000-8000-000000000000';

/** Teams of an account: its projects and their keys, by the account and by administrators. */
export const projects: Slice = {
  name: 'projects',
  async run(wire, provider) {
    const { accountId, key, keyId } = await newAccount(5);
    wire.caller('anna', key);
    const other = await newAccount(1);
    const told = ({ text }: Reply): boolean => !text.includes('"pending"');
    const ask = (title: string, method: string, of: string, body?: unknown, by = key): Promise<Reply> =>
      wire.ask(title, method, of, { key: by, ...(body === undefined ? {} : { body }), until: told });
    const idIn = (reply: Reply, member: string): string => asString(asObject(reply.json['data'])[member], member);

    const made = await wire.ask('a project', 'POST', path, {
      key,
      body: { name: 'research', budget: { amount_credits: 0.5, period: 'month' } },
    });
    const projectId = idIn(made, 'project_id');
    const one = `${path}/${projectId}`;
    const issued = await wire.ask('a key of the project', 'POST', keys, {
      key,
      body: { name: 'lab', scopes: ['call', 'read', 'manage'], project_id: projectId },
    });
    const member = asString(asObject(issued.json['data'])['api_key'], 'api_key');
    const memberId = idIn(issued, 'api_key_id');
    wire.caller('the lab', member);
    await ask('the project and its keys', 'GET', one);
    await ask('the projects', 'GET', path);
    const call = { tool_id: provider.idOf('list'), parameters: { size: 3 } };
    await wire.ask('a call for the project', 'POST', '/api/v1/tools/execute', { key: member, body: call });
    await ask('a project that is closed', 'PATCH', one, { state: 'closed' });
    await wire.ask('a call for a closed project', 'POST', '/api/v1/tools/execute', { key: member, body: call });
    await ask('a project that is open again, under another name and without a budget', 'PATCH', one, {
      state: 'open',
      name: 'labs',
      budget: null,
    });
    await ask('a key that leaves its project by itself', 'DELETE', `${one}/api-keys/${memberId}`, undefined, member);
    await ask('a key that leaves its project', 'DELETE', `${one}/api-keys/${memberId}`);
    await ask('a key that joins it', 'PUT', `${one}/api-keys/${memberId}`);
    await ask("another account's key", 'PUT', `${one}/api-keys/${other.keyId}`);
    await ask('a key of no project', 'PUT', `${path}/${none}/api-keys/${keyId}`);
    await ask('no project', 'GET', `${path}/${none}`);
    await ask("another account's project", 'GET', one, undefined, other.key);
    const refused: readonly [string, unknown][] = [
      ['a project without a name', {}],
      ['a project with an odd budget', { name: 'x', budget: { amount_credits: 1, period: 'year' } }],
    ];
    for (const [title, body] of refused) await ask(title, 'POST', path, body);
    await ask('a project of an odd state', 'PATCH', one, { state: 'gone' });
    await ask('a key of a project that there is not', 'POST', keys, { name: 'x', project_id: none });
    await wire.ask('usage of a project', 'GET', `${usage}?project_id=${projectId}&success=true`, {
      key,
      until: ({ text }) => /"billing_snapshot_status": ?"settled"/.test(text),
    });
    await wire.ask('credits that a project spent', 'GET', `/api/v1/auth/usage/credits-spent?project_id=${projectId}`, {
      key,
    });
    await wire.ask('usage of an odd project', 'GET', `${usage}?project_id=x`, { key });

    const ofAll = '/admin/v1/projects';
    await ask(
      'the projects, for administrators',
      'GET',
      `/admin/v1/accounts/${accountId}/projects`,
      undefined,
      adminKey,
    );
    await ask(
      'a project by an administrator',
      'POST',
      `/admin/v1/accounts/${accountId}/projects`,
      { name: 'sales' },
      adminKey,
    );
    await ask('a project, for administrators', 'GET', `${ofAll}/${projectId}`, undefined, adminKey);
    await ask('a change by an administrator', 'PATCH', `${ofAll}/${projectId}`, { state: 'closed' }, adminKey);
    await ask(
      'a key put in by an administrator',
      'PUT',
      `${ofAll}/${projectId}/api-keys/${keyId}`,
      undefined,
      adminKey,
    );
    await ask(
      'a key taken out by an administrator',
      'DELETE',
      `${ofAll}/${projectId}/api-keys/${keyId}`,
      undefined,
      adminKey,
    );
    await ask('no project, for administrators', 'GET', `${ofAll}/${none}`, undefined, adminKey);
  },
};

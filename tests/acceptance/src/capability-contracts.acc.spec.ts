import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, type TestAccount } from './support/accounts.js';
import { adminKey } from './support/environment.js';
import { eventually } from './support/eventually.js';
import { call, send, type Reply } from './support/http.js';
import { asArray, asObject, type JsonObject } from './support/json.js';

/** Two tools that compute the same in words of their own. */
const dear = 'forge.hash.digest.v1';
const free = 'toolbox.hash.digest.v1';
const id = `made_${randomBytes(6).toString('hex')}.fingerprint`;
const path = `/admin/v1/capabilities/${id}`;

const contractOf = (candidates: JsonObject[]): JsonObject => ({
  name: { en: 'Fingerprint' },
  description: { en: 'Checksum of a text.' },
  parameters_schema: {
    type: 'object',
    additionalProperties: false,
    required: ['text'],
    properties: { text: { type: 'string', maxLength: 1_000 } },
  },
  result_schema: {
    type: 'object',
    required: ['fingerprint'],
    properties: { fingerprint: { type: 'string', description: 'Lower-case hexadecimal.' } },
  },
  effect: 'read_only',
  sample_parameters: { text: 'abc' },
  candidates,
});
const ofDear = { tool_id: dear, result: { fingerprint: { from: '$.hex' } } };
const ofFree = {
  tool_id: free,
  parameters: { input: { from: '$.text' }, function: { value: 'sha512' } },
  result: { fingerprint: { from: '$.checksum' } },
};
const put = (candidates: JsonObject[]): Promise<Reply> =>
  send('PUT', path, { key: adminKey, body: contractOf(candidates) });

let account: TestAccount;
const query = (): Promise<Reply> =>
  call('POST', '/capabilities/query', { key: account.key, body: { capability_id: id, parameters: { text: 'abc' } } });
/** Every replica knows of a change within a second. */
const queried = (check: (reply: Reply) => void): Promise<Reply> =>
  eventually(async () => {
    const reply = await query();
    check(reply);
    return reply;
  });

describe('a contract that an administrator writes', () => {
  beforeAll(async () => {
    account = await newAccount();
  });
  afterAll(() => send('POST', `${path}:retire`, { key: adminKey }));

  it('is served at once by the tools that it binds, and by others as it changes', async () => {
    expect((await put([ofDear])).status).toBe(200);
    const first = await queried((reply) => expect(reply.status).toBe(200));
    expect(first.json).toMatchObject({ success: true, contract_version: 1, cost: 0.05 });
    expect(asObject(first.json['result'])).toMatchObject({ data: { fingerprint: expect.stringMatching(/^ba7816bf/) } });
    expect((await put([ofFree])).status).toBe(200);
    const second = await queried((reply) => {
      expect(reply.json).toMatchObject({ success: true, contract_version: 2, cost: 0 });
    });
    expect(asObject(second.json['result'])).toMatchObject({
      data: { fingerprint: expect.stringMatching(/^ddaf35a1/) },
    });
  });

  it('leaves out a tool that the catalogue does not have, and says why', async () => {
    const answer = await put([ofFree, { ...ofDear, tool_id: 'nobody.hash.make.v1' }]);
    const bindings = asArray(asObject(answer.json['data'])['bindings']).map((one) => asObject(one)['status']);
    expect(bindings).toEqual(['fits', 'unknown_tool']);
    await queried((reply) => {
      expect(reply.json).toMatchObject({ success: true, routing: { chosen: free } });
      expect(asObject(reply.json['routing'])['excluded']).toMatchObject([
        { tool_id: 'nobody.hash.make.v1', reason: 'contract_changed' },
      ]);
    });
  });

  it('is nobody’s to ask once it is retired, until it is restored as it was', async () => {
    const act = (action: string): Promise<Reply> => send('POST', `${path}:${action}`, { key: adminKey });
    expect((await act('retire')).status).toBe(200);
    expect((await call('GET', `/capabilities/${id}`, { key: account.key })).status).toBe(404);
    await queried((reply) => expect(reply.status).toBe(404));
    expect((await act('restore')).status).toBe(200);
    await queried((reply) => expect(reply.json).toMatchObject({ success: true, contract_version: 3 }));
  });
});

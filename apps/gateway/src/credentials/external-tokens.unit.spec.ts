import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { account, RunningGateway } from '../test-support/running-gateway.js';

let gateway: RunningGateway;
let answer: object;
beforeEach(async () => {
  gateway = new RunningGateway();
  await gateway.start();
  gateway.identity.behave = (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
});
afterEach(() => gateway.stop());

/** As long as tokens with lists of groups are. */
const token = `eyJhbGciOiJSUzI1NiJ9.${'e'.repeat(8_000)}.c2ln`;
const credits = (): Promise<Response> => gateway.fetch('/api/v1/auth/credits', {}, token);
const valid = { valid: true, assertion: { ...account, scopes: ['read'], credentialType: 'access_token' } };

describe('a token whose issuer is away', () => {
  it('is refused by nobody: the request may be repeated, and an Inspect says that it is lost', async () => {
    answer = { valid: false, undecided: true };
    const refused = await credits();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    const inspected = await gateway.post('/api/v1/tools/by-ids', { tool_ids: ['a.b.c.v1'] }, token);
    expect(inspected.status).toBe(502);
    // Nothing of it is remembered, as a refusal would be.
    answer = valid;
    expect((await credits()).status).toBe(200);
    answer = { valid: false, undecided: true };
    expect((await credits()).status).toBe(200);
  });

  it('is 401 as any other once its issuer says that it is none', async () => {
    answer = { valid: false };
    expect((await credits()).status).toBe(401);
  });
});

describe('a text that is longer than tokens are', () => {
  it('is refused unasked', async () => {
    answer = valid;
    const { length } = gateway.identity.seen;
    expect((await gateway.fetch('/api/v1/auth/credits', {}, `${token}${'x'.repeat(200)}`)).status).toBe(401);
    const asked = gateway.identity.seen.slice(length).filter(({ path }) => path.endsWith('credentials:verify'));
    expect(asked).toEqual([]);
  });
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayStandIn } from '../test-support/gateway-stand-in.js';

const ACCOUNT = `acc_${'1'.repeat(32)}`;
const CLIENT = `client_${'2'.repeat(32)}`;

let gateway: GatewayStandIn;
beforeEach(async () => {
  gateway = await GatewayStandIn.start();
});
afterEach(() => gateway.stop());

describe('caprouter oauth-clients', () => {
  it('registers a client and shows its secret', async () => {
    gateway.answer = { status: 201, body: { data: { client_id: CLIENT, client_secret: 'cs-x' } } };
    const { code, out } = await gateway.caprouter('oauth-clients', 'register', ACCOUNT, 'batch', 'call', 'read');
    expect([code, out.split('\n')]).toEqual([0, [`client_id      ${CLIENT}`, 'client_secret  cs-x']]);
    const body = { account_id: ACCOUNT, name: 'batch', scopes: ['call', 'read'] };
    expect(gateway.requests).toEqual([{ line: 'POST /admin/v1/oauth-clients', key: undefined, body }]);
  });

  it('registers a public client, which has no secret, and with other grants than those of its kind', async () => {
    gateway.answer = { status: 201, body: { data: { client_id: CLIENT } } };
    const { out } = await gateway.caprouter('oauth-clients', 'register', ACCOUNT, 'cli', 'call', '--public');
    expect(out).toBe(`client_id      ${CLIENT}`);
    const grants = ['--grant', 'device_code', '--grant', 'refresh_token'];
    await gateway.caprouter('oauth-clients', 'register', ACCOUNT, 'cli', 'call', ...grants);
    const body = { account_id: ACCOUNT, name: 'cli', scopes: ['call'] };
    expect(gateway.requests.map((request) => request.body)).toEqual([
      { ...body, token_endpoint_auth_method: 'none' },
      { ...body, grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'] },
    ]);
    expect(
      (await gateway.caprouter('oauth-clients', 'register', ACCOUNT, 'x', 'call', '--grant', 'password')).code,
    ).not.toBe(0);
  });

  it('lists the clients of an account', async () => {
    const item = { client_id: CLIENT, scopes: ['call'], name: 'batch' };
    gateway.answer = { status: 200, body: { data: { items: [item] } } };
    const { out } = await gateway.caprouter('oauth-clients', 'list', ACCOUNT);
    expect(out.split('\n').at(-1)).toBe(`${CLIENT}  call    confidential  active  batch`);
    expect(gateway.requests[0]?.line).toBe(`GET /admin/v1/oauth-clients?account_id=${ACCOUNT}`);
  });

  it('revokes one, and says whether gateways have still to hear of it', async () => {
    const data = { client_id: CLIENT, revoked_at: '2026-01-01T00:00:00.000Z', pending: true };
    gateway.answer = { status: 200, body: { data } };
    const { out } = await gateway.caprouter('oauth-clients', 'revoke', CLIENT);
    expect(out).toContain('revoked 2026-01-01T00:00:00.000Z  pending');
    expect(gateway.requests[0]?.line).toBe(`DELETE /admin/v1/oauth-clients/${CLIENT}`);
  });
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayStandIn } from '../test-support/gateway-stand-in.js';

const ACCOUNT = `acc_${'1'.repeat(32)}`;
const CONSENT = '0196a1b2-0000-7000-8000-00000000abcd';
const GRANTED = '2026-01-01T00:00:00.000Z';
const ENDS = '2026-01-31T00:00:00.000Z';

let gateway: GatewayStandIn;
beforeEach(async () => {
  gateway = await GatewayStandIn.start();
});
afterEach(() => gateway.stop());

describe('caprouter oauth-consents', () => {
  it.each([
    [['list', ACCOUNT], `/admin/v1/accounts/${ACCOUNT}/oauth-consents`],
    [['own', 'list'], '/api/v1/auth/oauth-consents'],
  ])('lists them, and says how to go on: %j', async (words, path) => {
    const item = {
      consent_id: CONSENT,
      client_name: 'terminal',
      scopes: ['call', 'read'],
      granted_at: GRANTED,
      expires_at: ENDS,
    };
    gateway.answer = { status: 200, body: { status_code: 200, data: { items: [item], next_before: CONSENT } } };
    const { code, out } = await gateway.caprouter('oauth-consents', ...words, '--before', CONSENT);
    expect(gateway.requests[0]?.line).toBe(`GET ${path}?before=${CONSENT}`);
    const row = `${CONSENT}  call,read  ${GRANTED}  -          ${ENDS}  terminal`;
    expect([code, out.split('\n').slice(1)]).toEqual([0, [row, `more: --before ${CONSENT}`]]);
    gateway.answer = { status: 200, body: { status_code: 200, data: { items: [] } } };
    expect((await gateway.caprouter('oauth-consents', ...words)).out).toBe('no consents');
  });

  it.each([
    [['revoke', CONSENT], `/admin/v1/oauth-consents/${CONSENT}`],
    [['own', 'revoke', CONSENT], `/api/v1/auth/oauth-consents/${CONSENT}`],
  ])('ends one, and says whether gateways have still to hear of it: %j', async (words, path) => {
    const data = { consent_id: CONSENT, revoked_at: GRANTED, pending: true };
    gateway.answer = { status: 200, body: { status_code: 200, data } };
    const { out } = await gateway.caprouter('oauth-consents', ...words);
    expect(out).toBe(`${CONSENT}  revoked ${GRANTED}  pending: not every gateway has confirmed it yet; ask again`);
    expect(gateway.requests[0]?.line).toBe(`DELETE ${path}`);
  });
});

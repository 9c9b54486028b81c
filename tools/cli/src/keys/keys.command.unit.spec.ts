import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayStandIn } from '../test-support/gateway-stand-in.js';

const KEY = '0196a1b2-0000-7000-8000-00000000abcd';
const ACCOUNT = `acc_${'1'.repeat(32)}`;

let gateway: GatewayStandIn;
beforeEach(async () => {
  gateway = await GatewayStandIn.start();
});
afterEach(() => gateway.stop());

describe('caprouter keys', () => {
  it('lists what lost something, and says how to go on', async () => {
    const item = {
      api_key_id: KEY,
      account_id: ACCOUNT,
      name: 'ci',
      scopes: ['read'],
      lost_scopes: ['call', 'manage'],
    };
    gateway.answer = { status: 200, body: { data: { items: [item], next_after: KEY } } };
    const { code, out } = await gateway.caprouter('keys', 'narrowed', '--after', KEY);
    expect(gateway.requests[0]?.line).toBe(`GET /admin/v1/narrowed-api-keys?after=${KEY}`);
    expect([code, out.split('\n').slice(1)]).toEqual([
      0,
      [`${KEY}  ${ACCOUNT}  read  call,manage  ci`, `more: --after ${KEY}`],
    ]);
    gateway.answer = { status: 200, body: { data: { items: [] } } };
    expect((await gateway.caprouter('keys', 'narrowed')).out).toBe('no keys');
  });

  it('lists own keys with whether they still work', async () => {
    const key = (name: string, more: object) => ({
      api_key_id: KEY,
      name,
      masked_value: 'crk_…',
      scopes: ['read'],
      ...more,
    });
    const ends = (expires_at: string) => ({ expires_at });
    const items = [
      key('lasting', {}),
      key('ending', ends('2999-01-01T00:00:00Z')),
      key('ended', ends('2020-01-01T00:00:00Z')),
      key('gone', { revoked_at: '2020-01-01T00:00:00Z' }),
    ];
    gateway.answer = { status: 200, body: { status_code: 200, data: { items } } };
    const { out } = await gateway.caprouter('keys', 'own', 'list');
    const [, ...lines] = out.split('\n').map((line) => line.split(/ {2,}/));
    expect(lines.map((cells) => [cells.at(-1), cells[2]])).toEqual([
      ['lasting', 'active'],
      ['ending', 'active'],
      ['ended', 'expired'],
      ['gone', 'revoked'],
    ]);
  });

  it('grants scopes and says what the key has', async () => {
    gateway.answer = { status: 200, body: { data: { api_key_id: KEY, scopes: ['read', 'manage'] } } };
    const { code, out } = await gateway.caprouter('keys', 'grant', KEY, 'read', 'manage');
    expect([code, out]).toEqual([0, `${KEY}  read,manage`]);
    expect(gateway.requests).toEqual([
      { line: `POST /admin/v1/api-keys/${KEY}/scopes`, key: undefined, body: { scopes: ['read', 'manage'] } },
    ]);
  });

  it.each([
    [{}, ''],
    [{ pending: true }, '  pending: not every gateway has confirmed it yet; ask again'],
  ])('revokes, and says whether gateways have still to hear of it: %j', async (more, said) => {
    gateway.answer = {
      status: 200,
      body: { data: { api_key_id: KEY, revoked_at: '2026-01-01T00:00:00.000Z', ...more } },
    };
    expect((await gateway.caprouter('keys', 'revoke', KEY)).out).toBe(
      `${KEY}  revoked 2026-01-01T00:00:00.000Z${said}`,
    );
    expect(gateway.requests[0]?.line).toBe(`DELETE /admin/v1/api-keys/${KEY}`);
  });

  it('prints the data for programs', async () => {
    const data = { api_key_id: KEY, scopes: ['read'] };
    gateway.answer = { status: 200, body: { data } };
    expect(JSON.parse((await gateway.caprouter('--json', 'keys', 'grant', KEY, 'read')).out)).toEqual(data);
  });
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayStandIn } from '../test-support/gateway-stand-in.js';

const ACCOUNT = `acc_${'1'.repeat(32)}`;

let gateway: GatewayStandIn;
beforeEach(async () => {
  gateway = await GatewayStandIn.start();
});
afterEach(() => gateway.stop());

describe('caprouter accounts', () => {
  it('lists what is asked for, also while billing is away, and says how to go on', async () => {
    const item = { account_id: ACCOUNT, kind: 'formal', state: 'active', name: 'Anna', balance_credits: 12.5 };
    const away = { account_id: ACCOUNT, kind: 'trial', state: 'closed', name: 'Ben', email: 'ben@example.org' };
    gateway.answer = { status: 200, body: { data: { items: [item, away], next_cursor: 'abc' } } };
    const { code, out } = await gateway.caprouter('accounts', 'list', '--name', 'a b', '--cursor', 'xyz');
    expect(gateway.requests[0]?.line).toBe('GET /admin/v1/accounts?name=a%20b&cursor=xyz');
    const lines = out.split('\n').map((line) => line.trim().split(/ +/));
    expect([code, lines.slice(1)]).toEqual([
      0,
      [
        [ACCOUNT, 'formal', 'active', '12.5', 'Anna'],
        [ACCOUNT, 'trial', 'closed', '?', 'Ben', 'ben@example.org'],
        ['more:', '--cursor', 'abc'],
      ],
    ]);
    gateway.answer = { status: 200, body: { data: { items: [] } } };
    expect((await gateway.caprouter('accounts', 'list')).out).toBe('no accounts');
  });

  it.each([
    ['suspend', {}, ''],
    ['close', { pending: true }, '  pending: not every gateway has confirmed it yet; ask again'],
  ])('%s says what the account is now: %j', async (action, more, said) => {
    gateway.answer = { status: 200, body: { data: { account_id: ACCOUNT, state: 'suspended', ...more } } };
    expect((await gateway.caprouter('accounts', action, ACCOUNT)).out).toBe(`${ACCOUNT}  suspended${said}`);
    expect(gateway.requests[0]?.line).toBe(`POST /admin/v1/accounts/${ACCOUNT}:${action}`);
  });
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayStandIn } from '../test-support/gateway-stand-in.js';

const ACCOUNT = `acc_${'1'.repeat(32)}`;
const perMinute = { discover: null, inspect: null, probe: null, call: 500, read: null };

let gateway: GatewayStandIn;
beforeEach(async () => {
  gateway = await GatewayStandIn.start();
});
afterEach(() => gateway.stop());

describe('caprouter rate-limit-plans', () => {
  it('lists plans with their limits', async () => {
    gateway.answer = { status: 200, body: { data: { items: [{ name: 'gold', per_minute: perMinute }] } } };
    const { out } = await gateway.caprouter('rate-limit-plans', 'list');
    expect(out.split('\n').at(-1)?.split(/ +/)).toEqual(['gold', '-', '-', '-', '500', '-']);
  });

  it('sets the limits of a plan, and says whether gateways have still to hear of it', async () => {
    gateway.answer = { status: 200, body: { data: { name: 'gold', per_minute: perMinute, pending: true } } };
    const { out } = await gateway.caprouter('rate-limit-plans', 'set', 'gold', 'call=500');
    expect(out).toContain('call 500');
    expect(out).toContain('pending');
    const body = { per_minute: { call: 500 } };
    expect(gateway.requests).toEqual([{ line: 'PUT /admin/v1/rate-limit-plans/gold', key: undefined, body }]);
    expect((await gateway.caprouter('rate-limit-plans', 'set', 'gold', 'call')).code).toBe(2);
    expect(gateway.requests).toHaveLength(1);
  });

  it('removes a plan', async () => {
    gateway.answer = { status: 200, body: { data: { name: 'gold', removed: true } } };
    expect((await gateway.caprouter('rate-limit-plans', 'remove', 'gold')).out).toBe('gold  removed');
    expect(gateway.requests[0]?.line).toBe('DELETE /admin/v1/rate-limit-plans/gold');
  });

  it.each([[['gold'], 'gold'] as const, [[], null] as const])('gives an account the plan %j', async (args, plan) => {
    gateway.answer = { status: 200, body: { data: { account_id: ACCOUNT, plan: plan ?? 'formal' } } };
    const { out } = await gateway.caprouter('rate-limit-plans', 'assign', ACCOUNT, ...args);
    expect(out).toBe(`${ACCOUNT}  ${plan ?? 'formal'}`);
    expect(gateway.requests[0]).toMatchObject({
      line: `PUT /admin/v1/accounts/${ACCOUNT}/rate-limit-plan`,
      body: { plan },
    });
  });
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayStandIn } from '../test-support/gateway-stand-in.js';

const ACCOUNT = `acc_${'1'.repeat(32)}`;
const PROJECT = '018f0000-0000-7000-8000-000000000001';
const KEY = '018f0000-0000-7000-8000-000000000002';

let gateway: GatewayStandIn;
beforeEach(async () => {
  gateway = await GatewayStandIn.start();
});
afterEach(() => gateway.stop());

describe('caprouter projects', () => {
  it('lists the projects of an account', async () => {
    const budget = { amount_credits: 5, period: 'month' };
    const item = { project_id: PROJECT, state: 'open', name: 'research', budget };
    gateway.answer = { status: 200, body: { data: { items: [item] } } };
    const { out } = await gateway.caprouter('projects', 'list', ACCOUNT);
    expect(out.split('\n').at(-1)?.split(/ +/)).toEqual([PROJECT, 'open', '5/month', 'research']);
    expect(gateway.requests[0]?.line).toBe(`GET /admin/v1/accounts/${ACCOUNT}/projects`);
  });

  it('makes one', async () => {
    gateway.answer = { status: 201, body: { data: { project_id: PROJECT, state: 'open' } } };
    expect((await gateway.caprouter('projects', 'create', ACCOUNT, 'research')).out).toBe(`${PROJECT}  open`);
    const line = `POST /admin/v1/accounts/${ACCOUNT}/projects`;
    expect(gateway.requests[0]).toMatchObject({ line, body: { name: 'research' } });
  });

  it.each([
    ['add-key', 'PUT', { project_id: PROJECT, pending: true }, `${PROJECT}  pending`],
    ['remove-key', 'DELETE', {}, 'no project'],
  ])('%s', async (action, method, told, shown) => {
    gateway.answer = { status: 200, body: { data: { api_key_id: KEY, ...told } } };
    expect((await gateway.caprouter('projects', action, PROJECT, KEY)).out).toContain(`${KEY}  ${shown}`);
    expect(gateway.requests[0]?.line).toBe(`${method} /admin/v1/projects/${PROJECT}/api-keys/${KEY}`);
  });
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayStandIn } from '../test-support/gateway-stand-in.js';

const ACCOUNT = `acc_${'1'.repeat(32)}`;
const LINK = '0196a1b2-0000-4000-8000-00000000abcd';
const AT = '2026-01-01T00:00:00.000Z';

let gateway: GatewayStandIn;
beforeEach(async () => {
  gateway = await GatewayStandIn.start();
});
afterEach(() => gateway.stop());

describe('caprouter external-subjects', () => {
  it('links one, and says whether gateways have still to hear of it', async () => {
    const data = { external_subject_id: LINK, account_id: ACCOUNT, pending: true };
    gateway.answer = { status: 201, body: { data } };
    const { out } = await gateway.caprouter('external-subjects', 'link', ACCOUNT, 'acme', 'ada');
    expect(out).toBe(`${LINK}  ${ACCOUNT}  pending: not every gateway has confirmed it yet; ask again`);
    const body = { account_id: ACCOUNT, issuer: 'acme', subject: 'ada' };
    expect(gateway.requests).toEqual([{ line: 'POST /admin/v1/external-subjects', key: undefined, body }]);
  });

  it('lists those of an account, also one whose issuer is configured no more', async () => {
    const item = { external_subject_id: LINK, iss: 'https://acme.example', linked_at: AT };
    gateway.answer = { status: 200, body: { data: { items: [{ ...item, issuer: 'acme', subject: 'ada' }, item] } } };
    const { out } = await gateway.caprouter('external-subjects', 'list', ACCOUNT);
    expect(out.split('\n').slice(1)).toEqual([
      `${LINK}  acme                  ${AT}  ada`,
      `${LINK}  https://acme.example  ${AT}  -`,
    ]);
    expect(gateway.requests[0]?.line).toBe(`GET /admin/v1/external-subjects?account_id=${ACCOUNT}`);
    gateway.answer = { status: 200, body: { data: { items: [] } } };
    expect((await gateway.caprouter('external-subjects', 'list', ACCOUNT)).out).toBe('no subjects');
  });

  it('removes a link', async () => {
    gateway.answer = { status: 200, body: { data: { external_subject_id: LINK, removed_at: AT } } };
    expect((await gateway.caprouter('external-subjects', 'unlink', LINK)).out).toBe(`${LINK}  removed ${AT}`);
    expect(gateway.requests[0]?.line).toBe(`DELETE /admin/v1/external-subjects/${LINK}`);
  });
});

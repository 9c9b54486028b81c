import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { GatewayStandIn } from '../test-support/gateway-stand-in.js';

let gateway: GatewayStandIn;
beforeEach(async () => {
  gateway = await GatewayStandIn.start();
});
afterEach(() => gateway.stop());

const answerWith = (items: object[]) => {
  const data = { items, total: items.length, page: 1, page_size: items.length, summary: null };
  gateway.answer = { status: 200, body: { status: 'success', status_code: 0, message: 'ok', data } };
};
const lastRow = (out: string) => out.split('\n').at(-1)?.split(/ {2,}/);

it('caprouter usage shows what became of what was asked for', async () => {
  const item = { created_at: '2026-01-01T00:00:00Z', display_target: 'a.b.c.v1', charge_outcome: 'charged' };
  answerWith([
    { ...item, settled_amount_credits: 0.5, billing_snapshot_status: 'settled', credits_ledger_entry_id: 'led_1' },
  ]);
  const { out } = await gateway.caprouter('usage', '--execution', 'exec_1', '--outcome', 'charged', '--page', '2');
  expect(lastRow(out)).toEqual(['2026-01-01T00:00:00Z', 'a.b.c.v1', 'charged', '0.5', 'settled', 'led_1']);
  const query = 'limit=10&page=2&execution_id=exec_1&charge_outcome=charged';
  expect(gateway.requests[0]?.line).toBe(`GET /api/v1/auth/usage/history/v2?${query}`);
});

it('caprouter ledger list shows how the balance moved', async () => {
  const entry = {
    created_at: '2026-01-01T00:00:00Z',
    entry_type: 'consume_tool_execute',
    amount_credits: -0.5,
    id: 'led_1',
  };
  answerWith([{ ...entry, balance_after: { total_available_credits: 9.5 }, description: 'a.b.c.v1' }]);
  const { out } = await gateway.caprouter('ledger', 'list');
  expect(lastRow(out)).toEqual(['2026-01-01T00:00:00Z', 'consume_tool_execute', '-0.5', '9.5', 'led_1', 'a.b.c.v1']);
});

it('caprouter keys own rotate shows the new key alone on standard output', async () => {
  const data = { api_key_id: 'k2', api_key: 'sk-new' };
  gateway.answer = { status: 200, body: { status: 'success', status_code: 0, message: 'ok', data } };
  expect(await gateway.caprouter('keys', 'own', 'rotate', 'k1', '--overlap', '0')).toMatchObject({
    code: 0,
    out: 'sk-new',
  });
  expect(gateway.requests[0]).toMatchObject({
    line: 'POST /api/v1/auth/api-keys/k1:rotate',
    body: { overlap_seconds: 0 },
  });
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayStandIn } from '../test-support/gateway-stand-in.js';

const ACCOUNT = `acc_${'1'.repeat(32)}`;
const ENTRY = `led_${'2'.repeat(32)}`;
const EVENT = '0196a1b2-0000-7000-8000-00000000abcd';
const moved = { ledger_entry_id: ENTRY, entry_type: 'grant_charge_refund', amount_credits: 2.5, balance_credits: 10 };

let gateway: GatewayStandIn;
beforeEach(async () => {
  gateway = await GatewayStandIn.start();
  gateway.answer = { status: 201, body: { status: 'success', data: moved } };
});
afterEach(() => gateway.stop());

describe('caprouter grants', () => {
  it('sends a grant with what was given, under a key that it names first', async () => {
    const until = '2030-01-01T00:00:00Z';
    const options = ['--category', 'purchased', '--expires-at', until, '--reference', 'inv-7', '--note', 'hello'];
    options.push('--paid', '9.90', '--currency', 'EUR');
    const { code, out, error } = await gateway.caprouter('grants', 'add', ACCOUNT, '12.5', ...options);
    expect([code, out]).toEqual([0, `${ENTRY}  grant_charge_refund  2.5  balance 10`]);
    expect(gateway.requests).toEqual([
      {
        line: `POST /admin/v1/accounts/${ACCOUNT}/grants`,
        key: expect.stringMatching(/^[0-9a-f-]{36}$/),
        body: {
          category: 'purchased',
          amount_credits: 12.5,
          expires_at: until,
          paid_amount: '9.90',
          paid_currency: 'EUR',
          reference: 'inv-7',
          note: 'hello',
        },
      },
    ]);
    expect(error).toBe(`idempotency key: ${String(gateway.requests[0]?.key)}`);
  });

  it.each([
    [['refund', ACCOUNT, 'exec_1'], 'refunds', { execution_id: 'exec_1' }],
    [['refund', ACCOUNT, 'srch_1', '--credits', '1'], 'refunds', { search_id: 'srch_1', amount_credits: 1 }],
    [['refund', ACCOUNT, 'imp_1'], 'refunds', { source_ref_id: 'imp_1' }],
    [['refund', ACCOUNT, EVENT], 'refunds', { usage_event_id: EVENT }],
    [['refund', ACCOUNT, ENTRY], 'refunds', { ledger_entry_id: ENTRY }],
    [['return-payment', ACCOUNT, ENTRY, '--credits', '3'], 'payment-refunds', { grant_id: ENTRY, amount_credits: 3 }],
    [
      ['correct', ACCOUNT, '--entry', ENTRY, '--', '-4.5'],
      'corrections',
      { amount_credits: -4.5, ledger_entry_id: ENTRY },
    ],
    [['correct', ACCOUNT, '2', '--category', 'trial'], 'corrections', { amount_credits: 2, category: 'trial' }],
  ])('%j asks for it, under the key that it is given', async (args, path, body) => {
    const { code } = await gateway.caprouter(
      'grants',
      ...args.slice(0, 1),
      '--idempotency-key',
      'k1',
      ...args.slice(1),
    );
    expect(code).toBe(0);
    expect(gateway.requests).toEqual([{ line: `POST /admin/v1/accounts/${ACCOUNT}/${path}`, key: 'k1', body }]);
  });

  it('lists grants and says how to go on', async () => {
    const item = { grant_id: ENTRY, category: 'trial', remaining_credits: 1, amount_credits: 3, expires_at: '2030' };
    gateway.answer = { status: 200, body: { data: { items: [item], has_more: true, next_before: ENTRY } } };
    const { out } = await gateway.caprouter('grants', 'list', ACCOUNT, '--before', ENTRY);
    expect(out).toBe(`${ENTRY}  trial  1 of 3  ends 2030\nmore: --before ${ENTRY}`);
    expect(gateway.requests[0]?.line).toBe(`GET /admin/v1/accounts/${ACCOUNT}/grants?before=${ENTRY}`);
  });

  it('sends nothing where the amount is none', async () => {
    const { code, error } = await gateway.caprouter('grants', 'add', ACCOUNT, '1e3', '--category', 'purchased');
    expect([code, error]).toEqual([2, expect.stringContaining('"1e3" is no amount')]);
    expect(gateway.requests).toEqual([]);
  });

  it('tells why it was refused', async () => {
    gateway.answer = { status: 409, body: { message: 'All 7 credits of this charge were refunded before.' } };
    const { code, error } = await gateway.caprouter('grants', 'refund', ACCOUNT, ENTRY);
    expect([code, error]).toEqual([1, expect.stringContaining('were refunded before. (409)')]);
  });
});

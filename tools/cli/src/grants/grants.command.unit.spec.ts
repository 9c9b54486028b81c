import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { run } from '../run.js';

const ACCOUNT = `acc_${'1'.repeat(32)}`;
const ENTRY = `led_${'2'.repeat(32)}`;
const moved = { ledger_entry_id: ENTRY, entry_type: 'grant_charge_refund', amount_credits: 2.5, balance_credits: 10 };

/** A gateway of the test. */
let server: Server;
let answer: { readonly status: number; readonly body: object };
const requests: { readonly line: string; readonly key: unknown; readonly body: unknown }[] = [];

beforeEach(async () => {
  requests.length = 0;
  answer = { status: 201, body: { status: 'success', data: moved } };
  server = createServer((request, response) => {
    void text(request).then((body) => {
      const line = `${request.method} ${request.url}`;
      requests.push({
        line,
        key: request.headers['idempotency-key'],
        body: body === '' ? undefined : JSON.parse(body),
      });
      response.writeHead(answer.status).end(JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
});

async function caprouter(...args: readonly string[]) {
  const [out, error]: [string[], string[]] = [[], []];
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const code = await run(args, {
    env: { CAPROUTER_GATEWAY_URL: origin, CAPROUTER_API_KEY: 'sk-environment00' },
    stdin: Readable.from([]),
    out: (line) => void out.push(line),
    error: (line) => void error.push(line),
  });
  return { code, out: out.join('\n'), error: error.join('\n') };
}

describe('caprouter grants', () => {
  it('sends a grant with what was given, under a key that it names first', async () => {
    const until = '2030-01-01T00:00:00Z';
    const options = ['--category', 'purchased', '--expires-at', until, '--reference', 'inv-7', '--note', 'hello'];
    const { code, out, error } = await caprouter('grants', 'add', ACCOUNT, '12.5', ...options);
    expect([code, out]).toEqual([0, `${ENTRY}  grant_charge_refund  2.5  balance 10`]);
    expect(requests).toEqual([
      {
        line: `POST /admin/v1/accounts/${ACCOUNT}/grants`,
        key: expect.stringMatching(/^[0-9a-f-]{36}$/),
        body: { category: 'purchased', amount_credits: 12.5, expires_at: until, reference: 'inv-7', note: 'hello' },
      },
    ]);
    expect(error).toBe(`idempotency key: ${String(requests[0]?.key)}`);
  });

  it.each([
    [['refund', ACCOUNT, 'exec_1'], 'refunds', { execution_id: 'exec_1' }],
    [['refund', ACCOUNT, 'srch_1', '--credits', '1'], 'refunds', { search_id: 'srch_1', amount_credits: 1 }],
    [['refund', ACCOUNT, ENTRY], 'refunds', { ledger_entry_id: ENTRY }],
    [['return-payment', ACCOUNT, ENTRY, '--credits', '3'], 'payment-refunds', { grant_id: ENTRY, amount_credits: 3 }],
    [
      ['correct', ACCOUNT, '--entry', ENTRY, '--', '-4.5'],
      'corrections',
      { amount_credits: -4.5, ledger_entry_id: ENTRY },
    ],
    [['correct', ACCOUNT, '2', '--category', 'trial'], 'corrections', { amount_credits: 2, category: 'trial' }],
  ])('%j asks for it, under the key that it is given', async (args, path, body) => {
    const { code } = await caprouter('grants', ...args.slice(0, 1), '--idempotency-key', 'k1', ...args.slice(1));
    expect(code).toBe(0);
    expect(requests).toEqual([{ line: `POST /admin/v1/accounts/${ACCOUNT}/${path}`, key: 'k1', body }]);
  });

  it('lists grants and says how to go on', async () => {
    const item = { grant_id: ENTRY, category: 'trial', remaining_credits: 1, amount_credits: 3, expires_at: '2030' };
    answer = { status: 200, body: { data: { items: [item], has_more: true, next_before: ENTRY } } };
    const { out } = await caprouter('grants', 'list', ACCOUNT, '--before', ENTRY);
    expect(out).toBe(`${ENTRY}  trial  1 of 3  ends 2030\nmore: --before ${ENTRY}`);
    expect(requests[0]?.line).toBe(`GET /admin/v1/accounts/${ACCOUNT}/grants?before=${ENTRY}`);
  });

  it('sends nothing where the amount is none', async () => {
    const { code, error } = await caprouter('grants', 'add', ACCOUNT, '1e3', '--category', 'purchased');
    expect([code, error]).toEqual([2, expect.stringContaining('"1e3" is no amount')]);
    expect(requests).toEqual([]);
  });

  it('tells why it was refused', async () => {
    answer = { status: 409, body: { message: 'All 7 credits of this charge were refunded before.' } };
    const { code, error } = await caprouter('grants', 'refund', ACCOUNT, ENTRY);
    expect([code, error]).toEqual([1, expect.stringContaining('were refunded before. (409)')]);
  });
});

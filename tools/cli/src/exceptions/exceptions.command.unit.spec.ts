import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayStandIn } from '../test-support/gateway-stand-in.js';

const ID = `xcp_${'1'.repeat(32)}`;
const ACCOUNT = `acc_${'2'.repeat(32)}`;
const CALL = `exec_${'3'.repeat(32)}`;
const item = {
  exception_id: ID,
  kind: 'failed_charged_review',
  state: 'open',
  account_id: ACCOUNT,
  source_ref_id: CALL,
  charged_credits: 2.5,
  refunded_credits: 0,
  uncollected_credits: 0,
  actions: ['confirm', 'refund'],
  raised_at: '2026-05-01T12:00:00.000Z',
};
const common = { exception_id: ID, account_id: ACCOUNT, kind: 'failed_charged_review' };
const refund = { amount_credits: 2.5, ledger_entry_id: 'led_9', balance_credits: 10 };

let gateway: GatewayStandIn;
beforeEach(async () => {
  gateway = await GatewayStandIn.start();
});
afterEach(() => gateway.stop());

describe('caprouter exceptions', () => {
  it('lists the queue as a table, with the filters that it is given, and says how to go on', async () => {
    const closed = { ...item, state: 'refunded', refunded_credits: 2.5, actions: [] };
    gateway.answer = { status: 200, body: { data: { items: [item, closed], has_more: true, next_cursor: 'a.b' } } };
    const filters = ['--state', 'all', '--kind', 'missing_hold', '--account', ACCOUNT, '--execution', CALL];
    const { code, out } = await gateway.caprouter('exceptions', 'list', ...filters, '--limit', '2', '--cursor', 'x=');
    expect(gateway.requests.map(({ line }) => line)).toEqual([
      `GET /admin/v1/exceptions?state=all&kind=missing_hold&account_id=${ACCOUNT}&execution_id=${CALL}&page_size=2&cursor=x%3D`,
    ]);
    const [head = '', first = '', second = '', ...more] = out.split('\n');
    expect([code, more]).toEqual([0, ['more: --cursor a.b']]);
    expect(first.split(/ {2,}/)).toEqual([
      ID,
      'open',
      'failed_charged_review',
      ACCOUNT,
      CALL,
      '2.5',
      '0',
      '0',
      '2026-05-01T12:00:00.000Z',
      'confirm,refund',
    ]);
    for (const [name, text] of [
      ['KIND', 'failed_charged_review'],
      ['CHARGED', '2.5'],
      ['RAISED', '2026-'],
    ] as const) {
      expect(first.indexOf(text)).toBe(head.indexOf(name));
      expect(second.indexOf(text)).toBe(head.indexOf(name));
    }
    expect(second).toMatch(/ {2}-$/);
  });

  it('says that nothing waits, and prints the answer itself when asked for JSON', async () => {
    const data = { items: [], has_more: false, page_size: 0 };
    gateway.answer = { status: 200, body: { data } };
    expect((await gateway.caprouter('exceptions', 'list')).out).toBe('no exceptions');
    const { out } = await gateway.caprouter('--json', 'exceptions', 'list');
    expect(JSON.parse(out)).toEqual(data);
    expect(gateway.requests.map(({ line }) => line)).toEqual(Array(2).fill('GET /admin/v1/exceptions'));
  });

  it('shows one with what was decided about it', async () => {
    const history = [
      { action: 'refunded', acted_by: 'key-1', acted_at: '2026-05-02', amount_credits: 2.5, note: 'why' },
    ];
    gateway.answer = { status: 200, body: { data: { ...item, history } } };
    const { out } = await gateway.caprouter('exceptions', 'show', ID);
    expect(gateway.requests[0]?.line).toBe(`GET /admin/v1/exceptions/${ID}`);
    expect(out).toMatch(/^charged_credits +2\.5$/m);
    expect(out).toContain('refunded by key-1 at 2026-05-02  amount_credits 2.5  note why');
  });

  it.each([
    [
      'refund',
      { ...common, state: 'refunded', refund },
      `refunded  failed_charged_review  ${ACCOUNT}  2.5  led_9  balance 10`,
    ],
    ['confirm', { ...common, state: 'confirmed' }, `confirmed  failed_charged_review  ${ACCOUNT}`],
    [
      'write-off',
      { ...common, state: 'written_off', kind: 'missing_hold', amount_credits: 7 },
      `written_off  missing_hold  ${ACCOUNT}  7`,
    ],
  ])('%ss one under a key that it names first, with the note that says why', async (name, data, said) => {
    gateway.answer = { status: 200, body: { data } };
    const { code, out, error } = await gateway.caprouter(
      'exceptions',
      name,
      ID,
      '--note',
      'outage',
      '--reference',
      't-7',
    );
    expect([code, out]).toEqual([0, `${ID}  ${said}`]);
    expect(gateway.requests).toEqual([
      {
        line: `POST /admin/v1/exceptions/${ID}/${name}`,
        key: expect.stringMatching(/^[0-9a-f-]{36}$/),
        body: { note: 'outage', reference: 't-7' },
      },
    ]);
    expect(error).toBe(`idempotency key: ${String(gateway.requests[0]?.key)}`);
    const again = await gateway.caprouter('--json', 'exceptions', name, '--idempotency-key', 'k1', ID, '--note', 'n');
    expect(gateway.requests[1]).toEqual({ line: gateway.requests[0]?.line, key: 'k1', body: { note: 'n' } });
    expect(JSON.parse(again.out)).toEqual(data);
  });

  it('sends nothing without a note, or for a decision that there is not', async () => {
    const { code, error } = await gateway.caprouter('exceptions', 'refund', ID);
    expect([code, error]).toEqual([2, expect.stringContaining('--note')]);
    expect((await gateway.caprouter('exceptions', 'forget', ID, '--note', 'n')).code).toBe(2);
    expect(gateway.requests).toEqual([]);
  });

  it('tells why it was refused, and which filter is at fault', async () => {
    gateway.answer = { status: 409, body: { message: `${ID} is closed: it was refunded.` } };
    const closed = await gateway.caprouter('exceptions', 'confirm', ID, '--note', 'n');
    expect([closed.code, closed.error]).toEqual([1, expect.stringContaining('it was refunded. (409)')]);
    const detail = [{ loc: ['query', 'page_size'], msg: 'page_size must not be greater than 200' }];
    gateway.answer = { status: 422, body: { message: '"page_size" is invalid', detail } };
    const refused = await gateway.caprouter('exceptions', 'list', '--limit', '201');
    expect([refused.code, refused.error]).toEqual([1, expect.stringContaining('page_size must not be greater')]);
  });
});

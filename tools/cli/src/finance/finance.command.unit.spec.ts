import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayStandIn } from '../test-support/gateway-stand-in.js';

const lots = (amount: number, lot = 'led_1'): string =>
  JSON.stringify([{ lot_id: lot, category: 'purchased', amount_micro_credits: String(amount) }]);
const grant = {
  ...{ entryId: 'led_1', entryType: 'grant_payment_recharge', amountMicroCredits: '5000000' },
  ...{
    createdAt: '2026-03-01T00:00:00.000Z',
    lots: lots(5_000_000),
    paidAmount: '4.90',
    paidCurrency: 'EUR',
    cursor: '7:1',
  },
};
const charge = {
  ...{ entryId: 'led_2', entryType: 'consume_tool_execute', amountMicroCredits: '-2000000' },
  ...{ createdAt: '2026-03-02T00:00:00.000Z', lots: lots(-2_000_000), cursor: '8:2' },
};

let gateway: GatewayStandIn;
beforeEach(async () => {
  gateway = await GatewayStandIn.start();
});
afterEach(() => gateway.stop());
/** The one page, and then no more. */
const pages = (...entries: object[]): void => {
  gateway.answers = [entries, []].map((body) => ({ status: 200, body }));
};

describe('caprouter finance revenue', () => {
  it('tells what is deferred and what was used, and the money of it, of all entries', async () => {
    pages(grant, charge);
    const { code, out } = await gateway.caprouter('--json', 'finance', 'revenue', '--month', '2026-03');
    expect(code).toBe(0);
    const none = { opening: '0', refunded: '0', expired: '0', returned: '0', corrected: '0' };
    expect(JSON.parse(out)).toEqual({
      is_over: true,
      entries: 2,
      ledger_credits: '3',
      credits: { purchased: { ...none, granted: '5', used: '2', closing: '3' } },
      money: { EUR: { ...none, granted: '4.9', used: '1.96', closing: '2.94', rounding: '0' } },
    });
    expect(gateway.requests.map(({ line }) => line)).toEqual([
      'GET /admin/v1/ledger-entries?page_size=1000',
      'GET /admin/v1/ledger-entries?page_size=1000&cursor=8%3A2',
    ]);
  });

  it('tells it of one account alone', async () => {
    const of = (accountId: string, entry: object): object => ({ ...entry, accountId });
    const elsewhere = { ...charge, entryId: 'led_3', lots: lots(-1_000_000, 'led_9'), cursor: '9:3' };
    pages(of('acc_1', grant), of('acc_1', charge), of('acc_2', elsewhere));
    const { out } = await gateway.caprouter('--json', 'finance', 'revenue', '--month', '2026-03', '--account', 'acc_1');
    expect(JSON.parse(out)).toMatchObject({ entries: 2, ledger_credits: '3' });
  });

  it('fails for an account that has no entry, such as one that is misspelt', async () => {
    pages({ ...grant, accountId: 'acc_1' });
    const { code, error } = await gateway.caprouter('finance', 'revenue', '--month', '2026-03', '--account', 'acc_l');
    expect(code).toBe(1);
    expect(error).toContain('no entry of account acc_l');
  });

  it('shows it as tables', async () => {
    pages(grant, charge);
    const { out } = await gateway.caprouter('finance', 'revenue', '--month', '2026-04');
    expect(out).toMatch(/^purchased +3 +0 +0 +0 +0 +0 +0 +3$/m);
    expect(out).toMatch(/^ledger +3 +of 2 entries$/m);
  });

  it('says of a month that is not over, or has not begun, that it is so', async () => {
    const of = async (month: string): Promise<{ shown: string; json: unknown }> => {
      pages(grant);
      const { out } = await gateway.caprouter('finance', 'revenue', '--month', month);
      pages(grant);
      const { out: json } = await gateway.caprouter('--json', 'finance', 'revenue', '--month', month);
      return { shown: out, json: JSON.parse(json) };
    };
    const [now, later, before] = [new Date().toISOString().slice(0, 7), '9999-12', '2026-03'];
    expect(await of(now)).toMatchObject({
      shown: expect.stringMatching(/^This month is not over/m),
      json: { is_over: false },
    });
    expect(await of(later)).toMatchObject({
      shown: expect.stringMatching(/^This month has not begun/m),
      json: { is_over: false },
    });
    expect(await of(before)).toMatchObject({ shown: expect.not.stringContaining('month'), json: { is_over: true } });
  });

  it('fails where the grants do not add up to the ledger', async () => {
    pages(grant, { ...charge, lots: lots(-1_000_000) });
    const { code, error } = await gateway.caprouter('finance', 'revenue', '--month', '2026-03');
    expect(code).toBe(1);
    expect(error).toContain('the grants hold 4 credits where the ledger has 3');
  });

  it.each(['2026-13', '2026', 'March'])('refuses the month %s', async (month) => {
    const { code, error } = await gateway.caprouter('finance', 'revenue', '--month', month);
    expect(code).toBe(2);
    expect(error).toContain('such as 2026-03');
    expect(gateway.requests).toEqual([]);
  });
});

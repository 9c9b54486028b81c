import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayStandIn } from '../test-support/gateway-stand-in.js';

let gateway: GatewayStandIn;
let folder: string;
let file: string;
beforeEach(async () => {
  gateway = await GatewayStandIn.start();
  folder = mkdtempSync(join(tmpdir(), 'export-'));
  file = join(folder, 'rows');
});
afterEach(async () => {
  await gateway.stop();
  rmSync(folder, { recursive: true });
});

const csv = 'id,amount_credits\r\nled_1,-0.5\r\n';
const headers = { 'content-type': 'text/csv; charset=utf-8' };
const asked = () => gateway.requests.map(({ line }) => line);

describe('caprouter exports', () => {
  it.each([
    ['usage', [], 'GET /api/v1/auth/usage/history/v2/export'],
    ['usage', ['--from', '2026-01-01'], 'GET /api/v1/auth/usage/history/v2/export?start_date=2026-01-01'],
    ['ledger', ['--to', '2026-02-01'], 'GET /api/v1/auth/credits/ledger/export?scope=all&end_date=2026-02-01'],
  ])('saves %s %j byte for byte', async (what, options, line) => {
    gateway.answer = { status: 200, body: csv, headers };
    expect(await gateway.caprouter(what, 'export', file, ...options)).toMatchObject({ code: 0, error: '' });
    expect(asked()).toEqual([line]);
    expect(readFileSync(file, 'utf8')).toBe(csv);
    expect(readdirSync(folder)).toEqual(['rows']);
  });

  it('leaves what was there where the answer breaks off, is a refusal, or cannot be written', async () => {
    writeFileSync(file, 'of yesterday');
    gateway.answer = { status: 200, body: csv, headers, breaksOff: true };
    expect(await gateway.caprouter('usage', 'export', file)).toMatchObject({
      code: 3,
      error: expect.stringContaining('broke off'),
    });
    gateway.answer = { status: 400, body: { message: 'Invalid end_date format.' } };
    expect(await gateway.caprouter('ledger', 'export', file, '--to', 'x')).toMatchObject({
      code: 1,
      error: expect.stringContaining('Invalid end_date format. (400)'),
    });
    gateway.answer = { status: 503, body: { message: 'Exports are many.' }, headers: { 'retry-after': '2' } };
    expect(await gateway.caprouter('ledger', 'export', file)).toMatchObject({
      code: 3,
      error: expect.stringContaining('Try again in 2 s.'),
    });
    gateway.answer = { status: 200, body: '<html>', headers: { 'content-type': 'text/html' } };
    expect(await gateway.caprouter('ledger', 'export', file)).toMatchObject({
      code: 3,
      error: expect.stringContaining('not as a gateway'),
    });
    expect([readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([['rows'], 'of yesterday']);
    gateway.answer = { status: 200, body: csv, headers };
    const nowhere = join(folder, 'none', 'rows');
    expect(await gateway.caprouter('usage', 'export', nowhere)).toMatchObject({
      code: 2,
      error: expect.stringContaining('cannot be written'),
    });
  });

  it('saves the ledger of all accounts page after page, and says how to go on', async () => {
    const [first, second] = [
      { entryId: 'led_1', cursor: '7:1' },
      { entryId: 'led_2', cursor: '8:2' },
    ];
    gateway.answers = [[first], [second], []].map((body) => ({ status: 200, body }));
    const { code, out } = await gateway.caprouter('finance', 'export', file);
    expect([code, out]).toEqual([0, `${file}: 2 entries\nwhat comes after them: --after 8:2`]);
    expect(readFileSync(file, 'utf8')).toBe(`${JSON.stringify(first)}\n${JSON.stringify(second)}\n`);
    gateway.answers = [{ status: 200, body: [] }];
    const later = await gateway.caprouter('--json', 'finance', 'export', file, '--after', '8:2');
    expect(JSON.parse(later.out)).toEqual({ file, entries: 0, cursor: '8:2' });
    expect(asked().at(-1)).toBe('GET /admin/v1/ledger-entries?page_size=1000&cursor=8%3A2');
    gateway.answers = [
      { status: 200, body: [first] },
      { status: 200, body: [first] },
    ];
    expect(await gateway.caprouter('finance', 'export', file)).toMatchObject({ code: 3 });
    gateway.answers = [{ status: 200, body: 'entry_id,account_id\n' }];
    expect(await gateway.caprouter('finance', 'export', file)).toMatchObject({
      code: 3,
      error: expect.stringContaining('not as a gateway'),
    });
  });
});

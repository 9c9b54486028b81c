import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayStandIn } from '../test-support/gateway-stand-in.js';

const item = {
  capability_id: 'geo.area',
  status: 'published',
  source: 'manifest',
  contract_version: 2,
  candidate_count: 3,
  published_at: '2026-05-01T12:00:00.000Z',
};
const changes = [{ path: 'effect', impact: 'breaking', reason: 'serving it may do more to the world than before' }];
const bindings = [
  { tool_id: 'a.b.c.v1', status: 'fits', tool_version: 1 },
  { tool_id: 'd.e.f.v1', status: 'unfit', faults: ['parameters.city: needs "city"'] },
];

let gateway: GatewayStandIn;
let folder: string;
beforeEach(async () => {
  gateway = await GatewayStandIn.start();
  folder = mkdtempSync(join(tmpdir(), 'capabilities-'));
});
afterEach(async () => {
  await gateway.stop();
  rmSync(folder, { recursive: true });
});
const answers = (data: object): void => {
  gateway.answer = { status: 200, body: { data } };
};

describe('caprouter capabilities', () => {
  it('lists contracts as a table, and says how to go on', async () => {
    answers({ items: [item], next_after: 'geo.area' });
    const filters = ['--status', 'published', '--limit', '1', '--after', 'geo'];
    const { code, out } = await gateway.caprouter('capabilities', 'list', ...filters);
    expect(gateway.requests.map(({ line }) => line)).toEqual([
      'GET /admin/v1/capabilities?status=published&limit=1&after=geo',
    ]);
    const [, row = '', more] = out.split('\n');
    expect([code, more]).toEqual([0, 'more: --after geo.area']);
    expect(row.split(/ {2,}/)).toEqual(['geo.area', 'published', 'manifest', '2', '3', '2026-05-01T12:00:00.000Z']);
    answers({ items: [] });
    expect((await gateway.caprouter('capabilities', 'list')).out).toBe('no contracts');
  });

  it('shows one with its versions, and what does not fit', async () => {
    answers({ ...item, bindings, versions: [{ contract_version: 2, published_at: 'today', breaking: true }] });
    const { out } = await gateway.caprouter('capabilities', 'show', 'geo.area');
    expect(gateway.requests[0]?.line).toBe('GET /admin/v1/capabilities/geo.area');
    expect(out).toMatch(/^contract_version +2$/m);
    expect(out).toContain('binding  d.e.f.v1  unfit  parameters.city: needs "city"');
    expect(out).toContain('version 2  today  breaking');
  });

  it('sends a contract of a file, and says what it changed', async () => {
    const file = join(folder, 'area.json');
    writeFileSync(file, '{"effect": "unsafe"}');
    answers({ capability_id: 'geo.area', result: 'changed', contract_version: 3, breaking: true, changes, bindings });
    const put = ['capabilities', 'put', 'geo.area', '--file', file];
    const { code, out } = await gateway.caprouter(...put, '--allow-breaking', '--dry-run');
    expect(gateway.requests).toMatchObject([
      { line: 'PUT /admin/v1/capabilities/geo.area?dry_run=true&allow_breaking=true', body: { effect: 'unsafe' } },
    ]);
    expect([code, out.split('\n')[0]]).toEqual([0, 'geo.area  changed  version 3  breaking']);
    expect(out).toContain('breaking  effect: serving it may do more');
    writeFileSync(file, '{');
    const unread = await gateway.caprouter(...put);
    expect([unread.code, unread.error, gateway.requests.length]).toEqual([
      2,
      expect.stringContaining('cannot be read'),
      1,
    ]);
  });

  it('names what would break callers, where that is refused', async () => {
    const detail = [{ type: 'breaking_change', loc: ['body', 'effect'], msg: 'may do more to the world' }];
    gateway.answer = { status: 409, body: { message: 'The change breaks callers.', detail } };
    writeFileSync(join(folder, 'a.json'), '{}');
    const { code, error } = await gateway.caprouter(
      'capabilities',
      'put',
      'geo.area',
      '--file',
      join(folder, 'a.json'),
    );
    expect([code, error]).toEqual([1, expect.stringContaining('effect: may do more to the world')]);
  });

  it('imports rows, tells what became of each, and fails where one was not taken', async () => {
    const file = join(folder, 'rows.yaml');
    writeFileSync(file, 'capability_id: geo.area');
    const taken = { row: 1, line: 1, capability_id: 'geo.area', result: 'created' };
    const broken = { row: 2, line: 3, result: 'invalid', details: [{ loc: ['name'], msg: 'Field required' }] };
    const summaryOf = (results: object) => ({ summary: { rows: 2, results } });
    gateway.answer = { status: 200, body: [taken, broken, summaryOf({ created: 1, invalid: 1 })] };
    const { code, out } = await gateway.caprouter('capabilities', 'import', file, '--dry-run');
    expect(gateway.requests).toMatchObject([
      {
        line: 'POST /admin/v1/capabilities:import?dry_run=true',
        type: 'application/yaml',
        text: 'capability_id: geo.area',
      },
    ]);
    expect([code, out.split('\n').slice(0, 2)]).toEqual([
      1,
      ['row 1  geo.area  created', 'row 2  -  invalid  name: Field required'],
    ]);
    gateway.answer = { status: 200, body: [taken, summaryOf({ created: 1 })] };
    expect((await gateway.caprouter('capabilities', 'import', file)).code).toBe(0);
    gateway.answer = { status: 415, body: { message: 'Send the rows otherwise.' } };
    const refused = await gateway.caprouter('capabilities', 'import', file);
    expect([refused.code, refused.error]).toEqual([1, expect.stringContaining('Send the rows otherwise. (415)')]);
    expect((await gateway.caprouter('capabilities', 'import', join(folder, 'none'))).code).toBe(2);
  });

  it('tells what changed between two versions', async () => {
    answers({ changes });
    const { out } = await gateway.caprouter('capabilities', 'diff', 'geo.area', '1', '2');
    expect(gateway.requests[0]?.line).toBe('GET /admin/v1/capabilities/geo.area/versions/1/diff/2');
    expect(out).toMatch(/^breaking {2}effect: /);
    answers({ changes: [] });
    expect((await gateway.caprouter('capabilities', 'diff', 'geo.area', '1', '1')).out).toBe('nothing changed');
  });

  it.each(['retire', 'restore'])('can %s one, and says where that was so already', async (action) => {
    answers({ capability_id: 'geo.area', status: 'x', changed: true });
    expect((await gateway.caprouter('capabilities', action, 'geo.area')).out).toBe('geo.area  x');
    expect(gateway.requests[0]?.line).toBe(`POST /admin/v1/capabilities/geo.area:${action}`);
    answers({ capability_id: 'geo.area', status: 'x', changed: false });
    expect((await gateway.caprouter('capabilities', action, 'geo.area')).out).toBe('geo.area  x, as before');
  });
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { run } from '../run.js';
import { GatewayStandIn } from '../test-support/gateway-stand-in.js';

const ACCOUNT = `acc_${'1'.repeat(32)}`;
const KEY = '018f0000-0000-7000-8000-000000000001';

let gateway: GatewayStandIn;
beforeEach(async () => {
  gateway = await GatewayStandIn.start();
});
afterEach(() => gateway.stop());

describe('caprouter security-log', () => {
  it('lists who did what, how often, and says how to go on', async () => {
    const revoked = {
      action: 'key.revoked',
      account_id: ACCOUNT,
      actor: { type: 'operator', account_id: ACCOUNT },
      object: { type: 'api_key', id: KEY },
      occurrences: 1,
      recorded_at: '2026-01-01T00:00:00.000Z',
    };
    const failed = {
      ...revoked,
      action: 'sign_in.failed',
      account_id: undefined,
      actor: { type: 'anonymous' },
      object: undefined,
      occurrences: 7,
    };
    gateway.answer = { status: 200, body: { data: { items: [revoked, failed], next_cursor: '12' } } };
    const { code, out } = await gateway.caprouter('security-log', 'list', '--account', ACCOUNT, '--from', '2026-01-01');
    expect(gateway.requests[0]?.line).toBe(`GET /admin/v1/security-log?account_id=${ACCOUNT}&from=2026-01-01`);
    const lines = out.split('\n').map((line) => line.trim().split(/ +/));
    expect([code, lines.slice(1)]).toEqual([
      0,
      [
        ['2026-01-01T00:00:00.000Z', 'key.revoked', ACCOUNT, ACCOUNT, KEY],
        ['2026-01-01T00:00:00.000Z', 'sign_in.failed', 'anonymous', '×7'],
        ['more:', '--cursor', '12'],
      ],
    ]);
  });

  it('verifies, and fails where an entry is not what was written', async () => {
    gateway.answer = { status: 200, body: { data: { sound: true, entries: 3, findings: [] } } };
    expect(await gateway.caprouter('security-log', 'verify')).toMatchObject({
      code: 0,
      out: '3 entries, each hash made anew\nsound',
    });
    const findings = [{ kind: 'changed', chain: ACCOUNT, entry_seq: 2, entry_id: KEY }];
    gateway.answer = { status: 200, body: { data: { sound: false, entries: 3, findings } } };
    const { code, out } = await gateway.caprouter('security-log', 'verify', '--account', ACCOUNT);
    expect([code, out]).toEqual([1, `3 entries, each hash made anew\nCHANGED  ${ACCOUNT} entry 2`]);
    expect(gateway.requests.at(-1)?.line).toBe(`GET /admin/v1/security-log/verification?account_id=${ACCOUNT}`);
  });

  it('shows how many entries it has verified, part by part', async () => {
    const part = { sound: true, entries: 3, findings: [] };
    gateway.answers = [{ status: 200, body: { data: { ...part, next_cursor: '3' } } }];
    gateway.answer = { status: 200, body: { data: part } };
    const screen = Object.assign(new PassThrough(), { isTTY: true, columns: 100 });
    const shown = text(screen);
    const out: string[] = [];
    const code = await run(['security-log', 'verify'], {
      env: { CAPROUTER_GATEWAY_URL: gateway.origin, CAPROUTER_API_KEY: 'sk-environment00' },
      stdin: Readable.from([]),
      out: (line) => void out.push(line),
      error: () => undefined,
      screen: screen as unknown as NodeJS.WriteStream,
    });
    screen.end();
    expect([code, out]).toEqual([0, ['6 entries, each hash made anew', 'sound']]);
    expect(await shown).toContain('6 entries');
  });
});

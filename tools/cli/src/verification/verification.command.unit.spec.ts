import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayStandIn } from '../test-support/gateway-stand-in.js';

const tool = 'acme.weather.now.v1';

let gateway: GatewayStandIn;
beforeEach(async () => {
  gateway = await GatewayStandIn.start();
});
afterEach(() => gateway.stop());

describe('caprouter verification', () => {
  it('shows how a tool stands, check by check, with what that rests on', async () => {
    const data = {
      tool_id: tool,
      tool_version: 3,
      verification: {
        status: 'failed',
        checks: [
          { name: 'schema', status: 'passed', checked_at: '2026-05-01T12:00:00.000Z' },
          { name: 'live_check', status: 'failed', reason: 'No example is answered.' },
        ],
        quality_issues: ['Example 2 is not answered.'],
      },
      evidence: { live_check: { calls: [] } },
      next_run_at: '2026-05-01T12:05:00.000Z',
      problem: 'The budget is used up.',
    };
    gateway.answer = { status: 200, body: { data } };
    const { code, out } = await gateway.caprouter('verification', 'show', tool);
    expect(gateway.requests.map(({ line }) => line)).toEqual([`GET /admin/v1/verifications/${tool}`]);
    const lines = out.split('\n').map((line) => line.split(/ {2,}/));
    expect([code, lines]).toEqual([
      0,
      [
        [`${tool} version 3`, 'failed', 'next run 2026-05-01T12:05:00.000Z'],
        ['nothing was judged: The budget is used up.'],
        ['CHECK', 'STATUS', 'AT', 'REASON'],
        ['schema', 'passed', '2026-05-01T12:00:00.000Z', '-'],
        ['live_check', 'failed', '-', 'No example is answered.'],
        ['note: Example 2 is not answered.'],
        ['live_check: {"calls":[]}'],
      ],
    ]);
  });

  it('has a tool verified', async () => {
    gateway.answer = { status: 202, body: { data: { tool_id: tool, requested: true } } };
    const { code, out } = await gateway.caprouter('verification', 'request', tool);
    expect(gateway.requests.map(({ line }) => line)).toEqual([`POST /admin/v1/verifications/${tool}`]);
    expect([code, out]).toEqual([0, `${tool}  requested`]);
  });
});

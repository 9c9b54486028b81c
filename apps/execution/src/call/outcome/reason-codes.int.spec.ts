import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import {
  reasonCodes,
  type AccountAssertion,
  type ProviderEgress,
  type ReasonCode,
  type ToolContract,
} from '@capability-router/contracts';
import { readStream } from '@capability-router/event-store';
import { newExecutionId, systemClock, type JsonObject } from '@capability-router/kernel';
import { startHostileProvider, type HostileProvider } from '../../test-support/hostile-provider.js';
import { startExecution, type RunningExecution } from '../../test-support/running-execution.js';
import { toolContract } from '../../test-support/tool-contract.js';

/** The specification's fourteen; the two over money are billing's to say. */
type SpecifiedCode = Exclude<ReasonCode, 'insufficient_credits' | 'budget_exceeded'>;

interface Cause {
  readonly tool: Partial<ToolContract>;
  /** The provider's behaviour. */
  readonly does?: string;
  readonly parameters?: JsonObject;
  readonly account?: Partial<AccountAssertion>;
  readonly retired?: true;
  readonly status?: number;
}

/** A real cause of each code: what a provider does, or what is so before it is called. The type wants one for each. */
const causes: Readonly<Record<SpecifiedCode, Cause>> = {
  'result.valid': { tool: {}, does: 'good' },
  'result.partial_success': {
    tool: { resultPredicates: { partialWhen: "$[?$.status == 'PARTIAL']" } },
    does: 'partial',
  },
  'result.empty': { tool: {}, does: 'nothing' },
  'provider.error': { tool: {}, does: 'truncated-json' },
  'provider.http_error': { tool: {}, does: '500' },
  'provider.rate_limited': { tool: {}, does: '429' },
  'provider.auth_or_permission': { tool: {}, does: '401' },
  'transport.timeout': { tool: { timeoutMs: 1_500 }, does: 'no-headers' },
  'transport.no_response': { tool: {}, does: 'reset' },
  'transport.execution_failed': { tool: { provider: providerOf('closed', { allowHttp: true }) }, does: 'good' },
  validation_error: { tool: {}, does: 'good', parameters: { no_such_parameter: 1 }, status: 422 },
  tool_unavailable: { tool: {}, does: 'good', retired: true },
  region_restricted: { tool: { region: 'US|CA' }, does: 'good', account: { region: 'CH' } },
  oauth_signin_required: { tool: {}, does: 'good' },
};

const charged: readonly SpecifiedCode[] = ['result.valid', 'result.partial_success'];
const neverSent: readonly SpecifiedCode[] = [
  'transport.execution_failed',
  'validation_error',
  'tool_unavailable',
  'region_restricted',
  'oauth_signin_required',
];

function providerOf(
  providerId: string,
  egress: ProviderEgress = { allowHttp: true, allowNetworks: ['127.0.0.1/32'] },
): ToolContract['provider'] {
  const text = { en: 'A provider of a test' };
  return { providerId, name: text, description: text, egress };
}

let hostile: HostileProvider;
let execution: RunningExecution;

/** `result.valid` as `codes.result-valid.get.v1`. */
const toolIdOf = (code: string): string => `codes.${code.replaceAll(/[._]/g, '-')}.get.v1`;

function toolFor(code: string, { tool, does = 'good' }: Cause): ToolContract {
  const providerId = `codes_${code.replaceAll('.', '_')}`;
  return toolContract({
    toolId: toolIdOf(code),
    providerId,
    parametersSchema: { type: 'object', additionalProperties: false, properties: {} },
    price: {
      metering: { kind: 'result_rows', path: 'rows', maxUnits: 10 },
      amountMicroCredits: '100000',
      unitLabel: 'row',
    },
    binding: {
      kind: 'http',
      method: 'GET',
      url: `${hostile.origin}/${does}`,
      placements: {},
      auth: code === 'oauth_signin_required' ? { kind: 'bearer' } : { kind: 'none' },
      retrySafe: false,
    },
    provider: providerOf(providerId),
    ...tool,
  });
}

beforeAll(async () => {
  hostile = await startHostileProvider();
  const regional = { tool: { region: '-CN' } };
  execution = await startExecution([
    ...Object.entries(causes).map(([code, cause]) => toolFor(code, cause)),
    toolFor('denied', regional),
  ]);
  for (const [code, { retired }] of Object.entries(causes)) {
    if (retired !== true) continue;
    await execution.publish('ToolRetired', toolIdOf(code), { toolId: toolIdOf(code), version: 2, retiredAt: 'now' });
  }
}, 60_000);
afterAll(async () => {
  await execution.stop();
  await hostile.close();
});
beforeEach(() => {
  execution.billing.available = 10_000_000n;
  execution.billing.holds.length = 0;
  hostile.requests.length = 0;
});

async function call(toolId: string, parameters: JsonObject = {}, account: Partial<AccountAssertion> = {}) {
  const executionId = newExecutionId(systemClock.nowMs());
  const answer = await execution.call(
    { tool_id: toolId, parameters },
    { executionId, account: { ...execution.account, ...account } },
  );
  const events = await readStream(execution.database.pool, executionId);
  return { ...answer, events, end: events.at(-1) };
}

const reasonOf = (body: JsonObject): unknown => (body['execution_outcome'] as JsonObject)['reason_code'];

it('every code of the specification has a cause here', () => {
  const money = ['insufficient_credits', 'budget_exceeded'];
  expect(Object.keys(causes).sort()).toEqual(reasonCodes.filter((code) => !money.includes(code)).sort());
  expect(Object.keys(causes)).toHaveLength(14);
});

describe('a Call', () => {
  it.each(Object.entries(causes) as [SpecifiedCode, Cause][])(
    'ends as %s for a real cause, once, and is charged only for what it returned',
    async (code, { parameters, account, retired, status = 200 }) => {
      let answered = await call(toolIdOf(code), parameters, account);
      // The catalogue's publications arrive a moment later.
      for (let turn = 0; retired === true && reasonOf(answered.body) === 'result.valid' && turn < 400; turn += 1) {
        await delay(50);
        hostile.requests.length = 0;
        execution.billing.available = 10_000_000n;
        answered = await call(toolIdOf(code), parameters, account);
      }
      const success = charged.includes(code);
      expect(answered.status).toBe(status);
      expect(answered.body).toMatchObject({
        success,
        cost: success ? (code === 'result.valid' ? 0.2 : 0.1) : 0,
        execution_outcome: { reason_code: code, billable_success: success },
      });
      const ends = answered.events.filter(({ type }) => type !== 'ExecutionStarted');
      expect(ends).toHaveLength(1);
      const bill = answered.end?.data['bill'] as JsonObject;
      expect(bill['listAmountMicroCredits'] === '0').toBe(!success);
      expect(answered.end?.data).toMatchObject({ success, outcome: { reasonCode: code } });
      expect(hostile.requests).toHaveLength(neverSent.includes(code) ? 0 : 1);
    },
    60_000,
  );

  it.each<[string, string, Partial<AccountAssertion>, boolean]>([
    ['a list, from a region in it', 'region_restricted', { region: 'US' }, true],
    ['a list, from a region that is not in it', 'region_restricted', { region: 'DE' }, false],
    ['a list, from an account whose region nobody has said', 'region_restricted', {}, false],
    ['a list, from a trial agent', 'region_restricted', { accountKind: 'trial' }, false],
    ['a denial, from the region', 'denied', { region: 'CN' }, false],
    ['a denial, from another region', 'denied', { region: 'US' }, true],
    ['a denial, from an account whose region nobody has said', 'denied', {}, true],
  ])('of a tool whose region is %s', async (_what, tool, account, allowed) => {
    const { body, end } = await call(toolIdOf(tool), {}, account);
    expect(body).toMatchObject({
      success: allowed,
      execution_outcome: { reason_code: allowed ? 'result.valid' : 'region_restricted' },
    });
    expect(end?.type).toBe(allowed ? 'ExecutionCompleted' : 'ExecutionRefused');
    expect(hostile.requests).toHaveLength(allowed ? 1 : 0);
    expect(execution.billing.holds).toHaveLength(allowed ? 1 : 0);
    if (!allowed) expect(body['error_message']).toMatch(/region.*Search for another/);
  });
});

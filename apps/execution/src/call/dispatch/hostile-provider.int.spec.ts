import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ReasonCode, ToolContract } from '@capability-router/contracts';
import { readStream } from '@capability-router/event-store';
import { newExecutionId, systemClock } from '@capability-router/kernel';
import { credentialsInMemory, JsonPathPool } from '@capability-router/provider-kit';
import { createLogger, createMetrics, loadEnv } from '@capability-router/service-kit';
import { startStalledListener } from '@capability-router/service-kit/testing';
import { createProviders, type Providers } from '../../providers/create-providers.js';
import { providersConfigOf, providersEnvSpec } from '../../providers/providers-config.js';
import { BOMB_BYTES } from '../../test-support/hostile-behaviours.js';
import { startHostileProvider, type HostileProvider } from '../../test-support/hostile-provider.js';
import { startExecution, type RunningExecution } from '../../test-support/running-execution.js';
import { toolContract } from '../../test-support/tool-contract.js';

const MAX_RESPONSE_BYTES = 1_048_576;
/** The bytes that a socket and the kernel take on before the other side notices that nobody reads. */
const BUFFERED_BYTES = 16 * 1_048_576;
/** Milliseconds; of the cases that wait for it. The others have all the time that a slow machine needs. */
const DEADLINE_MS = 1_500;

let hostile: HostileProvider;
let stalled: Awaited<ReturnType<typeof startStalledListener>>;
let providers: Providers;
let execution: RunningExecution;
const jsonPaths = new JsonPathPool();
const logger = createLogger('execution', 'silent');

interface Case {
  readonly reason: ReasonCode;
  /** The path of the provider; the name of the case where absent. */
  readonly url?: () => string;
  readonly tool?: Partial<ToolContract>;
}

const timesOut: Case = { reason: 'transport.timeout', tool: { timeoutMs: DEADLINE_MS } };
const brokenOff: Case = { reason: 'transport.no_response' };
const unusable: Case = { reason: 'provider.error' };
const refusedStatus: Case = { reason: 'provider.http_error' };
const refusedCredential: Case = { reason: 'provider.auth_or_permission' };

const cases: Readonly<Record<string, Case>> = {
  'dns-silence': { ...timesOut, url: () => 'http://silent.example/' },
  'connect-silence': { ...timesOut, url: () => stalled.origin },
  'tls-silence': { ...timesOut, url: () => hostile.muteOrigin },
  'no-headers': timesOut,
  'half-headers': timesOut,
  'half-body': timesOut,
  drip: timesOut,
  late: timesOut,
  'early-hints': timesOut,
  'unknown-name': { ...brokenOff, url: () => 'http://missing.example/' },
  refused: { ...brokenOff, url: () => 'http://127.0.0.1:1024/' },
  reset: brokenOff,
  'closed-early': brokenOff,
  'closed-in-body': brokenOff,
  continues: brokenOff,
  garbage: unusable,
  'truncated-json': unusable,
  'wrong-type': unusable,
  'unknown-encoding': unusable,
  'huge-headers': unusable,
  'ten-gigabytes': unusable,
  endless: unusable,
  'beyond-doubles': unusable,
  'gzip-bomb': unusable,
  'brotli-bomb': unusable,
  misfit: {
    ...unusable,
    tool: {
      resultPredicates: {
        schema: { properties: { rows: { items: { properties: { n: { type: 'integer' } } } } } },
      },
    },
  },
  redirect: refusedStatus,
  '400': refusedStatus,
  '404': refusedStatus,
  '500': refusedStatus,
  '502': refusedStatus,
  '503': refusedStatus,
  '401': refusedCredential,
  '403': refusedCredential,
  '407': refusedCredential,
  '429': { reason: 'provider.rate_limited' },
  nothing: { reason: 'result.empty' },
  null: { reason: 'result.empty' },
  'no-content': { reason: 'result.empty' },
  'zero-results': {
    reason: 'result.empty',
    tool: { resultPredicates: { emptyWhen: "$[?$.status == 'ZERO_RESULTS']" } },
  },
  'backtracking-text': {
    reason: 'transport.execution_failed',
    tool: { resultPredicates: { emptyWhen: "$[?search(@, '(a+)+$b')]" } },
  },
};

const toolIdOf = (name: string): string => `hostile.${name}.get.v1`;

function toolFor(name: string, { url, tool }: Case): ToolContract {
  const providerId = `hostile_${name}`;
  const text = { en: 'A provider of a test' };
  return toolContract({
    toolId: toolIdOf(name),
    providerId,
    parametersSchema: { type: 'object', additionalProperties: false },
    binding: {
      kind: 'http',
      method: 'GET',
      url: url?.() ?? `${hostile.origin}/${name}`,
      placements: {},
      auth: { kind: 'none' },
      retrySafe: false,
    },
    // A provider each, so that the breaker of one says nothing about another.
    provider: {
      providerId,
      name: text,
      description: text,
      egress: { allowHttp: true, allowNetworks: ['127.0.0.1/32'] },
    },
    ...tool,
  });
}

beforeAll(async () => {
  [hostile, stalled] = await Promise.all([startHostileProvider(), startStalledListener()]);
  const config = providersConfigOf(
    loadEnv(providersEnvSpec, {
      BUILTIN_MAX_PROCESSES: '1',
      PROVIDER_MAX_RESPONSE_BYTES: String(MAX_RESPONSE_BYTES),
      PROVIDER_CONNECT_TIMEOUT_MS: '3000',
    }),
  );
  providers = createProviders({
    config: { ...config, channels: { ...config.channels, resolve: hostile.resolve } as typeof config.channels },
    jsonPaths,
    logger,
    metrics: createMetrics(),
    credentials: credentialsInMemory({}),
  });
  const all = { ...cases, good: { reason: 'result.valid' } } as const;
  execution = await startExecution(
    Object.entries(all).map(([name, one]) => toolFor(name, one)),
    providers,
  );
}, 60_000);
afterAll(async () => {
  await execution.stop();
  await Promise.all([jsonPaths.close(), stalled.close()]);
  // Nobody holds on to a connection that nobody uses.
  await eventually(() => expect(hostile.openSockets()).toBe(0));
  await hostile.close();
}, 60_000);
beforeEach(() => {
  execution.billing.available = 10_000_000n;
  hostile.requests.length = 0;
});
afterEach(() => eventually(() => expect(hostile.busySockets()).toBe(0)));

async function eventually(check: () => void): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    try {
      check();
      return;
    } catch (error) {
      if (turn > 1_500) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

async function call(name: string) {
  const executionId = newExecutionId(systemClock.nowMs());
  const answer = await execution.call({ tool_id: toolIdOf(name), parameters: {} }, { executionId });
  const events = await readStream(execution.database.pool, executionId);
  return { ...answer, executionId, events };
}

describe('a provider that does everything wrong', () => {
  it.each(Object.entries(cases))(
    '(%s) is one classified end, and nothing is charged',
    async (name, { reason }) => {
      const { status, body, events } = await call(name);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        success: false,
        cost: 0,
        error_message: expect.stringMatching(/\S/),
        execution_outcome: { reason_code: reason, billable_success: false, result_valid: false },
      });
      expect(events.map(({ type }) => type)).toEqual(['ExecutionStarted', 'ExecutionCompleted']);
      expect(events.at(-1)?.data).toMatchObject({
        success: false,
        outcome: { reasonCode: reason },
        bill: { listAmountMicroCredits: '0', chargeLines: [] },
      });
      // Nothing of this deployment's network is told to a caller.
      expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.|169\.254|node_modules|\n\s+at /);
      // A request that is not safe to repeat is sent once.
      expect(hostile.requests.length).toBeLessThanOrEqual(1);
    },
    60_000,
  );

  it('can send without end, and no more of it is taken than a result may have', async () => {
    for (const name of ['ten-gigabytes', 'endless']) {
      const before = hostile.bytesSent();
      await call(name);
      await eventually(() => expect(hostile.busySockets()).toBe(0));
      expect(hostile.bytesSent() - before).toBeLessThan(MAX_RESPONSE_BYTES + BUFFERED_BYTES);
    }
  }, 60_000);

  it('can pack what it likes, and memory does not grow with what comes out', async () => {
    const before = process.memoryUsage().rss;
    let most = before;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 5);
    for (let turn = 0; turn < 3; turn += 1) await call('gzip-bomb');
    clearInterval(watch);
    expect(most - before).toBeLessThan(BOMB_BYTES / 2);
  }, 60_000);

  it('is still called rightly when it does everything right', async () => {
    const { body } = await call('good');
    expect(body).toMatchObject({ success: true, cost: 0.25, execution_outcome: { reason_code: 'result.valid' } });
  });

  it('shows an empty result, which may say why, and nothing of one that was not accepted', async () => {
    expect((await call('zero-results')).body).toMatchObject({ result: { data: { hint: 'spell it otherwise' } } });
    for (const name of ['misfit', 'backtracking-text']) {
      expect((await call(name)).body['result']).toEqual({ data: {} });
    }
  });
});

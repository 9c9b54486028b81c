import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hashPriceRule, type PriceRule, type RunPlanRequest } from '@capability-router/contracts';
import { readStream } from '@capability-router/event-store';
import { newExecutionId, systemClock, type ExecutionId, type JsonObject } from '@capability-router/kernel';
import type { ProviderAnswer } from '@capability-router/provider-kit';
import { SeededRandom, seedOfRun } from '../test-support/random.js';
import { startExecution, type RunningExecution } from '../test-support/running-execution.js';
import { toolContract } from '../test-support/tool-contract.js';

const PLANS = 200;
/** Micro-credits; the plans together may cost several times as much. */
const AVAILABLE = 12_000_000n;
const random = new SeededRandom(seedOfRun());

const call = (amountMicroCredits: string): PriceRule => ({
  metering: { kind: 'call' },
  amountMicroCredits,
  unitLabel: 'call',
});
const rows = (amountMicroCredits: string): PriceRule => ({
  metering: { kind: 'result_rows', path: 'rows', maxUnits: 6 },
  amountMicroCredits,
  unitLabel: 'row',
});
const tools = [call('0'), call('100000'), call('300000'), rows('40000'), rows('90000'), call('50000')].map(
  (price, index) => toolContract({ toolId: `demo.weather.${'abcdef'.charAt(index)}.v1`, price }),
);

const ofStatus = (statusCode: number): ProviderAnswer => ({
  kind: 'failed',
  fault: 'http_error',
  message: '',
  statusCode,
  retryable: true,
});

/** Now and then more rows than are paid for. */
function anyAnswer(): ProviderAnswer {
  const served = { kind: 'answered', data: { rows: Array.from({ length: random.below(9) }, () => 1) } } as const;
  return random.pick<ProviderAnswer>([
    served,
    served,
    served,
    { kind: 'answered', data: { rows: 'of another shape' } },
    ofStatus(422),
    ofStatus(500),
    { kind: 'failed', fault: 'unavailable', message: 'It rests.', retryable: true },
    { kind: 'failed', fault: 'no_response', message: '', retryable: true },
  ]);
}

function anyPlan(): RunPlanRequest {
  const places = new Map(tools.map((tool) => [tool, random.below(1_000)]));
  const inAnyOrder = [...tools].sort((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
  return {
    capability: { capabilityId: 'weather.rows' },
    attempts: inAnyOrder.slice(0, 1 + random.below(tools.length)).map(({ toolId, version, price }) => ({
      toolId,
      toolVersion: version,
      priceRuleHash: hashPriceRule(price),
      parameters: { city: 'Bern' },
      result: { rows: { from: '$.rows' } },
    })),
    fields: { rows: { type: 'array', required: true } },
    deadlineMs: 30_000,
    repeatable: random.below(2) === 0,
    ...(random.below(3) === 0 ? {} : { maxMicroCredits: String(20_000 + random.below(400_000)) }),
    request: { capability_id: 'weather.rows' },
  };
}

let execution: RunningExecution;
beforeAll(async () => {
  execution = await startExecution(tools, {
    call: async () => {
      await delay(random.below(20));
      return anyAnswer();
    },
    close: () => Promise.resolve(),
  });
  execution.billing.available = AVAILABLE;
});
afterAll(() => execution.stop());

interface Story {
  readonly id: ExecutionId;
  readonly plan: RunPlanRequest;
  readonly status: number;
  readonly body: JsonObject;
  /** Micro-credits. */
  readonly charged: bigint;
  readonly types: readonly string[];
}

async function play(plan: RunPlanRequest): Promise<Story> {
  const id = newExecutionId(systemClock.nowMs());
  const { status, body } = await execution.internal('capability-routing', '/internal/plans', plan, id);
  const events = await readStream(execution.database.pool, id);
  const bill = events.at(-1)?.data['bill'] as JsonObject | undefined;
  const charged = BigInt((bill?.['listAmountMicroCredits'] as string | undefined) ?? '0');
  return { id, plan, status, body, charged, types: events.map(({ type }) => type) };
}

describe('plans side by side', () => {
  it(`never cost more than each of them may, nor all of them more than there is (TEST_SEED=${random.seed})`, async () => {
    const stories = await Promise.all(Array.from({ length: PLANS }, () => play(anyPlan())));
    const holds = new Map<string, bigint>();
    for (const hold of execution.billing.holds) {
      const id = 'executionId' in hold ? hold.executionId : '';
      expect(holds.has(id)).toBe(false);
      holds.set(id, BigInt(hold.amountMicroCredits));
    }
    for (const { id, plan, status, body, charged, types } of stories) {
      expect([200, 402, 422]).toContain(status);
      expect(types.filter((type) => type !== 'ExecutionStarted')).toHaveLength(1);
      const held = holds.get(id) ?? 0n;
      expect(held <= BigInt(plan.maxMicroCredits ?? AVAILABLE)).toBe(true);
      expect(charged <= held).toBe(true);
      expect(BigInt(Math.round(Number(body['cost'] ?? 0) * 1e6))).toBe(charged);
      const { attempts } = body['routing'] as JsonObject;
      const served = (attempts as JsonObject[]).filter((attempt) => attempt['status'] === 'served');
      expect(served).toHaveLength(body['success'] === true ? 1 : 0);
    }
    const total = [...holds.values()].reduce((sum, held) => sum + held, 0n);
    expect(total <= AVAILABLE).toBe(true);
    expect(execution.billing.available).toBe(AVAILABLE - total);
    // The money ran out, some were served, and some may cost nothing of what they ask for: else nothing was held to anything.
    const statuses = new Set(stories.map(({ status }) => status));
    expect([...statuses].sort()).toEqual([200, 402, 422]);
    expect(stories.filter(({ charged }) => charged > 0n).length).toBeGreaterThan(10);
  });
});

import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { hashPriceRule, type RunPlanRequest, type ToolContract } from '@capability-router/contracts';
import { readStream } from '@capability-router/event-store';
import { newExecutionId, systemClock, type JsonObject } from '@capability-router/kernel';
import { until } from '../test-support/replicated-execution.js';
import { startExecution, type RunningExecution } from '../test-support/running-execution.js';
import { toolContract } from '../test-support/tool-contract.js';

const tool = (name: string, amountMicroCredits: string): ToolContract =>
  toolContract({
    toolId: `demo.weather.${name}.v1`,
    price: { metering: { kind: 'call' }, amountMicroCredits, unitLabel: 'call' },
  });
const [failing, second, last, only] = [
  tool('failing', '300000'),
  tool('second', '200000'),
  tool('last', '100000'),
  tool('only', '100000'),
];

let execution: RunningExecution;
let asked: string[] = [];
let whileAsked: (toolId: string) => Promise<void>;
beforeAll(async () => {
  execution = await startExecution([failing, second, last, only], {
    async call({ toolId }) {
      asked.push(toolId);
      await whileAsked(toolId);
      if (toolId !== failing.toolId) return { kind: 'answered', data: { degrees: 21 } };
      return { kind: 'failed', fault: 'http_error', message: '', statusCode: 500, retryable: true };
    },
    close: () => Promise.resolve(),
  });
}, 60_000);
afterAll(() => execution.stop());
beforeEach(() => {
  asked = [];
  whileAsked = () => Promise.resolve();
});

/** Resolves when execution knows it: a Call without parameters is a 422 until then. */
async function retire({ toolId }: ToolContract): Promise<void> {
  await execution.publish('ToolRetired', toolId, { toolId, version: 2, retiredAt: 'now' });
  await until(async () => (await execution.call({ tool_id: toolId, parameters: {} })).status === 200);
}

async function run(...tools: readonly ToolContract[]) {
  const plan: RunPlanRequest = {
    capability: { capabilityId: 'weather.now' },
    attempts: tools.map(({ toolId, version, price }) => ({
      toolId,
      toolVersion: version,
      priceRuleHash: hashPriceRule(price),
      parameters: { city: 'Bern' },
    })),
    fields: {},
    deadlineMs: 30_000,
    repeatable: true,
    request: { capability_id: 'weather.now' },
  };
  const executionId = newExecutionId(systemClock.nowMs());
  const { body } = await execution.internal('capability-routing', '/internal/plans', plan, executionId);
  const [end] = (await readStream(execution.database.pool, executionId)).slice(-1);
  return { body, end, attempts: (body['routing'] as JsonObject)['attempts'] };
}

it('sends nothing to a tool that is retired while the attempt before it runs', async () => {
  whileAsked = (toolId) => (toolId === failing.toolId ? retire(second) : Promise.resolve());
  const { body, attempts } = await run(failing, second, last);
  expect(asked).toEqual([failing.toolId, last.toolId]);
  expect(attempts).toMatchObject([
    { status: 'failed' },
    { status: 'skipped', reason: 'unavailable', message: expect.stringContaining(second.toolId) },
    { status: 'served' },
  ]);
  expect(body).toMatchObject({ success: true, cost: 0.1, routing: { chosen: last.toolId } });
});

it('sends nothing where the only tool is retired while its hold is placed, and charges nothing', async () => {
  execution.billing.untilHeld = () => retire(only);
  const { body, end, attempts } = await run(only);
  expect(asked).toEqual([]);
  expect(attempts).toMatchObject([{ status: 'skipped', reason: 'unavailable' }]);
  expect(body).toMatchObject({ success: false, cost: 0, execution_outcome: { reason_code: 'tool_unavailable' } });
  expect(end?.type).toBe('ExecutionRefused');
});

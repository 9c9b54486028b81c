import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { startExecution, type Answer, type RunningExecution } from '../test-support/running-execution.js';
import { toolContract } from '../test-support/tool-contract.js';

const tool = toolContract({ price: { metering: { kind: 'call' }, amountMicroCredits: '0', unitLabel: 'call' } });
let execution: RunningExecution;
beforeAll(async () => {
  execution = await startExecution([], {
    call: () => Promise.resolve({ kind: 'answered', data: 1 }),
    close: () => Promise.resolve(),
  });
});
afterAll(() => execution.stop());

/** Calls until the copy has arrived; the last answer is what is looked at. */
async function callUntil(status: number, parameters: object, accept: (answer: Answer) => boolean = () => true) {
  for (let tries = 0; ; tries += 1) {
    const answer = await execution.call({ tool_id: tool.toolId, parameters });
    if ((answer.status === status && accept(answer)) || tries === 400) return answer;
    await delay(50);
  }
}

describe('the copies of the catalogue', () => {
  it('make a published tool callable, follow its new version and its retirement, and never go back', async () => {
    expect((await execution.call({ tool_id: tool.toolId, parameters: { city: 'Bern' } })).status).toBe(422);

    await execution.publish('ToolPublished', tool.toolId, { tool });
    expect(await callUntil(200, { city: 'Bern' })).toMatchObject({ status: 200, body: { success: true } });

    const next = {
      ...tool,
      version: 2,
      schemaHash: 'b'.repeat(64),
      parametersSchema: { type: 'object', required: ['zip'] },
    };
    await execution.publish('ToolPublished', tool.toolId, { tool: next });
    expect(await callUntil(422, { city: 'Bern' })).toMatchObject({
      body: { details: [{ type: 'missing', loc: ['body', 'parameters', 'zip'] }] },
    });

    await execution.publish('ToolRetired', tool.toolId, { toolId: tool.toolId, version: 2, retiredAt: 'now' });
    await execution.publish('ToolPublished', tool.toolId, { tool });
    const retired = await callUntil(200, { zip: '1' }, ({ body }) => body['success'] === false);
    expect(retired.body).toMatchObject({ success: false, execution_outcome: { reason_code: 'tool_unavailable' } });
    await delay(500);
    expect((await execution.call({ tool_id: tool.toolId, parameters: { city: 'Bern' } })).body).toMatchObject({
      execution_outcome: { reason_code: 'tool_unavailable' },
    });
  }, 60_000);
});

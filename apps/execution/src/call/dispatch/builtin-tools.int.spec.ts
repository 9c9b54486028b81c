import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { builtinTools } from '@capability-router/builtin-tools';
import { startExecution, type RunningExecution } from '../../test-support/running-execution.js';
import { toolContract } from '../../test-support/tool-contract.js';

/** Micro-credits. Enough for any one call. */
const BALANCE = 1_000_000_000n;
/** Milliseconds; the first call of each kind waits for its runner to start, which is slow on a busy machine. */
const TIMEOUT_MS = 40_000;

let execution: RunningExecution;
beforeAll(async () => {
  execution = await startExecution(
    builtinTools.map((manifest) => toolContract({ ...manifest, timeoutMs: TIMEOUT_MS })),
  );
});
afterAll(() => execution.stop());

describe('the built-in tools', () => {
  it.each(builtinTools.map((tool) => [tool.toolId, tool.sampleParameters]))(
    '%s takes its sample parameters, answers, and is billed within what was held',
    async (toolId, parameters) => {
      execution.billing.available = BALANCE;
      const { status, body } = await execution.call({ tool_id: toolId, parameters, max_response_size: -1 });
      expect({ status, error: body['error_message'] }).toEqual({ status: 200, error: null });
      expect(body).toMatchObject({ success: true, result: { data: expect.anything() } });
      const held = Number(BALANCE - execution.billing.available) / 1_000_000;
      expect(body['cost']).toBeLessThanOrEqual(held);
      if (held > 0) expect(body['cost']).toBeGreaterThan(0);
    },
    60_000,
  );
});

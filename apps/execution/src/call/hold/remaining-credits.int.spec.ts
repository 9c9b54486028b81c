import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ProviderAnswer } from '@capability-router/provider-kit';
import { startExecution, type RunningExecution } from '../../test-support/running-execution.js';
import { toolContract } from '../../test-support/tool-contract.js';

const noPrice = { amountMicroCredits: '0', metering: { kind: 'call' }, unitLabel: 'call' } as const;
const free = toolContract({ toolId: 'weather.free.get.v1', price: noPrice });
const parameters = { city: 'Bern' };
const answered: ProviderAnswer = { kind: 'answered', data: { degrees: 21 } };

describe('a Call', () => {
  let answer: () => Promise<ProviderAnswer>;
  let execution: RunningExecution;
  beforeAll(async () => {
    execution = await startExecution([free], { call: () => answer(), close: () => Promise.resolve() });
  });
  afterAll(() => execution.stop());

  it('of a free tool has the remaining credits that come while the tool runs, however late', async () => {
    const { billing } = execution;
    let tell = (): void => undefined;
    const billingAnswered = new Promise<void>((resolve) => (tell = resolve));
    // Longer than a call waits for them when the tool is done.
    billing.untilAvailable = () => delay(200).then(() => tell());
    answer = async () => {
      await billingAnswered;
      await delay(100);
      return answered;
    };
    const { body } = await execution.call({ tool_id: free.toolId, parameters });
    billing.untilAvailable = () => Promise.resolve();
    expect(body).toMatchObject({ success: true, remaining_credits: 10 });
  });

  it('is not held up by billing that does not say what remains', async () => {
    const { billing } = execution;
    answer = () => Promise.resolve(answered);
    let answerNow = (): void => undefined;
    billing.untilAvailable = () => new Promise<void>((resolve) => (answerNow = resolve));
    const { body } = await execution.call({ tool_id: free.toolId, parameters });
    answerNow();
    billing.untilAvailable = () => Promise.resolve();
    expect(body).toMatchObject({ success: true });
    expect(body).not.toHaveProperty('remaining_credits');
  });
});

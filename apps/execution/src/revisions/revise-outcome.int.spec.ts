import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { topicNames } from '@capability-router/contracts';
import { readStream } from '@capability-router/event-store';
import { newAccountId, newExecutionId, systemClock, toIso, uuidv7, type ExecutionId } from '@capability-router/kernel';
import { notCharged } from '@capability-router/tool-calls';
import { classifyAnswer } from '../call/outcome/domain/classify-outcome.js';
import { completedEnd } from '../call/answer/domain/completed-end.js';
import { interruptedEnd } from '../call/journal/domain/ends.js';
import type { ExecutionEnd } from '../call/journal/domain/execution-end.js';
import { ExecutionJournal } from '../call/journal/execution-journal.js';
import { endStatesOf } from '../lifecycle/end-states.js';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { toolContract } from '../test-support/tool-contract.js';
import { OutcomeReviser, revisedOutcomes, revisedReasons } from './revise-outcome.js';

const accountId = newAccountId(systemClock.nowMs());
let database: ScratchDatabase;
let journal: ExecutionJournal;
let reviser: OutcomeReviser;
let nudged = 0;
beforeAll(async () => {
  database = await createScratchDatabase();
  journal = new ExecutionJournal(database.pool, systemClock);
  reviser = new OutcomeReviser(database.pool, journal, systemClock, () => (nudged += 1));
});
afterAll(() => database.drop());

const factsOf = (executionId: ExecutionId) =>
  ({
    executionId,
    accountId,
    eventType: 'tool_execute',
    credentialType: 'api_key',
    toolId: 'demo.weather.now.v1',
    holdMicroCredits: '250000',
  }) as const;

async function started(): Promise<ExecutionId> {
  const executionId = newExecutionId(systemClock.nowMs());
  const now = toIso(systemClock.nowMs());
  await journal.start({ ...factsOf(executionId), startedAt: now, deadlineAt: now }, 'owner', 2_000);
  return executionId;
}

async function ended(end: (facts: ReturnType<typeof factsOf>, nowMs: number) => ExecutionEnd): Promise<ExecutionId> {
  const executionId = await started();
  expect(await journal.end(end(factsOf(executionId), systemClock.nowMs()), uuidv7(systemClock.nowMs()))).toBe(true);
  return executionId;
}
const succeeded = (): Promise<ExecutionId> =>
  ended((facts, nowMs) => {
    const answer = classifyAnswer({ kind: 'answered', data: 1 }, toolContract().price);
    return completedEnd(facts, answer, notCharged.bill, Buffer.from('1'), nowMs, nowMs);
  });

const revise = (
  executionId: ExecutionId,
  over: { reasonCode?: 'provider.error' | 'result.empty'; reference?: string } = {},
) => reviser.revise({ executionId, reasonCode: 'provider.error', reference: 'ticket-1', revisedBy: 'key_1', ...over });
const revisionsOf = (executionId: ExecutionId) => readStream(database.pool, `revision:${executionId}`);

describe('the revision of an outcome', () => {
  it('is an event of the account on the topic of executions, once, and leaves the execution as it ended', async () => {
    const executionId = await succeeded();
    const before = await readStream(database.pool, executionId);
    const nudgedBefore = nudged;
    const { revision, repeated } = await revise(executionId);
    expect(repeated).toBe(false);
    expect(nudged).toBe(nudgedBefore + 1);
    expect(await revisionsOf(executionId)).toMatchObject([
      {
        type: 'ExecutionOutcomeRevised',
        topic: topicNames.executions,
        partitionKey: accountId,
        sequence: 1,
        data: {
          executionId,
          accountId,
          toolId: 'demo.weather.now.v1',
          outcome: 'provider_failure',
          reasonCode: 'provider.error',
          previousOutcome: 'success',
          previousReasonCode: 'result.valid',
          revisedBy: 'key_1',
          reference: 'ticket-1',
        },
      },
    ]);
    expect(await revise(executionId)).toEqual({ revision, repeated: true });
    expect(await readStream(database.pool, executionId)).toEqual(before);
    expect(nudged).toBe(nudgedBefore + 1);
    const asked = { executions: [{ executionId, accountId }] };
    expect(await endStatesOf(database.pool, journal, systemClock, asked)).toEqual({
      endStates: { [executionId]: 'completed' },
    });
  });

  it('happens once when it is reported many times at once, and every report gets the same answer', async () => {
    const executionId = await succeeded();
    const reports = await Promise.all(Array.from({ length: 8 }, () => revise(executionId)));
    expect(reports.filter(({ repeated }) => !repeated)).toHaveLength(1);
    for (const { revision } of reports) expect(revision).toEqual(reports[0]?.revision);
    expect(await revisionsOf(executionId)).toHaveLength(1);
  });

  it('is refused where a first report said otherwise', async () => {
    const executionId = await succeeded();
    await revise(executionId);
    await expect(revise(executionId, { reasonCode: 'result.empty' })).rejects.toMatchObject({ code: 'conflict' });
    await expect(revise(executionId, { reference: 'ticket-2' })).rejects.toMatchObject({ code: 'conflict' });
    expect(await revisionsOf(executionId)).toHaveLength(1);
  });

  it('is refused of what runs, did not succeed, or is not known, and writes nothing', async () => {
    const refused: [ExecutionId, string][] = [
      [await started(), 'conflict'],
      [await ended((facts, nowMs) => interruptedEnd(facts, nowMs, nowMs)), 'conflict'],
      [newExecutionId(systemClock.nowMs()), 'not_found'],
    ];
    for (const [executionId, code] of refused) {
      await expect(revise(executionId)).rejects.toMatchObject({ code });
      expect(await revisionsOf(executionId)).toEqual([]);
    }
  });

  it('has an outcome for each reason, and none that says success, refusal or interruption', () => {
    expect(revisedReasons.map((reason) => revisedOutcomes[reason])).not.toContain(undefined);
    for (const outcome of ['success', 'partial_success', 'refused', 'interrupted']) {
      expect(Object.values(revisedOutcomes)).not.toContain(outcome);
    }
  });
});

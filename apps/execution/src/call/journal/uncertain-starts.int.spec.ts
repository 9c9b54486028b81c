import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { AccountAssertion, ForestalledHold } from '@capability-router/contracts';
import { readStream } from '@capability-router/event-store';
import {
  newAccountId,
  newExecutionId,
  systemClock,
  toIso,
  type Credits,
  type ExecutionId,
} from '@capability-router/kernel';
import { pino } from 'pino';
import { createScratchDatabase, type ScratchDatabase } from '../../test-support/scratch-database.js';
import { toolContract } from '../../test-support/tool-contract.js';
import { undispatchedEnd } from './domain/ends.js';
import { factsOf } from '../admission/domain/execution-facts.js';
import { ExecutionJournal } from './execution-journal.js';
import { UncertainStarts } from './uncertain-starts.js';

let database: ScratchDatabase;
let journal: ExecutionJournal;
let starts: UncertainStarts;
const forestalled: ForestalledHold[] = [];
beforeAll(async () => {
  database = await createScratchDatabase();
  journal = new ExecutionJournal(database.pool, systemClock);
  const holdReleases = { forestall: (hold: ForestalledHold) => Promise.resolve(void forestalled.push(hold)) };
  starts = new UncertainStarts(journal, holdReleases, systemClock, pino({ level: 'silent' }));
});
afterAll(() => database.drop());

const assertion: AccountAssertion = {
  accountId: newAccountId(systemClock.nowMs()),
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: [],
};
const tool = toolContract();

function execution() {
  const executionId = newExecutionId(systemClock.nowMs());
  const nowMs = systemClock.nowMs();
  const facts = factsOf({ executionId, assertion, partial: { toolId: tool.toolId }, tool, bound: 250_000n as Credits });
  return {
    executionId,
    start: () =>
      journal.start({ ...facts, startedAt: toIso(nowMs), deadlineAt: toIso(nowMs + 1_000) }, 'owner', 60_000),
    end: undispatchedEnd(facts, nowMs, nowMs),
  };
}

async function eventsOf(executionId: ExecutionId, count: number) {
  for (let tries = 0; ; tries += 1) {
    const events = await readStream(database.pool, executionId);
    if (events.length >= count || tries === 1_000) return events;
    await delay(20);
  }
}

/** A hold that may have been placed for it is given back, and once. */
async function expectForestalled(executionId: ExecutionId): Promise<void> {
  const ofIt = () => forestalled.filter(({ billableId }) => billableId === executionId);
  for (let tries = 0; tries < 1_000 && ofIt().length === 0; tries += 1) await delay(20);
  expect(ofIt()).toEqual([{ billableId: executionId, accountId: assertion.accountId, amountMicroCredits: '250000' }]);
}

it('closes a start that was written although the database did not say so', async () => {
  const { executionId, start, end } = execution();
  await start();
  starts.end(end);
  const events = await eventsOf(executionId, 2);
  expect(events.map(({ type }) => type)).toEqual(['ExecutionStarted', 'ExecutionInterrupted']);
  expect(events[1]?.data).toMatchObject({ dispatched: false, httpStatusCode: 503 });
  const { rows } = await database.pool.query('SELECT 1 FROM running_executions WHERE execution_id = $1', [executionId]);
  expect(rows).toEqual([]);
  await expectForestalled(executionId);
});

it('keeps a start that was not written from being written later', async () => {
  const { executionId, start, end } = execution();
  starts.end(end);
  const events = await eventsOf(executionId, 1);
  expect(events.map(({ type, data }) => [type, (data as { httpStatusCode?: number }).httpStatusCode])).toEqual([
    ['ExecutionInterrupted', 503],
  ]);
  expect(await start()).toBe(false);
  await expectForestalled(executionId);
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newAccountId, systemClock } from '@capability-router/kernel';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { lookUpPayloads, sweepPayloads } from './payload-store.sql.js';

let database: ScratchDatabase;
beforeAll(async () => {
  database = await createScratchDatabase();
});
afterAll(() => database.drop());

it('payloads go when their retention is over, however many there are, and the others stay', async () => {
  const { pool } = database;
  const accountId = newAccountId(systemClock.nowMs());
  const kept = randomUUID();
  const insert = `INSERT INTO execution_payloads (usage_event_id, account_id, request_payload, created_at)`;
  await pool.query(
    `${insert} SELECT gen_random_uuid(), $1, '{}', now() - interval '91 days' FROM generate_series(1, 2500)`,
    [accountId],
  );
  await pool.query(`${insert} VALUES ($1, $2, '{}', now() - interval '89 days')`, [kept, accountId]);
  expect(await sweepPayloads(pool, 90)).toBe(2_500);
  expect(await lookUpPayloads(pool, { accountId, usageEventIds: [kept] })).toEqual({
    payloads: { [kept]: { requestPayload: {} } },
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { topicNames, type EventEnvelope, type UsageSettled } from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';
import { createScratchDatabase, inTransaction, type ScratchDatabase } from '../test-support/scratch-database.js';
import { projectUsage } from './project-usage.js';

const golden = fileURLToPath(
  new URL(`../../../../libs/contracts/golden/events/${topicNames.usageSettlements}`, import.meta.url),
);

describe('settlements as older builds published them', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());

  it.each(readdirSync(golden))('reach the usage audit: %s', async (file) => {
    const { headers, value } = JSON.parse(readFileSync(join(golden, file), 'utf8')) as {
      headers: Record<string, string>;
      value: UsageSettled;
    };
    const event: EventEnvelope = {
      id: headers['ce_id'] ?? '',
      type: 'UsageSettled',
      source: 'billing',
      subject: headers['ce_subject'] ?? '',
      sequence: value.settlementSeq,
      time: value.settledAt,
      topic: topicNames.usageSettlements,
      partitionKey: value.accountId,
      data: value as unknown as JsonObject,
    };
    await inTransaction(database.pool, (tx) => projectUsage(tx, [event]));
    const { rows } = await database.pool.query(
      'SELECT account_id, settlement_status, settled_micro FROM usage_events WHERE id = $1',
      [value.usageEventId],
    );
    const row = {
      account_id: value.accountId,
      settlement_status: value.status,
      settled_micro: value.settledMicroCredits,
    };
    expect(rows).toEqual(value.audited === false ? [] : [row]);
  });
});

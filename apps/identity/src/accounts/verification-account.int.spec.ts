import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { VERIFICATION_ACCOUNT_ID } from '@capability-router/contracts';
import { readStream } from '@capability-router/event-store';
import { systemClock } from '@capability-router/kernel';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { openVerificationAccount } from './open-verification-account.js';

describe('the account of verification', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());

  it('is opened once, whoever asks together, and has no key', async () => {
    const asked = Array.from({ length: 5 }, () => openVerificationAccount(database.pool, systemClock));
    expect((await Promise.all(asked)).filter((opened) => opened)).toHaveLength(1);
    expect(await openVerificationAccount(database.pool, systemClock)).toBe(false);
    const events = await readStream(database.pool, VERIFICATION_ACCOUNT_ID);
    expect(events).toMatchObject([
      { type: 'AccountOpened', data: { kind: 'formal', initialGrantMicroCredits: '1000000000000' } },
    ]);
    expect((await database.pool.query('SELECT FROM api_keys')).rowCount).toBe(0);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newAccountId, systemClock } from '@capability-router/kernel';
import { createScratchDatabase, inTransaction, type ScratchDatabase } from '../test-support/scratch-database.js';
import { claimCommand } from './claimed-commands.js';

describe('claiming the key of a command', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());

  const accountId = newAccountId(systemClock.nowMs());
  const claim = (idempotencyKey: string): Promise<boolean> => {
    const command = { kind: 'grant', accountId, inputHash: 'hash', commandedBy: 'key_admin', note: null };
    const createdAt = new Date(systemClock.nowMs());
    return inTransaction(database.pool, (tx) => claimCommand(tx, { ...command, idempotencyKey, createdAt }));
  };

  it('is refused to the second, and its row stays as it was', async () => {
    expect(await claim('one')).toBe(true);
    expect(await claim('one')).toBe(false);
  });

  // A command that took it for a repetition would answer with another command's answer.
  it('fails where a row is in the way of anything but the key', async () => {
    await database.owner.query('CREATE UNIQUE INDEX one_of_account ON admin_commands (account_id)');
    await expect(claim('two')).rejects.toMatchObject({ code: '23505', constraint: 'one_of_account' });
  });
});

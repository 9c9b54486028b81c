/** @postgres-versions The boundary of a reader is the snapshot of the server. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { START_POSITION } from '@capability-router/event-store';
import { untilReadable } from '@capability-router/event-store/testing';
import { newAccountId, systemClock } from '@capability-router/kernel';
import { applyAccountEvents } from '../grants/account-events.js';
import { accountOpened } from '../test-support/events.js';
import { createScratchDatabase, inTransaction, type ScratchDatabase } from '../test-support/scratch-database.js';
import { balancesOutbox } from './balances-outbox.js';
import { ledgerOutbox } from './ledger-outbox.js';

const GRANT = 1_000_000n;

describe('the oldest entry that an outbox of the ledger has not published', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());

  it.each([ledgerOutbox, balancesOutbox])(
    'is told of $name while a transaction that began before it keeps readers from it, and not once they have passed it',
    async (outbox) => {
      await untilReadable(database.pool);
      const { position: before } = await outbox.readAfter(database.pool, START_POSITION, 100);
      expect(await outbox.oldestUnread(database.pool, before)).toBeUndefined();
      const forgotten = await database.pool.connect();
      try {
        await forgotten.query('BEGIN');
        await forgotten.query('SELECT pg_current_xact_id()');
        const beganMs = Date.now() - 1;
        const opened = accountOpened(newAccountId(beganMs), GRANT, beganMs);
        await inTransaction(database.pool, (tx) => applyAccountEvents(tx, [opened], systemClock));
        expect(await outbox.readAfter(database.pool, before, 100)).toEqual({ events: [], position: before });
        const at = await outbox.oldestUnread(database.pool, before);
        expect(at?.getTime()).toBeGreaterThanOrEqual(beganMs);
      } finally {
        await forgotten.query('ROLLBACK');
        forgotten.release();
      }
      await untilReadable(database.pool);
      const { events, position } = await outbox.readAfter(database.pool, before, 100);
      expect(events).toHaveLength(1);
      expect(await outbox.oldestUnread(database.pool, position)).toBeUndefined();
    },
  );
});

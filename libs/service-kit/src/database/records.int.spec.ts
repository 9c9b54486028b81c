import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createDatabase, type ScratchDatabase } from '@capability-router/event-store/testing';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { inTransaction } from '@capability-router/event-store';
import { Records } from './records.js';

@Entity({ name: 'things' })
class Thing {
  @PrimaryColumn({ name: 'thing_id', type: 'text' })
  readonly thingId: string;

  @Column({ name: 'seen_at', type: 'timestamptz', nullable: true })
  readonly seenAt: Date | null;

  @Column({ type: 'text', array: true })
  readonly tags: readonly string[];

  @Column({ name: 'amount_micro', type: 'bigint' })
  readonly amountMicro: string;
}

const records = new Records([Thing]);
const thing = (thingId: string): Thing => ({
  thingId,
  seenAt: new Date('2026-11-01T10:00:00.123Z'),
  tags: ['a', 'b "c"'],
  amountMicro: '9007199254740993',
});

describe('records', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    // One connection: a repository that took another would wait for it for ever.
    database = await createDatabase({ prefix: 'records', poolSize: 1 });
    await database.pool.query(
      'CREATE TABLE things (thing_id TEXT PRIMARY KEY, seen_at TIMESTAMPTZ, tags TEXT[] NOT NULL, amount_micro BIGINT NOT NULL)',
    );
  });
  beforeEach(async () => {
    await database.pool.query('TRUNCATE things');
  });
  afterAll(() => database.drop());

  it('are written and read on the connection of the transaction, and gone when it is rolled back', async () => {
    const { pool } = database;
    await expect(
      inTransaction(pool, async (tx) => {
        const things = await records.of(Thing, tx);
        await things.insert(thing('one'));
        expect((await tx.query('SELECT FROM things')).rowCount).toBe(1);
        await tx.query(`UPDATE things SET tags = '{raw}'`);
        expect(await things.findOneBy({ thingId: 'one' })).toEqual({ ...thing('one'), tags: ['raw'] });
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    expect(await (await records.of(Thing, pool)).find()).toEqual([]);
  });

  it('come back as they were written', async () => {
    await inTransaction(database.pool, async (tx) => {
      await (await records.of(Thing, tx)).save([{ ...thing('one') }, { ...thing('two'), seenAt: null }]);
    });
    const things = await records.of(Thing, database.pool);
    expect(await things.find({ order: { thingId: 'ASC' } })).toEqual([thing('one'), { ...thing('two'), seenAt: null }]);
  });

  it('are found by some of their columns, the key among them, whatever is null of the others', async () => {
    const things = await records.of(Thing, database.pool);
    await things.insert({ ...thing('two'), seenAt: null });
    const found = await things.findOne({ select: { thingId: true, seenAt: true }, where: { thingId: 'two' } });
    expect(found).toEqual({ thingId: 'two', seenAt: null });
  });

  it('fail with the error of the database, which names no value', async () => {
    const things = await records.of(Thing, database.pool);
    await things.insert(thing('one'));
    const error: unknown = await things
      .insert({ ...thing('one'), tags: ['secret'] })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: '23505', constraint: 'things_pkey' });
    expect(JSON.stringify({ ...(error as object) })).not.toMatch(/secret|INSERT/);
  });

  it('begin no transaction on a pool, whose statements may run on several connections', async () => {
    const things = await records.of(Thing, database.pool);
    await expect(things.save({ ...thing('one') })).rejects.toThrow('client of one');
    expect(await things.find()).toEqual([]);
  });

  it('are locked in a transaction, and nowhere else', async () => {
    const { pool } = database;
    const find = { where: { thingId: 'one' }, lock: { mode: 'pessimistic_write' } } as const;
    await expect((await records.of(Thing, pool)).findOne(find)).rejects.toThrow('transaction');
    await inTransaction(pool, async (tx) => {
      const things = await records.of(Thing, tx);
      await things.insert(thing('one'));
      expect(await things.findOne(find)).toEqual(thing('one'));
      const { rows } = await tx.query<{ granted: boolean }>(
        `SELECT granted FROM pg_locks WHERE relation = 'things'::regclass AND mode = 'RowShareLock' AND pid = pg_backend_pid()`,
      );
      expect(rows).toEqual([{ granted: true }]);
    });
  });
});

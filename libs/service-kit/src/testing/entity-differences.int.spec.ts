import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type ScratchDatabase } from '@capability-router/event-store/testing';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { entitiesBelow, entityDifferences } from './entity-differences.js';

@Entity({ name: 'parcels' })
class Parcel {
  @PrimaryColumn({ name: 'parcel_id', type: 'uuid' })
  readonly parcelId: string;

  @Column({ type: 'text', array: true })
  readonly labels: readonly string[];

  @Column({ name: 'sent_at', type: 'timestamptz', nullable: true })
  readonly sentAt: Date | null;

  @Column({ name: 'postage_micro', type: 'bigint' })
  readonly postageMicro: string;
}

describe('entities and their tables', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createDatabase({ prefix: 'entities', poolSize: 1 });
  });
  afterAll(() => database.drop());

  const columns = {
    parcel_id: 'parcel_id UUID PRIMARY KEY',
    labels: 'labels TEXT[] NOT NULL',
    sent_at: 'sent_at TIMESTAMPTZ',
    postage_micro: 'postage_micro BIGINT NOT NULL DEFAULT 0',
  };
  const differencesOf = async (table: Readonly<Record<string, string>>): Promise<string[]> => {
    await database.owner.query('DROP TABLE IF EXISTS parcels');
    await database.owner.query(`CREATE TABLE parcels (${Object.values(table).join(', ')})`);
    return entityDifferences(database, [Parcel]);
  };

  it('agree where columns, types, nulls and the key are the same', async () => {
    expect(await differencesOf(columns)).toEqual([]);
  });

  it.each([
    [
      'a column that the entity lacks',
      { weight: 'weight INTEGER' },
      'weight of parcels is integer in the table, not there in',
    ],
    [
      'a column that the table lacks',
      { sent_at: 'posted_at TIMESTAMPTZ' },
      'sent_at of parcels is not there in the table',
    ],
    [
      'another type',
      { postage_micro: 'postage_micro INTEGER NOT NULL' },
      'is integer NOT NULL in the table, bigint NOT NULL',
    ],
    [
      'a list of them',
      { labels: 'labels TEXT NOT NULL' },
      'is text NOT NULL in the table, text[] NOT NULL in the entity',
    ],
    [
      'what may be null',
      { sent_at: 'sent_at TIMESTAMPTZ NOT NULL' },
      'is timestamp with time zone NOT NULL in the table, timestamp',
    ],
    [
      'another key',
      { parcel_id: 'parcel_id UUID NOT NULL' },
      'is uuid NOT NULL in the table, uuid NOT NULL PRIMARY KEY',
    ],
  ])('differ in %s', async (_what, changed, told) => {
    expect((await differencesOf({ ...columns, ...changed })).join('\n')).toContain(told);
  });

  it('differ where the table is not there', async () => {
    await database.owner.query('DROP TABLE IF EXISTS parcels');
    expect(await entityDifferences(database, [Parcel])).toEqual(['Parcel: there is no table parcels']);
  });

  it('are not taken for compared where a folder has none', async () => {
    await expect(entitiesBelow(new URL('.', import.meta.url))).rejects.toThrow(/declares an entity/);
  });
});

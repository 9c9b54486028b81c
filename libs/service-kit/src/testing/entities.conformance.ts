import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ScratchDatabase } from '@capability-router/event-store/testing';
import { entitiesBelow, entityDifferences } from './entity-differences.js';

/**
 * Tries that the entities of a service, all `*.entity` files below `folder`, are as the tables that its migrations leave.
 * `createDatabase` gives a database with them.
 */
export function describeEntities(
  service: string,
  folder: URL,
  createDatabase: () => Promise<Pick<ScratchDatabase, 'ownerUrl' | 'drop'>>,
): void {
  describe(`the entities of ${service}`, () => {
    let database: Pick<ScratchDatabase, 'ownerUrl' | 'drop'>;
    beforeAll(async () => {
      database = await createDatabase();
    });
    afterAll(() => database.drop());

    it('are as the tables that the migrations leave', async () => {
      expect(await entityDifferences(database, await entitiesBelow(folder))).toEqual([]);
    });
  });
}

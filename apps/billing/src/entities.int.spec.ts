import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { entitiesBelow, entityDifferences } from '@capability-router/service-kit/testing';
import { createScratchDatabase, type ScratchDatabase } from './test-support/scratch-database.js';

describe('the entities of billing', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());

  it('are as the tables that the migrations leave', async () => {
    const entities = await entitiesBelow(new URL('.', import.meta.url));
    expect(await entityDifferences(database, entities)).toEqual([]);
  });
});

/**
 * This file is long because every way in which a model may fail is tried on one registry beside one real endpoint, in the
 * same set-up.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ToolManifest } from '@capability-router/contracts';
import { silentLogger } from '@capability-router/event-bus';
import { systemClock } from '@capability-router/kernel';
import { createMetrics } from '@capability-router/service-kit';
import { publishCatalogue } from '../catalogue/publish-catalogue.js';
import { loadRegistryConfig } from '../config.js';
import { CatalogueCopy } from '../search-index/catalogue-copy.js';
import { sampleSource, sampleTool } from '../test-support/sample-catalogue.js';
import { newAccount, RunningRegistry } from '../test-support/running-registry.js';
import { createScratchDatabase } from '../test-support/scratch-database.js';
import type { ScratchDatabase } from '../test-support/scratch-database.js';
import { createSemanticSearch } from './create-semantic-search.js';
import type { SemanticSearch } from './semantic-search.js';
import { embedsBy, ModelServer, sendJson } from './test-support/model-server.js';

const distance = sampleTool();
const tool = (name: string, word: string): ToolManifest =>
  sampleTool({ toolId: `geokit.${name}.get.v1`, name: { en: word }, description: { en: `${word} of a given day.` } });
const moon = tool('moon', 'Moon phase');
const tide = tool('tide', 'Tide table');
const source = (...tools: ToolManifest[]) => sampleSource({ tools });
const waxing = 'waxing crescent tonight';

/** Says the same of `moon` as of a query that shares no word with it. */
const meaning = (text: string): number[] => {
  if (/moon|waxing/i.test(text)) return [1, 0.1, 0];
  return /distance/i.test(text) ? [0, 1, 0.1] : [0.1, 0, 1];
};
const DEADLINE_MS = 40_000;
/** Milliseconds, the most that may be set: a machine that stands still for a moment is not late. */
const ROOMY_BUDGET_MS = '5000';

async function eventually<T>(get: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  const end = performance.now() + DEADLINE_MS;
  for (;;) {
    const value = await get();
    if (holds(value)) return value;
    if (performance.now() > end) throw new Error(`it did not come; last: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('searches with a model', () => {
  let models: ModelServer;
  let registry: RunningRegistry;
  const search = async (query: string) =>
    (await registry.post({ url: '/api/v1/search', account: newAccount(), body: { query } })).body;
  const idsOf = (body: Record<string, unknown>): string[] =>
    (body['results'] as { tool_id: string }[]).map((result) => result.tool_id);

  beforeAll(async () => {
    models = await ModelServer.start(embedsBy(meaning));
    registry = await RunningRegistry.start(source(distance, moon, tide), {
      SEARCH_EMBEDDING_PROVIDER: 'openai',
      SEARCH_EMBEDDING_BASE_URL: models.baseUrl,
      SEARCH_EMBEDDING_MODEL: 'tiny',
      SEARCH_EMBEDDING_BUDGET_MS: ROOMY_BUDGET_MS,
      SEARCH_RERANK_BASE_URL: models.baseUrl,
      SEARCH_RERANK_MODEL: 'judge',
      SEARCH_RERANK_BUDGET_MS: ROOMY_BUDGET_MS,
      SEARCH_RERANK_TIMEOUT_MS: '120000',
      SEARCH_EMBEDDING_TIMEOUT_MS: '120000',
    });
    models.answerWith(modelsOf(new Map()));
    await eventually(
      () => search(waxing),
      (body) => body['degraded'] === undefined && idsOf(body).length > 0,
    );
  });
  afterEach(() => {
    models.answerWith(modelsOf(new Map()));
  });
  afterAll(async () => {
    await registry.stop();
    await models.close();
  });

  /** Embeds by meaning, and judges documents by the first of these words that they hold; others 0. */
  const modelsOf =
    (judgements: ReadonlyMap<string, number>): Parameters<ModelServer['answerWith']>[0] =>
    (request, response) => {
      if (request.path !== '/v1/rerank') {
        embedsBy(meaning)(request, response);
        return;
      }
      const documents = request.body['documents'] as string[];
      const scoreOf = (text: string) => [...judgements].find(([word]) => text.includes(word))?.[1] ?? 0;
      const results = documents.map((text, index) => ({ index, relevance_score: scoreOf(text) })).reverse();
      sendJson(response, { results });
    };

  it('find a tool that has no word in common with the query, and no other', async () => {
    const body = await search(waxing);
    expect(idsOf(body)).toEqual([moon.toolId]);
    const [result] = body['results'] as Record<string, unknown>[];
    expect(result?.['final_score']).toBeGreaterThan(0.17);
    expect(body).not.toHaveProperty('degraded');
  });

  it('put an exact tool id first without asking a model', async () => {
    const asked = models.requests.length;
    expect(idsOf(await search(tide.toolId))).toEqual([tide.toolId]);
    expect(models.requests).toHaveLength(asked);
  });

  it('ask the model once for the same query', async () => {
    await search('distance of something');
    const asked = models.embedded.length;
    await search('distance of something');
    expect(models.embedded).toHaveLength(asked);
  });

  it('follow the reranker', async () => {
    const query = 'table of the given day';
    models.answerWith(
      modelsOf(
        new Map([
          ['Moon', 9],
          ['Tide', -3],
        ]),
      ),
    );
    const moonFirst = await search(query);
    models.answerWith(
      modelsOf(
        new Map([
          ['Moon', -9],
          ['Tide', 3],
        ]),
      ),
    );
    const tideFirst = await search(query);
    expect([idsOf(moonFirst)[0], idsOf(tideFirst)[0]]).toEqual([moon.toolId, tide.toolId]);
    expect(idsOf(moonFirst)).toHaveLength(idsOf(tideFirst).length);
  });

  it.each<[string, Parameters<ModelServer['answerWith']>[0]]>([
    ['fail', (_, response) => sendJson(response, {}, 500)],
    ['turn us away', (_, response) => sendJson(response, {}, 429)],
    ['answer garbage', (_, response) => sendJson(response, { data: 'x' })],
    ['answer other dimensions', embedsBy(() => [1, 2])],
  ])('answer by words and say so when models %s', async (name, answer) => {
    models.answerWith(answer);
    const body = await search(`moon phase ${name}`);
    expect(body).toMatchObject({ degraded: true, error_message: null });
    expect(idsOf(body)[0]).toBe(moon.toolId);
  });

  it('count what they had to do without', async () => {
    const before = await degradedSearches();
    models.answerWith((_, response) => sendJson(response, {}, 400));
    await search('moon phase once more');
    expect(await degradedSearches()).toBe(before + 1);
  });

  const degradedSearches = async (): Promise<number> => {
    const text = await registry.metrics.metrics();
    return Number(/^search_degraded_total (\d+)/m.exec(text)?.[1] ?? Number.NaN);
  };
});

describe('a search that waits no longer than its budget', () => {
  it('is answered by words while the model hangs', async () => {
    const models = await ModelServer.start(() => undefined);
    const registry = await RunningRegistry.start(source(distance, moon), {
      SEARCH_EMBEDDING_PROVIDER: 'openai',
      SEARCH_EMBEDDING_BASE_URL: models.baseUrl,
      SEARCH_EMBEDDING_MODEL: 'tiny',
      SEARCH_EMBEDDING_TIMEOUT_MS: '120000',
    });
    try {
      const { body } = await registry.post({ url: '/api/v1/search', account: newAccount(), body: { query: 'moon' } });
      expect(body).toMatchObject({ degraded: true, total: 1, results: [{ tool_id: moon.toolId }] });
      // The question may still be under way.
      await eventually(
        () => Promise.resolve(models.embedded),
        (texts) => texts.includes('moon'),
      );
    } finally {
      await models.close();
      await registry.stop();
    }
  });
});

describe('vectors of tools', () => {
  let database: ScratchDatabase;
  let models: ModelServer;
  const running: SemanticSearch[] = [];

  beforeAll(async () => {
    models = await ModelServer.start(embedsBy(meaning));
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((search) => search.beforeApplicationShutdown()));
    models.requests.length = 0;
    models.answerWith(embedsBy(meaning));
    await database.drop();
  });
  afterAll(() => models.close());

  /** A replica, or the service after a restart. */
  const replica = async (env: NodeJS.ProcessEnv = {}) => {
    const config = loadRegistryConfig({
      REGISTRY_DATABASE_URL: database.url,
      SEARCH_EMBEDDING_PROVIDER: 'openai',
      SEARCH_EMBEDDING_BASE_URL: models.baseUrl,
      SEARCH_EMBEDDING_MODEL: 'tiny',
      SEARCH_EMBEDDING_BUDGET_MS: ROOMY_BUDGET_MS,
      SEARCH_EMBEDDING_TIMEOUT_MS: '120000',
      SEARCH_EMBEDDING_REQUESTS_PER_MINUTE: '60000',
      ...env,
    });
    const catalogue = new CatalogueCopy();
    const metrics = createMetrics();
    const { pool } = database;
    const parts = { pool, catalogue, clock: systemClock, logger: silentLogger, metrics, minScore: 0.17 };
    const search = await createSemanticSearch(config.embedding, parts);
    running.push(search);
    catalogue.onChange((before, after) => search.changed(before, after));
    await catalogue.load(pool);
    search.start();
    const embedded = () =>
      eventually(
        () => metrics.metrics(),
        (text) => text.includes('search_tools_without_embedding 0'),
      );
    const idsFor = async (query: string) => (await search.search(query, 5)).found.map((found) => found.tool.toolId);
    return { catalogue, embedded, idsFor };
  };
  const publish = (...tools: ToolManifest[]) => publishCatalogue(database.pool, systemClock, source(...tools));
  const documentsAsked = () => models.embedded.filter((text) => text.includes('\n'));

  it('are taken from the table after a restart, and of another model computed anew', async () => {
    database = await createScratchDatabase();
    await publish(distance, moon, tide);
    await (await replica()).embedded();
    expect(documentsAsked()).toHaveLength(3);
    const restarted = await replica();
    await restarted.embedded();
    expect(documentsAsked()).toHaveLength(3);
    expect(await restarted.idsFor(waxing)).toEqual([moon.toolId]);
    await (await replica({ SEARCH_EMBEDDING_MODEL: 'other' })).embedded();
    expect(documentsAsked()).toHaveLength(6);
  });

  it('are computed once by two replicas that start together, in batches', async () => {
    database = await createScratchDatabase();
    const many = Array.from({ length: 40 }, (_, index) => tool(`many${index}`, `Word ${index}`));
    await publish(...many, moon);
    const batches = { SEARCH_EMBEDDING_BATCH_SIZE: '7' };
    const both = await Promise.all([replica(batches), replica(batches)]);
    await Promise.all(both.map(({ embedded }) => embedded()));
    expect(documentsAsked().sort()).toEqual([...new Set(documentsAsked())].sort());
    expect(documentsAsked()).toHaveLength(41);
    const sizes = models.requests.map(({ body }) => (body['input'] as string[]).length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(7);
    for (const { idsFor } of both) expect(await idsFor(waxing)).toEqual([moon.toolId]);
  });

  it('follow a tool that changes and one that goes', async () => {
    database = await createScratchDatabase();
    await publish(distance, moon);
    const { catalogue, embedded, idsFor } = await replica();
    await embedded();
    await publish(distance, { ...moon, description: { en: 'Nothing of the kind.' }, name: { en: 'Cheese' } });
    await catalogue.refresh(database.pool, [moon.toolId]);
    await embedded();
    expect(await idsFor(waxing)).toEqual([]);
    await publish(distance, moon);
    await catalogue.refresh(database.pool, [moon.toolId]);
    await embedded();
    expect(await idsFor(waxing)).toEqual([moon.toolId]);
    await publish(distance);
    await catalogue.refresh(database.pool, [moon.toolId]);
    expect(await idsFor(waxing)).toEqual([]);
    const { rows } = await database.pool.query('SELECT tool_id FROM tool_embeddings WHERE tool_id = $1', [moon.toolId]);
    expect(rows).toHaveLength(1);
  });

  it('come when the model is back', async () => {
    database = await createScratchDatabase();
    await publish(distance, moon);
    models.answerWith((_, response) => sendJson(response, {}, 503));
    const { embedded, idsFor } = await replica();
    await eventually(
      () => Promise.resolve(models.requests.length),
      (requests) => requests >= 2,
    );
    models.answerWith(embedsBy(meaning));
    await embedded();
    expect(await idsFor(waxing)).toEqual([moon.toolId]);
  });

  it('are not missing because of one text that the model refuses', async () => {
    database = await createScratchDatabase();
    await publish(distance, moon, tide);
    models.answerWith((request, response) => {
      const refused = (request.body['input'] as string[]).some((text) => text.includes('Tide'));
      if (refused) sendJson(response, {}, 400);
      else embedsBy(meaning)(request, response);
    });
    const { embedded, idsFor } = await replica();
    await embedded();
    expect(await idsFor(waxing)).toEqual([moon.toolId]);
    expect(await idsFor('tide table')).toContain(tide.toolId);
  });
});

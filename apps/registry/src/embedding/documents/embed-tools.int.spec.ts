import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ToolManifest } from '@capability-router/contracts';
import { silentLogger } from '@capability-router/event-bus';
import { systemClock } from '@capability-router/kernel';
import { createMetrics } from '@capability-router/service-kit';
import { DEFAULT_MIN_FIT, loadChineseGlosses } from '@capability-router/tool-search';
import { publishCatalogue } from '../../catalogue/publish-catalogue.js';
import { loadRegistryConfig } from '../../config.js';
import { CatalogueCopy } from '../../search-index/catalogue-copy.js';
import { openIndex } from '../../test-support/open-index.js';
import { createScratchDatabase, type ScratchDatabase } from '../../test-support/scratch-database.js';
import { createSemanticSearch } from '../create-semantic-search.js';
import type { SemanticSearch } from '../semantic-search.js';
import {
  distance,
  eventually,
  meaning,
  moon,
  plenilunium,
  ROOMY_BUDGET_MS,
  sourceOf,
  tide,
  wordTool,
} from '../test-support/meanings.js';
import { embedsBy, ModelServer, sendJson } from '../test-support/model-server.js';

describe('vectors of tools', () => {
  let database: ScratchDatabase;
  let models: ModelServer;
  const running: SemanticSearch[] = [];
  const copies: CatalogueCopy[] = [];

  beforeAll(async () => {
    models = await ModelServer.start(embedsBy(meaning));
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((search) => search.beforeApplicationShutdown()));
    await Promise.all(copies.splice(0).map((copy) => copy.close()));
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
    const { pool } = database;
    const catalogue = new CatalogueCopy({ pool, openIndex });
    copies.push(catalogue);
    const metrics = createMetrics();
    const parts = {
      pool,
      catalogue,
      clock: systemClock,
      glosses: loadChineseGlosses(),
      logger: silentLogger,
      metrics,
      minFit: DEFAULT_MIN_FIT,
    };
    const search = await createSemanticSearch(config.embedding, parts);
    running.push(search);
    catalogue.onChange((before, after) => search.changed(before, after));
    await catalogue.load();
    search.start();
    const embedded = () =>
      eventually(
        () => metrics.metrics(),
        (text) => text.includes('search_tools_without_embedding 0'),
      );
    const idsFor = async (query: string) => (await search.search(query, 5)).found.map((found) => found.tool.toolId);
    return { catalogue, embedded, idsFor };
  };
  const publish = (...tools: ToolManifest[]) => publishCatalogue(database.pool, systemClock, sourceOf(...tools));
  const documentsAsked = () => models.embedded.filter((text) => text.includes('\n'));

  it('are taken from the table after a restart, and of another model computed anew', async () => {
    database = await createScratchDatabase();
    await publish(distance, moon, tide);
    await (await replica()).embedded();
    expect(documentsAsked()).toHaveLength(3);
    const restarted = await replica();
    await restarted.embedded();
    expect(documentsAsked()).toHaveLength(3);
    expect(await restarted.idsFor(plenilunium)).toEqual([moon.toolId]);
    await (await replica({ SEARCH_EMBEDDING_MODEL: 'other' })).embedded();
    expect(documentsAsked()).toHaveLength(6);
  });

  it('are computed once by two replicas that start together, in batches', async () => {
    database = await createScratchDatabase();
    const many = Array.from({ length: 40 }, (_, index) => wordTool(`many${index}`, `Word ${index}`));
    await publish(...many, moon);
    const batches = { SEARCH_EMBEDDING_BATCH_SIZE: '7' };
    const both = await Promise.all([replica(batches), replica(batches)]);
    await Promise.all(both.map(({ embedded }) => embedded()));
    expect(documentsAsked().sort()).toEqual([...new Set(documentsAsked())].sort());
    expect(documentsAsked()).toHaveLength(41);
    const sizes = models.requests.map(({ body }) => (body['input'] as string[]).length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(7);
    for (const { idsFor } of both) expect(await idsFor(plenilunium)).toEqual([moon.toolId]);
  });

  it('follow a tool that changes and one that goes', async () => {
    database = await createScratchDatabase();
    await publish(distance, moon);
    const { catalogue, embedded, idsFor } = await replica();
    await embedded();
    await publish(distance, { ...moon, description: { en: 'Nothing of the kind.' }, name: { en: 'Cheese' } });
    await catalogue.refresh([moon.toolId]);
    await embedded();
    expect(await idsFor(plenilunium)).toEqual([]);
    await publish(distance, moon);
    await catalogue.refresh([moon.toolId]);
    await embedded();
    expect(await idsFor(plenilunium)).toEqual([moon.toolId]);
    await publish(distance);
    await catalogue.refresh([moon.toolId]);
    expect(await idsFor(plenilunium)).toEqual([]);
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
    expect(await idsFor(plenilunium)).toEqual([moon.toolId]);
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
    expect(await idsFor(plenilunium)).toEqual([moon.toolId]);
    expect(await idsFor('tide table')).toContain(tide.toolId);
  });
});

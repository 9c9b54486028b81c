import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DEFAULT_MIN_FIT } from '@capability-router/tool-search';
import { newAccount, RunningRegistry } from '../test-support/running-registry.js';
import {
  distance,
  eventually,
  meaning,
  moon,
  plenilunium,
  ROOMY_BUDGET_MS,
  sourceOf,
  tide,
} from './test-support/meanings.js';
import { embedsBy, ModelServer, sendJson } from './test-support/model-server.js';

describe('searches with a model', () => {
  let models: ModelServer;
  let registry: RunningRegistry;
  const search = async (query: string) =>
    (await registry.post({ url: '/api/v1/search', account: newAccount(), body: { query } })).body;
  const idsOf = (body: Record<string, unknown>): string[] =>
    (body['results'] as { tool_id: string }[]).map((result) => result.tool_id);

  beforeAll(async () => {
    models = await ModelServer.start(embedsBy(meaning));
    registry = await RunningRegistry.start(sourceOf(distance, moon, tide), {
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
      () => search(plenilunium),
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
    const body = await search(plenilunium);
    expect(idsOf(body)).toEqual([moon.toolId]);
    const [result] = body['results'] as Record<string, unknown>[];
    expect(result?.['final_score']).toBeGreaterThan(DEFAULT_MIN_FIT);
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
    const registry = await RunningRegistry.start(sourceOf(distance, moon), {
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

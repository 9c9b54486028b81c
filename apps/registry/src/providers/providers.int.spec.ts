import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, RunningRegistry, type Answer } from '../test-support/running-registry.js';
import { sampleSource, sampleTool } from '../test-support/sample-catalogue.js';

const sample = sampleSource();
const noCalls = { sample_count: 0, data_status: 'insufficient', window: '30d' };

describe('providers', () => {
  let registry: RunningRegistry;
  beforeAll(async () => {
    registry = await RunningRegistry.start({
      ...sample,
      providers: [
        ...sample.providers,
        {
          providerId: 'zeta',
          name: { en: 'Aardvark' },
          description: { en: 'Weather.' },
          websiteUrl: 'https://example.com',
        },
        { providerId: 'unused', name: { en: 'Unused' }, description: { en: 'Has no tool.' } },
      ],
      tools: [
        sampleTool(),
        sampleTool({ toolId: 'geokit.distance.compute.v2' }),
        sampleTool({ toolId: 'zeta.weather.now.v1', providerId: 'zeta', region: 'US' }),
      ],
    });
  });
  afterAll(() => registry.stop());

  const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    registry.get({ url: `/api/v1/providers${path}`, account: newAccount(), headers });

  it('are those with a published tool, by name', async () => {
    const { status, body } = await get('');
    expect([status, body]).toEqual([
      200,
      {
        total: 2,
        items: [
          {
            provider_id: 'zeta',
            name: 'Aardvark',
            description: 'Weather.',
            website_url: 'https://example.com',
            categories: ['geography'],
            tool_count: 1,
            region: 'US',
            stats: noCalls,
          },
          {
            provider_id: 'geokit',
            name: 'Geokit',
            description: 'Geography over bundled data.',
            categories: ['geography'],
            tool_count: 2,
            region: 'global',
            stats: noCalls,
          },
        ],
      },
    ]);
  });

  it('come in pages, ordered as asked for, with the total of all', async () => {
    const { body } = await get('?sort_by=tools&limit=1');
    expect(body).toMatchObject({ total: 2, items: [{ provider_id: 'geokit' }] });
    expect((await get('?sort_by=tools&sort_order=asc&limit=1&skip=1')).body).toMatchObject({
      total: 2,
      items: [{ provider_id: 'geokit' }],
    });
  });

  it('are chosen by words and by categories, given once or several times', async () => {
    expect((await get('?query=AARDVARK')).body).toMatchObject({ total: 1 });
    expect((await get('?categories=none,geography')).body).toMatchObject({ total: 2 });
    expect((await get('?categories=none&categories=nothing')).body).toMatchObject({ total: 0, items: [] });
  });

  it('speak Chinese where they can', async () => {
    const byHeader = await get('', { 'accept-language': 'zh' });
    expect(byHeader.body).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ name: '地理工具' })]),
    });
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'skip=-1', 'sort_by=x', 'sort_order=x', 'lang=fr', 'query=%00'])(
    'refuses %s with 422 and names the parameter',
    async (query) => {
      const { status, body } = await get(`?${query}`);
      expect(status).toBe(422);
      expect(body).toMatchObject({ detail: [{ loc: ['query', query.split('=', 1)[0]] }] });
    },
  );
});

describe('categories', () => {
  it('have their counts and speak the language of the caller', async () => {
    const registry = await RunningRegistry.start();
    try {
      const url = '/api/v1/providers/categories';
      const item = { slug: 'geography', tool_count: 1, provider_count: 1 };
      expect((await registry.get({ url, account: newAccount() })).body).toEqual({
        items: [{ ...item, name: 'Geography', description: 'Places.' }],
      });
      expect((await registry.get({ url: `${url}?lang=zh`, account: newAccount() })).body).toEqual({
        items: [{ ...item, name: '地理', description: 'Places.' }],
      });
    } finally {
      await registry.stop();
    }
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, RunningRegistry } from '../test-support/running-registry.js';
import { sampleSource, sampleTool } from '../test-support/sample-catalogue.js';

const url = '/internal/tools:describe';
const ids = ['geokit.distance.compute.v1', 'geokit.distance.compute.v2'];

describe('what tools are, for those that the operator names', () => {
  let registry: RunningRegistry;
  beforeAll(async () => {
    registry = await RunningRegistry.start(sampleSource({ tools: ids.map((toolId) => sampleTool({ toolId })) }));
  });
  afterAll(() => registry.stop());

  it('comes in the order of the request, without what is not published, and is of nobody', async () => {
    const account = newAccount();
    const body = { toolIds: [ids[1], 'no.such.tool.v1', ids[0]] };
    const { parametersSchema, oneOfRequired, name, description } = sampleTool({});
    const answer = await registry.post({ url, account, body });
    expect(answer.status).toBe(200);
    const described = {
      name: name.en,
      description: description.en,
      price: expect.stringMatching(/\d/),
      parametersSchema,
      oneOfRequired,
      builtIn: true,
    };
    expect(answer.body).toEqual({ tools: [ids[1], ids[0]].map((toolId) => ({ toolId, ...described })) });
    expect(await registry.usageEventsOf(account)).toEqual([]);
  });

  it('is for the gateway, and for 200 tools at a time', async () => {
    expect((await registry.post({ url, body: { toolIds: [] }, as: 'billing' })).status).toBe(403);
    const toolIds = Array.from({ length: 201 }, () => ids[0]);
    expect((await registry.post({ url, body: { toolIds } })).status).toBe(422);
  });
});

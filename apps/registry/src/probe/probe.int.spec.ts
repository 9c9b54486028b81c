import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, RunningRegistry } from '../test-support/running-registry.js';
import { sampleSource, sampleTool } from '../test-support/sample-catalogue.js';

const perCall = sampleTool();
const perRow = sampleTool({
  toolId: 'geokit.distance.list.v1',
  parametersSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['from'],
    properties: { from: { type: 'string', minLength: 1 }, limit: { type: 'integer', minimum: 1, maximum: 50 } },
  },
  oneOfRequired: [],
  price: {
    metering: { kind: 'result_rows', path: 'rows', limitParameter: 'limit', maxUnits: 50 },
    amountMicroCredits: '1000',
    unitLabel: 'row',
  },
});
const swiss = {
  providerId: 'swiss',
  name: { en: 'Swiss' },
  description: { en: 'Geography of Switzerland.' },
  credential: 'account',
} as const;
const local = sampleTool({
  toolId: 'swiss.distance.local.v1',
  providerId: 'swiss',
  capabilities: [{ id: 'geo.local', tags: [] }],
  region: 'CH|-US',
});
const good = { from: 'Berlin', to: 'Paris' };

describe('Probe', () => {
  let registry: RunningRegistry;
  beforeAll(async () => {
    registry = await RunningRegistry.start(
      sampleSource({ providers: [...sampleSource().providers, swiss], tools: [perCall, perRow, local] }),
    );
  });
  afterAll(() => registry.stop());

  const probe = (body: unknown, query = `?tool_id=${perCall.toolId}`, account = newAccount()) =>
    registry.post({ url: `/api/v1/tools/probe${query}`, account, body });

  it('checks the schema unless asked for more, and leaves no usage event', async () => {
    const account = newAccount();
    const answer = await probe({ parameters: good }, undefined, account);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      schema: { valid: true, violations: [] },
      recovery: {
        missing_fields: [],
        safe_fixes: [],
        retryable: false,
        next_action: 'execute',
        provider_fallback: true,
      },
      verification_status: 'unverified',
      verification: expect.objectContaining({ status: 'unverified', quality_issues: [] }),
      execution_restrictions: {
        callable: true,
        eligibility: 'unknown',
        license: 'unknown',
        commercial_use: 'unknown',
        regions: { allow: [], deny: [] },
        warnings: [],
      },
    });
    expect(await registry.usageEventsOf(account)).toEqual([]);
  });

  it('names each fault of the parameters, with the parameter and what to do', async () => {
    const { status, body } = await probe({ parameters: { form: 'Berlin' } });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      schema: {
        valid: false,
        violations: expect.arrayContaining([
          { type: 'one_of_required', message: 'Give at least one of: to, to_code' },
          { param: 'from', type: 'missing', message: 'Field required' },
          { param: 'form', type: 'extra_forbidden', message: expect.stringContaining('did you mean "from"') },
        ]),
      },
      recovery: {
        missing_fields: ['from'],
        safe_fixes: ['Send "form" under its name, "from".'],
        next_action: 'inspect',
      },
    });
  });

  it('answers just what was asked for, once', async () => {
    for (const checks of [['quote'], ['coverage', 'sample'], ['schema', 'quote', 'coverage', 'sample', 'quote']]) {
      const { body } = await probe({ parameters: good, checks, live_budget: 'sampled' });
      const always = ['recovery', 'verification_status', 'verification', 'execution_restrictions'];
      expect(Object.keys(body).sort()).toEqual([...new Set(checks), ...always].sort());
    }
  });

  it('quotes exactly where the price is known beforehand, else the bound', async () => {
    const exact = await probe({ parameters: good, checks: ['quote'] });
    expect(exact.body['quote']).toEqual({
      estimate_credits: 0.5,
      currency: 'credits',
      exact: true,
      basis: 'call',
      detail: { description: expect.stringContaining('costs 0.5 credits') },
    });
    const body = { tool_id: perRow.toolId, parameters: { from: 'Berlin', limit: 20 }, checks: ['quote'] };
    const bound = await probe(body, '');
    expect(bound.body).toMatchObject({ quote: { estimate_credits: 0.02, exact: false, basis: 'result_rows' } });
  });

  it('gives no number where it would depend on parameters that do not fit', async () => {
    const { body } = await probe({ tool_id: perRow.toolId, parameters: { limit: 99 }, checks: ['quote'] }, '');
    expect(body['quote']).toEqual({
      currency: 'credits',
      exact: false,
      basis: 'result_rows',
      detail: { description: expect.stringContaining('do not fit') },
    });
  });

  it('says what to do next: mend, confirm a price that the account has not, or go to another tool', async () => {
    const recovery = async (parameters: object, account = newAccount(), toolId = perRow.toolId) =>
      (await probe({ tool_id: toolId, parameters }, '', account)).body['recovery'];
    expect(await recovery({ from: 'Berlin', limit: '20' })).toMatchObject({
      safe_fixes: ['Send "limit" as the number 20, without quotes.'],
      next_action: 'probe',
    });
    expect(await recovery({ from: 7, limit: 999 })).toMatchObject({
      safe_fixes: ['Send "from" as the text "7", with quotes.'],
      next_action: 'inspect',
    });
    registry.availableMicro = 100n;
    expect(await recovery({ from: 'Berlin' })).toMatchObject({ next_action: 'confirm_budget' });
    registry.availableMicro = 995_500_000n;
    const abroad = { ...newAccount(), region: 'US' };
    const { body } = await probe({ tool_id: local.toolId, parameters: good }, '', abroad);
    expect(body).toMatchObject({
      recovery: { next_action: 'switch_provider', provider_fallback: false },
      execution_restrictions: {
        callable: false,
        regions: { allow: ['CH'], deny: ['US'] },
        warnings: [expect.stringContaining('US'), expect.stringContaining('PUT /auth/provider-credentials/')],
      },
    });
  });

  it('says why coverage and a sample are unknown', async () => {
    const { body } = await probe({ checks: ['coverage', 'sample'] });
    for (const part of ['coverage', 'sample']) {
      expect(body[part]).toEqual({ verdict: 'unknown', reason: expect.stringMatching(/\S/) });
    }
  });

  it('takes nulls and members it does not know', async () => {
    const nulls = { parameters: null, checks: null, live_budget: null, tool_id: null, search_id: null, surprise: 1 };
    expect(await probe(nulls)).toMatchObject({ status: 200, body: { schema: { valid: false } } });
  });

  it('answers 404 to a tool that there is not, also by an id that could be none', async () => {
    for (const toolId of ['no.such.tool.v1', 'not%20a%20tool']) {
      const { status, body } = await probe({}, `?tool_id=${toolId}`);
      expect(status).toBe(404);
      expect(body).toMatchObject({ message: expect.stringContaining('POST /search') });
    }
  });

  it.each([
    ['no tool_id', {}, '', 'tool_id'],
    ['two tool_ids', { tool_id: 'a.b.c.v1' }, `?tool_id=${perCall.toolId}`, 'tool_id'],
    ['a tool_id of 201 characters', {}, `?tool_id=${'a'.repeat(201)}`, 'tool_id'],
    ['a tool_id with a control character', { tool_id: 'a\u0000' }, '', 'tool_id'],
    ['parameters that are a list', { parameters: [] }, undefined, 'parameters'],
    ['no checks at all', { checks: [] }, undefined, 'checks'],
    ['an unknown check', { checks: ['schema', 'price'] }, undefined, 'checks'],
    ['100 checks', { checks: Array.from({ length: 100 }, () => 'schema') }, undefined, 'checks'],
    ['an unknown live budget', { live_budget: 'all' }, undefined, 'live_budget'],
  ])('refuses %s with 422 naming the field', async (_name, body, query, field) => {
    const answer = await probe(body, query);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      message: expect.stringContaining(field),
      detail: [{ loc: expect.arrayContaining([field]) }],
    });
  });

  it('refuses unreadable JSON with 400 and serves the gateway alone, for an account', async () => {
    expect(await probe('{"checks":')).toMatchObject({ status: 400, body: { message: expect.any(String) } });
    const url = `/api/v1/tools/probe?tool_id=${perCall.toolId}`;
    expect(await registry.post({ url, body: {}, as: 'billing' })).toMatchObject({ status: 403 });
    expect(await registry.post({ url, body: {} })).toMatchObject({ status: 401 });
  });
});

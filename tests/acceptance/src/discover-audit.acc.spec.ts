import { beforeAll, describe, expect, it } from '@jest/globals';
import { usageEvent } from '@capability-router/contracts/answers';
import { newAccount, type TestAccount } from './support/accounts.js';
import { listUsage, settledUsageOf } from './support/audit.js';
import { eventually } from './support/eventually.js';
import { execute } from './support/execute.js';
import { expectShape } from './support/expect-shape.js';
import { call } from './support/http.js';
import { asArray, asObject, asString, type JsonObject } from './support/json.js';
import { freeCall } from './support/tools.js';

let account: TestAccount;
beforeAll(async () => {
  account = await newAccount();
});

const search = (body: JsonObject, key = account.key) => call('POST', '/search', { key, body });
const inspect = (body: JsonObject, key = account.key) => call('POST', '/tools/by-ids', { key, body });
const toolIdsOf = (json: JsonObject) => asArray(json['results']).map((tool) => asObject(tool)['tool_id']);

/** The rows of a search, with their details, once there are as many. */
const rowsOf = (searchId: string, count: number, key = account.key): Promise<JsonObject[]> =>
  eventually(async () => {
    const rows = await listUsage(key, { search_id: searchId, include_details: true });
    expect(rows).toHaveLength(count);
    return rows;
  });

describe('the audit of Discover and Inspect', () => {
  it('says everything about a search', async () => {
    const body = { query: 'convert units', limit: 3, session_id: 'audit-1', view: 'routing', lang: 'en' };
    const reply = await search(body);
    const searchId = asString(reply.json['search_id'], 'search_id');
    const [row] = await rowsOf(searchId, 1);
    expectShape(row, usageEvent);
    expect(row).toMatchObject({
      event_type: 'search',
      source_system: 'registry',
      source_ref_type: 'search',
      source_ref_id: searchId,
      search_id: searchId,
      session_id: 'audit-1',
      success: true,
      billable_success: true,
      charge_outcome: 'included',
      http_status_code: 200,
      raw_result_count: reply.json['total'],
      credential_type: 'api_key',
      api_key_attribution_status: 'attributed',
      query: body.query,
      request_payload: body,
      response_payload_summary: { total: reply.json['total'], tool_ids: toolIdsOf(reply.json) },
      billing_snapshot_status: 'not_applicable',
      actual_amount_credits: null,
      credits_ledger_entry_id: null,
    });
    expect(asObject(row?.['api_key'])['id']).toBe(account.keyId);
    expect(row?.['duration_ms']).toBeGreaterThanOrEqual(0);
  });

  it('says everything about an inspection, linked to its search', async () => {
    const found = await search({ query: 'convert units', limit: 2 });
    const searchId = asString(found.json['search_id'], 'search_id');
    const [known] = toolIdsOf(found.json);
    const body = { tool_ids: [known, 'nobody.nothing.never.v1'], search_id: searchId, session_id: 's', view: 'lean' };
    await inspect(body);
    const row = (await rowsOf(searchId, 2)).find((each) => each['event_type'] === 'search_by_ids');
    expectShape(row, usageEvent);
    expect(row).toMatchObject({
      search_id: searchId,
      source_ref_id: searchId,
      session_id: 's',
      success: true,
      charge_outcome: 'included',
      raw_result_count: 1,
      request_payload: body,
      response_payload_summary: { total: 1, tool_ids: [known] },
    });
  });

  it('keeps texts out of the list where details are not asked for', async () => {
    const reply = await search({ query: 'convert units' });
    const searchId = asString(reply.json['search_id'], 'search_id');
    await rowsOf(searchId, 1);
    const [row] = await listUsage(account.key, { search_id: searchId });
    expect(row).not.toHaveProperty('request_payload');
    expect(row).not.toHaveProperty('query');
  });

  it('has one row of each request that was refused with 422, with the reason', async () => {
    const { key } = await newAccount();
    await search({ query: 'convert units', limit: 0 }, key);
    await inspect({ tool_ids: [] }, key);
    const rows = await eventually(async () => {
      const found = await listUsage(key, { success: false });
      expect(found).toHaveLength(2);
      return found;
    });
    expect(rows.map((row) => row['event_type']).sort()).toEqual(['search', 'search_by_ids']);
    for (const row of rows) {
      expect(row).toMatchObject({
        reason_code: 'validation_error',
        charge_outcome: 'failed_not_charged',
        http_status_code: 422,
        error_message: expect.stringMatching(/limit|tool_ids/),
      });
    }
  });

  it('has no row of an unreadable body or of an invalid key', async () => {
    const { key } = await newAccount();
    expect((await call('POST', '/search', { key, rawBody: '{"query":' })).status).toBe(400);
    const reply = await search({ query: 'convert units' }, key);
    await rowsOf(asString(reply.json['search_id'], 'search_id'), 1, key);
    expect(await listUsage(key)).toHaveLength(1);
  });
});

describe('a search_id that is not the caller’s', () => {
  it('is answered like one that nobody has, and shows neither account the other’s rows', async () => {
    const other = await newAccount();
    const searched = await search({ query: 'convert units' }, other.key);
    const foreign = asString(searched.json['search_id'], 'search_id');
    const nobodys = `srch_${'0'.repeat(32)}`;
    const answers = await Promise.all(
      [foreign, nobodys].map((search_id) => inspect({ tool_ids: [freeCall.toolId], search_id })),
    );
    // `remaining_credits` is left out when it comes late.
    const membersOf = (json: object): string[] => Object.keys(json).filter((name) => name !== 'remaining_credits');
    const shapes = answers.map(({ status, json }) => [status, membersOf(json).sort(), json['total']]);
    expect(shapes[0]).toEqual(shapes[1]);
    expect(answers.map(({ json }) => json['search_id'])).toEqual([foreign, nobodys]);
    const called = await execute(account.key, freeCall, { search_id: foreign });
    expect(called.json['success']).toBe(true);
    const row = await settledUsageOf(account.key, called.json['execution_id']);
    expect(row['search_id']).toBe(foreign);
    const mine = await rowsOf(foreign, 2);
    expect(mine.map((each) => each['event_type']).sort()).toEqual(['search_by_ids', 'tool_execute']);
    const theirs = await rowsOf(foreign, 1, other.key);
    expect(theirs[0]?.['event_type']).toBe('search');
  });
});

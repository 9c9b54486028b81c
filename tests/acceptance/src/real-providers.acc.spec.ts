import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { admin, newAccount, type TestAccount } from './support/accounts.js';
import { listLedger, remainingCredits, settledUsageOf } from './support/audit.js';
import { eventually } from './support/eventually.js';
import { startEverythingServer, type EverythingServer } from './support/everything-server.js';
import { execute } from './support/execute.js';
import { call, type Reply } from './support/http.js';
import { asArray, asObject, type JsonObject } from './support/json.js';
import { startLibraryApi, type LibraryApi } from './support/library-api.js';

/** The steps of `docs/guides/providers.md`, from the description of a provider to the ledger. */
const run = Date.now().toString(36);
const subject = `realland${run}`;
const egress = { allow_http: true, allow_networks: ['127.0.0.1/32'] };

let account: TestAccount;
let library: LibraryApi;
let everything: EverythingServer;
beforeAll(async () => {
  [account, library, everything] = await Promise.all([newAccount(), startLibraryApi(subject), startEverythingServer()]);
});
afterAll(async () => {
  everything.stop();
  await library.close();
});

const toolIdsOf = (report: JsonObject): unknown[] =>
  asArray(report['tools'], 'tools').map((tool) => asObject(tool)['tool_id']);

/** Execution's copies follow the catalogue; a call that a replica does not know yet is refused and costs nothing. */
const answered = (toolId: string, parameters: JsonObject): Promise<Reply> =>
  eventually(async () => {
    const reply = await execute(account.key, { toolId, parameters });
    expect({ status: reply.status, body: reply.json }).toMatchObject({ status: 200, body: { success: true } });
    return reply;
  });

/** The call is in the audit and in the ledger, and the balance moved by its price. */
async function expectCharged(reply: Reply, before: number, credits: number): Promise<void> {
  const executionId = reply.json['execution_id'];
  expect(reply.json).toMatchObject({ cost: credits, remaining_credits: before - credits });
  const usage = await settledUsageOf(account.key, executionId);
  expect(usage).toMatchObject({ charge_outcome: 'charged', actual_amount_credits: credits });
  const entries = (await listLedger(account.key)).filter((entry) => entry['execution_id'] === executionId);
  expect(entries).toEqual([
    expect.objectContaining({ id: usage['credits_ledger_entry_id'], amount_credits: -credits }),
  ]);
  expect(await remainingCredits(account.key)).toBe(before - credits);
}

describe('a provider from outside', () => {
  it('that is an HTTP API with an OpenAPI document is imported, found, called once and charged', async () => {
    const report = await admin('POST', '/sources/openapi', {
      provider: { provider_id: `real${run}`, egress },
      url: library.documentUrl,
      price: { amount_credits: '0.5' },
    });
    const toolId = `real${run}.books.list.v1`;
    expect(toolIdsOf(report)).toEqual([toolId]);
    await eventually(async () => {
      const found = await call('POST', '/search', { key: account.key, body: { query: toolId } });
      expect(asArray(found.json['results'], 'results').map((result) => asObject(result)['tool_id'])).toContain(toolId);
    });
    const before = await remainingCredits(account.key);
    const reply = await answered(toolId, { author: 'Goethe' });
    expect(reply.json['result']).toEqual({ data: { author: 'Goethe', books: [{ title: 'Faust' }] } });
    await expectCharged(reply, before, 0.5);
  });

  it('that is a public MCP server package is imported, called once and charged', async () => {
    // A server that is not ours closes connections when it likes; whoever imports from it tries again.
    const report = await eventually(() =>
      admin('POST', '/sources/mcp', {
        provider: {
          provider_id: `every${run}`,
          name: { en: 'Everything' },
          description: { en: 'All of MCP.' },
          egress,
        },
        server: { transport: 'streamable_http', url: everything.url },
        include: ['get-sum', 'echo'],
        price: { amount_credits: '0.25' },
      }),
    );
    const toolIds = toolIdsOf(report);
    const [sum, echo] = [`every${run}.sum.get.v1`, `every${run}.tool.echo.v1`];
    expect([...toolIds].sort()).toEqual([sum, echo].sort());
    const before = await remainingCredits(account.key);
    const reply = await answered(sum, { a: 2, b: 40 });
    expect(JSON.stringify(reply.json['result'])).toContain('42');
    await expectCharged(reply, before, 0.25);
    const echoed = await answered(echo, { message: 'hello' });
    expect(echoed.json['result']).toEqual({ data: 'Echo: hello' });
    await expectCharged(echoed, before - 0.25, 0.25);
  });
});

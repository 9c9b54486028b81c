import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { admin, newAccount, type TestAccount } from './support/accounts.js';
import { caprouter, caprouterAsAdmin } from './support/caprouter.js';
import { adminKey } from './support/environment.js';
import { eventually } from './support/eventually.js';
import { call, send } from './support/http.js';
import { asArray, asObject, type JsonObject } from './support/json.js';
import { faults, startVerifiedProvider, type Fault, type VerifiedProvider } from './support/verified-provider.js';

const VERIFICATION_ACCOUNT = 'acc_00000000000070008000766572696679';
const checks = [
  'schema',
  'authentication',
  'description_contract',
  'provider_identity',
  'permissions',
  'freshness',
  'live_check',
];
/** Milliseconds: what is published has to reach every replica. */
const TIMEOUT_MS = 180_000;

let provider: VerifiedProvider;
let account: TestAccount;
beforeAll(async () => {
  [provider, account] = await Promise.all([startVerifiedProvider(), newAccount()]);
  await eventually(async () => {
    for (const fault of faults) await admin('POST', `/verifications/${provider.tools[fault]}`);
  });
}, TIMEOUT_MS);
afterAll(() => provider.close());

async function inspected(fault: Fault): Promise<JsonObject> {
  const reply = await call('POST', '/tools/by-ids', { key: account.key, body: { tool_ids: [provider.tools[fault]] } });
  return asObject(asArray(reply.json['results'])[0]);
}

/** As every replica tells it. */
function settled(fault: Fault, status: string): Promise<JsonObject> {
  return eventually(async () => {
    let tool: JsonObject = {};
    for (let turn = 0; turn < 4; turn += 1) {
      tool = await inspected(fault);
      expect(tool['verification_status']).toBe(status);
    }
    return tool;
  });
}
const byCheck = (tool: JsonObject): JsonObject =>
  Object.fromEntries(
    asArray(asObject(tool['verification'])['checks'])
      .map((check) => asObject(check))
      .map(({ name, status }) => [String(name), status ?? null]),
  );
/** Where no example is answered; the text names a field of results. */
const nothingSeen = {
  schema: 'missing',
  authentication: 'missing',
  description_contract: 'missing',
  freshness: 'missing',
};
const allPassed = Object.fromEntries(checks.map((name) => [name, 'passed']));

describe('a tool that was verified', () => {
  it(
    'is verified for a day, in every answer that shows it, and its terms come with it',
    async () => {
      const tool = await settled('none', 'verified');
      expect(tool['verification']).toMatchObject({ required_checks: checks, policy_version: '1', quality_issues: [] });
      expect(byCheck(tool)).toEqual(allPassed);
      const { verified_at: since, expires_at: until } = asObject(tool['verification']);
      expect(Date.parse(String(until)) - Date.parse(String(since))).toBe(86_400_000);
      expect(tool['execution_restrictions']).toMatchObject({
        callable: true,
        license: 'CC0-1.0',
        commercial_use: 'allowed',
        eligibility: 'unknown',
        data_as_of: expect.any(String),
      });
      const { key } = account;
      const toolId = provider.tools.none;
      const found = await call('POST', '/search', { key, body: { query: toolId, limit: 1 } });
      expect(asArray(found.json['results'])).toMatchObject([{ tool_id: toolId, verification_status: 'verified' }]);
      const probed = await call('POST', `/tools/probe?tool_id=${toolId}`, { key, body: {} });
      expect(probed.json).toMatchObject({ verification_status: 'verified' });
    },
    TIMEOUT_MS,
  );

  it.each(checks as Fault[])(
    'fails by %s alone, where that is what is wrong with it',
    async (fault) => {
      const tool = await settled(fault, 'failed');
      const others = fault === 'live_check' ? nothingSeen : {};
      expect(byCheck(tool)).toEqual({ ...allPassed, ...others, [fault]: 'failed' });
      const [found] = asArray(asObject(tool['verification'])['checks']).filter(
        (check) => asObject(check)['name'] === fault,
      );
      expect(asObject(found)['reason']).toEqual(expect.stringMatching(/\S/));
    },
    TIMEOUT_MS,
  );

  it(
    'is restricted where its provider does not let the deployment',
    async () => {
      expect(byCheck(await settled('restricted', 'restricted'))).toMatchObject({ live_check: 'restricted' });
    },
    TIMEOUT_MS,
  );

  it(
    'has its evidence for operators, and its runs are in the books of an account that is nobody’s',
    async () => {
      const toolId = provider.tools.none;
      await settled('none', 'verified');
      const shown = await caprouterAsAdmin('verification', 'show', toolId);
      expect([shown.exitCode, shown.stderr]).toEqual([0, '']);
      expect(shown.stdout).toMatch(/^live_check +passed/m);
      const data = JSON.parse((await caprouterAsAdmin('--json', 'verification', 'show', toolId)).stdout) as JsonObject;
      const evidence = asObject(data['evidence']);
      expect(evidence['provider_identity']).toEqual({ [expectOrigin(evidence)]: 'its well-known file' });
      const calls = asArray(asObject(evidence['live_check'])['calls']).map((one) => asObject(one));
      expect(calls).toHaveLength(2);
      for (const { execution_id: id } of calls) {
        const path = `/api/v1/tools/executions/${String(id)}`;
        // They are of another account than anybody's.
        expect((await send('GET', path, { key: account.key })).status).toBe(404);
      }
      const verified = await caprouter('ledger', 'verify', '--account', VERIFICATION_ACCOUNT);
      expect([verified.exitCode, verified.stderr]).toEqual([0, '']);
      expect((await send('GET', `/admin/v1/verifications/${toolId}`, { key: account.key })).status).toBe(403);
      const requested = await caprouterAsAdmin('verification', 'request', 'no.such.tool.v1');
      expect([requested.exitCode, requested.stdout]).toEqual([1, '']);
      expect((await send('GET', '/admin/v1/verifications/no.such.tool.v1', { key: adminKey })).status).toBe(404);
    },
    TIMEOUT_MS,
  );
});

const expectOrigin = (evidence: JsonObject): string => Object.keys(asObject(evidence['provider_identity']))[0] ?? '';

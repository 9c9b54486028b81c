import { describe, expect, it } from '@jest/globals';
import {
  showVerification,
  verificationStatusAt,
  VERIFICATION_VALID_MS,
  type ToolContract,
} from '@capability-router/contracts';
import { inferSchema, ParameterValidator } from '@capability-router/tool-calls';
import { resolveTools } from '../catalogue/domain/resolve-tool.js';
import { sampleSource, sampleTool } from '../test-support/sample-catalogue.js';
import { exampleFaults } from './check-schema.js';
import type { ObservedCall } from './domain/finding.js';
import { judgeTool, type Observations } from './judge-tool.js';
import { nextRunAfter } from './domain/next-run.js';

const NOW_MS = Date.parse('2026-03-01T12:00:00Z');
const [described] = resolveTools(sampleSource());
if (described === undefined) throw new Error('the sample has a tool');

/** Needs a credential, declares its hosts and the time of its data; verified by `goodRun`. */
const good: ToolContract = {
  ...described,
  ...sampleTool(),
  version: 3,
  schemaHash: 'a'.repeat(64),
  description: { en: 'Distance of two cities. Give `to`, or its code as `to_code`; `km` is the result.' },
  binding: {
    kind: 'http',
    method: 'GET',
    url: 'https://api.geokit.example/v1/distance',
    placements: {},
    auth: { kind: 'bearer' },
  },
  provider: {
    ...described.provider,
    egress: { allowHosts: ['*.geokit.example'] },
    verification: { runExamples: true, domains: ['geokit.example'] },
  },
  freshness: { path: '$.as_of', maxAgeMs: 3_600_000 },
};
const result = { km: 878, as_of: '2026-03-01T11:30:00Z' };
const call = (over: Partial<ObservedCall> = {}): ObservedCall => ({
  example: 0,
  executionId: 'exec_1',
  success: true,
  reasonCode: 'result.valid',
  data: result,
  ...over,
});
const failedCall = (reasonCode: string, providerStatusCode?: number): ObservedCall => {
  const { data: _data, ...rest } = call({ success: false, reasonCode, message: 'no' });
  return { ...rest, ...(providerStatusCode === undefined ? {} : { providerStatusCode }) };
};
const goodRun: Observations = {
  exampleFaults: [],
  proofs: new Map(),
  calls: [call()],
  withoutCredential: failedCall('provider.auth_or_permission', 401),
  nowMs: NOW_MS,
};
const statusesOf = (tool: ToolContract, run: Observations) =>
  Object.fromEntries(judgeTool(tool, run).verification.checks.map(({ name, status }) => [name, status]));
const allPassed = statusesOf(good, goodRun);
const over = (changes: Partial<ToolContract>): ToolContract => ({ ...good, ...changes });

describe('the checks of a tool', () => {
  it('all pass for one that keeps what it says', () => {
    expect(allPassed).toEqual({
      schema: 'passed',
      authentication: 'passed',
      description_contract: 'passed',
      provider_identity: 'passed',
      permissions: 'passed',
      freshness: 'passed',
      live_check: 'passed',
    });
  });

  const observedBefore = inferSchema({ km: 'far', as_of: '2026-02-28' });
  it.each<[string, string, ToolContract, Partial<Observations>]>([
    ['an example that does not fit', 'schema', good, { exampleFaults: ['example 1: from: Field required'] }],
    ['a result of another shape than before', 'schema', good, { observedBefore }],
    ['an answer without the credential', 'authentication', good, { withoutCredential: call() }],
    [
      'an outage without the credential',
      'authentication',
      good,
      { withoutCredential: failedCall('transport.timeout') },
    ],
    ['a promised parameter', 'description_contract', over({ description: { en: 'Give `from_code`.' } }), {}],
    ['a parameter without a word', 'description_contract', over({ description: { en: 'Distance.' } }), {}],
    [
      'a host of nobody',
      'provider_identity',
      over({ provider: { ...good.provider, verification: { domains: ['kit.example'] } } }),
      { proofs: new Map([['https://api.geokit.example', { providerIds: ['other'] }]]) },
    ],
    ['no declared hosts', 'permissions', over({ provider: { ...good.provider, egress: {} } }), {}],
    [
      'a declared top-level domain',
      'permissions',
      over({ provider: { ...good.provider, egress: { allowHosts: ['*.example'] } } }),
      {},
    ],
    [
      'a token endpoint beyond the declared hosts',
      'permissions',
      over({
        binding: {
          ...(good.binding as Extract<ToolContract['binding'], { kind: 'http' }>),
          auth: { kind: 'oauth2_client_credentials', tokenUrl: 'https://geokit.example/token', scopes: [] },
        },
      }),
      {},
    ],
    ['old data', 'freshness', good, { calls: [call({ data: { ...result, as_of: '2026-03-01T10:59:59Z' } })] }],
    ['data from the future', 'freshness', good, { calls: [call({ data: { ...result, as_of: 1_772_370_000 } })] }],
    ['data without a time', 'freshness', good, { calls: [call({ data: { km: 878 } })] }],
  ])('fail by %s in %s alone', (_what, name, tool, run) => {
    expect(statusesOf(tool, { ...goodRun, ...run })).toEqual({ ...allPassed, [name]: 'failed' });
  });

  it('say that nothing can be said of results where no example is answered', () => {
    expect(statusesOf(good, { ...goodRun, calls: [failedCall('transport.timeout')] })).toEqual({
      ...allPassed,
      // Its text names a field of results.
      description_contract: 'missing',
      schema: 'missing',
      authentication: 'missing',
      freshness: 'missing',
      live_check: 'failed',
    });
  });

  it('tell a credential that is not accepted from a provider that does not let this deployment', () => {
    const refused = { ...goodRun, calls: [failedCall('provider.auth_or_permission', 401)] };
    expect(statusesOf(good, refused)).toMatchObject({ authentication: 'failed', live_check: 'failed' });
    const shutOut = { ...goodRun, calls: [failedCall('provider.auth_or_permission', 403)] };
    expect(statusesOf(good, shutOut)).toMatchObject({ authentication: 'restricted', live_check: 'restricted' });
  });

  it('take the word of a host for whose it is, and note examples that are not answered', () => {
    const undeclared = over({ provider: { ...good.provider, verification: {} } });
    const proofs = new Map([['https://api.geokit.example', { providerIds: ['geokit'] }]]);
    const calls = [call(), failedCall('result.empty')];
    const { verification } = judgeTool(undeclared, { ...goodRun, proofs, calls });
    expect(verification.checks.every(({ status }) => status === 'passed')).toBe(true);
    expect(verification.qualityIssues).toEqual([expect.stringContaining('result.empty')]);
  });

  it('ask a built-in tool for no credential and no time, and for no host', () => {
    const builtin = over({ binding: { kind: 'builtin', operation: 'x' }, provider: described.provider });
    const { freshness: _freshness, ...timeless } = builtin;
    expect(statusesOf(timeless, { ...goodRun, calls: [call()] })).toEqual({
      schema: 'passed',
      description_contract: 'passed',
      provider_identity: 'passed',
      permissions: 'passed',
      live_check: 'passed',
    });
  });

  it('find the fault of an example by the schema that callers are held to', () => {
    const validator = new ParameterValidator();
    expect(exampleFaults(good, validator)).toEqual([]);
    const examples = [{ parameters: { from: '', to: 'Paris' } }];
    expect(exampleFaults(over({ examples }), validator)).toEqual([expect.stringMatching(/^example 1: .*from/)]);
  });

  it('have digests that change with what was seen', () => {
    const digest = (run: Observations) => judgeTool(good, run).verification.checks.map((check) => check.evidenceDigest);
    expect(digest(goodRun)).toEqual(digest({ ...goodRun }));
    expect(digest({ ...goodRun, calls: [call({ executionId: 'exec_2' })] })).not.toEqual(digest(goodRun));
  });
});

describe('the status of a tool', () => {
  const { verification } = judgeTool(good, goodRun);
  const subject = { toolVersion: 3, running: false };
  const at = (ms: number, seen = verification, about = subject) => verificationStatusAt(seen, about, NOW_MS + ms);

  it('is verified for a day, and lapses by time alone', () => {
    expect([at(0), at(VERIFICATION_VALID_MS - 1), at(VERIFICATION_VALID_MS)]).toEqual([
      'verified',
      'verified',
      'stale',
    ]);
    const shown = showVerification(verification, { ...subject, requiredChecks: [] }, NOW_MS + VERIFICATION_VALID_MS);
    expect(shown).toMatchObject({ verified_at: '2026-03-01T12:00:00.000Z', expires_at: '2026-03-02T12:00:00.000Z' });
    expect(new Set(shown.checks.map(({ status }) => status))).toEqual(new Set(['stale']));
  });

  it('is that of its worst check, and of no other version', () => {
    const failing = judgeTool(good, { ...goodRun, withoutCredential: call() }).verification;
    expect(at(0, failing)).toBe('failed');
    expect(at(10 * VERIFICATION_VALID_MS, failing)).toBe('failed');
    expect(at(0, verification, { toolVersion: 4, running: false })).toBe('unverified');
    expect(at(0, verification, { toolVersion: 4, running: true })).toBe('verifying');
    expect(at(0, verification, { toolVersion: 3, running: true })).toBe('verified');
    const { withoutCredential: _none, ...unfinished } = goodRun;
    expect(at(0, judgeTool(good, unfinished).verification)).toBe('unverified');
  });

  it('names what is missing where it was never judged', () => {
    expect(showVerification(undefined, { ...subject, requiredChecks: ['schema', 'live_check'] }, NOW_MS)).toEqual({
      status: 'unverified',
      policy_version: '1',
      required_checks: ['schema', 'live_check'],
      checks: [
        { name: 'schema', status: 'missing' },
        { name: 'live_check', status: 'missing' },
      ],
      quality_issues: [],
    });
  });
});

it('runs that fail come sooner, ever less often, and none all at once', () => {
  const hour = 3_600_000;
  expect(nextRunAfter(0, 20 * hour, 0)).toBe(20 * hour);
  expect(nextRunAfter(0, 20 * hour, 1)).toBe(18 * hour);
  expect([1, 2, 3].map((failures) => nextRunAfter(failures, 20 * hour, 0) / 60_000)).toEqual([5, 10, 20]);
  expect(nextRunAfter(50, 20 * hour, 0)).toBe(20 * hour);
});

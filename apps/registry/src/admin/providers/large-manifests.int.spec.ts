import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { dump } from 'js-yaml';
import { newAccount, RunningRegistry } from '../../test-support/running-registry.js';
import { providerDocument, toolDocument } from '../test-support/sample-manifest.js';

/** Requests of others that were answered meanwhile; without turns in between it is none or one, on a machine of any speed. */
const MIN_ANSWERED_MEANWHILE = 2;

/** Milliseconds. */
jest.setTimeout(120_000);

const admin = { ...newAccount(), scopes: ['admin'] };
let registry: RunningRegistry;
beforeAll(async () => {
  registry = await RunningRegistry.start();
}, 120_000);
afterAll(() => registry.stop());

/** A manifest of so many tools, the last of which has a fault: nothing is asked of the database. */
const manifest = (tools: number): object =>
  providerDocument({
    provider_id: 'acme',
    tools: Array.from({ length: tools }, (_, index) =>
      toolDocument({
        tool_id: `acme.weather.forecast_${index}.v1`,
        description: { en: 'Forecast for the next days in a city. '.repeat(10) },
        timeout_ms: index === tools - 1 ? 1 : 1_000,
      }),
    ),
  });

async function putMeanwhile(
  body: string,
  contentType: string,
): Promise<{ status: number; text: string; answered: number }> {
  let ended = false;
  const isPending = (): boolean => !ended;
  const answer = registry
    .put({ url: '/admin/v1/providers/acme', body, account: admin, headers: { 'content-type': contentType } })
    .finally(() => {
      ended = true;
    });
  let answered = 0;
  while (isPending()) {
    const { status } = await registry.get({ url: '/admin/v1/schemas/manifest', account: admin });
    expect(status).toBe(200);
    if (isPending()) answered += 1;
  }
  return { ...(await answer), answered };
}

describe('a large manifest', () => {
  it.each<[string, string, () => string, number]>([
    ['JSON', 'application/json', () => JSON.stringify(manifest(2_000)), 2_000],
    ['YAML', 'application/yaml', () => dump(manifest(1_000)), 1_000],
  ])('of %s is read while others are answered', async (_name, contentType, body, tools) => {
    const { status, text, answered } = await putMeanwhile(body(), contentType);
    expect(status).toBe(422);
    expect(JSON.parse(text)).toMatchObject({ detail: [{ loc: ['body', 'tools', tools - 1, 'timeout_ms'] }] });
    expect(answered).toBeGreaterThanOrEqual(MIN_ANSWERED_MEANWHILE);
  });

  it.each<[string, number, RegExp, () => string]>([
    [
      'half a million unknown fields',
      400,
      /more than 20000 members/,
      () => JSON.stringify(Object.fromEntries(Array.from({ length: 480_000 }, (_, index) => [`f${index}`, 1]))),
    ],
    [
      'twenty thousand unknown fields',
      422,
      /Unknown field/,
      () =>
        JSON.stringify({
          ...providerDocument(),
          ...Object.fromEntries(Array.from({ length: 19_000 }, (_, index) => [`f${index}`, 1])),
        }),
    ],
    [
      'a million wrong tools',
      422,
      /at most 2000 tools/,
      () => JSON.stringify(providerDocument({ tools: ones(900_000) })),
    ],
    [
      'a million wrong values of one field',
      422,
      /at most 100000 values/,
      () => JSON.stringify(providerDocument({ categories: ones(900_000) })),
    ],
    [
      'more wrong values than are told',
      422,
      /more than 200 items/,
      () => JSON.stringify(providerDocument({ categories: ones(20_000) })),
    ],
  ])('with %s is answered %i that says what is wrong, in a few words', async (_name, expected, message, body) => {
    const { status, text } = await registry.put({ url: '/admin/v1/providers/acme', body: body(), account: admin });
    expect([status, text]).toEqual([expected, expect.stringMatching(message)]);
    expect(text.length).toBeLessThan(20_000);
  });

  it.each<[string, string, RegExp]>([
    ['an alias bomb', bomb(), /alias|values/],
    ['a hundred thousand members', Array.from({ length: 100_000 }, (_, index) => `k${index}: 1`).join('\n'), /members/],
    ['a thousand levels', `a: ${'['.repeat(1_000)}${']'.repeat(1_000)}${' '.repeat(20_000)}`, /depth|levels|nest/i],
  ])('of YAML that is %s is a 422, and the next one is read', async (_name, body, message) => {
    const headers = { 'content-type': 'application/yaml' };
    const { status, text } = await registry.put({ url: '/admin/v1/providers/acme', body, account: admin, headers });
    expect([status, text]).toEqual([422, expect.stringMatching(message)]);
    const next = await registry.put({
      url: '/admin/v1/providers/acme?dry_run=true',
      body: dump(providerDocument()),
      account: admin,
      headers,
    });
    expect(next.status).toBe(200);
  });
});

const ones = (length: number): number[] => Array.from({ length }, () => 1);

function bomb(): string {
  const levels = Array.from({ length: 9 }, (_, level) =>
    level === 0
      ? `l0: &l0 [${'x,'.repeat(9)}x]`
      : `l${level}: &l${level} [${`*l${level - 1},`.repeat(4)}*l${level - 1}]`,
  );
  // Long enough for the thread.
  return `${levels.join('\n')}\n# ${'-'.repeat(20_000)}\n`;
}

import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { newAccount, type TestAccount } from './support/accounts.js';
import { adminKey } from './support/environment.js';
import { call, send, type Reply } from './support/http.js';
import type { JsonObject } from './support/json.js';

/** Milliseconds. */
jest.setTimeout(180_000);

let account: TestAccount;
beforeAll(async () => {
  account = await newAccount();
});

const PROVIDER = 'nobody-large';
const put = (body: string, contentType = 'application/json'): Promise<Reply> =>
  send('PUT', `/admin/v1/providers/${PROVIDER}`, {
    key: adminKey,
    rawBody: body,
    headers: { 'content-type': contentType },
  });

const manifest = (over: JsonObject = {}): JsonObject => ({
  provider_id: PROVIDER,
  name: { en: 'Nobody' },
  description: { en: 'Nothing.' },
  ...over,
});
const members = (count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 1]));

/** Readable to its last tool, which has a fault: nothing is written. */
const large = (): string => {
  const tools = Array.from({ length: 2_000 }, (_, index) => ({
    tool_id: `${PROVIDER}.gauge.read_${index}.v1`,
    name: { en: `Read gauge ${index}` },
    description: { en: 'Reads a gauge. '.repeat(100) },
    parameters_schema: { type: 'object', additionalProperties: false, properties: { id: { type: 'string' } } },
    price: { amount_credits: 0 },
    binding: { kind: 'http', method: 'GET', url: 'https://gauges.example/' },
    timeout_ms: index === 1_999 ? 1 : 1_000,
  }));
  return JSON.stringify(manifest({ tools }));
};

const bomb = [
  'a: &a [x, x, x, x, x, x, x, x, x]',
  ...[...'bcdefgh'].map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[index]}`).join(', ')}]`),
].join('\n');

describe('a large manifest', () => {
  /** Searches answered, one after another, from the sending of the manifest until its answer. */
  const searchesDuringOneReading = async (): Promise<number> => {
    let ended = false;
    const isPending = (): boolean => !ended;
    const reading = put(large()).finally(() => {
      ended = true;
    });
    let answered = 0;
    while (isPending()) {
      const { status } = await call('POST', '/search', { key: account.key, body: { query: 'weather', limit: 1 } });
      expect(status).toBe(200);
      if (isPending()) answered += 1;
    }
    const { status, json } = await reading;
    expect([status, json['detail']]).toEqual([
      422,
      [expect.objectContaining({ loc: ['body', 'tools', 1_999, 'timeout_ms'] })],
    ]);
    return answered;
  };

  it('is read while searches are answered', async () => {
    // A reading that held the process would let at most one search in before it, however often it is repeated. How
    // many one that does not hold it lets in depends on the machine: so one reading with two of them is enough.
    let most = 0;
    for (let reading = 0; reading < 20 && most < 2; reading += 1) {
      most = Math.max(most, await searchesDuringOneReading());
    }
    expect(most).toBeGreaterThanOrEqual(2);
  });

  it.each<[string, number, RegExp, () => Promise<Reply>]>([
    ['half a million members', 400, /more than 20000 members/, () => put(JSON.stringify(members(480_000)))],
    [
      'ten thousand unknown fields',
      422,
      /Unknown field .{1,2}f0/,
      () => put(JSON.stringify({ ...manifest(), ...members(10_000) })),
    ],
    [
      'a million values in a list',
      422,
      /"categories.*100000 values|Document should have/,
      () => put(JSON.stringify(manifest({ categories: Array(900_000).fill(1) }))),
    ],
    [
      'too many tools',
      422,
      /at most 2000 tools/,
      () => put(JSON.stringify(manifest({ tools: Array(10_000).fill(1) }))),
    ],
    ['a YAML bomb', 422, /alias/, () => put(bomb, 'application/yaml')],
    ['more bytes than it may', 413, /too large/, () => put(JSON.stringify('x'.repeat(9_000_000)))],
  ])('with %s is answered %i that says what is wrong', async (_name, expected, message, request) => {
    const { status, text } = await request();
    expect([status, text]).toEqual([expected, expect.stringMatching(message)]);
    expect(text.length).toBeLessThan(20_000);
  });
});

describe('parameters of a Call', () => {
  it('with tens of thousands of members are a 400, with thousands of unknown ones a 422, and nothing is charged', async () => {
    const before = (await call('GET', '/auth/credits', { key: account.key })).json['data'];
    for (const [count, expected] of [
      [50_000, 400],
      [10_000, 422],
    ] as const) {
      const body = { tool_id: 'formula.expression.evaluate.v1', parameters: members(count) };
      const reply = await call('POST', '/tools/execute', { key: account.key, body });
      expect([count, reply.status]).toEqual([count, expected]);
      expect(reply.text.length).toBeLessThan(20_000);
    }
    expect((await call('GET', '/auth/credits', { key: account.key })).json['data']).toEqual(before);
  });
});

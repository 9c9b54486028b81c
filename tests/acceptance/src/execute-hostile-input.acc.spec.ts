import { beforeAll, describe, expect, it } from '@jest/globals';
import { invalidCall } from '@capability-router/contracts/answers';
import { newAccount, type TestAccount } from './support/accounts.js';
import { listCharges, listUsage, remainingCredits, settledUsageOf } from './support/audit.js';
import { expectShape } from './support/expect-shape.js';
import { call, send, type Reply } from './support/http.js';
import { asArray, asObject } from './support/json.js';
import { toldError } from './support/told-error.js';
import { freeCall, paidCall, perKilobyteCall, perRowCall, typedCall } from './support/tools.js';

let account: TestAccount;
beforeAll(async () => {
  account = await newAccount();
});

const raw = (rawBody: string, headers: Record<string, string> = {}): Promise<Reply> =>
  call('POST', '/tools/execute', { key: account.key, rawBody, headers });
const paid = (parameters: string, more = ''): string =>
  `{"tool_id":${JSON.stringify(paidCall.toolId)},"parameters":${parameters}${more}}`;

/** Nothing was dispatched, nothing is charged, and the one audit row says so. */
async function expectRefused(reply: Reply): Promise<void> {
  expect(reply.status).toBe(422);
  expectShape(reply.json, invalidCall);
  expect(asArray(reply.json['details'])[0]).toEqual(expect.objectContaining({ msg: expect.stringMatching(/\S/) }));
  const row = await settledUsageOf(account.key, reply.json['execution_id']);
  expect(row).toMatchObject({ reason_code: 'validation_error', charge_outcome: 'failed_not_charged' });
}

async function unchanged(work: () => Promise<void>): Promise<void> {
  const before = await remainingCredits(account.key);
  await work();
  expect(await remainingCredits(account.key)).toBe(before);
  expect(await listCharges(account.key)).toEqual([]);
}

describe('a Call with a body that can be read in two ways', () => {
  it.each([
    ['a member twice', paid('{}', ',"parameters":{"country_code":"DE","year":2026}'), 'parameters'],
    ['a parameter twice', paid('{"country_code":"DE","year":2026,"country_code":"FR"}'), 'country_code'],
    ['a parameter twice, once escaped', paid('{"year":2026,"ye\\u0061r":1,"country_code":"DE"}'), 'year'],
    ['a second tool', paid('{"country_code":"DE","year":2026}', ',"tool_id":"x.y.z.v1"'), 'tool_id'],
    ['__proto__ in its parameters', paid('{"country_code":"DE","year":2026,"__proto__":{"year":1}}'), '__proto__'],
    ['__proto__ beside them', paid('{"country_code":"DE","year":2026}', ',"__proto__":{"model":"x"}'), '__proto__'],
    ['NaN', paid('{"country_code":"DE","year":NaN}'), 'JSON'],
    ['Infinity', paid('{"country_code":"DE","year":-Infinity}'), 'JSON'],
    ['a comment', paid('{"country_code":"DE",/*2026*/"year":1}'), 'JSON'],
    ['an end that is missing', paid('{"country_code":"DE","year":1}').slice(0, -1), 'JSON'],
  ])('is refused for %s, before it is a call: 400, no audit row, no charge', async (_what, body, named) => {
    const rows = await listUsage(account.key);
    await unchanged(async () => {
      const reply = await raw(body);
      expect(reply.status).toBe(400);
      const message: unknown = expect.stringContaining(named);
      expect(reply.json).toEqual({ status: 'failure', message, ...toldError('invalid_json') });
    });
    expect(await listUsage(account.key)).toHaveLength(rows.length);
  });
});

describe('a Call with parameters that are not this tool’s', () => {
  it('is refused with each field that is another tool’s, and those that it lacks, told or counted', () =>
    unchanged(async () => {
      const reply = await raw(paid(JSON.stringify(freeCall.parameters)));
      await expectRefused(reply);
      // An error is bounded: the faults that do not fit are counted.
      const { details, details_omitted: omitted = 0 } = reply.json;
      expect(asArray(details).length + Number(omitted)).toBeGreaterThan(Object.keys(freeCall.parameters).length);
      expect(reply.json['error_message']).toMatch(/\/tools\/by-ids/);
    }));

  it.each<[string, string, string]>([
    ['a number beyond all numbers', paid('{"country_code":"DE","year":1e999}'), 'year'],
    ['a fraction where whole numbers are', paid('{"country_code":"DE","year":2026.5}'), 'year'],
    ['a negative number', paid('{"country_code":"DE","year":-2026}'), 'year'],
    ['a number in quotes', paid('{"country_code":"DE","year":"2026"}'), 'year'],
    ['null', paid('{"country_code":null,"year":2026}'), 'country_code'],
    ['a list for a text', paid('{"country_code":["DE"],"year":2026}'), 'country_code'],
    [
      'a negative limit of billed rows',
      JSON.stringify({ tool_id: perRowCall.toolId, parameters: { country_code: 'DE', limit: -1 } }),
      'limit',
    ],
    [
      'a fraction of a billed row',
      JSON.stringify({ tool_id: perRowCall.toolId, parameters: { country_code: 'DE', limit: 0.5 } }),
      'limit',
    ],
  ])('is refused for %s, naming the field', async (_what, body, field) =>
    unchanged(async () => {
      const reply = await raw(body);
      await expectRefused(reply);
      const locs = asArray(reply.json['details']).map((detail) => asArray(asObject(detail)['loc']).join('.'));
      expect(locs.join(' ')).toContain(`body.parameters.${field}`);
      expect(reply.json['error_message']).toContain(field);
    }),
  );

  it('names what is allowed, what was got and the nearest known field', () =>
    unchanged(async () => {
      const { toolId, parameters, required, optional } = typedCall;
      const faultOf = async (changed: object) => {
        const reply = await raw(JSON.stringify({ tool_id: toolId, parameters: { ...parameters, ...changed } }));
        await expectRefused(reply);
        return asArray(reply.json['details'])[0];
      };
      expect(await faultOf({ [required]: 7 })).toMatchObject({
        type: 'string_type',
        input: 7,
        allowed: { type: 'string' },
      });
      const known = expect.arrayContaining([optional, required]);
      expect(await faultOf({ [`${optional}s`]: 'x' })).toMatchObject({
        type: 'extra_forbidden',
        input: 'x',
        allowed: { propertyNames: { enum: known } },
        msg: expect.stringContaining(`did you mean "${optional}"?`),
      });
    }));

  it('is refused for a megabyte where a few characters belong, without the megabyte in the answer', () =>
    unchanged(async () => {
      const megabyte = 'x'.repeat(1_000_000);
      const reply = await raw(paid(JSON.stringify({ country_code: megabyte, year: 2026 })));
      await expectRefused(reply);
      expect(reply.text.length).toBeLessThan(10_000);
    }));

  it('is refused for a body above the limit, and for a hundred thousand parameters', () =>
    unchanged(async () => {
      const reply = await send('POST', '/api/v1/tools/execute', {
        key: account.key,
        rawBody: JSON.stringify({ tool_id: perKilobyteCall.toolId, parameters: { csv: 'x'.repeat(3_000_000) } }),
      });
      expect(reply.status).toBe(413);
      const many = Object.fromEntries(Array.from({ length: 50_000 }, (_value, index) => [`p${index}`, 1]));
      const crowded = await raw(paid(JSON.stringify(many)));
      expect([400, 422]).toContain(crowded.status);
      expect(crowded.text.length).toBeLessThan(20_000);
    }));
});

describe('a Call that asks for its result in a way that explodes', () => {
  it.each(['$..*..*..*', '$[?@..a..b..c]', '$[?@[?@[?@[?@[?@.a]]]]]'])('%s is refused before it runs', (expression) =>
    unchanged(async () => {
      const { toolId, parameters } = paidCall;
      const reply = await raw(JSON.stringify({ tool_id: toolId, parameters, respond_with: `fields:${expression}` }));
      await expectRefused(reply);
      expect(asObject(asArray(reply.json['details'])[0])['loc']).toEqual(['body', 'respond_with']);
    }),
  );

  it('may name what looks like it in quotes', async () => {
    const { toolId, parameters } = freeCall;
    const respondWith = "fields:$['a..b..c..d']";
    const reply = await raw(JSON.stringify({ tool_id: toolId, parameters, respond_with: respondWith }));
    expect(reply.status).toBe(200);
  });
});

describe('a Call with a key header that is none', () => {
  it.each([
    ['without a key', 'Bearer'],
    ['with the beginning of one', 'Bearer sk-'],
    ['with a key that does not exist', `Bearer sk-${'a'.repeat(34)}`],
    ['far too long', `Bearer ${'x'.repeat(9_000)}`],
    ['of another scheme', 'Basic eDp5'],
    ['without a scheme', 'sk-x'],
  ])('%s is answered 401 in the shape of a Call', async (_what, authorization) => {
    const reply = await send('POST', '/api/v1/tools/execute', {
      body: { tool_id: freeCall.toolId, parameters: freeCall.parameters },
      headers: { authorization },
    });
    expect(reply.status).toBe(401);
    expect(reply.json).toMatchObject({
      status: 'failure',
      status_code: 401,
      message: expect.stringMatching(/\S/),
      data: expect.objectContaining({}),
    });
  });
});

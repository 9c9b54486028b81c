/**
 * OWASP API2:2023. Attacked: who somebody is. Keys that are missing, malformed or revoked are in `authentication`, guesses of mailed
 * codes in `claim` and in `claims.int` of identity, refresh tokens that were used before in `device-sign-in`; here are forged tokens,
 * and keys in places where they would be logged.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, type TestAccount } from '../support/accounts.js';
import { approvedByKey } from '../support/device-consent.js';
import { DeviceProgram } from '../support/device-program.js';
import { nextOrigin } from '../support/environment.js';
import { call, send } from '../support/http.js';
import { asArray, asObject, asString, type JsonObject } from '../support/json.js';

let account: TestAccount;
/** A genuine access token of the account, and its parts. */
let token: string;
let header: JsonObject;
let payload: JsonObject;
let keySet: JsonObject;
beforeAll(async () => {
  account = await newAccount();
  const program = await DeviceProgram.begin(account);
  token = asString((await approvedByKey(program, account.key)).json['access_token']);
  [header, payload] = token.split('.', 2).map((part) => asObject(JSON.parse(decoded(part)))) as [
    JsonObject,
    JsonObject,
  ];
  keySet = (await call('GET', '/oauth/jwks.json')).json;
});

const decoded = (part: string): string => Buffer.from(part, 'base64url').toString('utf8');
const encoded = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const signatureOf = (whole: string): string => whole.split('.')[2] ?? '';
const hmacOf = (head: JsonObject, claims: JsonObject, secret: string): string => {
  const signed = `${encoded(head)}.${encoded(claims)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
};

const forged: readonly [what: string, make: () => string][] = [
  ['without a signature, by the algorithm none', () => `${encoded({ ...header, alg: 'none' })}.${encoded(payload)}.`],
  ['by the algorithm nOnE', () => `${encoded({ ...header, alg: 'nOnE' })}.${encoded(payload)}.${signatureOf(token)}`],
  [
    'signed with the public key as if it were a secret',
    () => hmacOf({ ...header, alg: 'HS256' }, payload, JSON.stringify(asArray(keySet['keys'])[0])),
  ],
  ['signed with an empty secret', () => hmacOf({ ...header, alg: 'HS256' }, payload, '\0')],
  [
    'of another account, under the signature of this one',
    () => `${encoded(header)}.${encoded({ ...payload, sub: `acc_${'0'.repeat(32)}` })}.${signatureOf(token)}`,
  ],
  [
    'with one scope more, under the signature of this one',
    () => `${encoded(header)}.${encoded({ ...payload, scope: 'call read manage admin' })}.${signatureOf(token)}`,
  ],
  [
    'with a key of its own in the header',
    () => `${encoded({ ...header, jwk: asArray(keySet['keys'])[0] })}.${encoded(payload)}.${signatureOf(token)}x`,
  ],
  [
    'whose key stands at an address of the sender',
    () =>
      `${encoded({ ...header, kid: randomUUID(), jku: `${nextOrigin()}/keys` })}.${encoded(payload)}.${signatureOf(token)}`,
  ],
  ['whose key id is a path', () => `${encoded({ ...header, kid: '../../dev/null' })}.${encoded(payload)}.`],
];

describe('a token', () => {
  it('that is genuine is let in', async () => {
    expect((await call('GET', '/auth/credits', { key: token })).status).toBe(200);
  });

  it.each(forged)('%s is none: 401, and it is not valid', async (_what, make) => {
    const text = make();
    expect((await call('GET', '/auth/credits', { key: text })).status).toBe(401);
    const judged = await call('POST', '/auth/verify-token', { body: { token: text } });
    expect(asObject(judged.json['data'])).toMatchObject({ is_valid: false });
  });
});

describe('a key', () => {
  it.each<[string, (key: string) => Parameters<typeof send>]>([
    ['in the query', (key) => ['GET', '/api/v1/auth/credits', { query: { api_key: key, access_token: key } }]],
    ['in a cookie', (key) => ['GET', '/api/v1/auth/credits', { headers: { cookie: `authorization=Bearer ${key}` } }]],
    ['in a header of another name', (key) => ['GET', '/api/v1/auth/credits', { headers: { 'x-api-key': key } }]],
    [
      'as the password of Basic',
      (key) => [
        'GET',
        '/api/v1/auth/credits',
        { headers: { authorization: `Basic ${Buffer.from(`api:${key}`).toString('base64')}` } },
      ],
    ],
    [
      'in the body',
      (key) => ['POST', '/api/v1/search', { body: { query: 'convert units', api_key: key, access_token: key } }],
    ],
  ])('%s lets nobody in', async (_where, request) => {
    expect((await send(...request(account.key))).status).toBe(401);
  });

  it('is shown once: no list has it again', async () => {
    const made = await call('POST', '/auth/api-keys', { key: account.key, body: { name: 'once', scopes: ['read'] } });
    const text = asString(asObject(made.json['data'])['api_key']);
    const listed = await call('GET', '/auth/api-keys', { key: account.key });
    expect([listed.status, listed.text.includes(text)]).toEqual([200, false]);
    expect(listed.text).toContain(text.slice(-4));
  });
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { run } from '../run.js';

/** A gateway of the test, which answers in turn. */
let server: Server;
let answers: { readonly status?: number; readonly body: unknown }[];
const requests: { readonly line: string; readonly key: unknown; readonly body: unknown }[] = [];
let folder: string;

beforeEach(async () => {
  requests.length = 0;
  folder = mkdtempSync(join(tmpdir(), 'caprouter-'));
  server = createServer((request, response) => {
    void text(request).then((body) => {
      const { authorization } = request.headers;
      requests.push({
        line: `${request.method} ${request.url}`,
        key: authorization,
        body: body === '' ? '' : JSON.parse(body),
      });
      const { status = 200, body: answer } = answers.shift() ?? { body: 'nothing is left' };
      response.writeHead(status).end(typeof answer === 'string' ? answer : JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
});

async function caprouter(args: readonly string[], input = '') {
  const [out, error]: [string[], string[]] = [[], []];
  const code = await run(args, {
    env: {
      CAPROUTER_GATEWAY_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      CAPROUTER_API_KEY: 'sk-environment00',
    },
    stdin: Readable.from([Buffer.from(input)]),
    out: (line) => void out.push(line),
    error: (line) => void error.push(line),
  });
  return { code, out: out.join('\n'), error: error.join('\n') };
}

const ok = (data: object) => ({ body: { status: 'success', data } });
const field = { field: 'token', key_id: 'k1', set_at: '2026-01-01T00:00:00.000Z' };

describe('caprouter credentials', () => {
  it('takes the value of a field from a file, and the key too', async () => {
    const [value, key] = [join(folder, 'value'), join(folder, 'key')];
    writeFileSync(value, ' sesame \r\n');
    writeFileSync(key, 'sk-file000000000\n');
    answers = [ok({ provider_id: 'a b', fields: [field] })];
    const ended = await caprouter([
      '--key-file',
      key,
      'credentials',
      'set',
      'a b',
      '--field',
      'password',
      '--file',
      value,
    ]);
    expect(ended).toEqual({ code: 0, out: 'set: a b  token  key k1  since 2026-01-01T00:00:00.000Z', error: '' });
    expect(requests).toEqual([
      {
        line: 'PUT /admin/v1/providers/a%20b/credentials',
        key: 'Bearer sk-file000000000',
        body: { fields: { password: ' sesame ' } },
      },
    ]);
  });

  it('lists page after page, and says which key is not configured', async () => {
    const sealed_with = [
      { key_id: 'k0', credentials: 2, known: false },
      { key_id: 'k1', credentials: 9, known: true },
    ];
    answers = [
      ok({ items: [{ provider_id: 'a', fields: [field] }], next_after: 'a' }),
      ok({ items: [{ provider_id: 'b', fields: [field] }], current_key_id: 'k1', sealed_with }),
    ];
    const { code, out } = await caprouter(['credentials', 'list']);
    expect([code, out.split('\n').map((line) => line.replace(/ {2}since.*/, ''))]).toEqual([
      0,
      [
        'a  token  key k1',
        'b  token  key k1',
        'key k0 (NOT CONFIGURED) seals 2, those of accounts included',
        'key k1 (current) seals 9, those of accounts included',
      ],
    ]);
    expect(requests.map(({ line }) => line)).toEqual([
      'GET /admin/v1/provider-credentials?limit=500&after=',
      'GET /admin/v1/provider-credentials?limit=500&after=a',
    ]);
  });

  it('rotates until nothing is left, and fails where something could not be opened', async () => {
    const lost = { owner: 'acc_1', provider_id: 'mail', key_id: 'k0', reason: 'unknown_key' };
    const step = { current_key_id: 'k2', resealed: 5, unreadable_count: 0, unreadable: [] };
    answers = [ok({ ...step, next_after: 'acc_0/mail' }), ok({ ...step, unreadable_count: 1, unreadable: [lost] })];
    expect(await caprouter(['credentials', 'rotate'])).toEqual({
      code: 1,
      out: 'sealed with key k2: 10',
      error: expect.stringMatching(/^error: 1 could not be opened.*\n {2}acc_1 mail: unknown_key, key k0\n/),
    });
    expect(requests.map(({ body }) => body)).toEqual([{}, { after: 'acc_0/mail' }]);
  });

  it.each<[string, { status?: number; body: unknown }, number, string]>([
    [
      'refuses',
      { status: 422, body: { message: 'No.', detail: [{ loc: ['body', 'fields', 'x'], msg: 'Unknown' }] } },
      1,
      'fields.x: Unknown',
    ],
    ['is not ready', { status: 503, body: { message: 'Later.' } }, 3, 'Later. (503)'],
    ['is none', { body: '<html>' }, 3, 'not as a gateway'],
  ])('ends with a code of its own where the gateway %s', async (_name, answer, code, word) => {
    answers = [answer];
    const ended = await caprouter(['credentials', 'set', 'a', '--field', 'token'], 'sesame');
    expect(ended).toEqual({ code, out: '', error: expect.stringContaining(word) });
  });

  it.each([
    ['a list', '["sesame"]', 'no JSON object'],
    ['cut off', '{"token": "sesame', 'no JSON'],
    ['too large', `{"token": "${'sesame'.repeat(20_000)}"}`, 'more than 65536 bytes'],
  ])('sends nothing of an input that is %s, and repeats nothing of it', async (_name, input, word) => {
    answers = [];
    const ended = await caprouter(['credentials', 'set', 'a'], input);
    expect(ended).toEqual({ code: 2, out: '', error: expect.stringContaining(word) });
    expect(ended.error).not.toContain('sesame');
    expect(requests).toEqual([]);
  });
});

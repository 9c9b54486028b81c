import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, RunningRegistry, type Answer } from '../test-support/running-registry.js';
import { abortAtWork } from '../test-support/runner-processes.js';

const admin = { ...newAccount(), scopes: ['admin'] };
const TASKS = 'conversion-tasks';

let registry: RunningRegistry;
beforeAll(async () => {
  registry = await RunningRegistry.start();
}, 120_000);
afterAll(() => registry.stop());

const importDocument = (document: unknown): Promise<Answer> =>
  registry.post({
    url: '/admin/v1/sources/openapi',
    body: { provider: { provider_id: 'acme' }, document, dry_run: true },
    account: admin,
  });

const documentWith = (schemas: object): object => ({
  openapi: '3.1.0',
  info: { title: 'x', version: '1' },
  servers: [{ url: 'https://example.com' }],
  paths: {
    '/a': {
      post: {
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/S0' } } } },
        responses: { 200: { description: 'ok' } },
      },
    },
  },
  components: { schemas },
});
const plain = documentWith({ S0: { type: 'object', properties: { a: { type: 'string' } } } });

/** Each schema refers twice to the next: two kilobytes for which a validator of OpenAPI takes longer than anybody waits. */
const doubling = documentWith(
  Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => {
      const next = { $ref: `#/components/schemas/S${index + 1}` };
      return [`S${index}`, index === 39 ? { type: 'object' } : { allOf: [next, next] }];
    }),
  ),
);

describe('a document that is meant to take the service down', () => {
  it.each(['['.repeat(5_000), '? '.repeat(20_000)])('is refused, and the next one is read: %.3s…', async (text) => {
    expect((await importDocument(text)).status).toBe(422);
    expect((await importDocument(plain)).status).toBe(200);
  });

  it('takes down the process that reads it alone, where that aborts', async () => {
    const { status, text } = await abortAtWork(TASKS, () => importDocument(doubling));
    expect([status, text]).toEqual([422, expect.stringMatching(/too much memory/)]);
    expect((await importDocument(plain)).status).toBe(200);
  }, 120_000);
});

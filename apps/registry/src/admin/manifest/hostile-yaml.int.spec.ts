import { dump } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, RunningRegistry, type Answer } from '../../test-support/running-registry.js';
import { abortAtWork } from '../../test-support/runner-processes.js';
import { providerDocument } from '../test-support/sample-manifest.js';

const admin = { ...newAccount(), scopes: ['admin'] };
const headers = { 'content-type': 'application/yaml' };
const TASKS = 'yaml-tasks';

let registry: RunningRegistry;
beforeAll(async () => {
  registry = await RunningRegistry.start();
}, 120_000);
afterAll(() => registry.stop());

const put = (body: string): Promise<Answer> =>
  registry.put({ url: '/admin/v1/providers/acme?dry_run=true', body, account: admin, headers });
const importRows = (body: string): Promise<Answer> =>
  registry.post({ url: '/admin/v1/catalog:import?dry_run=true', body, account: admin, headers });

/** As large as a row may be: takes about a second to read. */
const long = Array.from({ length: 120_000 }, (_, index) => `- ${index.toString(36)}:`).join('\n');

/** They ended the process of other parsers of YAML, the second after the first. */
const killing = ['['.repeat(5_000), '? '.repeat(20_000)];

describe('YAML that is meant to take the service down', () => {
  it('is refused as a manifest, and the next one is read', async () => {
    for (const body of killing) expect((await put(body)).status).toBe(422);
    expect((await put(dump(providerDocument()))).status).toBe(200);
  });

  it('is refused as a row, and the next one is read', async () => {
    const { status, text } = await importRows([...killing, dump(providerDocument())].join('\n---\n'));
    expect(status).toBe(200);
    expect(text).toContain('"results":{"invalid":2,"created":');
  });

  it('takes down the process that reads it alone, where that aborts', async () => {
    const hostile = await abortAtWork(TASKS, () => put(long));
    expect(hostile.text).toMatch(/too much memory/);
    expect((await put(dump(providerDocument()))).status).toBe(200);
    const rows = await abortAtWork(TASKS, () => importRows(`${long}\n---\n${dump(providerDocument())}`));
    expect(rows.text).toMatch(/too much memory.*"created":/s);
    expect((await put(dump(providerDocument()))).status).toBe(200);
  }, 120_000);
});

it('numbers that JSON has not are told as such', async () => {
  const { status, text } = await put(dump(providerDocument()).replace('Acme', '.inf'));
  expect([status, text]).toEqual([422, expect.stringMatching(/finite/)]);
});

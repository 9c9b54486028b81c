import { describe, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import { run } from '../run.js';

async function republish(env: NodeJS.ProcessEnv, ...args: string[]): Promise<{ code: number; error: string }> {
  const errors: string[] = [];
  const terminal = { env, stdin: Readable.from([]), out: () => undefined, error: (line: string) => errors.push(line) };
  return { code: await run(['topics', 'republish', ...args], terminal), error: errors.join('\n') };
}

const nowhere = 'postgres://nobody@127.0.0.1:1/none';
const names = ['IDENTITY', 'REGISTRY', 'EXECUTION', 'CAPABILITY_ROUTING', 'BILLING'];
const environment = Object.fromEntries(names.map((name) => [`${name}_DATABASE_URL`, nowhere]));

describe('caprouter topics republish', () => {
  it('does nothing unless it is told that the services are stopped, and where the databases of all of them are', async () => {
    expect(await republish(environment)).toMatchObject({ code: 2, error: expect.stringContaining('--yes') });
    const { BILLING_DATABASE_URL: _left, ...others } = environment;
    expect(await republish(others, '--yes')).toMatchObject({
      code: 2,
      error: expect.stringContaining('BILLING_DATABASE_URL'),
    });
  });

  it('says that a database cannot be reached, or is not that of a service', async () => {
    expect(await republish(environment, '--yes')).toMatchObject({ code: 3 });
    const empty = Object.fromEntries(names.map((name) => [`${name}_DATABASE_URL`, process.env['TEST_POSTGRES_URL']]));
    expect(await republish(empty, '--yes')).toMatchObject({ code: 3, error: expect.stringContaining('schema') });
  });
});

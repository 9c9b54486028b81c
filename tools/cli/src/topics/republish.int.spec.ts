import { describe, expect, it } from '@jest/globals';
import { createScratchDatabase } from '@capability-router/event-store/testing';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { run } from '../run.js';

interface Ended {
  readonly code: number;
  readonly error: string;
  /** Everything that the screen was sent. */
  readonly shown: string;
}

async function republish(env: NodeJS.ProcessEnv, ...args: string[]): Promise<Ended> {
  const errors: string[] = [];
  const screen = Object.assign(new PassThrough(), { isTTY: true, columns: 100 });
  const shown = text(screen);
  const code = await run(['topics', 'republish', ...args], {
    env,
    stdin: Readable.from([]),
    out: () => undefined,
    error: (line: string) => errors.push(line),
    screen: screen as unknown as NodeJS.WriteStream,
  });
  screen.end();
  return { code, error: errors.join('\n'), shown: await shown };
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

  it('shows how far it is, and says where a service still runs which of them were begun anew', async () => {
    const databases = { registry: await createScratchDatabase(), execution: await createScratchDatabase() };
    try {
      await databases.execution.pool.query(
        `INSERT INTO relay_leases (relay, holder, generation, expires_at, position) VALUES ('execution-relay', 'one', 1, 'infinity', '')`,
      );
      const env = {
        ...environment,
        REGISTRY_DATABASE_URL: databases.registry.url,
        EXECUTION_DATABASE_URL: databases.execution.url,
      };
      const { code, error, shown } = await republish(env, '--yes');
      expect([code, error.split('\n')]).toEqual([
        1,
        [
          'error: execution still runs: execution-relay',
          expect.stringContaining('Stop its replicas.'),
          '  Begun anew: registry.',
        ],
      ]);
      expect(shown).toContain('1 of 5 services');
    } finally {
      for (const database of Object.values(databases)) await database.drop();
    }
  });
});

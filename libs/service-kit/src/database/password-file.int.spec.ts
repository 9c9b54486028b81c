import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ConfigError } from '../config/load-env.js';
import { delay } from '../util/timing.js';
import { migrate } from './migrate.js';
import { openServiceDatabase } from './open-service-database.js';
import { passwordOf } from './password-file.js';

const POLL_MS = 20;
const metrics = new Registry();

class CreateThings1700000000000 implements MigrationInterface {
  readonly name = 'CreateThings1700000000000';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE things (id INT)');
  }
  async down(): Promise<void> {
    // Migrations only go forward.
  }
}

describe('a database whose password is in a file', () => {
  const superUrl = process.env['TEST_POSTGRES_URL'];
  if (superUrl === undefined) throw new Error('TEST_POSTGRES_URL is not set');
  const role = `turned_${randomBytes(4).toString('hex')}`;
  const admin = new pg.Client({ connectionString: superUrl });
  const clock = { nowMs: () => Date.now() };
  const logger = pino({ level: 'silent' });
  const migrations = [CreateThings1700000000000];
  let folder: string;
  let file: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'capability-router-password-'));
    file = join(folder, 'password');
    writeFileSync(file, 'first\n');
    await admin.connect();
    await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'first'`);
    await admin.query(`CREATE DATABASE ${role} OWNER ${role}`);
  });
  afterAll(async () => {
    await admin.query(`DROP DATABASE ${role} WITH (FORCE)`);
    await admin.query(`DROP ROLE ${role}`);
    await admin.end();
    rmSync(folder, { recursive: true, force: true });
  });

  const urlWith = (parameter: string, password = ''): string => {
    const url = new URL(superUrl);
    url.username = role;
    url.password = password;
    url.pathname = `/${role}`;
    url.search = parameter;
    return url.href;
  };
  const open = (databaseUrl: string, known: typeof migrations) =>
    openServiceDatabase({ name: 'billing', clock, logger, metrics }, { databaseUrl, databasePoolSize: 2 }, known);
  const refusal = async (databaseUrl: string, known = migrations): Promise<string> => {
    const failed: unknown = await open(databaseUrl, known).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(ConfigError);
    return (failed as ConfigError).message;
  };
  const turn = async (password: string): Promise<void> => {
    await admin.query(`ALTER ROLE ${role} PASSWORD '${password}'`);
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [role]);
  };

  it('is migrated, and reached by a service that goes on when the password is turned', async () => {
    const url = urlWith(`password_file=${file}`);
    expect(passwordOf(url)).toBe('first');
    await migrate({ ownerUrl: url, applicationRole: role, migrations });
    const { dataSource, pool, openAside } = await open(url, migrations);
    const aside = openAside(1_000);
    const reached = async (): Promise<unknown> => {
      try {
        await Promise.all([pool, aside].map((one) => one.query('SELECT 1')));
        return true;
      } catch (error) {
        return (error as { code?: unknown }).code;
      }
    };
    const until = async (wanted: unknown): Promise<void> => {
      while ((await reached()) !== wanted) await delay(POLL_MS);
    };
    expect(await reached()).toBe(true);
    await turn('second');
    await until('28P01');
    writeFileSync(file, 'second');
    await until(true);
    rmSync(file);
    await turn('second');
    // The file is away for a moment, and its last word holds.
    await until(true);
    writeFileSync(file, 'second');
    await aside.end();
    await dataSource.destroy();
  });

  it('is refused with one sentence where the file is of no use, or the URL has a password as well', async () => {
    expect(await refusal(urlWith('password_file=/nowhere'))).toMatch(
      /BILLING_DATABASE_URL: names by password_file a file that is of no use: .*ENOENT.*\/nowhere/,
    );
    expect(await refusal(urlWith(`password_file=${file}`, 'second'))).toMatch(
      /BILLING_DATABASE_URL: has a password and names a file of one by password_file: leave either out/,
    );
    writeFileSync(file, 'wrong');
    expect(await refusal(urlWith(`password_file=${file}`))).toMatch(/BILLING_DATABASE_URL: is refused by the server/);
    writeFileSync(file, 'second');
  });

  it('is refused with one sentence, by migrations too, where its schema comes from the future', async () => {
    const url = urlWith(`password_file=${file}`);
    expect(await refusal(url, [])).toMatch(
      /BILLING_DATABASE_URL: leads to a schema of another build: .*CreateThings1700000000000.*run a newer build/,
    );
    await expect(migrate({ ownerUrl: url, applicationRole: role, migrations: [] })).rejects.toMatchObject({
      name: 'SchemaMismatch',
      message: expect.stringMatching(/CreateThings1700000000000, which this build does not know: run a newer build/),
    });
  });
});

import { copyFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { connectClient, migrate, openPool, wrongDatabaseUrl } from '@capability-router/service-kit';
import { startSecuredPostgres, type SecuredPostgres } from '../test-support/secured-postgres.js';

const TIMEOUT_MS = 240_000;

jest.setTimeout(TIMEOUT_MS);

describe('a PostgreSQL with TLS', () => {
  let postgres: SecuredPostgres;

  beforeAll(async () => {
    postgres = await startSecuredPostgres();
    await postgres.present('good');
  });
  afterAll(() => postgres.stop());

  const url = (caFile: string): string => `${postgres.url}?sslmode=verify-full&sslrootcert=${caFile}`;
  const encrypted = `SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`;
  /** The sentence with which a service refuses to start. */
  const refusal = async (connectionString: string): Promise<string | undefined> => {
    try {
      await (await connectClient({ connectionString })).end();
      return undefined;
    } catch (error) {
      return wrongDatabaseUrl(error) ?? String(error);
    }
  };

  it('is reached, and migrated, over a connection whose certificate was verified', async () => {
    const pool = openPool({ connectionString: url(postgres.caFile), max: 1 });
    expect((await pool.query(encrypted)).rows).toEqual([{ ssl: true }]);
    await pool.query('CREATE ROLE app');
    await pool.end();
    const migrating = { ownerUrl: url(postgres.caFile), applicationRole: 'app', migrations: [] };
    await expect(migrate(migrating)).resolves.toBeUndefined();
    await expect(migrate({ ...migrating, ownerUrl: url(postgres.otherCaFile) })).rejects.toThrow(/certificate/);
  });

  it('is reached with the CA that the file holds by the time of each connection', async () => {
    const file = `${postgres.caFile}.mounted`;
    copyFileSync(postgres.caFile, file);
    const pool = openPool({ connectionString: url(file), maxUses: 1, max: 1 });
    expect((await pool.query(encrypted)).rows).toEqual([{ ssl: true }]);
    copyFileSync(postgres.otherCaFile, file);
    await expect(pool.query(encrypted)).rejects.toThrow(/certificate/);
    copyFileSync(postgres.caFile, file);
    expect((await pool.query(encrypted)).rows).toEqual([{ ssl: true }]);
    await pool.end();
  });

  it('is refused with a certificate of another CA, an expired one, or none, and with a file that is not there', async () => {
    expect(await refusal(url(postgres.otherCaFile))).toMatch(
      /^comes to no TLS with the server \(.*certificate.*sslrootcert/,
    );
    expect(await refusal(url('/nowhere/ca.crt'))).toMatch(/^names a file that cannot be read: .*\/nowhere\/ca\.crt/);
    await postgres.present('expired');
    expect(await refusal(url(postgres.caFile))).toMatch(/^comes to no TLS with the server \(certificate has expired\)/);
    await postgres.present('none');
    expect(await refusal(url(postgres.caFile))).toMatch(/^asks for TLS by sslmode, and the server has none/);
  });
});

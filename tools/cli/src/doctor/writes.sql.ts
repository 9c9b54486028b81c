import type pg from 'pg';

/** The words of `pg_settings.source` for where a setting was made. */
type Source = 'configuration file' | 'database' | 'user' | 'database user' | (string & {});

export interface Refusal {
  /** It follows a primary. */
  readonly standby: boolean;
  /** Sessions begin as read-only ones. */
  readonly readOnly: boolean;
  readonly source: Source;
}

const refusalSql = `
SELECT pg_is_in_recovery() AS standby, setting = 'on' AS "readOnly", source
  FROM pg_settings WHERE name = 'default_transaction_read_only'`;

/**
 * A function's rows that do not fit into memory go to a temporary file beside the tables, which takes about a megabyte of the disk for as long as the
 * statement runs. Nothing else is written: no row, no WAL, no transaction id, so that a standby and a session without rights can do it, and no
 * reader of an event store waits for it (docs/adr/0066).
 */
const spillSql = 'SELECT count(*) FROM generate_series(1, 60000)';

/** Whether sessions of this pool may write. Their defaults have to be those of the service. */
export async function readRefusal(pool: pg.Pool): Promise<Refusal | undefined> {
  const { rows } = await pool.query<Refusal>(refusalSql);
  return rows[0];
}

/** @throws DatabaseError of SQLSTATE class 53 where the disk has no room for a megabyte */
export async function spillToDisk(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN READ ONLY');
    // The disk of the tables is meant, wherever temporary files lie otherwise.
    await client.query(`SET LOCAL temp_tablespaces = ''; SET LOCAL work_mem = '64kB'`);
    await client.query(spillSql);
    await client.query('ROLLBACK');
  } finally {
    client.release(true);
  }
}

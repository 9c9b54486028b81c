import type pg from 'pg';

export interface TransactionOptions {
  /** `snapshot`: everything is read as of one moment (REPEATABLE READ); READ COMMITTED where absent. */
  readonly isolation?: 'snapshot';
  readonly readOnly?: boolean;
}

/** Runs `work` in one transaction: commits what it returns, rolls back what it throws. */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (tx: pg.PoolClient) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(beginSql(options));
    const value = await work(client);
    await client.query('COMMIT');
    return value;
  } catch (error) {
    await client.query('ROLLBACK').catch((rollbackError: unknown) => {
      // A connection that cannot roll back must not return to the pool with a transaction open.
      broken = rollbackError instanceof Error ? rollbackError : new Error('rollback failed');
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

const beginSql = ({ isolation, readOnly }: TransactionOptions): string =>
  `BEGIN${isolation === 'snapshot' ? ' ISOLATION LEVEL REPEATABLE READ' : ''}${readOnly === true ? ' READ ONLY' : ''}`;

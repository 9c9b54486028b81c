import type pg from 'pg';

export interface TransactionOptions {
  /** `snapshot`: everything is read as of one moment (REPEATABLE READ); READ COMMITTED where absent. */
  readonly isolation?: 'snapshot';
  readonly readOnly?: boolean;
}

/**
 * Runs `work` in one transaction: commits what it returns, rolls back and rethrows what it throws. A connection that is lost
 * meanwhile, or that cannot roll back, does not return to the pool.
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (tx: pg.PoolClient) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const client = await pool.connect();
  // A client that is checked out tells of a lost connection by an event, which would end the process where nobody listens.
  let lost: Error | undefined;
  const onError = (error: Error): void => {
    lost = error;
  };
  client.on('error', onError);
  try {
    await client.query(beginSql(options));
    const value = await work(client);
    const { command } = await client.query('COMMIT');
    // PostgreSQL answers so, and without an error, where a statement had failed and `work` went on as if it had not.
    if (command !== 'COMMIT') throw new Error('nothing was committed: a statement of the transaction had failed');
    return value;
  } catch (error) {
    await client.query('ROLLBACK').catch((rollbackError: unknown) => {
      lost ??= rollbackError instanceof Error ? rollbackError : new Error('rollback failed');
    });
    throw error;
  } finally {
    client.off('error', onError);
    client.release(lost);
  }
}

const beginSql = ({ isolation, readOnly }: TransactionOptions): string =>
  `BEGIN${isolation === 'snapshot' ? ' ISOLATION LEVEL REPEATABLE READ' : ''}${readOnly === true ? ' READ ONLY' : ''}`;

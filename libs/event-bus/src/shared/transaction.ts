import type pg from 'pg';

/** Runs `work` in a transaction: commits what it returns, rolls back and rethrows what it throws. */
export async function inTransaction<T>(pool: pg.Pool, work: (tx: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  // A client that is checked out reports a lost connection as an event; without a listener that ends the process.
  let lost: Error | undefined;
  const onError = (error: Error): void => {
    lost = error;
  };
  client.on('error', onError);
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((rollbackError: Error) => {
      lost ??= rollbackError;
    });
    throw error;
  } finally {
    client.off('error', onError);
    client.release(lost);
  }
}

/** Runs `work` under a savepoint; where it throws, only its own effects are undone. */
export async function inSavepoint(tx: pg.PoolClient, work: () => Promise<void>): Promise<void> {
  await tx.query('SAVEPOINT unit');
  try {
    await work();
    await tx.query('RELEASE SAVEPOINT unit');
  } catch (error) {
    await tx.query('ROLLBACK TO SAVEPOINT unit');
    await tx.query('RELEASE SAVEPOINT unit');
    throw error;
  }
}

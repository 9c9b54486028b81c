import pg from 'pg';
import { DataSource, QueryFailedError, type ObjectLiteral, type Repository } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner.js';

type Entity<Row extends ObjectLiteral> = new () => Row;

/**
 * Runs what a repository asks on a connection that somebody else has opened and gives back. What fails is the database's own
 * error: TypeORM's carries the statement and its values, which a log would keep, names and hashes of keys among them.
 */
class BorrowedConnection extends PostgresQueryRunner {
  constructor(
    model: DataSource,
    private readonly db: pg.Pool | pg.ClientBase,
  ) {
    super(model.driver as PostgresDriver, 'master');
    this.databaseConnection = db;
    // A repository begins no transaction within one, and refuses to lock a row outside of one.
    this.isTransactionActive = !(db instanceof pg.Pool);
    this.transactionDepth = this.isTransactionActive ? 1 : 0;
  }

  override async query(...asked: Parameters<PostgresQueryRunner['query']>): ReturnType<PostgresQueryRunner['query']> {
    try {
      return await super.query(...asked);
    } catch (error) {
      throw error instanceof QueryFailedError ? error.driverError : error;
    }
  }

  override startTransaction(...asked: Parameters<PostgresQueryRunner['startTransaction']>): Promise<void> {
    if (this.db instanceof pg.Pool) {
      // Each of its statements could run on another connection.
      throw new Error('this write takes a transaction: give the repository the client of one');
    }
    return super.startTransaction(...asked);
  }
}

/**
 * Values of columns, checked against the entity's own types. A repository's types descend into what is stored as JSON without
 * end, so that nothing of a JSON type can be passed to them as it is.
 */
export const columnValues = <Row extends ObjectLiteral>(values: Partial<Row> | readonly Partial<Row>[]): never =>
  values as never;

/** Knows the entities of a service and has no connection of its own. */
class EntityModel extends DataSource {
  private built: Promise<void> | undefined;

  build(): Promise<void> {
    return (this.built ??= this.buildMetadatas());
  }
}

/**
 * The repositories of a service, on whatever connection its callers have: the client of a transaction, in which rows, events
 * and raw statements then commit together, or the pool.
 */
export class Records {
  private readonly model: EntityModel;

  constructor(entities: readonly Entity<ObjectLiteral>[]) {
    this.model = new EntityModel({ type: 'postgres', driver: pg, entities: [...entities] });
  }

  /** @param db a client only while it is in a transaction */
  async of<Row extends ObjectLiteral>(entity: Entity<Row>, db: pg.Pool | pg.ClientBase): Promise<Repository<Row>> {
    await this.model.build();
    return this.model.createEntityManager(new BorrowedConnection(this.model, db)).getRepository(entity);
  }
}

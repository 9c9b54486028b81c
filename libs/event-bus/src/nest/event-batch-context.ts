import { BaseRpcContext } from '@nestjs/microservices';
import type pg from 'pg';

/** The second argument of an `@OnEventBatch` method, beside its events. */
export class EventBatchContext extends BaseRpcContext<[pg.PoolClient]> {
  /**
   * The transaction that commits the effects of the batch with the consumer's position. The handler must not commit it or
   * roll it back.
   */
  get tx(): pg.PoolClient {
    return this.getArgByIndex(0) as pg.PoolClient;
  }
}

import { BaseRpcContext } from '@nestjs/microservices';
import type pg from 'pg';

/** The context of an `@EventPattern` handler on this transport; `@Ctx()` gives it. */
export class EventBatchContext extends BaseRpcContext<[pg.PoolClient]> {
  /** The transaction that commits the batch's effects with the consumer's position. */
  get tx(): pg.PoolClient {
    return this.getArgByIndex(0) as pg.PoolClient;
  }
}

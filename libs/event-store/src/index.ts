export { GroupCommit, GroupCommitFull } from './append/group-commit.js';
export { isOfSqlStateClass } from './append/sql-state-class.js';
export { AppendConflictError } from './append/append-conflict.js';
export { appendBatch, type BatchItem, MAX_BATCH_EVENTS } from './append/append-batch.js';
export { appendFirstEvents, type Beside, type FirstEvent } from './append/append-first-events.js';
export { appendToStream, type AppendResult, MAX_EVENTS_PER_APPEND } from './append/append-to-stream.js';
export { toJsonb, type NewEvent } from './append/new-event.js';
export type { Queryable } from './queryable.js';
export { eventTableSource, type OutboxSource } from './read/outbox-source.js';
export { oldestUnreadOf } from './read/oldest-unread.js';
export { comparePositions, formatPosition, parsePosition, type Position, START_POSITION } from './read/position.js';
export { MAX_READ_EVENTS, readAfter } from './read/read-after.js';
export { currentHorizon } from './read/horizon.js';
export { MAX_STREAM_EVENTS, readStream } from './read/read-stream.js';
export { jsonTexts, jsonTextsSql } from './append/json-texts.js';
export { firstAfter, rowToEvent, type EventRow, type StoredEvent } from './read/stored-event.js';
export { inTransaction, type TransactionOptions } from './transaction/in-transaction.js';
export { bumpEpoch } from './schema/epoch.js';
export { horizonSql, txOrderSql } from './schema/commit-order.js';
export { eventStoreSchemaSql } from './schema/event-store.sql.js';

import type { ContextName } from '@capability-router/contracts';

export interface EventStoreOptions {
  source: ContextName;
}

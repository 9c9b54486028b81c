export { type Tail, type TailOptions, tailOwnStore } from './broadcast/tail-own-store.js';
export { EmbeddedEventBus, type EmbeddedEventBusOptions } from './embedded/embedded-event-bus.js';
export {
  type BroadcastListener,
  DEFAULT_MAX_BATCH_EVENTS,
  type EventBus,
  type EventBusHealth,
  type EventBusMetrics,
  type SharedSubscription,
  type Subscription,
} from './event-bus.js';
export { laneOf } from './embedded/embedded-lane.js';
export { type BusLogger, silentLogger } from './logger.js';
export { EventBatchContext } from './nest/event-batch-context.js';
export { EventBatchServer, type EventBatchServerOptions } from './nest/event-batch-server.js';
export { connectEventHandlers, createEventApplication, eventHandlersOf } from './nest/event-application.js';
export {
  type BroadcastStatus,
  EventBroadcastServer,
  type EventBroadcastServerOptions,
} from './nest/event-broadcast-server.js';
export { refuseStrayHandlers } from './nest/refuse-stray-handlers.js';
export { OnEveryEvent } from './nest/on-every-event.js';
export { type EventBatch, type EventBatchOptions, OnEventBatch } from './nest/on-event-batch.js';
export { backoffMs } from './shared/backoff.js';
export { beginAnew, type BeganAnew } from './shared/begin-anew.js';
export { classifyError, type ErrorClass, PermanentError, TransientError } from './shared/errors.js';
export { listParked, type ParkedEvent, replayParked, type ReplayResult } from './shared/parked-events.js';
export { isTlsError } from './shared/tls-errors.js';

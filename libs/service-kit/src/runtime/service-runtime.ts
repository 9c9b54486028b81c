import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { ContextName } from '@capability-router/contracts';
import type { EventBus } from '@capability-router/event-bus';
import type { Clock } from '@capability-router/kernel';
import type { ServiceClients } from '../clients/service-client.js';
import type { DatabaseHealth } from '../database/database-health.js';
import type { Readiness } from '../http/server.js';
import type { Tracing } from '../observability/tracing/tracing.js';
import type { InternalTokens } from '../tokens/internal-tokens.js';

/** Whoever runs a service hands it these. */
export interface ServiceRuntime {
  readonly name: ContextName;
  readonly clock: Clock;
  readonly logger: Logger;
  /** A service subscribes while it is created; whoever runs it starts and stops the bus, which several may share. */
  readonly bus: EventBus;
  readonly tokens: InternalTokens;
  readonly clients: ServiceClients;
  readonly metrics: Registry;
  /** Origin under which callers reach the gateway, without a trailing slash. */
  readonly publicUrl: string;
  /** Absent where nothing is traced. */
  readonly tracing?: Tracing | undefined;
}

/** A service that has been created and can be started once. */
export interface RunningService {
  readonly name: ContextName;
  /** Does not listen; whoever runs the service does. */
  readonly fastify: FastifyInstance;
  ready(): Readiness;
  /** A service with a database is not ready while that does not answer, and takes no requests while the clocks disagree. */
  readonly database?: Pick<DatabaseHealth, 'answers' | 'clockAgrees'>;
  /** Published tools that this replica acts by; absent where it keeps none. */
  readonly knownTools?: () => number;
  /** Sweepers, tails, and what else runs beside requests. The bus is started after it. */
  start(): Promise<void>;
  /** Ends them, the application and its connections. The listener is closed and the bus stopped before it. */
  stop(): Promise<void>;
}

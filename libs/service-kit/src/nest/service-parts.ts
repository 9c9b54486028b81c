import type { Clock } from '@capability-router/kernel';
import type { Logger } from 'pino';
import type pg from 'pg';
import type { Registry } from 'prom-client';
import type { ServiceClient } from '../clients/service-client.js';
import type { Database } from '../database/open-database.js';
import type { ServiceRuntime } from '../runtime/service-runtime.js';

/** Injection tokens of `ServiceParts`, whose members are injected one by one. */
export const CONFIG = Symbol('configuration of the service');
export const POOL = Symbol('connections to the database of the service');
export const CLOCK = Symbol('clock');
export const LOGGER = Symbol('logger');
export const METRICS = Symbol('metrics');
export const BILLING = Symbol('client of billing');
export const COMMITTED = Symbol('to be called after a commit');

/** The providers of a service are made of these: its configuration, and what whoever runs it has opened. */
export interface ServiceParts {
  readonly config: unknown;
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly billing: ServiceClient;
  /** To be called after a commit that recorded events, so that their readers look at once: those of `topics`, of all where absent. */
  readonly committed: (topics?: readonly string[]) => void;
}

/** The parts of a service that runs on its database. */
export const servicePartsOf = (
  config: unknown,
  { name, bus, clients, logger, metrics }: ServiceRuntime,
  { pool, clock }: Pick<Database, 'pool' | 'clock'>,
): ServiceParts => ({
  config,
  pool,
  clock,
  logger,
  metrics,
  billing: clients.billing,
  committed: (topics) => bus.nudge(name, topics),
});

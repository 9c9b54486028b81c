import type { InternalKeys } from '@capability-router/service-kit';

/** What both processes of this measurement are told. */
export interface HopJob {
  readonly keys: InternalKeys;
  /** Of the upstream; set for the gateway. */
  readonly upstreamUrl?: string;
}

/** What they answer with when they listen. */
export interface Listening {
  readonly port: number;
}

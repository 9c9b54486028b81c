import type { InternalKeys } from '@capability-router/service-kit';

/** The services that the stub plays. */
export interface UpstreamUrls {
  readonly registry: string;
  readonly execution: string;
  readonly identity: string;
}

/** The job of both processes of this measurement. */
export interface HopJob {
  readonly keys: InternalKeys;
  /** Set for the gateway. */
  readonly upstreamUrls?: UpstreamUrls;
  /** The gateway writes a line for each request, which the null device takes. */
  readonly logsRequests?: boolean;
}

/** The gateway's first message, when it listens. */
export interface Listening {
  readonly url: string;
}

import type { InternalKeys } from '@capability-router/service-kit';

/** The two services that the stub plays. */
export interface UpstreamUrls {
  readonly execution: string;
  readonly identity: string;
}

/** What both processes of this measurement are told. */
export interface HopJob {
  readonly keys: InternalKeys;
  /** Set for the gateway. */
  readonly upstreamUrls?: UpstreamUrls;
}

/** What the gateway answers with when it listens. */
export interface Listening {
  readonly url: string;
}

import type { JWK } from 'jose';

/** The job of the process that answers reads. */
export interface ReaderJob {
  readonly billingUrl: string;
}

/** Its first message: where it listens, and how the gateway signs. */
export interface ReaderReady {
  readonly origin: string;
  readonly gatewayKey: JWK;
  readonly jwks: { readonly keys: readonly JWK[] };
}

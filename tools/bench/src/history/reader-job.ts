import type { JWK } from 'jose';

/** What the process that answers reads is told. */
export interface ReaderJob {
  readonly billingUrl: string;
}

/** What it answers: where it listens, and how the gateway signs. */
export interface ReaderReady {
  readonly origin: string;
  readonly gatewayKey: JWK;
  readonly jwks: { readonly keys: readonly JWK[] };
}

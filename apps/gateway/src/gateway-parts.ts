import type { AdmissionParts } from './admission/admit.js';
import type { ForwardParts } from './forward/forward.js';

/** Injection tokens. */
export const GATEWAY_CONFIG = Symbol('gateway config');
export const RUNTIME = Symbol('service runtime');
export const GATEWAY_PARTS = Symbol('gateway parts');
export const GATEWAY_METRICS = Symbol('gateway metrics');
export const RATE_LIMITER = Symbol('rate limiter');

/** What the handlers of all routes share. */
export interface GatewayParts {
  readonly admission: AdmissionParts;
  readonly forward: ForwardParts;
}

export { AddressRules } from './address-rules.js';
export { EgressClient } from './egress-client.js';
export type { EgressRequest, EgressResponse } from './egress-client.js';
export { DeadlineError, EgressProxyError, EgressRefusedError, UnreadableAnswerError } from './egress-error.js';
export type { EgressRefusal } from './egress-error.js';
export { egressDefaults, type EgressSettings } from './egress-settings.js';
export { systemResolve, type Resolve } from './resolve.js';
export { MAX_URL_LENGTH, vetUrl } from './vet-url.js';

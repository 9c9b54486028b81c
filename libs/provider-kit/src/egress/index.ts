export { AddressRules } from './address-rules.js';
export { EgressClient, egressDefaults } from './egress-client.js';
export type { EgressRequest, EgressResponse, EgressSettings } from './egress-client.js';
export { DeadlineError, EgressProxyError, EgressRefusedError, UnreadableAnswerError } from './egress-error.js';
export type { EgressRefusal } from './egress-error.js';
export { systemResolve, type Resolve } from './resolve.js';
export { MAX_URL_LENGTH, vetUrl } from './vet-url.js';

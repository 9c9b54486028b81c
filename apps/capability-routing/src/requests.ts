/** The requests of callers of the public interface, as the service judges them: for the description of the interface. */
export { CapabilityDetailQuery } from './detail/capability-detail.query.js';
export { CapabilitiesQuery } from './list/capabilities.request.js';
export { CapabilityQueryBody } from './query/capability-query.request.js';

/** The requests of callers and administrators, as the service judges them: for the description of the interface. */
export { CapabilityDetailQuery } from './detail/capability-detail.query.js';
export { CapabilitiesQuery } from './list/capabilities.request.js';
export { CapabilityQueryBody } from './query/capability-query.request.js';
export { ListCapabilitiesQuery, WriteQuery } from './admin/capabilities.query.js';
export { CapabilityActionRequest } from './admin/capability-action.request.js';
export { CapabilityDocument } from './admin/manifest/capability.request.js';

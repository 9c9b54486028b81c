/** The requests of callers and administrators, as the service judges them: for the description of the interface. */
export { callDefaults } from './call/request/domain/call.js';
export { CredentialPageQuery } from './credentials/credentials.requests.js';
export { RotateRequest } from './credentials/credentials.requests.js';
export { RevisionRequest } from './revisions/revisions.controller.js';

/** The requests of callers and administrators, as the service judges them: for the description of the interface. */
export { cacheModeSchema, callSchema } from './call/request/call-schema.js';
export { CredentialPageQuery } from './credentials/credentials.requests.js';
export { RotateRequest } from './credentials/credentials.requests.js';
export { RevisionRequest } from './revisions/revisions.controller.js';

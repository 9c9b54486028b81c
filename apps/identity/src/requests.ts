/** The requests of callers of the public interface, as the service judges them: for the description of the interface. */
export { CreateApiKeyRequest } from './api-keys/create-api-key.request.js';
export { OwnKeysQuery } from './api-keys/own-keys.query.js';
export { RotateApiKeyRequest } from './api-keys/rotate-api-key.request.js';
export { StartClaimRequest, VerifyClaimRequest } from './claims/claim.requests.js';
export { ChangeProjectRequest, CreateProjectRequest } from './project-management/project.requests.js';
export { OwnSecurityLogQuery } from './security-log/read/security-log.query.js';
export { ConsentsQuery } from './tokens/consents/consents.query.js';
export { VerifyTokenRequest } from './tokens/verify-token.request.js';
export { RegisterTrialAgentRequest } from './trial-agents/register-trial-agent.request.js';

import { API_PREFIX, bodyLimits, DEVICE_PAGE_PATH, type ContextName } from '@capability-router/contracts';
import type { GatewayRoute } from './gateway-route.js';

const read = (service: ContextName, path: string, shape: GatewayRoute['shape'] = 'envelope'): GatewayRoute => ({
  method: 'GET',
  path: `${API_PREFIX}${path}`,
  service,
  auth: 'api_key',
  scope: 'read',
  rate: 'read',
  shape,
});

/** Reads about tools, and what became of a caller's own calls. */
const lookUp = (service: ContextName, path: string, shape: GatewayRoute['shape'] = 'envelope'): GatewayRoute => ({
  ...read(service, path, shape),
  scope: 'call',
});

/** Reads that tell nothing of an account. */
const catalogue = (path: string): GatewayRoute => {
  const { scope: _any, ...route } = read('registry', path, 'plain');
  return route;
};

const exported = (path: string): GatewayRoute => ({ ...read('billing', path), streams: true, answerOfAnySize: true });

const tools = (path: string, service: ContextName, rate: GatewayRoute['rate'], shape: GatewayRoute['shape']) =>
  ({
    method: 'POST',
    path: `${API_PREFIX}${path}`,
    service,
    auth: 'api_key',
    scope: 'call',
    rate,
    shape,
  }) as const satisfies GatewayRoute;

const anonymous = (method: 'GET' | 'HEAD' | 'POST', path: string, service: ContextName): GatewayRoute => ({
  method,
  path: `${API_PREFIX}${path}`,
  service,
  auth: 'none',
  rate: 'anonymous',
  shape: 'envelope',
});

const oauth = (path: string): GatewayRoute => ({
  ...anonymous('POST', `/oauth${path}`, 'identity'),
  shape: 'plain',
  form: true,
  ownAuthorization: true,
});

/** Pages for people, at the origin root. */
const devicePage = (method: 'GET' | 'POST', path = ''): GatewayRoute => ({
  method,
  path: `${DEVICE_PAGE_PATH}${path}`,
  service: 'identity',
  auth: 'none',
  rate: 'anonymous',
  shape: 'plain',
  ...(method === 'POST' ? { form: true } : {}),
});

const ownCredentials = (method: GatewayRoute['method'], path = '/:providerId'): GatewayRoute => ({
  ...read('execution', `/auth/provider-credentials${path}`),
  scope: 'manage',
  method,
  bodyOptional: method === 'DELETE',
});

const ownKeys = (method: GatewayRoute['method'], path = ''): GatewayRoute => ({
  ...read('identity', `/auth/api-keys${path}`),
  scope: 'manage',
  method,
  bodyOptional: path !== '',
});

const ownConsents = (method: GatewayRoute['method'], path = ''): GatewayRoute => ({
  ...read('identity', `/auth/oauth-consents${path}`),
  scope: 'manage',
  method,
  bodyOptional: path !== '',
});

const ownProjects = (method: GatewayRoute['method'], path = ''): GatewayRoute => ({
  ...read('identity', `/auth/projects${path}`),
  scope: 'manage',
  method,
  bodyOptional: path.includes('api-keys'),
});

/** A route of administrators to identity; `catalogueAdmin` and the others lead to another service. */
const admin = (method: GatewayRoute['method'], path: string): GatewayRoute => ({
  method,
  path: `/admin/v1${path}`,
  service: 'identity',
  auth: 'api_key',
  scope: 'admin',
  rate: 'read',
  shape: 'envelope',
  bodyOptional: true,
});

const catalogueAdmin = (method: GatewayRoute['method'], path: string): GatewayRoute => ({
  ...admin(method, path),
  service: 'registry',
});

const credentialAdmin = (method: GatewayRoute['method'], path: string): GatewayRoute => ({
  ...catalogueAdmin(method, path),
  service: 'execution',
});

const capabilityAdmin = (method: GatewayRoute['method'], path: string): GatewayRoute => ({
  ...catalogueAdmin(method, `/capabilities${path}`),
  service: 'capability-routing',
});

const billingAdmin = (method: GatewayRoute['method'], path: string): GatewayRoute => ({
  ...catalogueAdmin(method, path),
  service: 'billing',
});

/** Unlike others of administrators, one that streams needs a body, unless it says otherwise. */
const streamedAdmin = (method: GatewayRoute['method'], path: string): GatewayRoute => ({
  ...catalogueAdmin(method, path),
  streams: true,
  bodyOptional: false,
});

/** Everything that the outside can reach. A path that its service does not have yet is that service's 404. */
export const gatewayRoutes: readonly GatewayRoute[] = [
  tools('/search', 'registry', 'discover', 'search'),
  tools('/tools/by-ids', 'registry', 'inspect', 'inspect'),
  { ...tools('/tools/probe', 'registry', 'probe', 'inspect'), repeatable: true },
  { ...tools('/tools/execute', 'execution', 'call', 'execute'), executes: true },
  { ...tools('/capabilities/query', 'capability-routing', 'call', 'capability'), executes: true },
  lookUp('capability-routing', '/capabilities', 'capability'),
  lookUp('capability-routing', '/capabilities/:capabilityId', 'capability'),
  lookUp('execution', '/tools/executions/by-idempotency-key'),
  lookUp('execution', '/tools/executions/:executionId'),
  // As large as results get, and in parts where the caller wants it so.
  { ...anonymous('GET', '/results/:token', 'execution'), streams: true },
  { ...anonymous('HEAD', '/results/:token', 'execution'), streams: true },

  read('billing', '/auth/credits'),
  { ...read('billing', '/credits'), upstreamPath: `${API_PREFIX}/auth/credits` },
  read('billing', '/auth/usage/history/v2'),
  read('billing', '/auth/usage/history/v2/summary'),
  exported('/auth/usage/history/v2/export'),
  read('billing', '/auth/usage/history/v2/:eventId'),
  read('billing', '/auth/usage/credits-spent'),
  read('billing', '/auth/credits/ledger'),
  exported('/auth/credits/ledger/export'),
  read('billing', '/auth/credits/ledger/:entryId'),
  read('billing', '/auth/credits/ledger-readiness'),
  read('billing', '/auth/account/settlement-history'),

  ownCredentials('GET', ''),
  ownCredentials('GET'),
  ownCredentials('PUT'),
  ownCredentials('DELETE'),

  ownKeys('GET'),
  ownKeys('POST'),
  ownKeys('DELETE', '/:apiKeyId'),
  // `{api_key_id}:rotate`.
  ownKeys('POST', '/:apiKeyIdAndAction'),

  ownConsents('GET'),
  ownConsents('DELETE', '/:consentId'),

  ownProjects('GET'),
  ownProjects('POST'),
  ownProjects('GET', '/:projectId'),
  ownProjects('PATCH', '/:projectId'),
  ownProjects('PUT', '/:projectId/api-keys/:apiKeyId'),
  ownProjects('DELETE', '/:projectId/api-keys/:apiKeyId'),
  { ...read('identity', '/auth/security-log'), scope: 'manage' },

  catalogue('/providers'),
  catalogue('/providers/categories'),

  anonymous('POST', '/agent/anonymous-register', 'identity'),
  anonymous('POST', '/agent/claim', 'identity'),
  anonymous('POST', '/agent/claim-verify', 'identity'),
  {
    ...anonymous('POST', '/auth/verify-token', 'identity'),
    bodyOptional: true,
    repeatable: true,
    ownAuthorization: true,
  },
  oauth('/device/authorize'),
  devicePage('GET'),
  devicePage('POST'),
  devicePage('POST', '/key'),
  devicePage('POST', '/email'),
  devicePage('POST', '/email-code'),
  devicePage('POST', '/decision'),
  oauth('/token'),
  oauth('/introspect'),
  oauth('/revoke'),
  { ...anonymous('GET', '/oauth/jwks.json', 'identity'), shape: 'plain' },

  { ...streamedAdmin('PUT', '/providers/:providerId'), maxStreamedBytes: bodyLimits.providerManifest },
  catalogueAdmin('GET', '/providers/:providerId'),
  credentialAdmin('GET', '/providers/:providerId/credentials'),
  { ...credentialAdmin('PUT', '/providers/:providerId/credentials'), bodyOptional: false },
  credentialAdmin('DELETE', '/providers/:providerId/credentials'),
  credentialAdmin('GET', '/provider-credentials'),
  credentialAdmin('POST', '/provider-credentials::rotate'),
  credentialAdmin('GET', '/provider-breakers'),
  streamedAdmin('POST', '/catalog::import'),
  catalogueAdmin('GET', '/tools'),
  catalogueAdmin('GET', '/tools/:toolId'),
  catalogueAdmin('GET', '/tools/:toolId/versions/:from/diff/:to'),
  // `{tool_id}:publish`, `:retire` and so on: a tool id has no colon.
  catalogueAdmin('POST', '/tools/:toolIdAndAction'),
  catalogueAdmin('GET', '/verifications/:toolId'),
  catalogueAdmin('POST', '/verifications/:toolId'),
  capabilityAdmin('GET', ''),
  { ...streamedAdmin('PUT', '/capabilities/:capabilityId'), service: 'capability-routing' },
  { ...streamedAdmin('POST', '/capabilities::import'), service: 'capability-routing' },
  // `{capability_id}:retire` and `:restore`.
  capabilityAdmin('POST', '/:capabilityIdAndAction'),
  capabilityAdmin('GET', '/:capabilityId'),
  capabilityAdmin('GET', '/:capabilityId/versions/:version'),
  capabilityAdmin('GET', '/:capabilityId/versions/:from/diff/:to'),
  catalogueAdmin('GET', '/schemas/manifest'),
  catalogueAdmin('GET', '/sources'),
  // Documents are larger than what is forwarded in one piece, and reading them takes longer.
  { ...streamedAdmin('POST', '/sources/openapi'), maxStreamedBytes: bodyLimits.sourceImport },
  streamedAdmin('POST', '/sources/mcp'),
  // `{source_id}:refresh`.
  { ...streamedAdmin('POST', '/sources/:sourceIdAndAction'), bodyOptional: true },
  billingAdmin('GET', '/accounts/:accountId/grants'),
  { ...billingAdmin('POST', '/accounts/:accountId/grants'), bodyOptional: false },
  { ...billingAdmin('POST', '/accounts/:accountId/refunds'), bodyOptional: false },
  { ...billingAdmin('POST', '/accounts/:accountId/payment-refunds'), bodyOptional: false },
  { ...billingAdmin('POST', '/accounts/:accountId/corrections'), bodyOptional: false },
  { ...billingAdmin('GET', '/ledger-entries'), streams: true, bodyOptional: false, answerOfAnySize: true },
  billingAdmin('GET', '/exceptions'),
  billingAdmin('GET', '/exceptions/:exceptionId'),
  { ...billingAdmin('POST', '/exceptions/:exceptionId/:resolution'), bodyOptional: false },
  { ...credentialAdmin('POST', '/executions/:executionId/outcome-revisions'), bodyOptional: false },
  {
    ...streamedAdmin('POST', '/usage-events::import'),
    service: 'billing',
    maxStreamedBytes: bodyLimits.usageImport,
  },
  admin('GET', '/accounts'),
  admin('POST', '/accounts'),
  admin('DELETE', '/accounts/:accountId'),
  // `{account_id}:suspend`, `:resume` and so on.
  admin('POST', '/accounts/:accountIdAndAction'),
  admin('PUT', '/accounts/:accountId/region'),
  admin('GET', '/accounts/:accountId/api-keys'),
  admin('POST', '/accounts/:accountId/api-keys'),
  admin('GET', '/accounts/:accountId/oauth-consents'),
  admin('GET', '/accounts/:accountId/projects'),
  admin('POST', '/accounts/:accountId/projects'),
  admin('GET', '/accounts/:accountId/rate-limit-plan'),
  admin('PUT', '/accounts/:accountId/rate-limit-plan'),
  admin('GET', '/narrowed-api-keys'),
  admin('PATCH', '/api-keys/:apiKeyId'),
  admin('DELETE', '/api-keys/:apiKeyId'),
  admin('POST', '/api-keys/:apiKeyId/scopes'),
  // `{api_key_id}:rotate`.
  admin('POST', '/api-keys/:apiKeyIdAndAction'),
  admin('GET', '/projects/:projectId'),
  admin('PATCH', '/projects/:projectId'),
  admin('PUT', '/projects/:projectId/api-keys/:apiKeyId'),
  admin('DELETE', '/projects/:projectId/api-keys/:apiKeyId'),
  admin('GET', '/external-subjects'),
  admin('POST', '/external-subjects'),
  admin('DELETE', '/external-subjects/:externalSubjectId'),
  admin('GET', '/oauth-clients'),
  admin('POST', '/oauth-clients'),
  admin('DELETE', '/oauth-clients/:clientId'),
  admin('DELETE', '/oauth-consents/:consentId'),
  admin('POST', '/oauth-signing-keys::rotate'),
  admin('GET', '/rate-limit-plans'),
  admin('GET', '/rate-limit-plans/:name'),
  admin('PUT', '/rate-limit-plans/:name'),
  admin('DELETE', '/rate-limit-plans/:name'),
  admin('GET', '/security-log'),
  admin('GET', '/security-log/verification'),
];

/** Which shape an answer has, by its route and status: what typed clients generate their models from. */
import { adminShapes } from './admin-shapes.js';
import { feedPage, creditsSpent, readiness, settlementItem, usageItem } from './audit-read-shapes.js';
import {
  apiKeyPage,
  claimed,
  claimRiskBlock,
  claimStart,
  credits,
  issuedApiKey,
  ledgerEntry,
  listWrapper,
  movedKey,
  project,
  projectList,
  registration,
  revokedApiKey,
  securityLogPage,
  usageEvent,
} from './audit-shapes.js';
import { envelope } from './common-shapes.js';
import { consentPage, endedConsent } from './consent-shapes.js';
import {
  capabilityAnswer,
  capabilityRefusal,
  errorExtras,
  errorMembers,
  executeAnswer,
  executeRefusal,
  executionLookUp,
  adminDetail,
  validationDetail,
} from './execution-shapes.js';
import {
  deviceAuthorization,
  deviceRefusal,
  exchangedToken,
  grantedToken,
  introspection,
  keySet,
  revocation,
  tokenRefusal,
  tokenStatusRefusal,
} from './oauth-shapes.js';
import {
  anyObject,
  anything,
  boolean,
  either,
  filledText,
  integer,
  listOf,
  nullable,
  number,
  oneOf,
  record,
  text,
  type Check,
} from './shapes.js';
import {
  anyInspection,
  anyProbe,
  anySearch,
  capabilityDetail,
  capabilityList,
  categoryList,
  providerList,
} from './tool-shapes.js';

const failureFields = {
  status: oneOf('failure'),
  status_code: integer,
  ...errorExtras,
  detail: listOf(validationDetail),
  data: nullable(anyObject),
  error: filledText,
  error_message: nullable(text),
  execution_id: text,
  remaining_credits: number,
  // The credential lacks the scope, or its constraint forbids the request.
  scope: filledText,
  constraint: filledText,
};
/** PublicApiError and its kin: whatever else is in it, there is a message. */
const failure = record({ ...errorMembers, message: filledText }, failureFields);
/** Commands of administrators tell how much could still be moved. */
const adminFailure = record(
  { ...errorMembers, message: filledText },
  { ...failureFields, detail: listOf(adminDetail) },
);
const searchFailure = record(
  {
    ...errorMembers,
    message: filledText,
    query: text,
    search_id: filledText,
    total: integer,
    results: listOf(anything),
  },
  failureFields,
);

const tokenVerification = record({ is_valid: boolean, is_expired: boolean }, { payload: anyObject });

/** By the name of its model. */
export const answerShapes = {
  Failure: failure,
  AdminFailure: adminFailure,
  SearchFailure: searchFailure,
  SearchAnswer: anySearch,
  InspectAnswer: anyInspection,
  ProbeAnswer: anyProbe,
  ExecuteAnswer: executeAnswer,
  ExecuteRefusal: executeRefusal,
  ExecutionLookUpAnswer: envelope(executionLookUp),
  CapabilityAnswer: capabilityAnswer,
  CapabilityRefusal: capabilityRefusal,
  CapabilityDetailAnswer: capabilityDetail,
  CapabilitiesAnswer: capabilityList,
  ProvidersAnswer: providerList,
  CategoriesAnswer: categoryList,
  CreditsAnswer: envelope(credits),
  UsageListAnswer: envelope(listWrapper(usageEvent)),
  UsageFeedAnswer: envelope(feedPage(usageItem)),
  UsageEventAnswer: envelope(usageEvent),
  CreditsSpentAnswer: envelope(creditsSpent),
  LedgerListAnswer: envelope(listWrapper(ledgerEntry)),
  LedgerEntryAnswer: envelope(ledgerEntry),
  ReadinessAnswer: envelope(readiness),
  SettlementHistoryAnswer: envelope(feedPage(settlementItem)),
  ProviderCredentialsAnswer: envelope(anyObject),
  ApiKeysAnswer: envelope(apiKeyPage),
  SecurityLogAnswer: envelope(securityLogPage),
  IssuedApiKeyAnswer: envelope(issuedApiKey),
  RevokedApiKeyAnswer: envelope(revokedApiKey),
  ConsentsAnswer: envelope(consentPage),
  EndedConsentAnswer: envelope(endedConsent),
  ProjectAnswer: envelope(project),
  ProjectsAnswer: envelope(projectList),
  MovedKeyAnswer: envelope(movedKey),
  RegistrationAnswer: envelope(registration),
  ClaimAnswer: envelope(either(claimStart, claimRiskBlock)),
  ClaimVerifyAnswer: envelope(claimed),
  TokenRefusal: tokenRefusal,
  DeviceAuthorizationRefusal: deviceRefusal,
  TokenStatusRefusal: tokenStatusRefusal,
  OAuthTokenAnswer: either(exchangedToken, grantedToken),
  DeviceAuthorizationAnswer: deviceAuthorization,
  IntrospectionAnswer: introspection,
  RevocationAnswer: revocation,
  KeySetAnswer: keySet,
  TokenVerificationAnswer: envelope(tokenVerification),
  MetaAnswer: record({ contract_version: filledText }),
  ...adminShapes,
} as const satisfies Readonly<Record<string, Check>>;

export type ShapeName = keyof typeof answerShapes;

/** The shapes of successes; the first that fits counts. */
const routes: readonly (readonly [method: string, path: RegExp, shape: ShapeName])[] = [
  ['POST', /^\/search$/, 'SearchAnswer'],
  ['POST', /^\/tools\/by-ids$/, 'InspectAnswer'],
  ['POST', /^\/tools\/probe$/, 'ProbeAnswer'],
  ['POST', /^\/tools\/execute$/, 'ExecuteAnswer'],
  ['GET', /^\/tools\/executions\/[^/]+$/, 'ExecutionLookUpAnswer'],
  ['POST', /^\/capabilities\/query$/, 'CapabilityAnswer'],
  ['GET', /^\/capabilities\/[^/]+$/, 'CapabilityDetailAnswer'],
  ['GET', /^\/capabilities$/, 'CapabilitiesAnswer'],
  ['GET', /^\/providers$/, 'ProvidersAnswer'],
  ['GET', /^\/providers\/categories$/, 'CategoriesAnswer'],
  ['GET', /^(\/auth)?\/credits$/, 'CreditsAnswer'],
  ['GET', /^\/auth\/usage\/history\/v2$/, 'UsageListAnswer'],
  ['GET', /^\/auth\/usage\/history\/v2\/summary$/, 'UsageFeedAnswer'],
  ['GET', /^\/auth\/usage\/history\/v2\/[^/]+$/, 'UsageEventAnswer'],
  ['GET', /^\/auth\/usage\/credits-spent$/, 'CreditsSpentAnswer'],
  ['GET', /^\/auth\/credits\/ledger$/, 'LedgerListAnswer'],
  ['GET', /^\/auth\/credits\/ledger\/[^/]+$/, 'LedgerEntryAnswer'],
  ['GET', /^\/auth\/credits\/ledger-readiness$/, 'ReadinessAnswer'],
  ['GET', /^\/auth\/account\/settlement-history$/, 'SettlementHistoryAnswer'],
  ['GET', /^\/auth\/provider-credentials(\/[^/]+)?$/, 'ProviderCredentialsAnswer'],
  ['PUT', /^\/auth\/provider-credentials\/[^/]+$/, 'ProviderCredentialsAnswer'],
  ['DELETE', /^\/auth\/provider-credentials\/[^/]+$/, 'ProviderCredentialsAnswer'],
  ['GET', /^\/auth\/api-keys$/, 'ApiKeysAnswer'],
  ['GET', /^\/auth\/security-log$/, 'SecurityLogAnswer'],
  ['POST', /^\/auth\/api-keys(\/[^/]+:rotate)?$/, 'IssuedApiKeyAnswer'],
  ['DELETE', /^\/auth\/api-keys\/[^/]+$/, 'RevokedApiKeyAnswer'],
  ['GET', /^\/auth\/oauth-consents$/, 'ConsentsAnswer'],
  ['DELETE', /^\/auth\/oauth-consents\/[^/]+$/, 'EndedConsentAnswer'],
  ['GET', /^\/auth\/projects$/, 'ProjectsAnswer'],
  ['POST', /^\/auth\/projects$/, 'ProjectAnswer'],
  ['GET', /^\/auth\/projects\/[^/]+$/, 'ProjectAnswer'],
  ['PATCH', /^\/auth\/projects\/[^/]+$/, 'ProjectAnswer'],
  ['PUT', /^\/auth\/projects\/[^/]+\/api-keys\/[^/]+$/, 'MovedKeyAnswer'],
  ['DELETE', /^\/auth\/projects\/[^/]+\/api-keys\/[^/]+$/, 'MovedKeyAnswer'],
  ['POST', /^\/agent\/anonymous-register$/, 'RegistrationAnswer'],
  ['POST', /^\/agent\/claim$/, 'ClaimAnswer'],
  ['POST', /^\/agent\/claim-verify$/, 'ClaimVerifyAnswer'],
  ['POST', /^\/auth\/verify-token$/, 'TokenVerificationAnswer'],
  ['POST', /^\/oauth\/device\/authorize$/, 'DeviceAuthorizationAnswer'],
  ['POST', /^\/oauth\/token$/, 'OAuthTokenAnswer'],
  ['POST', /^\/oauth\/introspect$/, 'IntrospectionAnswer'],
  ['POST', /^\/oauth\/revoke$/, 'RevocationAnswer'],
  ['GET', /^\/oauth\/jwks\.json$/, 'KeySetAnswer'],
  ['GET', /^\/meta$/, 'MetaAnswer'],
];

/** Refusals of endpoints of OAuth in the words of their specifications, with 400 and 401. */
export const oauthRefusals: Readonly<Partial<Record<string, ShapeName>>> = {
  '/oauth/token': 'TokenRefusal',
  '/oauth/device/authorize': 'DeviceAuthorizationRefusal',
  '/oauth/introspect': 'TokenStatusRefusal',
  '/oauth/revoke': 'TokenStatusRefusal',
};

/** `path`: what stands behind `/api/v1`, without its query. Throws for a success that no shape is known of. */
export function shapeOf(method: string, path: string, status: number, body: object): ShapeName {
  if (status < 400) {
    const found = routes.find(([of, pattern]) => of === method && pattern.test(path));
    if (found === undefined) throw new Error(`${method} ${path}: say in answer-shapes.ts which shape its answers have`);
    return found[2];
  }
  // A request that never reached the endpoint is refused as elsewhere.
  if ('error_description' in body && oauthRefusals[path] !== undefined) return oauthRefusals[path];
  if (path === '/tools/execute' && 'success' in body) return 'ExecuteRefusal';
  if (path === '/capabilities/query' && 'execution_id' in body) return 'CapabilityRefusal';
  return path === '/search' && 'results' in body ? 'SearchFailure' : 'Failure';
}

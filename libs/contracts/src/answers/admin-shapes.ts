/** Which shape an answer to administrators has, by its route. */
import { adminAccountShapes } from './admin-account-shapes.js';
import { adminCatalogueShapes } from './admin-catalogue-shapes.js';
import { adminCreditShapes } from './admin-credit-shapes.js';

export const adminShapes = { ...adminAccountShapes, ...adminCreditShapes, ...adminCatalogueShapes };
export type AdminShapeName = keyof typeof adminShapes;

/** The shapes of successes; the first that fits counts. */
const routes: readonly (readonly [method: string, path: RegExp, shape: AdminShapeName])[] = [
  ['POST', /^\/accounts$/, 'AdminAccountAnswer'],
  ['GET', /^\/accounts$/, 'AdminAccountsAnswer'],
  ['POST', /^\/accounts\/[^/]+:[a-z]+$/, 'AccountStateAnswer'],
  ['PUT', /^\/accounts\/[^/]+\/region$/, 'AccountRegionAnswer'],
  ['DELETE', /^\/accounts\/[^/]+$/, 'ErasedAccountAnswer'],
  ['GET', /^\/accounts\/[^/]+\/api-keys$/, 'AccountKeysAnswer'],
  ['POST', /^\/accounts\/[^/]+\/api-keys$/, 'AdminIssuedKeyAnswer'],
  ['POST', /^\/api-keys\/[^/]+:rotate$/, 'AdminIssuedKeyAnswer'],
  ['POST', /^\/api-keys\/[^/]+\/scopes$/, 'KeyScopesAnswer'],
  ['PATCH', /^\/api-keys\/[^/]+$/, 'KeyBudgetsAnswer'],
  ['DELETE', /^\/api-keys\/[^/]+$/, 'AdminRevokedKeyAnswer'],
  ['GET', /^\/narrowed-api-keys$/, 'NarrowedKeysAnswer'],
  ['GET', /^\/accounts\/[^/]+\/oauth-consents$/, 'AdminConsentsAnswer'],
  ['DELETE', /^\/oauth-consents\/[^/]+$/, 'AdminEndedConsentAnswer'],
  ['GET', /^\/accounts\/[^/]+\/projects$/, 'AdminProjectsAnswer'],
  ['POST', /^\/accounts\/[^/]+\/projects$/, 'AdminProjectAnswer'],
  ['GET', /^\/projects\/[^/]+$/, 'AdminProjectAnswer'],
  ['PATCH', /^\/projects\/[^/]+$/, 'AdminProjectAnswer'],
  ['PUT', /^\/projects\/[^/]+\/api-keys\/[^/]+$/, 'AdminMovedKeyAnswer'],
  ['DELETE', /^\/projects\/[^/]+\/api-keys\/[^/]+$/, 'AdminMovedKeyAnswer'],
  ['POST', /^\/oauth-clients$/, 'OAuthClientAnswer'],
  ['GET', /^\/oauth-clients$/, 'OAuthClientsAnswer'],
  ['DELETE', /^\/oauth-clients\/[^/]+$/, 'RevokedClientAnswer'],
  ['POST', /^\/external-subjects$/, 'LinkedSubjectAnswer'],
  ['GET', /^\/external-subjects$/, 'ExternalSubjectsAnswer'],
  ['DELETE', /^\/external-subjects\/[^/]+$/, 'UnlinkedSubjectAnswer'],
  ['GET', /^\/rate-limit-plans$/, 'RateLimitPlansAnswer'],
  ['GET', /^\/rate-limit-plans\/[^/]+$/, 'RateLimitPlanAnswer'],
  ['PUT', /^\/rate-limit-plans\/[^/]+$/, 'RateLimitPlanAnswer'],
  ['DELETE', /^\/rate-limit-plans\/[^/]+$/, 'RemovedPlanAnswer'],
  ['GET', /^\/accounts\/[^/]+\/rate-limit-plan$/, 'AccountPlanAnswer'],
  ['PUT', /^\/accounts\/[^/]+\/rate-limit-plan$/, 'AccountPlanAnswer'],
  ['GET', /^\/security-log$/, 'AdminSecurityLogAnswer'],
  ['GET', /^\/security-log\/verification$/, 'SecurityLogVerificationAnswer'],
  ['POST', /^\/oauth-signing-keys:rotate$/, 'RotatedSigningKeyAnswer'],
  ['GET', /^\/accounts\/[^/]+\/grants$/, 'GrantsAnswer'],
  ['POST', /^\/accounts\/[^/]+\/grants$/, 'GrantAnswer'],
  ['POST', /^\/accounts\/[^/]+\/refunds$/, 'RefundAnswer'],
  ['POST', /^\/accounts\/[^/]+\/payment-refunds$/, 'PaymentRefundAnswer'],
  ['POST', /^\/accounts\/[^/]+\/corrections$/, 'CorrectionAnswer'],
  ['GET', /^\/exceptions$/, 'ExceptionsAnswer'],
  ['GET', /^\/exceptions\/[^/]+$/, 'ExceptionAnswer'],
  ['POST', /^\/exceptions\/[^/]+\/[a-z-]+$/, 'ResolvedExceptionAnswer'],
  ['POST', /^\/usage-events:import$/, 'UsageImportAnswer'],
  ['POST', /^\/executions\/[^/]+\/outcome-revisions$/, 'OutcomeRevisionAnswer'],
  ['GET', /^\/provider-breakers$/, 'ProviderBreakersAnswer'],
  ['GET', /^\/providers\/[^/]+\/credentials$/, 'DeploymentCredentialsAnswer'],
  ['PUT', /^\/providers\/[^/]+\/credentials$/, 'DeploymentCredentialsAnswer'],
  ['DELETE', /^\/providers\/[^/]+\/credentials$/, 'DeletedCredentialsAnswer'],
  ['GET', /^\/provider-credentials$/, 'AllCredentialsAnswer'],
  ['POST', /^\/provider-credentials:rotate$/, 'RotatedCredentialsAnswer'],
  ['PUT', /^\/providers\/[^/]+$/, 'WrittenProviderAnswer'],
  ['GET', /^\/providers\/[^/]+$/, 'ProviderManifestAnswer'],
  ['GET', /^\/tools$/, 'AdminToolsAnswer'],
  ['GET', /^\/tools\/[^/]+$/, 'AdminToolAnswer'],
  ['GET', /^\/tools\/[^/]+\/versions\/[^/]+\/diff\/[^/]+$/, 'ComparedToolAnswer'],
  ['POST', /^\/tools\/[^/]+:[a-z]+$/, 'ActedToolAnswer'],
  ['GET', /^\/verifications\/[^/]+$/, 'ToolVerificationAnswer'],
  ['POST', /^\/verifications\/[^/]+$/, 'RequestedVerificationAnswer'],
  ['GET', /^\/sources$/, 'SourcesAnswer'],
  ['POST', /^\/sources\/(openapi|mcp|[^/]+:refresh)$/, 'ReadSourceAnswer'],
  ['GET', /^\/schemas\/manifest$/, 'ManifestSchemaAnswer'],
  ['GET', /^\/capabilities$/, 'ContractsAnswer'],
  ['GET', /^\/capabilities\/[^/]+$/, 'ContractAnswer'],
  ['GET', /^\/capabilities\/[^/]+\/versions\/[^/]+$/, 'ContractVersionAnswer'],
  ['GET', /^\/capabilities\/[^/]+\/versions\/[^/]+\/diff\/[^/]+$/, 'ComparedContractAnswer'],
  ['PUT', /^\/capabilities\/[^/]+$/, 'WrittenContractAnswer'],
  ['POST', /^\/capabilities\/[^/]+:[a-z]+$/, 'ActedContractAnswer'],
];

/** `path`: what stands behind `/admin/v1`, without its query. Throws for a success that no shape is known of. */
export function adminShapeOf(method: string, path: string, status: number): AdminShapeName | 'AdminFailure' {
  if (status >= 400) return 'AdminFailure';
  const found = routes.find(([of, pattern]) => of === method && pattern.test(path));
  if (found === undefined) throw new Error(`${method} ${path}: say in admin-shapes.ts which shape its answers have`);
  return found[2];
}

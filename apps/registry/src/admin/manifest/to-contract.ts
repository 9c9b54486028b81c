import type {
  CategoryDefinition,
  ProviderAuth,
  ProviderDefinition,
  ToolBinding,
  ToolManifest,
} from '@capability-router/contracts';
import { parseCredits } from '@capability-router/kernel';
import type { Intent } from '../../catalogue/domain/plan-tool.js';
import {
  toolDefaults,
  type AuthDocument,
  type CategoryDocument,
  type ProviderDocument,
  type ToolDocument,
} from './documents.js';
import { present } from './present.js';
import { toPriceRule } from './price.js';

const MS_PER_SECOND = 1_000;

/** From documents that were checked; amounts may still throw `RangeError`. */
export function toProviderDefinition(document: ProviderDocument): ProviderDefinition {
  return present({
    providerId: document.provider_id,
    name: document.name,
    description: document.description,
    websiteUrl: document.website_url,
    ownerAccountIds: document.owner_account_ids,
    egress: toEgress(document.egress),
    credential: document.credential,
    verification: toVerification(document.verification),
  });
}

export function toEgress(document: ProviderDocument['egress']): ProviderDefinition['egress'] {
  if (document === undefined) return undefined;
  const { allow_http: allowHttp, allow_hosts: allowHosts, allow_networks: allowNetworks } = document;
  return present({ allowHttp, allowHosts, allowNetworks });
}

function toVerification(document: ProviderDocument['verification']): ProviderDefinition['verification'] {
  if (document === undefined) return undefined;
  const { run_examples: runExamples, daily_budget_credits: daily, domains } = document;
  return present({
    runExamples,
    dailyMicroCredits: daily === undefined ? undefined : parseCredits(String(daily)).toString(),
    domains,
  });
}

function toFreshness(document: ToolDocument['freshness']): ToolManifest['freshness'] {
  if (document === undefined) return undefined;
  return { path: document.path, maxAgeMs: document.max_age_seconds * MS_PER_SECOND };
}

function toTerms(document: ToolDocument['terms']): ToolManifest['terms'] {
  if (document === undefined) return undefined;
  const { license, commercial_use: commercialUse, eligibility } = document;
  return present({ license, commercialUse, eligibility });
}

export const toCategoryDefinition = ({ slug, name, description }: CategoryDocument): CategoryDefinition => ({
  slug,
  name,
  description,
});

export const intentOf = (document: ToolDocument): Intent =>
  (document.status ?? toolDefaults.status) === 'draft' ? 'draft' : 'publish';

export function toToolManifest(document: ToolDocument, providerId: string): ToolManifest {
  const { result, examples = [] } = document;
  return present({
    toolId: document.tool_id,
    providerId,
    name: document.name,
    description: document.description,
    categories: document.categories ?? [],
    capabilities: (document.capabilities ?? []).map(({ id, tags }) => ({ id, tags: tags ?? [] })),
    parametersSchema: document.parameters_schema,
    parameterDescriptionsZh: document.parameter_descriptions_zh,
    oneOfRequired: document.one_of_required ?? [],
    sampleParameters: examples[0]?.parameters ?? {},
    // One without a title says nothing beyond the sample parameters.
    examples: examples.length > 1 || examples[0]?.title !== undefined ? examples : undefined,
    price: toPriceRule(document.price, document.parameters_schema),
    binding: toBinding(document.binding),
    timeoutMs: document.timeout_ms ?? toolDefaults.timeout_ms,
    cache: document.cache === undefined ? undefined : { ttlMs: document.cache.ttl_seconds * MS_PER_SECOND },
    asOfSupport: document.as_of_support ?? toolDefaults.as_of_support,
    region: document.region,
    docsUrl: document.docs_url,
    freshness: toFreshness(document.freshness),
    terms: toTerms(document.terms),
    resultPredicates:
      result === undefined
        ? undefined
        : present({ emptyWhen: result.empty_when, partialWhen: result.partial_when, schema: result.schema }),
  });
}

function toBinding(binding: ToolDocument['binding']): ToolBinding {
  const auth = toAuth(binding.auth ?? { kind: 'none' });
  if (binding.kind === 'mcp') {
    const { server, tool, retry_safe } = binding;
    return present({ kind: 'mcp', server, tool, auth, retrySafe: retry_safe });
  }
  return present({
    kind: 'http',
    method: binding.method,
    url: binding.url,
    placements: binding.placements ?? {},
    headers: binding.headers,
    auth,
    resultPath: binding.result_path,
    retrySafe: binding.retry_safe,
  });
}

function toAuth(auth: AuthDocument): ProviderAuth {
  if (auth.kind !== 'oauth2_client_credentials') return auth;
  return { kind: auth.kind, tokenUrl: auth.token_url, scopes: auth.scopes ?? [] };
}

import type {
  CategoryDefinition,
  ProviderAuth,
  ProviderDefinition,
  ToolBinding,
  ToolManifest,
} from '@capability-router/contracts';
import { creditsFromMicro, formatCredits } from '@capability-router/kernel';
import { present } from './present.js';
import { toPriceDocument } from './price.js';

const MS_PER_SECOND = 1_000;

/** The way back: what `toContract` made of a document, with the defaults that it had. */
export function toToolDocument(tool: ToolManifest): object {
  const examples = tool.examples ?? [{ parameters: tool.sampleParameters }];
  const predicates = tool.resultPredicates;
  return present({
    tool_id: tool.toolId,
    provider_id: tool.providerId,
    name: tool.name,
    description: tool.description,
    categories: tool.categories,
    capabilities: tool.capabilities,
    parameters_schema: tool.parametersSchema,
    parameter_descriptions_zh: tool.parameterDescriptionsZh,
    one_of_required: tool.oneOfRequired.length === 0 ? undefined : tool.oneOfRequired,
    examples,
    price: toPriceDocument(tool.price),
    binding: toBindingDocument(tool.binding),
    result:
      predicates === undefined
        ? undefined
        : present({
            empty_when: predicates.emptyWhen,
            partial_when: predicates.partialWhen,
            schema: predicates.schema,
          }),
    timeout_ms: tool.timeoutMs,
    cache: tool.cache === undefined ? undefined : { ttl_seconds: tool.cache.ttlMs / MS_PER_SECOND },
    as_of_support: tool.asOfSupport,
    region: tool.region,
    docs_url: tool.docsUrl,
    freshness:
      tool.freshness === undefined
        ? undefined
        : { path: tool.freshness.path, max_age_seconds: tool.freshness.maxAgeMs / MS_PER_SECOND },
    terms:
      tool.terms === undefined
        ? undefined
        : present({
            license: tool.terms.license,
            commercial_use: tool.terms.commercialUse,
            eligibility: tool.terms.eligibility,
          }),
  });
}

export function toProviderDocument(provider: ProviderDefinition): Record<string, unknown> {
  const { egress } = provider;
  return present({
    provider_id: provider.providerId,
    name: provider.name,
    description: provider.description,
    website_url: provider.websiteUrl,
    owner_account_ids: provider.ownerAccountIds,
    egress:
      egress === undefined
        ? undefined
        : present({
            allow_http: egress.allowHttp,
            allow_hosts: egress.allowHosts,
            allow_networks: egress.allowNetworks,
          }),
    credential: provider.credential,
    verification: toVerificationDocument(provider.verification),
  });
}

function toVerificationDocument(verification: ProviderDefinition['verification']): object | undefined {
  if (verification === undefined) return undefined;
  const { runExamples, dailyMicroCredits, domains } = verification;
  return present({
    run_examples: runExamples,
    daily_budget_credits:
      dailyMicroCredits === undefined ? undefined : formatCredits(creditsFromMicro(BigInt(dailyMicroCredits))),
    domains,
  });
}

export const toCategoryDocument = ({ slug, name, description }: CategoryDefinition): object => ({
  slug,
  name,
  description,
});

function toBindingDocument(binding: ToolBinding): object {
  if (binding.kind === 'builtin') return binding;
  const { auth, retrySafe: retry_safe } = binding;
  if (binding.kind === 'mcp') {
    const { kind, server, tool } = binding;
    return present({ kind, server, tool, auth: toAuthDocument(auth), retry_safe });
  }
  const { kind, method, url, placements, headers, resultPath: result_path } = binding;
  return present({ kind, method, url, placements, headers, auth: toAuthDocument(auth), result_path, retry_safe });
}

function toAuthDocument(auth: ProviderAuth): object {
  if (auth.kind !== 'oauth2_client_credentials') return auth;
  return { kind: auth.kind, token_url: auth.tokenUrl, scopes: auth.scopes };
}

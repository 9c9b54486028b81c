import type { JsonObject } from '@capability-router/kernel';
import type { PriceRule } from './price-rule.js';
import type { ProviderEgress, ResultPredicates, ToolBinding, ToolExample } from './tool-binding.js';

export interface LocalizedText {
  readonly en: string;
  readonly zh?: string;
}

export interface CategoryDefinition {
  readonly slug: string;
  readonly name: LocalizedText;
  readonly description: LocalizedText;
}

export interface ProviderDefinition {
  readonly providerId: string;
  readonly name: LocalizedText;
  readonly description: LocalizedText;
  readonly websiteUrl?: string;
  /** Accounts whose own calls never count as evidence for this provider's tools. */
  readonly ownerAccountIds?: readonly string[];
  readonly egress?: ProviderEgress;
  /** Whose credentials calls carry: those of the deployment, where absent, or of the account that calls. */
  readonly credential?: 'deployment' | 'account';
  readonly verification?: ProviderVerification;
}

/** How the operator wants a provider's tools to be verified. */
export interface ProviderVerification {
  /** Examples of its tools are run, on the deployment's account. Only those of built-in tools are where absent. */
  readonly runExamples?: boolean;
  /** Decimal string, > 0: what its runs may cost on one day of UTC. The deployment's own budget alone where absent. */
  readonly dailyMicroCredits?: string;
  /** Domains that are the provider's by the operator's word: a host at or below one of them needs no other proof. */
  readonly domains?: readonly string[];
}

/** Where the time of a tool's data stands in its results, and how old the data may be. */
export interface ToolFreshness {
  /** A singular query of RFC 9535 on `result.data`: ISO 8601, or a number of seconds or milliseconds since 1970. */
  readonly path: string;
  /** Milliseconds. */
  readonly maxAgeMs: number;
}

/** The publisher's terms for the use of results. A term that is left out is not known. */
export interface ToolTerms {
  /** `CC-BY-4.0`, say, or the address of a text. */
  readonly license?: string;
  readonly commercialUse?: 'allowed' | 'limited' | 'forbidden';
  /** Who may use it, in words. */
  readonly eligibility?: string;
}

/** A tool as its provider describes it, before the registry gives it a revision. */
export interface ToolManifest {
  /** `provider.resource.action.vN` */
  readonly toolId: string;
  readonly providerId: string;
  readonly name: LocalizedText;
  readonly description: LocalizedText;
  readonly categories: readonly string[];
  /** Capability ids (`weather.forecast`) that this tool can serve, with free tags. */
  readonly capabilities: readonly { readonly id: string; readonly tags: readonly string[] }[];
  /** JSON Schema 2020-12 of an object with `additionalProperties: false`; texts in English. */
  readonly parametersSchema: JsonObject;
  /** Chinese descriptions of parameters, by name. */
  readonly parameterDescriptionsZh?: Readonly<Record<string, string>>;
  /** Each group needs at least one of its names. */
  readonly oneOfRequired: readonly (readonly string[])[];
  readonly sampleParameters: JsonObject;
  /** Calls with their titles; the first has the sample parameters. */
  readonly examples?: readonly ToolExample[];
  readonly price: PriceRule;
  readonly binding: ToolBinding;
  /** Milliseconds. At most 100,000. */
  readonly timeoutMs: number;
  /** A valid result may answer the same call again for so many milliseconds. Absent: every call asks the provider. */
  readonly cache?: { readonly ttlMs: number };
  /** May the caller ask for the state as of a date? */
  readonly asOfSupport: boolean;
  /** `global` where absent; `US|CA` allows these, a leading `-` denies: `-CN`. */
  readonly region?: string;
  readonly docsUrl?: string;
  readonly resultPredicates?: ResultPredicates;
  readonly freshness?: ToolFreshness;
  readonly terms?: ToolTerms;
}

/** A published tool: what Discover and Inspect show and what execution validates, prices and runs. */
export interface ToolContract extends ToolManifest {
  /** Counts from 1; grows with every change of the contract. */
  readonly version: number;
  /** SHA-256 of the canonical manifest, 64 lowercase hex digits. */
  readonly schemaHash: string;
  readonly provider: ProviderDefinition;
  readonly categoryDefinitions: readonly CategoryDefinition[];
}

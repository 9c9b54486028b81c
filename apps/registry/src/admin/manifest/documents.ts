import type { HttpMethod, HttpPlacement, LocalizedText } from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';

/** Documents that fit `manifestSchema`. */
export type AuthDocument =
  | { readonly kind: 'none' | 'bearer' | 'basic' }
  | { readonly kind: 'api_key'; readonly in: 'header' | 'query'; readonly name: string; readonly prefix?: string }
  | { readonly kind: 'oauth2_client_credentials'; readonly token_url: string; readonly scopes?: readonly string[] };

export interface HttpBindingDocument {
  readonly kind: 'http';
  readonly method: HttpMethod;
  readonly url: string;
  readonly placements?: Readonly<Record<string, HttpPlacement>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly auth?: AuthDocument;
  readonly result_path?: string;
  readonly retry_safe?: boolean;
}

export interface McpBindingDocument {
  readonly kind: 'mcp';
  readonly server:
    | { readonly transport: 'streamable_http'; readonly url: string }
    | { readonly transport: 'stdio'; readonly command: string };
  readonly tool: string;
  readonly auth?: AuthDocument;
  readonly retry_safe?: boolean;
}

export type MeteringDocument =
  | { readonly kind: 'call' }
  | {
      readonly kind: 'result_rows';
      readonly path?: string;
      readonly limit_parameter?: string;
      readonly default_limit?: number;
      readonly max_units?: number;
    }
  | { readonly kind: 'result_kilobytes'; readonly max_units?: number }
  | {
      readonly kind: 'result_units';
      readonly path: string;
      readonly unit: string;
      readonly limit_parameter?: string;
      readonly default_limit?: number;
      readonly max_units?: number;
    }
  | { readonly kind: 'parameter_kilobytes'; readonly parameter: string; readonly max_units?: number }
  | {
      readonly kind: 'parameter_units';
      readonly parameter: string;
      readonly unit: string;
      readonly max_units?: number;
    };

export interface PriceDocument {
  readonly amount_credits: string | number;
  readonly per_units?: number;
  readonly minimum_credits?: string | number;
  readonly free_units?: number;
  readonly tiers?: readonly { readonly above_units: number; readonly amount_credits: string | number }[];
  readonly cache_hit_amount_credits?: string | number;
  readonly metering?: MeteringDocument;
}

export interface ToolDocument {
  readonly kind?: 'tool';
  readonly tool_id: string;
  readonly provider_id?: string;
  readonly status?: 'published' | 'draft';
  readonly name: LocalizedText;
  readonly description: LocalizedText;
  readonly categories?: readonly string[];
  readonly capabilities?: readonly { readonly id: string; readonly tags?: readonly string[] }[];
  readonly parameters_schema: JsonObject;
  readonly parameter_descriptions_zh?: Readonly<Record<string, string>>;
  readonly one_of_required?: readonly (readonly string[])[];
  readonly examples?: readonly { readonly title?: string; readonly parameters: JsonObject }[];
  readonly price: PriceDocument;
  readonly binding: HttpBindingDocument | McpBindingDocument;
  readonly result?: { readonly empty_when?: string; readonly partial_when?: string; readonly schema?: JsonObject };
  readonly timeout_ms?: number;
  readonly cache?: { readonly ttl_seconds: number };
  readonly as_of_support?: boolean;
  readonly region?: string;
  readonly freshness?: { readonly path: string; readonly max_age_seconds: number };
  readonly terms?: {
    readonly license?: string;
    readonly commercial_use?: 'allowed' | 'limited' | 'forbidden';
    readonly eligibility?: string;
  };
  readonly docs_url?: string;
}

/** Members of a tool that a manifest may leave out. */
export const toolDefaults = { status: 'published', timeout_ms: 30_000, as_of_support: false } as const;

export interface CategoryDocument {
  readonly kind?: 'category';
  readonly slug: string;
  readonly name: LocalizedText;
  readonly description: LocalizedText;
}

export interface ProviderDocument {
  readonly kind?: 'provider';
  readonly provider_id: string;
  readonly name: LocalizedText;
  readonly description: LocalizedText;
  readonly website_url?: string;
  readonly owner_account_ids?: readonly string[];
  readonly egress?: {
    readonly allow_http?: boolean;
    readonly allow_hosts?: readonly string[];
    readonly allow_networks?: readonly string[];
  };
  readonly credential?: 'deployment' | 'account';
  readonly verification?: {
    readonly run_examples?: boolean;
    readonly daily_budget_credits?: string | number;
    readonly domains?: readonly string[];
  };
  readonly categories?: readonly CategoryDocument[];
  readonly tools?: readonly ToolDocument[];
}

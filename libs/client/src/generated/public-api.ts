/**
 * The public interface as types, made by `npm run docs` from apps/gateway/openapi/public.json with openapi-typescript 7.13.0.
 * This file is long because it has every path, parameter and answer. Digests by which a change is found:
 * from b750482e4427b54c5785aa0db8893889, types 0817c71b25cf1714b4365136d341b29a.
 */
export type paths = {
  readonly '/search': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Finds tools for a need, ranked, with prices and evidence.
     * @description A key or token needs the scope `call`.
     */
    readonly post: operations['searchTools'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/tools/by-ids': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Tells everything about tools that a search named.
     * @description A key or token needs the scope `call`.
     */
    readonly post: operations['inspectTools'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/tools/probe': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Tells before a call whether it would be accepted and what it would cost.
     * @description A key or token needs the scope `call`.
     */
    readonly post: operations['probeTool'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/tools/execute': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Calls a tool. Credits are paid only for a result worth charging for.
     * @description A key or token needs the scope `call`.
     */
    readonly post: operations['executeTool'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/capabilities/query': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Serves a capability by the best of its providers, within a budget.
     * @description A key or token needs the scope `call`.
     */
    readonly post: operations['queryCapability'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/capabilities': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * The capabilities that can be asked for.
     * @description A key or token needs the scope `call`.
     */
    readonly get: operations['listCapabilities'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/capabilities/{capability_id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * One capability: its parameters, its providers, and what they cost.
     * @description A key or token needs the scope `call`.
     */
    readonly get: operations['getCapability'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/tools/executions/by-idempotency-key': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Tells what became of the call that was sent with an idempotency key.
     * @description A key or token needs the scope `call`.
     */
    readonly get: operations['getExecutionByIdempotencyKey'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/tools/executions/{execution_id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Tells what became of a call.
     * @description A key or token needs the scope `call`.
     */
    readonly get: operations['getExecution'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/results/{token}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** The whole of a result that was answered shortened, in parts where `Range` asks for them. */
    readonly get: operations['getResult'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    /** Tells how large such a result is. */
    readonly head: operations['headResult'];
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/auth/credits': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * The balance of the account.
     * @description A key or token needs the scope `read`.
     */
    readonly get: operations['getCredits'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/credits': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * The same as `GET /auth/credits`.
     * @description A key or token needs the scope `read`.
     */
    readonly get: operations['getCreditsShort'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/auth/usage/history/v2': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * The usage audit by pages, or its summary.
     * @description A key or token needs the scope `read`.
     */
    readonly get: operations['listUsage'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/auth/usage/history/v2/summary': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * The usage audit as a feed by cursor.
     * @description A key or token needs the scope `read`.
     */
    readonly get: operations['feedUsage'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/auth/usage/history/v2/export': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * The usage audit as a file.
     * @description A key or token needs the scope `read`.
     */
    readonly get: operations['exportUsage'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/auth/usage/history/v2/{event_id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * One event of the usage audit.
     * @description A key or token needs the scope `read`.
     */
    readonly get: operations['getUsageEvent'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/auth/usage/credits-spent': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Credits that were spent in a time.
     * @description A key or token needs the scope `read`.
     */
    readonly get: operations['getCreditsSpent'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/auth/credits/ledger': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * The entries of the ledger by pages, or their summary.
     * @description A key or token needs the scope `read`.
     */
    readonly get: operations['listLedger'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/auth/credits/ledger/export': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * The ledger as a file.
     * @description A key or token needs the scope `read`.
     */
    readonly get: operations['exportLedger'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/auth/credits/ledger/{entry_id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * One entry of the ledger.
     * @description A key or token needs the scope `read`.
     */
    readonly get: operations['getLedgerEntry'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/auth/credits/ledger-readiness': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Whether audit and ledger of a time agree and are complete.
     * @description A key or token needs the scope `read`.
     */
    readonly get: operations['getLedgerReadiness'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/auth/account/settlement-history': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Calls with their audit and their entries side by side, as a feed by cursor.
     * @description A key or token needs the scope `read`.
     */
    readonly get: operations['listSettlements'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/auth/provider-credentials': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * The providers for which the account has set credentials of its own.
     * @description A key or token needs the scope `manage`.
     */
    readonly get: operations['listProviderCredentials'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/auth/provider-credentials/{provider_id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * The fields that a provider takes and which of them are set, without their values.
     * @description A key or token needs the scope `manage`.
     */
    readonly get: operations['getProviderCredentials'];
    /**
     * Sets all fields of the credentials for a provider.
     * @description A key or token needs the scope `manage`.
     */
    readonly put: operations['setProviderCredentials'];
    readonly post?: never;
    /**
     * Forgets the credentials for a provider.
     * @description A key or token needs the scope `manage`.
     */
    readonly delete: operations['deleteProviderCredentials'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/auth/api-keys': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * The keys of the account, newest first.
     * @description A key or token needs the scope `manage`.
     */
    readonly get: operations['listApiKeys'];
    readonly put?: never;
    /**
     * Issues a key, which is answered this once.
     * @description A key or token needs the scope `manage`.
     */
    readonly post: operations['createApiKey'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/auth/api-keys/{api_key_id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    readonly post?: never;
    /**
     * Revokes a key on every gateway.
     * @description A key or token needs the scope `manage`.
     */
    readonly delete: operations['revokeApiKey'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/auth/api-keys/{api_key_id}:rotate': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Issues a key in the place of one, which goes on for a while.
     * @description A key or token needs the scope `manage`.
     */
    readonly post: operations['rotateApiKey'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/auth/oauth-consents': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * The programs that the account gave access, newest first.
     * @description A key or token needs the scope `manage`.
     */
    readonly get: operations['listOAuthConsents'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/auth/oauth-consents/{consent_id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    readonly post?: never;
    /**
     * Takes the access of a program away on every gateway.
     * @description A key or token needs the scope `manage`.
     */
    readonly delete: operations['endOAuthConsent'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/auth/projects': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * The projects of the account.
     * @description A key or token needs the scope `manage`.
     */
    readonly get: operations['listProjects'];
    readonly put?: never;
    /**
     * Makes a project.
     * @description A key or token needs the scope `manage`.
     */
    readonly post: operations['createProject'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/auth/projects/{project_id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * One project.
     * @description A key or token needs the scope `manage`.
     */
    readonly get: operations['getProject'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    /**
     * Changes the name, the state or the budget of a project.
     * @description A key or token needs the scope `manage`.
     */
    readonly patch: operations['changeProject'];
    readonly trace?: never;
  };
  readonly '/auth/projects/{project_id}/api-keys/{api_key_id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    /**
     * Lets a key spend for a project.
     * @description A key or token needs the scope `manage`.
     */
    readonly put: operations['addApiKeyToProject'];
    readonly post?: never;
    /**
     * Lets a key spend for no project.
     * @description A key or token needs the scope `manage`.
     */
    readonly delete: operations['removeApiKeyFromProject'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/auth/security-log': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Who did what to the account, newest first.
     * @description A key or token needs the scope `manage`.
     */
    readonly get: operations['listSecurityLog'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/providers': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** The providers of the catalogue. */
    readonly get: operations['listProviders'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/providers/categories': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** The categories of the catalogue. */
    readonly get: operations['listCategories'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/agent/anonymous-register': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Gives an agent an account on trial and its first key. */
    readonly post: operations['registerAgent'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/agent/claim': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Mails a code to whoever claims an account on trial. */
    readonly post: operations['startClaim'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/agent/claim-verify': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Ends the claim with the code that was mailed. */
    readonly post: operations['verifyClaim'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/auth/verify-token': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Tells whether a key or token is valid. */
    readonly post: operations['verifyToken'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/oauth/device/authorize': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Asks for access that a person consents to on another device (RFC 8628). */
    readonly post: operations['authorizeDevice'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/oauth/token': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Answers a token for a device code, a refresh token, a client, or another token (RFC 6749, 8693). */
    readonly post: operations['getToken'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/oauth/introspect': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Tells a client about one of its tokens (RFC 7662). */
    readonly post: operations['introspectToken'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/oauth/revoke': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Revokes a token of a client (RFC 7009). */
    readonly post: operations['revokeToken'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/oauth/jwks.json': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** The keys by which access tokens are verified. */
    readonly get: operations['getKeySet'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/meta': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Tells the version of the interface. */
    readonly get: operations['getMeta'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/openapi.json': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Answers this document. */
    readonly get: operations['getOpenApi'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
};
export type webhooks = Record<string, never>;
export type components = {
  schemas: {
    readonly ApiKeyPage: {
      readonly items: readonly {
        readonly api_key_id: string;
        readonly name: string;
        readonly masked_value: string;
        readonly scopes: readonly ('call' | 'read' | 'manage' | 'admin')[];
        readonly created_at: string;
        readonly expires_at?: string;
        readonly project_id?: string;
        readonly budget?: {
          readonly [key: string]: unknown;
        };
        readonly session_budget?: {
          readonly [key: string]: unknown;
        };
        readonly revoked_at?: string;
        readonly last_used_at?: string;
      }[];
      readonly next_before?: string;
    };
    readonly ApiKeysAnswer: {
      /** @enum {string} */
      readonly status: 'success';
      readonly message: string;
      /** @enum {integer} */
      readonly status_code: 0;
      readonly data: components['schemas']['ApiKeyPage'];
    };
    readonly BillingRule: {
      readonly unit: string;
      readonly amount_credits: number;
      readonly description: string;
      readonly billing_unit: string;
      readonly price: {
        readonly amount_credits: number;
        readonly unit: string;
        readonly unit_label: string;
      };
      readonly minimum_charge_credits?: number;
      readonly metering_mode?: string;
      readonly per_units?: number;
      readonly free_units?: number;
      readonly tiers?: readonly {
        readonly above_units: number;
        readonly amount_credits: number;
      }[];
      readonly max_units?: number;
      readonly cache_hit_amount_credits?: number;
    };
    readonly CapabilitiesAnswer: {
      readonly total: number;
      readonly items: readonly {
        readonly capability_id: string;
        readonly name: string;
        readonly description: string;
        readonly candidate_count: number;
        readonly contract_version?: number;
        readonly schema_hash?: string;
      }[];
    };
    readonly CapabilityAnswer: {
      readonly execution_id: string;
      readonly capability_id: string;
      readonly success: boolean;
      readonly result: {
        readonly status_code: number;
        readonly data?: unknown;
      };
      readonly cost: number | null;
      readonly credits_used: number;
      readonly routing: {
        readonly chosen: string | null;
        readonly attempts: readonly {
          readonly tool_id: string;
          readonly tool_version: number;
          /** @enum {string} */
          readonly status: 'served' | 'failed' | 'skipped' | 'abandoned';
          readonly reason: string;
          readonly outcome?: string;
          readonly elapsed_time_ms?: number;
          readonly message?: string;
          /** @enum {boolean} */
          readonly hedge?: true;
        }[];
        readonly candidates?: readonly {
          readonly tool_id: string;
          readonly provider_id: string;
          readonly upper_price_credits: number;
          readonly score: number;
          readonly factors: {
            readonly [key: string]: unknown;
          };
          readonly calls: number;
          readonly exploration: boolean;
          readonly explanation: string;
        }[];
        readonly excluded?: readonly {
          readonly tool_id: string;
          readonly reason: string;
          readonly explanation: string;
        }[];
        readonly not_asked?: readonly string[];
        readonly resolution?: {
          readonly capability_id: string;
          readonly certainty: number;
          readonly nearest: readonly {
            readonly capability_id: string;
            readonly certainty: number;
          }[];
        };
      };
      readonly elapsed_time_ms?: number;
      readonly execution_outcome?: components['schemas']['ExecutionOutcome'];
      readonly remaining_credits?: number;
      readonly contract_version?: number;
      readonly schema_hash?: string;
      readonly error_message?: string | null;
      readonly execution_time?: number;
      readonly parameters?: {
        readonly [key: string]: unknown;
      };
      readonly billing?: {
        readonly summary: string;
        readonly list_amount_credits: number;
        readonly final_amount_credits?: number;
        readonly charge_lines?: readonly {
          readonly component_key: string;
          readonly description: string;
          readonly quantity: number;
          readonly unit_label: string;
          readonly amount_credits: number;
        }[];
      };
    };
    readonly CapabilityDetailAnswer: {
      readonly capability_id: string;
      readonly name: string;
      readonly description: string;
      readonly params: readonly {
        readonly name: string;
        readonly type: string;
        readonly required: boolean;
        readonly description?: string;
        readonly enum?: readonly ((string | number | boolean) | null)[];
        readonly items?: {
          readonly [key: string]: unknown;
        };
        readonly properties?: readonly {
          readonly [key: string]: unknown;
        }[];
        readonly default?: unknown;
        readonly examples?: readonly unknown[];
        readonly format?: string;
        readonly pattern?: string;
        readonly minimum?: number;
        readonly maximum?: number;
        readonly minLength?: number;
        readonly maxLength?: number;
        readonly minItems?: number;
        readonly maxItems?: number;
        readonly uniqueItems?: boolean;
        readonly additionalProperties?: unknown;
        readonly propertyNames?: {
          readonly [key: string]: unknown;
        };
        readonly minProperties?: number;
        readonly maxProperties?: number;
      }[];
      readonly field_spec: {
        readonly [key: string]: unknown;
      };
      readonly examples: {
        readonly sample_parameters?: {
          readonly [key: string]: unknown;
        };
      };
      /** @enum {string} */
      readonly effect?: 'read_only' | 'idempotent' | 'unsafe';
      readonly tags?: readonly {
        readonly id: string;
        readonly name?: string;
        readonly type?: string;
        readonly description?: string;
      }[];
      readonly contract_version?: number;
      readonly schema_hash?: string;
      readonly remaining_credits?: number;
      /** @enum {string} */
      readonly verification_status?: 'unverified' | 'verifying' | 'verified' | 'stale' | 'failed' | 'restricted';
      readonly verification?: components['schemas']['Verification'];
      readonly execution_restrictions?: {
        readonly callable: boolean;
        readonly eligibility: string;
        readonly license: string;
        readonly commercial_use: string;
        readonly regions: {
          readonly allow: readonly string[];
          readonly deny: readonly string[];
        };
        readonly warnings: readonly string[];
        readonly data_as_of?: string;
      };
    };
    readonly CapabilityRefusal: {
      readonly code: string;
      readonly retryable: boolean;
      readonly next_step: string;
      readonly execution_id: string;
      readonly message: string;
      /** @enum {boolean} */
      readonly success?: false;
      readonly error_message?: string;
      readonly execution_time?: number;
      readonly retry_after_seconds?: number;
      readonly details_omitted?: number;
      readonly trace_id?: string;
      readonly elapsed_time_ms?: number;
      readonly remaining_credits?: number;
      readonly result?: {
        readonly [key: string]: unknown;
      };
      readonly cost?: number | null;
      readonly execution_outcome?: components['schemas']['ExecutionOutcome'];
      /** @enum {string} */
      readonly status?: 'failure';
      readonly status_code?: number;
      readonly details?: readonly {
        readonly [key: string]: unknown;
      }[];
      readonly capability_id?: string;
      readonly contract_version?: number;
      readonly schema_hash?: string;
      readonly parameters?: {
        readonly [key: string]: unknown;
      };
      readonly routing?: {
        readonly chosen: string | null;
        readonly attempts: readonly {
          readonly tool_id: string;
          readonly tool_version: number;
          /** @enum {string} */
          readonly status: 'served' | 'failed' | 'skipped' | 'abandoned';
          readonly reason: string;
          readonly outcome?: string;
          readonly elapsed_time_ms?: number;
          readonly message?: string;
          /** @enum {boolean} */
          readonly hedge?: true;
        }[];
        readonly candidates?: readonly {
          readonly tool_id: string;
          readonly provider_id: string;
          readonly upper_price_credits: number;
          readonly score: number;
          readonly factors: {
            readonly [key: string]: unknown;
          };
          readonly calls: number;
          readonly exploration: boolean;
          readonly explanation: string;
        }[];
        readonly excluded?: readonly {
          readonly tool_id: string;
          readonly reason: string;
          readonly explanation: string;
        }[];
        readonly not_asked?: readonly string[];
        readonly resolution?: {
          readonly capability_id: string;
          readonly certainty: number;
          readonly nearest: readonly {
            readonly capability_id: string;
            readonly certainty: number;
          }[];
        };
      };
      readonly nearest?: readonly {
        readonly capability_id: string;
        readonly certainty: number;
      }[];
      readonly credits_used?: number;
    };
    readonly CategoriesAnswer: {
      readonly items: readonly {
        readonly slug: string;
        readonly name: string;
        readonly description: string;
        readonly tool_count: number;
        readonly provider_count: number;
      }[];
    };
    readonly ClaimAnswer: {
      /** @enum {string} */
      readonly status: 'success';
      readonly message: string;
      /** @enum {integer} */
      readonly status_code: 0;
      readonly data: components['schemas']['ClaimStart'] | components['schemas']['ClaimRiskBlock'];
    };
    readonly ClaimRiskBlock: {
      /** @enum {string} */
      readonly status: 'blocked';
      /** @enum {string} */
      readonly risk_code: 'disposable_email' | 'too_many_codes' | 'too_many_claims' | 'mail_unavailable';
      readonly message: string;
      readonly retry_after_seconds?: number;
    };
    readonly ClaimStart: {
      /** @enum {string} */
      readonly status: 'code_sent';
      readonly claim_id: string;
      readonly email_masked: string;
      readonly expires_at: string;
      readonly resend_after_seconds: number;
    };
    readonly ClaimVerifyAnswer: {
      /** @enum {string} */
      readonly status: 'success';
      readonly message: string;
      /** @enum {integer} */
      readonly status_code: 0;
      readonly data: components['schemas']['Claimed'];
    };
    readonly Claimed: {
      /** @enum {string} */
      readonly status: 'claimed';
      readonly account_id: string;
      readonly email: string;
      /** @enum {boolean} */
      readonly api_key_still_valid: true;
      readonly remaining_credits?: number;
      /** @enum {boolean} */
      readonly credits_ready?: false;
      /** @enum {boolean} */
      readonly pending?: true;
    };
    readonly ConsentPage: {
      readonly items: readonly {
        readonly consent_id: string;
        readonly client_id: string;
        readonly client_name: string;
        readonly scopes: readonly ('call' | 'read' | 'manage')[];
        readonly resource: string;
        readonly granted_at: string;
        readonly expires_at: string;
        readonly api_key_id?: string;
        readonly last_used_at?: string;
      }[];
      readonly next_before?: string;
    };
    readonly ConsentsAnswer: {
      /** @enum {string} */
      readonly status: 'success';
      readonly message: string;
      /** @enum {integer} */
      readonly status_code: 0;
      readonly data: components['schemas']['ConsentPage'];
    };
    readonly Credits: {
      readonly remaining_credits: number;
      readonly held_credits: number;
      readonly daily_free: {
        readonly remaining: number;
        readonly total: number;
      };
      readonly invite_reward: {
        readonly remaining: number;
        readonly total: number;
      };
      readonly welcome_bonus: {
        readonly remaining: number;
        readonly initial: number;
      };
      readonly purchased: {
        readonly remaining: number;
        readonly total: number;
      };
      readonly trial: {
        readonly remaining: number;
        readonly total: number;
      };
      readonly next_expiry?: unknown;
    };
    readonly CreditsAnswer: {
      /** @enum {string} */
      readonly status: 'success';
      readonly message: string;
      /** @enum {integer} */
      readonly status_code: 0;
      readonly data: components['schemas']['Credits'];
    };
    readonly CreditsSpent: {
      readonly total_credits: number;
      readonly start_date?: string;
      readonly end_date?: string;
    };
    readonly CreditsSpentAnswer: {
      /** @enum {string} */
      readonly status: 'success';
      readonly message: string;
      /** @enum {integer} */
      readonly status_code: 0;
      readonly data: components['schemas']['CreditsSpent'];
    };
    readonly DeviceAuthorizationAnswer: {
      readonly device_code: string;
      readonly user_code: string;
      readonly verification_uri: string;
      readonly verification_uri_complete: string;
      readonly expires_in: number;
      readonly interval: number;
    };
    readonly DeviceAuthorizationRefusal: {
      /** @enum {string} */
      readonly error: 'invalid_request' | 'invalid_client' | 'unauthorized_client' | 'invalid_scope' | 'invalid_target';
      readonly error_description: string;
      readonly trace_id?: string;
    };
    readonly DiscoveredTool: {
      readonly tool_id: string;
      readonly name: string;
      readonly description: string;
      readonly provider_name: string;
      readonly provider_id: string;
      readonly params: readonly {
        readonly name: string;
        readonly type: string;
        readonly required: boolean;
        readonly description?: string;
        readonly enum?: readonly ((string | number | boolean) | null)[];
        readonly items?: {
          readonly [key: string]: unknown;
        };
        readonly properties?: readonly {
          readonly [key: string]: unknown;
        }[];
        readonly default?: unknown;
        readonly examples?: readonly unknown[];
        readonly format?: string;
        readonly pattern?: string;
        readonly minimum?: number;
        readonly maximum?: number;
        readonly minLength?: number;
        readonly maxLength?: number;
        readonly minItems?: number;
        readonly maxItems?: number;
        readonly uniqueItems?: boolean;
        readonly additionalProperties?: unknown;
        readonly propertyNames?: {
          readonly [key: string]: unknown;
        };
        readonly minProperties?: number;
        readonly maxProperties?: number;
      }[];
      readonly one_of_required: readonly (readonly string[])[];
      readonly examples: {
        readonly sample_parameters?: {
          readonly [key: string]: unknown;
        };
      };
      readonly billing_rule: components['schemas']['BillingRule'];
      readonly stats: components['schemas']['Stats'];
      /** @enum {string} */
      readonly verification_status: 'unverified' | 'verifying' | 'verified' | 'stale' | 'failed' | 'restricted';
      readonly verification: components['schemas']['Verification'];
      readonly execution_restrictions: {
        readonly callable: boolean;
        readonly eligibility: string;
        readonly license: string;
        readonly commercial_use: string;
        readonly regions: {
          readonly allow: readonly string[];
          readonly deny: readonly string[];
        };
        readonly warnings: readonly string[];
        readonly data_as_of?: string;
      };
      readonly expected_cost?: string;
      readonly provider_description?: string;
      readonly category?: string;
      readonly categories?: readonly {
        readonly slug: string;
        readonly name: string;
        readonly description: string;
      }[];
      readonly capabilities?: readonly {
        readonly id: string;
        readonly tag: readonly {
          readonly id: string;
          readonly name: string;
        }[];
      }[];
      readonly region?: string;
      readonly score?: number;
      readonly final_score?: number;
      readonly docs_url?: string;
      readonly why_recommended?: string;
    };
    readonly EndedConsent: {
      readonly consent_id: string;
      readonly account_id: string;
      readonly client_id: string;
      readonly revoked_at: string;
      /** @enum {boolean} */
      readonly pending?: true;
    };
    readonly EndedConsentAnswer: {
      /** @enum {string} */
      readonly status: 'success';
      readonly message: string;
      /** @enum {integer} */
      readonly status_code: 0;
      readonly data: components['schemas']['EndedConsent'];
    };
    readonly ExchangedToken: {
      readonly access_token: string;
      /** @enum {string} */
      readonly token_type: 'Bearer';
      readonly expires_in: number;
      readonly scope: string;
      /** @enum {string} */
      readonly issued_token_type: 'urn:ietf:params:oauth:token-type:access_token';
      readonly constraints: {
        readonly model?: string;
        readonly run_id?: string;
        readonly max_credits?: number;
        readonly tool_ids?: readonly string[];
        readonly provider_ids?: readonly string[];
      };
    };
    readonly ExecuteAnswer: {
      readonly execution_id: string;
      readonly success: boolean;
      readonly result: {
        readonly [key: string]: unknown;
      };
      readonly execution_time: number;
      readonly elapsed_time_ms?: number;
      readonly execution_outcome?: components['schemas']['ExecutionOutcome'];
      readonly cost?: number | null;
      readonly remaining_credits?: number;
      readonly error_message?: string | null;
      readonly billing?: {
        readonly summary: string;
        readonly list_amount_credits: number;
        readonly final_amount_credits?: number;
        readonly charge_lines?: readonly {
          readonly component_key: string;
          readonly description: string;
          readonly quantity: number;
          readonly unit_label: string;
          readonly amount_credits: number;
        }[];
      };
    };
    readonly ExecuteRefusal: {
      readonly code: string;
      readonly retryable: boolean;
      readonly next_step: string;
      readonly execution_id: string;
      /** @enum {boolean} */
      readonly success: false;
      readonly message: string;
      readonly error_message: string;
      readonly execution_time: number;
      readonly retry_after_seconds?: number;
      readonly details_omitted?: number;
      readonly trace_id?: string;
      readonly elapsed_time_ms?: number;
      readonly remaining_credits?: number;
      readonly result?: {
        readonly [key: string]: unknown;
      };
      readonly cost?: number | null;
      readonly execution_outcome?: components['schemas']['ExecutionOutcome'];
      /** @enum {string} */
      readonly status?: 'failure';
      readonly status_code?: number;
      readonly details?: readonly {
        readonly [key: string]: unknown;
      }[];
    };
    readonly ExecutionLookUp: {
      /** @enum {string} */
      readonly status: 'pending' | 'completed' | 'unavailable';
      readonly execution_id: string;
      /** @enum {string} */
      readonly execution_state: 'pending' | 'completed' | 'refused' | 'interrupted';
      readonly provider_request_dispatched: boolean;
      /** @enum {string} */
      readonly settlement_state: 'pending' | 'settled' | 'uncollected' | 'not_applicable';
      /** @enum {string} */
      readonly retry_disposition: 'terminal' | 'reconcile_first';
      readonly amount_credits?: number;
      readonly ledger_entry_id?: string;
      readonly response?: {
        readonly [key: string]: unknown;
      };
      readonly response_http_status?: number;
      /** @enum {string} */
      readonly result_unavailable_reason?: 'interrupted' | 'not_kept';
    };
    readonly ExecutionLookUpAnswer: {
      /** @enum {string} */
      readonly status: 'success';
      readonly message: string;
      /** @enum {integer} */
      readonly status_code: 0;
      readonly data: components['schemas']['ExecutionLookUp'];
    };
    readonly ExecutionOutcome: {
      readonly outcome: string;
      readonly reason_code: string;
      readonly provider_success: boolean;
      readonly billable_success: boolean;
      readonly result_valid: boolean;
      readonly user_message: string;
      readonly transport_success?: boolean;
      readonly retryable?: boolean;
      readonly provider_status_code?: number;
      readonly valid_result_count?: number;
      readonly raw_result_count?: number;
    };
    readonly Failure: {
      readonly code: string;
      readonly retryable: boolean;
      readonly next_step: string;
      readonly message: string;
      /** @enum {string} */
      readonly status?: 'failure';
      readonly status_code?: number;
      readonly retry_after_seconds?: number;
      readonly details_omitted?: number;
      readonly trace_id?: string;
      readonly detail?: readonly components['schemas']['ValidationDetail'][];
      readonly data?: {
        readonly [key: string]: unknown;
      } | null;
      readonly error?: string;
      readonly error_message?: string | null;
      readonly execution_id?: string;
      readonly remaining_credits?: number;
      readonly scope?: string;
      readonly constraint?: string;
    };
    readonly GrantedToken: {
      readonly access_token: string;
      /** @enum {string} */
      readonly token_type: 'Bearer';
      readonly expires_in: number;
      readonly scope: string;
      readonly refresh_token?: string;
    };
    readonly InspectAnswer: {
      readonly total: number;
      readonly results: readonly (
        | components['schemas']['InspectedTool']
        | {
            readonly tool_id: string;
            readonly name: string;
            readonly description: string;
            readonly provider_name: string;
            readonly params: readonly {
              readonly name: string;
              readonly type: string;
              readonly required: boolean;
              readonly description?: string;
              readonly enum?: readonly ((string | number | boolean) | null)[];
              readonly items?: {
                readonly [key: string]: unknown;
              };
              readonly properties?: readonly {
                readonly [key: string]: unknown;
              }[];
              readonly default?: unknown;
              readonly examples?: readonly unknown[];
              readonly format?: string;
              readonly pattern?: string;
              readonly minimum?: number;
              readonly maximum?: number;
              readonly minLength?: number;
              readonly maxLength?: number;
              readonly minItems?: number;
              readonly maxItems?: number;
              readonly uniqueItems?: boolean;
              readonly additionalProperties?: unknown;
              readonly propertyNames?: {
                readonly [key: string]: unknown;
              };
              readonly minProperties?: number;
              readonly maxProperties?: number;
            }[];
            readonly one_of_required: readonly (readonly string[])[];
            readonly expected_cost: string;
          }
      )[];
      readonly search_id?: string;
      readonly elapsed_time_ms?: number;
      readonly remaining_credits?: number;
      readonly error_message?: string | null;
    };
    readonly InspectedTool: {
      readonly tool_id: string;
      readonly name: string;
      readonly description: string;
      readonly provider_name: string;
      readonly provider_id: string;
      readonly params: readonly {
        readonly name: string;
        readonly type: string;
        readonly required: boolean;
        readonly description?: string;
        readonly enum?: readonly ((string | number | boolean) | null)[];
        readonly items?: {
          readonly [key: string]: unknown;
        };
        readonly properties?: readonly {
          readonly [key: string]: unknown;
        }[];
        readonly default?: unknown;
        readonly examples?: readonly unknown[];
        readonly format?: string;
        readonly pattern?: string;
        readonly minimum?: number;
        readonly maximum?: number;
        readonly minLength?: number;
        readonly maxLength?: number;
        readonly minItems?: number;
        readonly maxItems?: number;
        readonly uniqueItems?: boolean;
        readonly additionalProperties?: unknown;
        readonly propertyNames?: {
          readonly [key: string]: unknown;
        };
        readonly minProperties?: number;
        readonly maxProperties?: number;
      }[];
      readonly one_of_required: readonly (readonly string[])[];
      readonly examples: {
        readonly sample_parameters?: {
          readonly [key: string]: unknown;
        };
      };
      readonly billing_rule: components['schemas']['BillingRule'];
      readonly stats: components['schemas']['Stats'];
      /** @enum {string} */
      readonly verification_status: 'unverified' | 'verifying' | 'verified' | 'stale' | 'failed' | 'restricted';
      readonly verification: components['schemas']['Verification'];
      readonly execution_restrictions: {
        readonly callable: boolean;
        readonly eligibility: string;
        readonly license: string;
        readonly commercial_use: string;
        readonly regions: {
          readonly allow: readonly string[];
          readonly deny: readonly string[];
        };
        readonly warnings: readonly string[];
        readonly data_as_of?: string;
      };
      readonly expected_cost?: string;
      readonly provider_description?: string;
      readonly category?: string;
      readonly categories?: readonly {
        readonly slug: string;
        readonly name: string;
        readonly description: string;
      }[];
      readonly capabilities?: readonly {
        readonly id: string;
        readonly tag: readonly {
          readonly id: string;
          readonly name: string;
        }[];
      }[];
      readonly region?: string;
      readonly score?: number;
      readonly final_score?: number;
      readonly docs_url?: string;
    };
    readonly IntrospectionAnswer:
      | {
          /** @enum {boolean} */
          readonly active: false;
        }
      | {
          /** @enum {boolean} */
          readonly active: true;
          readonly client_id: string;
          readonly sub: string;
          readonly scope: string;
          readonly aud: string;
          readonly iss: string;
          readonly iat: number;
          readonly exp: number;
        }
      | {
          /** @enum {boolean} */
          readonly active: true;
          readonly client_id: string;
          readonly sub: string;
          readonly scope: string;
          readonly aud: string;
          readonly iss: string;
          readonly iat: number;
          readonly exp: number;
          readonly jti: string;
          /** @enum {string} */
          readonly token_type: 'Bearer';
          readonly constraints?: {
            readonly model?: string;
            readonly run_id?: string;
            readonly max_credits?: number;
            readonly tool_ids?: readonly string[];
            readonly provider_ids?: readonly string[];
          };
        };
    readonly IssuedApiKey: {
      readonly api_key_id: string;
      readonly name: string;
      readonly masked_value: string;
      readonly scopes: readonly ('call' | 'read' | 'manage' | 'admin')[];
      readonly created_at: string;
      readonly account_id: string;
      readonly api_key: string;
      readonly expires_at?: string;
      readonly project_id?: string;
      readonly budget?: {
        readonly [key: string]: unknown;
      };
      readonly session_budget?: {
        readonly [key: string]: unknown;
      };
      readonly replaces?: string;
      readonly replaced_expires_at?: string;
      /** @enum {boolean} */
      readonly pending?: true;
    };
    readonly IssuedApiKeyAnswer: {
      /** @enum {string} */
      readonly status: 'success';
      readonly message: string;
      /** @enum {integer} */
      readonly status_code: 0;
      readonly data: components['schemas']['IssuedApiKey'];
    };
    readonly KeySetAnswer: {
      readonly keys: readonly {
        /** @enum {string} */
        readonly kty: 'RSA';
        readonly n: string;
        readonly e: string;
        readonly kid: string;
        /** @enum {string} */
        readonly alg: 'RS256';
        /** @enum {string} */
        readonly use: 'sig';
      }[];
    };
    readonly LedgerEntry: {
      readonly id: string;
      readonly entry_type: string;
      readonly amount_credits: number;
      /** @enum {string} */
      readonly source_system: 'execution' | 'registry' | 'capability-routing' | 'billing' | 'admin';
      /** @enum {string} */
      readonly source_ref_type: 'execution' | 'search' | 'grant' | 'refund' | 'import';
      readonly source_ref_id: string;
      readonly balance_before: {
        readonly total_available_credits: number;
      };
      readonly balance_after: {
        readonly total_available_credits: number;
      };
      readonly description: string;
      readonly created_at: string;
      readonly effective_at: string;
      readonly execution_id?: string | null;
      readonly pre_settlement_bill?: {
        readonly [key: string]: unknown;
      } | null;
      readonly settlement_result?: {
        readonly [key: string]: unknown;
      } | null;
      readonly ledger_metadata?: {
        readonly [key: string]: unknown;
      } | null;
      readonly entry_seq?: number;
      readonly hash?: string;
      readonly lots?: readonly {
        readonly lot_id: string;
        readonly category: string;
        readonly amount_credits: number;
      }[];
    };
    readonly LedgerEntryAnswer: {
      /** @enum {string} */
      readonly status: 'success';
      readonly message: string;
      /** @enum {integer} */
      readonly status_code: 0;
      readonly data: components['schemas']['LedgerEntry'];
    };
    readonly LedgerListAnswer: {
      /** @enum {string} */
      readonly status: 'success';
      readonly message: string;
      /** @enum {integer} */
      readonly status_code: 0;
      readonly data: {
        readonly items: readonly components['schemas']['LedgerEntry'][];
        readonly total: number;
        readonly page: number;
        readonly page_size: number;
        readonly summary: {
          readonly [key: string]: unknown;
        } | null;
      };
    };
    readonly MetaAnswer: {
      readonly contract_version: string;
    };
    readonly MovedKey: {
      readonly api_key_id: string;
      readonly account_id: string;
      readonly project_id?: string;
      /** @enum {boolean} */
      readonly pending?: true;
    };
    readonly MovedKeyAnswer: {
      /** @enum {string} */
      readonly status: 'success';
      readonly message: string;
      /** @enum {integer} */
      readonly status_code: 0;
      readonly data: components['schemas']['MovedKey'];
    };
    readonly OAuthTokenAnswer: components['schemas']['ExchangedToken'] | components['schemas']['GrantedToken'];
    readonly ProbeAnswer: {
      readonly recovery: {
        readonly missing_fields: readonly string[];
        readonly safe_fixes: readonly string[];
        readonly retryable: boolean;
        /** @enum {string} */
        readonly next_action:
          | 'execute'
          | 'inspect'
          | 'probe'
          | 'authorize'
          | 'confirm_budget'
          | 'switch_provider'
          | 'retry';
        readonly provider_fallback: boolean;
      };
      /** @enum {string} */
      readonly verification_status: 'unverified' | 'verifying' | 'verified' | 'stale' | 'failed' | 'restricted';
      readonly verification: components['schemas']['Verification'];
      readonly execution_restrictions: {
        readonly callable: boolean;
        readonly eligibility: string;
        readonly license: string;
        readonly commercial_use: string;
        readonly regions: {
          readonly allow: readonly string[];
          readonly deny: readonly string[];
        };
        readonly warnings: readonly string[];
        readonly data_as_of?: string;
      };
      readonly schema?: {
        readonly valid: boolean;
        readonly violations: readonly {
          readonly type: string;
          readonly message: string;
          readonly param?: string;
        }[];
      };
      readonly quote?: {
        /** @enum {string} */
        readonly currency: 'credits';
        readonly exact: boolean;
        readonly estimate_credits?: number;
        readonly basis?: string;
        readonly detail?: {
          readonly description: string;
        };
      };
      readonly coverage?: {
        /** @enum {string} */
        readonly verdict: 'unknown';
        readonly reason: string;
      };
      readonly sample?: {
        /** @enum {string} */
        readonly verdict: 'unknown';
        readonly reason: string;
      };
    };
    readonly Project: {
      readonly project_id: string;
      readonly account_id: string;
      readonly name: string;
      /** @enum {string} */
      readonly state: 'open' | 'closed';
      readonly created_at: string;
      readonly budget?: {
        readonly [key: string]: unknown;
      };
      readonly api_keys?: readonly {
        readonly api_key_id: string;
        readonly name: string;
        readonly masked_value: string;
      }[];
      /** @enum {boolean} */
      readonly pending?: true;
    };
    readonly ProjectAnswer: {
      /** @enum {string} */
      readonly status: 'success';
      readonly message: string;
      /** @enum {integer} */
      readonly status_code: 0;
      readonly data: components['schemas']['Project'];
    };
    readonly ProjectList: {
      readonly items: readonly components['schemas']['Project'][];
    };
    readonly ProjectsAnswer: {
      /** @enum {string} */
      readonly status: 'success';
      readonly message: string;
      /** @enum {integer} */
      readonly status_code: 0;
      readonly data: components['schemas']['ProjectList'];
    };
    readonly ProviderCredentialsAnswer: {
      /** @enum {string} */
      readonly status: 'success';
      readonly message: string;
      /** @enum {integer} */
      readonly status_code: 0;
      readonly data: {
        readonly [key: string]: unknown;
      };
    };
    readonly ProvidersAnswer: {
      readonly total: number;
      readonly items: readonly {
        readonly provider_id: string;
        readonly name: string;
        readonly description: string;
        readonly categories: readonly string[];
        readonly tool_count: number;
        readonly website_url?: string;
        readonly region?: string;
        readonly stats?: components['schemas']['Stats'];
      }[];
    };
    readonly Readiness: {
      readonly checked_at: string;
      /** @enum {string} */
      readonly scope: 'all';
      /** @enum {string} */
      readonly recommended_read_mode: 'ledger' | 'legacy';
      readonly ready: boolean;
      readonly legacy_total_count: number;
      readonly legacy_total_amount_credits: number;
      readonly ledger_total_count: number;
      readonly ledger_total_amount_credits: number;
      readonly entities: readonly {
        readonly entity_type: string;
        readonly legacy_count: number;
        readonly ledger_count: number;
        readonly missing_count: number;
        readonly extra_count: number;
        readonly legacy_amount_credits: number;
        readonly ledger_amount_credits: number;
        readonly amount_delta_credits: number;
        readonly ready: boolean;
      }[];
      readonly settled_until: string;
      readonly start_date?: string;
      readonly end_date?: string;
    };
    readonly ReadinessAnswer: {
      /** @enum {string} */
      readonly status: 'success';
      readonly message: string;
      /** @enum {integer} */
      readonly status_code: 0;
      readonly data: components['schemas']['Readiness'];
    };
    readonly Registration: {
      readonly agent_id: string;
      readonly agent_name: string;
      readonly account_id: string;
      readonly api_key: string;
      readonly claim_code: string;
      readonly trial_credits: number;
      readonly expires_at: string;
      readonly limits: {
        readonly [key: string]: unknown;
      };
    };
    readonly RegistrationAnswer: {
      /** @enum {string} */
      readonly status: 'success';
      readonly message: string;
      /** @enum {integer} */
      readonly status_code: 0;
      readonly data: components['schemas']['Registration'];
    };
    readonly RevocationAnswer: Record<string, never>;
    readonly RevokedApiKey: {
      readonly api_key_id: string;
      readonly account_id: string;
      readonly revoked_at: string;
      /** @enum {boolean} */
      readonly pending?: true;
    };
    readonly RevokedApiKeyAnswer: {
      /** @enum {string} */
      readonly status: 'success';
      readonly message: string;
      /** @enum {integer} */
      readonly status_code: 0;
      readonly data: components['schemas']['RevokedApiKey'];
    };
    readonly RoutingCard: {
      readonly tool_id: string;
      readonly capability: string;
      /** @enum {string} */
      readonly cost_class: 'free' | 'low' | 'medium' | 'high';
      /** @enum {string} */
      readonly reliability: 'A' | 'B' | 'C' | 'D' | 'unknown';
      readonly as_of_support: boolean;
    };
    readonly SearchAnswer: {
      readonly query: string;
      readonly search_id: string;
      readonly total: number;
      readonly results: readonly (components['schemas']['DiscoveredTool'] | components['schemas']['RoutingCard'])[];
      readonly elapsed_time_ms: number;
      readonly remaining_credits?: number;
      readonly notice?: string;
      readonly error_message?: string | null;
    };
    readonly SearchFailure: {
      readonly code: string;
      readonly retryable: boolean;
      readonly next_step: string;
      readonly message: string;
      readonly query: string;
      readonly search_id: string;
      readonly total: number;
      readonly results: readonly unknown[];
      /** @enum {string} */
      readonly status?: 'failure';
      readonly status_code?: number;
      readonly retry_after_seconds?: number;
      readonly details_omitted?: number;
      readonly trace_id?: string;
      readonly detail?: readonly components['schemas']['ValidationDetail'][];
      readonly data?: {
        readonly [key: string]: unknown;
      } | null;
      readonly error?: string;
      readonly error_message?: string | null;
      readonly execution_id?: string;
      readonly remaining_credits?: number;
      readonly scope?: string;
      readonly constraint?: string;
    };
    readonly SecurityLogAnswer: {
      /** @enum {string} */
      readonly status: 'success';
      readonly message: string;
      /** @enum {integer} */
      readonly status_code: 0;
      readonly data: components['schemas']['SecurityLogPage'];
    };
    readonly SecurityLogPage: {
      readonly items: readonly {
        readonly entry_id: string;
        readonly action: string;
        readonly actor: {
          /** @enum {string} */
          readonly type: 'account' | 'operator' | 'anonymous' | 'system';
          readonly account_id?: string;
          readonly api_key_id?: string;
          readonly oauth_client_id?: string;
          readonly credential_type?: string;
        };
        readonly occurrences: number;
        readonly recorded_at: string;
        readonly chain: string;
        readonly entry_seq: number;
        readonly hash: string;
        readonly account_id?: string;
        readonly object?: {
          readonly type: string;
          readonly id: string;
        };
        readonly reason?: string;
        readonly request_id?: string;
        readonly details?: {
          readonly [key: string]: unknown;
        };
      }[];
      readonly next_cursor?: string;
    };
    readonly SettlementHistoryAnswer: {
      /** @enum {string} */
      readonly status: 'success';
      readonly message: string;
      /** @enum {integer} */
      readonly status_code: 0;
      readonly data: {
        readonly items: readonly components['schemas']['SettlementItem'][];
        readonly has_more: boolean;
        readonly page_size: number;
        readonly next_cursor?: string;
      };
    };
    readonly SettlementItem: {
      readonly id: string;
      readonly source: string;
      readonly entry_type: string;
      readonly amount_credits: number;
      readonly source_system: string;
      readonly created_at: string;
      readonly details_available: boolean;
      readonly source_ref_type?: string;
      readonly source_ref_id?: string;
      readonly execution_id?: string;
      readonly description?: string;
      readonly display_target?: string;
      readonly billing_summary?: string;
      readonly billing_snapshot_status?: string;
    };
    readonly Stats: {
      /** @enum {string} */
      readonly data_status: 'available' | 'insufficient' | 'stale' | 'unavailable';
      readonly avg_execution_time_ms?: number | null;
      readonly p95_execution_time_ms?: number;
      readonly success_rate?: number | null;
      readonly sample_count?: number;
      readonly window?: string | null;
      readonly last_checked_at?: string | null;
    };
    readonly TokenRefusal: {
      /** @enum {string} */
      readonly error:
        | 'invalid_request'
        | 'invalid_client'
        | 'invalid_grant'
        | 'unauthorized_client'
        | 'unsupported_grant_type'
        | 'invalid_scope'
        | 'invalid_target'
        | 'authorization_pending'
        | 'slow_down'
        | 'access_denied'
        | 'expired_token';
      readonly error_description: string;
      readonly trace_id?: string;
    };
    readonly TokenStatusRefusal: {
      /** @enum {string} */
      readonly error: 'invalid_request' | 'invalid_client';
      readonly error_description: string;
      readonly trace_id?: string;
    };
    readonly TokenVerificationAnswer: {
      /** @enum {string} */
      readonly status: 'success';
      readonly message: string;
      /** @enum {integer} */
      readonly status_code: 0;
      readonly data: {
        readonly is_valid: boolean;
        readonly is_expired: boolean;
        readonly payload?: {
          readonly [key: string]: unknown;
        };
      };
    };
    readonly UsageEvent: {
      readonly id: string;
      /** @enum {string} */
      readonly event_type: 'search' | 'search_by_ids' | 'tool_execute' | 'capabilities_query' | 'model_call';
      /** @enum {string} */
      readonly kind: 'discover' | 'call' | 'model';
      /** @enum {string} */
      readonly source_system: 'execution' | 'registry' | 'capability-routing' | 'billing' | 'admin';
      /** @enum {string} */
      readonly source_ref_type: 'execution' | 'search' | 'grant' | 'refund' | 'import';
      readonly source_ref_id: string;
      readonly success: boolean;
      /** @enum {string} */
      readonly charge_outcome: 'charged' | 'included' | 'failed_not_charged' | 'failed_charged_review';
      /** @enum {string} */
      readonly billing_snapshot_status: 'pending' | 'settled' | 'uncollected' | 'not_applicable';
      readonly created_at: string;
      readonly effective_at: string;
      readonly session_id?: string | null;
      readonly search_id?: string | null;
      readonly execution_id?: string | null;
      readonly tool_id?: string | null;
      readonly provider_id?: string | null;
      readonly reason_code?: string | null;
      readonly error_message?: string | null;
      readonly duration_ms?: number | null;
      readonly outcome_revised_at?: string;
      readonly request_payload?: unknown;
      readonly response_payload_summary?: unknown;
      readonly execution_outcome?: components['schemas']['ExecutionOutcome'] | null;
      readonly billing_rule_snapshot?: {
        readonly [key: string]: unknown;
      } | null;
      readonly pre_settlement_bill?: {
        readonly [key: string]: unknown;
      } | null;
      readonly settlement_result?: {
        readonly [key: string]: unknown;
      } | null;
      readonly pre_settlement_amount_credits?: number | null;
      readonly requested_amount_credits?: number | null;
      readonly settled_amount_credits?: number | null;
      readonly actual_amount_credits?: number | null;
      readonly credits_ledger_entry_id?: string | null;
      readonly display_target?: string | null;
      readonly billing_summary?: string | null;
      readonly credential_type?: ('api_key' | 'access_token' | 'delegation_token') | null;
      readonly api_key?: {
        readonly id: string;
        readonly name?: string | null;
        readonly masked_value?: string | null;
      } | null;
      readonly api_key_attribution_status?: string | null;
      readonly project_id?: string;
      readonly trace_id?: string;
      readonly model?: string | null;
      readonly query?: string | null;
      readonly transport_success?: boolean | null;
      readonly provider_success?: boolean | null;
      readonly result_valid?: boolean | null;
      readonly billable_success?: boolean | null;
      readonly outcome?: string | null;
      readonly outcome_status?: string | null;
      readonly outcome_message?: string | null;
      readonly provider_status_code?: number | null;
      readonly http_status_code?: number | null;
      readonly valid_result_count?: number | null;
      readonly raw_result_count?: number | null;
      readonly chargeable_quantity?: number | null;
      readonly retryable?: boolean | null;
      readonly display_severity?: string | null;
      readonly billing_unit?: string | null;
      readonly unit_price_credits?: number | null;
      readonly quantity?: number | null;
      readonly list_amount_credits?: number | null;
      readonly minimum_charge_credits?: number | null;
      readonly served_from_cache?: boolean;
      readonly details_available?: boolean;
    };
    readonly UsageEventAnswer: {
      /** @enum {string} */
      readonly status: 'success';
      readonly message: string;
      /** @enum {integer} */
      readonly status_code: 0;
      readonly data: components['schemas']['UsageEvent'];
    };
    readonly UsageFeedAnswer: {
      /** @enum {string} */
      readonly status: 'success';
      readonly message: string;
      /** @enum {integer} */
      readonly status_code: 0;
      readonly data: {
        readonly items: readonly components['schemas']['UsageItem'][];
        readonly has_more: boolean;
        readonly page_size: number;
        readonly next_cursor?: string;
      };
    };
    readonly UsageItem: {
      readonly id: string;
      /** @enum {string} */
      readonly event_type: 'search' | 'search_by_ids' | 'tool_execute' | 'capabilities_query' | 'model_call';
      /** @enum {string} */
      readonly kind: 'discover' | 'call' | 'model';
      /** @enum {string} */
      readonly source_system: 'execution' | 'registry' | 'capability-routing' | 'billing' | 'admin';
      /** @enum {string} */
      readonly source_ref_type: 'execution' | 'search' | 'grant' | 'refund' | 'import';
      readonly source_ref_id: string;
      readonly success: boolean;
      /** @enum {string} */
      readonly charge_outcome: 'charged' | 'included' | 'failed_not_charged' | 'failed_charged_review';
      /** @enum {string} */
      readonly billing_snapshot_status: 'pending' | 'settled' | 'uncollected' | 'not_applicable';
      readonly created_at: string;
      readonly effective_at: string;
      readonly details_available: boolean;
      readonly session_id?: string | null;
      readonly search_id?: string | null;
      readonly execution_id?: string | null;
      readonly tool_id?: string | null;
      readonly provider_id?: string | null;
      readonly reason_code?: string | null;
      readonly error_message?: string | null;
      readonly duration_ms?: number | null;
      readonly outcome_revised_at?: string;
      readonly pre_settlement_amount_credits?: number | null;
      readonly requested_amount_credits?: number | null;
      readonly settled_amount_credits?: number | null;
      readonly actual_amount_credits?: number | null;
      readonly credits_ledger_entry_id?: string | null;
      readonly display_target?: string | null;
      readonly billing_summary?: string | null;
      readonly credential_type?: ('api_key' | 'access_token' | 'delegation_token') | null;
      readonly api_key?: {
        readonly id: string;
        readonly name?: string | null;
        readonly masked_value?: string | null;
      } | null;
      readonly api_key_attribution_status?: string | null;
      readonly project_id?: string;
      readonly trace_id?: string;
      readonly model?: string | null;
      readonly query?: string | null;
      readonly transport_success?: boolean | null;
      readonly provider_success?: boolean | null;
      readonly result_valid?: boolean | null;
      readonly billable_success?: boolean | null;
      readonly outcome?: string | null;
      readonly outcome_status?: string | null;
      readonly outcome_message?: string | null;
      readonly provider_status_code?: number | null;
      readonly http_status_code?: number | null;
      readonly valid_result_count?: number | null;
      readonly raw_result_count?: number | null;
      readonly chargeable_quantity?: number | null;
      readonly retryable?: boolean | null;
      readonly display_severity?: string | null;
      readonly billing_unit?: string | null;
      readonly unit_price_credits?: number | null;
      readonly quantity?: number | null;
      readonly list_amount_credits?: number | null;
      readonly minimum_charge_credits?: number | null;
      readonly served_from_cache?: boolean;
    };
    readonly UsageListAnswer: {
      /** @enum {string} */
      readonly status: 'success';
      readonly message: string;
      /** @enum {integer} */
      readonly status_code: 0;
      readonly data: {
        readonly items: readonly components['schemas']['UsageEvent'][];
        readonly total: number;
        readonly page: number;
        readonly page_size: number;
        readonly summary: {
          readonly [key: string]: unknown;
        } | null;
      };
    };
    readonly ValidationDetail: {
      readonly type: string;
      readonly loc: readonly unknown[];
      readonly msg: string;
      readonly input?: unknown;
      readonly field?: string;
      readonly received?: unknown;
      readonly allowed?: {
        readonly [key: string]: unknown;
      };
    };
    readonly Verification: {
      /** @enum {string} */
      readonly status: 'unverified' | 'verifying' | 'verified' | 'stale' | 'failed' | 'restricted';
      readonly policy_version: string;
      readonly required_checks: readonly (
        | 'schema'
        | 'authentication'
        | 'description_contract'
        | 'provider_identity'
        | 'permissions'
        | 'freshness'
        | 'live_check'
      )[];
      readonly checks: readonly {
        /** @enum {string} */
        readonly name:
          | 'schema'
          | 'authentication'
          | 'description_contract'
          | 'provider_identity'
          | 'permissions'
          | 'freshness'
          | 'live_check';
        /** @enum {string} */
        readonly status: 'missing' | 'verifying' | 'passed' | 'stale' | 'failed' | 'restricted';
        readonly checked_at?: string;
        readonly evidence_digest?: string;
        readonly reason?: string;
      }[];
      readonly quality_issues: readonly string[];
      readonly verified_at?: string;
      readonly expires_at?: string;
      readonly test_run_digest?: string;
    };
  };
  responses: {
    /** @description Bad Gateway: A part of the service was lost on the way; of a call, its id tells what became of it. */
    readonly BadGateway: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Failure'];
      };
    };
    /** @description Bad Gateway: A part of the service was lost on the way; of a call, its id tells what became of it. */
    readonly BadGatewayOfCall: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['ExecuteRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Bad Gateway: A part of the service was lost on the way; of a call, its id tells what became of it. */
    readonly BadGatewayOfCapability: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['CapabilityRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Bad Gateway: A part of the service was lost on the way; of a call, its id tells what became of it. */
    readonly BadGatewayOfSearch: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['SearchFailure'] | components['schemas']['Failure'];
      };
    };
    /** @description Bad Gateway: A part of the service was lost on the way; of a call, its id tells what became of it. */
    readonly BadGatewayWithoutBody: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content?: never;
    };
    /** @description Bad Request: The request cannot be read, or a value of its query cannot be. */
    readonly BadRequest: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Failure'];
      };
    };
    /** @description Bad Request: The request cannot be read, or a value of its query cannot be. */
    readonly BadRequestOfCall: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'Idempotency-Replayed': components['headers']['IdempotencyReplayed'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['ExecuteRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Bad Request: The request cannot be read, or a value of its query cannot be. */
    readonly BadRequestOfCapability: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'Idempotency-Replayed': components['headers']['IdempotencyReplayed'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['CapabilityRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Bad Request: The request cannot be read, or a value of its query cannot be. */
    readonly BadRequestOfDeviceAuthorization: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json':
          | components['schemas']['DeviceAuthorizationRefusal']
          | components['schemas']['Failure'];
      };
    };
    /** @description Bad Request: The request cannot be read, or a value of its query cannot be. */
    readonly BadRequestOfSearch: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['SearchFailure'] | components['schemas']['Failure'];
      };
    };
    /** @description Bad Request: The request cannot be read, or a value of its query cannot be. */
    readonly BadRequestOfToken: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['TokenRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Bad Request: The request cannot be read, or a value of its query cannot be. */
    readonly BadRequestOfTokenStatus: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['TokenStatusRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Bad Request: The request cannot be read, or a value of its query cannot be. */
    readonly BadRequestWithoutBody: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content?: never;
    };
    /** @description Conflict: It contradicts what is there, or is under way. */
    readonly Conflict: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'Retry-After': components['headers']['RetryAfter'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Failure'];
      };
    };
    /** @description Conflict: It contradicts what is there, or is under way. */
    readonly ConflictOfCall: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'Retry-After': components['headers']['RetryAfter'];
        readonly 'Idempotency-Replayed': components['headers']['IdempotencyReplayed'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['ExecuteRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Conflict: It contradicts what is there, or is under way. */
    readonly ConflictOfCapability: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'Retry-After': components['headers']['RetryAfter'];
        readonly 'Idempotency-Replayed': components['headers']['IdempotencyReplayed'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['CapabilityRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Forbidden: The key or token may not do this, or the account is not active. */
    readonly Forbidden: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'WWW-Authenticate': components['headers']['Challenge'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Failure'];
      };
    };
    /** @description Forbidden: The key or token may not do this, or the account is not active. */
    readonly ForbiddenOfCall: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'WWW-Authenticate': components['headers']['Challenge'];
        readonly 'Idempotency-Replayed': components['headers']['IdempotencyReplayed'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['ExecuteRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Forbidden: The key or token may not do this, or the account is not active. */
    readonly ForbiddenOfCapability: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'WWW-Authenticate': components['headers']['Challenge'];
        readonly 'Idempotency-Replayed': components['headers']['IdempotencyReplayed'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['CapabilityRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Forbidden: The key or token may not do this, or the account is not active. */
    readonly ForbiddenOfSearch: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'WWW-Authenticate': components['headers']['Challenge'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['SearchFailure'] | components['schemas']['Failure'];
      };
    };
    /** @description Gateway Timeout: A part of the service did not answer in time; of a call, its id tells what became of it. */
    readonly GatewayTimeout: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Failure'];
      };
    };
    /** @description Gateway Timeout: A part of the service did not answer in time; of a call, its id tells what became of it. */
    readonly GatewayTimeoutOfCall: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['ExecuteRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Gateway Timeout: A part of the service did not answer in time; of a call, its id tells what became of it. */
    readonly GatewayTimeoutOfCapability: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['CapabilityRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Gateway Timeout: A part of the service did not answer in time; of a call, its id tells what became of it. */
    readonly GatewayTimeoutOfSearch: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['SearchFailure'] | components['schemas']['Failure'];
      };
    };
    /** @description Gateway Timeout: A part of the service did not answer in time; of a call, its id tells what became of it. */
    readonly GatewayTimeoutWithoutBody: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content?: never;
    };
    /** @description Gone: It is over. */
    readonly Gone: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Failure'];
      };
    };
    /** @description Gone: It is over. */
    readonly GoneWithoutBody: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content?: never;
    };
    /** @description Internal Server Error: A fault of the service. */
    readonly InternalServerError: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Failure'];
      };
    };
    /** @description Internal Server Error: A fault of the service. */
    readonly InternalServerErrorOfCall: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['ExecuteRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Internal Server Error: A fault of the service. */
    readonly InternalServerErrorOfCapability: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['CapabilityRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Internal Server Error: A fault of the service. */
    readonly InternalServerErrorOfSearch: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['SearchFailure'] | components['schemas']['Failure'];
      };
    };
    /** @description Internal Server Error: A fault of the service. */
    readonly InternalServerErrorWithoutBody: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content?: never;
    };
    /** @description Not Found: There is no such thing, or it is of another account. */
    readonly NotFound: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'Retry-After': components['headers']['RetryAfter'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Failure'];
      };
    };
    /** @description Not Found: There is no such thing, or it is of another account. */
    readonly NotFoundOfCall: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'Retry-After': components['headers']['RetryAfter'];
        readonly 'Idempotency-Replayed': components['headers']['IdempotencyReplayed'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['ExecuteRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Not Found: There is no such thing, or it is of another account. */
    readonly NotFoundOfCapability: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'Retry-After': components['headers']['RetryAfter'];
        readonly 'Idempotency-Replayed': components['headers']['IdempotencyReplayed'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['CapabilityRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Not Found: There is no such thing, or it is of another account. */
    readonly NotFoundWithoutBody: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'Retry-After': components['headers']['RetryAfter'];
        readonly [name: string]: unknown;
      };
      content?: never;
    };
    /** @description Payload Too Large: The body is too large. */
    readonly PayloadTooLarge: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Failure'];
      };
    };
    /** @description Payload Too Large: The body is too large. */
    readonly PayloadTooLargeOfCall: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'Idempotency-Replayed': components['headers']['IdempotencyReplayed'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['ExecuteRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Payload Too Large: The body is too large. */
    readonly PayloadTooLargeOfCapability: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'Idempotency-Replayed': components['headers']['IdempotencyReplayed'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['CapabilityRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Payload Too Large: The body is too large. */
    readonly PayloadTooLargeOfSearch: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['SearchFailure'] | components['schemas']['Failure'];
      };
    };
    /** @description Payment Required: The credits do not suffice. */
    readonly PaymentRequired: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Failure'];
      };
    };
    /** @description Payment Required: The credits do not suffice. */
    readonly PaymentRequiredOfCall: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'Idempotency-Replayed': components['headers']['IdempotencyReplayed'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['ExecuteRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Payment Required: The credits do not suffice. */
    readonly PaymentRequiredOfCapability: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'Idempotency-Replayed': components['headers']['IdempotencyReplayed'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['CapabilityRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Payment Required: The credits do not suffice. */
    readonly PaymentRequiredOfSearch: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['SearchFailure'] | components['schemas']['Failure'];
      };
    };
    /** @description Range Not Satisfiable: The part that was asked for is not there. */
    readonly RangeNotSatisfiable: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Failure'];
      };
    };
    /** @description Request Header Fields Too Large: The URL and the headers are too large. */
    readonly RequestHeaderFieldsTooLarge: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Failure'];
      };
    };
    /** @description Request Header Fields Too Large: The URL and the headers are too large. */
    readonly RequestHeaderFieldsTooLargeOfCall: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'Idempotency-Replayed': components['headers']['IdempotencyReplayed'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['ExecuteRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Request Header Fields Too Large: The URL and the headers are too large. */
    readonly RequestHeaderFieldsTooLargeOfCapability: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'Idempotency-Replayed': components['headers']['IdempotencyReplayed'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['CapabilityRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Request Header Fields Too Large: The URL and the headers are too large. */
    readonly RequestHeaderFieldsTooLargeOfSearch: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['SearchFailure'] | components['schemas']['Failure'];
      };
    };
    /** @description Request Header Fields Too Large: The URL and the headers are too large. */
    readonly RequestHeaderFieldsTooLargeWithoutBody: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly [name: string]: unknown;
      };
      content?: never;
    };
    /** @description Request Timeout: The body took too long to arrive. */
    readonly RequestTimeout: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Failure'];
      };
    };
    /** @description Request Timeout: The body took too long to arrive. */
    readonly RequestTimeoutOfCall: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'Idempotency-Replayed': components['headers']['IdempotencyReplayed'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['ExecuteRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Request Timeout: The body took too long to arrive. */
    readonly RequestTimeoutOfCapability: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'Idempotency-Replayed': components['headers']['IdempotencyReplayed'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['CapabilityRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Request Timeout: The body took too long to arrive. */
    readonly RequestTimeoutOfSearch: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['SearchFailure'] | components['schemas']['Failure'];
      };
    };
    /** @description Service Unavailable: A part of the service is away, or there is too much to do; `Retry-After` tells when to come again. */
    readonly ServiceUnavailable: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'Retry-After': components['headers']['RetryAfter'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Failure'];
      };
    };
    /** @description Service Unavailable: A part of the service is away, or there is too much to do; `Retry-After` tells when to come again. */
    readonly ServiceUnavailableOfCall: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'Retry-After': components['headers']['RetryAfter'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['ExecuteRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Service Unavailable: A part of the service is away, or there is too much to do; `Retry-After` tells when to come again. */
    readonly ServiceUnavailableOfCapability: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'Retry-After': components['headers']['RetryAfter'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['CapabilityRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Service Unavailable: A part of the service is away, or there is too much to do; `Retry-After` tells when to come again. */
    readonly ServiceUnavailableOfSearch: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'Retry-After': components['headers']['RetryAfter'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['SearchFailure'] | components['schemas']['Failure'];
      };
    };
    /** @description Service Unavailable: A part of the service is away, or there is too much to do; `Retry-After` tells when to come again. */
    readonly ServiceUnavailableWithoutBody: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'Retry-After': components['headers']['RetryAfter'];
        readonly [name: string]: unknown;
      };
      content?: never;
    };
    /** @description Too Many Requests: The limit of the minute is used up; `Retry-After` tells when it is not. */
    readonly TooManyRequests: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'Retry-After': components['headers']['RetryAfter'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Failure'];
      };
    };
    /** @description Too Many Requests: The limit of the minute is used up; `Retry-After` tells when it is not. */
    readonly TooManyRequestsOfCall: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'Retry-After': components['headers']['RetryAfter'];
        readonly 'Idempotency-Replayed': components['headers']['IdempotencyReplayed'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['ExecuteRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Too Many Requests: The limit of the minute is used up; `Retry-After` tells when it is not. */
    readonly TooManyRequestsOfCapability: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'Retry-After': components['headers']['RetryAfter'];
        readonly 'Idempotency-Replayed': components['headers']['IdempotencyReplayed'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['CapabilityRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Too Many Requests: The limit of the minute is used up; `Retry-After` tells when it is not. */
    readonly TooManyRequestsOfSearch: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'Retry-After': components['headers']['RetryAfter'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['SearchFailure'] | components['schemas']['Failure'];
      };
    };
    /** @description Too Many Requests: The limit of the minute is used up; `Retry-After` tells when it is not. */
    readonly TooManyRequestsWithoutBody: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'Retry-After': components['headers']['RetryAfter'];
        readonly [name: string]: unknown;
      };
      content?: never;
    };
    /** @description URI Too Long: A part of the path is too long. */
    readonly URITooLong: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Failure'];
      };
    };
    /** @description URI Too Long: A part of the path is too long. */
    readonly URITooLongWithoutBody: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly [name: string]: unknown;
      };
      content?: never;
    };
    /** @description Unauthorized: There is no valid key or token. */
    readonly Unauthorized: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'WWW-Authenticate': components['headers']['Challenge'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Failure'];
      };
    };
    /** @description Unauthorized: There is no valid key or token. */
    readonly UnauthorizedOfCall: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'WWW-Authenticate': components['headers']['Challenge'];
        readonly 'Idempotency-Replayed': components['headers']['IdempotencyReplayed'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['ExecuteRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Unauthorized: There is no valid key or token. */
    readonly UnauthorizedOfCapability: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'WWW-Authenticate': components['headers']['Challenge'];
        readonly 'Idempotency-Replayed': components['headers']['IdempotencyReplayed'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['CapabilityRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Unauthorized: There is no valid key or token. */
    readonly UnauthorizedOfDeviceAuthorization: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'WWW-Authenticate': components['headers']['Challenge'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json':
          | components['schemas']['DeviceAuthorizationRefusal']
          | components['schemas']['Failure'];
      };
    };
    /** @description Unauthorized: There is no valid key or token. */
    readonly UnauthorizedOfSearch: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'WWW-Authenticate': components['headers']['Challenge'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['SearchFailure'] | components['schemas']['Failure'];
      };
    };
    /** @description Unauthorized: There is no valid key or token. */
    readonly UnauthorizedOfToken: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'WWW-Authenticate': components['headers']['Challenge'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['TokenRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Unauthorized: There is no valid key or token. */
    readonly UnauthorizedOfTokenStatus: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'WWW-Authenticate': components['headers']['Challenge'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['TokenStatusRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Unprocessable Entity: A member of the request is not as it must be; which one is told. */
    readonly UnprocessableEntity: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Failure'];
      };
    };
    /** @description Unprocessable Entity: A member of the request is not as it must be; which one is told. */
    readonly UnprocessableEntityOfCall: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'Idempotency-Replayed': components['headers']['IdempotencyReplayed'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['ExecuteRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Unprocessable Entity: A member of the request is not as it must be; which one is told. */
    readonly UnprocessableEntityOfCapability: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'Idempotency-Replayed': components['headers']['IdempotencyReplayed'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['CapabilityRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Unprocessable Entity: A member of the request is not as it must be; which one is told. */
    readonly UnprocessableEntityOfSearch: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['SearchFailure'] | components['schemas']['Failure'];
      };
    };
    /** @description Unsupported Media Type: The body is of another type. */
    readonly UnsupportedMediaType: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['Failure'];
      };
    };
    /** @description Unsupported Media Type: The body is of another type. */
    readonly UnsupportedMediaTypeOfCall: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'Idempotency-Replayed': components['headers']['IdempotencyReplayed'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['ExecuteRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Unsupported Media Type: The body is of another type. */
    readonly UnsupportedMediaTypeOfCapability: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly 'Idempotency-Replayed': components['headers']['IdempotencyReplayed'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['CapabilityRefusal'] | components['schemas']['Failure'];
      };
    };
    /** @description Unsupported Media Type: The body is of another type. */
    readonly UnsupportedMediaTypeOfSearch: {
      headers: {
        readonly 'X-Request-Id': components['headers']['RequestId'];
        readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
        readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
        readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['SearchFailure'] | components['schemas']['Failure'];
      };
    };
  };
  parameters: never;
  requestBodies: never;
  headers: {
    /** @description The id of the request: the one that the caller sent, where it is valid. */
    readonly RequestId: string;
    /** @description The version of the interface. */
    readonly ApiVersion: string;
    /** @description Requests of this class that a minute allows. */
    readonly RateLimitLimit: number;
    /** @description Requests that the window still allows. */
    readonly RateLimitRemaining: number;
    /** @description When the window ends, in seconds since 1970. */
    readonly RateLimitReset: number;
    /** @description The same as the draft of the IETF has it. */
    readonly RateLimit: string;
    /** @description The limits, as that draft has them. */
    readonly RateLimitPolicy: string;
    /** @description Seconds after which to come again. */
    readonly RetryAfter: number;
    /** @description How to authenticate, and which scope is missing. */
    readonly Challenge: string;
    /** @description `true` where the answer is that of the first request with this key. */
    readonly IdempotencyReplayed: string;
  };
  pathItems: never;
};
export type $defs = Record<string, never>;
export interface operations {
  readonly searchTools: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "query": "shelf.things.list.v1"
         *     }
         */
        readonly 'application/json': {
          readonly query: string & unknown;
          /** @default 20 */
          readonly limit?: number | null;
          readonly session_id?: string | null;
          /**
           * @default full
           * @enum {unknown}
           */
          readonly view?: 'full' | 'routing' | null;
          /** @enum {unknown} */
          readonly lang?: 'en' | 'zh' | null;
        };
      };
    };
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "query": "shelf.things.list.v1",
           *       "search_id": "srch_00000000000000000000000000000001",
           *       "total": 1,
           *       "results": [
           *         {
           *           "tool_id": "shelf.things.list.v1",
           *           "name": "list of shelf",
           *           "description": "Gives the list things of shelf.",
           *           "provider_name": "Things of shelf",
           *           "params": [
           *             {
           *               "name": "size",
           *               "type": "integer",
           *               "required": true,
           *               "description": "How many things."
           *             },
           *             {
           *               "name": "colour",
           *               "type": "string",
           *               "required": false,
           *               "description": "Of which colour.",
           *               "enum": [
           *                 "red",
           *                 "blue"
           *               ]
           *             }
           *           ],
           *           "one_of_required": [],
           *           "expected_cost": "0.5",
           *           "provider_id": "shelf",
           *           "provider_description": "A thing.",
           *           "categories": [],
           *           "capabilities": [
           *             {
           *               "id": "shelf.things.list",
           *               "tag": [
           *                 {
           *                   "id": "things",
           *                   "name": "things"
           *                 }
           *               ]
           *             }
           *           ],
           *           "region": "global",
           *           "examples": {
           *             "sample_parameters": {
           *               "size": 3
           *             }
           *           },
           *           "billing_rule": {
           *             "unit": "call",
           *             "amount_credits": 0.5,
           *             "description": "0.5 credits per call. Failed and empty calls are free.",
           *             "billing_unit": "call",
           *             "price": {
           *               "amount_credits": 0.5,
           *               "unit": "credits",
           *               "unit_label": "call"
           *             },
           *             "metering_mode": "call"
           *           },
           *           "stats": {
           *             "sample_count": 0,
           *             "data_status": "insufficient",
           *             "window": "30d"
           *           },
           *           "verification_status": "unverified",
           *           "verification": {
           *             "status": "unverified",
           *             "policy_version": "1",
           *             "required_checks": [
           *               "schema",
           *               "description_contract",
           *               "provider_identity",
           *               "permissions",
           *               "live_check"
           *             ],
           *             "checks": [
           *               {
           *                 "name": "schema",
           *                 "status": "missing"
           *               },
           *               {
           *                 "name": "description_contract",
           *                 "status": "missing"
           *               },
           *               {
           *                 "name": "provider_identity",
           *                 "status": "missing"
           *               },
           *               {
           *                 "name": "permissions",
           *                 "status": "missing"
           *               },
           *               {
           *                 "name": "live_check",
           *                 "status": "missing"
           *               }
           *             ],
           *             "quality_issues": []
           *           },
           *           "execution_restrictions": {
           *             "callable": true,
           *             "eligibility": "unknown",
           *             "license": "unknown",
           *             "commercial_use": "unknown",
           *             "regions": {
           *               "allow": [],
           *               "deny": []
           *             },
           *             "warnings": []
           *           },
           *           "score": 1,
           *           "final_score": 1,
           *           "why_recommended": "The query is the id of this tool."
           *         }
           *       ],
           *       "elapsed_time_ms": 1,
           *       "remaining_credits": 7.5,
           *       "error_message": null
           *     }
           */
          readonly 'application/json': components['schemas']['SearchAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequestOfSearch'];
      readonly 401: components['responses']['UnauthorizedOfSearch'];
      readonly 402: components['responses']['PaymentRequiredOfSearch'];
      readonly 403: components['responses']['ForbiddenOfSearch'];
      readonly 408: components['responses']['RequestTimeoutOfSearch'];
      readonly 413: components['responses']['PayloadTooLargeOfSearch'];
      readonly 415: components['responses']['UnsupportedMediaTypeOfSearch'];
      readonly 422: components['responses']['UnprocessableEntityOfSearch'];
      readonly 429: components['responses']['TooManyRequestsOfSearch'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLargeOfSearch'];
      readonly 500: components['responses']['InternalServerErrorOfSearch'];
      readonly 502: components['responses']['BadGatewayOfSearch'];
      readonly 503: components['responses']['ServiceUnavailableOfSearch'];
      readonly 504: components['responses']['GatewayTimeoutOfSearch'];
    };
  };
  readonly inspectTools: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "tool_ids": [
         *         "shelf.things.count.v1",
         *         "shelf.things.list.v1"
         *       ]
         *     }
         */
        readonly 'application/json': {
          readonly tool_ids: readonly string[];
          readonly search_id?: string | null;
          readonly session_id?: string | null;
          /**
           * @default full
           * @enum {unknown}
           */
          readonly view?: 'full' | 'lean' | null;
        };
      };
    };
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "total": 2,
           *       "results": [
           *         {
           *           "tool_id": "shelf.things.count.v1",
           *           "name": "count of shelf",
           *           "description": "Gives the count things of shelf. Counts by word.",
           *           "provider_name": "Things of shelf",
           *           "params": [
           *             {
           *               "name": "size",
           *               "type": "integer",
           *               "required": true,
           *               "description": "How many things.",
           *               "minimum": 0,
           *               "maximum": 500
           *             },
           *             {
           *               "name": "colour",
           *               "type": "string",
           *               "required": false,
           *               "description": "Of which colour.",
           *               "enum": [
           *                 "red",
           *                 "blue"
           *               ]
           *             }
           *           ],
           *           "one_of_required": [],
           *           "expected_cost": "0.001",
           *           "provider_id": "shelf",
           *           "provider_description": "A thing.",
           *           "categories": [],
           *           "capabilities": [],
           *           "region": "global",
           *           "examples": {
           *             "sample_parameters": {
           *               "size": 3
           *             }
           *           },
           *           "billing_rule": {
           *             "unit": "row",
           *             "amount_credits": 0.001,
           *             "description": "0.001 credits per result row. Failed and empty calls are free.",
           *             "billing_unit": "row",
           *             "price": {
           *               "amount_credits": 0.001,
           *               "unit": "credits",
           *               "unit_label": "row"
           *             },
           *             "metering_mode": "result_rows",
           *             "max_units": 100
           *           },
           *           "stats": {
           *             "sample_count": 0,
           *             "data_status": "insufficient",
           *             "window": "30d"
           *           },
           *           "verification_status": "unverified",
           *           "verification": {
           *             "status": "unverified",
           *             "policy_version": "1",
           *             "required_checks": [
           *               "schema",
           *               "description_contract",
           *               "provider_identity",
           *               "permissions",
           *               "live_check"
           *             ],
           *             "checks": [
           *               {
           *                 "name": "schema",
           *                 "status": "missing"
           *               },
           *               {
           *                 "name": "description_contract",
           *                 "status": "missing"
           *               },
           *               {
           *                 "name": "provider_identity",
           *                 "status": "missing"
           *               },
           *               {
           *                 "name": "permissions",
           *                 "status": "missing"
           *               },
           *               {
           *                 "name": "live_check",
           *                 "status": "missing"
           *               }
           *             ],
           *             "quality_issues": []
           *           },
           *           "execution_restrictions": {
           *             "callable": true,
           *             "eligibility": "unknown",
           *             "license": "unknown",
           *             "commercial_use": "unknown",
           *             "regions": {
           *               "allow": [],
           *               "deny": []
           *             },
           *             "warnings": []
           *           }
           *         },
           *         {
           *           "tool_id": "shelf.things.list.v1",
           *           "name": "list of shelf",
           *           "description": "Gives the list things of shelf.",
           *           "provider_name": "Things of shelf",
           *           "params": [
           *             {
           *               "name": "size",
           *               "type": "integer",
           *               "required": true,
           *               "description": "How many things.",
           *               "minimum": 0,
           *               "maximum": 500
           *             },
           *             {
           *               "name": "colour",
           *               "type": "string",
           *               "required": false,
           *               "description": "Of which colour.",
           *               "enum": [
           *                 "red",
           *                 "blue"
           *               ]
           *             }
           *           ],
           *           "one_of_required": [],
           *           "expected_cost": "0.5",
           *           "provider_id": "shelf",
           *           "provider_description": "A thing.",
           *           "categories": [],
           *           "capabilities": [
           *             {
           *               "id": "shelf.things.list",
           *               "tag": [
           *                 {
           *                   "id": "things",
           *                   "name": "things"
           *                 }
           *               ]
           *             }
           *           ],
           *           "region": "global",
           *           "examples": {
           *             "sample_parameters": {
           *               "size": 3
           *             }
           *           },
           *           "billing_rule": {
           *             "unit": "call",
           *             "amount_credits": 0.5,
           *             "description": "0.5 credits per call. Failed and empty calls are free.",
           *             "billing_unit": "call",
           *             "price": {
           *               "amount_credits": 0.5,
           *               "unit": "credits",
           *               "unit_label": "call"
           *             },
           *             "metering_mode": "call"
           *           },
           *           "stats": {
           *             "sample_count": 0,
           *             "data_status": "insufficient",
           *             "window": "30d"
           *           },
           *           "verification_status": "unverified",
           *           "verification": {
           *             "status": "unverified",
           *             "policy_version": "1",
           *             "required_checks": [
           *               "schema",
           *               "description_contract",
           *               "provider_identity",
           *               "permissions",
           *               "live_check"
           *             ],
           *             "checks": [
           *               {
           *                 "name": "schema",
           *                 "status": "missing"
           *               },
           *               {
           *                 "name": "description_contract",
           *                 "status": "missing"
           *               },
           *               {
           *                 "name": "provider_identity",
           *                 "status": "missing"
           *               },
           *               {
           *                 "name": "permissions",
           *                 "status": "missing"
           *               },
           *               {
           *                 "name": "live_check",
           *                 "status": "missing"
           *               }
           *             ],
           *             "quality_issues": []
           *           },
           *           "execution_restrictions": {
           *             "callable": true,
           *             "eligibility": "unknown",
           *             "license": "unknown",
           *             "commercial_use": "unknown",
           *             "regions": {
           *               "allow": [],
           *               "deny": []
           *             },
           *             "warnings": []
           *           }
           *         }
           *       ],
           *       "elapsed_time_ms": 1,
           *       "remaining_credits": 7.5,
           *       "error_message": null
           *     }
           */
          readonly 'application/json': components['schemas']['InspectAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 408: components['responses']['RequestTimeout'];
      readonly 413: components['responses']['PayloadTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 422: components['responses']['UnprocessableEntity'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly probeTool: {
    readonly parameters: {
      readonly query?: {
        /** @description The tool, where the body does not name it. */
        readonly tool_id?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "tool_id": "shelf.things.count.v1",
         *       "parameters": {
         *         "size": 3
         *       },
         *       "checks": [
         *         "schema",
         *         "quote",
         *         "coverage",
         *         "sample"
         *       ],
         *       "live_budget": "none"
         *     }
         */
        readonly 'application/json': {
          readonly tool_id?: string | null;
          /** @default {} */
          readonly parameters?: {
            readonly [key: string]: unknown;
          } | null;
          /**
           * @default [
           *       "schema"
           *     ]
           */
          readonly checks?: readonly ('schema' | 'quote' | 'coverage' | 'sample')[] | null;
          /** @enum {unknown} */
          readonly live_budget?: 'none' | 'metadata' | 'sampled' | null;
        };
      };
    };
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "schema": {
           *         "valid": true,
           *         "violations": []
           *       },
           *       "quote": {
           *         "estimate_credits": 0.1,
           *         "currency": "credits",
           *         "exact": false,
           *         "basis": "result_rows",
           *         "detail": {
           *           "description": "A successful call costs from 0.001 to 0.1 credits, by the number of rows; the upper price is reserved and the rest given back. A call that fails or returns nothing is not charged."
           *         }
           *       },
           *       "coverage": {
           *         "verdict": "unknown",
           *         "reason": "The provider of this tool cannot tell beforehand what it has for these parameters. A Call tells; an empty result is not charged."
           *       },
           *       "sample": {
           *         "verdict": "unknown",
           *         "reason": "The provider of this tool offers no sample without a Call. A Call that fails or returns nothing is not charged."
           *       },
           *       "recovery": {
           *         "missing_fields": [],
           *         "safe_fixes": [],
           *         "retryable": false,
           *         "next_action": "execute",
           *         "provider_fallback": false
           *       },
           *       "verification_status": "unverified",
           *       "verification": {
           *         "status": "unverified",
           *         "policy_version": "1",
           *         "required_checks": [
           *           "schema",
           *           "description_contract",
           *           "provider_identity",
           *           "permissions",
           *           "live_check"
           *         ],
           *         "checks": [
           *           {
           *             "name": "schema",
           *             "status": "missing"
           *           },
           *           {
           *             "name": "description_contract",
           *             "status": "missing"
           *           },
           *           {
           *             "name": "provider_identity",
           *             "status": "missing"
           *           },
           *           {
           *             "name": "permissions",
           *             "status": "missing"
           *           },
           *           {
           *             "name": "live_check",
           *             "status": "missing"
           *           }
           *         ],
           *         "quality_issues": []
           *       },
           *       "execution_restrictions": {
           *         "callable": true,
           *         "eligibility": "unknown",
           *         "license": "unknown",
           *         "commercial_use": "unknown",
           *         "regions": {
           *           "allow": [],
           *           "deny": []
           *         },
           *         "warnings": []
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['ProbeAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 408: components['responses']['RequestTimeout'];
      readonly 413: components['responses']['PayloadTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 422: components['responses']['UnprocessableEntity'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly executeTool: {
    readonly parameters: {
      readonly query?: {
        /** @description The tool, where the body does not name it. */
        readonly tool_id?: string;
      };
      readonly header?: {
        /** @description Of this account, one call is made with it: whoever repeats the request gets the same answer. */
        readonly 'Idempotency-Key'?: string;
        /** @description `bypass` calls the provider even where a result of before would be answered. */
        readonly 'X-Service-Cache-Mode'?: 'default' | 'bypass';
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "tool_id": "provider.things.list.v1",
         *       "parameters": {
         *         "size": 3
         *       }
         *     }
         */
        readonly 'application/json': {
          /** @description The tool, where the query does not name it. */
          readonly tool_id?: string | null;
          /** @description The tool's parameters; `{}` where it needs none. */
          readonly parameters: {
            readonly [key: string]: unknown;
          };
          readonly search_id?: string | null;
          readonly session_id?: string | null;
          readonly model?: string | null;
          /**
           * @description Bytes of the result that are answered; -1 for all of them.
           * @default 20480
           */
          readonly max_response_size?: number | -1 | unknown;
          /**
           * @description `full`, `summary`, or `fields:` with paths of RFC 9535 of what shall be answered.
           * @default full
           */
          readonly respond_with?: string;
          /** @description Credits, with at most six decimals: a call that would cost more is refused. */
          readonly max_credits?: number | null;
        };
      };
    };
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly 'Idempotency-Replayed': components['headers']['IdempotencyReplayed'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "execution_id": "exec_00000000000000000000000000000001",
           *       "result": {
           *         "data": {
           *           "things": [
           *             {
           *               "index": 0,
           *               "name": "thing 0 ü"
           *             },
           *             {
           *               "index": 1,
           *               "name": "thing 1 ü"
           *             },
           *             {
           *               "index": 2,
           *               "name": "thing 2 ü"
           *             }
           *           ]
           *         }
           *       },
           *       "success": true,
           *       "error_message": null,
           *       "execution_time": 1,
           *       "elapsed_time_ms": 1,
           *       "billing": {
           *         "summary": "1 call × 0.5 credits = 0.5 credits",
           *         "list_amount_credits": 0.5,
           *         "charge_lines": [
           *           {
           *             "component_key": "call",
           *             "description": "0.5 credits per call",
           *             "quantity": 1,
           *             "unit_label": "call",
           *             "amount_credits": 0.5
           *           }
           *         ]
           *       },
           *       "execution_outcome": {
           *         "outcome": "success",
           *         "reason_code": "result.valid",
           *         "transport_success": true,
           *         "provider_success": true,
           *         "billable_success": true,
           *         "result_valid": true,
           *         "user_message": "The tool returned a valid result.",
           *         "retryable": false
           *       },
           *       "cost": 0.5,
           *       "remaining_credits": 19.5
           *     }
           */
          readonly 'application/json': components['schemas']['ExecuteAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequestOfCall'];
      readonly 401: components['responses']['UnauthorizedOfCall'];
      readonly 402: components['responses']['PaymentRequiredOfCall'];
      readonly 403: components['responses']['ForbiddenOfCall'];
      readonly 404: components['responses']['NotFoundOfCall'];
      readonly 408: components['responses']['RequestTimeoutOfCall'];
      readonly 409: components['responses']['ConflictOfCall'];
      readonly 413: components['responses']['PayloadTooLargeOfCall'];
      readonly 415: components['responses']['UnsupportedMediaTypeOfCall'];
      readonly 422: components['responses']['UnprocessableEntityOfCall'];
      readonly 429: components['responses']['TooManyRequestsOfCall'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLargeOfCall'];
      readonly 500: components['responses']['InternalServerErrorOfCall'];
      readonly 502: components['responses']['BadGatewayOfCall'];
      readonly 503: components['responses']['ServiceUnavailableOfCall'];
      readonly 504: components['responses']['GatewayTimeoutOfCall'];
    };
  };
  readonly queryCapability: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Of this account, one call is made with it: whoever repeats the request gets the same answer. */
        readonly 'Idempotency-Key'?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "capability_id": "geo.distance",
         *       "parameters": {
         *         "from_latitude": 52.52,
         *         "from_longitude": 13.405,
         *         "to_latitude": 48.8566,
         *         "to_longitude": 2.3522
         *       },
         *       "provider_id": "toolbox",
         *       "max_credits": 1
         *     }
         */
        readonly 'application/json': {
          readonly capability_id?: string | null;
          readonly query?: string | null;
          readonly parameters?: {
            readonly [key: string]: unknown;
          } | null;
          readonly params?: {
            readonly [key: string]: unknown;
          } | null;
          readonly max_credits?: number | null;
          readonly max_response_size?: number | null;
          readonly session_id?: string | null;
          readonly search_id?: string | null;
          readonly run_id?: string | null;
          readonly provider_id?: string | null;
          readonly provider_ids?: readonly string[] | null;
          /** @enum {unknown} */
          readonly prefer?: 'price' | 'speed' | 'quality' | null;
        };
      };
    };
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly 'Idempotency-Replayed': components['headers']['IdempotencyReplayed'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "execution_id": "exec_00000000000000000000000000000002",
           *       "capability_id": "geo.distance",
           *       "contract_version": 1,
           *       "schema_hash": "0000000000000000000000000000000000000000000000000000000000000001",
           *       "result": {
           *         "status_code": 200,
           *         "data": {
           *           "distance_km": 878.446,
           *           "method": "great_circle"
           *         }
           *       },
           *       "success": true,
           *       "error_message": null,
           *       "execution_time": 1,
           *       "elapsed_time_ms": 1,
           *       "billing": {
           *         "summary": "1 call × 0.5 credits = 0.5 credits",
           *         "list_amount_credits": 0.5,
           *         "charge_lines": [
           *           {
           *             "component_key": "call",
           *             "description": "0.5 credits per call",
           *             "quantity": 1,
           *             "unit_label": "call",
           *             "amount_credits": 0.5
           *           }
           *         ]
           *       },
           *       "execution_outcome": {
           *         "outcome": "success",
           *         "reason_code": "result.valid",
           *         "transport_success": true,
           *         "provider_success": true,
           *         "billable_success": true,
           *         "result_valid": true,
           *         "user_message": "The tool returned a valid result.",
           *         "retryable": false
           *       },
           *       "cost": 0.5,
           *       "remaining_credits": 19.5,
           *       "credits_used": 0.5,
           *       "parameters": {
           *         "from_latitude": 52.52,
           *         "from_longitude": 13.405,
           *         "to_latitude": 48.8566,
           *         "to_longitude": 2.3522
           *       },
           *       "routing": {
           *         "candidates": [
           *           {
           *             "tool_id": "toolbox.distance.haversine.v1",
           *             "provider_id": "toolbox",
           *             "upper_price_credits": 0.5,
           *             "score": 1,
           *             "factors": {
           *               "price": 0.166667,
           *               "quality": 1,
           *               "speed": 1,
           *               "freshness": 0.9,
           *               "verification": 0.8
           *             },
           *             "calls": 1,
           *             "exploration": false,
           *             "explanation": "explanation"
           *           }
           *         ],
           *         "excluded": [],
           *         "not_asked": [
           *           "atlas.distance.geodesic.v1"
           *         ],
           *         "chosen": "toolbox.distance.haversine.v1",
           *         "attempts": [
           *           {
           *             "tool_id": "toolbox.distance.haversine.v1",
           *             "tool_version": 1,
           *             "status": "served",
           *             "outcome": "success",
           *             "reason": "result.valid",
           *             "elapsed_time_ms": 1
           *           }
           *         ]
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['CapabilityAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequestOfCapability'];
      readonly 401: components['responses']['UnauthorizedOfCapability'];
      readonly 402: components['responses']['PaymentRequiredOfCapability'];
      readonly 403: components['responses']['ForbiddenOfCapability'];
      readonly 404: components['responses']['NotFoundOfCapability'];
      readonly 408: components['responses']['RequestTimeoutOfCapability'];
      readonly 409: components['responses']['ConflictOfCapability'];
      readonly 413: components['responses']['PayloadTooLargeOfCapability'];
      readonly 415: components['responses']['UnsupportedMediaTypeOfCapability'];
      readonly 422: components['responses']['UnprocessableEntityOfCapability'];
      readonly 429: components['responses']['TooManyRequestsOfCapability'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLargeOfCapability'];
      readonly 500: components['responses']['InternalServerErrorOfCapability'];
      readonly 502: components['responses']['BadGatewayOfCapability'];
      readonly 503: components['responses']['ServiceUnavailableOfCapability'];
      readonly 504: components['responses']['GatewayTimeoutOfCapability'];
    };
  };
  readonly listCapabilities: {
    readonly parameters: {
      readonly query?: {
        /** @description Words that names and descriptions are searched for. */
        readonly query?: string;
        /** @description Items of the list that are passed over. */
        readonly skip?: number;
        /** @description Items of an answer, at most; of a summary, its largest amounts. */
        readonly limit?: number;
        /** @description Language of names and descriptions. */
        readonly lang?: 'en' | 'zh';
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "total": 1,
           *       "items": [
           *         {
           *           "capability_id": "shelf.things.list",
           *           "name": "List",
           *           "description": "Gives the list things of shelf.",
           *           "candidate_count": 0
           *         }
           *       ]
           *     }
           */
          readonly 'application/json': components['schemas']['CapabilitiesAnswer'];
        };
      };
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 422: components['responses']['UnprocessableEntity'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly getCapability: {
    readonly parameters: {
      readonly query?: {
        /** @description The run that a delegation token is held to. */
        readonly run_id?: string;
        /** @description What is of this provider; the one that a delegation token is held to. */
        readonly provider_id?: string;
      };
      readonly header?: never;
      readonly path: {
        /** @description Id of the capability. */
        readonly capability_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "capability_id": "shelf.things.list",
           *       "name": "List",
           *       "description": "Gives the list things of shelf.",
           *       "params": [],
           *       "field_spec": {},
           *       "examples": {},
           *       "remaining_credits": 7.5
           *     }
           */
          readonly 'application/json': components['schemas']['CapabilityDetailAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 402: components['responses']['PaymentRequired'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 414: components['responses']['URITooLong'];
      readonly 422: components['responses']['UnprocessableEntity'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly getExecutionByIdempotencyKey: {
    readonly parameters: {
      readonly query: {
        /** @description The idempotency key that the call was sent with. */
        readonly key: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "The call is still running",
           *       "status_code": 0,
           *       "data": {
           *         "status": "pending",
           *         "execution_id": "exec_00000000000000000000000000000008",
           *         "execution_state": "pending",
           *         "provider_request_dispatched": true,
           *         "settlement_state": "pending",
           *         "retry_disposition": "reconcile_first"
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['ExecutionLookUpAnswer'];
        };
      };
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 422: components['responses']['UnprocessableEntity'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly getExecution: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description As the call was answered. */
        readonly execution_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "Call retrieved",
           *       "status_code": 0,
           *       "data": {
           *         "status": "completed",
           *         "execution_id": "exec_00000000000000000000000000000001",
           *         "execution_state": "completed",
           *         "provider_request_dispatched": true,
           *         "settlement_state": "settled",
           *         "amount_credits": 0.5,
           *         "ledger_entry_id": "led_00000000000000000000000000000009",
           *         "retry_disposition": "terminal",
           *         "response": {
           *           "execution_id": "exec_00000000000000000000000000000001",
           *           "result": {
           *             "data": {
           *               "things": [
           *                 {
           *                   "index": 0,
           *                   "name": "thing 0 ü"
           *                 },
           *                 {
           *                   "index": 1,
           *                   "name": "thing 1 ü"
           *                 },
           *                 {
           *                   "index": 2,
           *                   "name": "thing 2 ü"
           *                 }
           *               ]
           *             }
           *           },
           *           "success": true,
           *           "error_message": null,
           *           "execution_time": 1,
           *           "elapsed_time_ms": 1,
           *           "billing": {
           *             "summary": "1 call × 0.5 credits = 0.5 credits",
           *             "list_amount_credits": 0.5,
           *             "charge_lines": [
           *               {
           *                 "component_key": "call",
           *                 "description": "0.5 credits per call",
           *                 "quantity": 1,
           *                 "unit_label": "call",
           *                 "amount_credits": 0.5
           *               }
           *             ]
           *           },
           *           "execution_outcome": {
           *             "outcome": "success",
           *             "reason_code": "result.valid",
           *             "transport_success": true,
           *             "provider_success": true,
           *             "billable_success": true,
           *             "result_valid": true,
           *             "user_message": "The tool returned a valid result.",
           *             "retryable": false
           *           },
           *           "cost": 0.5,
           *           "remaining_credits": 19.5
           *         },
           *         "response_http_status": 200
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['ExecutionLookUpAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 414: components['responses']['URITooLong'];
      readonly 422: components['responses']['UnprocessableEntity'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly getResult: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description The end of the link in a shortened answer. */
        readonly token: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /** @example {"rows":[1,2,3]} */
          readonly 'application/octet-stream': unknown;
        };
      };
      /** @description Partial Content: A part of it. */
      readonly 206: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/octet-stream': unknown;
        };
      };
      /** @description Not Modified: The caller has it already. */
      readonly 304: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 404: components['responses']['NotFound'];
      readonly 410: components['responses']['Gone'];
      readonly 414: components['responses']['URITooLong'];
      readonly 416: components['responses']['RangeNotSatisfiable'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly headResult: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description The end of the link in a shortened answer. */
        readonly token: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/octet-stream': unknown;
        };
      };
      /** @description Not Modified: The caller has it already. */
      readonly 304: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadRequestWithoutBody'];
      readonly 404: components['responses']['NotFoundWithoutBody'];
      readonly 410: components['responses']['GoneWithoutBody'];
      readonly 414: components['responses']['URITooLongWithoutBody'];
      readonly 429: components['responses']['TooManyRequestsWithoutBody'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLargeWithoutBody'];
      readonly 500: components['responses']['InternalServerErrorWithoutBody'];
      readonly 502: components['responses']['BadGatewayWithoutBody'];
      readonly 503: components['responses']['ServiceUnavailableWithoutBody'];
      readonly 504: components['responses']['GatewayTimeoutWithoutBody'];
    };
  };
  readonly getCredits: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "Credits retrieved",
           *       "status_code": 0,
           *       "data": {
           *         "remaining_credits": 1,
           *         "held_credits": 0,
           *         "daily_free": {
           *           "remaining": 0,
           *           "total": 0
           *         },
           *         "invite_reward": {
           *           "remaining": 0,
           *           "total": 0
           *         },
           *         "welcome_bonus": {
           *           "remaining": 1,
           *           "initial": 1
           *         },
           *         "purchased": {
           *           "remaining": 0,
           *           "total": 0
           *         },
           *         "trial": {
           *           "remaining": 0,
           *           "total": 0
           *         }
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['CreditsAnswer'];
        };
      };
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly getCreditsShort: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "Credits retrieved",
           *       "status_code": 0,
           *       "data": {
           *         "remaining_credits": 19.497,
           *         "held_credits": 0,
           *         "daily_free": {
           *           "remaining": 0,
           *           "total": 0
           *         },
           *         "invite_reward": {
           *           "remaining": 0,
           *           "total": 0
           *         },
           *         "welcome_bonus": {
           *           "remaining": 19.497,
           *           "initial": 20.5
           *         },
           *         "purchased": {
           *           "remaining": 0,
           *           "total": 0
           *         },
           *         "trial": {
           *           "remaining": 0,
           *           "total": 0
           *         }
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['CreditsAnswer'];
        };
      };
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly listUsage: {
    readonly parameters: {
      readonly query?: {
        /** @description Number of the page, from 1 on. */
        readonly page?: number;
        /** @description Items of a page. */
        readonly page_size?: number;
        /** @description Items of an answer, at most; of a summary, its largest amounts. */
        readonly limit?: number;
        /** @description With the details of each event. */
        readonly include_details?: boolean;
        /** @description A summary of what was selected, in place of the items. */
        readonly summary?: boolean;
        /** @description Length of the times by which the summary counts. */
        readonly bucket?: 'hour' | 'day' | 'week';
        /** @description Begin of the time, inclusive: a date, or a time of ISO 8601. */
        readonly start_date?: string;
        /** @description End of the time: a date, which is inclusive, or a time of ISO 8601. */
        readonly end_date?: string;
        /** @description Events of this type. */
        readonly event_type?: 'search' | 'search_by_ids' | 'tool_execute' | 'capabilities_query' | 'model_call';
        /** @description What is of this kind. */
        readonly kind?: 'discover' | 'call' | 'model';
        /** @description Events with or without success. */
        readonly success?: boolean;
        /** @description Events with or without a result worth charging for. */
        readonly billable_success?: boolean;
        /** @description Events with this outcome. */
        readonly outcome?:
          | 'success'
          | 'partial_success'
          | 'empty_result'
          | 'provider_failure'
          | 'transport_failure'
          | 'refused'
          | 'interrupted';
        /** @description Events with this reason code. */
        readonly reason_code?:
          | 'result.valid'
          | 'result.partial_success'
          | 'result.empty'
          | 'provider.error'
          | 'provider.http_error'
          | 'provider.rate_limited'
          | 'provider.auth_or_permission'
          | 'transport.timeout'
          | 'transport.no_response'
          | 'transport.execution_failed'
          | 'validation_error'
          | 'tool_unavailable'
          | 'region_restricted'
          | 'oauth_signin_required'
          | 'insufficient_credits'
          | 'budget_exceeded';
        /** @description Events with or without an outcome of a call. */
        readonly has_execution_outcome?: boolean;
        /** @description Events that were charged, or not, in this way. */
        readonly charge_outcome?: 'charged' | 'included' | 'failed_not_charged' | 'failed_charged_review';
        /** @description Events that contradict the ledger in this way. */
        readonly anomaly?: 'failed_charged_review' | 'missing_ledger_link' | 'missing_billing_snapshot';
        /** @description Events that belong to this search. */
        readonly search_id?: string;
        /** @description The events of this call. */
        readonly execution_id?: string;
        /** @description Events of this key. */
        readonly api_key_id?: string;
        /** @description Events of this program. */
        readonly oauth_client_id?: string;
        /** @description Events of this project. */
        readonly project_id?: string;
        /** @description Events of credentials of this type. */
        readonly credential_type?: 'api_key' | 'access_token' | 'delegation_token';
        /** @description From this amount of credits on. */
        readonly min_credits?: number;
        /** @description Up to this amount of credits. */
        readonly max_credits?: number;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "Usage history retrieved",
           *       "status_code": 0,
           *       "data": {
           *         "items": [
           *           {
           *             "id": "00000000-0000-7000-8000-000000000007",
           *             "event_type": "tool_execute",
           *             "kind": "call",
           *             "source_system": "execution",
           *             "source_ref_type": "execution",
           *             "source_ref_id": "exec_00000000000000000000000000000007",
           *             "session_id": "a task",
           *             "search_id": "srch_00000000000000000000000000000008",
           *             "execution_id": "exec_00000000000000000000000000000007",
           *             "tool_id": "provider.things.list.v1",
           *             "success": true,
           *             "charge_outcome": "charged",
           *             "reason_code": "result.valid",
           *             "error_message": null,
           *             "duration_ms": 1,
           *             "request_payload": {
           *               "tool_id": "provider.things.list.v1",
           *               "parameters": {
           *                 "size": 3
           *               },
           *               "search_id": "srch_00000000000000000000000000000008",
           *               "session_id": "a task",
           *               "model": "large-1"
           *             },
           *             "response_payload_summary": {
           *               "size_bytes": 108,
           *               "preview": "{\"things\":[{\"index\":0,\"name\":\"thing 0 ü\"},{\"index\":1,\"name\":\"thing 1 ü\"},{\"index\":2,\"name\":\"thing 2 ü\"}]}"
           *             },
           *             "execution_outcome": {
           *               "outcome": "success",
           *               "reason_code": "result.valid",
           *               "provider_success": true,
           *               "billable_success": true,
           *               "result_valid": true,
           *               "user_message": "The tool returned a valid result."
           *             },
           *             "provider_id": "provider",
           *             "outcome": "success",
           *             "outcome_status": "success",
           *             "outcome_message": "The tool returned a valid result.",
           *             "transport_success": true,
           *             "provider_success": true,
           *             "result_valid": true,
           *             "billable_success": true,
           *             "provider_status_code": null,
           *             "http_status_code": 200,
           *             "valid_result_count": null,
           *             "raw_result_count": null,
           *             "chargeable_quantity": 1,
           *             "retryable": false,
           *             "display_severity": "info",
           *             "billing_snapshot_status": "settled",
           *             "billing_rule_snapshot": {
           *               "unit": "call",
           *               "amount_credits": 0.5,
           *               "metering_mode": "call"
           *             },
           *             "pre_settlement_bill": {
           *               "summary": "1 call × 0.5 credits = 0.5 credits",
           *               "list_amount_credits": 0.5,
           *               "charge_lines": [
           *                 {
           *                   "component_key": "call",
           *                   "description": "0.5 credits per call",
           *                   "quantity": 1,
           *                   "unit_label": "call",
           *                   "amount_credits": 0.5
           *                 }
           *               ]
           *             },
           *             "settlement_result": {
           *               "status": "settled",
           *               "settled_amount_credits": 0.5
           *             },
           *             "pre_settlement_amount_credits": 0.5,
           *             "requested_amount_credits": 0.5,
           *             "settled_amount_credits": 0.5,
           *             "actual_amount_credits": 0.5,
           *             "credits_ledger_entry_id": "led_00000000000000000000000000000009",
           *             "display_target": "provider.things.list.v1",
           *             "billing_summary": "1 call × 0.5 credits = 0.5 credits",
           *             "credential_type": "api_key",
           *             "api_key": {
           *               "id": "00000000-0000-7000-8000-000000000002",
           *               "name": "acceptance key",
           *               "masked_value": "mask-of-key-of-anna"
           *             },
           *             "api_key_attribution_status": "attributed",
           *             "model": "large-1",
           *             "billing_unit": "call",
           *             "unit_price_credits": 0.5,
           *             "quantity": 1,
           *             "served_from_cache": false,
           *             "list_amount_credits": 0.5,
           *             "minimum_charge_credits": null,
           *             "created_at": "2026-01-01T00:00:00Z",
           *             "effective_at": "2026-01-01T00:00:00Z"
           *           }
           *         ],
           *         "total": 1,
           *         "page": 1,
           *         "page_size": 1,
           *         "summary": null
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['UsageListAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 422: components['responses']['UnprocessableEntity'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly feedUsage: {
    readonly parameters: {
      readonly query?: {
        /** @description The cursor that the page before ended with. */
        readonly cursor?: string;
        /** @description Items of a page. */
        readonly page_size?: number;
        /** @description Begin of the time, inclusive: a date, or a time of ISO 8601. */
        readonly start_date?: string;
        /** @description End of the time: a date, which is inclusive, or a time of ISO 8601. */
        readonly end_date?: string;
        /** @description Events of this type. */
        readonly event_type?: 'search' | 'search_by_ids' | 'tool_execute' | 'capabilities_query' | 'model_call';
        /** @description What is of this kind. */
        readonly kind?: 'discover' | 'call' | 'model';
        /** @description Events with or without success. */
        readonly success?: boolean;
        /** @description Events with or without a result worth charging for. */
        readonly billable_success?: boolean;
        /** @description Events with this outcome. */
        readonly outcome?:
          | 'success'
          | 'partial_success'
          | 'empty_result'
          | 'provider_failure'
          | 'transport_failure'
          | 'refused'
          | 'interrupted';
        /** @description Events with this reason code. */
        readonly reason_code?:
          | 'result.valid'
          | 'result.partial_success'
          | 'result.empty'
          | 'provider.error'
          | 'provider.http_error'
          | 'provider.rate_limited'
          | 'provider.auth_or_permission'
          | 'transport.timeout'
          | 'transport.no_response'
          | 'transport.execution_failed'
          | 'validation_error'
          | 'tool_unavailable'
          | 'region_restricted'
          | 'oauth_signin_required'
          | 'insufficient_credits'
          | 'budget_exceeded';
        /** @description Events with or without an outcome of a call. */
        readonly has_execution_outcome?: boolean;
        /** @description Events that were charged, or not, in this way. */
        readonly charge_outcome?: 'charged' | 'included' | 'failed_not_charged' | 'failed_charged_review';
        /** @description Events that contradict the ledger in this way. */
        readonly anomaly?: 'failed_charged_review' | 'missing_ledger_link' | 'missing_billing_snapshot';
        /** @description Events that belong to this search. */
        readonly search_id?: string;
        /** @description The events of this call. */
        readonly execution_id?: string;
        /** @description Events of this key. */
        readonly api_key_id?: string;
        /** @description Events of this program. */
        readonly oauth_client_id?: string;
        /** @description Events of this project. */
        readonly project_id?: string;
        /** @description Events of credentials of this type. */
        readonly credential_type?: 'api_key' | 'access_token' | 'delegation_token';
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "Usage summary retrieved",
           *       "status_code": 0,
           *       "data": {
           *         "items": [
           *           {
           *             "id": "00000000-0000-7000-8000-000000000001",
           *             "event_type": "tool_execute",
           *             "kind": "call",
           *             "source_system": "execution",
           *             "source_ref_type": "execution",
           *             "source_ref_id": "exec_00000000000000000000000000000001",
           *             "session_id": null,
           *             "search_id": null,
           *             "execution_id": "exec_00000000000000000000000000000001",
           *             "tool_id": "provider.things.list.v1",
           *             "success": false,
           *             "charge_outcome": "failed_not_charged",
           *             "reason_code": "validation_error",
           *             "error_message": "Invalid parameters for provider.things.list.v1: parameters.size: Field required. Correct the fields in details; POST /tools/by-ids shows the params of this tool.",
           *             "duration_ms": 1,
           *             "provider_id": "provider",
           *             "outcome": "refused",
           *             "outcome_status": "failure",
           *             "outcome_message": "Invalid parameters for provider.things.list.v1: parameters.size: Field required. Correct the fields in details; POST /tools/by-ids shows the params of this tool.",
           *             "transport_success": false,
           *             "provider_success": false,
           *             "result_valid": false,
           *             "billable_success": false,
           *             "provider_status_code": null,
           *             "http_status_code": 422,
           *             "valid_result_count": null,
           *             "raw_result_count": null,
           *             "chargeable_quantity": null,
           *             "retryable": false,
           *             "display_severity": "warning",
           *             "billing_snapshot_status": "not_applicable",
           *             "pre_settlement_amount_credits": 0,
           *             "requested_amount_credits": 0,
           *             "settled_amount_credits": 0,
           *             "actual_amount_credits": 0,
           *             "credits_ledger_entry_id": null,
           *             "display_target": "provider.things.list.v1",
           *             "billing_summary": "Not charged",
           *             "credential_type": "api_key",
           *             "api_key": {
           *               "id": "00000000-0000-7000-8000-000000000002",
           *               "name": "acceptance key",
           *               "masked_value": "mask-of-key-of-anna"
           *             },
           *             "api_key_attribution_status": "attributed",
           *             "model": null,
           *             "billing_unit": "call",
           *             "unit_price_credits": 0.5,
           *             "quantity": null,
           *             "served_from_cache": false,
           *             "list_amount_credits": 0,
           *             "minimum_charge_credits": null,
           *             "created_at": "2026-01-01T00:00:00Z",
           *             "effective_at": "2026-01-01T00:00:00Z",
           *             "details_available": true
           *           },
           *           {
           *             "id": "00000000-0000-7000-8000-000000000003",
           *             "event_type": "tool_execute",
           *             "kind": "call",
           *             "source_system": "execution",
           *             "source_ref_type": "execution",
           *             "source_ref_id": "exec_00000000000000000000000000000003",
           *             "session_id": null,
           *             "search_id": null,
           *             "execution_id": "exec_00000000000000000000000000000003",
           *             "tool_id": "provider.things.empty.v1",
           *             "success": false,
           *             "charge_outcome": "failed_not_charged",
           *             "reason_code": "result.empty",
           *             "error_message": "The tool answered, but had no result for these parameters. The call is not charged.",
           *             "duration_ms": 1,
           *             "provider_id": "provider",
           *             "outcome": "empty_result",
           *             "outcome_status": "failure",
           *             "outcome_message": "The tool answered, but had no result for these parameters. The call is not charged.",
           *             "transport_success": true,
           *             "provider_success": true,
           *             "result_valid": false,
           *             "billable_success": false,
           *             "provider_status_code": null,
           *             "http_status_code": 200,
           *             "valid_result_count": 0,
           *             "raw_result_count": 0,
           *             "chargeable_quantity": null,
           *             "retryable": false,
           *             "display_severity": "warning",
           *             "billing_snapshot_status": "not_applicable",
           *             "pre_settlement_amount_credits": 0,
           *             "requested_amount_credits": 0,
           *             "settled_amount_credits": 0,
           *             "actual_amount_credits": 0,
           *             "credits_ledger_entry_id": null,
           *             "display_target": "provider.things.empty.v1",
           *             "billing_summary": "Not charged",
           *             "credential_type": "api_key",
           *             "api_key": {
           *               "id": "00000000-0000-7000-8000-000000000002",
           *               "name": "acceptance key",
           *               "masked_value": "mask-of-key-of-anna"
           *             },
           *             "api_key_attribution_status": "attributed",
           *             "model": null,
           *             "billing_unit": "call",
           *             "unit_price_credits": 0.5,
           *             "quantity": null,
           *             "served_from_cache": false,
           *             "list_amount_credits": 0,
           *             "minimum_charge_credits": null,
           *             "created_at": "2026-01-01T00:00:00Z",
           *             "effective_at": "2026-01-01T00:00:00Z",
           *             "details_available": true
           *           },
           *           {
           *             "id": "00000000-0000-7000-8000-000000000004",
           *             "event_type": "tool_execute",
           *             "kind": "call",
           *             "source_system": "execution",
           *             "source_ref_type": "execution",
           *             "source_ref_id": "exec_00000000000000000000000000000004",
           *             "session_id": null,
           *             "search_id": null,
           *             "execution_id": "exec_00000000000000000000000000000004",
           *             "tool_id": "provider.things.failing.v1",
           *             "success": false,
           *             "charge_outcome": "failed_not_charged",
           *             "reason_code": "provider.http_error",
           *             "error_message": "The provider answered 500 Internal Server Error. It says: \"out of things\"",
           *             "duration_ms": 1,
           *             "provider_id": "provider",
           *             "outcome": "provider_failure",
           *             "outcome_status": "failure",
           *             "outcome_message": "The provider answered with an HTTP error.",
           *             "transport_success": true,
           *             "provider_success": false,
           *             "result_valid": false,
           *             "billable_success": false,
           *             "provider_status_code": 500,
           *             "http_status_code": 200,
           *             "valid_result_count": null,
           *             "raw_result_count": null,
           *             "chargeable_quantity": null,
           *             "retryable": true,
           *             "display_severity": "warning",
           *             "billing_snapshot_status": "not_applicable",
           *             "pre_settlement_amount_credits": 0,
           *             "requested_amount_credits": 0,
           *             "settled_amount_credits": 0,
           *             "actual_amount_credits": 0,
           *             "credits_ledger_entry_id": null,
           *             "display_target": "provider.things.failing.v1",
           *             "billing_summary": "Not charged",
           *             "credential_type": "api_key",
           *             "api_key": {
           *               "id": "00000000-0000-7000-8000-000000000002",
           *               "name": "acceptance key",
           *               "masked_value": "mask-of-key-of-anna"
           *             },
           *             "api_key_attribution_status": "attributed",
           *             "model": null,
           *             "billing_unit": "call",
           *             "unit_price_credits": 0.5,
           *             "quantity": null,
           *             "served_from_cache": false,
           *             "list_amount_credits": 0,
           *             "minimum_charge_credits": null,
           *             "created_at": "2026-01-01T00:00:00Z",
           *             "effective_at": "2026-01-01T00:00:00Z",
           *             "details_available": true
           *           }
           *         ],
           *         "has_more": true,
           *         "page_size": 3,
           *         "next_cursor": "cursor-1"
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['UsageFeedAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 422: components['responses']['UnprocessableEntity'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly exportUsage: {
    readonly parameters: {
      readonly query?: {
        /** @description From this amount of credits on. */
        readonly min_credits?: number;
        /** @description Up to this amount of credits. */
        readonly max_credits?: number;
        /** @description Begin of the time, inclusive: a date, or a time of ISO 8601. */
        readonly start_date?: string;
        /** @description End of the time: a date, which is inclusive, or a time of ISO 8601. */
        readonly end_date?: string;
        /** @description Events of this type. */
        readonly event_type?: 'search' | 'search_by_ids' | 'tool_execute' | 'capabilities_query' | 'model_call';
        /** @description What is of this kind. */
        readonly kind?: 'discover' | 'call' | 'model';
        /** @description Events with or without success. */
        readonly success?: boolean;
        /** @description Events with or without a result worth charging for. */
        readonly billable_success?: boolean;
        /** @description Events with this outcome. */
        readonly outcome?:
          | 'success'
          | 'partial_success'
          | 'empty_result'
          | 'provider_failure'
          | 'transport_failure'
          | 'refused'
          | 'interrupted';
        /** @description Events with this reason code. */
        readonly reason_code?:
          | 'result.valid'
          | 'result.partial_success'
          | 'result.empty'
          | 'provider.error'
          | 'provider.http_error'
          | 'provider.rate_limited'
          | 'provider.auth_or_permission'
          | 'transport.timeout'
          | 'transport.no_response'
          | 'transport.execution_failed'
          | 'validation_error'
          | 'tool_unavailable'
          | 'region_restricted'
          | 'oauth_signin_required'
          | 'insufficient_credits'
          | 'budget_exceeded';
        /** @description Events with or without an outcome of a call. */
        readonly has_execution_outcome?: boolean;
        /** @description Events that were charged, or not, in this way. */
        readonly charge_outcome?: 'charged' | 'included' | 'failed_not_charged' | 'failed_charged_review';
        /** @description Events that contradict the ledger in this way. */
        readonly anomaly?: 'failed_charged_review' | 'missing_ledger_link' | 'missing_billing_snapshot';
        /** @description Events that belong to this search. */
        readonly search_id?: string;
        /** @description The events of this call. */
        readonly execution_id?: string;
        /** @description Events of this key. */
        readonly api_key_id?: string;
        /** @description Events of this program. */
        readonly oauth_client_id?: string;
        /** @description Events of this project. */
        readonly project_id?: string;
        /** @description Events of credentials of this type. */
        readonly credential_type?: 'api_key' | 'access_token' | 'delegation_token';
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /** @example id,event_type,success,charge_outcome,actual_amount_credits */
          readonly 'text/csv': unknown;
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 422: components['responses']['UnprocessableEntity'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly getUsageEvent: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Id of the usage event. */
        readonly event_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "Usage event retrieved",
           *       "status_code": 0,
           *       "data": {
           *         "id": "00000000-0000-7000-8000-000000000007",
           *         "event_type": "tool_execute",
           *         "kind": "call",
           *         "source_system": "execution",
           *         "source_ref_type": "execution",
           *         "source_ref_id": "exec_00000000000000000000000000000007",
           *         "session_id": "a task",
           *         "search_id": "srch_00000000000000000000000000000008",
           *         "execution_id": "exec_00000000000000000000000000000007",
           *         "tool_id": "provider.things.list.v1",
           *         "success": true,
           *         "charge_outcome": "charged",
           *         "reason_code": "result.valid",
           *         "error_message": null,
           *         "duration_ms": 1,
           *         "request_payload": {
           *           "tool_id": "provider.things.list.v1",
           *           "parameters": {
           *             "size": 3
           *           },
           *           "search_id": "srch_00000000000000000000000000000008",
           *           "session_id": "a task",
           *           "model": "large-1"
           *         },
           *         "response_payload_summary": {
           *           "size_bytes": 108,
           *           "preview": "{\"things\":[{\"index\":0,\"name\":\"thing 0 ü\"},{\"index\":1,\"name\":\"thing 1 ü\"},{\"index\":2,\"name\":\"thing 2 ü\"}]}"
           *         },
           *         "execution_outcome": {
           *           "outcome": "success",
           *           "reason_code": "result.valid",
           *           "provider_success": true,
           *           "billable_success": true,
           *           "result_valid": true,
           *           "user_message": "The tool returned a valid result."
           *         },
           *         "provider_id": "provider",
           *         "outcome": "success",
           *         "outcome_status": "success",
           *         "outcome_message": "The tool returned a valid result.",
           *         "transport_success": true,
           *         "provider_success": true,
           *         "result_valid": true,
           *         "billable_success": true,
           *         "provider_status_code": null,
           *         "http_status_code": 200,
           *         "valid_result_count": null,
           *         "raw_result_count": null,
           *         "chargeable_quantity": 1,
           *         "retryable": false,
           *         "display_severity": "info",
           *         "billing_snapshot_status": "settled",
           *         "billing_rule_snapshot": {
           *           "unit": "call",
           *           "amount_credits": 0.5,
           *           "metering_mode": "call"
           *         },
           *         "pre_settlement_bill": {
           *           "summary": "1 call × 0.5 credits = 0.5 credits",
           *           "list_amount_credits": 0.5,
           *           "charge_lines": [
           *             {
           *               "component_key": "call",
           *               "description": "0.5 credits per call",
           *               "quantity": 1,
           *               "unit_label": "call",
           *               "amount_credits": 0.5
           *             }
           *           ]
           *         },
           *         "settlement_result": {
           *           "status": "settled",
           *           "settled_amount_credits": 0.5
           *         },
           *         "pre_settlement_amount_credits": 0.5,
           *         "requested_amount_credits": 0.5,
           *         "settled_amount_credits": 0.5,
           *         "actual_amount_credits": 0.5,
           *         "credits_ledger_entry_id": "led_00000000000000000000000000000009",
           *         "display_target": "provider.things.list.v1",
           *         "billing_summary": "1 call × 0.5 credits = 0.5 credits",
           *         "credential_type": "api_key",
           *         "api_key": {
           *           "id": "00000000-0000-7000-8000-000000000002",
           *           "name": "acceptance key",
           *           "masked_value": "mask-of-key-of-anna"
           *         },
           *         "api_key_attribution_status": "attributed",
           *         "model": "large-1",
           *         "billing_unit": "call",
           *         "unit_price_credits": 0.5,
           *         "quantity": 1,
           *         "served_from_cache": false,
           *         "list_amount_credits": 0.5,
           *         "minimum_charge_credits": null,
           *         "created_at": "2026-01-01T00:00:00Z",
           *         "effective_at": "2026-01-01T00:00:00Z"
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['UsageEventAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 414: components['responses']['URITooLong'];
      readonly 422: components['responses']['UnprocessableEntity'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly getCreditsSpent: {
    readonly parameters: {
      readonly query?: {
        /** @description Begin of the time, inclusive: a date, or a time of ISO 8601. */
        readonly start_date?: string;
        /** @description End of the time: a date, which is inclusive, or a time of ISO 8601. */
        readonly end_date?: string;
        /** @description What is of this kind. */
        readonly kind?: 'discover' | 'call' | 'model';
        /** @description Events that were charged, or not, in this way. */
        readonly charge_outcome?: 'charged' | 'included' | 'failed_not_charged' | 'failed_charged_review';
        /** @description Events of this project. */
        readonly project_id?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "Credits spent retrieved",
           *       "status_code": 0,
           *       "data": {
           *         "total_credits": 0.503
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['CreditsSpentAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 422: components['responses']['UnprocessableEntity'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly listLedger: {
    readonly parameters: {
      readonly query?: {
        /** @description Entries of this type. */
        readonly entry_type?:
          | 'grant_payment_recharge'
          | 'grant_welcome_bonus'
          | 'grant_invitation_reward'
          | 'grant_charge_refund'
          | 'grant_correction'
          | 'consume_tool_search'
          | 'consume_tool_execute'
          | 'consume_model_call'
          | 'consume_payment_refund'
          | 'consume_grant_expiry'
          | 'consume_correction';
        /** @description Entries that gave credits or took them. */
        readonly direction?: 'consume' | 'grant' | 'any';
        /** @description From this amount of credits on. */
        readonly min_credits?: number;
        /** @description Up to this amount of credits. */
        readonly max_credits?: number;
        /** @description The history of the account alone, or all entries. */
        readonly scope?: 'account_history' | 'all';
        /** @description Number of the page, from 1 on. */
        readonly page?: number;
        /** @description Items of a page. */
        readonly page_size?: number;
        /** @description Items of an answer, at most; of a summary, its largest amounts. */
        readonly limit?: number;
        /** @description A summary of what was selected, in place of the items. */
        readonly summary?: boolean;
        /** @description Length of the times by which the summary counts. */
        readonly bucket?: 'hour' | 'day' | 'week';
        /** @description Begin of the time, inclusive: a date, or a time of ISO 8601. */
        readonly start_date?: string;
        /** @description End of the time: a date, which is inclusive, or a time of ISO 8601. */
        readonly end_date?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "Credits ledger retrieved",
           *       "status_code": 0,
           *       "data": {
           *         "items": [
           *           {
           *             "id": "led_00000000000000000000000000000001",
           *             "entry_type": "consume_tool_execute",
           *             "amount_credits": -0.5,
           *             "source_system": "execution",
           *             "source_ref_type": "execution",
           *             "source_ref_id": "exec_00000000000000000000000000000002",
           *             "execution_id": "exec_00000000000000000000000000000002",
           *             "pre_settlement_bill": {
           *               "summary": "1 call × 0.5 credits = 0.5 credits",
           *               "charge_lines": [
           *                 {
           *                   "quantity": 1,
           *                   "unit_label": "call",
           *                   "description": "0.5 credits per call",
           *                   "component_key": "call",
           *                   "amount_credits": 0.5
           *                 }
           *               ],
           *               "list_amount_credits": 0.5
           *             },
           *             "settlement_result": {
           *               "status": "settled",
           *               "settled_amount_credits": 0.5
           *             },
           *             "balance_before": {
           *               "total_available_credits": 19.997
           *             },
           *             "balance_after": {
           *               "total_available_credits": 19.497
           *             },
           *             "ledger_metadata": {
           *               "tool_id": "provider.things.cached.v1",
           *               "provider_id": "provider"
           *             },
           *             "description": "provider.things.cached.v1: 1 call × 0.5 credits = 0.5 credits",
           *             "entry_seq": 4,
           *             "lots": [
           *               {
           *                 "lot_id": "led_00000000000000000000000000000003",
           *                 "category": "welcome_bonus",
           *                 "amount_credits": -0.5
           *               }
           *             ],
           *             "hash": "0000000000000000000000000000000000000000000000000000000000000001",
           *             "effective_at": "2026-01-01T00:00:00Z",
           *             "created_at": "2026-01-01T00:00:00Z"
           *           },
           *           {
           *             "id": "led_00000000000000000000000000000004",
           *             "entry_type": "consume_tool_execute",
           *             "amount_credits": -0.003,
           *             "source_system": "execution",
           *             "source_ref_type": "execution",
           *             "source_ref_id": "exec_00000000000000000000000000000005",
           *             "execution_id": "exec_00000000000000000000000000000005",
           *             "pre_settlement_bill": {
           *               "summary": "3 rows × 0.001 credits = 0.003 credits",
           *               "charge_lines": [
           *                 {
           *                   "quantity": 3,
           *                   "unit_label": "row",
           *                   "description": "0.001 credits per row",
           *                   "component_key": "result_rows",
           *                   "amount_credits": 0.003
           *                 }
           *               ],
           *               "list_amount_credits": 0.003
           *             },
           *             "settlement_result": {
           *               "status": "settled",
           *               "settled_amount_credits": 0.003
           *             },
           *             "balance_before": {
           *               "total_available_credits": 20
           *             },
           *             "balance_after": {
           *               "total_available_credits": 19.997
           *             },
           *             "ledger_metadata": {
           *               "tool_id": "provider.things.count.v1",
           *               "provider_id": "provider"
           *             },
           *             "description": "provider.things.count.v1: 3 rows × 0.001 credits = 0.003 credits",
           *             "entry_seq": 3,
           *             "lots": [
           *               {
           *                 "lot_id": "led_00000000000000000000000000000003",
           *                 "category": "welcome_bonus",
           *                 "amount_credits": -0.003
           *               }
           *             ],
           *             "hash": "0000000000000000000000000000000000000000000000000000000000000002",
           *             "effective_at": "2026-01-01T00:00:00Z",
           *             "created_at": "2026-01-01T00:00:00Z"
           *           },
           *           {
           *             "id": "led_00000000000000000000000000000006",
           *             "entry_type": "consume_tool_execute",
           *             "amount_credits": -0.5,
           *             "source_system": "execution",
           *             "source_ref_type": "execution",
           *             "source_ref_id": "exec_00000000000000000000000000000007",
           *             "execution_id": "exec_00000000000000000000000000000007",
           *             "pre_settlement_bill": {
           *               "summary": "1 call × 0.5 credits = 0.5 credits",
           *               "charge_lines": [
           *                 {
           *                   "quantity": 1,
           *                   "unit_label": "call",
           *                   "description": "0.5 credits per call",
           *                   "component_key": "call",
           *                   "amount_credits": 0.5
           *                 }
           *               ],
           *               "list_amount_credits": 0.5
           *             },
           *             "settlement_result": {
           *               "status": "settled",
           *               "settled_amount_credits": 0.5
           *             },
           *             "balance_before": {
           *               "total_available_credits": 20.5
           *             },
           *             "balance_after": {
           *               "total_available_credits": 20
           *             },
           *             "ledger_metadata": {
           *               "tool_id": "provider.things.list.v1",
           *               "session_id": "a task",
           *               "provider_id": "provider"
           *             },
           *             "description": "provider.things.list.v1: 1 call × 0.5 credits = 0.5 credits",
           *             "entry_seq": 2,
           *             "lots": [
           *               {
           *                 "lot_id": "led_00000000000000000000000000000003",
           *                 "category": "welcome_bonus",
           *                 "amount_credits": -0.5
           *               }
           *             ],
           *             "hash": "0000000000000000000000000000000000000000000000000000000000000003",
           *             "effective_at": "2026-01-01T00:00:00Z",
           *             "created_at": "2026-01-01T00:00:00Z"
           *           },
           *           {
           *             "id": "led_00000000000000000000000000000003",
           *             "entry_type": "grant_welcome_bonus",
           *             "amount_credits": 20.5,
           *             "source_system": "billing",
           *             "source_ref_type": "grant",
           *             "source_ref_id": "account-opened:acc_00000000000000000000000000000008",
           *             "execution_id": null,
           *             "pre_settlement_bill": null,
           *             "settlement_result": null,
           *             "balance_before": {
           *               "total_available_credits": 0
           *             },
           *             "balance_after": {
           *               "total_available_credits": 20.5
           *             },
           *             "ledger_metadata": {
           *               "category": "welcome_bonus"
           *             },
           *             "description": "Welcome bonus",
           *             "entry_seq": 1,
           *             "lots": [
           *               {
           *                 "lot_id": "led_00000000000000000000000000000003",
           *                 "category": "welcome_bonus",
           *                 "amount_credits": 20.5
           *               }
           *             ],
           *             "hash": "0000000000000000000000000000000000000000000000000000000000000004",
           *             "effective_at": "2026-01-01T00:00:00Z",
           *             "created_at": "2026-01-01T00:00:00Z"
           *           }
           *         ],
           *         "total": 4,
           *         "page": 1,
           *         "page_size": 4,
           *         "summary": null
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['LedgerListAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 422: components['responses']['UnprocessableEntity'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly exportLedger: {
    readonly parameters: {
      readonly query?: {
        /** @description The history of the account alone, or all entries. */
        readonly scope?: 'account_history' | 'all';
        /** @description Begin of the time, inclusive: a date, or a time of ISO 8601. */
        readonly start_date?: string;
        /** @description End of the time: a date, which is inclusive, or a time of ISO 8601. */
        readonly end_date?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /** @example id,entry_type,amount_credits,created_at */
          readonly 'text/csv': unknown;
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 422: components['responses']['UnprocessableEntity'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly getLedgerEntry: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Id of the entry. */
        readonly entry_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "Ledger entry retrieved",
           *       "status_code": 0,
           *       "data": {
           *         "id": "led_00000000000000000000000000000006",
           *         "entry_type": "consume_tool_execute",
           *         "amount_credits": -0.5,
           *         "source_system": "execution",
           *         "source_ref_type": "execution",
           *         "source_ref_id": "exec_00000000000000000000000000000007",
           *         "execution_id": "exec_00000000000000000000000000000007",
           *         "pre_settlement_bill": {
           *           "summary": "1 call × 0.5 credits = 0.5 credits",
           *           "charge_lines": [
           *             {
           *               "quantity": 1,
           *               "unit_label": "call",
           *               "description": "0.5 credits per call",
           *               "component_key": "call",
           *               "amount_credits": 0.5
           *             }
           *           ],
           *           "list_amount_credits": 0.5
           *         },
           *         "settlement_result": {
           *           "status": "settled",
           *           "settled_amount_credits": 0.5
           *         },
           *         "balance_before": {
           *           "total_available_credits": 20.5
           *         },
           *         "balance_after": {
           *           "total_available_credits": 20
           *         },
           *         "ledger_metadata": {
           *           "tool_id": "provider.things.list.v1",
           *           "session_id": "a task",
           *           "provider_id": "provider"
           *         },
           *         "description": "provider.things.list.v1: 1 call × 0.5 credits = 0.5 credits",
           *         "entry_seq": 2,
           *         "lots": [
           *           {
           *             "lot_id": "led_00000000000000000000000000000003",
           *             "category": "welcome_bonus",
           *             "amount_credits": -0.5
           *           }
           *         ],
           *         "hash": "0000000000000000000000000000000000000000000000000000000000000003",
           *         "effective_at": "2026-01-01T00:00:00Z",
           *         "created_at": "2026-01-01T00:00:00Z"
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['LedgerEntryAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 414: components['responses']['URITooLong'];
      readonly 422: components['responses']['UnprocessableEntity'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly getLedgerReadiness: {
    readonly parameters: {
      readonly query?: {
        /** @description Begin of the time, inclusive: a date, or a time of ISO 8601. */
        readonly start_date?: string;
        /** @description End of the time: a date, which is inclusive, or a time of ISO 8601. */
        readonly end_date?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "Ledger readiness retrieved",
           *       "status_code": 0,
           *       "data": {
           *         "checked_at": "2026-01-01T00:00:00Z",
           *         "scope": "all",
           *         "recommended_read_mode": "ledger",
           *         "ready": true,
           *         "legacy_total_count": 4,
           *         "legacy_total_amount_credits": 19.497,
           *         "ledger_total_count": 4,
           *         "ledger_total_amount_credits": 19.497,
           *         "entities": [
           *           {
           *             "entity_type": "grant_payment_recharge",
           *             "legacy_count": 0,
           *             "legacy_amount_credits": 0,
           *             "ledger_count": 0,
           *             "ledger_amount_credits": 0,
           *             "missing_count": 0,
           *             "extra_count": 0,
           *             "amount_delta_credits": 0,
           *             "ready": true
           *           },
           *           {
           *             "entity_type": "grant_welcome_bonus",
           *             "legacy_count": 1,
           *             "legacy_amount_credits": 20.5,
           *             "ledger_count": 1,
           *             "ledger_amount_credits": 20.5,
           *             "missing_count": 0,
           *             "extra_count": 0,
           *             "amount_delta_credits": 0,
           *             "ready": true
           *           },
           *           {
           *             "entity_type": "grant_invitation_reward",
           *             "legacy_count": 0,
           *             "legacy_amount_credits": 0,
           *             "ledger_count": 0,
           *             "ledger_amount_credits": 0,
           *             "missing_count": 0,
           *             "extra_count": 0,
           *             "amount_delta_credits": 0,
           *             "ready": true
           *           },
           *           {
           *             "entity_type": "grant_charge_refund",
           *             "legacy_count": 0,
           *             "legacy_amount_credits": 0,
           *             "ledger_count": 0,
           *             "ledger_amount_credits": 0,
           *             "missing_count": 0,
           *             "extra_count": 0,
           *             "amount_delta_credits": 0,
           *             "ready": true
           *           },
           *           {
           *             "entity_type": "grant_correction",
           *             "legacy_count": 0,
           *             "legacy_amount_credits": 0,
           *             "ledger_count": 0,
           *             "ledger_amount_credits": 0,
           *             "missing_count": 0,
           *             "extra_count": 0,
           *             "amount_delta_credits": 0,
           *             "ready": true
           *           },
           *           {
           *             "entity_type": "consume_tool_search",
           *             "legacy_count": 0,
           *             "legacy_amount_credits": 0,
           *             "ledger_count": 0,
           *             "ledger_amount_credits": 0,
           *             "missing_count": 0,
           *             "extra_count": 0,
           *             "amount_delta_credits": 0,
           *             "ready": true
           *           },
           *           {
           *             "entity_type": "consume_tool_execute",
           *             "legacy_count": 3,
           *             "legacy_amount_credits": -1.003,
           *             "ledger_count": 3,
           *             "ledger_amount_credits": -1.003,
           *             "missing_count": 0,
           *             "extra_count": 0,
           *             "amount_delta_credits": 0,
           *             "ready": true
           *           },
           *           {
           *             "entity_type": "consume_model_call",
           *             "legacy_count": 0,
           *             "legacy_amount_credits": 0,
           *             "ledger_count": 0,
           *             "ledger_amount_credits": 0,
           *             "missing_count": 0,
           *             "extra_count": 0,
           *             "amount_delta_credits": 0,
           *             "ready": true
           *           },
           *           {
           *             "entity_type": "consume_payment_refund",
           *             "legacy_count": 0,
           *             "legacy_amount_credits": 0,
           *             "ledger_count": 0,
           *             "ledger_amount_credits": 0,
           *             "missing_count": 0,
           *             "extra_count": 0,
           *             "amount_delta_credits": 0,
           *             "ready": true
           *           },
           *           {
           *             "entity_type": "consume_grant_expiry",
           *             "legacy_count": 0,
           *             "legacy_amount_credits": 0,
           *             "ledger_count": 0,
           *             "ledger_amount_credits": 0,
           *             "missing_count": 0,
           *             "extra_count": 0,
           *             "amount_delta_credits": 0,
           *             "ready": true
           *           },
           *           {
           *             "entity_type": "consume_correction",
           *             "legacy_count": 0,
           *             "legacy_amount_credits": 0,
           *             "ledger_count": 0,
           *             "ledger_amount_credits": 0,
           *             "missing_count": 0,
           *             "extra_count": 0,
           *             "amount_delta_credits": 0,
           *             "ready": true
           *           }
           *         ],
           *         "settled_until": "2026-01-01T00:00:00Z"
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['ReadinessAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 422: components['responses']['UnprocessableEntity'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly listSettlements: {
    readonly parameters: {
      readonly query?: {
        /** @description The cursor that the page before ended with. */
        readonly cursor?: string;
        /** @description Items of a page. */
        readonly page_size?: number;
        /** @description Begin of the time, inclusive: a date, or a time of ISO 8601. */
        readonly start_date?: string;
        /** @description End of the time: a date, which is inclusive, or a time of ISO 8601. */
        readonly end_date?: string;
        /** @description The history of the account alone, or all entries. */
        readonly scope?: 'account_history' | 'all';
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "Settlement history retrieved",
           *       "status_code": 0,
           *       "data": {
           *         "items": [
           *           {
           *             "id": "led_00000000000000000000000000000001",
           *             "source": "ledger",
           *             "entry_type": "consume_tool_execute",
           *             "amount_credits": -0.5,
           *             "source_system": "execution",
           *             "source_ref_type": "execution",
           *             "source_ref_id": "exec_00000000000000000000000000000002",
           *             "execution_id": "exec_00000000000000000000000000000002",
           *             "description": "provider.things.cached.v1: 1 call × 0.5 credits = 0.5 credits",
           *             "display_target": "provider.things.cached.v1",
           *             "billing_summary": "1 call × 0.5 credits = 0.5 credits",
           *             "billing_snapshot_status": "settled",
           *             "details_available": true,
           *             "created_at": "2026-01-01T00:00:00Z"
           *           },
           *           {
           *             "id": "led_00000000000000000000000000000004",
           *             "source": "ledger",
           *             "entry_type": "consume_tool_execute",
           *             "amount_credits": -0.003,
           *             "source_system": "execution",
           *             "source_ref_type": "execution",
           *             "source_ref_id": "exec_00000000000000000000000000000005",
           *             "execution_id": "exec_00000000000000000000000000000005",
           *             "description": "provider.things.count.v1: 3 rows × 0.001 credits = 0.003 credits",
           *             "display_target": "provider.things.count.v1",
           *             "billing_summary": "3 rows × 0.001 credits = 0.003 credits",
           *             "billing_snapshot_status": "settled",
           *             "details_available": true,
           *             "created_at": "2026-01-01T00:00:00Z"
           *           }
           *         ],
           *         "has_more": true,
           *         "page_size": 2,
           *         "next_cursor": "cursor-1"
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['SettlementHistoryAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 422: components['responses']['UnprocessableEntity'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly listProviderCredentials: {
    readonly parameters: {
      readonly query?: {
        /** @description Items of an answer, at most; of a summary, its largest amounts. */
        readonly limit?: number;
        /** @description What the page before ended with. */
        readonly after?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "ok",
           *       "status_code": 0,
           *       "data": {
           *         "items": [
           *           {
           *             "provider_id": "providerown",
           *             "fields": [
           *               {
           *                 "field": "token",
           *                 "set_at": "2026-01-01T00:00:00Z"
           *               }
           *             ]
           *           }
           *         ]
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['ProviderCredentialsAnswer'];
        };
      };
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 422: components['responses']['UnprocessableEntity'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly getProviderCredentials: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Id of the provider. */
        readonly provider_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "ok",
           *       "status_code": 0,
           *       "data": {
           *         "provider_id": "providerown",
           *         "accepts": [
           *           {
           *             "auth": "bearer",
           *             "fields": [
           *               "token"
           *             ]
           *           }
           *         ],
           *         "fields": []
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['ProviderCredentialsAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 414: components['responses']['URITooLong'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly setProviderCredentials: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Id of the provider. */
        readonly provider_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "fields": {
         *         "token": "sesame-9"
         *       }
         *     }
         */
        readonly 'application/json': {
          /** @description By name, the fields of one of the kinds that the provider accepts. */
          readonly fields: {
            readonly [key: string]: string;
          };
        };
      };
    };
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "ok",
           *       "status_code": 0,
           *       "data": {
           *         "provider_id": "providerown",
           *         "fields": [
           *           {
           *             "field": "token",
           *             "set_at": "2026-01-01T00:00:00Z"
           *           }
           *         ]
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['ProviderCredentialsAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 408: components['responses']['RequestTimeout'];
      readonly 409: components['responses']['Conflict'];
      readonly 413: components['responses']['PayloadTooLarge'];
      readonly 414: components['responses']['URITooLong'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 422: components['responses']['UnprocessableEntity'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly deleteProviderCredentials: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Id of the provider. */
        readonly provider_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "ok",
           *       "status_code": 0,
           *       "data": {
           *         "provider_id": "providerown",
           *         "deleted": true
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['ProviderCredentialsAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 414: components['responses']['URITooLong'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly listApiKeys: {
    readonly parameters: {
      readonly query?: {
        /** @description Items of an answer, at most; of a summary, its largest amounts. */
        readonly limit?: number;
        /** @description What the page before ended with. */
        readonly before?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "ok",
           *       "status_code": 0,
           *       "data": {
           *         "items": [
           *           {
           *             "api_key_id": "00000000-0000-7000-8000-000000000001",
           *             "name": "ci",
           *             "masked_value": "mask-of-api-key-1",
           *             "scopes": [
           *               "read"
           *             ],
           *             "created_at": "2026-01-01T00:00:00Z",
           *             "expires_at": "2999-01-01T00:00:00.000Z"
           *           }
           *         ],
           *         "next_before": "00000000-0000-7000-8000-000000000001"
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['ApiKeysAnswer'];
        };
      };
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 422: components['responses']['UnprocessableEntity'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly createApiKey: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "name": "ci",
         *       "scopes": [
         *         "read"
         *       ],
         *       "expires_at": "2999-01-01T00:00:00Z"
         *     }
         */
        readonly 'application/json': {
          readonly budget?: {
            /** @enum {unknown} */
            readonly period: 'total' | 'day' | 'month';
            readonly amount_credits: number;
          } | null;
          readonly session_budget?: {
            readonly amount_credits: number;
          } | null;
          readonly name: string & unknown;
          /**
           * @default [
           *       "call",
           *       "read"
           *     ]
           */
          readonly scopes?: readonly ('call' | 'read' | 'manage' | 'admin')[] | null;
          /** Format: uuid */
          readonly project_id?: string | null;
          /** Format: date-time */
          readonly expires_at?: string | null;
        };
      };
    };
    readonly responses: {
      /** @description Created: It is made. */
      readonly 201: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "ok",
           *       "status_code": 0,
           *       "data": {
           *         "api_key_id": "00000000-0000-7000-8000-000000000001",
           *         "account_id": "acc_00000000000000000000000000000002",
           *         "name": "ci",
           *         "api_key": "sk-0000000000000000000000000000000001",
           *         "masked_value": "mask-of-api-key-1",
           *         "scopes": [
           *           "read"
           *         ],
           *         "created_at": "2026-01-01T00:00:00Z",
           *         "expires_at": "2999-01-01T00:00:00.000Z"
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['IssuedApiKeyAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 408: components['responses']['RequestTimeout'];
      readonly 409: components['responses']['Conflict'];
      readonly 413: components['responses']['PayloadTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 422: components['responses']['UnprocessableEntity'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly revokeApiKey: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Id of the key, which is not the key itself. */
        readonly api_key_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "ok",
           *       "status_code": 0,
           *       "data": {
           *         "api_key_id": "00000000-0000-7000-8000-000000000003",
           *         "account_id": "acc_00000000000000000000000000000002",
           *         "revoked_at": "2026-01-01T00:00:00Z"
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['RevokedApiKeyAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 414: components['responses']['URITooLong'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly rotateApiKey: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Id of the key, which is not the key itself. */
        readonly api_key_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: {
      readonly content: {
        /**
         * @example {
         *       "overlap_seconds": 3600
         *     }
         */
        readonly 'application/json': {
          /** @default 86400 */
          readonly overlap_seconds?: number | null;
        };
      };
    };
    readonly responses: {
      /** @description Created: It is made. */
      readonly 201: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "ok",
           *       "status_code": 0,
           *       "data": {
           *         "api_key_id": "00000000-0000-7000-8000-000000000003",
           *         "account_id": "acc_00000000000000000000000000000002",
           *         "name": "ci",
           *         "api_key": "sk-0000000000000000000000000000000002",
           *         "masked_value": "mask-of-api-key-2",
           *         "scopes": [
           *           "read"
           *         ],
           *         "created_at": "2026-01-01T00:00:00Z",
           *         "expires_at": "2999-01-01T00:00:00.000Z",
           *         "replaces": "00000000-0000-7000-8000-000000000001",
           *         "replaced_expires_at": "2026-01-01T00:00:00Z"
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['IssuedApiKeyAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 408: components['responses']['RequestTimeout'];
      readonly 409: components['responses']['Conflict'];
      readonly 413: components['responses']['PayloadTooLarge'];
      readonly 414: components['responses']['URITooLong'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 422: components['responses']['UnprocessableEntity'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly listOAuthConsents: {
    readonly parameters: {
      readonly query?: {
        /** @description Items of an answer, at most; of a summary, its largest amounts. */
        readonly limit?: number;
        /** @description What the page before ended with. */
        readonly before?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "ok",
           *       "status_code": 0,
           *       "data": {
           *         "items": [
           *           {
           *             "consent_id": "00000000-0000-7000-8000-000000000001",
           *             "client_id": "client_00000000000000000000000000000002",
           *             "client_name": "terminal",
           *             "scopes": [
           *               "call",
           *               "read"
           *             ],
           *             "resource": "http://127.0.0.1:port/api/v1",
           *             "api_key_id": "00000000-0000-7000-8000-000000000003",
           *             "granted_at": "2026-01-01T00:00:00Z",
           *             "expires_at": "2026-01-01T00:00:00Z"
           *           },
           *           {
           *             "consent_id": "00000000-0000-7000-8000-000000000004",
           *             "client_id": "client_00000000000000000000000000000005",
           *             "client_name": "terminal",
           *             "scopes": [
           *               "call",
           *               "read"
           *             ],
           *             "resource": "http://127.0.0.1:port/api/v1",
           *             "api_key_id": "00000000-0000-7000-8000-000000000003",
           *             "granted_at": "2026-01-01T00:00:00Z",
           *             "expires_at": "2026-01-01T00:00:00Z"
           *           }
           *         ]
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['ConsentsAnswer'];
        };
      };
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 422: components['responses']['UnprocessableEntity'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly endOAuthConsent: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Id of the consent. */
        readonly consent_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "ok",
           *       "status_code": 0,
           *       "data": {
           *         "consent_id": "00000000-0000-7000-8000-000000000001",
           *         "account_id": "acc_00000000000000000000000000000006",
           *         "client_id": "client_00000000000000000000000000000002",
           *         "revoked_at": "2026-01-01T00:00:00Z"
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['EndedConsentAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 414: components['responses']['URITooLong'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly listProjects: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "ok",
           *       "status_code": 0,
           *       "data": {
           *         "items": [
           *           {
           *             "project_id": "00000000-0000-7000-8000-000000000001",
           *             "account_id": "acc_00000000000000000000000000000002",
           *             "name": "research",
           *             "state": "open",
           *             "budget": {
           *               "amount_credits": 0.5,
           *               "period": "month"
           *             },
           *             "created_at": "2026-01-01T00:00:00Z"
           *           }
           *         ]
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['ProjectsAnswer'];
        };
      };
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly createProject: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "name": "research",
         *       "budget": {
         *         "amount_credits": 0.5,
         *         "period": "month"
         *       }
         *     }
         */
        readonly 'application/json': {
          readonly name: string & unknown;
          readonly budget?: {
            /** @enum {unknown} */
            readonly period: 'total' | 'day' | 'month';
            readonly amount_credits: number;
          } | null;
        };
      };
    };
    readonly responses: {
      /** @description Created: It is made. */
      readonly 201: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "ok",
           *       "status_code": 0,
           *       "data": {
           *         "project_id": "00000000-0000-7000-8000-000000000001",
           *         "account_id": "acc_00000000000000000000000000000002",
           *         "name": "research",
           *         "state": "open",
           *         "budget": {
           *           "amount_credits": 0.5,
           *           "period": "month"
           *         },
           *         "created_at": "2026-01-01T00:00:00Z"
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['ProjectAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 408: components['responses']['RequestTimeout'];
      readonly 409: components['responses']['Conflict'];
      readonly 413: components['responses']['PayloadTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 422: components['responses']['UnprocessableEntity'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly getProject: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Id of the project. */
        readonly project_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "ok",
           *       "status_code": 0,
           *       "data": {
           *         "project_id": "00000000-0000-7000-8000-000000000001",
           *         "account_id": "acc_00000000000000000000000000000002",
           *         "name": "research",
           *         "state": "open",
           *         "budget": {
           *           "amount_credits": 0.5,
           *           "period": "month"
           *         },
           *         "created_at": "2026-01-01T00:00:00Z",
           *         "api_keys": [
           *           {
           *             "api_key_id": "00000000-0000-7000-8000-000000000003",
           *             "name": "lab",
           *             "masked_value": "mask-of-key-of-the-lab"
           *           }
           *         ]
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['ProjectAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 414: components['responses']['URITooLong'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly changeProject: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Id of the project. */
        readonly project_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "state": "closed"
         *     }
         */
        readonly 'application/json': {
          readonly name?: string & unknown;
          /** @enum {unknown} */
          readonly state?: 'open' | 'closed';
          readonly budget?: {
            /** @enum {unknown} */
            readonly period: 'total' | 'day' | 'month';
            readonly amount_credits: number;
          } | null;
        };
      };
    };
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "ok",
           *       "status_code": 0,
           *       "data": {
           *         "project_id": "00000000-0000-7000-8000-000000000001",
           *         "account_id": "acc_00000000000000000000000000000002",
           *         "name": "research",
           *         "state": "closed",
           *         "budget": {
           *           "amount_credits": 0.5,
           *           "period": "month"
           *         },
           *         "created_at": "2026-01-01T00:00:00Z"
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['ProjectAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 408: components['responses']['RequestTimeout'];
      readonly 413: components['responses']['PayloadTooLarge'];
      readonly 414: components['responses']['URITooLong'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 422: components['responses']['UnprocessableEntity'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly addApiKeyToProject: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Id of the project. */
        readonly project_id: string;
        /** @description Id of the key, which is not the key itself. */
        readonly api_key_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "ok",
           *       "status_code": 0,
           *       "data": {
           *         "api_key_id": "00000000-0000-7000-8000-000000000003",
           *         "account_id": "acc_00000000000000000000000000000002",
           *         "project_id": "00000000-0000-7000-8000-000000000001"
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['MovedKeyAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 409: components['responses']['Conflict'];
      readonly 414: components['responses']['URITooLong'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly removeApiKeyFromProject: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Id of the project. */
        readonly project_id: string;
        /** @description Id of the key, which is not the key itself. */
        readonly api_key_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "ok",
           *       "status_code": 0,
           *       "data": {
           *         "api_key_id": "00000000-0000-7000-8000-000000000003",
           *         "account_id": "acc_00000000000000000000000000000002"
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['MovedKeyAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 404: components['responses']['NotFound'];
      readonly 409: components['responses']['Conflict'];
      readonly 414: components['responses']['URITooLong'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly listSecurityLog: {
    readonly parameters: {
      readonly query?: {
        /** @description Items of an answer, at most; of a summary, its largest amounts. */
        readonly limit?: number;
        /** @description The cursor that the page before ended with. */
        readonly cursor?: string;
        /** @description Entries of this action. */
        readonly action?: string;
        /** @description Begin of the time, inclusive, in ISO 8601. */
        readonly from?: string;
        /** @description End of the time, exclusive, in ISO 8601. */
        readonly to?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "ok",
           *       "status_code": 0,
           *       "data": {
           *         "items": [
           *           {
           *             "entry_id": "00000000-0000-7000-8000-000000000001",
           *             "action": "key.revoked",
           *             "account_id": "acc_00000000000000000000000000000001",
           *             "actor": {
           *               "type": "account",
           *               "account_id": "acc_00000000000000000000000000000001",
           *               "api_key_id": "00000000-0000-7000-8000-000000000001",
           *               "credential_type": "api_key"
           *             },
           *             "object": {
           *               "type": "api_key",
           *               "id": "00000000-0000-7000-8000-000000000001"
           *             },
           *             "occurrences": 1,
           *             "recorded_at": "2026-01-01T00:00:00Z",
           *             "chain": "acc_00000000000000000000000000000001",
           *             "entry_seq": 1,
           *             "hash": "0000000000000000000000000000000000000000000000000000000000000001"
           *           }
           *         ]
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['SecurityLogAnswer'];
        };
      };
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['Forbidden'];
      readonly 422: components['responses']['UnprocessableEntity'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly listProviders: {
    readonly parameters: {
      readonly query?: {
        /** @description Categories, with commas between them. */
        readonly categories?: readonly string[];
        /** @description Words that names and descriptions are searched for. */
        readonly query?: string;
        /** @description Items of the list that are passed over. */
        readonly skip?: number;
        /** @description Items of an answer, at most; of a summary, its largest amounts. */
        readonly limit?: number;
        /** @description The order of the list. */
        readonly sort_by?: 'name' | 'tools' | 'success_rate';
        /** @description From which end on. */
        readonly sort_order?: 'asc' | 'desc';
        /** @description Language of names and descriptions. */
        readonly lang?: 'en' | 'zh';
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "total": 1,
           *       "items": [
           *         {
           *           "provider_id": "shelf",
           *           "name": "Things of shelf",
           *           "description": "A thing.",
           *           "categories": [],
           *           "tool_count": 16,
           *           "stats": {
           *             "sample_count": 0,
           *             "data_status": "insufficient",
           *             "window": "30d"
           *           }
           *         }
           *       ]
           *     }
           */
          readonly 'application/json': components['schemas']['ProvidersAnswer'];
        };
      };
      readonly 401: components['responses']['Unauthorized'];
      readonly 422: components['responses']['UnprocessableEntity'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly listCategories: {
    readonly parameters: {
      readonly query?: {
        /** @description Language of names and descriptions. */
        readonly lang?: 'en' | 'zh';
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "items": []
           *     }
           */
          readonly 'application/json': components['schemas']['CategoriesAnswer'];
        };
      };
      readonly 401: components['responses']['Unauthorized'];
      readonly 422: components['responses']['UnprocessableEntity'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly registerAgent: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "agent_name": "planner",
         *       "model": "large-1",
         *       "purpose": "compares prices"
         *     }
         */
        readonly 'application/json': {
          readonly agent_name: string & unknown;
          readonly model?: string | null;
          readonly purpose?: string | null;
        };
      };
    };
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "ok",
           *       "status_code": 0,
           *       "data": {
           *         "agent_id": "agt_00000000000000000000000000000001",
           *         "agent_name": "corpus agent",
           *         "account_id": "acc_00000000000000000000000000000002",
           *         "api_key": "sk-0000000000000000000000000000000001",
           *         "claim_code": "clm_00000000000000000000000001",
           *         "trial_credits": 50,
           *         "expires_at": "2026-01-01T00:00:00Z",
           *         "limits": {
           *           "max_credits_per_call": 5,
           *           "scopes": [
           *             "call",
           *             "read"
           *           ]
           *         }
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['RegistrationAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 408: components['responses']['RequestTimeout'];
      readonly 413: components['responses']['PayloadTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 422: components['responses']['UnprocessableEntity'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly startClaim: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "claim_code": "clm_00000000000000000000000001",
         *       "email": "a@mailinator.com"
         *     }
         */
        readonly 'application/json': {
          /** @enum {unknown} */
          readonly locale?: 'en' | 'zh' | null;
          readonly claim_code: string;
          readonly email: string;
        };
      };
    };
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "ok",
           *       "status_code": 0,
           *       "data": {
           *         "status": "blocked",
           *         "risk_code": "disposable_email",
           *         "message": "This domain hands out addresses that do not last. Use a lasting address."
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['ClaimAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 408: components['responses']['RequestTimeout'];
      readonly 413: components['responses']['PayloadTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 422: components['responses']['UnprocessableEntity'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly verifyClaim: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "claim_code": "clm_00000000000000000000000001",
         *       "email": "a@example.org",
         *       "code": "123456"
         *     }
         */
        readonly 'application/json': {
          readonly code: string;
          readonly claim_code: string;
          readonly email: string;
        };
      };
    };
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "ok",
           *       "status_code": 0,
           *       "data": {
           *         "status": "claimed",
           *         "account_id": "acc_00000000000000000000000000000001",
           *         "email": "a@example.org",
           *         "api_key_still_valid": true,
           *         "remaining_credits": 50
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['ClaimVerifyAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 408: components['responses']['RequestTimeout'];
      readonly 413: components['responses']['PayloadTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 422: components['responses']['UnprocessableEntity'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly verifyToken: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: {
      readonly content: {
        /**
         * @example {
         *       "token": "x"
         *     }
         */
        readonly 'application/json': {
          readonly token?: string | null;
        } | null;
      };
    };
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "message": "ok",
           *       "status_code": 0,
           *       "data": {
           *         "is_valid": false,
           *         "is_expired": false
           *       }
           *     }
           */
          readonly 'application/json': components['schemas']['TokenVerificationAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequest'];
      readonly 408: components['responses']['RequestTimeout'];
      readonly 413: components['responses']['PayloadTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 422: components['responses']['UnprocessableEntity'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly authorizeDevice: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "client_id": "client_00000000000000000000000000000006"
         *     }
         */
        readonly 'application/x-www-form-urlencoded': {
          /** @description Of a public client; others authenticate by `Authorization: Basic`. */
          readonly client_id?: string;
          /** @description Scopes, separated by spaces. */
          readonly scope?: string;
          /** @description The interface for which the token shall be good. */
          readonly resource?: string;
        };
      };
    };
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "device_code": "device-code-1",
           *       "user_code": "user-code-1",
           *       "verification_uri": "http://127.0.0.1/device",
           *       "verification_uri_complete": "http://127.0.0.1/device?user_code=user-code-1",
           *       "expires_in": 600,
           *       "interval": 5
           *     }
           */
          readonly 'application/json': components['schemas']['DeviceAuthorizationAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequestOfDeviceAuthorization'];
      readonly 401: components['responses']['UnauthorizedOfDeviceAuthorization'];
      readonly 408: components['responses']['RequestTimeout'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly getToken: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "grant_type": "client_credentials",
         *       "client_id": "client_00000000000000000000000000000002",
         *       "client_secret": "client-secret-1"
         *     }
         */
        readonly 'application/x-www-form-urlencoded': {
          /** @description Of a public client; others authenticate by `Authorization: Basic`. */
          readonly client_id?: string;
          readonly client_secret?: string;
          readonly grant_type: string;
          readonly scope?: string;
          readonly resource?: string;
          readonly device_code?: string;
          readonly refresh_token?: string;
          readonly subject_token?: string;
          readonly subject_token_type?: string;
          readonly requested_token_type?: string;
          readonly audience?: string;
          readonly tool_ids?: readonly string[];
          readonly provider_ids?: readonly string[];
        };
      };
    };
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "access_token": "access-token-1",
           *       "token_type": "Bearer",
           *       "expires_in": 3600,
           *       "scope": "read"
           *     }
           */
          readonly 'application/json': components['schemas']['OAuthTokenAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequestOfToken'];
      readonly 401: components['responses']['UnauthorizedOfToken'];
      readonly 408: components['responses']['RequestTimeout'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly introspectToken: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "client_id": "client_00000000000000000000000000000002",
         *       "client_secret": "client-secret-1",
         *       "token": "key-of-the-client"
         *     }
         */
        readonly 'application/x-www-form-urlencoded': {
          /** @description Of a public client; others authenticate by `Authorization: Basic`. */
          readonly client_id?: string;
          readonly client_secret?: string;
          readonly token: string;
          readonly token_type_hint?: string;
        };
      };
    };
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "active": true,
           *       "client_id": "client_00000000000000000000000000000002",
           *       "sub": "acc_00000000000000000000000000000001",
           *       "scope": "read",
           *       "aud": "http://127.0.0.1/api/v1",
           *       "iss": "http://127.0.0.1",
           *       "jti": "00000000-0000-7000-8000-000000000003",
           *       "iat": 1,
           *       "exp": 1,
           *       "token_type": "Bearer"
           *     }
           */
          readonly 'application/json': components['schemas']['IntrospectionAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequestOfTokenStatus'];
      readonly 401: components['responses']['UnauthorizedOfTokenStatus'];
      readonly 408: components['responses']['RequestTimeout'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly revokeToken: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "client_id": "client_00000000000000000000000000000002",
         *       "client_secret": "client-secret-1",
         *       "token": "key-of-the-client"
         *     }
         */
        readonly 'application/x-www-form-urlencoded': {
          /** @description Of a public client; others authenticate by `Authorization: Basic`. */
          readonly client_id?: string;
          readonly client_secret?: string;
          readonly token: string;
          readonly token_type_hint?: string;
        };
      };
    };
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /** @example {} */
          readonly 'application/json': components['schemas']['RevocationAnswer'];
        };
      };
      readonly 400: components['responses']['BadRequestOfTokenStatus'];
      readonly 401: components['responses']['UnauthorizedOfTokenStatus'];
      readonly 408: components['responses']['RequestTimeout'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly getKeySet: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly 'X-RateLimit-Limit': components['headers']['RateLimitLimit'];
          readonly 'X-RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          readonly 'X-RateLimit-Reset': components['headers']['RateLimitReset'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "keys": [
           *         {
           *           "kty": "RSA",
           *           "n": "AAAA",
           *           "e": "AQAB",
           *           "kid": "k1",
           *           "alg": "RS256",
           *           "use": "sig"
           *         }
           *       ]
           *     }
           */
          readonly 'application/json': components['schemas']['KeySetAnswer'];
        };
      };
      readonly 429: components['responses']['TooManyRequests'];
      readonly 431: components['responses']['RequestHeaderFieldsTooLarge'];
      readonly 500: components['responses']['InternalServerError'];
      readonly 502: components['responses']['BadGateway'];
      readonly 503: components['responses']['ServiceUnavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly getMeta: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "contract_version": "2026-09-12.1"
           *     }
           */
          readonly 'application/json': components['schemas']['MetaAnswer'];
        };
      };
      /** @description Request Header Fields Too Large: The URL and the headers are too large. */
      readonly 431: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly getOpenApi: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description OK: It succeeded. */
      readonly 200: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly [key: string]: unknown;
          };
        };
      };
      /** @description Request Header Fields Too Large: The URL and the headers are too large. */
      readonly 431: {
        headers: {
          readonly 'X-Request-Id': components['headers']['RequestId'];
          readonly 'X-Service-Api-Version': components['headers']['ApiVersion'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
}

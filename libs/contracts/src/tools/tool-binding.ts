import type { JsonObject, JsonValue } from '@capability-router/kernel';

/** Run by execution itself. */
export interface BuiltinBinding {
  readonly kind: 'builtin';
  readonly operation: string;
}

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Where a parameter of the tool goes in the provider's request. */
export interface HttpPlacement {
  readonly in: 'path' | 'query' | 'header' | 'body' | 'form';
  /** The provider's name for it; the tool's where absent. */
  readonly name?: string;
  /** The value is the whole body; at most one parameter may say so, with `in: 'body'`. */
  readonly whole?: boolean;
  /** How a list is written in `path`, `query` or `header`; `repeat` (`a=1&a=2`) where absent, for `query` only. */
  readonly list?: 'repeat' | 'comma' | 'pipe' | 'space';
}

/**
 * How the provider is shown who calls. Secrets are never here: `credential` names the fields that execution keeps
 * sealed.
 */
export type ProviderAuth =
  | { readonly kind: 'none' }
  | { readonly kind: 'api_key'; readonly in: 'header' | 'query'; readonly name: string; readonly prefix?: string }
  | { readonly kind: 'bearer' }
  | { readonly kind: 'basic' }
  | { readonly kind: 'oauth2_client_credentials'; readonly tokenUrl: string; readonly scopes: readonly string[] };

/** A provider reached by plain HTTP requests. */
export interface HttpBinding {
  readonly kind: 'http';
  readonly method: HttpMethod;
  /** Absolute; `{name}` stands for a parameter placed in the path and is percent-encoded. */
  readonly url: string;
  /** By parameter name. What is not named goes into the query for GET and DELETE, else into the JSON body. */
  readonly placements: Readonly<Record<string, HttpPlacement>>;
  /** Constant request headers; never `authorization`, `cookie`, `host` or a hop-by-hop one. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly auth: ProviderAuth;
  /** RFC 9535 JSONPath; what of the answer is the result. The whole where absent. */
  readonly resultPath?: string;
  /** May the same request be sent again after a fault? Where absent: GET only. */
  readonly retrySafe?: boolean;
}

/** A tool of an MCP server. */
export interface McpBinding {
  readonly kind: 'mcp';
  readonly server:
    | { readonly transport: 'streamable_http'; readonly url: string }
    /** The name of a command in the operator's configuration; a command line is never data. */
    | { readonly transport: 'stdio'; readonly command: string };
  /** The server's name for the tool. */
  readonly tool: string;
  readonly auth: ProviderAuth;
  readonly retrySafe?: boolean;
}

/** Who runs the tool, and how it is reached. */
export type ToolBinding = BuiltinBinding | HttpBinding | McpBinding;

/** Allowances of the operator for a provider beyond the default: public addresses over https on any port. */
export interface ProviderEgress {
  /** Also plain `http:`. */
  readonly allowHttp?: boolean;
  /** Host names or `*.example.com`; every host where absent. */
  readonly allowHosts?: readonly string[];
  /** Private and loopback networks in CIDR form that may be connected to, `10.20.0.0/16`. None where absent. */
  readonly allowNetworks?: readonly string[];
}

/**
 * Conditions on a result (`result.data`) beyond those that every result must meet. Predicates are RFC 9535 JSONPath:
 * true where anything is selected.
 */
export interface ResultPredicates {
  readonly emptyWhen?: string;
  readonly partialWhen?: string;
  /** JSON Schema 2020-12; a result that does not fit is an error of the provider. */
  readonly schema?: JsonObject;
}

/** An example call of a tool, shown to agents. */
export interface ToolExample {
  readonly title?: string;
  readonly parameters: Readonly<Record<string, JsonValue>>;
}

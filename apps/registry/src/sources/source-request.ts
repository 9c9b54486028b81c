import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { AppError, isJsonObject, once, type JsonObject, type JsonValue } from '@capability-router/kernel';
import { messageOfDetails } from '@capability-router/service-kit';
import { detailOf } from '@capability-router/tool-calls';
import type { ValidationDetail } from '@capability-router/contracts';
import { bindingSchema } from '../admin/manifest/binding-schema.js';
import { checkPrice } from '../admin/manifest/check-price.js';
import type { AuthDocument, PriceDocument, ProviderDocument } from '../admin/manifest/documents.js';
import { manifestSchema } from '../admin/manifest/manifest-schema.js';
import { providerIdSchema, toolSchema } from '../admin/manifest/tool-schema.js';

/** Body of an import, as it came. */
export interface SourceRequest {
  readonly provider: Pick<ProviderDocument, 'provider_id'> & Partial<Omit<ProviderDocument, 'categories' | 'tools'>>;
  /** The provider's id where absent. */
  readonly source_id?: string;
  /** OpenAPI: where the document is, and where it is read again. */
  readonly url?: string;
  /** OpenAPI: the document itself, or its text in JSON or YAML. */
  readonly document?: string | JsonObject;
  readonly allow_external_refs?: boolean;
  readonly server_url?: string;
  /** MCP. */
  readonly server?:
    | { readonly transport: 'streamable_http'; readonly url: string }
    | { readonly transport: 'stdio'; readonly command: string };
  readonly auth?: AuthDocument;
  readonly price?: PriceDocument;
  readonly categories?: readonly string[];
  readonly timeout_ms?: number;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly absent?: 'keep' | 'retire';
  readonly review?: boolean;
  readonly dry_run?: boolean;
}

/** Members that a request may leave out. */
export const sourceDefaults = { allow_external_refs: false, absent: 'keep', review: false, dry_run: false } as const;

const MAX_GLOBS = 200;
const globs = { type: 'array', maxItems: MAX_GLOBS, items: { type: 'string', minLength: 1, maxLength: 200 } } as const;
const url = { type: 'string', minLength: 1, maxLength: 2_000 } as const;
const [httpBinding, mcpBinding] = bindingSchema.oneOf;
const {
  tools: _tools,
  categories: _categories,
  kind: _kind,
  ...providerProperties
} = manifestSchema.$defs.provider.properties;

const dryRun = { type: 'boolean', default: sourceDefaults.dry_run } as const;
const common = {
  provider: { type: 'object', additionalProperties: false, required: ['provider_id'], properties: providerProperties },
  source_id: providerIdSchema,
  auth: httpBinding.properties.auth,
  price: toolSchema.properties.price,
  categories: toolSchema.properties.categories,
  timeout_ms: toolSchema.properties.timeout_ms,
  include: globs,
  exclude: globs,
  absent: { enum: ['keep', 'retire'], default: sourceDefaults.absent },
  review: { type: 'boolean', default: sourceDefaults.review },
  dry_run: dryRun,
};

const ajv = once(() => new Ajv2020({ strict: false, allErrors: true, verbose: true, discriminator: true }));
const compiled = (schema: object): (() => ValidateFunction) => once(() => ajv().compile(schema));
/** By what is sent, the form of its body. */
export const sourceRequestSchemas = {
  openapi: {
    type: 'object',
    additionalProperties: false,
    required: ['provider'],
    properties: {
      ...common,
      url,
      document: { type: ['string', 'object'] },
      allow_external_refs: { type: 'boolean', default: sourceDefaults.allow_external_refs },
      server_url: url,
    },
  },
  mcp: {
    type: 'object',
    additionalProperties: false,
    required: ['provider', 'server'],
    properties: { ...common, server: mcpBinding.properties.server },
  },
  refresh: { type: 'object', additionalProperties: false, properties: { dry_run: dryRun } },
};
const validators = {
  openapi: compiled(sourceRequestSchemas.openapi),
  mcp: compiled(sourceRequestSchemas.mcp),
  refresh: compiled(sourceRequestSchemas.refresh),
} satisfies Record<string, () => ValidateFunction>;

/** Throws `validation_error` that names every field at fault. */
export function readSourceRequest(kind: 'openapi' | 'mcp', body: unknown): SourceRequest {
  const request = checked(validators[kind](), body) as unknown as SourceRequest;
  if (kind === 'openapi' && (request.url === undefined) === (request.document === undefined)) {
    throw invalid([{ type: 'value_error', loc: ['body', 'url'], msg: 'Give either "url" or "document"' }]);
  }
  for (const [field, address] of [
    ['url', request.url],
    ['server_url', request.server_url],
    ['server.url', request.server?.transport === 'streamable_http' ? request.server.url : undefined],
  ] as const) {
    const fault = address === undefined ? undefined : faultOf(address);
    if (fault !== undefined) {
      const allowed = { format: 'uri', pattern: '^https?://' };
      throw invalid([{ type: 'url_parsing', loc: ['body', ...field.split('.')], msg: fault, allowed }]);
    }
  }
  if (request.price !== undefined) requireBilled(request.price);
  return request;
}

/** Never repeats the address: it may hold a password. */
function faultOf(address: string): string | undefined {
  const { protocol, username, password } = URL.canParse(address)
    ? new URL(address)
    : { protocol: '', username: '', password: '' };
  if (!/^https?:$/.test(protocol)) return 'Input should be an absolute http or https URL';
  return username + password === '' ? undefined : 'Input should have no user and no password in it; use "auth"';
}

export const readRefreshRequest = (body: unknown): { readonly dry_run?: boolean } =>
  checked(validators.refresh(), body ?? {});

function checked(validate: ValidateFunction, body: unknown): JsonObject {
  if (!isJsonObject(body)) {
    throw invalid([
      { type: 'dict_type', loc: ['body'], msg: 'Input should be a valid object', allowed: { type: 'object' } },
    ]);
  }
  if (validate(body)) return body;
  const errors = (validate.errors ?? []).filter(
    ({ keyword }: ErrorObject) => keyword !== 'oneOf' && keyword !== 'anyOf',
  );
  // The errors of the last check would keep the body alive.
  validate.errors = null;
  const details = errors.slice(0, MAX_DETAILS).map((error) => detailOf(error, body as JsonValue, ['body']));
  throw invalid(details.map((detail) => (mayHoldAddress(detail) ? { ...detail, input: undefined } : detail)));
}

/** Addresses have keys in their queries, and faults are logged. */
const mayHoldAddress = ({ loc }: ValidationDetail): boolean =>
  loc.some((part) => part === 'url' || part === 'server_url' || part === 'server' || part === 'token_url');

const MAX_DETAILS = 20;

/** One price for tools whose parameters are not known yet, so its bound stands in it. */
function requireBilled(price: PriceDocument): void {
  const details: ValidationDetail[] = [];
  checkPrice(price, undefined, (path, msg, type = 'value_error', allowed) => {
    const rule = allowed === undefined ? {} : { allowed };
    details.push({ type, loc: ['body', 'price', ...path], msg, ...rule });
  });
  if (details.length > 0) throw invalid(details);
}

export const invalid = (details: readonly ValidationDetail[]): AppError =>
  new AppError('validation_error', messageOfDetails(details), { details });

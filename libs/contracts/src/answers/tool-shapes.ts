/** The field tables of Discover and Inspect, as checks. */
import { sha256 } from './common-shapes.js';
import {
  anyObject,
  anything,
  boolean,
  either,
  filledText,
  integer,
  listOf,
  matching,
  nullable,
  number,
  oneOf,
  record,
  text,
  timestamp,
  within,
  type Check,
} from './shapes.js';

export const toolId = matching(/^[a-z][a-z0-9_-]*(\.[a-z0-9_-]+){2,6}\.v[1-9]\d*$/);
export const searchId = matching(/^srch_[0-9a-f]{32}$/);
const numericText = matching(/^\d+(\.\d{1,6})?$/);

/** JSON Schema keywords that Inspect adds, so that an agent need not find the bounds by trying. */
const constraints = {
  default: anything,
  examples: listOf(anything),
  format: filledText,
  pattern: filledText,
  minimum: number,
  maximum: number,
  minLength: integer,
  maxLength: integer,
  minItems: integer,
  maxItems: integer,
  uniqueItems: boolean,
  additionalProperties: anything,
  propertyNames: anyObject,
  minProperties: integer,
  maxProperties: integer,
};

const param = record(
  { name: filledText, type: filledText, required: boolean },
  {
    description: filledText,
    enum: listOf(nullable(either(text, number, boolean))),
    items: anyObject,
    properties: listOf(anyObject),
    ...constraints,
  },
);

export const billingRule = record(
  {
    unit: filledText,
    amount_credits: number,
    description: filledText,
    billing_unit: filledText,
    price: record({ amount_credits: number, unit: filledText, unit_label: filledText }),
  },
  {
    minimum_charge_credits: number,
    metering_mode: filledText,
    per_units: integer,
    free_units: integer,
    tiers: listOf(record({ above_units: integer, amount_credits: number })),
    max_units: integer,
    cache_hit_amount_credits: number,
  },
);

export const stats = record(
  { data_status: oneOf('available', 'insufficient', 'stale', 'unavailable') },
  {
    avg_execution_time_ms: nullable(number),
    p95_execution_time_ms: number,
    success_rate: nullable(within(0, 1)),
    sample_count: integer,
    window: nullable(filledText),
    last_checked_at: nullable(timestamp),
  },
);

const verificationStatus = oneOf('unverified', 'verifying', 'verified', 'stale', 'failed', 'restricted');
const verificationCheck = oneOf(
  'schema',
  'authentication',
  'description_contract',
  'provider_identity',
  'permissions',
  'freshness',
  'live_check',
);

export const verification = record(
  {
    status: verificationStatus,
    policy_version: filledText,
    required_checks: listOf(verificationCheck),
    checks: listOf(
      record(
        {
          name: verificationCheck,
          status: oneOf('missing', 'verifying', 'passed', 'stale', 'failed', 'restricted'),
        },
        { checked_at: timestamp, evidence_digest: sha256, reason: filledText },
      ),
    ),
    quality_issues: listOf(filledText),
  },
  { verified_at: timestamp, expires_at: timestamp, test_run_digest: sha256 },
);

/** The standing of a tool, which callers want to know before they call it, beside its contract. */
const standing = {
  verification_status: verificationStatus,
  verification,
  execution_restrictions: record(
    {
      callable: boolean,
      eligibility: filledText,
      license: filledText,
      commercial_use: filledText,
      regions: record({ allow: listOf(filledText), deny: listOf(filledText) }),
      warnings: listOf(filledText),
    },
    { data_as_of: timestamp },
  ),
};

const inspectFields = {
  tool_id: toolId,
  name: filledText,
  description: filledText,
  provider_name: filledText,
  provider_id: filledText,
  params: listOf(param),
  one_of_required: listOf(listOf(text)),
  examples: record({}, { sample_parameters: anyObject }),
  billing_rule: billingRule,
  stats,
  ...standing,
};

const optionalFields = {
  expected_cost: numericText,
  provider_description: filledText,
  category: filledText,
  categories: listOf(record({ slug: filledText, name: filledText, description: filledText })),
  capabilities: listOf(record({ id: filledText, tag: listOf(record({ id: filledText, name: filledText })) })),
  region: filledText,
  score: number,
  final_score: within(0, 1),
  docs_url: filledText,
};

export const inspectedTool = record(inspectFields, optionalFields);
export const discoveredTool = record(inspectFields, { ...optionalFields, why_recommended: filledText });

export const routingCard = record({
  tool_id: toolId,
  capability: filledText,
  cost_class: oneOf('free', 'low', 'medium', 'high'),
  reliability: oneOf('A', 'B', 'C', 'D', 'unknown'),
  as_of_support: boolean,
});

export const searchResponse = (result: Check): Check =>
  record(
    { query: text, search_id: searchId, total: integer, results: listOf(result), elapsed_time_ms: number },
    { remaining_credits: number, notice: filledText, error_message: nullable(text) },
  );

export const inspectResponse = (result: Check): Check =>
  record(
    { total: integer, results: listOf(result) },
    { search_id: searchId, elapsed_time_ms: number, remaining_credits: number, error_message: nullable(text) },
  );

const leanTool = record({
  tool_id: toolId,
  name: filledText,
  description: filledText,
  provider_name: filledText,
  params: listOf(param),
  one_of_required: listOf(listOf(text)),
  expected_cost: numericText,
});

/** Whatever the view. */
export const anySearch = searchResponse(either(discoveredTool, routingCard));
export const anyInspection = inspectResponse(either(inspectedTool, leanTool));

const probedParts = {
  schema: record({
    valid: boolean,
    violations: listOf(record({ type: filledText, message: filledText }, { param: filledText })),
  }),
  quote: record(
    { currency: oneOf('credits'), exact: boolean },
    { estimate_credits: number, basis: filledText, detail: record({ description: filledText }) },
  ),
  coverage: record({ verdict: oneOf('unknown'), reason: filledText }),
  sample: record({ verdict: oneOf('unknown'), reason: filledText }),
};
/** Every answer of Probe has these, beside the checks that were asked for. */
const probedAlways = {
  recovery: record({
    missing_fields: listOf(filledText),
    safe_fixes: listOf(filledText),
    retryable: boolean,
    next_action: oneOf('execute', 'inspect', 'probe', 'authorize', 'confirm_budget', 'switch_provider', 'retry'),
    provider_fallback: boolean,
  }),
  ...standing,
};

/** Just what was asked for. */
export const probeAnswer = (...asked: readonly (keyof typeof probedParts)[]): Check =>
  record({ ...Object.fromEntries(asked.map((part) => [part, probedParts[part]])), ...probedAlways });
export const anyProbe = record(probedAlways, probedParts);

export const capabilityDetail = record(
  {
    capability_id: filledText,
    name: filledText,
    description: filledText,
    params: listOf(param),
    field_spec: anyObject,
    examples: record({}, { sample_parameters: anyObject }),
  },
  {
    effect: oneOf('read_only', 'idempotent', 'unsafe'),
    tags: listOf(record({ id: filledText }, { name: filledText, type: filledText, description: filledText })),
    contract_version: integer,
    schema_hash: sha256,
    remaining_credits: within(0, 9e9),
    ...standing,
  },
);

export const capabilityList = record({
  total: integer,
  items: listOf(
    record(
      { capability_id: filledText, name: filledText, description: filledText, candidate_count: integer },
      { contract_version: integer, schema_hash: sha256 },
    ),
  ),
});

const provider = record(
  {
    provider_id: filledText,
    name: filledText,
    description: filledText,
    categories: listOf(filledText),
    tool_count: integer,
  },
  { website_url: filledText, region: filledText, stats },
);
export const providerList = record({ total: integer, items: listOf(provider) });
export const categoryList = record({
  items: listOf(
    record({
      slug: filledText,
      name: filledText,
      description: filledText,
      tool_count: integer,
      provider_count: integer,
    }),
  ),
});

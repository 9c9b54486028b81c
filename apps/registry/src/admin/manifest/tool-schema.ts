import { bindingSchema, jsonPath } from './binding-schema.js';
import { toolDefaults } from './documents.js';
import { MAX_UNITS } from './price.js';
import { descriptionSchema, MAX_NAME_LENGTH, nameSchema, oneLine } from './text-schema.js';

/** Characters, unless it says otherwise. */
const MAX_TAG_LENGTH = 50;
const MAX_TIMEOUT_MS = 100_000;
const MAX_TIERS = 10;
const MAX_CACHE_SECONDS = 86_400;
const MAX_EXAMPLES = 20;
const MAX_CATEGORIES = 10;
const MAX_CAPABILITIES = 20;
const MAX_GROUPS = 20;
/** Ten years. */
const MAX_AGE_SECONDS = 315_360_000;

/** `acme`, `acme-weather`. */
export const providerIdSchema = { type: 'string', pattern: '^[a-z][a-z0-9_-]{1,62}$' } as const;
export const slugSchema = { type: 'string', pattern: '^[a-z][a-z0-9-]{1,62}$' } as const;

const parameterName = { type: 'string', minLength: 1, maxLength: MAX_NAME_LENGTH } as const;

export const credits = (description: string) => ({
  description: `${description} Credits with at most six decimals, as a string or a number.`,
  anyOf: [
    { type: 'string', pattern: '^[0-9]{1,10}(\\.[0-9]{1,6})?$' },
    { type: 'number', minimum: 0, maximum: 9_000_000_000 },
  ],
});

const maxUnits = {
  type: 'integer',
  minimum: 1,
  maximum: MAX_UNITS,
  description:
    'Units that one call is billed for at most. May be left out where the schema of the parameter bounds them: a `maximum` of the limit or of a number, the `maxLength` of a text, the `maxItems` of a list.',
} as const;

const unit = {
  type: 'string',
  pattern: '^[a-z][a-z0-9 -]{0,38}[a-z0-9]$',
  description: 'What is counted, in the singular: `token`, `minute`.',
} as const;

const resultPath = {
  type: 'string',
  maxLength: 200,
  description: 'Dot-separated path in the result; the result itself where absent.',
} as const;

const limits = {
  limit_parameter: {
    ...parameterName,
    description: 'The parameter by which a caller asks for at most so many units.',
  },
  default_limit: {
    type: 'integer',
    minimum: 1,
    maximum: MAX_UNITS,
    description: 'Units at most where the caller sets no limit.',
  },
  max_units: maxUnits,
} as const;

const priceSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['amount_credits'],
  properties: {
    amount_credits: credits('Price of one unit, or of `per_units` of them; 0 is free.'),
    per_units: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_UNITS,
      description: 'Units that the amounts are for, e.g. 1000 tokens. Charged by the unit, rounded up once a line.',
    },
    minimum_credits: credits('Least charge of a successful call that is not within its free units.'),
    free_units: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_UNITS,
      description: 'Units of every call that cost nothing: its first ones.',
    },
    tiers: {
      type: 'array',
      minItems: 1,
      maxItems: MAX_TIERS,
      description: 'Graduated prices: every unit has the price of the tier that it falls in.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['above_units', 'amount_credits'],
        properties: {
          above_units: { type: 'integer', minimum: 1, maximum: MAX_UNITS },
          amount_credits: credits('Price of the units after `above_units` of them, up to the next tier.'),
        },
      },
    },
    cache_hit_amount_credits: credits(
      'Price of a call that is answered from the cache, where that is less than the same result costs otherwise.',
    ),
    metering: {
      type: 'object',
      description: 'What a unit is; one call where absent.',
      required: ['kind'],
      discriminator: { propertyName: 'kind' },
      oneOf: [
        { additionalProperties: false, properties: { kind: { const: 'call' } } },
        {
          description: 'The items of a list in the result.',
          additionalProperties: false,
          properties: { kind: { const: 'result_rows' }, path: resultPath, ...limits },
        },
        {
          description: 'Started kilobytes (1,024 bytes) of the result as JSON.',
          additionalProperties: false,
          properties: { kind: { const: 'result_kilobytes' }, max_units: maxUnits },
        },
        {
          description: 'What the result says that it used: a number, the characters of a text, the items of a list.',
          additionalProperties: false,
          required: ['path', 'unit'],
          properties: { kind: { const: 'result_units' }, path: resultPath, unit, ...limits },
        },
        {
          description: 'Started kilobytes (1,024 bytes) of a text parameter.',
          additionalProperties: false,
          required: ['parameter'],
          properties: { kind: { const: 'parameter_kilobytes' }, parameter: parameterName, max_units: maxUnits },
        },
        {
          description: 'A number parameter, the characters of a text parameter, the items of a list parameter.',
          additionalProperties: false,
          required: ['parameter', 'unit'],
          properties: { kind: { const: 'parameter_units' }, parameter: parameterName, unit, max_units: maxUnits },
        },
      ],
    },
  },
};

export const toolSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['tool_id', 'name', 'description', 'parameters_schema', 'price', 'binding'],
  properties: {
    kind: { const: 'tool' },
    tool_id: {
      type: 'string',
      maxLength: 200,
      pattern: '^[a-z][a-z0-9_-]*(\\.[a-z0-9_-]+){2,6}\\.v[1-9][0-9]{0,5}$',
      description: '`provider.resource.action.vN`; begins with the id of its provider.',
    },
    provider_id: { ...providerIdSchema, description: 'May be left out inside the manifest of its provider.' },
    status: {
      enum: ['published', 'draft'],
      default: toolDefaults.status,
      description: 'A draft waits until it is published.',
    },
    name: nameSchema,
    description: descriptionSchema,
    categories: { type: 'array', maxItems: MAX_CATEGORIES, uniqueItems: true, items: slugSchema },
    capabilities: {
      type: 'array',
      maxItems: MAX_CAPABILITIES,
      description: 'Capabilities (CAP) that it can serve.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['id'],
        properties: {
          id: { type: 'string', maxLength: 100, pattern: '^[a-z][a-z0-9_]*(\\.[a-z0-9_]+)+$' },
          tags: { type: 'array', maxItems: 20, items: { type: 'string', minLength: 1, maxLength: MAX_TAG_LENGTH } },
        },
      },
    },
    parameters_schema: {
      type: 'object',
      description:
        'JSON Schema 2020-12 of the parameters: an object with `additionalProperties: false`, texts in English.',
      required: ['type', 'additionalProperties'],
      properties: { type: { const: 'object' }, additionalProperties: { const: false } },
    },
    parameter_descriptions_zh: {
      type: 'object',
      maxProperties: 200,
      additionalProperties: { type: 'string', minLength: 1, maxLength: 2_000 },
      description: 'Chinese descriptions of parameters, by name.',
    },
    one_of_required: {
      type: 'array',
      maxItems: MAX_GROUPS,
      items: { type: 'array', minItems: 1, maxItems: 50, items: parameterName },
      description: 'Each group needs at least one of its parameters.',
    },
    examples: {
      type: 'array',
      maxItems: MAX_EXAMPLES,
      description: 'Calls that work. The first is shown to agents as sample parameters.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['parameters'],
        properties: { title: { type: 'string', minLength: 1, maxLength: 200 }, parameters: { type: 'object' } },
      },
    },
    price: priceSchema,
    binding: bindingSchema,
    result: {
      type: 'object',
      additionalProperties: false,
      properties: {
        empty_when: jsonPath('RFC 9535 JSONPath on the result. Empty, so never charged, where it selects anything.'),
        partial_when: jsonPath('RFC 9535 JSONPath on the result. Partial where it selects anything.'),
        schema: {
          type: 'object',
          description:
            'JSON Schema 2020-12 of the result. One that does not fit is an error of the provider, not charged.',
        },
      },
    },
    timeout_ms: { type: 'integer', minimum: 100, maximum: MAX_TIMEOUT_MS, default: toolDefaults.timeout_ms },
    cache: {
      type: 'object',
      additionalProperties: false,
      required: ['ttl_seconds'],
      description: 'Lets valid results answer equal calls. Where absent every call asks the provider.',
      properties: {
        ttl_seconds: {
          type: 'integer',
          minimum: 1,
          maximum: MAX_CACHE_SECONDS,
          description: 'Age that a result may have.',
        },
      },
    },
    as_of_support: {
      type: 'boolean',
      default: toolDefaults.as_of_support,
      description: 'May the caller ask for the state as of a date?',
    },
    region: {
      type: 'string',
      maxLength: 500,
      pattern: '^(global|-?[A-Z]{2}(\\|-?[A-Z]{2})*)$',
      description: '`global` where absent; `US|CA` allows these, a leading `-` denies: `-CN`.',
    },
    docs_url: { type: 'string', maxLength: 2_000 },
    freshness: {
      type: 'object',
      additionalProperties: false,
      required: ['path', 'max_age_seconds'],
      description:
        'Where results tell the time of their data, and how old that may be. Verification holds the tool to it.',
      properties: {
        path: {
          type: 'string',
          maxLength: MAX_NAME_LENGTH,
          description:
            "The one place of it in the result, `$.meta['as_of']`: ISO 8601, or seconds or milliseconds since 1970.",
        },
        max_age_seconds: { type: 'integer', minimum: 1, maximum: MAX_AGE_SECONDS },
      },
    },
    terms: {
      type: 'object',
      additionalProperties: false,
      minProperties: 1,
      description: 'What callers may do with results. What is not said is shown as `unknown`.',
      properties: {
        license: { type: 'string', minLength: 1, maxLength: MAX_NAME_LENGTH, pattern: oneLine },
        commercial_use: { enum: ['allowed', 'limited', 'forbidden'] },
        eligibility: { type: 'string', minLength: 1, maxLength: MAX_NAME_LENGTH, pattern: oneLine },
      },
    },
  },
};

import { descriptionSchema, nameSchema } from './text-schema.js';
import { credits, providerIdSchema, slugSchema, toolSchema } from './tool-schema.js';

/** Tools in one manifest of a provider. */
export const MAX_TOOLS_PER_MANIFEST = 2_000;
const MAX_CATEGORIES_PER_MANIFEST = 200;

export const MANIFEST_SCHEMA_ID = 'urn:capability-router:manifest:v1';

const categorySchema = {
  type: 'object',
  additionalProperties: false,
  required: ['slug', 'name', 'description'],
  properties: { kind: { const: 'category' }, slug: slugSchema, name: nameSchema, description: descriptionSchema },
};

const providerSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['provider_id', 'name', 'description'],
  properties: {
    kind: { const: 'provider' },
    provider_id: providerIdSchema,
    name: nameSchema,
    description: descriptionSchema,
    website_url: { type: 'string', maxLength: 2_000 },
    owner_account_ids: {
      type: 'array',
      maxItems: 100,
      uniqueItems: true,
      items: { type: 'string', pattern: '^acc_[0-9a-f]{32}$' },
      description: "Accounts whose own calls never count as evidence for this provider's tools.",
    },
    egress: {
      type: 'object',
      additionalProperties: false,
      description: 'What the operator allows beyond the default: public addresses over https.',
      properties: {
        allow_http: { type: 'boolean' },
        allow_hosts: {
          type: 'array',
          maxItems: 100,
          items: { type: 'string', maxLength: 253, pattern: '^(\\*\\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?$' },
          description: 'Host names or `*.example.com`; every host where absent.',
        },
        allow_networks: {
          type: 'array',
          maxItems: 100,
          items: { type: 'string', maxLength: 49, pattern: '^[0-9A-Fa-f.:]+/[0-9]{1,3}$' },
          description: 'Private networks in CIDR form that may be connected to. None where absent.',
        },
      },
    },
    credential: {
      enum: ['deployment', 'account'],
      description:
        'Whose credentials calls carry: those that the operator set (where absent), or those that the account that calls has set for itself.',
    },
    verification: {
      type: 'object',
      additionalProperties: false,
      description: 'How the tools of the provider are verified.',
      properties: {
        run_examples: {
          type: 'boolean',
          description:
            'Whether examples of its tools are run again and again, on the account of the deployment. They may cost money or change something at the provider, so that they are not where absent.',
        },
        daily_budget_credits: credits('What the runs may cost on one day of UTC. Above 0.'),
        domains: {
          type: 'array',
          maxItems: 50,
          uniqueItems: true,
          items: {
            type: 'string',
            maxLength: 253,
            pattern: '^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$',
          },
          description:
            "Domains that are the provider's by the word of the operator: a host at or below one needs no other proof.",
        },
      },
    },
    categories: {
      type: 'array',
      maxItems: MAX_CATEGORIES_PER_MANIFEST,
      items: { $ref: '#/$defs/category' },
      description: 'Categories that are defined with this provider. Those that exist need no definition.',
    },
    tools: { type: 'array', maxItems: MAX_TOOLS_PER_MANIFEST, items: { $ref: '#/$defs/tool' } },
  },
};

const withKind = (kind: string) => ({ allOf: [{ $ref: `#/$defs/${kind}` }], required: ['kind'] });

/**
 * The manifest format, and the validator's source. One document is a provider, a tool or a category; each row of an
 * import says by `kind` which.
 */
export const manifestSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: MANIFEST_SCHEMA_ID,
  title: 'Manifest of a provider, a tool or a category',
  description: 'Field names are snake_case; unknown fields are refused. Amounts are exact decimals of credits.',
  oneOf: [withKind('provider'), withKind('tool'), withKind('category')],
  $defs: { provider: providerSchema, tool: toolSchema, category: categorySchema },
};

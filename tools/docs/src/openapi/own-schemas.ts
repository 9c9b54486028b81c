/** Bodies that no class with decorators describes: OAuth sends forms, and imports rows. */
import type { JsonObject } from '@capability-router/kernel';

const text = (maxLength: number): JsonObject => ({ type: 'string', maxLength });
const filled: JsonObject = { type: 'string', minLength: 1 };
const names: JsonObject = { type: 'array', items: filled };

export const credentialFields: JsonObject = {
  type: 'object',
  required: ['fields'],
  properties: {
    fields: {
      type: 'object',
      minProperties: 1,
      additionalProperties: text(8_192),
      description: 'By name, the fields of one of the kinds that the provider accepts.',
    },
  },
  additionalProperties: false,
};

/** Members of RFC 6749, 7009, 7662, 8628 and 8693. */
const client = {
  client_id: { ...filled, description: 'Of a public client; others authenticate by `Authorization: Basic`.' },
} as const;

export const deviceForm: JsonObject = {
  type: 'object',
  properties: {
    ...client,
    scope: { type: 'string', description: 'Scopes, separated by spaces.' },
    resource: { type: 'string', description: 'The interface for which the token shall be good.' },
  },
};

export const tokenForm: JsonObject = {
  type: 'object',
  required: ['grant_type'],
  properties: {
    ...client,
    client_secret: filled,
    grant_type: filled,
    scope: { type: 'string' },
    resource: { type: 'string' },
    device_code: filled,
    refresh_token: filled,
    subject_token: filled,
    subject_token_type: filled,
    requested_token_type: filled,
    audience: { type: 'string' },
    tool_ids: names,
    provider_ids: names,
  },
  description: 'Which of them are needed depends on `grant_type`; a token exchange takes its limits here as well.',
};

export const tokenOfClientForm: JsonObject = {
  type: 'object',
  required: ['token'],
  properties: { ...client, client_secret: filled, token: filled, token_type_hint: { type: 'string' } },
};

/** `row`: the form of each; rows that do not have it are reported, and stop no other. */
export const usageImportOf = (row: JsonObject, maxRows: number): JsonObject => ({
  description: 'A list of calls, or one call a line of NDJSON.',
  anyOf: [
    {
      type: 'object',
      required: ['events'],
      properties: { events: { type: 'array', minItems: 1, maxItems: maxRows, items: row } },
      additionalProperties: false,
    },
    { type: 'string' },
  ],
});

export const importRows: JsonObject = {
  type: 'string',
  description: 'One manifest a line of NDJSON, or a document of YAML.',
};

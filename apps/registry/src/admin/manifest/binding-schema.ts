/** Characters. */
const MAX_URL_LENGTH = 2_000;
const MAX_PATH_LENGTH = 500;
const MAX_HEADERS = 30;
const MAX_PLACEMENTS = 200;

const name = (description: string, maxLength = 200) =>
  ({ type: 'string', minLength: 1, maxLength, pattern: '^[!-~]+$', description }) as const;
export const jsonPath = (description: string) =>
  ({ type: 'string', minLength: 1, maxLength: MAX_PATH_LENGTH, pattern: '^\\$', description }) as const;

const auth = {
  type: 'object',
  description: 'How the provider is shown who calls. Secrets are never here: they are set apart and kept sealed.',
  required: ['kind'],
  discriminator: { propertyName: 'kind' },
  oneOf: [
    { additionalProperties: false, properties: { kind: { const: 'none' } } },
    {
      additionalProperties: false,
      required: ['in', 'name'],
      properties: {
        kind: { const: 'api_key' },
        in: { enum: ['header', 'query'] },
        name: name('Name of the header or query parameter.'),
        prefix: { type: 'string', maxLength: 50, description: 'What stands before the key, e.g. `Token `.' },
      },
    },
    { additionalProperties: false, properties: { kind: { const: 'bearer' } } },
    { additionalProperties: false, properties: { kind: { const: 'basic' } } },
    {
      additionalProperties: false,
      required: ['token_url'],
      properties: {
        kind: { const: 'oauth2_client_credentials' },
        token_url: { type: 'string', maxLength: MAX_URL_LENGTH },
        scopes: { type: 'array', maxItems: 50, items: name('A scope.') },
      },
    },
  ],
} as const;

const placement = {
  type: 'object',
  additionalProperties: false,
  required: ['in'],
  properties: {
    in: { enum: ['path', 'query', 'header', 'body', 'form'] },
    name: name("The provider's name for it; the parameter's own where absent."),
    whole: { type: 'boolean', description: 'The value is the whole body.' },
    list: {
      enum: ['repeat', 'comma', 'pipe', 'space'],
      description: 'How a list is written; `repeat` (a=1&a=2) where absent, in the query only.',
    },
  },
} as const;

const retrySafe = {
  type: 'boolean',
  description: 'May the same request be sent again after a fault? Where absent: GET only.',
} as const;

const http = {
  additionalProperties: false,
  required: ['method', 'url'],
  properties: {
    kind: { const: 'http' },
    method: { enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
    url: {
      type: 'string',
      maxLength: MAX_URL_LENGTH,
      description: 'Absolute; `{name}` stands for a parameter that is placed in the path.',
    },
    placements: {
      type: 'object',
      maxProperties: MAX_PLACEMENTS,
      additionalProperties: placement,
      description: 'By parameter. What is not named goes into the query for GET and DELETE, else into the JSON body.',
    },
    headers: {
      type: 'object',
      maxProperties: MAX_HEADERS,
      propertyNames: { pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$" },
      additionalProperties: { type: 'string', maxLength: 2_000 },
      description: 'Constant request headers; never authorization, cookie, host or a hop-by-hop one.',
    },
    auth,
    result_path: jsonPath('RFC 9535 JSONPath: what of the answer is the result. The whole where absent.'),
    retry_safe: retrySafe,
  },
} as const;

const mcp = {
  additionalProperties: false,
  required: ['server', 'tool'],
  properties: {
    kind: { const: 'mcp' },
    server: {
      type: 'object',
      required: ['transport'],
      discriminator: { propertyName: 'transport' },
      oneOf: [
        {
          additionalProperties: false,
          required: ['url'],
          properties: { transport: { const: 'streamable_http' }, url: { type: 'string', maxLength: MAX_URL_LENGTH } },
        },
        {
          additionalProperties: false,
          required: ['command'],
          properties: {
            transport: { const: 'stdio' },
            command: {
              type: 'string',
              pattern: '^[a-z0-9][a-z0-9_-]{0,62}$',
              description: "The name of a command in the operator's configuration; never a command line.",
            },
          },
        },
      ],
    },
    tool: name("The server's name for the tool."),
    auth,
    retry_safe: retrySafe,
  },
} as const;

export const bindingSchema = {
  type: 'object',
  description: 'Who runs the tool, and how it is reached.',
  required: ['kind'],
  discriminator: { propertyName: 'kind' },
  oneOf: [http, mcp],
} as const;

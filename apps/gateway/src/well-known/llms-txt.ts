import { API_PREFIX, MCP_PATH } from '@capability-router/contracts';
import { AUTHORIZATION_SERVER_PATH, PROTECTED_RESOURCE_PATH } from './metadata.js';
import { OPENAPI_PATH } from './openapi.js';
import { CONSOLE_PATH } from './console/page.js';
import { REFERENCE_PATH } from './reference/page.js';

export const LLMS_TXT_PATH = '/llms.txt';
export const LLMS_TXT_TYPE = 'text/plain; charset=utf-8';

/** Tells a model how to make its first request, in the form of llmstxt.org. `publicUrl`: an origin. */
export const llmsTxt = (publicUrl: string): string => `# Capability router

> A tool network for software agents: describe what you need, get ranked tools with prices, call one, and pay credits only for a result worth
> charging for. Afterwards a usage audit and a ledger explain every call.

The base URL is ${publicUrl}${API_PREFIX}. Each request but those for an account carries \`Authorization: Bearer <API key>\`; bodies are JSON.

1. \`POST ${API_PREFIX}/search\` with \`{"query": "<need>"}\`: ranked tools, each with its \`tool_id\`, \`params\` and \`expected_cost\`; keep \`search_id\`.
2. \`POST ${API_PREFIX}/tools/by-ids\` with \`{"tool_ids": ["<tool_id>"]}\`: the whole schema, examples and the price rule.
3. \`POST ${API_PREFIX}/tools/probe\` with \`tool_id\` and \`parameters\`: whether they are valid, and what the call would cost; nothing is called.
4. \`POST ${API_PREFIX}/tools/execute\` with \`tool_id\`, \`parameters\` and \`search_id\`, and an \`Idempotency-Key\` of your own: with the same key a
   request that got no answer may be sent again, and is charged once. Keep \`execution_id\`.
5. \`GET ${API_PREFIX}/auth/usage/history/v2?execution_id=<execution_id>\`: what became of it, and what it cost.
6. \`GET ${API_PREFIX}/auth/credits/ledger\`: how the balance moved. \`GET ${API_PREFIX}/auth/credits\`: what is left.

\`POST ${API_PREFIX}/capabilities/query\` asks for a capability instead of a tool; the router chooses the tool.

Without a key: \`POST ${API_PREFIX}/agent/anonymous-register\` gives a trial agent one, with a few credits. A refused request says in \`message\` what to do
next; 429 and 503 name in \`Retry-After\` after how many seconds. Tool ids and parameters are used as they are returned, never invented.

MCP clients speak to ${publicUrl}${MCP_PATH} (streamable HTTP), which has the same as tools.

## Machine-readable

- [Every path, body, answer and status](${publicUrl}${OPENAPI_PATH}): OpenAPI 3.1
- [The same for people](${publicUrl}${REFERENCE_PATH})
- [What was done and paid with a key, for people](${publicUrl}${CONSOLE_PATH})
- [Version of the contract](${publicUrl}${API_PREFIX}/meta)
- [Where access tokens are to be had](${publicUrl}${AUTHORIZATION_SERVER_PATH}): OAuth 2.0, RFC 8414
- [What they are good for](${publicUrl}${PROTECTED_RESOURCE_PATH}): RFC 9728
`;

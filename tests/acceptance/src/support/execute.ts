import { call, type CallOptions, type Reply } from './http.js';
import type { JsonObject } from './json.js';
import type { KnownCall } from './tools.js';

/** Calls a tool; `more` goes into the body beside tool and parameters. */
export function execute(
  key: string,
  known: KnownCall,
  more: JsonObject = {},
  options: CallOptions = {},
): Promise<Reply> {
  return call('POST', '/tools/execute', {
    key,
    body: { tool_id: known.toolId, parameters: known.parameters, ...more },
    ...options,
  });
}

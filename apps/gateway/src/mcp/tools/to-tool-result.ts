import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { RestAnswer } from '../rest-calls.js';
import type { McpTool } from './mcp-tool.js';

/** Members of `_meta` of a result. */
const HTTP_STATUS = 'capability-router/http-status';
const REPLAYED = 'capability-router/idempotency-replayed';
const RETRY_AFTER = 'capability-router/retry-after-seconds';

/**
 * Gives the interface's answer as a result of the tool. A refusal is a result with `isError`, because models read results and
 * not errors of the protocol. Its structured content is there whenever the answer has the shape of the tool's results: of a
 * refused call, too, whose `execution_id` finds it in the audit.
 */
export function toToolResult({ answer: kind }: Pick<McpTool, 'answer'>, answer: RestAnswer): CallToolResult {
  const { status, replayed, retryAfterSeconds } = answer;
  const body = objectIn(answer.text);
  const failed = status >= 400;
  const structured = structuredOf(kind, body, failed);
  const told: JsonObject = structured ?? {
    http_status: status,
    ...(retryAfterSeconds === undefined ? {} : { retry_after_seconds: retryAfterSeconds }),
    ...body,
  };
  const link = linkIn(structured);
  return {
    content: [{ type: 'text', text: JSON.stringify(told) }, ...(link === undefined ? [] : [link])],
    ...(structured === undefined ? {} : { structuredContent: structured }),
    isError: failed || structured?.['success'] === false,
    _meta: {
      [HTTP_STATUS]: status,
      ...(replayed ? { [REPLAYED]: true } : {}),
      ...(retryAfterSeconds === undefined ? {} : { [RETRY_AFTER]: retryAfterSeconds }),
    },
  };
}

function structuredOf(kind: McpTool['answer'], body: JsonObject, failed: boolean): JsonObject | undefined {
  if (kind === 'envelope') return failed ? undefined : objectOf(body['data']);
  return failed && !isExecution(body) ? undefined : body;
}

const isExecution = ({ execution_id: id, success }: JsonObject): boolean =>
  typeof id === 'string' && typeof success === 'boolean';

/** The whole of a result that did not fit: the link works without a credential, for as long as the interface says. */
function linkIn(structured: JsonObject | undefined): CallToolResult['content'][number] | undefined {
  const { result: cut, execution_id: id } = structured ?? {};
  const { full_content_file_url: uri, message } = objectOf(cut) ?? {};
  if (typeof uri !== 'string' || typeof id !== 'string') return undefined;
  return {
    type: 'resource_link',
    uri,
    name: `result of ${id}`,
    mimeType: 'application/json',
    ...(typeof message === 'string' ? { description: message } : {}),
  };
}

const objectOf = (value: JsonValue | undefined): JsonObject | undefined => (isJsonObject(value) ? value : undefined);

/** Every answer of a public route is a JSON object. */
function objectIn(text: string): JsonObject {
  const value = JSON.parse(text) as JsonValue;
  if (!isJsonObject(value)) throw new Error('an answer of the interface is no JSON object');
  return value;
}

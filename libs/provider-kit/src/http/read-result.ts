import type { JsonValue } from '@capability-router/kernel';
import { compile } from 'json-p3';
import { dataFault, dataFaultMessages } from '../data-fault.js';
import type { JsonPathPool } from '../jsonpath/json-path-pool.js';
import { failure, type ProviderAnswer, type ProviderFailure } from '../provider-adapter.js';
import type { Unselected } from '../runners/evaluation-pool.js';

/** Levels of nesting of an answer; what reads results recurses. */
const MAX_DEPTH = 100;

/** Reads a body by its type: JSON, or a text. Pages for people are no result. */
export function parseBody(text: string, contentType: string | undefined): { data: JsonValue } | ProviderFailure {
  if (text === '') return { data: null };
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === '' || type === 'application/json' || type.endsWith('+json') || type === 'text/json') {
    return parseJson(text);
  }
  if (type !== 'text/html' && (type.startsWith('text/') || type === 'application/xml' || type.endsWith('+xml'))) {
    return { data: text };
  }
  return failure('provider_error', `The provider answered with ${type}, which is not a result.`, { retryable: false });
}

/**
 * The text of a body in the `charset` of its type, UTF-8 where it names none; undefined where nobody knows that charset.
 * JSON is always UTF-8 (RFC 8259), whatever it says.
 */
export function textOfBody(body: Buffer, contentType: string | undefined): string | undefined {
  const charset = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType ?? '')?.[1]?.toLowerCase();
  if (charset === undefined || charset === 'utf-8' || charset === 'utf8' || contentType?.includes('json') === true) {
    return body.toString('utf8');
  }
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return undefined;
  }
}

function parseJson(text: string): { data: JsonValue } | ProviderFailure {
  let data: JsonValue;
  try {
    data = JSON.parse(text) as JsonValue;
  } catch {
    return failure('provider_error', 'The provider answered with broken JSON.', { retryable: false });
  }
  const fault = dataFault(data, MAX_DEPTH);
  return fault === undefined ? { data } : failure('provider_error', dataFaultMessages[fault], { retryable: false });
}

/** The part of an answer that is the result; null where the path selects nothing. */
export async function selectResult(
  data: JsonValue,
  resultPath: string | undefined,
  pool: JsonPathPool,
  toolId: string,
): Promise<ProviderAnswer> {
  if (resultPath === undefined) return { kind: 'answered', data };
  const query = compiled(resultPath);
  // A path of names and indexes costs no more than its length; all others have to be bounded.
  if (query.singular) return { kind: 'answered', data: query.select(data) };
  const selection = { expression: resultPath, name: 'result', singular: false };
  const found = await pool.run({ data: JSON.stringify(data), selections: [selection] }, toolId);
  if (typeof found === 'string') return notSelected[found];
  return { kind: 'answered', data: (JSON.parse(found.json) as { result: JsonValue }).result };
}

const notSelected: Readonly<Record<Unselected, ProviderFailure>> = {
  limits: failure('execution_failed', 'The result could not be taken out of the answer. Ask for less.', {
    retryable: false,
  }),
  busy: failure(
    'execution_failed',
    'This server is too busy to take the result out of the answer; the fault is ours. Retry later.',
    { retryable: true, ours: true },
  ),
};

interface CompiledPath {
  readonly singular: boolean;
  readonly select: (data: JsonValue) => JsonValue;
}

/** Throws where the path is no RFC 9535 JSONPath. */
function compiled(path: string): CompiledPath {
  const query = compile(path);
  return {
    singular: query.singularQuery(),
    select: (data) => {
      for (const node of query.lazyQuery(data)) return node.value as JsonValue;
      return null;
    },
  };
}

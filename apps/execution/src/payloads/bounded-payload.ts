import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';

/** Bytes of JSON kept per request; a larger one is kept as its size and its beginning. */
export const MAX_REQUEST_PAYLOAD_BYTES = 16_384;
/** Characters of a result that its summary keeps. */
const MAX_PREVIEW_CHARACTERS = 1_024;
/** Characters of a request that is too large to keep. */
const MAX_REQUEST_PREVIEW_CHARACTERS = 4_096;

/** The request body as the audit keeps it, as JSON text. */
export function boundedRequest(body: unknown): string {
  const text = JSON.stringify(body);
  const sizeBytes = Buffer.byteLength(text);
  if (sizeBytes <= MAX_REQUEST_PAYLOAD_BYTES) return text;
  return JSON.stringify({
    truncated: true,
    size_bytes: sizeBytes,
    preview: text.slice(0, MAX_REQUEST_PREVIEW_CHARACTERS),
  });
}

/** Summarises a result as the audit keeps it: how large, how many, and how it begins. */
export function resultSummary(data: JsonValue, serialized: Buffer): JsonObject {
  const rows = Array.isArray(data)
    ? data
    : isJsonObject(data) && Array.isArray(data['rows'])
      ? data['rows']
      : undefined;
  return {
    size_bytes: serialized.length,
    ...(rows === undefined ? {} : { row_count: rows.length }),
    preview: serialized.toString('utf8', 0, MAX_PREVIEW_CHARACTERS),
  };
}

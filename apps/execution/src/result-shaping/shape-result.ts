import type { JsonObject, JsonValue } from '@capability-router/kernel';
import { inferSchema } from '@capability-router/tool-calls';
import type { Projection } from './projection.js';
import { summarize } from './summarize.js';
import { utf8Prefix } from './utf8-prefix.js';

export interface ShapeInput {
  readonly data: JsonValue;
  /** `data` as JSON. */
  readonly serialized: Buffer;
  /** Bytes; undefined = no truncation. */
  readonly maxResponseBytes: number | undefined;
  readonly projection: Projection;
  /** The path at which the price rule counts rows. */
  readonly rowsPath: string | undefined;
}

export interface ShapePorts {
  /** The selected fields as JSON, or undefined beyond the limits. */
  projectFields(serialized: string, projection: Extract<Projection, { kind: 'fields' }>): Promise<string | undefined>;
  /** Keeps the content and answers its link, or undefined where it could not be kept. */
  keep(content: Buffer): Promise<string | undefined>;
  /** Minutes for which a link works. */
  readonly linkMinutes: number;
}

/** `result` of an Execute response for a tool that answered. */
export async function shapeResult(input: ShapeInput, ports: ShapePorts): Promise<JsonObject> {
  const { projection } = input;
  if (projection.kind === 'summary') return summaryResult(input, ports);
  if (projection.kind === 'full') return fitOrTruncate(input.data, input.serialized, input.maxResponseBytes, ports);
  const selected = await ports.projectFields(input.serialized.toString('utf8'), projection);
  const echoed: JsonObject = { respond_with: projection.respondWith };
  if (selected === undefined) {
    const reason = 'The expressions of respond_with took too long or selected too much.';
    return { ...echoed, ...(await truncate(input.data, input.serialized, PREVIEW_BYTES, ports, reason)) };
  }
  const data = JSON.parse(selected) as JsonValue;
  return { ...echoed, ...(await fitOrTruncate(data, Buffer.from(selected), input.maxResponseBytes, ports)) };
}

/** Bytes of preview where the caller's own limit is not what stood in the way. */
const PREVIEW_BYTES = 1_024;

async function fitOrTruncate(
  data: JsonValue,
  serialized: Buffer,
  maxBytes: number | undefined,
  ports: ShapePorts,
): Promise<JsonObject> {
  if (maxBytes === undefined || serialized.length <= maxBytes) return { data };
  const reason = `The result has ${serialized.length} bytes, more than max_response_size (${maxBytes}).`;
  return truncate(data, serialized, maxBytes, ports, reason);
}

async function truncate(
  data: JsonValue,
  serialized: Buffer,
  previewBytes: number,
  ports: ShapePorts,
  reason: string,
): Promise<JsonObject> {
  const link = await ports.keep(serialized);
  const next =
    link === undefined
      ? 'The full content could not be kept.'
      : `Get the full content from full_content_file_url within ${ports.linkMinutes} minutes.`;
  return {
    message: `${reason} ${next}`,
    truncated_content: utf8Prefix(serialized, previewBytes),
    ...(link === undefined ? {} : { full_content_file_url: link }),
    content_schema: inferSchema(data),
  };
}

async function summaryResult(input: ShapeInput, ports: ShapePorts): Promise<JsonObject> {
  const link = await ports.keep(input.serialized);
  return {
    respond_with: 'summary',
    content_schema: inferSchema(input.data),
    summary: summarize(input.data, input.serialized.length, input.rowsPath),
    ...(link === undefined ? {} : { full_content_file_url: link }),
    message:
      link === undefined
        ? 'A summary of the result; the full content could not be kept.'
        : `A summary of the result. Get the full content from full_content_file_url within ${ports.linkMinutes} minutes.`,
  };
}

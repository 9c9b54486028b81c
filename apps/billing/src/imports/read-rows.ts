import type { Readable } from 'node:stream';
import { bodyLimits, type ValidationDetail } from '@capability-router/contracts';
import { AppError, hasWiderObject, isJsonObject, isNestedDeeper } from '@capability-router/kernel';

/** Rows of one import. */
export const MAX_IMPORT_ROWS = 10_000;

/** One row of the body, parsed or not. */
export type ImportRow = { readonly value: unknown } | { readonly fault: ValidationDetail };

/** `{"events": [...]}`. Throws a 422 that names the field. */
export function rowsOfBatch(body: unknown): ImportRow[] {
  const members: Readonly<Record<string, unknown>> = isJsonObject(body) ? body : {};
  const { events } = members;
  const others = Object.keys(members).filter((name) => name !== 'events');
  if (!Array.isArray(events)) throw invalid('list_type', 'events should be a list of model calls');
  if (others.length > 0)
    throw invalid('extra_forbidden', `${others[0] ?? ''} is not a field: the body has only events`);
  requireCount(events.length);
  return events.map((value: unknown) => ({ value }));
}

/** One JSON object a line. Throws a 413 or 422. A line that is no JSON is told as that row's fault. */
export async function rowsOfLines(body: Readable): Promise<ImportRow[]> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyLimits.usageImport) {
      throw new AppError(
        'body_too_large',
        `An import takes at most ${bodyLimits.usageImport} bytes. Send it in parts.`,
      );
    }
    chunks.push(chunk);
  }
  const lines = Buffer.concat(chunks)
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  requireCount(lines.length);
  return lines.map(parseLine);
}

function parseLine(line: string): ImportRow {
  const bytes = Buffer.from(line);
  if (isNestedDeeper(bytes) || hasWiderObject(bytes)) {
    return { fault: { type: 'syntax', loc: [], msg: 'A row is nested too deeply, or has too many members' } };
  }
  try {
    return { value: JSON.parse(line) as unknown };
  } catch {
    return { fault: { type: 'syntax', loc: [], msg: 'A row should be one JSON object on one line' } };
  }
}

function requireCount(rows: number): void {
  if (rows === 0) throw invalid('too_short', 'an import needs at least one row');
  if (rows > MAX_IMPORT_ROWS) {
    throw invalid('too_long', `an import takes at most ${MAX_IMPORT_ROWS} rows. Send the rest as another one`);
  }
}

function invalid(type: string, msg: string): AppError {
  return new AppError('validation_error', `The import is invalid: ${msg}.`, {
    details: [{ type, loc: ['body', 'events'], msg, allowed: { minItems: 1, maxItems: MAX_IMPORT_ROWS } }],
  });
}

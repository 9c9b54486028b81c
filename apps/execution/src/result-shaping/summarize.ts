import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';
import { rowsAt } from '@capability-router/tool-calls';

/** Names that a summary lists. */
const MAX_FIELDS = 100;

/** Size, rows and field names; rows are the data itself, or its member `rows`, or where the price rule counts them. */
export function summarize(data: JsonValue, sizeBytes: number, rowsPath: string | undefined): JsonObject {
  const rows =
    (rowsPath === undefined ? undefined : rowsAt(data, rowsPath)) ?? rowsAt(data, '') ?? rowsAt(data, 'rows');
  const described = rows?.find(isJsonObject) ?? (isJsonObject(data) ? data : {});
  return {
    size_bytes: sizeBytes,
    row_count: rows?.length ?? (data === null ? 0 : 1),
    fields: Object.keys(described).slice(0, MAX_FIELDS),
  };
}

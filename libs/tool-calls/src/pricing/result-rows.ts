import { isJsonObject, type JsonValue } from '@capability-router/kernel';

/** The array at a dot-separated path under `result.data`; the empty path is the data itself. Undefined if none is there. */
export function rowsAt(data: JsonValue, path: string): readonly JsonValue[] | undefined {
  let current: JsonValue | undefined = data;
  for (const name of path === '' ? [] : path.split('.')) {
    current = isJsonObject(current) && Object.hasOwn(current, name) ? current[name] : undefined;
  }
  return Array.isArray(current) ? current : undefined;
}

import { isJsonObject, type JsonValue } from '@capability-router/kernel';

/** The value at a dot-separated path under `result.data`, undefined if there is none; the empty path is the data itself. */
export function valueAt(data: JsonValue, path: string): JsonValue | undefined {
  let current: JsonValue | undefined = data;
  for (const name of path === '' ? [] : path.split('.')) {
    current = isJsonObject(current) && Object.hasOwn(current, name) ? current[name] : undefined;
  }
  return current;
}

/** The array at a path under `result.data`. Undefined if none is there. */
export function rowsAt(data: JsonValue, path: string): readonly JsonValue[] | undefined {
  const value = valueAt(data, path);
  return Array.isArray(value) ? value : undefined;
}

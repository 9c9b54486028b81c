import type { JsonObject, JsonValue } from '@capability-router/kernel';

/**
 * The work of a tool. Parameters are already validated against the tool's schema. Nothing usable is `null`, `[]`, `{}` or
 * `{ rows: [] }`. Throws `ToolInputError` for a fault of the caller; any other throw is a bug.
 */
export type Operation = (parameters: JsonObject) => Promise<JsonValue> | JsonValue;

/** Loads a heavy library on the first call of the first tool that needs it. */
export function lazy<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => (loaded ??= load());
}

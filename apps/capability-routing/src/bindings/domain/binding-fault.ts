import { parseSingularQuery, type MappedValue } from '@capability-router/contracts';
import { isJsonObject, type JsonObject } from '@capability-router/kernel';

/** One fault of a binding; `path` begins at the candidate: `['result', 'distance_km']`. */
export interface BindingFault {
  readonly type: string;
  readonly path: readonly string[];
  readonly msg: string;
}

export const bindingFault = (path: readonly string[], msg: string, type = 'value_error'): BindingFault => ({
  type,
  path,
  msg,
});

/** The names of the members that the schema of an object describes. */
export const memberNames = ({ properties }: JsonObject): string[] =>
  isJsonObject(properties) ? Object.keys(properties) : [];

/** The names of the members that must be there. */
export const requiredNames = ({ required }: JsonObject): string[] =>
  Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];

/** The member of the source in which a mapped value is looked for; undefined for a constant, an expression, and the source as a whole. */
export function sourceMember(mapped: MappedValue): string | undefined {
  if (!('from' in mapped)) return undefined;
  const [first] = parseSingularQuery(mapped.from);
  return typeof first === 'string' ? first : undefined;
}

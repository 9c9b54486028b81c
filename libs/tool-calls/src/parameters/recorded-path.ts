import { subschemasOf, type ValidationDetail } from '@capability-router/contracts';
import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';

/** How deep in a path the parameters stand: what comes after them is named by the schema of the tool or capability. */
const PARAMETERS_DEPTH = 2;

/** Names of members that may stand in records, because whoever published the schema gave them. */
export type PublishedNames = ReadonlySet<string>;

/** Every name that a schema of parameters gives to a member, at whatever depth. */
export function publishedNames(schema: JsonObject): PublishedNames {
  const names = new Set<string>();
  collect(schema, names);
  return names;
}

function collect(schema: JsonValue, names: Set<string>): void {
  if (!isJsonObject(schema)) return;
  for (const [keyword, members] of subschemasOf(schema)) {
    for (const [name, child] of members) {
      if (keyword === 'properties') names.add(String(name));
      collect(child, names);
    }
  }
}

/**
 * The path of a fault as far as a record may have it. A member that nobody knows is the caller's own word, so its parent is named; and so is
 * the parent of what lies in a map whose keys the caller chooses. Without `names` the members of the request itself are at fault.
 */
export function recordedPath(
  { type, loc }: Pick<ValidationDetail, 'type' | 'loc'>,
  names?: PublishedNames,
): readonly (string | number)[] {
  const path = type === 'extra_forbidden' ? loc.slice(0, -1) : loc;
  if (names === undefined) return path;
  const end = path.findIndex(
    (segment, depth) => depth >= PARAMETERS_DEPTH && typeof segment === 'string' && !names.has(segment),
  );
  return end === -1 ? path : path.slice(0, end);
}

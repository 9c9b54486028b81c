import type { JsonSchema } from '@capability-router/contracts';

/** The keywords that may change without anyone noticing. */
const prose = new Set(['title', 'description', 'examples', '$id', '$schema', 'properties', 'required']);

/**
 * Lists what a reader of `before` would miss in events of `after`, or a reader of `after` in events of `before`; empty
 * where the change only adds optional members and words.
 */
export function breakingChanges(before: JsonSchema, after: JsonSchema): string[] {
  const changes = ruleChanges('the event', before, after);
  for (const [name, old] of Object.entries(before.properties ?? {})) {
    const now = after.properties?.[name];
    if (now === undefined) changes.push(`${name} is gone`);
    else changes.push(...ruleChanges(name, old, now));
  }
  const [was, is] = [new Set(before.required), new Set(after.required)];
  for (const name of was) if (!is.has(name)) changes.push(`${name} was on every event and may be absent now`);
  for (const name of is) if (!was.has(name)) changes.push(`${name} is required now, and older events lack it`);
  return changes;
}

function ruleChanges(name: string, before: JsonSchema, after: JsonSchema): string[] {
  const rules = new Set([...Object.keys(before), ...Object.keys(after)].filter((rule) => !prose.has(rule)));
  const text = (schema: JsonSchema, rule: string): string => JSON.stringify(schema[rule as keyof JsonSchema] ?? 'none');
  return [...rules]
    .filter((rule) => text(before, rule) !== text(after, rule))
    .map((rule) => `${rule} of ${name} was ${text(before, rule)} and is ${text(after, rule)}`);
}

/** Members that `after` has and `before` has not. */
export const addedMembers = (before: JsonSchema, after: JsonSchema): string[] =>
  Object.keys(after.properties ?? {}).filter((name) => before.properties?.[name] === undefined);

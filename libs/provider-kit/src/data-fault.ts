import { isJsonObject, type JsonValue } from '@capability-router/kernel';

/** The reason why data that was parsed from JSON is not passed on as it was sent. */
export type DataFault = 'too_deep' | 'number_too_large';

/**
 * Level by level, without recursion: the depth is what is in question. A number beyond the largest double, `1e400`, parses
 * as infinite, and would be written as null.
 */
export function dataFault(data: JsonValue, maxLevels: number): DataFault | undefined {
  let level: readonly JsonValue[] = [data];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxLevels) return 'too_deep';
    const next: JsonValue[] = [];
    for (const value of level) {
      if (typeof value === 'number' && !Number.isFinite(value)) return 'number_too_large';
      const members = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
      for (const member of members) if (typeof member === 'object' || typeof member === 'number') next.push(member);
    }
    level = next;
  }
  return undefined;
}

export const dataFaultMessages: Readonly<Record<DataFault, string>> = {
  too_deep: 'The answer of the provider is nested too deeply.',
  number_too_large: 'The provider answered with a number beyond the largest that JSON readers know.',
};

import { hash as digestOf } from 'node:crypto';
import type { HashedTool } from './domain/plan-tool.js';
import type { ResolvedTool } from './domain/resolve-tool.js';

const sha256 = (text: string): string => digestOf('sha256', text);

/**
 * As `canonicalJson` of the value's JSON, without making that first: a member that is undefined counts as absent. An
 * import hashes a hundred thousand contracts.
 */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += text === '' ? canonical(item) : `,${canonical(item)}`;
    return `[${text}]`;
  }
  const members = value as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(members).sort()) {
    const member = members[name];
    if (member !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonical(member)}`;
  }
  return `{${text}}`;
}

/** SHA-256 of the canonical JSON, 64 lowercase hex digits. */
export const hashOf = (value: unknown): string => sha256(canonical(value));

/** Canonical texts of definitions, which many tools share; an entry goes with its definition. */
const known = new WeakMap<object, string>();

function canonicalOnce(value: object): string {
  const text = known.get(value) ?? canonical(value);
  known.set(value, text);
  return text;
}

/** Both hashes from one pass over the members. */
export function hashTool(tool: ResolvedTool): HashedTool {
  const members = Object.entries<unknown>({ ...tool })
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => {
      const resolved = name === 'provider';
      const text = resolved && typeof value === 'object' && value !== null ? canonicalOnce(value) : canonical(value);
      return { outside: resolved || name === 'categoryDefinitions', text: `${JSON.stringify(name)}:${text}` };
    });
  const hash = (parts: typeof members): string => sha256(`{${parts.map(({ text }) => text).join(',')}}`);
  return { tool, schemaHash: hash(members.filter(({ outside }) => !outside)), contractHash: hash(members) };
}

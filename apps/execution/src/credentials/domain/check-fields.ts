import type { ValidationDetail } from '@capability-router/contracts';
import { fail, isJsonObject, ok, type JsonObject, type Result } from '@capability-router/kernel';

/** Characters of one field; servers take no more in a header. */
export const MAX_FIELD_LENGTH = 8_192;
/** Members of `fields` that are looked at. */
const MAX_FIELDS = 20;

export type CredentialFields = Readonly<Record<string, string>>;

/**
 * The fields of a body `{fields: {…}}` that make up at least one of `kinds` whole. A fault names its field and what is
 * allowed, and never repeats a value.
 */
export function checkFields(
  body: unknown,
  kinds: Readonly<Record<string, readonly string[]>>,
): Result<CredentialFields, ValidationDetail[]> {
  const allowed = [...new Set(Object.values(kinds).flat())];
  const fault = (type: string, msg: string, rule: JsonObject, ...path: string[]): ValidationDetail => ({
    type,
    loc: ['body', ...path],
    msg,
    allowed: rule,
  });
  const known: JsonObject = { type: 'object', minProperties: 1, propertyNames: { enum: allowed } };
  if (!isJsonObject(body)) {
    return fail([fault('dict_type', 'Input should be an object with "fields"', { type: 'object' })]);
  }
  const details = Object.keys(body)
    .filter((name) => name !== 'fields')
    .slice(0, MAX_FIELDS)
    .map((name) =>
      fault(
        'extra_forbidden',
        'Extra inputs are not permitted; put the values into "fields"',
        { propertyNames: { enum: ['fields'] } },
        shown(name),
      ),
    );
  const { fields } = body;
  if (fields === undefined)
    details.push(fault('missing', `Field required: an object of ${listed(allowed)}`, known, 'fields'));
  else if (!isJsonObject(fields)) {
    details.push(fault('dict_type', `Input should be an object of ${listed(allowed)}`, known, 'fields'));
  }
  if (!isJsonObject(fields) || details.length > 0) return fail(details);
  const names = Object.keys(fields);
  for (const name of names.slice(0, MAX_FIELDS)) {
    if (!allowed.includes(name)) {
      const msg = `Unknown field; this provider takes ${listed(allowed)}`;
      details.push(fault('extra_forbidden', msg, { propertyNames: { enum: allowed } }, 'fields', shown(name)));
      continue;
    }
    const problem = problemOf(name, fields[name]);
    if (problem !== undefined) details.push(fault(problem.type, problem.msg, ruleOf(name), 'fields', name));
  }
  if (names.length === 0) details.push(fault('too_short', `Give ${listed(allowed)}`, known, 'fields'));
  for (const [kind, needed] of Object.entries(kinds)) {
    if (!needed.some((name) => names.includes(name))) continue;
    for (const name of needed.filter((one) => !names.includes(one))) {
      details.push(fault('missing', `Field required: "${kind}" needs ${listed(needed)}`, ruleOf(name), 'fields', name));
    }
  }
  return details.length > 0 ? fail(details) : ok({ ...(fields as CredentialFields) });
}

/** The form of a field. A user name ends at a colon; a password may be empty, and begin and end with a space. */
function ruleOf(name: string): JsonObject {
  const text = { type: 'string', maxLength: MAX_FIELD_LENGTH };
  if (name === 'password') return { ...text, pattern: '^[ -~]*$' };
  const visible = name === 'username' ? '[!-9;-~]' : '[!-~]';
  const inner = name === 'username' ? '[ -9;-~]' : '[ -~]';
  return { ...text, minLength: 1, pattern: `^${visible}(${inner}*${visible})?$` };
}

function problemOf(name: string, value: unknown): { readonly type: string; readonly msg: string } | undefined {
  if (typeof value !== 'string') return { type: 'string_type', msg: 'Input should be a string' };
  // Some providers take a key as the user name and no password.
  if (value === '' && name !== 'password') return { type: 'string_too_short', msg: 'Input should not be empty' };
  if (value.length > MAX_FIELD_LENGTH) {
    return { type: 'string_too_long', msg: `Input should have at most ${MAX_FIELD_LENGTH} characters` };
  }
  if (!/^[\x20-\x7e]*$/.test(value)) {
    const msg = 'Input should be printable ASCII: no line breaks, tabs or other control characters';
    return { type: 'string_pattern_mismatch', msg };
  }
  if (name !== 'password' && value.trim() !== value) {
    return { type: 'string_pattern_mismatch', msg: 'Input should not begin or end with a space' };
  }
  if (name === 'username' && value.includes(':')) {
    return { type: 'string_pattern_mismatch', msg: 'Input should have no colon, which ends a user name (RFC 7617)' };
  }
  return undefined;
}

const listed = (names: readonly string[]): string =>
  names.length === 0 ? 'no credentials' : names.map((name) => `"${name}"`).join(', ');

/** A secret can have slipped into the place of a name. */
const shown = (name: string): string => (/^[a-z][a-z0-9_]{0,31}$/.test(name) ? name : '?');

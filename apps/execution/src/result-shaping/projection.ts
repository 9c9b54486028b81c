import { compile } from 'json-p3';
import { fail, ok, type Result } from '@capability-router/kernel';

/** Expressions in one `respond_with`. */
const MAX_EXPRESSIONS = 20;
/** Characters of one expression; also keeps the recursion of the parser shallow. */
const MAX_EXPRESSION_LENGTH = 200;

/** `..` in one expression, also within filters: each multiplies the cost of the rest by the size of the result. */
const MAX_DESCENDANT_SEGMENTS = 2;
/** Filters in one expression, nested ones included. */
const MAX_FILTERS = 4;

export interface FieldSelection {
  /** RFC 9535, rooted at `result.data`. */
  readonly expression: string;
  /** Its member in the projected data: the last name of the path, or the expression itself. */
  readonly name: string;
  /** Selects at most one value, which is then shown bare and not in an array. */
  readonly singular: boolean;
}

export type Projection =
  | { readonly kind: 'full' }
  | { readonly kind: 'summary' }
  | { readonly kind: 'fields'; readonly respondWith: string; readonly fields: readonly FieldSelection[] };

const FIELDS_PREFIX = 'fields:';
/** Characters of `respond_with`: as many expressions as there may be, of any length that one may have, with blanks between them. */
export const MAX_PROJECTION_LENGTH = 4_200;

/** Reads `respond_with`; the error is what the caller should do about it. */
export function parseProjection(text: string): Result<Projection, string> {
  if (text === 'full' || text === 'summary') return ok({ kind: text });
  if (text.length > MAX_PROJECTION_LENGTH) return fail(`Use at most ${MAX_PROJECTION_LENGTH} characters`);
  if (!text.startsWith(FIELDS_PREFIX)) return fail('Use full, summary, or fields:<JSONPath,...>');
  const expressions = splitExpressions(text.slice(FIELDS_PREFIX.length));
  if (expressions.length === 0) return fail('Name at least one JSONPath expression after fields:');
  if (expressions.length > MAX_EXPRESSIONS) return fail(`Use at most ${MAX_EXPRESSIONS} expressions`);
  const fields: FieldSelection[] = [];
  for (const expression of expressions) {
    const field = parseField(expression);
    if (!field.ok) return field;
    fields.push(field.value);
  }
  const names = fields.map((field) => field.name);
  const distinct = fields.map((field) =>
    names.indexOf(field.name) === names.lastIndexOf(field.name) ? field : { ...field, name: field.expression },
  );
  return ok({ kind: 'fields', respondWith: text, fields: distinct });
}

/** The name at the end of a canonical query: `['name']` or `.name`. */
const lastNamePattern = /(?:\['((?:[^'\\]|\\.)*)'\]|\.([\p{L}_][\p{L}\p{N}_]*))$/u;

function parseField(expression: string): Result<FieldSelection, string> {
  if (expression.length > MAX_EXPRESSION_LENGTH) {
    return fail(`Use at most ${MAX_EXPRESSION_LENGTH} characters in an expression`);
  }
  try {
    const query = compile(expression);
    const canonical = query.toString();
    const costly = tooCostly(canonical);
    if (costly !== undefined) return fail(`"${expression}" ${costly}`);
    const match = lastNamePattern.exec(canonical);
    return ok({ expression, name: match?.[1] ?? match?.[2] ?? expression, singular: query.singularQuery() });
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unreadable';
    return fail(`"${expression}" is not an RFC 9535 JSONPath: ${reason}`);
  }
}

/** Says why an expression cannot be evaluated in the time that there is; undefined where it can. Names and texts in quotes do not count. */
function tooCostly(canonical: string): string | undefined {
  const bare = canonical.replaceAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/gu, '');
  if (bare.split('..').length - 1 > MAX_DESCENDANT_SEGMENTS) {
    return `descends (..) more than ${MAX_DESCENDANT_SEGMENTS} times. Name the members on the way`;
  }
  return bare.split('?').length - 1 > MAX_FILTERS ? `has more than ${MAX_FILTERS} filters` : undefined;
}

/** Splits at commas outside brackets, parentheses and quotes; empty expressions are dropped. */
function splitExpressions(text: string): string[] {
  const parts: string[] = [];
  let current = '';
  let depth = 0;
  let quote = '';
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (quote !== '') {
      if (character === '\\') {
        current += character + text.charAt(index + 1);
        index += 1;
        continue;
      }
      if (character === quote) quote = '';
    } else if (character === "'" || character === '"') {
      quote = character;
    } else if (character === '[' || character === '(') {
      depth += 1;
    } else if (character === ']' || character === ')') {
      depth -= 1;
    } else if (character === ',' && depth === 0) {
      parts.push(current);
      current = '';
      continue;
    }
    current += character;
  }
  parts.push(current);
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

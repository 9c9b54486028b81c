import { isHeaderValue, type HttpBinding, type HttpPlacement } from '@capability-router/contracts';
import { fail, isJsonObject, ok, type JsonObject, type JsonValue, type Result } from '@capability-router/kernel';

/** The parameters of a call, sorted by where they go. Values are texts except in a JSON body. */
export interface PlacedParameters {
  /** Percent-encoded, by the name in the URL template. */
  readonly path: ReadonlyMap<string, string>;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly form: readonly (readonly [name: string, value: string])[];
  readonly body: Readonly<Record<string, JsonValue>>;
  /** The body, where one parameter is all of it. */
  readonly whole: JsonValue | undefined;
}

const separators = { comma: ',', pipe: '|', space: ' ' } as const;

/** Sorts parameters by the binding's placements. The error names the parameter and what is wrong with its value. */
export function placeParameters(binding: HttpBinding, parameters: JsonObject): Result<PlacedParameters, string> {
  const path = new Map<string, string>();
  const query: [string, string][] = [];
  const form: [string, string][] = [];
  const headers: Record<string, string> = {};
  const body: Record<string, JsonValue> = {};
  let whole: JsonValue | undefined;
  const unplaced = unplacedIn(binding);
  for (const [name, value] of Object.entries(parameters)) {
    const placement = Object.hasOwn(binding.placements, name) ? binding.placements[name] : undefined;
    if (value === null && placement === undefined) continue;
    const at = placement ?? { in: unplaced };
    const target = at.name ?? name;
    // JSON can say half of a surrogate pair; what is sent as plain text cannot.
    if (at.in !== 'body' && !isWellFormed(value)) return fail(`${name}: this text holds half of a character`);
    switch (at.in) {
      case 'body':
        if (at.whole === true) whole = value;
        else body[target] = value;
        break;
      case 'path': {
        const segment = pathSegment(value, at);
        if (segment === undefined) return fail(`${name}: this value cannot be part of a path`);
        path.set(target, segment);
        break;
      }
      case 'header': {
        const text = joined(value, at.list ?? 'comma');
        if (!isHeaderValue(text)) return fail(`${name}: a header can hold printable Latin characters only`);
        headers[target.toLowerCase()] = text;
        break;
      }
      case 'query':
        query.push(...pairs(target, value, at));
        break;
      case 'form':
        form.push(...pairs(target, value, at));
        break;
    }
  }
  return ok({ path, query, headers, form, body, whole });
}

function unplacedIn({ method, placements }: HttpBinding): HttpPlacement['in'] {
  if (method === 'GET' || method === 'DELETE') return 'query';
  return Object.values(placements).some((placement) => placement.in === 'form') ? 'form' : 'body';
}

/** One path segment; a dot segment would lead out of the tool's own path, and an empty one to another resource. */
function pathSegment(value: JsonValue, { list }: HttpPlacement): string | undefined {
  const text = Array.isArray(value)
    ? value.map((item) => encodeURIComponent(textOf(item))).join(separatorOf(list ?? 'comma'))
    : encodeURIComponent(textOf(value));
  return text === '' ? undefined : text;
}

function pairs(name: string, value: JsonValue, { list = 'repeat' }: HttpPlacement): [string, string][] {
  if (value === null) return [];
  if (!Array.isArray(value)) return [[name, textOf(value)]];
  if (list === 'repeat') return value.map((item) => [name, textOf(item)]);
  return [[name, joined(value, list)]];
}

const joined = (value: JsonValue, list: NonNullable<HttpPlacement['list']>): string =>
  Array.isArray(value) ? value.map(textOf).join(separatorOf(list)) : textOf(value);

const separatorOf = (list: NonNullable<HttpPlacement['list']>): string => (list === 'repeat' ? ',' : separators[list]);

function textOf(value: JsonValue): string {
  if (value === null) return '';
  return Array.isArray(value) || isJsonObject(value) ? JSON.stringify(value) : String(value);
}

const isWellFormed = (value: JsonValue): boolean =>
  Array.isArray(value) ? value.every(isWellFormed) : typeof value !== 'string' || !/\p{Surrogate}/u.test(value);

/** A number as the answer writes it. Amounts of credits are exact decimals, so the page shows their digits and never computes. */
export class ExactNumber {
  constructor(private readonly digits: string) {}

  toString(): string {
    return this.digits;
  }

  /** JSON gets the same digits back where the browser can write them. */
  toJSON(): unknown {
    return json.rawJSON?.(this.digits) ?? Number(this.digits);
  }
}

export type Json = null | boolean | string | ExactNumber | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: Json | undefined;
}

/** Members of ES2026 that the types of the compiler do not have yet. */
const json = JSON as typeof JSON & { readonly rawJSON?: (text: string) => unknown };

/** A browser that does not tell the text of a number writes its shortest form, which is exact below a billion credits. */
function keepDigits(_member: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' ? new ExactNumber(context?.source ?? String(value)) : value;
}

/** Throws SyntaxError for what is no JSON. */
export const parseJson = (text: string): Json => JSON.parse(text, keepDigits) as Json;

export function objectOf(value: Json | undefined): JsonObject {
  const isObject =
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
  return isObject ? (value as JsonObject) : {};
}

export const objectsOf = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.map((item: Json) => objectOf(item)) : [];

/** The text of a member; an empty one where it is absent or null. */
export function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' && !(value instanceof ExactNumber) ? printed(value) : String(value);
}

export const textsOf = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.map((item: Json) => textOf(item)) : [];

export const printed = (value: Json | undefined): string => JSON.stringify(value ?? null, null, 2);

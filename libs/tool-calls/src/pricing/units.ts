import type { JsonObject, JsonValue } from '@capability-router/kernel';
import type { Metering } from '@capability-router/contracts';
import { rowsAt, valueAt } from './value-at.js';

const BYTES_PER_KILOBYTE = 1_024;

type Bounded = Extract<Metering, { kind: 'result_rows' | 'result_units' }>;

/** The most units that a call with these parameters can be billed for. A whole number. */
export function maxUnits(metering: Metering, parameters: JsonObject): number {
  switch (metering.kind) {
    case 'call':
      return 1;
    case 'result_rows':
    case 'result_units':
      return askedUnits(metering, parameters);
    case 'result_kilobytes':
      return metering.maxUnits;
    case 'parameter_kilobytes':
    case 'parameter_units':
      return Math.min(givenUnits(metering, parameters), metering.maxUnits);
  }
}

/** The most units of any call. */
export const mostUnits = (metering: Metering): number => (metering.kind === 'call' ? 1 : metering.maxUnits);

/** The fewest units of a valid result. An empty list is no valid result, and no JSON has no bytes. */
export function leastUnits(metering: Metering, parameters: JsonObject): number {
  const most = maxUnits(metering, parameters);
  switch (metering.kind) {
    case 'result_rows':
    case 'result_kilobytes':
      return Math.min(1, most);
    case 'result_units':
      return 0;
    default:
      return most;
  }
}

/**
 * Units of a call that has its result, not yet bounded. Undefined where the result lacks what it is metered by: it is not
 * what the tool promises.
 */
export function measuredUnits(
  metering: Metering,
  parameters: JsonObject,
  data: JsonValue,
  /** The size of `data` as JSON in UTF-8, where it is known. */
  sizeBytes?: number,
): number | undefined {
  switch (metering.kind) {
    case 'call':
      return 1;
    case 'result_rows':
      return rowsAt(data, metering.path)?.length;
    case 'result_units':
      return countOf(valueAt(data, metering.path));
    case 'result_kilobytes':
      return kilobytes(sizeBytes ?? Buffer.byteLength(JSON.stringify(data)));
    case 'parameter_kilobytes':
    case 'parameter_units':
      return givenUnits(metering, parameters);
  }
}

/** Does the result have what it is metered by? */
export const isMeasurable = (metering: Metering, data: JsonValue): boolean =>
  measuredUnits(metering, {}, data, 0) !== undefined;

function askedUnits({ limitParameter, defaultLimit, maxUnits: most }: Bounded, parameters: JsonObject): number {
  const asked = limitParameter === undefined ? undefined : parameters[limitParameter];
  const limit = asked ?? defaultLimit ?? most;
  // A limit that is not a whole number from 1 bounds nothing: the tool may still return its maximum. Many providers take
  // 0 for a page of their own size.
  const usable = typeof limit === 'number' && Number.isSafeInteger(limit) && limit > 0;
  return usable ? Math.min(limit, most) : most;
}

function givenUnits(
  metering: Extract<Metering, { kind: 'parameter_kilobytes' | 'parameter_units' }>,
  parameters: JsonObject,
): number {
  const given = Object.hasOwn(parameters, metering.parameter) ? parameters[metering.parameter] : undefined;
  if (metering.kind === 'parameter_kilobytes')
    return typeof given === 'string' ? kilobytes(Buffer.byteLength(given)) : 0;
  return countOf(given) ?? metering.defaultUnits ?? 0;
}

const kilobytes = (bytes: number): number => Math.ceil(bytes / BYTES_PER_KILOBYTE);

/** A number counts itself, a started unit as a whole one; a text its characters (code points); a list its items. */
function countOf(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'number') return value > 0 ? Math.ceil(value) : 0;
  if (typeof value === 'string') return characters(value);
  return Array.isArray(value) ? value.length : undefined;
}

/** Code points, as JSON Schema counts `maxLength`. */
function characters(text: string): number {
  let pairs = 0;
  for (let index = 0; index < text.length - 1; index += 1) {
    if (isHigh(text.charCodeAt(index)) && isLow(text.charCodeAt(index + 1))) pairs += 1;
  }
  return text.length - pairs;
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

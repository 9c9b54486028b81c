import type { Metering, PriceRule } from '@capability-router/contracts';
import {
  creditsFromMicro,
  creditsFromNumber,
  formatCredits,
  isJsonObject,
  parseCredits,
  type JsonObject,
  type JsonValue,
} from '@capability-router/kernel';
import { dearestCall, measuredUnits } from '@capability-router/tool-calls';
import type { MeteringDocument, PriceDocument } from './documents.js';
import { present } from './present.js';

/** Units of one call; a schema that allows more bounds nothing. */
export const MAX_UNITS = 10_000_000;
/** Bytes. A character takes at most four in UTF-8, and JSON Schema counts characters. */
const MAX_BYTES_PER_CHARACTER = 4;
const BYTES_PER_KILOBYTE = 1_024;

/**
 * From a document that was checked; amounts may still throw `RangeError`. `schema`: of the tool's parameters, for what the
 * document leaves to it; a price that applies to many tools has none.
 */
export function toPriceRule(price: PriceDocument, schema: JsonObject = {}): PriceRule {
  const { amount_credits, minimum_credits, per_units, free_units, tiers, cache_hit_amount_credits } = price;
  const metering = price.metering ?? { kind: 'call' };
  return present({
    metering: toMetering(metering, schema),
    amountMicroCredits: microCredits(amount_credits),
    minimumMicroCredits: optionalMicroCredits(minimum_credits),
    unitLabel: 'unit' in metering ? metering.unit : unitLabels[metering.kind],
    perUnits: per_units,
    freeUnits: free_units,
    tiers: tiers?.map((tier) => ({
      aboveUnits: tier.above_units,
      amountMicroCredits: microCredits(tier.amount_credits),
    })),
    cacheHitMicroCredits: optionalMicroCredits(cache_hit_amount_credits),
  });
}

const microCredits = (amount: string | number): string =>
  (typeof amount === 'string' ? parseCredits(amount) : creditsFromNumber(amount)).toString();
const optionalMicroCredits = (amount: string | number | undefined): string | undefined =>
  amount === undefined ? undefined : microCredits(amount);

const unitLabels = {
  call: 'call',
  result_rows: 'row',
  result_kilobytes: 'kilobyte',
  parameter_kilobytes: 'kilobyte',
} as const;

function toMetering(metering: MeteringDocument, schema: JsonObject): Metering {
  switch (metering.kind) {
    case 'call':
      return { kind: 'call' };
    case 'result_kilobytes':
      return { kind: metering.kind, maxUnits: boundOf(metering, schema) };
    case 'result_rows':
    case 'result_units':
      return present({
        kind: metering.kind,
        path: metering.path ?? '',
        limitParameter: metering.limit_parameter,
        defaultLimit: metering.default_limit,
        maxUnits: boundOf(metering, schema),
      });
    case 'parameter_kilobytes':
      return { kind: metering.kind, parameter: metering.parameter, maxUnits: boundOf(metering, schema) };
    case 'parameter_units':
      return present({
        kind: metering.kind,
        parameter: metering.parameter,
        defaultUnits: defaultUnits(metering.parameter, schema),
        maxUnits: boundOf(metering, schema),
      });
  }
}

type Metered = Exclude<MeteringDocument, { kind: 'call' }>;

function boundOf(metering: Metered, schema: JsonObject): number {
  const bound = metering.max_units ?? schemaBound(metering, schema);
  if (bound === undefined) throw new RangeError('the price has no upper bound');
  return bound;
}

/** The most units that a call can have by the schema of its parameters; undefined where the schema says nothing. */
export function schemaBound(metering: Metered, schema: JsonObject): number | undefined {
  switch (metering.kind) {
    case 'result_kilobytes':
      return undefined;
    case 'result_rows':
    case 'result_units':
      return metering.limit_parameter === undefined
        ? undefined
        : largestNumber(parameterSchema(schema, metering.limit_parameter));
    case 'parameter_kilobytes': {
      const { maxLength } = parameterSchema(schema, metering.parameter);
      return isBound(maxLength) ? Math.ceil((maxLength * MAX_BYTES_PER_CHARACTER) / BYTES_PER_KILOBYTE) : undefined;
    }
    case 'parameter_units': {
      const parameter = parameterSchema(schema, metering.parameter);
      if (parameter['type'] === 'string') return bound(parameter['maxLength']);
      return parameter['type'] === 'array' ? bound(parameter['maxItems']) : largestNumber(parameter);
    }
  }
}

const isBound = (value: JsonValue | undefined): value is number =>
  typeof value === 'number' && value > 0 && value <= MAX_UNITS;
const bound = (value: JsonValue | undefined): number | undefined => (isBound(value) ? Math.ceil(value) : undefined);

function largestNumber({ type, maximum, exclusiveMaximum }: JsonObject): number | undefined {
  if (type !== 'integer' && type !== 'number') return undefined;
  return bound(maximum) ?? bound(exclusiveMaximum);
}

/** The schema of the parameter itself; references in it are not followed. */
export function parameterSchema({ properties }: JsonObject, name: string): JsonObject {
  const parameter = isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isJsonObject(parameter) ? parameter : {};
}

function defaultUnits(parameter: string, schema: JsonObject): number | undefined {
  const { default: value } = parameterSchema(schema, parameter);
  if (value === undefined) return undefined;
  return measuredUnits({ kind: 'parameter_units', parameter, maxUnits: 0 }, { [parameter]: value }, null);
}

/** Throws `RangeError` where the dearest call costs more than an account can hold. */
export const dearestCallOf = (price: PriceDocument, schema: JsonObject): bigint =>
  dearestCall(toPriceRule(price, schema));

const credits = (micro: string): string => formatCredits(creditsFromMicro(BigInt(micro)));
const optionalCredits = (micro: string | undefined): string | undefined =>
  micro === undefined ? undefined : credits(micro);

export function toPriceDocument(rule: PriceRule): object {
  return present({
    amount_credits: credits(rule.amountMicroCredits),
    per_units: rule.perUnits,
    minimum_credits: optionalCredits(rule.minimumMicroCredits),
    free_units: rule.freeUnits,
    tiers: rule.tiers?.map((tier) => ({
      above_units: tier.aboveUnits,
      amount_credits: credits(tier.amountMicroCredits),
    })),
    cache_hit_amount_credits: optionalCredits(rule.cacheHitMicroCredits),
    metering: rule.metering.kind === 'call' ? undefined : toMeteringDocument(rule.metering, rule.unitLabel),
  });
}

function toMeteringDocument(metering: Exclude<Metering, { kind: 'call' }>, unit: string): object {
  const { kind, maxUnits: max_units } = metering;
  switch (metering.kind) {
    case 'result_kilobytes':
      return { kind, max_units };
    case 'parameter_kilobytes':
      return { kind, parameter: metering.parameter, max_units };
    case 'parameter_units':
      return { kind, parameter: metering.parameter, unit, max_units };
    case 'result_rows':
    case 'result_units':
      return present({
        kind,
        path: metering.path === '' ? undefined : metering.path,
        unit: metering.kind === 'result_units' ? unit : undefined,
        limit_parameter: metering.limitParameter,
        default_limit: metering.defaultLimit,
        max_units,
      });
  }
}

import type { JsonObject } from '@capability-router/kernel';
import type { MeteringDocument, PriceDocument } from './documents.js';
import { dearestCallOf, MAX_UNITS, parameterSchema, schemaBound, toPriceRule } from './price.js';

type Path = readonly (string | number)[];
/** `path` is under `price`. */
export type PriceFault = (path: Path, msg: string, type?: string, allowed?: JsonObject) => void;

type Metered = Exclude<MeteringDocument, { kind: 'call' }>;

/**
 * Amounts are exact, units are counted, and the dearest call has a price that can be held. `schema` of the parameters: absent
 * for a price that applies to many tools, whose bound must then stand in it.
 */
export function checkPrice(price: PriceDocument, schema: JsonObject | undefined, fault: PriceFault): void {
  if (!areExact(price, fault)) return;
  const { metering = { kind: 'call' } } = price;
  checkUnits(price, metering, fault);
  if (metering.kind === 'parameter_units' && schema !== undefined) checkCounted(metering.parameter, schema, fault);
  if (
    metering.kind !== 'call' &&
    metering.max_units === undefined &&
    schemaBound(metering, schema ?? {}) === undefined
  ) {
    const allowed = { type: 'integer', minimum: 1, maximum: MAX_UNITS };
    fault(['metering', 'max_units'], schema === undefined ? needsBound : unbounded(metering), 'missing', allowed);
    return;
  }
  try {
    dearestCallOf(price, schema ?? {});
  } catch {
    fault(['metering', 'max_units'], 'The dearest call would cost more than an account can hold');
  }
}

function areExact(price: PriceDocument, fault: PriceFault): boolean {
  const amounts: [Path, string | number | undefined][] = [
    [['amount_credits'], price.amount_credits],
    [['minimum_credits'], price.minimum_credits],
    [['cache_hit_amount_credits'], price.cache_hit_amount_credits],
    ...(price.tiers ?? []).map((tier, index): [Path, string | number] => [
      ['tiers', index, 'amount_credits'],
      tier.amount_credits,
    ]),
  ];
  const inexact = amounts.filter(([, amount]) => amount !== undefined && !isExact(amount));
  for (const [path] of inexact) fault(path, 'Input should be an amount of credits with at most six decimals');
  return inexact.length === 0;
}

function isExact(amount: string | number): boolean {
  try {
    toPriceRule({ amount_credits: amount });
    return true;
  } catch {
    return false;
  }
}

function checkUnits(price: PriceDocument, { kind }: MeteringDocument, fault: PriceFault): void {
  if (kind === 'call') {
    for (const member of ['per_units', 'free_units', 'tiers'] as const) {
      if (price[member] !== undefined) {
        fault([member], 'A price per call has one unit only; say what the units are in "metering"');
      }
    }
  }
  for (const [index, { above_units }] of (price.tiers ?? []).entries()) {
    if (above_units <= (price.tiers?.[index - 1]?.above_units ?? 0)) {
      fault(['tiers', index, 'above_units'], 'Tiers should be in ascending order of "above_units"');
    }
  }
}

/** A parameter has to be one that can be counted, and to be there. */
function checkCounted(name: string, schema: JsonObject, fault: PriceFault): void {
  const parameter = parameterSchema(schema, name);
  const path = ['metering', 'parameter'];
  const { type } = parameter;
  if (type !== 'integer' && type !== 'number') {
    if (type !== 'string' && type !== 'array') {
      fault(path, `"${name}" should have the type integer, number, string or array, to be counted`);
    }
    return;
  }
  const { required } = schema;
  if (!(Array.isArray(required) && required.includes(name)) && parameter['default'] === undefined) {
    fault(path, `"${name}" should be required or have a default, so that a call without it has a price`);
  }
}

const needsBound = 'Without an upper bound the price of a call cannot be reserved: give "max_units"';

function unbounded(metering: Metered): string {
  switch (metering.kind) {
    case 'result_kilobytes':
      return needsBound;
    case 'result_rows':
    case 'result_units':
      return metering.limit_parameter === undefined
        ? `${needsBound}, or a "limit_parameter" whose schema has a "maximum"`
        : `${needsBound}, or "${metering.limit_parameter}" a "maximum" in its schema`;
    case 'parameter_kilobytes':
      return `${needsBound}, or "${metering.parameter}" a "maxLength" in its schema`;
    case 'parameter_units':
      return `${needsBound}, or "${metering.parameter}" a "maximum", "maxLength" or "maxItems" in its schema`;
  }
}

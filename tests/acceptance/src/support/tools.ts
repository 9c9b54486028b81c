/** Tools of the built-in catalogue that the suite calls, each for what it is known to do. Prices are read at run time. */
import { call } from './http.js';
import { asArray, asNumber, asObject, type JsonObject } from './json.js';

export interface KnownCall {
  readonly toolId: string;
  readonly parameters: JsonObject;
}

/** The tool as Inspect shows it. */
export async function inspectTool(key: string, toolId: string): Promise<JsonObject> {
  const reply = await call('POST', '/tools/by-ids', { key, body: { tool_ids: [toolId] } });
  return asObject(asArray(reply.json['results'], 'results')[0], toolId);
}

export async function billingRuleOf(key: string, toolId: string): Promise<JsonObject> {
  return asObject((await inspectTool(key, toolId))['billing_rule'], 'billing_rule');
}

/** Credits per unit, by the tool's published price rule. */
export async function priceOf(key: string, toolId: string): Promise<number> {
  return asNumber((await billingRuleOf(key, toolId))['amount_credits'], 'amount_credits');
}

const germanHolidays = { country_code: 'DE', year: 2026 };
const holidays = 'almanac.holiday.list.v1';
const cities = 'atlas.city.list.v1';

/** Costs the same for every call. */
export const paidCall: KnownCall = { toolId: holidays, parameters: germanHolidays };

/** Costs nothing. */
export const freeCall: KnownCall = {
  toolId: 'almanac.time.convert.v1',
  parameters: { datetime: '2026-07-01T12:00', from_zone: 'Europe/Berlin', to_zones: ['Asia/Shanghai'] },
};

/** Priced per row of its result. */
export const perRowCall: KnownCall = { toolId: cities, parameters: { country_code: 'DE', limit: 77 } };

/** Priced per started kilobyte of a text: 2,500 letters of two bytes each. */
export const perKilobyteCall: KnownCall & { readonly meteredParameter: string } = {
  toolId: 'toolbox.csv.to_json.v1',
  parameters: { csv: `name\n${'é'.repeat(2_500)}\n` },
  meteredParameter: 'csv',
};

/** Has more than 20,480 bytes of result, not all of them ASCII. */
export const largeCall: KnownCall = { toolId: cities, parameters: { country_code: 'DE', limit: 500 } };

/** Valid, and there is nothing to give: no holiday falls on that day. */
export const emptyCall: KnownCall = { toolId: holidays, parameters: { country_code: 'DE', date: '2026-03-04' } };

/** Valid by its schema, and the provider still cannot do it. */
export const failingCall: KnownCall = { toolId: 'formula.expression.evaluate.v1', parameters: { expression: '1 + (' } };

/** A tool with a required and an optional parameter. */
export const typedCall: KnownCall & { readonly required: string; readonly optional: string } = {
  toolId: holidays,
  parameters: germanHolidays,
  required: 'country_code',
  optional: 'subdivision',
};

/** A tool that needs at least one parameter of a group. */
export const oneOfCall: KnownCall & { readonly group: readonly string[] } = {
  toolId: holidays,
  parameters: germanHolidays,
  group: ['year', 'date'],
};

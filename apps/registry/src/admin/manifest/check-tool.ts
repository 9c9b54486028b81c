import { isIP } from 'node:net';
import { parseSingularQuery, type ValidationDetail } from '@capability-router/contracts';
import { isJsonObject, type JsonObject } from '@capability-router/kernel';
import { jsonPathFault } from '@capability-router/provider-kit';
import { checkParametersSchema } from '@capability-router/tool-calls';
import { checkHeaders } from './check-headers.js';
import { checkPrice } from './check-price.js';
import type { HttpBindingDocument, ProviderDocument, ToolDocument } from './documents.js';

/** Bytes of a tool's JSON: it travels in one event, with its provider. */
const MAX_TOOL_BYTES = 131_072;

type Loc = readonly (string | number)[];
/** `allowed`: keywords of JSON Schema for what would be let through. */
type Fault = (path: Loc, msg: string, type?: string, allowed?: JsonObject) => void;

const faultsInto =
  (details: ValidationDetail[], base: Loc): Fault =>
  (path, msg, type = 'value_error', allowed) =>
    details.push({ type, loc: [...base, ...path], msg, ...(allowed === undefined ? {} : { allowed }) });

/** The checks of a tool that its schema cannot state. */
export function checkTool(tool: ToolDocument, providerId: string, base: Loc): ValidationDetail[] {
  const size = Buffer.byteLength(JSON.stringify(tool));
  if (size > MAX_TOOL_BYTES) {
    return [{ type: 'too_long', loc: base, msg: `A tool should have at most ${MAX_TOOL_BYTES} bytes, not ${size}` }];
  }
  const details: ValidationDetail[] = [];
  const fault = faultsInto(details, base);
  if (tool.provider_id !== undefined && tool.provider_id !== providerId) {
    fault(['provider_id'], `The tool is in the manifest of "${providerId}"`, undefined, { enum: [providerId] });
  }
  if (!tool.tool_id.startsWith(`${providerId}.`)) {
    fault(['tool_id'], `Input should begin with "${providerId}.", the id of its provider`, undefined, {
      pattern: `^${providerId}\\.`,
    });
  }
  if (tool.docs_url !== undefined) checkUrl(tool.docs_url, ['docs_url'], fault);
  details.push(...checkParametersSchema(tool.parameters_schema, [...base, 'parameters_schema']));
  checkNames(tool, fault);
  checkPrice(tool.price, tool.parameters_schema, (path, msg, type, allowed) =>
    fault(['price', ...path], msg, type, allowed),
  );
  checkCache(tool, fault);
  checkBinding(tool, fault);
  checkJsonPaths(tool, fault);
  if (tool.result?.schema !== undefined) {
    details.push(...checkParametersSchema(tool.result.schema, [...base, 'result', 'schema']));
  }
  return details;
}

export function checkProvider(provider: ProviderDocument, base: Loc): ValidationDetail[] {
  const details: ValidationDetail[] = [];
  const fault = faultsInto(details, base);
  if (provider.website_url !== undefined) checkUrl(provider.website_url, ['website_url'], fault);
  if (Number(provider.verification?.daily_budget_credits ?? 1) === 0) {
    fault(
      ['verification', 'daily_budget_credits'],
      'Input should be above 0; "run_examples": false runs none',
      undefined,
      {
        exclusiveMinimum: 0,
      },
    );
  }
  for (const [index, network] of (provider.egress?.allow_networks ?? []).entries()) {
    const [address = '', bits = ''] = network.split('/');
    const family = isIP(address);
    if (family === 0 || Number(bits) > (family === 4 ? 32 : 128)) {
      fault(['egress', 'allow_networks', index], 'Input should be a network in CIDR form, e.g. 10.20.0.0/16');
    }
  }
  return details;
}

function parametersOf(tool: ToolDocument): Set<string> {
  const { properties } = tool.parameters_schema;
  return new Set(isJsonObject(properties) ? Object.keys(properties) : []);
}

const requiredOf = (tool: ToolDocument): unknown[] =>
  Array.isArray(tool.parameters_schema['required']) ? tool.parameters_schema['required'] : [];

/** Wherever a parameter is named, it must be one. */
function checkNames(tool: ToolDocument, fault: Fault): void {
  const known = parametersOf(tool);
  const isKnown = (name: string, path: Loc): void => {
    if (!known.has(name)) fault(path, `"${name}" is no parameter of the tool`);
  };
  for (const name of requiredOf(tool)) isKnown(String(name), ['parameters_schema', 'required']);
  for (const [index, group] of (tool.one_of_required ?? []).entries()) {
    for (const name of group) isKnown(name, ['one_of_required', index]);
  }
  for (const name of Object.keys(tool.parameter_descriptions_zh ?? {})) {
    isKnown(name, ['parameter_descriptions_zh', name]);
  }
  for (const [index, { parameters }] of (tool.examples ?? []).entries()) {
    const path = ['examples', index, 'parameters'];
    for (const name of Object.keys(parameters)) isKnown(name, [...path, name]);
    for (const name of requiredOf(tool)) {
      if (!Object.hasOwn(parameters, String(name))) fault([...path, String(name)], 'Field required', 'missing');
    }
  }
  const { metering } = tool.price;
  for (const [member, name] of Object.entries(metering ?? {})) {
    if (member === 'limit_parameter' || member === 'parameter') isKnown(String(name), ['price', 'metering', member]);
  }
  if (tool.binding.kind === 'http') {
    for (const name of Object.keys(tool.binding.placements ?? {})) isKnown(name, ['binding', 'placements', name]);
  }
}

/** A hit has a price of its own only where there can be one. */
function checkCache({ price, cache }: ToolDocument, fault: Fault): void {
  if (price.cache_hit_amount_credits !== undefined && cache === undefined) {
    fault(['price', 'cache_hit_amount_credits'], 'The tool is never answered from the cache; give "cache.ttl_seconds"');
  }
}

function checkBinding(tool: ToolDocument, fault: Fault): void {
  const { binding } = tool;
  if (binding.auth?.kind === 'oauth2_client_credentials') {
    checkUrl(binding.auth.token_url, ['binding', 'auth', 'token_url'], fault);
  }
  if (binding.kind === 'mcp') {
    if (binding.server.transport === 'streamable_http')
      checkUrl(binding.server.url, ['binding', 'server', 'url'], fault);
    return;
  }
  checkPlacements(tool, binding, fault);
  checkHeaders(binding, fault);
}

function checkPlacements(tool: ToolDocument, { url, placements = {} }: HttpBindingDocument, fault: Fault): void {
  const slots = [...url.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
  checkUrl(url.replaceAll(/\{[^{}]*\}/g, 'x'), ['binding', 'url'], fault);
  const required = requiredOf(tool);
  const placed = Object.entries(placements);
  const inPath = placed.filter(([, placement]) => placement.in === 'path');
  for (const [parameter, { name }] of inPath) {
    const path = ['binding', 'placements', parameter];
    if (!slots.includes(name ?? parameter)) fault(path, `The url has no "{${name ?? parameter}}"`);
    if (!required.includes(parameter)) fault(path, 'A parameter of the path should be required');
  }
  for (const slot of slots) {
    if (!inPath.some(([parameter, { name }]) => (name ?? parameter) === slot)) {
      fault(['binding', 'url'], `No parameter is placed in the path as "${slot}"`);
    }
  }
  const whole = placed.filter(([, placement]) => placement.whole === true);
  for (const [parameter, placement] of whole) {
    if (placement.in !== 'body' || whole.length > 1) {
      fault(['binding', 'placements', parameter, 'whole'], 'Only one parameter, placed in the body, can be all of it');
    }
  }
  for (const [parameter, placement] of placed) {
    if (placement.list === 'repeat' && placement.in !== 'query') {
      fault(['binding', 'placements', parameter, 'list'], '"repeat" is for the query only');
    }
  }
}

function checkJsonPaths({ binding, result, freshness }: ToolDocument, fault: Fault): void {
  const check = (expression: string | undefined, path: Loc): void => {
    const reason = expression === undefined ? undefined : jsonPathFault(expression);
    if (reason !== undefined) fault(path, `Input should be an RFC 9535 JSONPath: ${reason}`);
  };
  if (binding.kind === 'http') check(binding.result_path, ['binding', 'result_path']);
  check(result?.empty_when, ['result', 'empty_when']);
  check(result?.partial_when, ['result', 'partial_when']);
  try {
    if (freshness !== undefined) parseSingularQuery(freshness.path);
  } catch {
    fault(['freshness', 'path'], "Input should be a path to one place, like $.meta['as_of']");
  }
}

function checkUrl(text: string, path: Loc, fault: Fault): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    fault(path, 'Input should be an absolute http or https URL', 'url_parsing', {
      format: 'uri',
      pattern: '^https?://',
    });
  } else if (url.username !== '' || url.password !== '' || url.hash !== '') {
    fault(path, 'A URL should have neither credentials nor a fragment', 'url_parsing');
  }
}

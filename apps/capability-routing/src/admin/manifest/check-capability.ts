import { expressionsOf, type CapabilityManifest, type ValidationDetail } from '@capability-router/contracts';
import { isJsonObject, isToolId, toolIdPattern, type JsonObject } from '@capability-router/kernel';
import { checkParametersSchema, ParameterValidator } from '@capability-router/tool-calls';
import { memberNames, requiredNames } from '../../bindings/domain/binding-fault.js';
import { checkMapping } from './check-mapping.js';

const MAX_FIELDS = 100;
/** Characters. */
const MAX_UNIT_LENGTH = 50;

type Loc = readonly (string | number)[];
/** `allowed`: keywords of JSON Schema for what would be let through. */
type Fault = (path: Loc, msg: string, more?: { readonly type?: string; readonly allowed?: JsonObject }) => void;

/** The rules of a contract that the shape of a document does not say. Looks at no tool. */
export function checkCapability(manifest: CapabilityManifest, base: Loc): ValidationDetail[] {
  const details: ValidationDetail[] = [];
  const fault: Fault = (path, msg, { type = 'value_error', ...more } = {}) =>
    details.push({ type, loc: [...base, ...path], msg, ...more });
  const { parametersSchema, resultSchema, candidates } = manifest;
  if (parametersSchema['type'] !== 'object' || parametersSchema['additionalProperties'] !== false) {
    fault(['parameters_schema'], 'Schema should have "type": "object" and "additionalProperties": false');
  }
  checkNames('parameters_schema', parametersSchema, fault);
  checkFields(resultSchema, fault);
  for (const [member, schema] of [
    ['parameters_schema', parametersSchema],
    ['result_schema', resultSchema],
  ] as const) {
    details.push(...checkParametersSchema(schema, [...base, member]));
  }
  const seen = new Set<string>();
  for (const [index, { toolId, parameters, result, sampleResult }] of candidates.entries()) {
    const loc = ['candidates', index] as const;
    if (!isToolId(toolId))
      fault([...loc, 'tool_id'], 'Input should be a tool id: provider.resource.action.v1', {
        allowed: { type: 'string', pattern: toolIdPattern.source },
      });
    if (seen.has(toolId)) fault([...loc, 'tool_id'], 'The tool is bound twice');
    seen.add(toolId);
    if (parameters !== undefined) details.push(...checkMapping(parameters, [...base, ...loc, 'parameters']));
    if (result !== undefined) details.push(...checkMapping(result, [...base, ...loc, 'result']));
    if (sampleResult === undefined && details.length === 0 && expressionsOf(result) !== undefined) {
      fault([...loc, 'sample_result'], "Field required: an example of the tool's result.data to try jsonata on", {
        type: 'missing',
      });
    }
  }
  return details.length > 0 ? details : checkExample(manifest, base);
}

function checkNames(member: string, schema: JsonObject, fault: Fault): void {
  const known = memberNames(schema);
  for (const name of requiredNames(schema)) {
    if (!known.includes(name)) fault([member, 'required'], `"${name}" is required and not described`);
  }
}

/** Callers are told of each field what it means and, where there is one, in which unit it is. */
function checkFields(schema: JsonObject, fault: Fault): void {
  const member = 'result_schema';
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const fields = Object.entries(properties);
  if (schema['type'] !== 'object')
    fault([member, 'type'], 'Input should be "object"', { allowed: { enum: ['object'] } });
  if (fields.length === 0 || fields.length > MAX_FIELDS) {
    fault([member, 'properties'], `A result should have 1 to ${MAX_FIELDS} fields, not ${fields.length}`, {
      allowed: { minProperties: 1, maxProperties: MAX_FIELDS },
    });
  }
  checkNames(member, schema, fault);
  for (const [name, field] of fields) {
    const { description, unit } = isJsonObject(field) ? field : {};
    const path = [member, 'properties', name];
    if (typeof description !== 'string' || description.trim() === '') {
      fault([...path, 'description'], 'Field required: what the field means', {
        type: 'missing',
        allowed: { type: 'string', pattern: '\\S' },
      });
    }
    if (unit !== undefined && !(typeof unit === 'string' && /\S/.test(unit) && unit.length <= MAX_UNIT_LENGTH)) {
      fault([...path, 'unit'], `Input should be a text of 1 to ${MAX_UNIT_LENGTH} characters, e.g. "km"`, {
        allowed: { type: 'string', minLength: 1, maxLength: MAX_UNIT_LENGTH, pattern: '\\S' },
      });
    }
  }
}

/** Compiled for one look, and not kept beyond the next few. */
const validator = new ParameterValidator(2);

function checkExample({ capabilityId, parametersSchema, sampleParameters = {} }: CapabilityManifest, base: Loc) {
  const checked = { toolId: capabilityId, version: 0, schemaHash: JSON.stringify(parametersSchema), parametersSchema };
  return validator
    .check({ ...checked, oneOfRequired: [] }, sampleParameters)
    .map((detail): ValidationDetail => ({ ...detail, loc: [...base, 'sample_parameters', ...detail.loc.slice(2)] }));
}

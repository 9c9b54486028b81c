import type {
  CapabilityCandidate,
  CapabilityManifest,
  LocalizedText,
  ValueMapping,
} from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';
import type { BuiltinTool } from '../tool/define-tool.js';

const schemaDialect = 'https://json-schema.org/draft/2020-12/schema';

interface CapabilityDefinition {
  readonly capabilityId: string;
  readonly name: Required<LocalizedText>;
  readonly description: Required<LocalizedText>;
  /** The parameters of one candidate, or a schema of the capability's own. */
  readonly parameters: BuiltinTool | JsonObject;
  /** Schemas of the members of the result, each of which every candidate answers. */
  readonly result: Readonly<Record<string, JsonObject>>;
  /** Parameters that every candidate can serve. */
  readonly sampleParameters: JsonObject;
  readonly candidates: readonly CapabilityCandidate[];
}

export function defineCapability(definition: CapabilityDefinition): CapabilityManifest {
  const { parameters, result, ...rest } = definition;
  return {
    ...rest,
    // Built-in tools compute their answers and change nothing.
    effect: 'read_only',
    parametersSchema: isTool(parameters) ? parameters.manifest.parametersSchema : parameters,
    resultSchema: {
      $schema: schemaDialect,
      type: 'object',
      properties: { ...result },
      required: Object.keys(result),
    },
  };
}

const isTool = (parameters: BuiltinTool | JsonObject): parameters is BuiltinTool => 'manifest' in parameters;

/** Without mappings, a candidate takes the capability's parameters by the same names and answers with its members. */
export const candidate = (
  tool: BuiltinTool,
  mappings: { readonly parameters?: ValueMapping; readonly result?: ValueMapping } = {},
): CapabilityCandidate => ({ toolId: tool.manifest.toolId, ...mappings });

/** A closed object of parameters; those of `required` must be there. */
export const parametersOf = (properties: Record<string, JsonObject>, required: string[]): JsonObject => ({
  $schema: schemaDialect,
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** Members that have the same place in the source. */
export const same = (...names: string[]): ValueMapping =>
  Object.fromEntries(names.map((name) => [name, { from: `$.${name}` }]));

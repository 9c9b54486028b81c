import type { LocalizedText, PriceRule, ToolManifest } from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';
import type { Operation } from './operation.js';

/** A parameter in both languages. */
export interface ParameterDefinition {
  readonly schema: JsonObject;
  readonly en: string;
  readonly zh: string;
  readonly required?: boolean;
}

export type ParameterDefinitions = Readonly<Record<string, ParameterDefinition>>;

interface ToolDefinition {
  /** `provider.resource.action.vN`; also the name of the operation. */
  readonly toolId: string;
  readonly name: Required<LocalizedText>;
  readonly description: Required<LocalizedText>;
  readonly categories: readonly string[];
  readonly capabilities: ToolManifest['capabilities'];
  readonly parameters: ParameterDefinitions;
  readonly oneOfRequired?: ToolManifest['oneOfRequired'];
  readonly sampleParameters: JsonObject;
  readonly price: PriceRule;
  /** Milliseconds for the operation itself. */
  readonly timeoutMs?: number;
  readonly run: Operation;
}

export interface BuiltinTool {
  readonly manifest: ToolManifest;
  readonly run: Operation;
  /** Milliseconds for the operation itself, once its library is loaded; its call has more, in which it may wait. */
  readonly runLimitMs: number;
}

/** Milliseconds. Pure computation: what takes longer is stuck. */
const DEFAULT_TIMEOUT_MS = 10_000;
/**
 * Milliseconds more for a call, in which it waits for a process and its library is loaded: a busy machine takes seconds
 * for either, and neither is the caller's fault.
 */
const WAIT_AND_LOAD_MS = 10_000;

/** Puts a manifest and its operation side by side, and both languages of a parameter into one place. */
export function defineTool(definition: ToolDefinition): BuiltinTool {
  const { parameters, run, oneOfRequired, timeoutMs: runLimitMs = DEFAULT_TIMEOUT_MS, ...rest } = definition;
  const entries = Object.entries(parameters);
  return {
    run,
    runLimitMs,
    manifest: {
      ...rest,
      providerId: definition.toolId.slice(0, definition.toolId.indexOf('.')),
      parametersSchema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: Object.fromEntries(entries.map(([name, p]) => [name, { ...p.schema, description: p.en }])),
        required: entries.filter(([, p]) => p.required === true).map(([name]) => name),
        additionalProperties: false,
      },
      parameterDescriptionsZh: Object.fromEntries(entries.map(([name, p]) => [name, p.zh])),
      oneOfRequired: oneOfRequired ?? [],
      binding: { kind: 'builtin', operation: definition.toolId },
      timeoutMs: runLimitMs + WAIT_AND_LOAD_MS,
      asOfSupport: false,
    },
  };
}

import {
  expressionsOf,
  mapResult,
  mapValues,
  resultFieldsOf,
  type CapabilityCandidate,
  type CapabilityManifest,
} from '@capability-router/contracts';
import { isJsonObject, type JsonObject } from '@capability-router/kernel';
import type { Computed } from '@capability-router/provider-kit/jsonata';
import { bindingFault, type BindingFault } from './domain/binding-fault.js';

/** The faults of the expressions of one mapping, for its example. */
export function expressionFaults(
  side: 'parameters' | 'result',
  mapping: CapabilityCandidate[typeof side],
  computed: Computed | undefined,
): BindingFault[] {
  if (computed === undefined) return [];
  if (typeof computed === 'string') {
    const why =
      computed === 'limits'
        ? 'With the example, it does not end within the limits of time and memory'
        : 'This server is too busy to evaluate it now. Send the contract again';
    return Object.keys(expressionsOf(mapping) ?? {}).map((name) => bindingFault([side, name], why));
  }
  if ('values' in computed) return [];
  const { member, code, detail } = computed.fault;
  return [bindingFault([side, member], `With the example, the expression makes nothing: ${detail} (${code})`)];
}

/** The parameters of the contract's example, as the tool gets them; undefined where they are not known. */
export function exampleParameters(
  { sampleParameters }: CapabilityManifest,
  { parameters }: CapabilityCandidate,
  computed: Computed | undefined,
): JsonObject | undefined {
  const values = valuesOf(computed);
  if (sampleParameters === undefined || (expressionsOf(parameters) !== undefined && values === undefined)) {
    return undefined;
  }
  const own = mapValues(parameters, sampleParameters, values);
  return isJsonObject(own) ? own : {};
}

/** The example of the tool's result has to become one that the contract promises. */
export function exampleResultFaults(
  { resultSchema }: CapabilityManifest,
  { result, sampleResult }: CapabilityCandidate,
  computed: Computed | undefined,
): BindingFault[] {
  const values = valuesOf(computed);
  if (sampleResult === undefined || (expressionsOf(result) !== undefined && values === undefined)) return [];
  const made = mapResult(result, resultFieldsOf(resultSchema), sampleResult, values);
  return 'misfit' in made ? [bindingFault(['result'], `With sample_result, ${made.misfit}`)] : [];
}

const valuesOf = (computed: Computed | undefined): JsonObject | undefined =>
  typeof computed === 'object' && 'values' in computed ? computed.values : undefined;

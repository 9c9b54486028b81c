import {
  localized,
  paramsFromSchema,
  resultFieldsOf,
  type CapabilityContract,
  type CapabilityEffect,
  type CapabilityTag,
  type Language,
  type LocalizedText,
  type ParamDefinition,
} from '@capability-router/contracts';
import { isJsonObject, type JsonObject } from '@capability-router/kernel';
import { declaredName } from '../declared/declared-name.js';
import type { CapabilityStanding } from './capability-standing.js';

/** One field of `result.data`: what it is, in which unit, and whether it is always there. */
export interface FieldSpec extends Omit<ParamDefinition, 'name' | 'type'> {
  /** Unlike those of parameters a list where null is a result too: callers have to be ready for it. */
  readonly type: string | readonly string[];
  readonly unit?: string;
}

/** `GET /capabilities/{capability_id}`. */
export interface CapabilityDetail extends Partial<CapabilityStanding> {
  readonly capability_id: string;
  readonly name: string;
  readonly description: string;
  /** Absent, with the hash, for a capability that tools declare and that has no contract yet. */
  readonly contract_version?: number;
  readonly schema_hash?: string;
  readonly params: readonly ParamDefinition[];
  /** The fields of `result.data`, by name. */
  readonly field_spec: Readonly<Record<string, FieldSpec>>;
  /** Parameters that work as they stand; none without a contract, and in those of older builds. */
  readonly examples: { readonly sample_parameters?: JsonObject };
  /** The effect of serving it on the world. Absent where it is not known: to be taken for `unsafe`. */
  readonly effect?: CapabilityEffect;
  readonly tags?: readonly CapabilityTag[];
  readonly remaining_credits?: number;
}

export function toCapabilityDetail(
  contract: CapabilityContract,
  language: Language,
  standing: CapabilityStanding,
  remainingCredits: number | undefined,
): CapabilityDetail {
  return {
    capability_id: contract.capabilityId,
    name: localized(contract.name, language),
    description: localized(contract.description, language),
    contract_version: contract.contractVersion,
    schema_hash: contract.schemaHash,
    params: paramsFromSchema(contract.parametersSchema, { constraints: true }),
    field_spec: fieldSpecOf(contract.resultSchema),
    examples: contract.sampleParameters === undefined ? {} : { sample_parameters: contract.sampleParameters },
    ...(contract.effect === undefined ? {} : { effect: contract.effect }),
    ...(contract.tags === undefined ? {} : { tags: contract.tags }),
    ...standing,
    ...(remainingCredits === undefined ? {} : { remaining_credits: remainingCredits }),
  };
}

function fieldSpecOf(resultSchema: JsonObject): Record<string, FieldSpec> {
  const fields = resultFieldsOf(resultSchema);
  const properties = isJsonObject(resultSchema['properties']) ? resultSchema['properties'] : {};
  return Object.fromEntries(
    paramsFromSchema(resultSchema, { constraints: true }).map(({ name, ...shown }): [string, FieldSpec] => {
      const [types, property] = [fields[name]?.type, properties[name]];
      const unit = isJsonObject(property) ? property['unit'] : undefined;
      const type = typeof types === 'object' ? { type: types } : {};
      return [name, { ...shown, ...type, ...(typeof unit === 'string' ? { unit } : {}) }];
    }),
  );
}

/** `description`: of a tool that declares it. Nothing is promised of its parameters and results. */
export const toDeclaredDetail = (
  capabilityId: string,
  description: LocalizedText,
  language: Language,
  remainingCredits: number | undefined,
): CapabilityDetail => ({
  capability_id: capabilityId,
  name: declaredName(capabilityId),
  description: localized(description, language),
  params: [],
  field_spec: {},
  examples: {},
  ...(remainingCredits === undefined ? {} : { remaining_credits: remainingCredits }),
});

import { localized, paramsFromSchema } from '@capability-router/contracts';
import type {
  CapabilityContract,
  CapabilityEffect,
  Language,
  LocalizedText,
  ParamDefinition,
} from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';
import { declaredName } from '../declared/declared-name.js';

/** `GET /capabilities/{capability_id}`. */
export interface CapabilityDetail {
  readonly capability_id: string;
  readonly name: string;
  readonly description: string;
  /** Absent, with the hash, for a capability that tools declare and that has no contract yet. */
  readonly contract_version?: number;
  readonly schema_hash?: string;
  readonly params: readonly ParamDefinition[];
  /** The fields of `result.data`, by name. */
  readonly field_spec: Readonly<Record<string, Omit<ParamDefinition, 'name'>>>;
  /** Parameters that work as they stand; none without a contract, and in those of older builds. */
  readonly examples: { readonly sample_parameters?: JsonObject };
  /** What serving it does to the world. Absent where it is not known: to be taken for `unsafe`. */
  readonly effect?: CapabilityEffect;
  readonly remaining_credits?: number;
}

export function toCapabilityDetail(
  contract: CapabilityContract,
  language: Language,
  remainingCredits: number | undefined,
): CapabilityDetail {
  const fields = paramsFromSchema(contract.resultSchema, { constraints: true });
  return {
    capability_id: contract.capabilityId,
    name: localized(contract.name, language),
    description: localized(contract.description, language),
    contract_version: contract.contractVersion,
    schema_hash: contract.schemaHash,
    params: paramsFromSchema(contract.parametersSchema, { constraints: true }),
    field_spec: Object.fromEntries(fields.map(({ name, ...field }) => [name, field])),
    examples: contract.sampleParameters === undefined ? {} : { sample_parameters: contract.sampleParameters },
    ...(contract.effect === undefined ? {} : { effect: contract.effect }),
    ...(remainingCredits === undefined ? {} : { remaining_credits: remainingCredits }),
  };
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

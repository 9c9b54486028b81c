import {
  capabilityEffects,
  contractChange,
  diffSchemas,
  equalJson,
  type CapabilityContract,
  type CapabilityManifest,
  type ContractChange,
} from '@capability-router/contracts';
import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';

export interface CapabilityDiff {
  /** Is one of the changes breaking? */
  readonly breaking: boolean;
  /** At most `MAX_CHANGES`. */
  readonly changes: readonly ContractChange[];
  readonly truncated: boolean;
}

/** Changes that one diff lists. */
export const MAX_CHANGES = 500;

type Capability = CapabilityManifest | CapabilityContract;

/**
 * Lists what callers of a capability must know about the way from one contract to another. Breaking: parameters that fitted may be
 * refused, a result may not keep what was promised, or serving it may do more to the world.
 */
export function diffCapabilities(before: Capability, after: Capability): CapabilityDiff {
  const changes = [
    ...diffSchemas(before.parametersSchema, after.parametersSchema, 'parameters_schema'),
    ...diffResults(before.resultSchema, after.resultSchema),
    ...diffEffect(before, after),
    ...diffCandidates(before, after),
    ...(['name', 'description'] as const).flatMap((member) =>
      compatible(member, 'what people and models read', before[member], after[member]),
    ),
    ...compatible('sample_parameters', 'an example', before.sampleParameters, after.sampleParameters),
    ...compatible('tags', 'what people and models read', before.tags, after.tags),
  ];
  return {
    breaking: changes.some(({ impact }) => impact === 'breaking'),
    changes: changes.slice(0, MAX_CHANGES),
    truncated: changes.length > MAX_CHANGES,
  };
}

/**
 * A promise is kept where whatever fits the new schema fits the old one, so the schemas are compared the other way round. A field
 * that is not described any more may hold anything.
 */
function diffResults(before: JsonObject, after: JsonObject): ContractChange[] {
  const path = 'result_schema';
  const [promised, described] = [propertiesOf(before), propertiesOf(after)];
  const gone = Object.keys(promised).filter((name) => described[name] === undefined);
  const turned = diffSchemas(after, before, path)
    .filter(({ path: at }) => !gone.some((name) => at === `${path}.properties.${name}`))
    .map((one) => {
      const reason =
        one.impact === 'breaking' ? 'a result may not keep what was promised' : 'promises no less than before';
      return contractChange(one.path, one.impact, reason, one.after, one.before);
    });
  const removed = gone.map((name) =>
    contractChange(
      `${path}.properties.${name}`,
      'breaking',
      'a field is not promised any more',
      promised[name],
      undefined,
    ),
  );
  return [...turned, ...removed];
}

function propertiesOf(schema: JsonObject): JsonObject {
  const properties = schema['properties'];
  return isJsonObject(properties) ? properties : {};
}

/** An effect that is not told counts as the worst. */
function diffEffect(before: Capability, after: Capability): ContractChange[] {
  if (before.effect === after.effect) return [];
  const severity = ({ effect = 'unsafe' }: Capability): number => capabilityEffects.indexOf(effect);
  const [impact, reason] =
    severity(after) > severity(before)
      ? (['breaking', 'serving it may do more to the world than before'] as const)
      : (['compatible', 'serving it does no more to the world than before'] as const);
  return [contractChange('effect', impact, reason, before.effect, after.effect)];
}

function diffCandidates(before: Capability, after: Capability): ContractChange[] {
  const [old, now] = [bindingsOf(before), bindingsOf(after)];
  const changes = [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((toolId) =>
    compatible(`candidates.${toolId}`, reasonOf(old[toolId], now[toolId]), old[toolId], now[toolId]),
  );
  if (Object.keys(now).length > 0 || Object.keys(old).length === 0) return changes;
  return [...changes, contractChange('candidates', 'breaking', 'no tool serves it any more', Object.keys(old), [])];
}

function reasonOf(before: JsonValue | undefined, after: JsonValue | undefined): string {
  if (before === undefined) return 'one more tool can serve it';
  return after === undefined ? 'a tool does not serve it any more' : 'how the tool is bound';
}

const bindingsOf = ({ candidates }: Capability): Readonly<Record<string, JsonValue>> =>
  Object.fromEntries(
    candidates.map(({ toolId, sampleResult, ...mappings }) => [
      toolId,
      plain({ ...mappings, sample_result: sampleResult }) ?? {},
    ]),
  );

function compatible(path: string, reason: string, before: unknown, after: unknown): ContractChange[] {
  const [old, now] = [plain(before), plain(after)];
  return equalJson(old, now) ? [] : [contractChange(path, 'compatible', reason, old, now)];
}

/** Without members that are undefined. */
const plain = (value: unknown): JsonValue | undefined =>
  value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as JsonValue);

import type { ToolContract } from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';
import { inferSchema, type ParameterValidator } from '@capability-router/tool-calls';
import { examplesOf, failed, listed, missing, passed, type Finding, type ObservedCall } from './domain/finding.js';
import { mergeSchemas, schemaDrift } from './domain/schema-drift.js';

export interface CheckedSchema {
  readonly finding: Finding;
  /** The shape of this version's results so far, to be kept for the next run; absent where nothing was seen. */
  readonly observed?: JsonObject;
}

/** Faults of the tool's examples against its own schema, a line each. */
export function exampleFaults(tool: ToolContract, validator: ParameterValidator): string[] {
  return examplesOf(tool).flatMap(({ parameters }, index) =>
    validator.check(tool, { ...parameters }).map(({ loc, msg }) => `example ${index + 1}: ${loc.join('.')}: ${msg}`),
  );
}

/**
 * Passes where all examples fit the schema of the parameters, and the results fit what was observed of this version
 * before; of a version that nothing was observed of, they are the observation. A result that does not fit the schema which
 * the tool declares for it is none: execution refuses it.
 */
export function checkSchema(
  faults: readonly string[],
  calls: readonly ObservedCall[],
  observedBefore: JsonObject | undefined,
): CheckedSchema {
  const name = 'schema';
  const [fault] = faults;
  if (fault !== undefined) {
    const finding = failed(name, `An example does not fit the schema of the parameters: ${fault}.`, {
      example_faults: listed(faults),
    });
    return { finding, ...(observedBefore === undefined ? {} : { observed: observedBefore }) };
  }
  let observed = observedBefore;
  const drift: string[] = [];
  let results = 0;
  for (const { data } of calls) {
    if (data === undefined) continue;
    results += 1;
    const seen = inferSchema(data);
    const differences = observed === undefined ? [] : schemaDrift(observed, seen);
    drift.push(...differences);
    if (differences.length === 0) observed = observed === undefined ? seen : mergeSchemas(observed, seen);
  }
  const kept = observed === undefined ? {} : { observed };
  const [difference] = drift;
  if (difference !== undefined) {
    const reason = `A result is not what results of this version were: ${difference}.`;
    return { finding: failed(name, reason, { drift: listed(drift) }), ...kept };
  }
  if (results === 0) return { finding: missing(name, 'No example was answered with a result to look at.'), ...kept };
  const evidence = { results, against: observedBefore === undefined ? 'each other' : 'earlier runs and each other' };
  return { finding: passed(name, evidence), ...kept };
}

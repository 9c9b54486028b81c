import { expressionsOf, type CapabilityCandidate, type CapabilityManifest } from '@capability-router/contracts';
import type { Computed } from '@capability-router/provider-kit/jsonata';
import type { Expressions } from '../expressions/expressions.js';

/** The values that the expressions of a binding make of the examples of its contract; each is absent where its mapping has none. */
export interface MadeExample {
  /** Made of `sampleParameters`. */
  readonly parameters?: Computed;
  /** Made of the binding's `sampleResult`. */
  readonly result?: Computed;
}

export type MadeExamples = ReadonlyMap<CapabilityCandidate, MadeExample>;

/**
 * Evaluates the expressions of contracts over their examples, one after another. After one that does not end within its limits, the
 * others of its contract are not evaluated: the contract is refused for that one, and so waits for no more than one.
 */
export async function makeExamples(
  expressions: Expressions,
  capabilities: readonly CapabilityManifest[],
): Promise<MadeExamples> {
  const made = new Map<CapabilityCandidate, MadeExample>();
  for (const { candidates, sampleParameters } of capabilities) {
    for (const candidate of candidates.filter(hasExpressions)) {
      const example = await makeExample(expressions, candidate, sampleParameters ?? {});
      made.set(candidate, example);
      if (Object.values(example).some((computed) => typeof computed === 'string')) break;
    }
  }
  return made;
}

const hasExpressions = ({ parameters, result }: CapabilityCandidate): boolean =>
  expressionsOf(parameters) !== undefined || expressionsOf(result) !== undefined;

async function makeExample(
  expressions: Expressions,
  candidate: CapabilityCandidate,
  sampleParameters: NonNullable<CapabilityManifest['sampleParameters']>,
): Promise<MadeExample> {
  const parameters = await expressions.compute(candidate.parameters, sampleParameters, candidate);
  const given = parameters === undefined ? {} : { parameters };
  if (typeof parameters === 'string') return given;
  const result = await expressions.compute(candidate.result, candidate.sampleResult ?? null, candidate);
  return result === undefined ? given : { ...given, result };
}

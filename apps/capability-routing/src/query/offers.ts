import {
  mapValues,
  type CapabilityCandidate,
  type CapabilityContract,
  type PlannedAttempt,
} from '@capability-router/contracts';
import { isJsonObject, type Credits, type JsonObject } from '@capability-router/kernel';
import { regionAllows, upperBound } from '@capability-router/tool-calls';
import type { ToolEvidence } from '../evidence/evidence-copy.js';
import { MAX_CANDIDATES, type Candidate } from '../routing/index.js';
import type { ToolCopyRecord } from '../tool-copies/tool-copy.entity.js';

/** A candidate, and how it would be called. */
export interface Offer {
  readonly candidate: Candidate;
  /** Absent where it cannot be called. */
  readonly attempt?: PlannedAttempt;
}

/** What offers are made from. */
export interface Known {
  readonly tools: ReadonlyMap<string, ToolCopyRecord>;
  readonly evidenceOf: (toolId: string, providerId: string) => ToolEvidence;
  /** Of the account that asks; undefined where it is not known. */
  readonly region: string | undefined;
}

/** What each tool that is bound to the capability would do for a request with these parameters. */
export function offersFor(contract: CapabilityContract, parameters: JsonObject, known: Known): Offer[] {
  return contract.candidates.slice(0, MAX_CANDIDATES).map((bound) => {
    const tool = known.tools.get(bound.toolId);
    const mapped = tool === undefined || tool.retired ? undefined : mappedParameters(bound, parameters);
    if (tool === undefined || mapped === undefined) return { candidate: unbound(bound.toolId, tool) };
    return offerOf(bound, tool, mapped, known);
  });
}

function offerOf(bound: CapabilityCandidate, tool: ToolCopyRecord, parameters: JsonObject, known: Known): Offer {
  const { toolId, version, providerId, price, priceRuleHash } = tool;
  const evidence = known.evidenceOf(toolId, providerId);
  const { p95Ms } = evidence;
  return {
    candidate: {
      toolId,
      providerId,
      hasBoundContract: true,
      isAllowedInRegion: regionAllows(tool.region ?? undefined, known.region),
      missingParameters: missingOf(tool, parameters),
      // Nothing checks tools yet, so none has failed and none has passed.
      verification: 'unverified',
      ...evidence,
      upperPrice: provenPrice(price, parameters),
      dataAgeMs: undefined,
    },
    attempt: {
      toolId,
      toolVersion: version,
      priceRuleHash,
      parameters,
      ...(p95Ms === undefined ? {} : { expectedMs: Math.ceil(p95Ms) }),
      ...(bound.result === undefined ? {} : { result: bound.result }),
    },
  };
}

/** A tool that is retired, or not known, or whose mapping is none. */
const unbound = (toolId: string, tool: ToolCopyRecord | undefined): Candidate => ({
  toolId,
  providerId: tool?.providerId ?? '',
  hasBoundContract: false,
  isAllowedInRegion: true,
  missingParameters: [],
  verification: 'unverified',
  successes: 0,
  failures: 0,
  p95Ms: undefined,
  admittedShare: 1,
  upperPrice: undefined,
  dataAgeMs: undefined,
});

/** Undefined where the mapping has a path that names no place. */
function mappedParameters(bound: CapabilityCandidate, parameters: JsonObject): JsonObject | undefined {
  try {
    const mapped = mapValues(bound.parameters, parameters);
    return isJsonObject(mapped) ? mapped : undefined;
  } catch {
    return undefined;
  }
}

function missingOf({ requiredParameters, oneOfRequired }: ToolCopyRecord, parameters: JsonObject): string[] {
  const missing = requiredParameters.filter((name) => !Object.hasOwn(parameters, name));
  const groups = oneOfRequired.filter((group) => !group.some((name) => (parameters[name] ?? null) !== null));
  return [...missing, ...groups.map((group) => `one of ${group.join(', ')}`)];
}

/** Undefined where it is beyond what any account can hold. */
function provenPrice(price: ToolCopyRecord['price'], parameters: JsonObject): Credits | undefined {
  try {
    return upperBound(price, parameters);
  } catch {
    return undefined;
  }
}

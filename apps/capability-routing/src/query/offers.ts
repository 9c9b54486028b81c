import {
  mapValues,
  type CapabilityCandidate,
  type CapabilityContract,
  type PlannedAttempt,
} from '@capability-router/contracts';
import { isJsonObject, type Credits, type JsonObject } from '@capability-router/kernel';
import { regionAllows, upperBound } from '@capability-router/tool-calls';
import { requiredNames } from '../bindings/domain/binding-fault.js';
import type { BoundTool } from '../bindings/domain/bound-tool.js';
import type { BindingVerdict } from '../bindings/judge-bindings.js';
import type { Computed } from '@capability-router/provider-kit/jsonata';
import type { ToolEvidence } from '../evidence/index.js';
import type { ComputedByCandidate } from '../expressions/expressions.js';
import { MAX_CANDIDATES, type Candidate } from '../routing/index.js';
import type { ToolCopy } from '../tool-copies/tool-copy.entity.js';
import type { VerifiedTool } from '../verifications/verification-copy.js';

/** A candidate, and how it would be called. */
export interface Offer {
  readonly candidate: Candidate;
  /** Absent where it cannot be called. */
  readonly attempt?: PlannedAttempt;
}

/** Offers are made from these. */
export interface Known {
  readonly tools: ReadonlyMap<string, ToolCopy>;
  /** Whether a tool as it is now can keep its binding. */
  readonly verdictOn: (contract: CapabilityContract, bound: CapabilityCandidate, tool: BoundTool) => BindingVerdict;
  /** The values that the expressions of bindings made of the parameters. */
  readonly computed: ComputedByCandidate;
  readonly evidenceOf: (toolId: string, providerId: string) => ToolEvidence;
  readonly verificationOf: (toolId: string, toolVersion: number) => VerifiedTool;
  /** The region of the account that asks; undefined where it is not known. */
  readonly region: string | undefined;
}

/** Makes the offer of each tool that is bound to the capability, for a request with these parameters. */
export function offersFor(contract: CapabilityContract, parameters: JsonObject, known: Known): Offer[] {
  return contract.candidates.slice(0, MAX_CANDIDATES).map((bound) => {
    const tool = known.tools.get(bound.toolId);
    if (tool === undefined) return { candidate: unbound(bound.toolId, undefined, 'The catalogue does not have it.') };
    if (tool.retired) return { candidate: unbound(bound.toolId, tool, 'It is retired.') };
    const computed = known.computed.get(bound);
    if (typeof computed === 'string') return { candidate: unbound(bound.toolId, tool, notComputed[computed]) };
    const mapped = mappedParameters(bound, parameters, computed);
    if (mapped === undefined) return { candidate: unbound(bound.toolId, tool, 'Its mapping is none.') };
    const [fault] = known.verdictOn(contract, bound, tool).faults;
    if (fault !== undefined) {
      const explanation = `Version ${tool.version} of it does not fit its binding: ${fault.path.join('.')}: ${fault.msg}.`;
      return { candidate: unbound(bound.toolId, tool, explanation) };
    }
    const offer = offerOf(bound, tool, mapped, known);
    return computed !== undefined && 'fault' in computed ? withoutMember(offer, computed.fault.member) : offer;
  });
}

const notComputed = {
  limits: 'The mapping of its parameters does not end within its limits.',
  busy: 'This server is too busy to map its parameters now.',
} as const;

/** These parameters are none that the binding can make the member from. */
const withoutMember = ({ candidate }: Offer, member: string): Offer => ({
  candidate: { ...candidate, missingParameters: [...new Set([member, ...candidate.missingParameters])] },
});

function offerOf(bound: CapabilityCandidate, tool: ToolCopy, parameters: JsonObject, known: Known): Offer {
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
      ...known.verificationOf(toolId, version),
      ...evidence,
      upperPrice: provenPrice(price, parameters),
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

/** A tool that is retired, or not known, or that its binding does not fit. */
const unbound = (toolId: string, tool: ToolCopy | undefined, bindingFault: string): Candidate => ({
  toolId,
  providerId: tool?.providerId ?? '',
  hasBoundContract: false,
  bindingFault,
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
function mappedParameters(
  bound: CapabilityCandidate,
  parameters: JsonObject,
  computed: Exclude<Computed, string> | undefined,
): JsonObject | undefined {
  try {
    const values = computed === undefined || 'values' in computed ? computed?.values : {};
    const mapped = mapValues(bound.parameters, parameters, values);
    return isJsonObject(mapped) ? mapped : undefined;
  } catch {
    return undefined;
  }
}

function missingOf({ parametersSchema, oneOfRequired }: ToolCopy, parameters: JsonObject): string[] {
  const missing = requiredNames(parametersSchema).filter((name) => !Object.hasOwn(parameters, name));
  const groups = oneOfRequired.filter((group) => !group.some((name) => (parameters[name] ?? null) !== null));
  return [...missing, ...groups.map((group) => `one of ${group.join(', ')}`)];
}

/** Undefined where it is beyond what any account can hold. */
function provenPrice(price: ToolCopy['price'], parameters: JsonObject): Credits | undefined {
  try {
    return upperBound(price, parameters);
  } catch {
    return undefined;
  }
}

import {
  VERIFICATION_POLICY_VERSION,
  type CheckVerdict,
  type ToolContract,
  type ToolVerification,
  type VerificationCheck,
} from '@capability-router/contracts';
import { toIso, type JsonObject } from '@capability-router/kernel';
import { hashOf } from '../catalogue/hash-tool.js';
import { checkAuthentication, checkFreshness, checkLive, unansweredExamples } from './domain/check-calls.js';
import { checkDescription } from './domain/check-description.js';
import { checkIdentity, type HostProof } from './domain/check-identity.js';
import { checkPermissions } from './domain/check-permissions.js';
import { checkSchema } from './check-schema.js';
import type { Finding, ObservedCall } from './domain/finding.js';
import { requiredChecks } from './domain/required-checks.js';

/** Everything that a run has seen of a tool. */
export interface Observations {
  /** Faults of the examples against the tool's own schema. */
  readonly exampleFaults: readonly string[];
  /** By origin, where a host had to say whose it is. */
  readonly proofs: ReadonlyMap<string, HostProof>;
  /** Examples that were run. */
  readonly calls: readonly ObservedCall[];
  /** A sentence, where none could be. */
  readonly whyNoCalls?: string;
  /** The one that was run without the credential. */
  readonly withoutCredential?: ObservedCall;
  /** The schema of the results of earlier runs of this version. */
  readonly observedBefore?: JsonObject;
  readonly nowMs: number;
}

export interface Judgement {
  readonly verification: ToolVerification;
  /** By check, what its digest is made over. */
  readonly evidence: Readonly<Partial<Record<VerificationCheck, JsonObject>>>;
  /** To be kept for the next run of this version. */
  readonly observed?: JsonObject;
}

/** Judges a tool by what a run has seen of it. */
export function judgeTool(tool: ToolContract, seen: Observations): Judgement {
  const { calls, nowMs } = seen;
  const required = requiredChecks(tool);
  const schema = checkSchema(seen.exampleFaults, calls, seen.observedBefore);
  const freshness = tool.freshness === undefined ? undefined : checkFreshness(tool.freshness, calls, nowMs);
  const all: (Finding | undefined)[] = [
    schema.finding,
    checkAuthentication(calls, seen.withoutCredential),
    checkDescription(tool, calls),
    checkIdentity(tool, seen.proofs),
    checkPermissions(tool),
    freshness?.finding,
    checkLive(calls, seen.whyNoCalls),
  ];
  const findings = required.flatMap((name) => all.find((finding) => finding?.name === name) ?? []);
  const checkedAt = toIso(nowMs);
  const checks = findings.map((finding) => verdictOf(finding, checkedAt));
  const executions = [...calls, ...(seen.withoutCredential === undefined ? [] : [seen.withoutCredential])];
  const verification: ToolVerification = {
    toolVersion: tool.version,
    policyVersion: VERIFICATION_POLICY_VERSION,
    requiredChecks: required,
    checks,
    testRunDigest: hashOf({ tool: tool.schemaHash, checks, executions: executions.map((call) => call.executionId) }),
    ...(freshness?.dataAsOf === undefined ? {} : { dataAsOf: freshness.dataAsOf }),
    qualityIssues: unansweredExamples(calls),
    recordedAt: checkedAt,
  };
  return {
    verification,
    evidence: Object.fromEntries(findings.map(({ name, evidence }) => [name, evidence])),
    ...(schema.observed === undefined ? {} : { observed: schema.observed }),
  };
}

function verdictOf({ name, status, reason, evidence }: Finding, checkedAt: string): CheckVerdict {
  return {
    name,
    status,
    ...(status === 'missing' ? {} : { checkedAt, evidenceDigest: hashOf(evidence) }),
    ...(reason === undefined ? {} : { reason }),
  };
}

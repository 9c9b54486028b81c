/** Where a tool stands: see `docs/verification.md`. */
export const verificationStatuses = ['unverified', 'verifying', 'verified', 'stale', 'failed', 'restricted'] as const;
export type VerificationStatus = (typeof verificationStatuses)[number];

export const verificationChecks = [
  'schema',
  'authentication',
  'description_contract',
  'provider_identity',
  'permissions',
  'freshness',
  'live_check',
] as const;
export type VerificationCheck = (typeof verificationChecks)[number];

/** The checks that every tool has to pass, whatever it declares. */
export const unconditionalChecks: readonly VerificationCheck[] = verificationChecks.filter(
  (name) => name !== 'authentication' && name !== 'freshness',
);

/** Changes with what the checks demand: a verdict by another policy says nothing any more. */
export const VERIFICATION_POLICY_VERSION = '1';
/** Milliseconds for which a passed check counts. */
export const VERIFICATION_VALID_MS = 86_400_000;

/** The finding of one check. */
export interface CheckVerdict {
  readonly name: VerificationCheck;
  /** `missing`: it could not be made, `reason` says why. `restricted`: the provider does not let this deployment. */
  readonly status: 'passed' | 'failed' | 'restricted' | 'missing';
  /** ISO 8601; absent where it is missing. */
  readonly checkedAt?: string;
  /** SHA-256 of the canonical evidence, 64 lowercase hex digits; absent where there is none. */
  readonly evidenceDigest?: string;
  /** A sentence, of one that did not pass. */
  readonly reason?: string;
}

/** The findings of the last run that could judge the tool. */
export interface ToolVerification {
  /** The version of the tool that was checked: about another it says nothing. */
  readonly toolVersion: number;
  readonly policyVersion: string;
  readonly requiredChecks: readonly VerificationCheck[];
  /** One for each of `requiredChecks`, in their order. */
  readonly checks: readonly CheckVerdict[];
  /** SHA-256 over the verdicts and the executions of the run, 64 lowercase hex digits. */
  readonly testRunDigest: string;
  /** ISO 8601; the time of the data in the results, where the tool says where it stands. */
  readonly dataAsOf?: string;
  /** Remarks that failed no check. */
  readonly qualityIssues: readonly string[];
  /** ISO 8601 */
  readonly recordedAt: string;
}

export interface ShownCheck {
  readonly name: VerificationCheck;
  readonly status: 'missing' | 'verifying' | 'passed' | 'stale' | 'failed' | 'restricted';
  readonly checked_at?: string;
  readonly evidence_digest?: string;
  readonly reason?: string;
}

/** `verification` of Discover, Inspect, Probe and CAP detail. */
export interface ShownVerification {
  readonly status: VerificationStatus;
  readonly policy_version: string;
  readonly required_checks: readonly VerificationCheck[];
  readonly checks: readonly ShownCheck[];
  /** Present where `status` is `verified` or `stale`: since when, and until when, every check counts. */
  readonly verified_at?: string;
  readonly expires_at?: string;
  readonly test_run_digest?: string;
  readonly quality_issues: readonly string[];
}

/** The rights of a caller of a tool, as far as its publisher has declared them. */
export interface ExecutionRestrictions {
  /** May this account call the tool, by its region? */
  readonly callable: boolean;
  readonly eligibility: string;
  readonly license: string;
  readonly commercial_use: string;
  /** In capitals; none allowed means all. */
  readonly regions: { readonly allow: readonly string[]; readonly deny: readonly string[] };
  /** ISO 8601; the time of the data when the tool was verified last. */
  readonly data_as_of?: string;
  readonly warnings: readonly string[];
}

/** A question about the tool that is there now. */
export interface VerificationSubject {
  readonly toolVersion: number;
  /** The checks that it must pass; where it has never been judged, these are shown. */
  readonly requiredChecks: readonly VerificationCheck[];
  /** A run is under way. */
  readonly running: boolean;
}

/** The verdict, where it is about this version and by this policy. */
const standing = (
  verdict: ToolVerification | undefined,
  { toolVersion }: Pick<VerificationSubject, 'toolVersion'>,
): ToolVerification | undefined =>
  verdict?.toolVersion === toolVersion && verdict.policyVersion === VERIFICATION_POLICY_VERSION ? verdict : undefined;

const lapsesAtMs = ({ checkedAt = '' }: CheckVerdict): number => Date.parse(checkedAt) + VERIFICATION_VALID_MS;

/**
 * Gives the verification of a tool as it stands now. A passed check lapses by time alone; one that failed stays failed until it passes.
 * A run that is under way is shown only where nothing else counts, so that a verified tool stays verified while it is
 * verified again.
 */
export function verificationStatusAt(
  verdict: ToolVerification | undefined,
  subject: Pick<VerificationSubject, 'toolVersion' | 'running'>,
  nowMs: number,
): VerificationStatus {
  const { checks = [] } = standing(verdict, subject) ?? {};
  const some = (status: CheckVerdict['status']): boolean => checks.some((check) => check.status === status);
  const passed = checks.length > 0 && checks.every(({ status }) => status === 'passed');
  if (passed && checks.every((check) => lapsesAtMs(check) > nowMs)) return 'verified';
  if (some('failed')) return 'failed';
  if (some('restricted')) return 'restricted';
  if (subject.running) return 'verifying';
  return passed ? 'stale' : 'unverified';
}

/** As callers see it. */
export function showVerification(
  verdict: ToolVerification | undefined,
  subject: VerificationSubject,
  nowMs: number,
): ShownVerification {
  const status = verificationStatusAt(verdict, subject, nowMs);
  const known = standing(verdict, subject);
  const { checks, testRunDigest, qualityIssues = [] } = known ?? {};
  const required = known?.requiredChecks ?? subject.requiredChecks;
  const shown = { status, policy_version: VERIFICATION_POLICY_VERSION, required_checks: required };
  if (checks === undefined) {
    const nothing = subject.running ? 'verifying' : 'missing';
    return { ...shown, checks: required.map((name) => ({ name, status: nothing })), quality_issues: [] };
  }
  const times = checks.map(({ checkedAt = '' }) => Date.parse(checkedAt));
  return {
    ...shown,
    checks: checks.map((check) => showCheck(check, nowMs)),
    ...(status === 'verified' || status === 'stale'
      ? {
          verified_at: new Date(Math.max(...times)).toISOString(),
          expires_at: new Date(Math.min(...times) + VERIFICATION_VALID_MS).toISOString(),
        }
      : {}),
    ...(testRunDigest === undefined ? {} : { test_run_digest: testRunDigest }),
    quality_issues: qualityIssues,
  };
}

function showCheck(check: CheckVerdict, nowMs: number): ShownCheck {
  const { name, status, checkedAt, evidenceDigest, reason } = check;
  return {
    name,
    status: status === 'passed' && lapsesAtMs(check) <= nowMs ? 'stale' : status,
    ...(checkedAt === undefined ? {} : { checked_at: checkedAt }),
    ...(evidenceDigest === undefined ? {} : { evidence_digest: evidenceDigest }),
    ...(reason === undefined ? {} : { reason }),
  };
}

/** Where a host says, as `{"provider_id": "…"}` (or a list of such ids), whose it is. */
export const PROVIDER_PROOF_PATH = '/.well-known/capability-router-provider.json';

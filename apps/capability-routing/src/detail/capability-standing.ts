import {
  verificationStatuses,
  type CapabilityContract,
  type ExecutionRestrictions,
  type ShownVerification,
  type ToolTerms,
  type VerificationStatus,
} from '@capability-router/contracts';
import { regionAllows, regionListsOf } from '@capability-router/tool-calls';
import type { ToolCopy } from '../tool-copies/tool-copy.entity.js';
import type { VerificationCopy } from '../verifications/verification-copy.js';

/** The standing of a capability, which callers want to know before they ask for it, beside its contract. */
export interface CapabilityStanding {
  /** The verification of the tool that stands best; absent where no tool serves it. */
  readonly verification_status?: VerificationStatus;
  readonly verification?: ShownVerification;
  readonly execution_restrictions: ExecutionRestrictions;
}

/** The best first. */
const ranks: readonly VerificationStatus[] = ['verified', 'stale', 'verifying', 'unverified', 'restricted', 'failed'];
if (ranks.length !== verificationStatuses.length) throw new Error('every status has a rank');

const UNDECLARED = 'unknown';

interface Term {
  readonly name: keyof ExecutionRestrictions;
  readonly of: (terms: ToolTerms) => string | undefined;
}
const ELIGIBILITY: Term = { name: 'eligibility', of: ({ eligibility }) => eligibility };
const LICENSE: Term = { name: 'license', of: ({ license }) => license };
const COMMERCIAL_USE: Term = { name: 'commercial_use', of: ({ commercialUse }) => commercialUse };

/** `region`: of the account that asks; undefined where it is not known. */
export function standingOf(
  { candidates }: Pick<CapabilityContract, 'candidates'>,
  tools: ReadonlyMap<string, ToolCopy>,
  verifications: Pick<VerificationCopy, 'shown' | 'dataAsOf'>,
  region: string | undefined,
): CapabilityStanding {
  const serving = candidates.flatMap(({ toolId }) => {
    const tool = tools.get(toolId);
    return tool === undefined || tool.retired ? [] : [tool];
  });
  const callable = serving.some((tool) => regionAllows(tool.region ?? undefined, region));
  const [best] = serving
    .map((tool) => ({ tool, shown: verifications.shown(tool.toolId, tool.version) }))
    .sort((one, other) => ranks.indexOf(one.shown.status) - ranks.indexOf(other.shown.status));
  const dataAsOf = best === undefined ? undefined : verifications.dataAsOf(best.tool.toolId, best.tool.version);
  return {
    ...(best === undefined ? {} : { verification_status: best.shown.status, verification: best.shown }),
    execution_restrictions: {
      callable,
      eligibility: agreedOn(serving, ELIGIBILITY),
      license: agreedOn(serving, LICENSE),
      commercial_use: agreedOn(serving, COMMERCIAL_USE),
      regions: regionsOf(serving),
      ...(dataAsOf === undefined ? {} : { data_as_of: dataAsOf }),
      warnings: [...warningsOf(serving.length > 0, callable), ...disagreements(serving)],
    },
  };
}

/** Any of the tools may serve, so what all of them declare is what holds. */
function agreedOn(tools: readonly ToolCopy[], { of }: Term): string {
  const [declared, ...others] = [...new Set(tools.map(({ terms }) => of(terms ?? {})))];
  return others.length > 0 ? UNDECLARED : (declared ?? UNDECLARED);
}

/** Where tools declare different things, the caller can choose among them. */
const disagreements = (tools: readonly ToolCopy[]): string[] =>
  [ELIGIBILITY, LICENSE, COMMERCIAL_USE]
    .filter(({ of }) => new Set(tools.map(({ terms }) => of(terms ?? {}))).size > 1)
    .map(({ name }) => `The tools that serve it differ in ${name}. Look at each, and ask for one by provider_id.`);

/** Open to whoever one of the tools is open to. */
function regionsOf(tools: readonly ToolCopy[]): ExecutionRestrictions['regions'] {
  const lists = tools.map(({ region }) => regionListsOf(region ?? undefined));
  const allow = lists.every((list) => list.allow.length > 0) ? [...new Set(lists.flatMap((list) => list.allow))] : [];
  const [first] = lists;
  const deny = (first?.deny ?? []).filter((place) => lists.every((list) => list.deny.includes(place)));
  return { allow, deny };
}

function warningsOf(isServed: boolean, callable: boolean): string[] {
  if (!isServed) return ['No tool serves it at the moment.'];
  return callable ? [] : ['No tool that serves it may be called from the region of the account.'];
}

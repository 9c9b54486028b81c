import type {
  ExecutionRestrictions,
  PriceRule,
  ShownVerification,
  ValidationDetail,
  VerificationStatus,
} from '@capability-router/contracts';
import { creditsToNumber, type Credits } from '@capability-router/kernel';
import type { Recovery } from './recovery.js';

export const probeChecks = ['schema', 'quote', 'coverage', 'sample'] as const;
export type ProbeCheck = (typeof probeChecks)[number];

export interface Violation {
  /** Dotted path of the parameter; absent where the fault is of the parameters as a whole. */
  readonly param?: string;
  readonly type: string;
  readonly message: string;
}

export interface SchemaCheck {
  readonly valid: boolean;
  readonly violations: readonly Violation[];
}

export interface QuoteCheck {
  /** The charge where `exact`, else the most that can be charged; absent where neither can be told. */
  readonly estimate_credits?: number;
  readonly currency: 'credits';
  readonly exact: boolean;
  readonly basis: PriceRule['metering']['kind'];
  readonly detail: { readonly description: string };
}

export interface UnknownVerdict {
  readonly verdict: 'unknown';
  readonly reason: string;
}

/** Just what was asked for, and what a caller should do next. */
export interface ProbeResponse {
  readonly schema?: SchemaCheck;
  readonly quote?: QuoteCheck;
  readonly coverage?: UnknownVerdict;
  readonly sample?: UnknownVerdict;
  readonly recovery: Recovery;
  readonly verification_status: VerificationStatus;
  readonly verification: ShownVerification;
  readonly execution_restrictions: ExecutionRestrictions;
}

/** The findings of which an answer is made. */
export interface ProbeFindings {
  readonly violations: readonly ValidationDetail[];
  readonly price: PriceRule;
  /** By the rule and the parameters, valid or not. */
  readonly quote: {
    readonly estimate: Credits;
    readonly exact: boolean;
    readonly basis: PriceRule['metering']['kind'];
    readonly detail: string;
  };
}

/** No provider is asked: none can tell beforehand what it has for given parameters. */
const unknownCoverage =
  'The provider of this tool cannot tell beforehand what it has for these parameters. A Call tells; an empty result is not charged.';
const unknownSample =
  'The provider of this tool offers no sample without a Call. A Call that fails or returns nothing is not charged.';

export function probeResponse(
  checks: readonly ProbeCheck[],
  findings: ProbeFindings,
  always: Pick<ProbeResponse, 'recovery' | 'verification_status' | 'verification' | 'execution_restrictions'>,
): ProbeResponse {
  return {
    ...(checks.includes('schema') ? { schema: schemaCheck(findings.violations) } : {}),
    ...(checks.includes('quote') ? { quote: quoteCheck(findings) } : {}),
    ...(checks.includes('coverage') ? { coverage: { verdict: 'unknown', reason: unknownCoverage } } : {}),
    ...(checks.includes('sample') ? { sample: { verdict: 'unknown', reason: unknownSample } } : {}),
    ...always,
  };
}

function schemaCheck(details: readonly ValidationDetail[]): SchemaCheck {
  return { valid: details.length === 0, violations: details.map(toViolation) };
}

/** The location of a detail begins with `body`, `parameters`. */
function toViolation({ type, loc, msg }: ValidationDetail): Violation {
  const param = loc.slice(2).join('.');
  return { ...(param === '' ? {} : { param }), type, message: msg };
}

/** Where a call would be refused for its parameters, only a price that does not depend on them can be told. */
function quoteCheck({ violations, price, quote }: ProbeFindings): QuoteCheck {
  const { basis } = quote;
  if (violations.length > 0 && price.metering.kind !== 'call') {
    const description =
      'The price depends on the parameters, and these do not fit the schema of the tool: ask for the schema check, correct them and probe again.';
    return { currency: 'credits', exact: false, basis, detail: { description } };
  }
  return {
    estimate_credits: creditsToNumber(quote.estimate),
    currency: 'credits',
    exact: quote.exact,
    basis,
    detail: { description: quote.detail },
  };
}

import {
  creditsToNumber,
  errorRegistry,
  wellFormed,
  ZERO_CREDITS,
  type Credits,
  type ErrorCode,
  type JsonObject,
} from '@capability-router/kernel';
import type { ReasonCode, ToolContract, ValidationDetail } from '@capability-router/contracts';
import { publishedNames, recordedPath, type PublishedNames } from '@capability-router/tool-calls';

/** Why a call was not dispatched, and what the caller is told. */
export interface Refusal {
  readonly httpStatus: 200 | 402 | 404 | 408 | 422;
  readonly reasonCode: Extract<
    ReasonCode,
    | 'validation_error'
    | 'tool_unavailable'
    | 'region_restricted'
    | 'oauth_signin_required'
    | 'insufficient_credits'
    | 'budget_exceeded'
    | 'transport.timeout'
  >;
  readonly message: string;
  /** Recorded in place of the message: without what the caller sent, which has no place in events. */
  readonly recordedMessage?: string;
  readonly details?: readonly (ValidationDetail | JsonObject)[];
  /** Where the status alone does not tell it. */
  readonly code?: ErrorCode;
  readonly remainingCredits?: Credits;
}

/** Every fault has the four members; of what is missing, the input is null. */
const withInput = (detail: ValidationDetail): ValidationDetail => ({ ...detail, input: detail.input ?? null });

export function invalidRequest(details: readonly ValidationDetail[]): Refusal {
  return {
    httpStatus: 422,
    reasonCode: 'validation_error',
    message: `The request is invalid: ${summaryOf(details, gotOf)}`,
    recordedMessage: `The request is invalid: ${recordedSummaryOf(details)}`,
    details: details.map(withInput),
  };
}

/** `loc`: where the caller named it. */
export function unknownTool(toolId: string, loc: readonly string[]): Refusal {
  const shown = wellFormed(toolId);
  const msg = 'There is no such tool. Search again with POST /search and use a tool_id exactly as returned';
  return {
    httpStatus: 422,
    reasonCode: 'validation_error',
    code: 'unknown_tool',
    message: `Unknown tool_id "${shown}". Search again with POST /search and use a tool_id exactly as returned.`,
    details: [{ type: 'value_error', loc, msg, input: shown }],
  };
}

export function unavailableTool(toolId: string): Refusal {
  return {
    httpStatus: 200,
    reasonCode: 'tool_unavailable',
    message: `The tool "${toolId}" is not available. Search again with POST /search for another one.`,
  };
}

/** `region`: the account's; undefined where it has none, which only a rule that lists who may call keeps out. */
export function regionRestricted({ toolId, region: rule }: ToolContract, region: string | undefined): Refusal {
  const where = region === undefined ? 'an account without a region' : `an account in the region ${region}`;
  const help = region === undefined ? ', or have an administrator set the region of the account' : '';
  return {
    httpStatus: 200,
    reasonCode: 'region_restricted',
    message: `The tool "${toolId}" (region "${rule}") may not be called by ${where}. Search for another one${help}.`,
  };
}

export function invalidParameters(tool: ToolContract, details: readonly ValidationDetail[]): Refusal {
  const messageOf = (summary: string): string =>
    `Invalid parameters for ${tool.toolId}: ${summary} ` +
    'Correct the fields in details; POST /tools/by-ids shows the params of this tool.';
  return {
    httpStatus: 422,
    reasonCode: 'validation_error',
    message: messageOf(summaryOf(details, gotOf)),
    recordedMessage: messageOf(recordedSummaryOf(details, publishedNames(tool.parametersSchema))),
    details: details.map(withInput),
  };
}

/** `subject`: a query is short of what its cheapest candidate may cost. */
export function insufficientCredits(subject: 'call' | 'query', needed: Credits, available: Credits): Refusal {
  const [cost, left] = [creditsToNumber(needed), creditsToNumber(available)];
  const message =
    subject === 'call'
      ? `Insufficient credits: the call may cost up to ${cost} credits, ${left} are available. Add credits or choose a cheaper tool.`
      : `Insufficient credits: the cheapest candidate of the query may cost up to ${cost} credits, ${left} are available. Add credits or ask for less.`;
  return {
    httpStatus: 402,
    reasonCode: 'insufficient_credits',
    code: 'insufficient_credits',
    message,
    remainingCredits: available,
    details: [
      {
        type: 'insufficient_credits',
        loc: ['account', 'credits'],
        msg: message,
        scope: 'account',
        needed_credits: cost,
        available_credits: left,
      },
    ],
  };
}

/** Nothing can be spent, whatever the account has. */
export const paymentRequired: Refusal = {
  httpStatus: 402,
  reasonCode: 'insufficient_credits',
  code: 'payment_required',
  message: errorRegistry.payment_required.message,
  remainingCredits: ZERO_CREDITS,
  details: [
    {
      type: 'payment_required',
      loc: ['account', 'state'],
      msg: errorRegistry.payment_required.message,
      scope: 'account',
    },
  ],
};

/** The deadline of a plan is over before any attempt of it could begin. */
export const noTimeLeft: Refusal = {
  httpStatus: 408,
  reasonCode: 'transport.timeout',
  message: 'The deadline left no candidate enough time to begin; nothing was sent and nothing is charged. Retry later.',
};

/** Faults that a message spells out; the rest is in `details`. */
const MAX_FAULTS_IN_MESSAGE = 3;

/** Characters of what was got that a message shows. */
const MAX_GOT_LENGTH = 60;

function gotOf({ input }: ValidationDetail): string {
  const text = input === undefined ? undefined : JSON.stringify(input);
  if (text === undefined) return '';
  return ` (got ${text.length > MAX_GOT_LENGTH ? `${text.slice(0, MAX_GOT_LENGTH)}…` : text})`;
}

/** Without names and values that the caller chose. */
const recordedSummaryOf = (details: readonly ValidationDetail[], names?: PublishedNames): string =>
  summaryOf(
    details.map((detail) => ({ ...detail, loc: recordedPath(detail, names) })),
    () => '',
  );

function summaryOf(details: readonly ValidationDetail[], more: (detail: ValidationDetail) => string): string {
  const listed = details
    .slice(0, MAX_FAULTS_IN_MESSAGE)
    .map((detail) => `${detail.loc.slice(1).join('.') || detail.loc.join('.')}: ${detail.msg}${more(detail)}`);
  const rest = details.length - listed.length;
  return `${listed.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`;
}

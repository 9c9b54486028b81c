import type { RefusePlanRequest, ValidationDetail } from '@capability-router/contracts';
import { errorRegistry, type ErrorCode, type JsonObject } from '@capability-router/kernel';
import { messageOfDetails } from '@capability-router/service-kit';
import { publishedNames, recordedPath, type CallLimit } from '@capability-router/tool-calls';
import type { Meant } from '../resolution/resolve.js';
import type { ExclusionReason, RoutingDecision } from '../routing/index.js';

/** A query that goes no further. */
export interface QueryRefusal extends Pick<RefusePlanRequest, 'httpStatus' | 'reasonCode'> {
  /** The text for the caller. */
  readonly message: string;
  /** The text that is recorded in its place: without the caller's own words, which have no place in events. */
  readonly recordedMessage?: string;
  /** Where the status alone does not tell it. */
  readonly code?: ErrorCode;
  readonly details?: readonly ValidationDetail[];
  /** More of what the caller is told. */
  readonly beside?: JsonObject;
}

/** `schema`: the contract's schema of parameters, where the faults are of these. */
export const invalidQuery = (details: readonly ValidationDetail[], schema?: JsonObject): QueryRefusal => ({
  httpStatus: 422,
  reasonCode: 'validation_error',
  message: messageOfDetails(details),
  recordedMessage: recordedFaults(details, schema),
  details,
});

/** Faults that a record names. */
const MAX_RECORDED_FAULTS = 5;

/** Members by name and what is wrong with each, without anything of the caller's own. */
function recordedFaults(details: readonly ValidationDetail[], schema: JsonObject | undefined): string {
  const names = schema === undefined ? undefined : publishedNames(schema);
  const named = details.slice(0, MAX_RECORDED_FAULTS).map((detail) => {
    const field = recordedPath(detail, names).slice(1).join('.');
    return field === '' ? detail.type : `${field} (${detail.type})`;
  });
  const more = details.length - named.length;
  return `The query is invalid: ${[...new Set(named)].join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}

/** Nothing can be spent, whatever the account has. */
export const paymentRequired: QueryRefusal = {
  httpStatus: 402,
  reasonCode: 'insufficient_credits',
  code: 'payment_required',
  message: errorRegistry.payment_required.message,
};

export const unknownCapability = (capabilityId: string): QueryRefusal => ({
  httpStatus: 404,
  reasonCode: 'validation_error',
  message: `There is no capability "${capabilityId}". GET /capabilities lists them.`,
  recordedMessage: 'There is no capability with the id that was asked for.',
});

/** No capability is surely meant by the words of the query. */
export function notResolved(nearest: readonly Meant[]): QueryRefusal {
  const told = nearest.map(({ capabilityId, certainty }) => `${capabilityId} (${certainty})`).join(', ');
  const help = told === '' ? 'GET /capabilities lists them' : `the nearest are ${told}`;
  return {
    httpStatus: 422,
    reasonCode: 'validation_error',
    code: 'unclear_capability',
    message: `The query does not say surely enough which capability is wanted: ${help}. Give a capability_id, or say it in other words.`,
    recordedMessage: 'The query does not say surely enough which capability is wanted.',
    beside: { nearest: nearest.map(toldMeant) },
  };
}

export const toldMeant = ({ capabilityId, certainty }: Meant): JsonObject => ({
  capability_id: capabilityId,
  certainty,
});

/** Tools declare the id, and nothing is promised of it that one of them could be chosen by. */
export const withoutContract = (capabilityId: string): QueryRefusal => ({
  httpStatus: 422,
  reasonCode: 'tool_unavailable',
  code: 'no_contract',
  message: `The capability "${capabilityId}" has no contract yet, so no tool can be chosen for it. Find one with POST /search and run it with POST /tools/execute.`,
  recordedMessage: 'The capability has no contract yet.',
});

const LISTED_PROVIDERS = 20;

/** The caller asked for providers of which no tool is bound to the capability. `providerIds`: those that there are. */
export function noSuchProvider(providerIds: readonly string[]): QueryRefusal {
  const listed = [...new Set(providerIds)].filter(Boolean).sort().slice(0, LISTED_PROVIDERS);
  return {
    httpStatus: 422,
    reasonCode: 'validation_error',
    message: `No tool of the providers that were asked for serves this capability. Those that do: ${listed.join(', ') || 'none'}.`,
    recordedMessage: 'No tool of the providers that were asked for serves this capability.',
  };
}

interface Told {
  readonly because: readonly ExclusionReason[];
  readonly refusal: QueryRefusal;
}

/** Who says what a query may cost at most. */
type LimitedBy = CallLimit['setBy'];

const overBudget: Readonly<Record<LimitedBy | 'nobody', string>> = {
  nobody:
    'What a candidate could cost at most is not known, or is more than any account can hold; routing.excluded says of which. Ask for less.',
  caller:
    'No candidate is certain to cost no more than the query may; routing.excluded says what each may cost. Raise max_credits, or ask for less.',
  credential:
    'No candidate is certain to cost no more than this credential may spend on one query; routing.excluded says what each may cost. Ask for less, or claim the trial to lift the limit.',
};

/** The first of them that some candidate is left out for decides: what the caller can mend comes before what passes by itself. */
const refusals: readonly Told[] = [
  {
    because: ['over_budget', 'price_unproven'],
    refusal: {
      httpStatus: 422,
      reasonCode: 'budget_exceeded',
      code: 'budget_exceeded',
      message: overBudget.nobody,
    },
  },
  {
    because: ['missing_parameter'],
    refusal: {
      httpStatus: 422,
      reasonCode: 'validation_error',
      message:
        'The parameters fit no candidate; routing.excluded says what each lacks. Correct them as GET /capabilities/{capability_id} shows.',
    },
  },
  {
    because: ['region'],
    refusal: {
      httpStatus: 200,
      reasonCode: 'region_restricted',
      message: "No candidate may be called from the account's region.",
    },
  },
];

const noneAvailable: QueryRefusal = {
  httpStatus: 200,
  reasonCode: 'tool_unavailable',
  message: 'No candidate can be run right now; routing.excluded says why. Retry later.',
};

/** Every candidate is left out. `limitedBy`: absent where nobody says what the query may cost. */
export function nobodyServes({ excluded }: Pick<RoutingDecision, 'excluded'>, limitedBy?: LimitedBy): QueryRefusal {
  const reasons = new Set(excluded.map(({ reason }) => reason));
  const told = refusals.find(({ because }) => because.some((reason) => reasons.has(reason)))?.refusal ?? noneAvailable;
  return told.reasonCode === 'budget_exceeded' ? { ...told, message: overBudget[limitedBy ?? 'nobody'] } : told;
}

import { FAILED_SEARCH_ID, type AccountAssertion, type ApiKeyScope } from '@capability-router/contracts';
import { AppError, errorRegistry, type FullWindow } from '@capability-router/kernel';
import { errorAnswerOf, insufficientScope, type ErrorAnswer } from '@capability-router/service-kit';
import type { ErrorShape } from '../routes/gateway-route.js';

const invalidKeyMessage = errorRegistry.invalid_api_key.message;
const guidance =
  'Send "Authorization: Bearer <API key>" with a key that begins with "sk-". POST /agent/anonymous-register gives a trial key.';

/** 401. `query` is what a search asked for, where it could be read; `challenge` says how to get a credential. */
export function invalidKeyAnswer(shape: ErrorShape, query: string, challenge: string): ErrorAnswer {
  const failure = { status: 'failure', message: invalidKeyMessage };
  const coded = { ...failure, status_code: 401 };
  const bodies: Record<ErrorShape, () => ErrorAnswer['body']> = {
    search: () => ({ ...coded, query, search_id: FAILED_SEARCH_ID, total: 0, results: [] }),
    inspect: () => ({ ...coded, error: invalidKeyMessage }),
    execute: () => ({ ...coded, data: { guidance } }),
    capability: () => coded,
    envelope: () => ({ ...coded, data: null }),
    plain: () => coded,
  };
  return { status: 401, headers: { 'www-authenticate': challenge }, body: bodies[shape]() };
}

/** 403: the credential lacks the scope. */
export function insufficientScopeAnswer(scope: ApiKeyScope, account: AccountAssertion | undefined): ErrorAnswer {
  const { headers, ...answer } = errorAnswerOf(insufficientScope(scope, account));
  const challenge = `Bearer error="insufficient_scope", scope="${scope}"`;
  return { ...answer, headers: { ...headers, 'www-authenticate': challenge } };
}

/** 429, the same for every route. */
export const rateLimitedAnswer = (waitMs: number, rateLimit: FullWindow): ErrorAnswer =>
  errorAnswerOf(new AppError('rate_limited', undefined, { retryAfterSeconds: Math.ceil(waitMs / 1_000), rateLimit }));

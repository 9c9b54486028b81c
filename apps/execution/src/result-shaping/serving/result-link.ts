import { createHmac, timingSafeEqual } from 'node:crypto';
import { isAccountId, isExecutionId, type AccountId, type ExecutionId } from '@capability-router/kernel';
import type { ResultKey } from '../store/result-store.js';

const MAX_TOKEN_LENGTH = 200;

/** A bearer link: whoever has it may read this one result until it expires. Seconds, because it ends up in URLs. */
export function signResultToken(key: Buffer, result: ResultKey, expiresAtMs: number): string {
  const claim = [
    result.executionId,
    withoutPrefix(result.accountId),
    Math.floor(expiresAtMs / MS_PER_SECOND).toString(36),
  ].join('.');
  return `${claim}.${signature(key, claim)}`;
}

export type ResultTokenCheck =
  | { readonly status: 'valid'; readonly result: ResultKey }
  | { readonly status: 'expired' }
  | { readonly status: 'forged' };

const MS_PER_SECOND = 1_000;
const ACCOUNT_PREFIX = 'acc_';

/** The signature is checked before the expiry, so only a link that we once gave out is ever called expired. */
export function checkResultToken(key: Buffer, token: string, nowMs: number): ResultTokenCheck {
  if (token.length > MAX_TOKEN_LENGTH) return { status: 'forged' };
  const [execution = '', account = '', expiry = '', given = '', ...rest] = token.split('.');
  const expected = Buffer.from(signature(key, `${execution}.${account}.${expiry}`));
  const presented = Buffer.from(given);
  if (rest.length > 0 || presented.length !== expected.length || !timingSafeEqual(presented, expected)) {
    return { status: 'forged' };
  }
  const [executionId, accountId] = [execution as ExecutionId, `${ACCOUNT_PREFIX}${account}` as AccountId];
  if (!isExecutionId(executionId) || !isAccountId(accountId)) return { status: 'forged' };
  if (nowMs >= Number.parseInt(expiry, 36) * MS_PER_SECOND) return { status: 'expired' };
  return { status: 'valid', result: { accountId, executionId } };
}

const withoutPrefix = (accountId: AccountId): string => accountId.slice(ACCOUNT_PREFIX.length);

function signature(key: Buffer, claim: string): string {
  return createHmac('sha256', key).update(`result-link:${claim}`).digest('base64url');
}

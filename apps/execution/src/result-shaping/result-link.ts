import { createHmac, timingSafeEqual } from 'node:crypto';
import { isExecutionId, type ExecutionId } from '@capability-router/kernel';

const MAX_TOKEN_LENGTH = 200;

/** A bearer link: whoever has it may read this one result until it expires. Seconds, because it ends up in URLs. */
export function signResultToken(key: Buffer, executionId: ExecutionId, expiresAtMs: number): string {
  const claim = `${executionId}.${Math.floor(expiresAtMs / 1_000).toString(36)}`;
  return `${claim}.${signature(key, claim)}`;
}

export type ResultTokenCheck =
  | { readonly status: 'valid'; readonly executionId: ExecutionId }
  | { readonly status: 'expired' }
  | { readonly status: 'forged' };

/** The signature is checked before the expiry, so only a link that we once gave out is ever called expired. */
export function checkResultToken(key: Buffer, token: string, nowMs: number): ResultTokenCheck {
  if (token.length > MAX_TOKEN_LENGTH) return { status: 'forged' };
  const [executionId = '', expiry = '', given = '', ...rest] = token.split('.');
  const expected = Buffer.from(signature(key, `${executionId}.${expiry}`));
  const presented = Buffer.from(given);
  if (rest.length > 0 || presented.length !== expected.length || !timingSafeEqual(presented, expected)) {
    return { status: 'forged' };
  }
  if (!isExecutionId(executionId)) return { status: 'forged' };
  return nowMs < Number.parseInt(expiry, 36) * 1_000 ? { status: 'valid', executionId } : { status: 'expired' };
}

function signature(key: Buffer, claim: string): string {
  return createHmac('sha256', key).update(`result-link:${claim}`).digest('base64url');
}

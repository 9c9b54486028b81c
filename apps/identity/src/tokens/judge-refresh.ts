import type { FamilyRow } from './refresh-families.sql.js';

/** Milliseconds after a rotation for which the token that was replaced is refused without harm to its family. */
export const REPEAT_TOLERATED_MS = 5_000;

/**
 * - `current`: the one that may be used.
 * - `just_replaced`: used a moment ago, as by two threads of one program, or by one that lost the answer.
 * - `reused`: one that was replaced before, so somebody else has it, too.
 * - `ended`: the family was revoked, or is too old.
 */
export type RefreshVerdict = 'current' | 'just_replaced' | 'reused' | 'ended';

/** `tokenHash`: of a token that has the family's part. One that never was of the family was made by who has seen another. */
export function judgeRefresh(
  family: Pick<FamilyRow, 'tokenHash' | 'previousHash' | 'rotatedAt' | 'expiresAt' | 'revokedAt'>,
  tokenHash: Buffer,
  nowMs: number,
): RefreshVerdict {
  if (family.revokedAt !== null || family.expiresAt.getTime() <= nowMs) return 'ended';
  if (family.tokenHash.equals(tokenHash)) return 'current';
  const repeats = family.previousHash?.equals(tokenHash) === true;
  return repeats && nowMs - family.rotatedAt.getTime() < REPEAT_TOLERATED_MS ? 'just_replaced' : 'reused';
}

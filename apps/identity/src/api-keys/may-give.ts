import type { AccountAssertion, ApiKeyScope } from '@capability-router/contracts';
import { AppError, toIso } from '@capability-router/kernel';
import { requireScope } from '@capability-router/service-kit';
import type pg from 'pg';
import { isUsable } from './api-key.js';
import { lockKeys, shareKeyById } from './find-key-by-id.sql.js';

/** Throws 403 unless the caller may decide about keys of its account. A token that was handed on for some work may not. */
export function requireApiKey({ credentialType }: AccountAssertion): void {
  if (credentialType !== 'api_key') throw new AppError('forbidden', 'Use an API key of the account for this.');
}

/**
 * Throws 403 where a key with these scopes could do more than the caller's own: it has a scope that the own one lacks, or
 * would spend beside the budget or the project of the own one. `projectId`: of the key that is given.
 */
export function requireMayGive(
  caller: AccountAssertion,
  scopes: readonly ApiKeyScope[],
  projectId: string | undefined,
): void {
  requireApiKey(caller);
  for (const scope of scopes) requireScope(caller, scope);
  if (caller.projectId !== undefined && caller.projectId !== projectId) {
    throw new AppError('forbidden', 'A key of a project gives keys of that project only. Use a key without one.');
  }
  if (caller.budgets !== undefined && scopes.includes('call')) {
    throw new AppError('forbidden', 'A key with a budget gives no key that spends. Use a key without one.');
  }
}

/** Throws 403 where a key that ends then, or never, would outlive the caller's own, which ends at `ownEndMs` or never. Milliseconds since the epoch. */
export function requireEndsNoLater(expiresAtMs: number | undefined, ownEndMs: number | undefined): void {
  if (ownEndMs === undefined || (expiresAtMs ?? Infinity) <= ownEndMs) return;
  throw new AppError('forbidden', `This key ends at ${toIso(ownEndMs)}, and gives no key that ends later.`);
}

/**
 * Throws 401, as the gateway would, where the key that asks has ended since the gateway admitted the request: its body may come
 * much later. Where the key stands, its end waits for the caller's transaction. Only keys give keys; undefined where no caller
 * asks. `changed`: the key that the transaction changes, which may be changing the one that asks at the same time.
 */
export async function requireStanding(
  tx: pg.ClientBase,
  askedBy: string | undefined,
  nowMs: number,
  changed?: string,
): Promise<void> {
  if (askedBy === undefined) return;
  if (changed !== undefined) await lockKeys(tx, [changed, askedBy]);
  const key = await shareKeyById(tx, askedBy);
  if (key !== undefined && isUsable(key, nowMs)) return;
  throw new AppError('invalid_api_key', undefined, { credentialEnded: true });
}

import { apiSuccess, type ApiResponse } from '@capability-router/contracts';
import { AppError, canonicalUuid, toIso, type Clock } from '@capability-router/kernel';
import { CLOCK, COMMITTED, inTransaction, POOL, requireValid } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { awaitChange } from '../evictions/await-change.js';
import { issueRefusal, toIssuedKey, type RotatedKey } from './api-key.responses.js';
import { RotateApiKeyRequest } from './rotate-api-key.request.js';
import { rotateApiKey, type RotateApiKey } from './rotate-api-key.js';

/** Replaces a key by a new one while the one before goes on for a while, whoever asks. */
@Injectable()
export class KeyRotation {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(COMMITTED) private readonly committed: () => void,
  ) {}

  /** Answered when every living replica of the gateway knows when the key before ends, or after a second with `pending`. */
  async rotate(
    target: string,
    body: unknown,
    asked: Pick<RotateApiKey, 'accountId' | 'askedBy' | 'mayGive'>,
  ): Promise<ApiResponse<RotatedKey>> {
    const [named = '', action, ...rest] = target.split(':');
    if (action !== 'rotate' || rest.length > 0) {
      throw new AppError('not_found', 'There is no such action. The id of a key is followed by :rotate.');
    }
    const apiKeyId = canonicalUuid(named);
    if (apiKeyId === undefined) throw new AppError('not_found');
    const { overlap_seconds: overlapSeconds } = requireValid(RotateApiKeyRequest, body ?? {});
    const nowMs = this.clock.nowMs();
    const command = { apiKeyId, overlapMs: overlapSeconds * 1_000, nowMs, ...asked };
    const result = await inTransaction(this.pool, (tx) => rotateApiKey(tx, command));
    if (result.status === 'unknown_key') throw new AppError('not_found');
    if (result.status === 'key_ended') throw new AppError('conflict', 'The key has ended. Issue a new one.');
    if (result.status !== 'rotated') throw issueRefusal(result.status);
    this.committed();
    const pending = await awaitChange(this.pool, result.change, nowMs);
    return apiSuccess({
      ...toIssuedKey(result.issued, result.command),
      replaces: apiKeyId,
      replaced_expires_at: toIso(result.endsAtMs),
      ...pending,
    });
  }
}

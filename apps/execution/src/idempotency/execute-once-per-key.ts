import { CONFIG, POOL } from '@capability-router/service-kit';
import { publicHeaders } from '@capability-router/contracts';
import { AppError, type AccountId, type ExecutionId } from '@capability-router/kernel';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { ExecuteAnswer } from '../call/answer/domain/execute-answer.js';
import { KeyTaken } from '../call/journal/key-taken.js';
import type { Call } from '../call/request/domain/call.js';
import type { IdempotentRoute, KeyClaim, OncePerKey } from '../call/request/domain/key-claim.js';
import type { ExecutionConfig } from '../config.js';
import { ExecuteTool } from '../call/execute-tool.js';
import { cameTooLate, notRecorded, unavailable } from '../call/admission/unavailable.js';
import { faultOfKey, fingerprintOf, keyUsedForAnotherRequest } from './idempotency-key.js';
import { AnswerKeeper } from './kept-answer.js';
import { findKey, freeKey, type BoundKey, type FoundKey } from './key-store.sql.js';
import { KeyedRequestMetrics } from './keyed-request-metrics.js';
import { replayOf } from './replay.js';

/** A Call as it came. */
export interface KeyedCall extends Call {
  /** The `Idempotency-Key` header. */
  readonly idempotencyKey: string | undefined;
}

/** Looks at a key that others take and let go; beyond it the caller is told to wait. */
const MAX_ATTEMPTS = 3;
/** Seconds after which the answer of a running call may be asked for again. */
const RETRY_AFTER_SECONDS = '1';

/**
 * Calls with an idempotency key run once: the key is taken in the statement that records the start, so among all replicas
 * one request starts, holds and sends; the others are told to wait, or given the first answer again. Calls without a key
 * pass through.
 */
@Injectable()
export class ExecuteOncePerKey {
  constructor(
    @Inject(ExecuteTool) private readonly executeTool: ExecuteTool,
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(AnswerKeeper) private readonly keeper: AnswerKeeper,
    @Inject(CONFIG) private readonly config: Pick<ExecutionConfig, 'idempotency'>,
    @Inject(KeyedRequestMetrics) private readonly metrics: KeyedRequestMetrics,
  ) {}

  async execute(call: KeyedCall): Promise<ExecuteAnswer> {
    return this.once(call, 'tools/execute', (one) => this.executeTool.execute(one));
  }

  /** `run` is given the call with what takes the key and keeps the answer; it throws `KeyTaken` where another one has the key. */
  async once(
    call: KeyedCall,
    route: IdempotentRoute,
    run: (call: Call) => Promise<ExecuteAnswer>,
  ): Promise<ExecuteAnswer> {
    const { idempotencyKey: key, assertion, raw } = call;
    if (key === undefined) return run(call);
    const fault = faultOfKey(key, ['header', 'Idempotency-Key']);
    if (fault !== undefined) return this.executeTool.refuseRequest(call, [fault]);
    const fingerprint = fingerprintOf(raw.queryToolIds, raw.body);
    const accountId = assertion.accountId as AccountId;
    const lifetimeMs = this.config.idempotency.keyLifetimeMs;
    const claim: KeyClaim = { accountId, route, key, fingerprint, lifetimeMs };
    const once: OncePerKey = { claim, keep: (answer, untilMs) => this.keeper.keep(accountId, answer, untilMs) };
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const bound = await this.find(claim, call.executionId);
      if (bound !== undefined) return this.answerBound(call, claim, bound);
      try {
        const answer = await run({ ...call, once });
        this.metrics.count('first');
        return answer;
      } catch (err) {
        if (!(err instanceof KeyTaken)) throw err;
      }
    }
    throw new AppError(
      'idempotency_key_in_use',
      'Other requests with this Idempotency-Key are under way. Retry later.',
      {
        retryAfterSeconds: Number(RETRY_AFTER_SECONDS),
      },
    );
  }

  /** A key whose request never reached dispatch is let go here, where somebody wants it again. */
  private async find(claim: KeyClaim, executionId: ExecutionId): Promise<BoundKey | undefined> {
    const found = await this.findOrFree(claim).catch((cause: unknown) => {
      throw unavailable(notRecorded, cause);
    });
    if (found?.kind === 'bound') return found.key;
    // The call took its key and could not start, because its own execution had been ended before.
    if (found?.executionId === executionId) throw unavailable(cameTooLate);
    return undefined;
  }

  private async findOrFree(claim: KeyClaim): Promise<FoundKey | undefined> {
    const found = await findKey(this.pool, claim);
    if (found?.kind === 'free') await freeKey(this.pool, claim, found.executionId);
    return found;
  }

  private async answerBound(call: Call, claim: KeyClaim, bound: BoundKey): Promise<ExecuteAnswer> {
    if (bound.fingerprint !== claim.fingerprint) {
      this.metrics.count('other_request');
      return this.executeTool.refuseRequest(call, [keyUsedForAnotherRequest]);
    }
    if (bound.state === 'running') {
      this.metrics.count('still_running');
      return stillRunning(bound.executionId);
    }
    const { body } = await replayOf(bound, this.keeper);
    this.metrics.count('replayed');
    return { httpStatus: 200, body, headers: { [publicHeaders.idempotencyReplayed]: 'true' } };
  }
}

/** Nothing is known of the outcome yet, so nothing is said of it: no `success`, no `execution_outcome`. */
function stillRunning(executionId: ExecutionId): ExecuteAnswer {
  const message =
    'The call with this Idempotency-Key is still running. Send the same request again after Retry-After, ' +
    'or ask GET /tools/executions/by-idempotency-key.';
  return {
    httpStatus: 409,
    body: { message, execution_id: executionId, error_message: message, code: 'idempotency_key_in_use' },
    headers: { 'retry-after': RETRY_AFTER_SECONDS },
  };
}

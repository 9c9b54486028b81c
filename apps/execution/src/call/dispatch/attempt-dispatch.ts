import type { Clock } from '@capability-router/kernel';
import {
  failure,
  isRefusedCall,
  type DispatchedAnswer,
  type ProviderAdapter,
  type RefusedCall,
} from '@capability-router/provider-kit';
import { CLOCK, describeSpan, inClientSpan, LOGGER } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { CredentialStore } from '../../credentials/credential-store.js';
import type { CredentialRevisions } from '../../provider-cache/cache-key.js';
import type { CachedResult, ResultCache } from '../../provider-cache/cached-result.js';
import { CacheMetrics } from '../../provider-cache/cache-metrics.js';
import { OpenResultCache } from '../../provider-cache/open-result-cache.js';
import { ProviderCache, type OwnRun } from '../../provider-cache/provider-cache.js';
import { ToolProviders } from '../../providers/tool-providers.js';
import type { AcceptedCall } from '../admission/accepted-call.js';
import type { Attempt } from '../admission/domain/plan.js';
import { ExecutionJournal } from '../journal/execution-journal.js';
import { OwnerLease } from '../journal/owner-lease.js';
import { boundedAnswer, type BoundedAnswer } from './bounded-answer.js';
import { dispatch } from './dispatch.js';

/** The answer of a provider, or the fault that stands for it. */
export interface Answered extends BoundedAnswer {
  readonly kind: 'answered';
  /** Tells equal calls what of the answer they may have, once it is known what it is worth; to be called once. */
  readonly share: OwnRun['share'];
}

/** The outcome of sending an attempt, before anybody has judged it. */
export type Dispatched =
  | Answered
  /** The result of an equal call; the provider was not asked. */
  | { readonly kind: 'kept'; readonly result: CachedResult }
  /** The adapter sent nothing. */
  | { readonly kind: 'refused'; readonly refused: RefusedCall };

/** Sends the attempts of a plan to their providers or, where the tool allows it, has the result of an equal call. */
@Injectable()
export class AttemptDispatch {
  private readonly cache: ProviderCache;

  constructor(
    @Inject(ToolProviders) private readonly provider: ProviderAdapter,
    @Inject(OpenResultCache) { cache: store }: { readonly cache: ResultCache },
    @Inject(CredentialStore) credentials: CredentialRevisions,
    @Inject(OwnerLease) private readonly lease: OwnerLease,
    @Inject(ExecutionJournal) private readonly journal: ExecutionJournal,
    @Inject(CLOCK) clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CacheMetrics) private readonly metrics?: Pick<CacheMetrics, 'asked'>,
  ) {
    this.cache = new ProviderCache({ store, credentials, clock, logger });
  }

  /**
   * Says whether another attempt may begin. An execution that was ended elsewhere is answered with that end, so what began after it
   * would be done for nobody. Where nothing may be done twice the record is asked as well, because the caller may have sent the
   * query again by now. Never rejects.
   */
  async mayGoOn({ executionId, plan }: AcceptedCall): Promise<boolean> {
    if (!this.lease.isHeld()) return false;
    if (plan.repeatable) return true;
    try {
      return await this.journal.isRunning(executionId, this.lease.ownerId);
    } catch (err) {
      this.logger.error({ err, executionId }, 'no further attempt begins, because the record could not be read');
      return false;
    }
  }

  /** `deadlineMs`: milliseconds from now. `signal`: gives up what was asked of the provider. */
  async send(call: AcceptedCall, attempt: Attempt, deadlineMs: number, signal?: AbortSignal): Promise<Dispatched> {
    const { tool, parameters } = attempt;
    const { accountId } = call.assertion;
    if (tool.cache === undefined || call.request.cacheMode === 'bypass') {
      return this.ask(call, attempt, { kind: 'run', deadlineMs, share: nobodyWaits }, signal);
    }
    const query = { tool, parameters, accountId, deadlineMs, ttlMs: tool.cache.ttlMs };
    const found = await this.cache.answer(query);
    this.metrics?.asked(found.kind);
    switch (found.kind) {
      case 'hit':
        return { kind: 'kept', result: found.result };
      case 'run':
        return this.ask(call, attempt, found, signal);
      case 'late':
        return {
          kind: 'answered',
          answer: failure('timeout', '', { retryable: true }) as DispatchedAnswer,
          share: nobodyWaits,
        };
    }
  }

  private async ask(
    { assertion, executionId }: AcceptedCall,
    { tool, parameters }: Attempt,
    { deadlineMs, share }: OwnRun,
    signal: AbortSignal | undefined,
  ): Promise<Dispatched> {
    const traced = {
      'capability_router.execution_id': executionId,
      'capability_router.tool_id': tool.toolId,
      'capability_router.provider_id': tool.providerId,
    };
    // The provider is not told of the trace, which is the deployment's own.
    const answer = await inClientSpan(`call ${tool.providerId}`, traced, async () => {
      const came = await dispatch(this.provider, tool, parameters, deadlineMs, assertion.accountId, signal);
      if (!isRefusedCall(came) && came.kind === 'failed') describeSpan({ 'error.type': came.fault });
      return came;
    });
    if (!isRefusedCall(answer)) return { kind: 'answered', ...boundedAnswer(answer), share };
    share(undefined);
    return { kind: 'refused', refused: answer };
  }
}

const nobodyWaits = (): void => undefined;

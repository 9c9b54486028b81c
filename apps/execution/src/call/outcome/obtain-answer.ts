import type { ToolContract } from '@capability-router/contracts';
import type { Clock, JsonObject, JsonValue } from '@capability-router/kernel';
import {
  failure,
  isRefusedCall,
  type DispatchedAnswer,
  type JsonPathPool,
  type ProviderAdapter,
  type RefusedCall,
} from '@capability-router/provider-kit';
import { CLOCK, LOGGER } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { CredentialStore } from '../../credentials/credential-store.js';
import type { CredentialRevisions } from '../../provider-cache/cache-key.js';
import type { CachedResult, ResultCache } from '../../provider-cache/cached-result.js';
import { OpenResultCache } from '../../provider-cache/open-result-cache.js';
import { ProviderCache } from '../../provider-cache/provider-cache.js';
import { ToolJsonPaths } from '../../providers/json-paths.js';
import { ToolProviders } from '../../providers/tool-providers.js';
import { boundedAnswer } from '../dispatch/bounded-answer.js';
import { classifyAnswer, type Classified } from './classify-outcome.js';
import { dispatch } from '../dispatch/dispatch.js';
import { judgeAnswer } from './judge-answer.js';

/** What came of a call, and what it is worth. */
export interface Obtained {
  readonly classified: Classified;
  /** Null where the tool failed. */
  readonly data: JsonValue;
  /** The data as JSON in UTF-8; absent where the tool failed. */
  readonly serialized?: Buffer;
  /** The result of the capability that was made out of it, which the caller gets; absent where that is the tool's own. */
  readonly shown?: { readonly data: JsonValue; readonly serialized: Buffer };
  /** The provider was not asked. */
  readonly fromCache: boolean;
  /** False: it is certain that nothing was sent to the provider. */
  readonly sent?: false;
}

export interface Wanted {
  readonly tool: ToolContract;
  readonly parameters: JsonObject;
  readonly accountId: string;
  readonly cacheMode: 'default' | 'bypass';
  /** Milliseconds from now. */
  readonly deadlineMs: number;
}

/** Gets the answer to a call, from the provider or, where the tool allows it, from an equal call. */
@Injectable()
export class AnswerSource {
  private readonly cache: ProviderCache<Obtained | RefusedCall>;

  /** `jsonPaths`: evaluates what tools say about their results. */
  constructor(
    @Inject(ToolProviders) private readonly provider: ProviderAdapter,
    @Inject(ToolJsonPaths) private readonly jsonPaths: JsonPathPool,
    @Inject(OpenResultCache) { cache: store }: { readonly cache: ResultCache },
    @Inject(CredentialStore) credentials: CredentialRevisions,
    @Inject(CLOCK) clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.cache = new ProviderCache({ store, credentials, clock, logger, storable });
  }

  async obtain(wanted: Wanted): Promise<Obtained | RefusedCall> {
    const { tool, cacheMode } = wanted;
    if (tool.cache === undefined || cacheMode === 'bypass') return this.ask(wanted, wanted.deadlineMs);
    const answer = await this.cache.answer({ ...wanted, ttlMs: tool.cache.ttlMs }, (deadlineMs) =>
      this.ask(wanted, deadlineMs),
    );
    switch (answer.kind) {
      case 'ran':
        return answer.answer;
      case 'late':
        return this.judged(tool, failure('timeout', '', { retryable: true }) as DispatchedAnswer);
      case 'hit': {
        const { outcome, serialized } = answer.result;
        const data = JSON.parse(serialized.toString('utf8')) as JsonValue;
        return { classified: { success: true, outcome }, data, serialized, fromCache: true };
      }
    }
  }

  private async ask(wanted: Wanted, deadlineMs: number): Promise<Obtained | RefusedCall> {
    const { tool, parameters, accountId } = wanted;
    const answer = await dispatch(this.provider, tool, parameters, deadlineMs, accountId);
    return isRefusedCall(answer) ? answer : this.judged(tool, answer);
  }

  private async judged(tool: ToolContract, dispatched: DispatchedAnswer): Promise<Obtained> {
    const { answer, serialized } = boundedAnswer(dispatched);
    const verdict = await judgeAnswer(this.jsonPaths, tool, answer, serialized);
    return {
      classified: classifyAnswer(answer, tool.price, verdict),
      data: answer.kind === 'answered' ? answer.data : null,
      ...(serialized === undefined ? {} : { serialized }),
      fromCache: false,
      ...(dispatched.kind === 'failed' && dispatched.sent === false ? { sent: false } : {}),
    };
  }
}

/** Only a valid result answers others: a failure, an empty or a partial one may be better the next time. */
function storable(answer: Obtained | RefusedCall): CachedResult | undefined {
  if (!('classified' in answer)) return undefined;
  const { classified, serialized } = answer;
  if (classified.outcome.reasonCode !== 'result.valid' || serialized === undefined) return undefined;
  return { outcome: classified.outcome, serialized };
}

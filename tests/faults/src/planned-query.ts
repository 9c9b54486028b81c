import { randomUUID } from 'node:crypto';
import {
  hashPriceRule,
  internalHeaders,
  publicHeaders,
  type AccountAssertion,
  type RunPlanAnswer,
  type RunPlanRequest,
} from '@capability-router/contracts';
import { newExecutionId, systemClock } from '@capability-router/kernel';
import { InternalTokens } from '@capability-router/service-kit';
import type { StackState } from '@capability-router/tools-stack';
import type { ToolCopy } from './books.js';
import { pause } from './load.js';

const QUERY_TIMEOUT_MS = 60_000;
const RETRY_PAUSE_MS = 100;
const DEADLINE_MS = 30_000;

export interface QueryAnswer {
  readonly status: number;
  readonly replayed: boolean;
  readonly body: RunPlanAnswer;
}

/** The words of a query about its plan; one that must not be repeated has none. */
export interface PlanOptions {
  readonly deadlineMs?: number;
  /** Milliseconds after which the second attempt begins beside the first: the plan only reads. */
  readonly hedgeAfterMs?: number;
}

/** A query with a key, as capability routing hands it to execution: its tools in order, each with an id of its own. */
export class PlannedQuery {
  readonly key = randomUUID();

  constructor(
    private readonly stack: StackState,
    private readonly accountId: string,
    private readonly tools: readonly ToolCopy[],
    private readonly options: PlanOptions = {},
  ) {}

  /** The `id` that the attempt at this position names: the provider counts by it. */
  idOf(position: number): string {
    return `${position}-${this.key}`;
  }

  /** To a replica of execution by its URL. Undefined where the connection broke. */
  async send(url: string): Promise<QueryAnswer | undefined> {
    const assertion: AccountAssertion = {
      accountId: this.accountId,
      accountKind: 'formal',
      credentialType: 'api_key',
      scopes: ['call'],
    };
    const [gateway, routing] = await Promise.all([this.tokensOf('gateway'), this.tokensOf('capability-routing')]);
    const headers = {
      'content-type': 'application/json',
      [internalHeaders.serviceToken]: `Bearer ${await routing.serviceToken('execution')}`,
      [internalHeaders.accountAssertion]: await gateway.signAssertion(assertion),
      [internalHeaders.executionId]: newExecutionId(systemClock.nowMs()),
    };
    try {
      const reply = await fetch(`${url}/internal/plans`, {
        method: 'POST',
        headers,
        body: JSON.stringify(this.plan()),
        signal: AbortSignal.timeout(QUERY_TIMEOUT_MS),
      });
      return {
        status: reply.status,
        replayed: reply.headers.get(publicHeaders.idempotencyReplayed) === 'true',
        body: (await reply.json()) as RunPlanAnswer,
      };
    } catch {
      return undefined;
    }
  }

  /** Sends it again until it is answered with 200, for so many milliseconds. */
  async untilAnswered(url: string, timeoutMs: number): Promise<QueryAnswer> {
    for (const endMs = performance.now() + timeoutMs; ;) {
      const answer = await this.send(url);
      if (answer?.status === 200) return answer;
      if (performance.now() > endMs) throw new Error(`the query is not answered: ${JSON.stringify(answer)}`);
      await pause(RETRY_PAUSE_MS);
    }
  }

  private plan(): RunPlanRequest {
    const { deadlineMs = DEADLINE_MS, hedgeAfterMs } = this.options;
    const readOnly = hedgeAfterMs !== undefined;
    return {
      capability: { capabilityId: 'faults.things' },
      attempts: this.tools.map(({ toolId, version, price }, position) => ({
        toolId,
        toolVersion: version,
        priceRuleHash: hashPriceRule(price),
        parameters: { id: this.idOf(position) },
        ...(readOnly && position === 0 ? { expectedMs: hedgeAfterMs } : {}),
      })),
      fields: { size: { type: 'number', required: true } },
      deadlineMs,
      repeatable: readOnly,
      readOnly,
      request: { capability_id: 'faults.things', parameters: { key: this.key } },
      idempotencyKey: this.key,
    };
  }

  private tokensOf(service: 'gateway' | 'capability-routing'): Promise<InternalTokens> {
    const { signingKeys, jwks } = this.stack.keys;
    return InternalTokens.create({ service, signingKey: signingKeys[service], jwks, clock: systemClock });
  }
}

import type { ReleaseHoldsRequest } from '@capability-router/contracts';
import { GroupCommit } from '@capability-router/event-store';
import { postJson, type ServiceClient } from '@capability-router/service-kit';
import type { Logger } from 'pino';
import type { ExecutionEnd } from './execution-journal.js';

/** Executions of one request, and requests at the same time. */
const MAX_PER_REQUEST = 100;
const MAX_REQUESTS = 2;
/** Executions that wait to be told of; the holds of further ones go with their events. */
const MAX_WAITING = 1_000;
/** Milliseconds for one request. */
const REQUEST_TIMEOUT_MS = 2_000;
/** Milliseconds that an answer waits, so that the caller's next request finds the credits free. */
const ANSWER_BUDGET_MS = 50;

/**
 * Tells billing at once which executions ended without a charge, so that what was held for them is free before their
 * events come, which may take as long as the broker is away. It is safe against these events: they charge nothing either,
 * and a hold ends once. Whatever goes wrong here is left to the event and to billing's sweeper.
 */
export class HoldReleases {
  private readonly groups: GroupCommit<string, void>;

  constructor(
    private readonly billing: ServiceClient,
    private readonly logger: Logger,
  ) {
    this.groups = new GroupCommit<string, void>({
      maxItems: MAX_PER_REQUEST,
      maxWrites: MAX_REQUESTS,
      maxWaiting: MAX_WAITING,
      isFaultOfAnItem: () => false,
      write: (executionIds) => this.tell(executionIds),
    });
  }

  /**
   * To be called once the end is recorded. Resolves when billing has answered, or after a moment: never rejects. An end
   * that charges something is left to settlement.
   */
  async afterEnd({ data }: ExecutionEnd): Promise<void> {
    if (data.bill.listAmountMicroCredits !== '0') return;
    const told = this.groups.add(data.executionId).catch((err: unknown) => {
      this.logger.warn({ err, executionId: data.executionId }, 'a hold is released by the event of its execution only');
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ANSWER_BUDGET_MS);
    });
    await Promise.race([told, late]);
    clearTimeout(timer);
  }

  private async tell(executionIds: readonly string[]): Promise<void[]> {
    const request: ReleaseHoldsRequest = { executionIds };
    const { status } = await postJson(this.billing, '/internal/holds:release', request, {
      timeoutMs: REQUEST_TIMEOUT_MS,
      repeatable: true,
    });
    if (status !== 200) throw new Error(`billing answered ${status}`);
    return executionIds.map(() => undefined);
  }
}

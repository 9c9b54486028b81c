import type { ForestalledHold, ReleaseHoldsRequest } from '@capability-router/contracts';
import { GroupCommit } from '@capability-router/event-store';
import type { Logger } from 'pino';
import { Inject, Injectable } from '@nestjs/common';
import { postJson } from '../clients/json.js';
import type { ServiceClient } from '../clients/service-client.js';
import { BILLING, LOGGER } from '../nest/service-parts.js';
import { delay } from '../util/timing.js';

/** Executions or searches of one request, and requests of each kind at the same time. */
const MAX_PER_REQUEST = 100;
const MAX_REQUESTS = 2;
/** The releases that wait to be told; the holds of further ones go with their events. */
const MAX_WAITING = 1_000;
/** Milliseconds for one request. */
const REQUEST_TIMEOUT_MS = 2_000;
/** Milliseconds that an answer waits, so that the caller's next request finds the credits free. */
const ANSWER_BUDGET_MS = 50;

/**
 * Tells billing at once which executions or searches ended without a charge, so that what was held for them is free before
 * their events come, which may take as long as the broker is away. It is safe against these events: they charge nothing
 * either, and a hold ends once. Whatever goes wrong here is left to the event and to billing's sweeper.
 */
@Injectable()
export class HoldReleases {
  private readonly placed: GroupCommit<string, void>;
  /**
   * Lanes of their own: those of a process that died come by the hundred, when billing is slow, and nobody waits for
   * them. Callers wait for the others.
   */
  private readonly forestalled: GroupCommit<ForestalledHold, void>;

  constructor(
    @Inject(BILLING) private readonly billing: ServiceClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const limits = { maxItems: MAX_PER_REQUEST, maxWrites: MAX_REQUESTS, maxWaiting: MAX_WAITING };
    const isFaultOfAnItem = (): boolean => false;
    this.placed = new GroupCommit({ ...limits, isFaultOfAnItem, write: (ids) => this.tell(ids, { billableIds: ids }) });
    this.forestalled = new GroupCommit({
      ...limits,
      isFaultOfAnItem,
      write: (holds) => this.tell(holds, { billableIds: [], forestalled: holds }),
    });
  }

  /**
   * To be called once an end that charges nothing is recorded, and never before. Resolves when billing has answered, or
   * after a moment; never rejects.
   */
  release(billableId: string): Promise<void> {
    return this.inTime(billableId, this.placed.add(billableId));
  }

  /**
   * The same where billing did not say whether the hold was placed: it is released if it is there, and a request to place
   * it that is still on its way is refused.
   */
  forestall(hold: ForestalledHold): Promise<void> {
    return this.inTime(hold.billableId, this.forestalled.add(hold));
  }

  private async inTime(billableId: string, telling: Promise<void>): Promise<void> {
    const late = new AbortController();
    const told = telling.catch((err: unknown) => {
      this.logger.warn({ err, billableId }, 'a hold is released by the event of what it was for only');
    });
    await Promise.race([told, delay(ANSWER_BUDGET_MS, late.signal)]);
    late.abort();
  }

  private async tell(ended: readonly unknown[], request: ReleaseHoldsRequest): Promise<void[]> {
    const { status } = await postJson(this.billing, '/internal/holds:release', request, {
      timeoutMs: REQUEST_TIMEOUT_MS,
      repeatable: true,
    });
    if (status !== 200) throw new Error(`billing answered ${status}`);
    return ended.map(() => undefined);
  }
}

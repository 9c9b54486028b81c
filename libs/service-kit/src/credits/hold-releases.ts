import type { ForestalledHold, ReleaseHoldsRequest } from '@capability-router/contracts';
import { GroupCommit } from '@capability-router/event-store';
import type { Logger } from 'pino';
import { Inject, Injectable } from '@nestjs/common';
import { postJson } from '../clients/json.js';
import type { ServiceClient } from '../clients/service-client.js';
import { BILLING, LOGGER } from '../nest/service-parts.js';
import { delay } from '../util/timing.js';

/** Executions or searches of one request, and requests at the same time. */
const MAX_PER_REQUEST = 100;
const MAX_REQUESTS = 2;
/** Those that wait to be told of; the holds of further ones go with their events. */
const MAX_WAITING = 1_000;
/** Milliseconds for one request. */
const REQUEST_TIMEOUT_MS = 2_000;
/** Milliseconds that an answer waits, so that the caller's next request finds the credits free. */
const ANSWER_BUDGET_MS = 50;

/** What was certainly placed, or what may have been. */
type Ended = { readonly billableId: string } | ForestalledHold;

/**
 * Tells billing at once which executions or searches ended without a charge, so that what was held for them is free before
 * their events come, which may take as long as the broker is away. It is safe against these events: they charge nothing
 * either, and a hold ends once. Whatever goes wrong here is left to the event and to billing's sweeper.
 */
@Injectable()
export class HoldReleases {
  private readonly groups: GroupCommit<Ended, void>;

  constructor(
    @Inject(BILLING) private readonly billing: ServiceClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.groups = new GroupCommit<Ended, void>({
      maxItems: MAX_PER_REQUEST,
      maxWrites: MAX_REQUESTS,
      maxWaiting: MAX_WAITING,
      isFaultOfAnItem: () => false,
      write: (ended) => this.tell(ended),
    });
  }

  /**
   * To be called once an end that charges nothing is recorded, and never before. Resolves when billing has answered, or
   * after a moment; never rejects.
   */
  release(billableId: string): Promise<void> {
    return this.end({ billableId });
  }

  /**
   * The same where billing did not say whether the hold was placed: it is released if it is there, and a request to place
   * it that is still on its way is refused.
   */
  forestall(hold: ForestalledHold): Promise<void> {
    return this.end(hold);
  }

  private async end(ended: Ended): Promise<void> {
    const late = new AbortController();
    const told = this.groups.add(ended).catch((err: unknown) => {
      const { billableId } = ended;
      this.logger.warn({ err, billableId }, 'a hold is released by the event of what it was for only');
    });
    await Promise.race([told, delay(ANSWER_BUDGET_MS, late.signal)]);
    late.abort();
  }

  private async tell(ended: readonly Ended[]): Promise<void[]> {
    const forestalled = ended.filter((hold) => 'accountId' in hold);
    const request: ReleaseHoldsRequest = {
      billableIds: ended.filter((hold) => !('accountId' in hold)).map(({ billableId }) => billableId),
      ...(forestalled.length === 0 ? {} : { forestalled }),
    };
    const { status } = await postJson(this.billing, '/internal/holds:release', request, {
      timeoutMs: REQUEST_TIMEOUT_MS,
      repeatable: true,
    });
    if (status !== 200) throw new Error(`billing answered ${status}`);
    return ended.map(() => undefined);
  }
}

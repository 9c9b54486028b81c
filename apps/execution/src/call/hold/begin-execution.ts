import { CLOCK, CONFIG, LOGGER } from '@capability-router/service-kit';
import type { Clock, Credits } from '@capability-router/kernel';
import { HOLD_EXPIRES_AT, type SkipReason } from '@capability-router/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { ExecutionConfig } from '../../config.js';
import type { AcceptedCall } from '../admission/accepted-call.js';
import { AvailableCredits } from '../admission/available-credits.js';
import { withoutDearest, type Plan } from '../admission/domain/plan.js';
import { noTimeLeft, type Refusal } from '../admission/domain/refusals.js';
import { accountNotActive, cameTooLate, notReady, notRecorded, unavailable } from '../admission/unavailable.js';
import { undispatchedEnd } from '../journal/domain/ends.js';
import { ExecutionJournal } from '../journal/execution-journal.js';
import { KeyTaken } from '../journal/key-taken.js';
import { OwnerLease } from '../journal/owner-lease.js';
import { UncertainStarts } from '../journal/uncertain-starts.js';
import { EndRecorder } from './end-recorder.js';
import { ExecutionHolds } from './execution-holds.js';
import type { Held, HoldOutcome } from './domain/hold-outcome.js';
import { unaffordable } from './domain/unaffordable.js';

/** Billing was not asked, because the deadline of the plan is over. */
const late = { status: 'late' } as const;

/** `hold`: undefined where nothing is to be held. `plan`: what is left of the plan with that hold. */
interface Placed {
  readonly hold: HoldOutcome | typeof late | undefined;
  readonly plan: Plan;
}

/** `cause`: whether the start is on record is not known. */
type StartOutcome = { readonly started: boolean } | { readonly cause: unknown };

/** A hold, or nothing, stands for the price of what runs now. */
export interface Reserved {
  /** Absent where nothing can be charged. */
  readonly held: Held | undefined;
  /** Asks what the account can spend, beside the work; absent where a hold says it. */
  readonly available: (() => Promise<Credits | undefined>) | undefined;
}

export type Begun =
  /** The start is on record, and the hold is placed. `call`: with those attempts of its plan that the hold covers. */
  | ({ readonly kind: 'begun'; readonly call: AcceptedCall } & Reserved)
  /** The start is on record; the credits, or the time, do not suffice. */
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly because: SkipReason }
  /** The execution has another event, or its id is too old for a start. */
  | { readonly kind: 'not_started'; readonly hold: HoldOutcome | undefined }
  /** Another end was recorded while the hold was asked for: this process had been silent for longer than its lease. */
  | { readonly kind: 'ended' };

/** Puts the start of an execution and its hold on record. Both are durable before anything is dispatched. */
@Injectable()
export class BeginExecution {
  constructor(
    @Inject(ExecutionJournal) private readonly journal: ExecutionJournal,
    @Inject(OwnerLease) private readonly lease: OwnerLease,
    @Inject(UncertainStarts) private readonly uncertainStarts: UncertainStarts,
    @Inject(AvailableCredits) private readonly credits: AvailableCredits,
    @Inject(ExecutionHolds) private readonly holds: ExecutionHolds,
    @Inject(EndRecorder) private readonly ends: EndRecorder,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<ExecutionConfig, 'faults'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Throws 503 where nothing was run and the caller may repeat the call, and `KeyTaken` where another call has the key. */
  async begin(call: AcceptedCall): Promise<Begun> {
    // Without a lease the execution could be declared dead while it runs.
    if (!this.lease.isHeld()) throw notReady();
    const { start, hold, plan } = await this.startAndHold(call);
    if ('cause' in start) {
      // The start may have been written all the same: its end says what the caller is told, and releases the hold.
      this.uncertainStarts.end(undispatchedEnd(call.plan.attempts[0].facts, call.startedMs, this.clock.nowMs()));
      throw unavailable(notRecorded, start.cause);
    }
    if (!start.started && call.once !== undefined) throw await this.whyKeyedDidNotStart(call);
    const isLate = hold?.status === 'late';
    if (!start.started) return { kind: 'not_started', hold: isLate ? undefined : hold };
    if (isLate) return { kind: 'refused', refusal: noTimeLeft, because: 'no_time' };
    if (hold === undefined || hold.status === 'held') {
      this.config.faults.reached('after-hold');
      const { accountId } = call.assertion;
      const available = hold === undefined ? this.credits.begin(accountId, call.assertionToken) : undefined;
      return { kind: 'begun', call: plan === call.plan ? call : { ...call, plan }, held: hold, available };
    }
    if (hold.status === 'insufficient_credits' || hold.status === 'budget_exceeded') {
      return { kind: 'refused', refusal: unaffordable(call, plan.bound, hold), because: 'insufficient_credits' };
    }
    return this.endWithoutHold(call, hold);
  }

  /** Both at once, unless an idempotency key decides first which of several calls may hold anything. */
  private async startAndHold(call: AcceptedCall): Promise<{ readonly start: StartOutcome } & Placed> {
    const { traceparent } = call;
    const of = { claim: call.once?.claim, traceparent };
    const starting = this.journal.start(call.started, this.lease.ownerId, call.plan.deadlineMs, of).then(
      (started): StartOutcome => {
        if (started) this.config.faults.reached('after-start');
        return { started };
      },
      (cause: unknown): StartOutcome => ({ cause }),
    );
    if (call.once === undefined) {
      const [start, placed] = await Promise.all([starting, this.placeHold(call)]);
      return { start, ...placed };
    }
    const start = await starting;
    const mayHold = 'started' in start && start.started;
    return { start, ...(mayHold ? await this.placeHold(call) : { hold: undefined, plan: call.plan }) };
  }

  /**
   * A call whose id is too old, or whose account is closed, did not take its key either, and never can. Where the key is another's all the same, the
   * repetition finds that one's answer.
   */
  private async whyKeyedDidNotStart({ executionId, started }: AcceptedCall): Promise<Error> {
    try {
      if (await this.journal.isOfClosedAccount(started)) return accountNotActive();
      return (await this.journal.isTooOld(executionId)) ? unavailable(cameTooLate) : new KeyTaken();
    } catch (cause) {
      return unavailable(notRecorded, cause);
    }
  }

  /**
   * Where billing does not hold what a plan may cost, its dearest attempts are left out, for as long as a cheaper one is in it. How
   * far is not told by what billing says is available: the daily free allowance may cover a smaller hold that the balance does not.
   */
  private async placeHold(call: AcceptedCall): Promise<Placed> {
    let { plan } = call;
    for (;;) {
      const timeoutMs = this.leftMs(call);
      if (plan.bound > 0n && timeoutMs <= 0) return { hold: late, plan };
      const hold = plan.bound === 0n ? undefined : await this.askForHold(call, plan, timeoutMs);
      if (hold?.status !== 'insufficient_credits' && hold?.status !== 'budget_exceeded') return { hold, plan };
      const cheaper = withoutDearest(plan);
      if (cheaper === undefined) return { hold, plan };
      plan = cheaper;
    }
  }

  /** Milliseconds for one question. The questions of a plan share its time; a Call asks once, and has the whole of it. */
  private leftMs({ query, plan, startedMs }: AcceptedCall): number {
    return query === undefined ? plan.deadlineMs : startedMs + plan.deadlineMs - this.clock.nowMs();
  }

  private askForHold(
    { executionId, assertion, assertionToken, request }: AcceptedCall,
    plan: Plan,
    timeoutMs: number,
  ): Promise<HoldOutcome> {
    const { sessionId } = request;
    const hold = {
      executionId,
      accountId: assertion.accountId,
      amountMicroCredits: plan.bound.toString(),
      expiresAt: HOLD_EXPIRES_AT,
      ...(assertion.budgets?.session === undefined || sessionId === undefined ? {} : { sessionId }),
    };
    return this.holds.place(hold, assertionToken, timeoutMs);
  }

  /**
   * A start is on record, so an end must be. It tells readers that the caller was asked to retry; where another end won, the
   * caller is told that one.
   */
  private async endWithoutHold(
    call: AcceptedCall,
    { cause }: Extract<HoldOutcome, { status: 'unavailable' }>,
  ): Promise<Extract<Begun, { kind: 'ended' }>> {
    const end = undispatchedEnd(call.plan.attempts[0].facts, call.startedMs, this.clock.nowMs());
    const won = await this.ends.record(end, undefined, 'unknown').catch((err: unknown) => {
      this.logger.error({ err, executionId: call.executionId }, 'an undispatched call is left to the sweeper');
    });
    if (won === false) return { kind: 'ended' };
    throw unavailable('Credits cannot be reserved right now; the call was not run. Retry later.', cause);
  }
}

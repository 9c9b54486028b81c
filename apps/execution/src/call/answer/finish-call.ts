import { wasAskedToRetry } from '@capability-router/contracts';
import { CLOCK, CONFIG, LOGGER } from '@capability-router/service-kit';
import { AppError, type AccountId, type Clock, type JsonObject } from '@capability-router/kernel';
import { billResult, notCharged } from '@capability-router/tool-calls';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { ExecutionConfig } from '../../config.js';
import { resultSummary } from '../../payloads/bounded-payload.js';
import { ResultShaper } from '../../result-shaping/result-shaper.js';
import { requestPayloadOf, type AcceptedCall } from '../admission/accepted-call.js';
import type { RefusedAtOnce } from '../admission/admit-call.js';
import { factsOf } from '../admission/domain/execution-facts.js';
import type { Refusal } from '../admission/domain/refusals.js';
import { accountNotActive, cameTooLate, notRecorded, unavailable } from '../admission/unavailable.js';
import { KEEP_GRACE_MS } from '../domain/deadlines.js';
import type { Reserved } from '../hold/begin-execution.js';
import { EndRecorder } from '../hold/end-recorder.js';
import type { Held, HoldOutcome } from '../hold/domain/hold-outcome.js';
import { interruptedEnd, refusedEnd, undispatchedEnd } from '../journal/domain/ends.js';
import type { LastEvent, Payloads } from '../journal/domain/execution-end.js';
import { ExecutionJournal } from '../journal/execution-journal.js';
import { UncertainStarts } from '../journal/uncertain-starts.js';
import { noneBegan, type Ran, type RanAttempt } from '../outcome/domain/ran.js';
import type { Call } from '../request/domain/call.js';
import {
  afterBill,
  interruptedAnswer,
  refusalAnswer,
  unknownOutcomeAnswer,
  unpaidResult,
  type Answered,
} from './domain/answers-without-result.js';
import { capabilityAnswer, recordedAnswer, withAttempts } from './domain/capability-answer.js';
import { completedEnd } from './domain/completed-end.js';
import { executeAnswer, type ExecuteAnswer } from './domain/execute-answer.js';

/** Records the one end of an execution, and answers its caller with what is on record, also where another end won. */
@Injectable()
export class FinishCall {
  constructor(
    @Inject(ExecutionJournal) private readonly journal: ExecutionJournal,
    @Inject(EndRecorder) private readonly ends: EndRecorder,
    @Inject(UncertainStarts) private readonly uncertainStarts: UncertainStarts,
    @Inject(ResultShaper) private readonly shaper: ResultShaper,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<ExecutionConfig, 'faults'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** A call that was not admitted: its refusal is the only event of its execution. */
  async refusedAtOnce(
    call: Call,
    startedMs: number,
    { refusal, partial, tool }: RefusedAtOnce,
  ): Promise<ExecuteAnswer> {
    const { executionId, assertion, query, traceparent } = call;
    const of = {
      ...(tool === undefined ? {} : { tool }),
      ...(query === undefined ? {} : { capability: query.capability }),
    };
    const facts = factsOf({ executionId, assertion, partial, ...of });
    const none = noneBegan({ attempts: [] }, 'not_needed');
    const end = withAttempts(refusedEnd(facts, refusal, startedMs, this.clock.nowMs()), call, none);
    const payloads = { request: requestPayloadOf(call) };
    const recorded = await this.journal.endFirst(end, payloads, traceparent).catch((cause: unknown) => {
      throw unavailable(notRecorded, cause);
    });
    if (!recorded) throw new AppError('conflict', 'This execution id is already used.');
    return capabilityAnswer(refusalAnswer(this.answered({ executionId, startedMs }), refusal), call, none);
  }

  /** Started, but never dispatched: the end releases the hold, if there is one. */
  async refused(call: AcceptedCall, refusal: Refusal, ran: Ran, held?: Held): Promise<ExecuteAnswer> {
    const facts = (ran.last?.attempt ?? call.plan.attempts[0]).facts;
    const end = withAttempts(refusedEnd(facts, refusal, call.startedMs, this.clock.nowMs()), call, ran);
    const payloads = { request: call.requestPayload };
    const recorded = await this.ends.record(end, payloads, held).catch((cause: unknown) => {
      throw unavailable(notRecorded, cause);
    });
    return recorded ? capabilityAnswer(refusalAnswer(this.answered(call), refusal), call, ran) : this.lost(call);
  }

  /** An attempt was dispatched and answered. */
  async completed(
    call: AcceptedCall,
    ran: Ran,
    { attempt, obtained }: Extract<RanAttempt, { obtained: unknown }>,
    { held, available }: Reserved,
  ): Promise<ExecuteAnswer> {
    const { request, plan, startedMs, executionId, once } = call;
    const { tool, parameters, facts } = attempt;
    const { classified, fromCache } = obtained;
    const { data, serialized } = obtained.shown ?? obtained;
    const accountId = call.assertion.accountId as AccountId;
    const keepUntilMs = startedMs + plan.deadlineMs + KEEP_GRACE_MS;
    // A capability's result is made out of the tool's, and it is the tool's that has the price.
    const billed = { data: obtained.data, sizeBytes: obtained.serialized?.length ?? 0, fromCache };
    const priced = classified.success ? billResult(tool.price, parameters, billed) : notCharged;
    const completed = completedEnd(facts, classified, priced.bill, serialized, startedMs, this.clock.nowMs());
    const end = withAttempts(completed, call, ran);
    const response = serialized === undefined ? undefined : JSON.stringify(resultSummary(data, serialized));
    const shaping: Promise<JsonObject> =
      classified.success && serialized !== undefined
        ? this.shaper.shape({ key: { accountId, executionId }, request, tool, data, serialized, keepUntilMs })
        : Promise.resolve(unpaidResult(classified, data, serialized, request.maxResponseBytes));
    const answerWith = async (result: JsonObject): Promise<ExecuteAnswer> => {
      const remaining = held === undefined ? await available?.() : afterBill(held, plan.bound, priced.amount);
      const answer = executeAnswer(200, {
        ...this.answered(call),
        ...classified,
        result,
        bill: priced.bill,
        ...(held?.covered === true ? { covered: true } : {}),
        ...(remaining === undefined ? {} : { remainingCredits: remaining }),
      });
      return capabilityAnswer(answer, call, ran);
    };
    // The answer that a key has from now on is recorded with the end, so it must be known before.
    const first = once === undefined ? undefined : await answerWith(await shaping);
    const payloads: Payloads = {
      request: call.requestPayload,
      ...(response === undefined ? {} : { response }),
      ...(first === undefined || once === undefined ? {} : { answer: await once.keep(first.body, keepUntilMs) }),
    };
    const [won, shaped] = await Promise.all([this.ends.record(end, payloads, held).catch(() => undefined), shaping]);
    if (won === undefined) return capabilityAnswer(unknownOutcomeAnswer(this.answered(call)), call, ran);
    if (!won) return this.lost(call);
    this.config.faults.reached('after-commit');
    return first ?? answerWith(shaped);
  }

  /** Something went wrong on our side after a tool ran: the call still gets an end, by that attempt, and an answer with its id. */
  async failed(
    call: AcceptedCall,
    ran: Ran,
    { attempt }: RanAttempt,
    held: Held | undefined,
    err: unknown,
  ): Promise<ExecuteAnswer> {
    const { executionId, startedMs } = call;
    this.logger.error({ err, executionId }, 'a call failed after its tool had run');
    const end = withAttempts(interruptedEnd(attempt.facts, startedMs, this.clock.nowMs(), 500), call, ran);
    await this.ends
      .record(end, { request: call.requestPayload }, held)
      .catch((cause: unknown) =>
        this.logger.error({ err: cause, executionId }, 'a call that failed is left to the sweeper'),
      );
    return capabilityAnswer(unknownOutcomeAnswer(this.answered(call)), call, ran);
  }

  /** The start was not written. `hold`: what billing said to the hold beside it, which nothing else gives back before the sweeper. */
  async neverStarted(call: AcceptedCall, hold: HoldOutcome | undefined): Promise<ExecuteAnswer> {
    const last = await this.lastEvent(call);
    const { facts } = call.plan.attempts[0];
    if (last === undefined) {
      // The request came too long after its id was minted, or after its account was closed. An end releases the hold.
      this.uncertainStarts.end(undispatchedEnd(facts, call.startedMs, this.clock.nowMs()));
      throw (await this.isOfClosedAccount(call)) ? accountNotActive() : unavailable(cameTooLate);
    }
    // While the execution runs, or where its end costs something, the hold of its id is not this call's to give back.
    const isFree = 'bill' in last.data && last.data.bill.listAmountMicroCredits === '0';
    if (isFree && hold?.status === 'held') await this.ends.giveBack(facts, hold);
    if (isFree && hold?.status === 'unavailable') await this.ends.giveBack(facts, 'unknown');
    return this.asRecorded(call, last);
  }

  /** Another end was recorded first; whoever wrote it gives back what was held. */
  async lost(call: AcceptedCall): Promise<ExecuteAnswer> {
    const last = await this.lastEvent(call);
    if (last === undefined) throw new Error('an execution that has an end has no event');
    return this.asRecorded(call, last);
  }

  private isOfClosedAccount({ started }: AcceptedCall): Promise<boolean> {
    return this.journal.isOfClosedAccount(started).catch((cause: unknown) => {
      throw unavailable(notRecorded, cause);
    });
  }

  private lastEvent({ executionId }: AcceptedCall): Promise<LastEvent | undefined> {
    return this.journal.last(executionId).catch((cause: unknown) => {
      throw unavailable(notRecorded, cause);
    });
  }

  private asRecorded(call: AcceptedCall, last: LastEvent): ExecuteAnswer {
    if (last.type !== 'ExecutionInterrupted' || !('outcome' in last.data)) {
      throw new AppError('conflict', 'This execution id is already used.');
    }
    // The look-up of such an end says that the call never ran, and so must its answer. Where an attempt ran, it becomes a 500.
    if (wasAskedToRetry(last.data)) throw unavailable(cameTooLate);
    return recordedAnswer(interruptedAnswer(call.executionId, last.data), last.data);
  }

  private answered({ executionId, startedMs }: Pick<AcceptedCall, 'executionId' | 'startedMs'>): Answered {
    return { executionId, elapsedMs: this.clock.nowMs() - startedMs };
  }
}

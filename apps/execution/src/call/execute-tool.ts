import { AppError, uuidv7 } from '@capability-router/kernel';
import type { AccountId, Clock, Credits, JsonObject } from '@capability-router/kernel';
import type { ToolContract, ValidationDetail } from '@capability-router/contracts';
import type { Faults, HoldReleases } from '@capability-router/service-kit';
import type { RefusedCall } from '@capability-router/provider-kit';
import { billResult, notCharged, regionAllows, type ParameterValidator } from '@capability-router/tool-calls';
import type { Logger } from 'pino';
import type { SignInCheck } from './admission/sign-in-check.js';
import type { OwnerLease } from './journal/owner-lease.js';
import { resultSummary } from '../payloads/bounded-payload.js';
import { KeyTaken } from '../idempotency/idempotency-key.js';
import type { AnswerKeeper } from '../idempotency/kept-answer.js';
import type { ResultShaper } from '../result-shaping/result-shaper.js';
import type { ToolDirectory } from '../tool-copies/tool-directory.js';
import { acceptCall, payloadsOf } from './admission/accept-call.js';
import { executeAnswer, type ExecuteAnswer } from './answer/execute-answer.js';
import {
  afterBill,
  interruptedAnswer,
  refusalAnswer,
  unknownOutcomeAnswer,
  unpaidResult,
  type Answered,
} from './answer/answers-without-result.js';
import type { BillingClient, Held, HoldOutcome } from './hold/billing-client.js';
import { callBudgetExceeded, callLimitOf, unaffordable } from './admission/budget-refusals.js';
import type { AcceptedCall, Call } from './request/call.js';
import { KEEP_GRACE_MS } from './deadlines.js';
import { completedEnd, holdThatMayBe, interruptedEnd, refusedEnd, undispatchedEnd } from './journal/ends.js';
import { parseExecuteRequest, toolIdLoc, type PartialRequest } from './request/execute-request.js';
import { factsOf } from './admission/execution-facts.js';
import type { ExecutionEnd, ExecutionJournal, Payloads } from './journal/execution-journal.js';
import type { AnswerSource, Obtained } from './outcome/obtain-answer.js';
import { recordEnd } from './journal/record-end.js';
import { startAndHold } from './hold/start-and-hold.js';
import {
  invalidParameters,
  invalidRequest,
  notDispatched,
  regionRestricted,
  unavailableTool,
  unknownTool,
  type Refusal,
} from './admission/refusals.js';
import { notReady, notRecorded, unavailable } from './admission/unavailable.js';
import { UncertainStarts } from './journal/uncertain-starts.js';

export interface ExecuteToolPorts {
  readonly tools: ToolDirectory;
  readonly validator: ParameterValidator;
  readonly journal: ExecutionJournal;
  readonly billing: BillingClient;
  readonly holdReleases: HoldReleases;
  readonly answers: AnswerSource;
  readonly signIn: SignInCheck;
  readonly shaper: ResultShaper;
  readonly keeper: AnswerKeeper;
  readonly lease: OwnerLease;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly logger: Logger;
}

/**
 * One Call, from request to answer. The start and the hold are both durable before the tool runs; the end is appended
 * at expected version 1, and the answer tells what was recorded, also when another end won.
 */
export class ExecuteTool {
  private readonly uncertainStarts: UncertainStarts;

  constructor(private readonly ports: ExecuteToolPorts) {
    this.uncertainStarts = new UncertainStarts(ports.journal, ports.holdReleases, ports.clock, ports.logger);
  }

  /** Throws `KeyTaken` where another call has the key; then nothing was recorded. */
  async execute(call: Call): Promise<ExecuteAnswer> {
    const startedMs = this.ports.clock.nowMs();
    const { request, partial, details } = parseExecuteRequest(call.raw);
    if (request === undefined) return this.refuse(call, startedMs, partial, invalidRequest(details));
    const copy = this.ports.tools.find(request.toolId);
    if (copy === undefined) {
      const loc = toolIdLoc(request.toolId, call.raw.queryToolIds);
      return this.refuse(call, startedMs, request, unknownTool(request.toolId, loc));
    }
    if (copy.retired) return this.refuse(call, startedMs, request, unavailableTool(request.toolId));
    const { tool } = copy;
    if (!regionAllows(tool.region, call.assertion.region)) {
      return this.refuse(call, startedMs, request, regionRestricted(tool, call.assertion.region), tool);
    }
    const faults = this.ports.validator.check(tool, request.parameters);
    if (faults.length > 0) return this.refuse(call, startedMs, request, invalidParameters(tool, faults), tool);
    const unsigned = await this.ports.signIn(tool, call.assertion.accountId);
    if (unsigned !== undefined) return this.refuse(call, startedMs, request, unsigned, tool);
    const accepted = acceptCall(call, startedMs, request, tool);
    const limit = callLimitOf(call.assertion, request);
    if (limit !== undefined && accepted.bound > limit.amount) {
      const { accountId } = call.assertion;
      const available = await this.ports.billing.awaitAvailableCredits(accountId, call.assertionToken);
      return this.refuse(call, startedMs, request, callBudgetExceeded(accepted.bound, limit, available), tool);
    }
    return this.run(accepted);
  }

  /** Refuses a call for what is wrong outside its body. */
  refuseRequest(call: Call, details: readonly ValidationDetail[]): Promise<ExecuteAnswer> {
    const { partial } = parseExecuteRequest(call.raw);
    return this.refuse(call, this.ports.clock.nowMs(), partial, invalidRequest(details));
  }

  private async run(call: AcceptedCall): Promise<ExecuteAnswer> {
    const { lease, faults } = this.ports;
    // Without a lease the execution could be declared dead while it runs.
    if (!lease.isHeld()) throw notReady();
    const { start, hold } = await startAndHold(this.ports, call);
    if ('cause' in start) {
      // The start may have been written all the same: its end says what the caller is told, and releases the hold.
      this.uncertainStarts.end(undispatchedEnd(call.facts, call.startedMs, this.ports.clock.nowMs()));
      throw unavailable(notRecorded, start.cause);
    }
    if (!start.started && call.claim !== undefined) throw new KeyTaken();
    if (!start.started) return this.answerWithWinner(call);
    if (hold !== undefined && hold.status !== 'held') return this.withoutHold(call, hold);
    faults.reached('after-hold');
    return this.dispatchAndFinish(call, hold);
  }

  private async withoutHold(
    call: AcceptedCall,
    hold: Exclude<HoldOutcome, { status: 'held' }>,
  ): Promise<ExecuteAnswer> {
    if (hold.status === 'insufficient_credits' || hold.status === 'budget_exceeded') {
      return this.refuseStarted(call, unaffordable(call.bound, hold));
    }
    // A start is on record, so an end must be. It tells readers that the caller was asked to retry.
    const end = undispatchedEnd(call.facts, call.startedMs, this.ports.clock.nowMs());
    await this.record(end, undefined, 'unknown').catch((err: unknown) =>
      this.ports.logger.error({ err, executionId: call.executionId }, 'an undispatched call is left to the sweeper'),
    );
    throw unavailable('Credits cannot be reserved right now; the call was not run. Retry later.', hold.cause);
  }

  /** Started, but never dispatched: the end releases the hold, if there is one. */
  private async refuseStarted(call: AcceptedCall, refusal: Refusal, held?: Held): Promise<ExecuteAnswer> {
    const end = refusedEnd(call.facts, refusal, call.startedMs, this.ports.clock.nowMs());
    const recorded = await this.record(end, call.payloads, held).catch((cause: unknown) => {
      throw unavailable(notRecorded, cause);
    });
    return recorded ? refusalAnswer(this.answered(call), refusal) : this.answerWithWinner(call);
  }

  private async dispatchAndFinish(call: AcceptedCall, held: Held | undefined): Promise<ExecuteAnswer> {
    const { clock, answers, billing, faults } = this.ports;
    const { tool, request, assertion } = call;
    const { accountId } = assertion;
    const deadlineMs = Math.max(1, call.startedMs + call.deadlineMs - clock.nowMs());
    const { parameters, cacheMode } = request;
    const freeAvailable =
      held === undefined ? billing.beginAvailableCredits(accountId, call.assertionToken) : undefined;
    let obtained: Obtained | RefusedCall;
    try {
      obtained = await answers.obtain({ tool, parameters, accountId, cacheMode, deadlineMs });
    } catch (err) {
      return this.finishFailed(call, held, err);
    }
    faults.reached('after-provider-call');
    if (!('classified' in obtained)) {
      return this.refuseStarted(call, notDispatched(obtained, request.parameters), held);
    }
    try {
      return await this.finish(call, obtained, held, freeAvailable);
    } catch (err) {
      return this.finishFailed(call, held, err);
    }
  }

  private async finish(
    call: AcceptedCall,
    { classified, data, serialized, fromCache }: Obtained,
    held: Held | undefined,
    freeAvailable: (() => Promise<Credits | undefined>) | undefined,
  ): Promise<ExecuteAnswer> {
    const { clock, faults, keeper, shaper } = this.ports;
    const { request, tool, executionId } = call;
    const accountId = call.assertion.accountId as AccountId;
    const keepUntilMs = call.startedMs + call.deadlineMs + KEEP_GRACE_MS;
    const billed = { data, sizeBytes: serialized?.length ?? 0, fromCache };
    const priced = classified.success ? billResult(tool.price, request.parameters, billed) : notCharged;
    const end = completedEnd(call.facts, classified, priced.bill, serialized, call.startedMs, clock.nowMs());
    const response = serialized === undefined ? undefined : JSON.stringify(resultSummary(data, serialized));
    const shaping: Promise<JsonObject> =
      classified.success && serialized !== undefined
        ? shaper.shape({ key: { accountId, executionId }, request, tool, data, serialized, keepUntilMs })
        : Promise.resolve(unpaidResult(classified, data, serialized, request.maxResponseBytes));
    const answerWith = async (result: JsonObject): Promise<ExecuteAnswer> => {
      const remaining = held === undefined ? await freeAvailable?.() : afterBill(held, call.bound, priced.amount);
      return executeAnswer(200, {
        ...this.answered(call),
        ...classified,
        result,
        bill: priced.bill,
        ...(held?.covered === true ? { covered: true } : {}),
        ...(remaining === undefined ? {} : { remainingCredits: remaining }),
      });
    };
    // What a key is answered with from now on is recorded with the end, so it must be known before.
    const first = call.claim === undefined ? undefined : await answerWith(await shaping);
    const payloads: Payloads = {
      ...call.payloads,
      ...(response === undefined ? {} : { response }),
      ...(first === undefined ? {} : { answer: await keeper.keep(accountId, first.body, keepUntilMs) }),
    };
    const [won, shaped] = await Promise.all([this.record(end, payloads, held).catch(() => undefined), shaping]);
    if (won === undefined) return unknownOutcomeAnswer(this.answered(call));
    if (!won) return this.answerWithWinner(call);
    faults.reached('after-commit');
    return first ?? answerWith(shaped);
  }

  /** Something went wrong on our side after the tool ran: the call still gets an end, and an answer with its id. */
  private async finishFailed(call: AcceptedCall, held: Held | undefined, err: unknown): Promise<ExecuteAnswer> {
    const { clock, logger } = this.ports;
    const { executionId } = call;
    logger.error({ err, executionId }, 'a call failed after its tool had run');
    const end = interruptedEnd(call.facts, call.startedMs, clock.nowMs(), 500);
    await this.record(end, call.payloads, held).catch((cause: unknown) =>
      logger.error({ err: cause, executionId }, 'a call that failed is left to the sweeper'),
    );
    return unknownOutcomeAnswer(this.answered(call));
  }

  private async refuse(
    call: Call,
    startedMs: number,
    partial: PartialRequest,
    refusal: Refusal,
    tool?: ToolContract,
  ): Promise<ExecuteAnswer> {
    const { executionId, assertion } = call;
    const facts = factsOf({ executionId, assertion, partial, ...(tool === undefined ? {} : { tool }) });
    const end = refusedEnd(facts, refusal, startedMs, this.ports.clock.nowMs());
    const recorded = await this.ports.journal.endFirst(end, payloadsOf(call)).catch((cause: unknown) => {
      throw unavailable(notRecorded, cause);
    });
    if (!recorded) throw new AppError('conflict', 'This execution id is already used.');
    return refusalAnswer(this.answered({ executionId, startedMs }), refusal);
  }

  /** `held`: what is given back as soon as an end that charges nothing is durable. False if another end won. */
  private async record(end: ExecutionEnd, payloads: Payloads | undefined, held?: Held | 'unknown'): Promise<boolean> {
    const { journal, clock, logger, holdReleases } = this.ports;
    const won = await recordEnd(journal, end, uuidv7(clock.nowMs()), payloads, logger);
    // An end that charges something is left to settlement.
    const isFree = end.data.bill.listAmountMicroCredits === '0';
    if (!won || !isFree || held === undefined) return won;
    const mayBe = held === 'unknown' ? holdThatMayBe(end.data) : undefined;
    await (mayBe === undefined ? holdReleases.release(end.data.executionId) : holdReleases.forestall(mayBe));
    return won;
  }

  private answered(call: Pick<AcceptedCall, 'executionId' | 'startedMs'>): Answered {
    return { executionId: call.executionId, elapsedMs: this.ports.clock.nowMs() - call.startedMs };
  }

  /** Another end was recorded first, or none and no start will be. */
  private async answerWithWinner(call: AcceptedCall): Promise<ExecuteAnswer> {
    const last = await this.ports.journal.last(call.executionId).catch((cause: unknown) => {
      throw unavailable(notRecorded, cause);
    });
    if (last === undefined) {
      // The request came too long after its id was minted. An end releases the hold that was placed beside the start.
      this.uncertainStarts.end(undispatchedEnd(call.facts, call.startedMs, this.ports.clock.nowMs()));
      throw unavailable('The call reached its tool too late and was not run. Retry later.');
    }
    if (last.type !== 'ExecutionInterrupted' || !('outcome' in last.data)) {
      throw new AppError('conflict', 'This execution id is already used.');
    }
    return interruptedAnswer(call.executionId, last.data);
  }
}

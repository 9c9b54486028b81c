import {
  internalHeaders,
  MAX_REFUSAL_MESSAGE_LENGTH,
  publicHeaders,
  type RefusePlanAnswer,
  type RefusePlanRequest,
  type RunPlanRequest,
} from '@capability-router/contracts';
import { AppError, isJsonObject, type JsonObject } from '@capability-router/kernel';
import {
  jsonBody,
  LOGGER,
  postJson,
  UpstreamTimeout,
  UpstreamUnavailable,
  type ServiceClient,
  type ServiceResponse,
  type ServiceRuntime,
} from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { EXECUTION } from '../tokens.js';
import type { QueryAnswer } from './query-answer.js';

/** Milliseconds beyond the deadline of a plan: execution places the hold before and records the end after it, and gives up by itself. */
const PLAN_MARGIN_MS = 10_000;
/** Nothing was begun: execution has no room, or the idempotency key is another request's at the moment. */
const comeAgain: readonly number[] = [409, 503];
/** Milliseconds for the record of a refusal. */
const REFUSAL_TIMEOUT_MS = 5_000;

/** Who asks, and under which ids. */
export interface Asking {
  readonly executionId: string;
  readonly requestId: string;
  /** The account assertion as it came. */
  readonly assertion: string;
}

/** Plans at execution. */
@Injectable()
export class PlansClient {
  constructor(
    @Inject(EXECUTION) private readonly execution: ServiceClient,
    @Inject(LOGGER) private readonly logger: ServiceRuntime['logger'],
  ) {}

  /** The caller's answer, whatever its status. A plan is never sent twice. Throws 503 where it is certain that it was not run. */
  async run(asking: Asking, plan: RunPlanRequest): Promise<QueryAnswer> {
    const timeoutMs = plan.deadlineMs + PLAN_MARGIN_MS;
    let response: ServiceResponse;
    try {
      response = await postJson(this.execution, '/internal/plans', plan, { ...requestOf(asking), timeoutMs });
    } catch (error) {
      if (!(error instanceof UpstreamUnavailable || error instanceof UpstreamTimeout)) throw error;
      if (!error.requestWritten) throw new AppError('not_dispatched', undefined, { cause: error });
      this.logger.error({ err: error, executionId: asking.executionId }, 'a plan was not answered');
      return lostAnswer(asking.executionId);
    }
    if (isOfClosedAccount(response)) throw new AppError('account_not_active');
    if (isNotBegun(response)) throw new AppError('not_dispatched');
    if (response.status < 400) return { httpStatus: response.status, headers: passedOn(response), body: response.body };
    return this.failed(asking, response);
  }

  /**
   * Leaves the audit row of a query that goes no further. Resolves to the answer that stands in place of the refusal, where the caller's
   * idempotency key has one. Throws 503 where the row cannot be recorded: then the query may be asked again.
   */
  async refuse(asking: Asking, refusal: RefusePlanRequest): Promise<QueryAnswer | undefined> {
    const options = { ...requestOf(asking), timeoutMs: REFUSAL_TIMEOUT_MS, repeatable: true };
    // Names of a contract may be as long as its author likes.
    const message = [...refusal.message].slice(0, MAX_REFUSAL_MESSAGE_LENGTH).join('');
    const recorded: RefusePlanRequest = { ...refusal, message };
    const response = await postJson(this.execution, '/internal/plans:refuse', recorded, options).catch(
      (error: unknown) => {
        throw new AppError('not_dispatched', undefined, { cause: error });
      },
    );
    // 409: the row is there, from a request whose answer was lost.
    if (response.status === 409) return undefined;
    if (response.status === 200) return boundAnswer(jsonBody<RefusePlanAnswer>(response));
    this.logger.error({ executionId: asking.executionId, status: response.status }, 'a refusal was not recorded');
    throw new AppError('not_dispatched');
  }

  private failed({ executionId }: Asking, response: ServiceResponse): QueryAnswer {
    const { status: httpStatus } = response;
    const body = bodyOf(response);
    // An answer to a plan names its execution, but for those that ask to come again; any other is about the request that this service made.
    if (body !== undefined && (typeof body['execution_id'] === 'string' || comeAgain.includes(httpStatus))) {
      return { httpStatus, headers: passedOn(response), body: { status: 'failure', ...body } };
    }
    this.logger.error({ executionId, status: httpStatus, answer: body?.['message'] }, 'execution refused a plan');
    const message = 'The query failed, and nothing was run. Supply the execution_id for support.';
    return { httpStatus: 500, body: { status: 'failure', message, execution_id: executionId } };
  }
}

function boundAnswer({ bound }: RefusePlanAnswer): QueryAnswer | undefined {
  if (bound === undefined || bound.httpStatus < 400) return bound;
  return { ...bound, body: { status: 'failure', ...bound.body } };
}

const requestOf = ({ executionId, requestId, assertion }: Asking) => ({
  headers: {
    'content-type': 'application/json',
    [internalHeaders.executionId]: executionId,
    [internalHeaders.requestId]: requestId,
  },
  assertion,
});

const isNotBegun = ({ status, headers }: ServiceResponse): boolean =>
  status === 401 || status === 403 || (status === 503 && headers[internalHeaders.availability] === 'not_ready');

const isOfClosedAccount = (response: ServiceResponse): boolean =>
  response.status === 404 && bodyOf(response)?.['code'] === 'account_not_active';

function passedOn({ headers }: ServiceResponse): Record<string, string> {
  const names = [
    publicHeaders.idempotencyReplayed,
    'retry-after',
    internalHeaders.reasonCode,
    internalHeaders.billedCredits,
  ];
  return Object.fromEntries(
    names.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])),
  );
}

function bodyOf({ body }: ServiceResponse): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The plan may have run: how it ended is found by its id. */
function lostAnswer(executionId: string): QueryAnswer {
  const message = 'outcome unknown: read usage history by execution_id';
  return {
    httpStatus: 500,
    body: { status: 'failure', message, execution_id: executionId, success: false, error_message: message, result: {} },
  };
}

/** One call as its client saw it. */
export interface SeenCall {
  /** Absent where the connection broke. */
  readonly status?: number;
  readonly success?: boolean;
  readonly executionId?: string;
  /** Why it was not run, for people. */
  readonly message?: string;
  /** Why it was not run, for programs. */
  readonly code?: string;
  /** The header: seconds, where there is one. */
  readonly retryAfter?: string;
  /** Milliseconds from the request to the end of its answer. */
  readonly tookMs: number;
}

/** The errors and waits that a fault may cost the clients. */
export interface Promised {
  /** Calls that were not run, and say so: 503 with `not_dispatched` and `Retry-After`. */
  readonly notRun: boolean;
  /** Calls whose outcome the answer does not tell: 5xx with an id to look it up by, or no answer at all; at most so many. */
  readonly unknownAtMost: number;
  /** Some of these are 500 with an id: the tool has run, and there was no database to record how it ended. */
  readonly unrecorded?: true;
  /** Milliseconds that the longest call may take. */
  readonly longestMs: number;
  /** Statuses below 500 that calls without success may have; none where absent. */
  readonly refusals?: readonly number[];
}

/** How the calls of one fault ended. */
export interface SeenByClients {
  readonly calls: number;
  readonly succeeded: number;
  /** By status; `broken` where the connection broke. */
  readonly failed: Readonly<Record<string, number>>;
  readonly notRun: number;
  /** The texts of the answers to the calls that were not run. */
  readonly reasons: readonly string[];
  /** The parts that a 503 lacks and a client needs to repeat the call; empty where none lacks anything. */
  readonly incomplete: readonly string[];
  readonly unknown: number;
  /** 500 that name an execution. */
  readonly unrecorded: number;
  /** 502 and 504 that name no execution to look up. */
  readonly unnamed: number;
  /** Answered without success by a status below 500, so that the caller knows the outcome. */
  readonly refused: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly longestMs: number;
}

/** In the place of a status. */
const BROKEN = 'broken';
const NOT_RUN = 503;
const FIRST_SERVER_ERROR = 500;
/** A call that was written to a replica which then failed, or said nothing. */
const LOST: ReadonlySet<number | undefined> = new Set([502, 504]);

type Answer = Pick<SeenCall, 'status' | 'executionId'>;

/** The call was run, and how it ended could not be recorded. */
const isUnrecorded = ({ status, executionId }: Answer): boolean =>
  status === FIRST_SERVER_ERROR && executionId !== undefined;

/** Its answer does not tell what became of it. Any other 5xx but 503 is a fault of ours, which nothing excuses. */
export const isUnknown = (call: Answer): boolean =>
  call.status === undefined || LOST.has(call.status) || isUnrecorded(call);

export function seenByClients(calls: readonly SeenCall[]): SeenByClients {
  const failed: Record<string, number> = {};
  for (const { status = BROKEN, success } of calls) {
    if (success !== true) failed[status] = (failed[status] ?? 0) + 1;
  }
  const times = calls.map(({ tookMs }) => tookMs).sort((one, other) => one - other);
  const at = (part: number): number =>
    Math.round(times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0);
  return {
    calls: calls.length,
    succeeded: calls.filter(({ success }) => success === true).length,
    failed,
    notRun: calls.filter(({ status }) => status === NOT_RUN).length,
    reasons: [...new Set(calls.flatMap(({ status, message = '' }) => (status === NOT_RUN ? [message] : [])))],
    incomplete: [...new Set(calls.filter(({ status }) => status === NOT_RUN).flatMap(lacksOf))],
    unknown: calls.filter(isUnknown).length,
    unrecorded: calls.filter(isUnrecorded).length,
    unnamed: calls.filter(({ status, executionId }) => LOST.has(status) && executionId === undefined).length,
    refused: calls.filter(({ status = NOT_RUN, success }) => success !== true && status < FIRST_SERVER_ERROR).length,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    longestMs: at(1),
  };
}

/** The parts that a 503 lacks. */
function lacksOf({ code, retryAfter, message = '' }: SeenCall): string[] {
  const lacks: string[] = [];
  if (code !== 'not_dispatched') lacks.push(`a 503 has the code ${code ?? '(none)'}: ${message}`);
  if (!/^\d+$/.test(retryAfter ?? '')) lacks.push(`a 503 has no Retry-After: ${message}`);
  return lacks;
}

/** The broken promises; empty where all were kept. */
export function brokenPromises(seen: SeenByClients, promised: Promised): string[] {
  const broken: string[] = [];
  if (seen.succeeded === 0) broken.push('no call succeeded');
  if (!promised.notRun && seen.notRun > 0) {
    broken.push(`${seen.notRun} calls were not run: ${seen.reasons.join('; ')}`);
  }
  broken.push(...seen.incomplete);
  if (seen.unnamed > 0) broken.push(`${seen.unnamed} calls of unknown outcome have no id to look it up by`);
  if (seen.unknown > promised.unknownAtMost) {
    broken.push(`the outcome of ${seen.unknown} calls is unknown, of ${promised.unknownAtMost} it may be`);
  }
  for (const [status, failed] of Object.entries(seen.failed)) {
    const excused = promised.unrecorded === true && Number(status) === FIRST_SERVER_ERROR ? seen.unrecorded : 0;
    const count = failed - excused;
    if (count > 0 && !mayFailWith(status, promised))
      broken.push(`${count} calls were answered ${status} without success`);
  }
  if (seen.longestMs > promised.longestMs) {
    broken.push(`a call took ${seen.longestMs} ms, the longest may take ${promised.longestMs} ms`);
  }
  return broken;
}

/** `status` as `failed` has it. 503 and what is unknown have promises of their own. */
function mayFailWith(status: string, { refusals = [] }: Promised): boolean {
  const number = Number(status);
  return status === BROKEN || number === NOT_RUN || LOST.has(number) || refusals.includes(number);
}

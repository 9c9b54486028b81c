/** What a client saw of one call. */
export interface SeenCall {
  /** Absent where the connection broke. */
  readonly status?: number;
  readonly success?: boolean;
  readonly executionId?: string;
  /** Why it was not run, for people. */
  readonly message?: string;
  /** Milliseconds from the request to the end of its answer. */
  readonly tookMs: number;
}

/** What a fault may cost the clients. */
export interface Promised {
  /** Calls that were not run, and say so: 503. */
  readonly notRun: boolean;
  /** Calls whose outcome the answer does not tell: 500, 502, 504, or no answer at all; at most so many. */
  readonly unknownAtMost: number;
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
  /** What the answers to the calls that were not run say. */
  readonly reasons: readonly string[];
  readonly unknown: number;
  /** Answered without success by a status below 500, so that the caller knows the outcome. */
  readonly refused: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly longestMs: number;
}

const NOT_RUN = 503;
const FIRST_SERVER_ERROR = 500;

/** Its answer does not tell whether the call was run. */
export const isUnknown = ({ status }: SeenCall): boolean =>
  status === undefined || (status >= FIRST_SERVER_ERROR && status !== NOT_RUN);

export function seenByClients(calls: readonly SeenCall[]): SeenByClients {
  const failed: Record<string, number> = {};
  for (const { status = 'broken', success } of calls) {
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
    unknown: calls.filter(isUnknown).length,
    refused: calls.filter(({ status = NOT_RUN, success }) => success !== true && status < FIRST_SERVER_ERROR).length,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    longestMs: at(1),
  };
}

/** What was promised and not kept; empty where all was. */
export function brokenPromises(seen: SeenByClients, promised: Promised): string[] {
  const broken: string[] = [];
  if (seen.succeeded === 0) broken.push('no call succeeded');
  if (!promised.notRun && seen.notRun > 0) {
    broken.push(`${seen.notRun} calls were not run: ${seen.reasons.join('; ')}`);
  }
  if (seen.unknown > promised.unknownAtMost) {
    broken.push(`the outcome of ${seen.unknown} calls is unknown, of ${promised.unknownAtMost} it may be`);
  }
  for (const [status, count] of Object.entries(seen.failed)) {
    const isRefusal = Number(status) < FIRST_SERVER_ERROR;
    if (isRefusal && promised.refusals?.includes(Number(status)) !== true) {
      broken.push(`${count} calls were answered ${status} without success`);
    }
  }
  if (seen.longestMs > promised.longestMs) {
    broken.push(`a call took ${seen.longestMs} ms, the longest may take ${promised.longestMs} ms`);
  }
  return broken;
}

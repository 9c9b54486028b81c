import { mapValues, type ToolContract } from '@capability-router/contracts';
import { isJsonObject, toIso, type JsonObject, type JsonValue } from '@capability-router/kernel';
import {
  failed,
  isRestricted,
  listed,
  missing,
  passed,
  restricted,
  type Finding,
  type ObservedCall,
} from './finding.js';

const told = ({ executionId, reasonCode, success, providerStatusCode }: ObservedCall): JsonObject => ({
  execution_id: executionId,
  success,
  reason_code: reasonCode,
  ...(providerStatusCode === undefined ? {} : { provider_status_code: providerStatusCode }),
});

/** Passes where an example is answered with a valid result. */
export function checkLive(calls: readonly ObservedCall[], whyNone = 'No example could be run.'): Finding {
  const name = 'live_check';
  const evidence = { calls: calls.map(told) };
  if (calls.some(({ success }) => success)) return passed(name, evidence);
  const [call] = calls;
  if (call === undefined) return missing(name, whyNone);
  if (isRestricted(call)) return restricted(name, call, evidence);
  const why = [call.reasonCode, call.message ?? ''].filter((part) => part !== '').join(': ');
  return failed(name, `No example is answered with a valid result: ${why || 'there was no answer'}.`, evidence);
}

/** Examples that were not answered while another was: no fault, and worth a look. */
export const unansweredExamples = (calls: readonly ObservedCall[]): string[] =>
  calls.some(({ success }) => success)
    ? listed(
        calls
          .filter(({ success }) => !success)
          .map(({ example, reasonCode }) => `Example ${example + 1} is not answered with a result (${reasonCode}).`),
      )
    : [];

/** The provider refused for want of a credential, or refused the request as such. */
const isRefusal = ({ success, reasonCode, providerStatusCode = 0 }: ObservedCall): boolean =>
  !success &&
  (reasonCode === 'provider.auth_or_permission' ||
    (reasonCode === 'provider.http_error' && providerStatusCode >= 400 && providerStatusCode < 500));

/** Passes where a call with the stored credential is let in and the same call without it is refused. */
export function checkAuthentication(calls: readonly ObservedCall[], without: ObservedCall | undefined): Finding {
  const name = 'authentication';
  const withIt = calls.find(({ success }) => success) ?? calls[0];
  if (withIt === undefined) return missing(name, 'No example could be run.');
  const evidence: JsonObject = {
    with_credential: told(withIt),
    ...(without === undefined ? {} : { without_credential: told(without) }),
  };
  if (isRestricted(withIt)) return restricted(name, withIt, evidence);
  if (withIt.reasonCode === 'provider.auth_or_permission') {
    return failed(name, 'The provider does not accept the stored credential.', evidence);
  }
  if (!withIt.success) return missing(name, 'No example was answered, so that nothing can be said of the credential.');
  if (without === undefined) return missing(name, 'The call without the credential could not be made.');
  if (isRefusal(without)) return passed(name, evidence);
  const reason = without.success
    ? 'The provider answers without the credential that the tool declares.'
    : `A call without the credential ended with ${without.reasonCode}, which refuses nobody.`;
  return failed(name, reason, evidence);
}

export interface CheckedFreshness {
  readonly finding: Finding;
  /** ISO 8601; the oldest of the results. */
  readonly dataAsOf?: string;
}

/** Milliseconds by which a provider's clock may be ahead. */
const CLOCK_TOLERANCE_MS = 300_000;
/** A number below it counts seconds since 1970, and not milliseconds: the year 5138 in the one, 1973 in the other. */
const SECONDS_BELOW = 100_000_000_000;

/** Passes where each result tells the time of its data, and that is no older than declared and not in the future. */
export function checkFreshness(
  freshness: NonNullable<ToolContract['freshness']>,
  calls: readonly ObservedCall[],
  nowMs: number,
): CheckedFreshness {
  const name = 'freshness';
  const { path, maxAgeMs } = freshness;
  const results = calls.flatMap(({ data }) => (data === undefined ? [] : [data]));
  if (results.length === 0) return { finding: missing(name, 'No example was answered with a result to look at.') };
  const times = results.map((data) => timeOf(valueAt(path, data)));
  const known = times.filter((time) => time !== undefined);
  if (known.length < times.length) {
    return { finding: failed(name, `A result has no time at ${path}.`, { path, results: results.length }) };
  }
  const oldestMs = Math.min(...known);
  const dataAsOf = toIso(oldestMs);
  const evidence = {
    path,
    data_as_of: dataAsOf,
    age_seconds: Math.round((nowMs - oldestMs) / 1_000),
    max_age_seconds: maxAgeMs / 1_000,
  };
  if (nowMs - oldestMs > maxAgeMs) {
    return {
      finding: failed(name, `The data is of ${dataAsOf}, which is older than the tool declares.`, evidence),
      dataAsOf,
    };
  }
  if (Math.max(...known) > nowMs + CLOCK_TOLERANCE_MS) {
    return { finding: failed(name, `A result has a time in the future at ${path}.`, evidence), dataAsOf };
  }
  return { finding: passed(name, evidence), dataAsOf };
}

function valueAt(path: string, data: JsonValue): JsonValue | undefined {
  const found = mapValues({ time: { from: path } }, data);
  return isJsonObject(found) ? found['time'] : undefined;
}

/** Milliseconds since 1970; undefined for what is no time. */
function timeOf(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'string') {
    const parsed = /^\d{4}-\d{2}-\d{2}/.test(value) ? Date.parse(value) : Number.NaN;
    return Number.isNaN(parsed) ? undefined : parsed;
  }
  if (typeof value !== 'number' || value <= 0) return undefined;
  const ms = value < SECONDS_BELOW ? value * 1_000 : value;
  return ms < 8.64e15 ? ms : undefined;
}

import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';

/** Bytes of an error as models read it, without what is not counted. */
export const MAX_ERROR_BYTES = 1_024;
/**
 * Members of Call's form and of a query's, which older clients read and which stay as they were: what was decided of a query, copies of the
 * message, and durations, whose digits must not decide what an error says.
 */
export const uncountedMembers: ReadonlySet<string> = new Set([
  'routing',
  'execution_outcome',
  'error_message',
  'execution_time',
  'elapsed_time_ms',
]);
/** Characters of such a copy. */
const MAX_COPY_LENGTH = 2_000;

/** Lists of single faults, by the names that they have in the shapes of the interface. */
const faultLists = ['detail', 'details'] as const;
/** Characters of a fault's words that stand in the message as well. */
const SHORT_COPY = 80;
/** Characters that texts are cut to, one after the other, until an error fits; ids and hashes are no longer than the last. */
const cuts = [240, 120, 64] as const;
const SHORTEST_CUT = 25;
/** An error that is still too long is told by these alone. */
const core: ReadonlySet<string> = new Set([
  'status',
  'status_code',
  'message',
  'error',
  'code',
  'retryable',
  'retry_after_seconds',
  'next_step',
  'trace_id',
  'execution_id',
  'search_id',
  'query',
  'total',
  'results',
  'success',
  'execution_time',
  'remaining_credits',
]);

/**
 * An error as JSON, of which at most `MAX_ERROR_BYTES` are counted. What is too long loses first what it says twice, then single faults
 * from the end, whose number stands in `details_omitted`, then ends of texts.
 */
export function withinBound(error: JsonObject): string {
  const counted = Object.fromEntries(Object.entries(error).filter(([name]) => !uncountedMembers.has(name)));
  let told: JsonObject = counted;
  for (const shorten of steps) {
    if (fits(JSON.stringify(told))) break;
    told = shorten(told);
  }
  return JSON.stringify(told === counted ? withBoundedCopies(error) : { ...inOrderOf(error, told), ...told });
}

/** Members that are left of the error and those that are not counted, where they stood. */
function inOrderOf(error: JsonObject, told: JsonObject): JsonObject {
  const kept = Object.entries(withBoundedCopies(error)).filter(([name]) => uncountedMembers.has(name) || name in told);
  return Object.fromEntries(kept);
}

/** Copies are as long as their message was made; this bounds what nobody foresaw. */
function withBoundedCopies(error: JsonObject): JsonObject {
  const bounded = ([name, value]: [string, JsonValue]): [string, JsonValue] =>
    name === 'error_message' || name === 'execution_outcome' ? [name, cutIn(value, MAX_COPY_LENGTH)] : [name, value];
  return Object.fromEntries(Object.entries(error).map(bounded));
}

const fits = (text: string): boolean => Buffer.byteLength(text) <= MAX_ERROR_BYTES;

/**
 * Without the parameters of the request, and without what a fault tells by its `input` or its `loc` already. The first keeps its `field`:
 * it is what the message is about, and programs read no `loc`.
 */
function withoutEchoes({ parameters: _, ...error }: JsonObject): JsonObject {
  return withFaults(error, (fault, index) => {
    const { received, ...told } = fault;
    const { field: __, ...unnamed } = told;
    const rest = index === 0 ? told : unnamed;
    return received === undefined || received === fault['input'] ? rest : { ...rest, received };
  });
}

/** The message has the words of the first faults. */
function withFaultsThatSayLess(error: JsonObject): JsonObject {
  const { message } = error;
  return withFaults(error, (fault) => {
    const { msg } = fault;
    const isCopy = typeof message === 'string' && typeof msg === 'string' && message.includes(msg);
    return isCopy ? { ...fault, msg: cut(msg, SHORT_COPY) } : fault;
  });
}

/** Version and hash of a contract come together or not at all. */
const withoutContract = ({ contract_version: _, schema_hash: __, ...error }: JsonObject): JsonObject => error;

/** One fault stays: it is what the message is about. */
function withFewerFaults(error: JsonObject): JsonObject {
  const name = faultLists.find((list) => Array.isArray(error[list]));
  if (name === undefined) return error;
  const faults = error[name] as JsonValue[];
  const withFirst = (kept: number): JsonObject => ({
    ...error,
    [name]: faults.slice(0, kept),
    details_omitted: faults.length - kept,
  });
  let [fewest, most] = [1, faults.length];
  while (most - fewest > 1) {
    const half = Math.floor((fewest + most) / 2);
    if (fits(JSON.stringify(withFirst(half)))) fewest = half;
    else most = half;
  }
  return faults.length > 1 ? withFirst(fewest) : error;
}

const withCutTexts =
  (length: number) =>
  (error: JsonObject): JsonObject =>
    cutIn(error, length) as JsonObject;

function cutIn(value: JsonValue, length: number): JsonValue {
  if (typeof value === 'string') return cut(value, length);
  if (Array.isArray(value)) return value.map((item) => cutIn(item, length));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cutIn(inner, length)]));
}

const coreOf = (error: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(error).filter(([name, value]) => core.has(name) && isShort(value)));

const isShort = (value: JsonValue): boolean => typeof value === 'string' || JSON.stringify(value).length <= SHORT_COPY;

/** The same error with each of its single faults as `of` has it. */
export function withFaults(error: JsonObject, of: (fault: JsonObject, index: number) => JsonObject): JsonObject {
  const changed = faultLists.flatMap((name) => {
    const faults = error[name];
    return Array.isArray(faults)
      ? [[name, faults.map((fault, index) => (isJsonObject(fault) ? of(fault, index) : fault))]]
      : [];
  });
  return { ...error, ...(Object.fromEntries(changed) as JsonObject) };
}

const steps = [
  withoutEchoes,
  withFaultsThatSayLess,
  withFewerFaults,
  withoutContract,
  ...cuts.map(withCutTexts),
  coreOf,
  withCutTexts(SHORTEST_CUT),
];

/** Not in the middle of a character. */
const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;

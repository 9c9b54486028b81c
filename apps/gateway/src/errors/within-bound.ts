import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';

/** Bytes of an error, which models read whole. What was decided of a query (`routing`) stands beside it and is not counted. */
export const MAX_ERROR_BYTES = 1_024;

/** Lists of single faults, by the names that they have in the shapes of the interface. */
const faultLists = ['detail', 'details'] as const;
const SHORT_COPY = 40;
/** Bounds a copy that some clients show in place of the message. */
const SHORT_ERROR_MESSAGE = 80;
/** Members that say what `message` says, for clients that show another one, and the characters that they are cut to in turn. */
const copies = [
  ['user_message', SHORT_COPY],
  ['error_message', 160],
] as const;
/** Characters that texts are cut to, one after the other, until an error fits; ids and hashes are no longer than the last. */
const cuts = [240, 120, 64] as const;
const SHORTEST_CUT = 25;
/** An error that is still too long is told by these alone. */
const core: ReadonlySet<string> = new Set([
  'status',
  'status_code',
  'message',
  'error',
  'error_message',
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
 * An error as JSON of at most `MAX_ERROR_BYTES`. What is too long loses first what it says twice, then single faults from
 * the end, whose number stands in `details_omitted`, then ends of texts.
 */
export function withinBound(error: JsonObject): string {
  const { routing, ...counted } = error;
  const whole = JSON.stringify(counted);
  if (fits(whole)) return routing === undefined ? whole : JSON.stringify(error);
  let told = counted;
  for (const shorten of steps) {
    told = shorten(told);
    if (fits(JSON.stringify(told))) break;
  }
  return JSON.stringify(routing === undefined ? told : { ...told, routing });
}

const fits = (text: string): boolean => Buffer.byteLength(text) <= MAX_ERROR_BYTES;

/** Without the parameters of the request, and without what a fault tells by its `loc` and its `input` already. */
function withoutEchoes({ parameters: _, ...error }: JsonObject): JsonObject {
  return withFaults(error, (fault) => {
    const { field: __, received, ...rest } = fault;
    return received === undefined || received === fault['input'] ? rest : { ...rest, received };
  });
}

const withShortCopies =
  (name: string, length: number) =>
  (error: JsonObject): JsonObject => {
    const shortIn = (value: JsonObject): JsonObject => {
      const copy = value[name];
      return typeof copy === 'string' ? { ...value, [name]: cut(copy, length) } : value;
    };
    const { execution_outcome: outcome } = error;
    return { ...shortIn(error), ...(isJsonObject(outcome) ? { execution_outcome: shortIn(outcome) } : {}) };
  };

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

const isShort = (value: JsonValue): boolean =>
  typeof value === 'string' || JSON.stringify(value).length <= SHORT_ERROR_MESSAGE;

/** The same error with each of its single faults as `of` has it. */
export function withFaults(error: JsonObject, of: (fault: JsonObject) => JsonObject): JsonObject {
  const changed = faultLists.flatMap((name) => {
    const faults = error[name];
    return Array.isArray(faults) ? [[name, faults.map((fault) => (isJsonObject(fault) ? of(fault) : fault))]] : [];
  });
  return { ...error, ...(Object.fromEntries(changed) as JsonObject) };
}

const steps = [
  withoutEchoes,
  ...copies.map(([name, length]) => withShortCopies(name, length)),
  withFaultsThatSayLess,
  withFewerFaults,
  withShortCopies('error_message', SHORT_ERROR_MESSAGE),
  withoutContract,
  ...cuts.map(withCutTexts),
  coreOf,
  withCutTexts(SHORTEST_CUT),
];

/** Not in the middle of a character. */
const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;

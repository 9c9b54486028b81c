import { canonicalJson, isJsonObject, sha256Hex, type JsonObject, type JsonValue } from '@capability-router/kernel';
import type { ValidationDetail } from '@capability-router/contracts';
import { previewInput } from '@capability-router/tool-calls';

export const MAX_KEY_LENGTH = 255;
const visibleAscii = /^[!-~]+$/;
const allowed = { type: 'string', pattern: `^[!-~]{1,${MAX_KEY_LENGTH}}$` };

/** Undefined where the key is well formed. Two headers of this name arrive as one with a space in it. */
export function faultOfKey(key: unknown, loc: ValidationDetail['loc']): ValidationDetail | undefined {
  if (typeof key === 'string' && key.length <= MAX_KEY_LENGTH && visibleAscii.test(key)) return undefined;
  return {
    type: key === undefined ? 'missing' : 'value_error',
    loc,
    msg: `Send one key of 1 to ${MAX_KEY_LENGTH} visible ASCII characters, without spaces`,
    ...(key === undefined ? {} : { input: previewInput(key) }),
    allowed,
  };
}

export const keyUsedForAnotherRequest: ValidationDetail = {
  type: 'value_error',
  loc: ['header', 'Idempotency-Key'],
  msg: 'This key was used for a request with another body. Repeat that request unchanged, or send a new key with this one',
};

/** They say where a call came from, not what it does: a client that starts again may have new ones. */
const attribution: ReadonlySet<string> = new Set(['tool_id', 'search_id', 'session_id', 'model']);

/**
 * Equal for requests that ask for the same: the tool, wherever it is named, and every member of the body but those that
 * only attribute the call. The order of members and the white space do not count.
 */
export function fingerprintOf(toolIds: readonly string[], body: unknown): string {
  const named = isJsonObject(body) && typeof body['tool_id'] === 'string' ? [body['tool_id']] : [];
  const tools = [...new Set([...toolIds, ...named])].filter((id) => id !== '').sort();
  return sha256Hex(
    canonicalJson([tools, isJsonObject(body) ? withoutAttribution(body) : ((body ?? null) as JsonValue)]),
  );
}

const withoutAttribution = (body: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !attribution.has(name)));

import type { GatewayRoute } from '@capability-router/gateway';
import type { JsonObject } from '@capability-router/kernel';

const header = (description: string, schema: JsonObject, required = false): JsonObject => ({
  description,
  ...(required ? { required } : {}),
  schema,
});
const text: JsonObject = { type: 'string' };
const count: JsonObject = { type: 'integer', minimum: 0 };

/** By the name that it has in the document. */
const answerHeaders = {
  RequestId: header('The id of the request: the one that the caller sent, where it is valid.', text, true),
  ApiVersion: header('The version of the interface.', text, true),
  RateLimitLimit: header('Requests of this class that a minute allows.', count),
  RateLimitRemaining: header('Requests that the window still allows.', count),
  RateLimitReset: header('When the window ends, in seconds since 1970.', count),
  RateLimit: header('The same as the draft of the IETF has it.', text),
  RateLimitPolicy: header('The limits, as that draft has them.', text),
  RetryAfter: header('Seconds after which to come again.', count),
  Challenge: header('How to authenticate, and which scope is missing.', text),
  IdempotencyReplayed: header('`true` where the answer is that of the first request with this key.', text),
} as const satisfies Readonly<Record<string, JsonObject>>;

/** Those that the parts of a document refer to. */
export function answerHeadersOf(parts: JsonObject): JsonObject {
  const text = JSON.stringify(parts);
  return Object.fromEntries(
    Object.entries(answerHeaders).filter(([name]) => text.includes(`"#/components/headers/${name}"`)),
  );
}

type Named = keyof typeof answerHeaders;
const ref = (name: Named): JsonObject => ({ $ref: `#/components/headers/${name}` });

export const replayedHeader: JsonObject = { 'Idempotency-Replayed': ref('IdempotencyReplayed') };

/** The headers of an answer of a route, or of one that the gateway answers by itself. */
export function headersOf(status: number, route: GatewayRoute | undefined): JsonObject {
  const isCounted = route !== undefined && status !== 431 && status !== 414;
  return {
    'X-Request-Id': ref('RequestId'),
    'X-Service-Api-Version': ref('ApiVersion'),
    ...(isCounted
      ? {
          'X-RateLimit-Limit': ref('RateLimitLimit'),
          'X-RateLimit-Remaining': ref('RateLimitRemaining'),
          'X-RateLimit-Reset': ref('RateLimitReset'),
          RateLimit: ref('RateLimit'),
          'RateLimit-Policy': ref('RateLimitPolicy'),
        }
      : {}),
    ...([404, 409, 429, 503].includes(status) ? { 'Retry-After': ref('RetryAfter') } : {}),
    ...([401, 403].includes(status) ? { 'WWW-Authenticate': ref('Challenge') } : {}),
    ...(route?.executes === true && status < 500 ? replayedHeader : {}),
  };
}

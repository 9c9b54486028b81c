import { internalHeaders, publicHeaders } from '@capability-router/contracts';
import { isJsonObject, type JsonObject } from '@capability-router/kernel';

interface ToldAnswer {
  readonly body: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Headers by which the gateway logs what became of a call without reading its body. An answer that is repeated has no
 * credits: the request that it answers is charged nothing.
 */
export function toldOutcome({ body, headers }: ToldAnswer): Record<string, string> {
  const { execution_outcome: outcome, cost } = body;
  const reason = isJsonObject(outcome) ? outcome['reason_code'] : undefined;
  const isRepeated = headers?.[publicHeaders.idempotencyReplayed] === 'true';
  return {
    ...(typeof reason === 'string' ? { [internalHeaders.reasonCode]: reason } : {}),
    ...(typeof cost === 'number' && !isRepeated ? { [internalHeaders.billedCredits]: String(cost) } : {}),
  };
}

import { codeOfStatus, isJsonObject } from '@capability-router/kernel';

/** Bytes of an answer that are read for its code; a refusal is shorter. */
const MAX_READ_BYTES = 4_096;
/** The form of every code of ours. Words of a provider or a caller do not have it. */
const codeForm = /^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*$/;
const MAX_CODE_LENGTH = 64;

const isCode = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_CODE_LENGTH && codeForm.test(value);

/** The code that was told, where it is one of ours; else the one that the status of an error stands for. */
export const reasonOf = (status: number, told: unknown): string | undefined =>
  isCode(told) ? told : status < 400 ? undefined : codeOfStatus(status);

/** Credits as a service tells them in a header; `undefined` where it tells none. */
export function creditsOf(told: unknown): number | undefined {
  if (typeof told !== 'string' || told === '') return undefined;
  const credits = Number(told);
  return Number.isFinite(credits) && credits >= 0 ? credits : undefined;
}

/** `code` of a refusal, or the reason code of a failed call. A stream, or a longer answer, is not read. */
export function reasonIn(payload: unknown): string | undefined {
  const isHeld = typeof payload === 'string' || Buffer.isBuffer(payload);
  if (!isHeld || payload.length > MAX_READ_BYTES) return undefined;
  try {
    const body: unknown = JSON.parse(payload.toString());
    if (!isJsonObject(body)) return undefined;
    const { code, error, execution_outcome: outcome } = body;
    const codes = [code, isJsonObject(outcome) ? outcome['reason_code'] : undefined, error];
    return codes.find(isCode);
  } catch {
    return undefined;
  }
}

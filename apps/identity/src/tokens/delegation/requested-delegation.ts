import type { DelegationConstraints } from '@capability-router/contracts';
import { creditsFromMicro, isToolId, MICRO_CREDITS_PER_CREDIT, type Credits } from '@capability-router/kernel';
import { isOneLine } from '@capability-router/service-kit';
import type { Form } from '../form.js';
import { OAuthError } from '../oauth-error.js';

/** Seconds that a delegation token lives at most, and where none are asked for. */
export const MAX_DELEGATION_SECONDS = 600;
/** Values of each list. */
export const MAX_DELEGATED_IDS = 100;
/**
 * Bytes of the constraints as JSON. They travel in a header of every request between services, which takes 16 KiB of
 * them all.
 */
export const MAX_CONSTRAINTS_BYTES = 8_192;
/** Characters. */
const MAX_TEXT_LENGTH = 200;
/** As of every other budget. */
const MAX_BUDGET_CREDITS = 1_000_000_000;

/** The constraints that a client asks for in a delegation token. */
export interface RequestedDelegation {
  readonly constraints: DelegationConstraints;
  readonly maxCredits?: Credits;
  /** Seconds. */
  readonly lifetimeSeconds: number;
}

/**
 * Reads them from a request for an exchange. One that is there without a value is refused, and not taken for absent: it
 * would constrain nothing. Throws `OAuthError`.
 */
export function requestedDelegation(form: Form): RequestedDelegation {
  const [model, runId] = [textOf(form, 'model'), textOf(form, 'run_id')];
  const toolIds = listOf(form, 'tool_ids', isToolId);
  const providerIds = listOf(form, 'provider_ids', isText);
  const maxCredits = integerOf(form, 'max_credits', MAX_BUDGET_CREDITS);
  const constraints = {
    ...(model === undefined ? {} : { model }),
    ...(runId === undefined ? {} : { runId }),
    ...(toolIds === undefined ? {} : { toolIds }),
    ...(providerIds === undefined ? {} : { providerIds }),
  };
  if (Buffer.byteLength(JSON.stringify(constraints)) > MAX_CONSTRAINTS_BYTES) {
    throw invalid(`The constraints are longer than ${MAX_CONSTRAINTS_BYTES} bytes. Name fewer tools or providers.`);
  }
  return {
    constraints,
    ...(maxCredits === undefined
      ? {}
      : { maxCredits: creditsFromMicro(BigInt(maxCredits) * MICRO_CREDITS_PER_CREDIT) }),
    lifetimeSeconds: integerOf(form, 'expires_in', MAX_DELEGATION_SECONDS) ?? MAX_DELEGATION_SECONDS,
  };
}

/** Both by which a form can be read that names one parameter once or several times. */
export type Repeatable = 'tool_ids' | 'provider_ids';

const isText = (text: string): boolean => isOneLine(text, MAX_TEXT_LENGTH) && text.trim() !== '';

function textOf(form: Form, name: 'model' | 'run_id'): string | undefined {
  const [text] = form.all(name);
  if (text === undefined || isText(text)) return text;
  throw invalid(`"${name}" must be one line of 1 to ${MAX_TEXT_LENGTH} characters.`);
}

function listOf(form: Form, name: Repeatable, isId: (text: string) => boolean): readonly string[] | undefined {
  const ids = form.all(name);
  if (ids.length === 0) return undefined;
  if (ids.length > MAX_DELEGATED_IDS) throw invalid(`Send "${name}" at most ${MAX_DELEGATED_IDS} times.`);
  if (!ids.every(isId)) throw invalid(`Each "${name}" must be one id, as searches show it.`);
  return [...new Set(ids)];
}

function integerOf(form: Form, name: 'max_credits' | 'expires_in', max: number): number | undefined {
  const [text] = form.all(name);
  if (text === undefined) return undefined;
  const value = /^[1-9][0-9]{0,9}$/.test(text) ? Number(text) : Infinity;
  if (value > max) throw invalid(`"${name}" must be an integer from 1 to ${max}.`);
  return value;
}

const invalid = (description: string): OAuthError => new OAuthError('invalid_request', description);

import { AppError, type JsonObject } from '@capability-router/kernel';
import type { ClaimCap } from './claim-caps.js';

/** `data` of the answer to a claim whose mail is on its way. */
export interface AgentClaimStart {
  readonly status: 'code_sent';
  readonly claim_id: string;
  readonly email_masked: string;
  readonly expires_at: string;
  readonly resend_after_seconds: number;
}

export type RiskCode = 'disposable_email' | 'too_many_codes' | 'too_many_claims' | 'mail_unavailable';

/** `data` of the answer to a claim that is not taken, for what it looks like. */
export interface AgentClaimRiskBlock {
  readonly status: 'blocked';
  readonly risk_code: RiskCode;
  readonly message: string;
  readonly retry_after_seconds?: number;
}

export interface AgentClaimed {
  readonly status: 'claimed';
  readonly account_id: string;
  readonly email: string;
  readonly api_key_still_valid: true;
  /** Absent where billing does not answer. */
  readonly remaining_credits?: number;
  /** The welcome bonus is not booked yet, and will be. */
  readonly credits_ready?: false;
  /** Not every replica of the gateway knows the new rights of the key yet. */
  readonly pending?: true;
}

const messages: Readonly<Record<RiskCode, string>> = {
  disposable_email: 'This domain hands out addresses that do not last. Use a lasting address.',
  too_many_codes: 'This trial or this mailbox was sent as many codes as a day allows. Try again tomorrow (UTC).',
  too_many_claims: 'Too many claims come from your network today. Try again tomorrow (UTC), or from elsewhere.',
  mail_unavailable: 'This deployment sends no mail, so nothing can be claimed. Ask whoever runs it to set MAIL_URL.',
};

export const riskBlock = (code: RiskCode, retryAfterSeconds?: number): AgentClaimRiskBlock => ({
  status: 'blocked',
  risk_code: code,
  message: messages[code],
  ...(retryAfterSeconds === undefined ? {} : { retry_after_seconds: retryAfterSeconds }),
});

export const riskOfCap = (cap: ClaimCap['kind']): RiskCode =>
  cap === 'address' || cap === 'network' ? 'too_many_claims' : 'too_many_codes';

const invalid = (
  member: 'claim_code' | 'code' | 'email',
  message: string,
  { nextStep, allowed }: { readonly nextStep?: string | undefined; readonly allowed?: JsonObject } = {},
): AppError =>
  new AppError('validation_error', message, {
    details: [
      { type: 'value_error', loc: ['body', member], msg: message, ...(allowed === undefined ? {} : { allowed }) },
    ],
    ...(nextStep === undefined ? {} : { nextStep }),
  });

const ANOTHER_CODE = 'Ask for a new code with POST /agent/claim, and send that one.';

export const notAnEmail = (): AppError =>
  invalid('email', '"email" is invalid: it should be an address such as name@example.com', {
    allowed: { type: 'string', format: 'email' },
  });

export const unknownClaim = (): AppError =>
  invalid(
    'claim_code',
    '"claim_code" is of no trial that can be claimed: it is unknown, or over. Register a new agent.',
    { nextStep: 'Register a new agent with POST /agent/anonymous-register.' },
  );

/** Also to whoever did it and lost the answer. */
export const claimedBefore = (): AppError =>
  invalid(
    'claim_code',
    '"claim_code" was used: the trial was claimed, and is an account by now. Its key and its credits go on.',
    { nextStep: 'Go on with the key of the trial; GET /auth/credits tells what it has.' },
  );

export const emailTaken = (): AppError =>
  invalid('email', '"email" belongs to an account by now. Use a key of that account, or claim with another address.');

export const noCode = (): AppError =>
  invalid('code', '"code" is invalid: there is none, or it has lapsed. Ask for one with POST /agent/claim.', {
    nextStep: ANOTHER_CODE,
  });

export const wrongCode = (triesLeft: number): AppError =>
  invalid(
    'code',
    triesLeft > 0
      ? `"code" is not the newest one that was mailed to this address for this claim. Tries left: ${triesLeft}.`
      : '"code" is wrong, and no tries are left. Ask for a new one with POST /agent/claim.',
    { nextStep: triesLeft > 0 ? undefined : ANOTHER_CODE },
  );

export const tooSoon = (retryAfterSeconds: number): AppError =>
  new AppError('rate_limited', 'A code was mailed a moment ago. Wait for the number of seconds in Retry-After.', {
    retryAfterSeconds,
  });

/** `retryAfterSeconds`: until another code may be asked for. */
export const noTriesLeft = (retryAfterSeconds: number): AppError =>
  new AppError('no_tries_left', undefined, { retryAfterSeconds });

/** `retryAfterSeconds`: until the trial has tries again; `codeLasts`: the code that was mailed is still good then. */
export const triedTooOften = (retryAfterSeconds: number, codeLasts: boolean): AppError =>
  new AppError(
    codeLasts ? 'rate_limited' : 'no_tries_left',
    codeLasts
      ? 'Too many codes were tried for this trial today. Wait until Retry-After.'
      : 'Too many codes were tried for this trial today, and this one lapses before there are tries again. Ask for a new one after Retry-After.',
    { retryAfterSeconds },
  );

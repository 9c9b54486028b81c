import type { Language } from '@capability-router/contracts';
import { toIso, uuidv7 } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/service-kit';
import type pg from 'pg';
import { appendAccountEvent } from '../accounts/append-account-event.js';
import { hasAccount } from '../accounts/has-account.js';
import type { EmailAddress } from '../email-addresses/email-address.js';
import { enqueueMail } from '../mail/enqueue-mail.js';
import type { MailConfig } from '../mail/mail-config.js';
import { countWaiting } from '../mail/outbox.sql.js';
import type { ClientNetwork } from '../trial-agents/client-network.js';
import { utcDayOf } from '../trial-agents/registration-caps.js';
import { takeCaps } from '../trial-agents/take-caps.js';
import { mailCaps } from './claim-caps.js';
import { hashOfNoCode, mailedCodeHash, newMailedCode } from './claim-code-hash.js';
import type { ClaimPolicy } from './claim-policy.js';
import { claimsIn } from './claim-records.js';
import { lockClaimableTrial } from './claimable-trial.js';
import { recordBlockedClaim, type BlockedClaim } from './record-blocked-claim.js';

/** Tries of one mailed code. */
export const TRIES_PER_CODE = 5;
const MINUTE_MS = 60_000;

export interface StartClaim {
  readonly claimCode: string;
  readonly address: EmailAddress;
  readonly language: Language;
  readonly client: ClientNetwork;
  /** Origin of the deployment, for the mail. */
  readonly origin: string;
  readonly nowMs: number;
}

export type StartClaimResult =
  | { readonly status: 'code_sent'; readonly claimId: string; readonly expiresAtMs: number }
  | { readonly status: 'unknown_claim' | 'claimed_before' }
  | { readonly status: 'too_soon'; readonly againAtMs: number }
  | (BlockedClaim & { readonly status: 'capped'; readonly resetAtMs: number })
  | { readonly status: 'outbox_full' };

type Refused = Exclude<StartClaimResult, { status: 'code_sent' }>;

class ClaimRefused extends Error {
  constructor(readonly result: Refused) {
    super(`a claim is refused: ${result.status}`);
  }
}

/**
 * Puts a code into the outbox. Whether the address has an account changes one value of one row and the words of the mail,
 * which are chosen when it is sent: neither the answer nor its time tells. A refusal leaves every row as it was; one for what
 * a day allows is in the security log.
 */
export async function startClaim(
  pool: pg.Pool,
  command: StartClaim,
  policy: ClaimPolicy,
  mail: MailConfig,
): Promise<StartClaimResult> {
  try {
    return await inTransaction(pool, (tx) => start(tx, command, policy, mail));
  } catch (error) {
    if (!(error instanceof ClaimRefused)) throw error;
    if (error.result.status === 'capped') await recordBlockedClaim(pool, error.result, command.nowMs);
    return error.result;
  }
}

async function start(
  tx: pg.ClientBase,
  command: StartClaim,
  policy: ClaimPolicy,
  config: MailConfig,
): Promise<StartClaimResult> {
  const { nowMs, client, address, language, origin } = command;
  const { email, canonical } = address;
  const trial = await lockClaimableTrial(tx, command.claimCode, nowMs);
  if (trial.status !== 'claimable') throw new ClaimRefused(trial);
  const { accountId } = trial;
  const claims = await claimsIn(tx);
  const before = await claims.findOne({ select: { accountId: true, requestedAt: true }, where: { accountId } });
  const againAtMs = before === null ? nowMs : before.requestedAt.getTime() + policy.resendMs;
  if (againAtMs > nowMs) throw new ClaimRefused({ status: 'too_soon', againAtMs });
  const window = utcDayOf(nowMs);
  const [full] = await takeCaps(tx, window, mailCaps({ accountId, client, canonical }, policy, config.pepper));
  if (full !== undefined)
    throw new ClaimRefused({ status: 'capped', accountId, cap: full.kind, resetAtMs: window.endMs });
  if ((await countWaiting(tx, config.maxWaiting)) >= config.maxWaiting) {
    throw new ClaimRefused({ status: 'outbox_full' });
  }

  const taken = await hasAccount(tx, address);
  const claimId = uuidv7(nowMs);
  const code = newMailedCode();
  const hash = mailedCodeHash(config.pepper, { claimId, email, code });
  const expiresAtMs = nowMs + policy.codeMs;
  const row = {
    claimId,
    email,
    triesLeft: TRIES_PER_CODE,
    requestedAt: new Date(nowMs),
    expiresAt: new Date(expiresAtMs),
  };
  await claims.upsert({ accountId, ...row, codeHash: taken ? hashOfNoCode() : hash }, ['accountId']);
  const kind = taken ? 'claim_has_account' : 'claim_code';
  const minutes = Math.round(policy.codeMs / MINUTE_MS);
  const mail = { kind, to: email, language, code, minutes, origin } as const;
  await enqueueMail(tx, config, { accountId, mail, nowMs, expiresAtMs });
  const data = { accountId, claimId, requestedAt: toIso(nowMs) };
  await appendAccountEvent(tx, { type: 'AgentClaimRequested', data }, nowMs, 'following');
  return { status: 'code_sent', claimId, expiresAtMs };
}

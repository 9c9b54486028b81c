import type { AccountKind, AccountOpened } from '@capability-router/contracts';
import { newAccountId, toIso, type AccountId } from '@capability-router/kernel';
import type pg from 'pg';
import { normalizeEmail, type Account, type InitialGrant } from './account.js';
import { appendAccountEvent } from './append-account-event.js';
import { emailAddressOf } from '../email-addresses/email-address.js';
import { findByEmail } from './has-account.js';
import { insertAccount } from './insert-account.sql.js';

export interface OpenAccount {
  readonly kind: AccountKind;
  readonly name: string;
  readonly email?: string;
  /** ISO 3166-1 alpha-2. */
  readonly region?: string;
  readonly grant: InitialGrant;
  /** The name of the external issuer whose token opens it. */
  readonly issuer?: string;
  /** One that the deployment itself has; minted where absent. */
  readonly accountId?: AccountId;
  readonly nowMs: number;
}

export type OpenAccountResult =
  | {
      readonly status: 'opened';
      readonly accountId: AccountId;
      /** As it is stored. */
      readonly email: string | undefined;
      readonly emailCanonical: string | undefined;
    }
  | { readonly status: 'email_taken'; readonly emailCanonical?: undefined };

/** The account and its `AccountOpened`, in the caller's transaction: there is never one without the other. */
export async function openAccount(tx: pg.ClientBase, command: OpenAccount): Promise<OpenAccountResult> {
  const address = command.email === undefined ? undefined : await emailAddressOf(command.email);
  const email = address?.email ?? (command.email === undefined ? undefined : normalizeEmail(command.email));
  const account: Account = {
    accountId: command.accountId ?? newAccountId(command.nowMs),
    kind: command.kind,
    name: command.name,
    ...(email === undefined ? {} : { email, emailCanonical: address?.canonical ?? email }),
    ...(command.region === undefined ? {} : { region: command.region }),
    openedAtMs: command.nowMs,
  };
  if (address !== undefined && (await findByEmail(tx, address)) !== undefined) return { status: 'email_taken' };
  if (!(await insertAccount(tx, account))) return { status: 'email_taken' };
  const data = {
    ...accountOpened(account, command.grant),
    ...(command.issuer === undefined ? {} : { issuer: command.issuer }),
  };
  await appendAccountEvent(tx, { type: 'AccountOpened', data }, command.nowMs, 'opening');
  const { accountId, emailCanonical } = account;
  return { status: 'opened', accountId, email, emailCanonical };
}

/** Name and e-mail address stay out: events carry no personal data. */
export function accountOpened(
  account: Pick<Account, 'accountId' | 'kind' | 'openedAtMs'>,
  grant: InitialGrant,
): AccountOpened {
  return {
    accountId: account.accountId,
    kind: account.kind,
    initialGrantMicroCredits: grant.amount.toString(),
    grantCategory: grant.category,
    ...(grant.expiresAtMs === undefined ? {} : { grantExpiresAt: toIso(grant.expiresAtMs) }),
    openedAt: toIso(account.openedAtMs),
  };
}

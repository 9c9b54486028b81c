import type pg from 'pg';
import { In } from 'typeorm';
import { storedFormsOf, type EmailAddress } from '../email-addresses/email-address.js';
import type { AccountRecord } from './account.entity.js';
import { accountsIn } from './accounts-in.js';

/** Does an account belong to the mailbox, under this address or another one of it? */
export async function hasAccount(tx: pg.ClientBase, address: EmailAddress): Promise<boolean> {
  const { email, canonical } = address;
  return (await accountsIn(tx)).existsBy([{ emailCanonical: canonical }, { email }]);
}

/** The account with this very address, where it is in this state. */
export async function findByEmail(
  tx: pg.ClientBase,
  address: EmailAddress,
  state: Partial<Pick<AccountRecord, 'status'>> = {},
): Promise<string | undefined> {
  const select = { accountId: true, email: true };
  const where = { email: In(storedFormsOf(address)), ...state };
  const found = await (await accountsIn(tx)).find({ select, where });
  // Accounts of the release before may have the address in two forms.
  return (found.find(({ email }) => email === address.email) ?? found[0])?.accountId;
}

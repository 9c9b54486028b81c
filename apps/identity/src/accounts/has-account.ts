import type pg from 'pg';
import type { EmailAddress } from '../email-addresses/email-address.js';
import { accountsIn } from './accounts-in.js';

/** Does an account belong to the mailbox, under this address or another one of it? */
export async function hasAccount(tx: pg.ClientBase, address: EmailAddress): Promise<boolean> {
  const { email, canonical } = address;
  return (await accountsIn(tx)).existsBy([{ emailCanonical: canonical }, { email }]);
}

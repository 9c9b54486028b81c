import type pg from 'pg';
import { accountsIn } from '../records.js';
import type { Account } from './account.js';

/** False when another account has this e-mail address: the only thing that two new accounts can share. */
export async function insertAccount(tx: pg.ClientBase, account: Account): Promise<boolean> {
  const { accountId, kind, name, email, openedAtMs, region } = account;
  const inserted = await (
    await accountsIn(tx)
  )
    .createQueryBuilder()
    .insert()
    .values({
      accountId,
      kind,
      status: 'active',
      name,
      email: email ?? null,
      openedAt: new Date(openedAtMs),
      region: region ?? null,
    })
    .orIgnore()
    .returning('account_id')
    .updateEntity(false)
    .execute();
  return (inserted.raw as readonly unknown[]).length === 1;
}

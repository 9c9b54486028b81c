import { columnValues, Records } from '@capability-router/service-kit';
import type pg from 'pg';
import { MoreThan } from 'typeorm';
import { CredentialRecord } from './credential.entity.js';

/** The owner of what an operator sets for the whole deployment. */
export const DEPLOYMENT = 'deployment';

export type SealedCredential = Readonly<CredentialRecord>;
export type CredentialKey = Pick<SealedCredential, 'ownerId' | 'providerId'>;

const records = new Records([CredentialRecord]);

export async function findCredential(
  db: pg.Pool | pg.PoolClient,
  { ownerId, providerId }: CredentialKey,
): Promise<SealedCredential | undefined> {
  const credentials = await records.of(CredentialRecord, db);
  return (await credentials.findOneBy({ ownerId, providerId })) ?? undefined;
}

/** In the order of provider ids, after one. */
export async function listCredentials(
  db: pg.Pool,
  ownerId: string,
  after: string,
  limit: number,
): Promise<SealedCredential[]> {
  const credentials = await records.of(CredentialRecord, db);
  return credentials.find({
    where: { ownerId, providerId: MoreThan(after) },
    order: { providerId: 'ASC' },
    take: limit,
  });
}

export async function saveCredential(db: pg.Pool | pg.PoolClient, credential: SealedCredential): Promise<void> {
  const credentials = await records.of(CredentialRecord, db);
  await credentials
    .createQueryBuilder()
    .insert()
    .values(columnValues<CredentialRecord>({ ...credential }))
    .orUpdate(['revision', 'key_id', 'sealed_fields', 'set_at', 'sealed_at'], ['owner_id', 'provider_id'])
    .updateEntity(false)
    .execute();
}

/** The revision that was there. */
export async function deleteCredential(
  tx: pg.PoolClient,
  { ownerId, providerId }: CredentialKey,
): Promise<string | undefined> {
  const credentials = await records.of(CredentialRecord, tx);
  const deleted = await credentials
    .createQueryBuilder()
    .delete()
    .where({ ownerId, providerId })
    .returning('revision')
    .execute();
  return (deleted.raw as readonly { readonly revision: string }[])[0]?.revision;
}

import type { CapabilityContract } from '@capability-router/contracts';
import { columnValues, Records } from '@capability-router/service-kit';
import type pg from 'pg';
import { In, MoreThan } from 'typeorm';
import { CapabilityRecord } from './capability.entity.js';
import type { CapabilitySource, LiveCapability } from './domain/plan-publication.js';
import { markChanged } from './mark-changed.sql.js';

const records = new Records([CapabilityRecord]);

/** Those of the contracts that are known, retired ones among them, by capability id. */
export async function findLive(
  tx: pg.PoolClient,
  capabilityIds: readonly string[],
): Promise<Map<string, LiveCapability & { readonly contract: CapabilityContract }>> {
  const capabilities = await records.of(CapabilityRecord, tx);
  const found = await capabilities.findBy({ capabilityId: In(capabilityIds) });
  return new Map(found.map((record) => [record.capabilityId, record]));
}

/** All in one statement. What is saved is published. */
export async function saveContracts(
  tx: pg.PoolClient,
  contracts: readonly CapabilityContract[],
  source: CapabilitySource,
  publishedAt: string,
): Promise<void> {
  const capabilities = await records.of(CapabilityRecord, tx);
  const rows = contracts.map((contract) => ({
    capabilityId: contract.capabilityId,
    contractVersion: contract.contractVersion,
    schemaHash: contract.schemaHash,
    contract,
    publishedAt: new Date(publishedAt),
    source,
    retired: false,
  }));
  await capabilities.upsert(columnValues<CapabilityRecord>(rows), ['capabilityId']);
  await markChanged(
    tx,
    rows.map(({ capabilityId }) => capabilityId),
  );
}

export async function saveRetired(tx: pg.PoolClient, capabilityId: string, retired: boolean): Promise<void> {
  const capabilities = await records.of(CapabilityRecord, tx);
  await capabilities.update({ capabilityId }, { retired });
  await markChanged(tx, [capabilityId]);
}

/** The contract that callers are shown: none where it is retired. */
export async function findContract(db: pg.Pool, capabilityId: string): Promise<CapabilityContract | undefined> {
  const capabilities = await records.of(CapabilityRecord, db);
  return (await capabilities.findOneBy({ capabilityId, retired: false }))?.contract;
}

/** The contract as administrators see it, retired or not. */
export async function findCapability(db: pg.Pool, capabilityId: string): Promise<CapabilityRecord | undefined> {
  const capabilities = await records.of(CapabilityRecord, db);
  return (await capabilities.findOneBy({ capabilityId })) ?? undefined;
}

/** A page by id, of what is published or of what is retired. */
export async function listContracts(
  db: pg.Pool,
  page: { readonly retired: boolean; readonly after: string; readonly limit: number },
): Promise<CapabilityRecord[]> {
  const capabilities = await records.of(CapabilityRecord, db);
  return capabilities.find({
    where: { retired: page.retired, capabilityId: MoreThan(page.after) },
    order: { capabilityId: 'ASC' },
    take: page.limit,
  });
}

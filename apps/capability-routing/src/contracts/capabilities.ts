import type { CapabilityContract } from '@capability-router/contracts';
import { columnValues, Records } from '@capability-router/service-kit';
import type pg from 'pg';
import { In } from 'typeorm';
import { CapabilityRecord } from './capability.entity.js';
import type { PublishedVersion } from './domain/plan-publication.js';

const records = new Records([CapabilityRecord]);

export async function findVersions(
  tx: pg.PoolClient,
  capabilityIds: readonly string[],
): Promise<Map<string, PublishedVersion>> {
  const capabilities = await records.of(CapabilityRecord, tx);
  const found = await capabilities.find({
    select: { capabilityId: true, contractVersion: true, schemaHash: true },
    where: { capabilityId: In(capabilityIds) },
  });
  return new Map(
    found.map(({ capabilityId, contractVersion, schemaHash }) => [capabilityId, { contractVersion, schemaHash }]),
  );
}

/** All in one statement. */
export async function saveContracts(
  tx: pg.PoolClient,
  contracts: readonly CapabilityContract[],
  publishedAt: string,
): Promise<void> {
  const capabilities = await records.of(CapabilityRecord, tx);
  const rows = contracts.map((contract) => ({
    capabilityId: contract.capabilityId,
    contractVersion: contract.contractVersion,
    schemaHash: contract.schemaHash,
    contract,
    publishedAt: new Date(publishedAt),
  }));
  await capabilities.upsert(columnValues<CapabilityRecord>(rows), ['capabilityId']);
}

export async function findContract(db: pg.Pool, capabilityId: string): Promise<CapabilityContract | undefined> {
  const capabilities = await records.of(CapabilityRecord, db);
  return (await capabilities.findOneBy({ capabilityId }))?.contract;
}

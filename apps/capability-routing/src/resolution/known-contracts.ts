import type { CapabilityContract } from '@capability-router/contracts';
import { Records } from '@capability-router/service-kit';
import type pg from 'pg';
import { In } from 'typeorm';
import { CapabilityRecord } from '../contracts/capability.entity.js';

const records = new Records([CapabilityRecord]);

/** Every capability that has a contract which is not retired, with the version that is current. */
export async function listVersions(db: pg.Pool): Promise<Pick<CapabilityRecord, 'capabilityId' | 'contractVersion'>[]> {
  const capabilities = await records.of(CapabilityRecord, db);
  return capabilities.find({ select: { capabilityId: true, contractVersion: true }, where: { retired: false } });
}

export async function findContracts(db: pg.Pool, capabilityIds: readonly string[]): Promise<CapabilityContract[]> {
  const capabilities = await records.of(CapabilityRecord, db);
  return (await capabilities.findBy({ capabilityId: In(capabilityIds) })).map(({ contract }) => contract);
}

import { Records } from '@capability-router/service-kit';
import type pg from 'pg';
import { In } from 'typeorm';
import { ToolCopyRecord } from './tool-copy.entity.js';

const records = new Records([ToolCopyRecord]);

/** Those of the tools that are known, retired ones among them, by tool id. `KnownTools` has them without a read. */
export async function findToolCopies(
  db: pg.Pool | pg.PoolClient,
  toolIds: readonly string[],
): Promise<Map<string, ToolCopyRecord>> {
  const copies = await records.of(ToolCopyRecord, db);
  const found = await copies.findBy({ toolId: In(toolIds) });
  return new Map(found.map((copy) => [copy.toolId, copy]));
}

/** Those of the tools that are known and published, by tool id. */
export async function findPublishedTools(
  db: pg.Pool | pg.PoolClient,
  toolIds: readonly string[],
): Promise<Map<string, ToolCopyRecord>> {
  const copies = await findToolCopies(db, toolIds);
  return new Map([...copies].filter(([, { retired }]) => !retired));
}

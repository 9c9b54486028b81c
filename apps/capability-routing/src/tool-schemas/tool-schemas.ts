import { Records } from '@capability-router/service-kit';
import type pg from 'pg';
import { In } from 'typeorm';
import { ToolSchemaRecord } from './tool-schema.entity.js';

const records = new Records([ToolSchemaRecord]);

/** Those of the tools that are known and published, by tool id. */
export async function findToolSchemas(
  db: pg.Pool | pg.PoolClient,
  toolIds: readonly string[],
): Promise<Map<string, ToolSchemaRecord>> {
  const schemas = await records.of(ToolSchemaRecord, db);
  const found = await schemas.findBy({ toolId: In(toolIds), retired: false });
  return new Map(found.map((schema) => [schema.toolId, schema]));
}

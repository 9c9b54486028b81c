import { columnValues, Records } from '@capability-router/service-kit';
import type pg from 'pg';
import { MoreThan } from 'typeorm';
import { SourceRecord } from './source.entity.js';

export type StoredSource = Readonly<SourceRecord>;

const records = new Records([SourceRecord]);

export async function findSource(db: pg.Pool, sourceId: string): Promise<StoredSource | undefined> {
  return (await (await records.of(SourceRecord, db)).findOneBy({ sourceId })) ?? undefined;
}

/** The next sources in the order of their ids. */
export async function listSources(db: pg.Pool, after: string, limit: number): Promise<StoredSource[]> {
  const sources = await records.of(SourceRecord, db);
  return sources.find({ where: { sourceId: MoreThan(after) }, order: { sourceId: 'ASC' }, take: limit });
}

/** A source that is there keeps its kind and its provider. */
export async function saveSource(
  db: pg.Pool,
  source: Omit<StoredSource, 'importedAt'>,
  importedAt: string,
): Promise<void> {
  const sources = await records.of(SourceRecord, db);
  await sources
    .createQueryBuilder()
    .insert()
    .values(columnValues<SourceRecord>({ ...source, importedAt: new Date(importedAt) }))
    .orUpdate(['request', 'tool_ids', 'counts', 'imported_at'], ['source_id'])
    .updateEntity(false)
    .execute();
}

import { readdir } from 'node:fs/promises';
import { extname } from 'node:path';
import type { ScratchDatabase } from '@capability-router/event-store/testing';
import { DataSource, getMetadataArgsStorage, type EntityMetadata, type ObjectLiteral } from 'typeorm';

type Entity = new () => ObjectLiteral;

/** The columns of a table in their order. `inKey`: of the primary key. */
const columnsSql = `
SELECT a.attname AS name, format_type(a.atttypid, NULL) AS type, NOT a.attnotnull AS nullable,
       COALESCE(a.attnum = ANY (i.indkey), false) AS "inKey"
  FROM pg_attribute a LEFT JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary
 WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`;

interface Column {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly inKey: boolean;
}

/** The entities of all `*.entity` files below a folder, so that a new one is not left out. Throws where there is none. */
export async function entitiesBelow(folder: URL): Promise<Entity[]> {
  const ending = `.entity${extname(import.meta.url)}`;
  const entities: Entity[] = [];
  for (const name of (await readdir(folder, { recursive: true })).sort()) {
    if (!name.endsWith(ending)) continue;
    const exported = Object.values((await import(new URL(name, folder).href)) as Record<string, unknown>);
    const declared = getMetadataArgsStorage().tables.map(({ target }) => target);
    entities.push(...(exported.filter((value) => declared.includes(value as Entity)) as Entity[]));
  }
  if (entities.length === 0) throw new Error(`no *${ending} below ${folder.href} declares an entity`);
  return entities;
}

/**
 * How entities differ from the tables that they name: in columns, their types, what may be null, and the primary key; a
 * line each, empty where there is no difference. Defaults, checks and indexes are the schema's alone.
 */
export async function entityDifferences(
  { ownerUrl: url }: Pick<ScratchDatabase, 'ownerUrl'>,
  entities: readonly Entity[],
): Promise<string[]> {
  const model = new DataSource({ type: 'postgres', url, entities: [...entities], installExtensions: false });
  const dataSource = await model.initialize();
  try {
    const differences: string[] = [];
    for (const metadata of dataSource.entityMetadatas) {
      const table = await dataSource.query<Column[]>(columnsSql, [`public.${metadata.tableName}`]);
      differences.push(...differencesOf(metadata, columnsOf(dataSource, metadata), table));
    }
    return differences;
  } finally {
    await dataSource.destroy();
  }
}

const columnsOf = ({ driver }: DataSource, { columns }: EntityMetadata): Column[] =>
  columns.map((column) => ({
    name: column.databaseName,
    type: `${driver.normalizeType(column)}${column.isArray ? '[]' : ''}`,
    nullable: column.isNullable,
    inKey: column.isPrimary,
  }));

function differencesOf(
  { name, tableName }: EntityMetadata,
  entity: readonly Column[],
  table: readonly Column[],
): string[] {
  if (table.length === 0) return [`${name}: there is no table ${tableName}`];
  const declared = new Map(entity.map((column) => [column.name, column]));
  const there = new Map(table.map((column) => [column.name, column]));
  return [...new Set([...there.keys(), ...declared.keys()])].flatMap((column) => {
    const [inEntity, inTable] = [described(declared.get(column)), described(there.get(column))];
    if (inEntity === inTable) return [];
    return [`${name}: column ${column} of ${tableName} is ${inTable} in the table, ${inEntity} in the entity`];
  });
}

const described = (column: Column | undefined): string =>
  column === undefined
    ? 'not there'
    : `${column.type}${column.nullable ? '' : ' NOT NULL'}${column.inKey ? ' PRIMARY KEY' : ''}`;

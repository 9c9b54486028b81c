import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkSqlFiles, holdsSql, runsSql } from './sql-files.js';

describe('SQL in a source file', () => {
  it.each([
    ["const sql = 'SELECT 1';", true],
    ['const sql = `\nUPDATE holds h SET state = $1`;', true],
    ['pool.query(`DELETE FROM ${table} WHERE id = $1`)', true],
    ["const sql = 'select 1 from holds';", true],
    ['const sql = `\n  insert into holds values (1)`;', true],
    ["pool.query('update holds h set state = $1')", true],
    ["pool.query('delete from holds')", true],
    ['client.query(`; LOCK TABLE ONLY ${name} IN SHARE MODE`)', true],
    ["client.query('lock table holds')", true],
    ["copyFrom('COPY holds (id) FROM STDIN')", true],
    ["copyFrom('copy holds (id) from stdin')", true],
    ["client.query('BEGIN READ ONLY; SET LOCAL jit = off')", true],
    ["client.query('COMMIT')", true],
    ['tx.query(`SET LOCAL statement_timeout = ${limitMs}`)', true],
    ["client.query('SAVEPOINT before')", true],
    ["client.query('set local jit = off')", true],
    ["client.query('begin read only')", true],
    ["client.query('begin; select 1')", true],
    ["owner.query('CREATE INDEX CONCURRENTLY i ON holds (id)')", true],
    ["owner.query('create table holds ()')", true],
    ["owner.query('ANALYZE holds')", true],
    ["exact('kind', 'CASE WHEN u.success THEN 1 END')", true],
    ["text('target', `COALESCE(u.tool_id, u.event_type)`)", true],
    ["clause.require('u.outcome IS NOT NULL')", true],
    ["clause.and('e.created_at >= ?', from)", true],
    ["clause.and('e.entry_type = ANY(?)', types)", true],
    ["clause.and('abs(e.amount_micro) <= ?::bigint', max)", true],
    ['const name = a ? `(${sql})::text` : sql', true],
    ["import { commit } from './commit.js';", false],
    ["faults.reached('after-commit')", false],
    ["throw new Error('the rebuild did not begin; nothing was written')", false],
    ['const COMMITTED = Symbol();', false],
    ['const isLater = at >= (before ?? 0) ? at : before;', false],
    ["const message = 'Copy the key from the answer';", false],
    ["import { insert } from './insert.js';", false],
    ["throw new Error('Select one of them')", false],
    ['/** An UPDATE holds SET that nobody runs. */', false],
    ['// INSERT INTO nothing', false],
  ])('is found in %s: %s', (content, expected) => {
    expect(holdsSql(content)).toBe(expected);
  });
});

describe('a statement that a source file runs', () => {
  it.each([
    ['await this.pool.query(placeHoldSql, [id])', true],
    ['const { rows } = await client.query<{ id: string }>(statement);', true],
    ['await db.query<readonly Row[]>({ name, text, values })', true],
    ['const rows = await readEntries(client, after, HASH_PAGE);', false],
    ['const { query } = request;', false],
    ['// pool.query(sql)', false],
  ])('is found in %s: %s', (content, expected) => {
    expect(runsSql(content)).toBe(expected);
  });
});

describe('the check of where SQL stands', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'capability-router-sql-files-'));
    const files = ['holds/place.sql.ts', 'holds/place.ts', 'holds/place.int.spec.ts', 'migrations/0001.ts', 'plain.ts'];
    const contents: Readonly<Record<string, string>> = { plain: 'export {};', run: 'pool.query(placeSql);' };
    const ofOthers = [
      'identity/src/test-support/look.ts',
      'identity/src/api-keys/find.ts',
      'identity/src/api-keys/run.ts',
    ];
    for (const file of [...files.map((name) => `billing/src/${name}`), ...ofOthers]) {
      const path = join(root, 'apps', file);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, contents[basename(file, '.ts')] ?? "export const sql = 'SELECT 1';");
    }
    for (const service of ['capability-routing', 'execution', 'gateway', 'registry']) {
      await mkdir(join(root, 'apps', service, 'src'), { recursive: true });
    }
  });
  afterAll(() => rm(root, { recursive: true }));

  it('complains about SQL in any other file', async () => {
    expect(await checkSqlFiles(root)).toEqual([
      expect.stringMatching(/^apps\/billing\/src\/holds\/place\.ts holds SQL/),
      expect.stringMatching(/^apps\/identity\/src\/api-keys\/find\.ts holds SQL/),
      expect.stringMatching(/^apps\/identity\/src\/api-keys\/run\.ts runs SQL/),
    ]);
  });
});

import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The table holds searches and imports as well as executions, so it is named by what it is, and its key as everywhere
 * else: `source_ref_id`. Older replicas read and write it through a view of the old names, which PostgreSQL updates by
 * itself; a migration of a later release drops the view. Only names change, so no row is touched.
 */
const renameSql = `
ALTER TABLE settled_executions RENAME TO settlements;
ALTER TABLE settlements RENAME COLUMN execution_id TO source_ref_id;
ALTER INDEX settled_executions_pkey RENAME TO settlements_pkey;
CREATE VIEW settled_executions AS
SELECT source_ref_id AS execution_id, account_id, status, requested_micro, settled_micro, ledger_entry_id, settlement_seq,
       settled_at, covered_micro
  FROM settlements;
-- A view acts with the rights of its owner, and tables are open to the application role by default.
DO $$
DECLARE
  role TEXT := current_setting('capability_router.application_role', true);
BEGIN
  IF COALESCE(role, '') <> '' THEN
    EXECUTE format('REVOKE UPDATE, DELETE, TRUNCATE ON settled_executions FROM %I', role);
  END IF;
END $$`;

const revertSql = `
DROP VIEW settled_executions;
ALTER INDEX settlements_pkey RENAME TO settled_executions_pkey;
ALTER TABLE settlements RENAME COLUMN source_ref_id TO execution_id;
ALTER TABLE settlements RENAME TO settled_executions`;

export class Settlements1763700000012 implements MigrationInterface {
  readonly name = 'Settlements1763700000012';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(renameSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(revertSql);
  }
}

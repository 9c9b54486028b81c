import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Replicas of the build before neither read nor write the columns, so they may run beside it; there an account that is
 * blocked for non-payment goes on.
 */
const accountStatesSql = `
ALTER TABLE accounts
  ADD COLUMN payment_required BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN change_id  UUID,
  ADD COLUMN changed_at TIMESTAMPTZ;
COMMENT ON COLUMN accounts.payment_required IS 'Blocked for non-payment, whatever else the status says.';
COMMENT ON COLUMN accounts.change_id IS 'Of the last change that gateways have to hear of.';
ALTER TABLE api_keys
  ADD COLUMN change_id  UUID,
  ADD COLUMN changed_at TIMESTAMPTZ;
COMMENT ON COLUMN api_keys.change_id IS 'Of the last change that gateways have to hear of.';`;

/** The states of accounts, and the changes that replicas of the gateway confirm. */
export class AccountStates1763700000007 implements MigrationInterface {
  readonly name = 'AccountStates1763700000007';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(accountStatesSql);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('what administrators decided about accounts is never dropped by a migration'));
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Times are the database's. Replicas of the build before neither read nor write the tables, so they may run beside them. */
const gatewayReplicasSql = `
CREATE TABLE gateway_replicas (
  replica_id     UUID        PRIMARY KEY,
  lease_began_at TIMESTAMPTZ NOT NULL,
  seen_at        TIMESTAMPTZ NOT NULL
);
COMMENT ON COLUMN gateway_replicas.lease_began_at IS 'What was cached before is not used without asking again.';
CREATE TABLE evictions (
  subject      TEXT        NOT NULL CHECK (char_length(subject) <= 64),
  replica_id   UUID        NOT NULL,
  confirmed_at TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (subject, replica_id)
);
CREATE INDEX evictions_by_age ON evictions (confirmed_at);
COMMENT ON COLUMN evictions.subject IS 'Id of a revoked key or an erased account.';`;

/** Which replicas of the gateway live, and what each of them has evicted. */
export class GatewayReplicas1763700000006 implements MigrationInterface {
  readonly name = 'GatewayReplicas1763700000006';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(gatewayReplicasSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE evictions');
    await runner.query('DROP TABLE gateway_replicas');
  }
}

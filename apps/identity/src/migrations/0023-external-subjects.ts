import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Replicas of the build before neither read nor write the table: they refuse tokens of external issuers. */
const externalSubjectsSql = `
CREATE TABLE external_subjects (
  subject_hash BYTEA       PRIMARY KEY CHECK (octet_length(subject_hash) = 32),
  issuer       TEXT        NOT NULL,
  account_id   TEXT        NOT NULL REFERENCES accounts,
  opened_at    TIMESTAMPTZ NOT NULL
);
CREATE INDEX external_subjects_of_account ON external_subjects (account_id);
COMMENT ON COLUMN external_subjects.subject_hash IS 'SHA-256 of the JSON list of the issuer and the subject, as tokens have them.';
`;

/** Which accounts were opened for whom by tokens of external issuers. */
export class ExternalSubjects1763700000023 implements MigrationInterface {
  readonly name = 'ExternalSubjects1763700000023';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(externalSubjectsSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE external_subjects');
  }
}

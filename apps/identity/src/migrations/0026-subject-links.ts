import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Replicas of the build before read and write neither column, and their rows get an id. The table is written anew for it: it
 * has a row for each account that a token of an external issuer opened.
 */
const subjectLinksSql = `
ALTER TABLE external_subjects
  ADD COLUMN external_subject_id UUID NOT NULL DEFAULT gen_random_uuid(),
  ADD COLUMN subject TEXT CHECK (char_length(subject) BETWEEN 1 AND 255),
  ADD COLUMN change_id UUID,
  ADD COLUMN removed_at TIMESTAMPTZ;
CREATE UNIQUE INDEX external_subjects_by_id ON external_subjects (external_subject_id);
COMMENT ON COLUMN external_subjects.subject IS 'As tokens have it, where an administrator linked it; NULL where a token opened the account, and once the link is removed.';
COMMENT ON COLUMN external_subjects.change_id IS 'By it replicas of the gateway say that they act by the link.';
COMMENT ON COLUMN external_subjects.removed_at IS 'From then on the hash is that of the id, and the row is of no subject.';
`;

/** Links of subjects to accounts, which administrators make and remove. */
export class SubjectLinks1763700000026 implements MigrationInterface {
  readonly name = 'SubjectLinks1763700000026';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(subjectLinksSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM external_subjects WHERE removed_at IS NOT NULL');
    await runner.query('DROP INDEX external_subjects_by_id');
    await runner.query(
      'ALTER TABLE external_subjects DROP COLUMN external_subject_id, DROP COLUMN subject, DROP COLUMN change_id, DROP COLUMN removed_at',
    );
  }
}

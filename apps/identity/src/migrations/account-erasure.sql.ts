/** Replicas of the build before never write the column, so they may run beside it. */
export const accountErasureSql = `
ALTER TABLE accounts ADD COLUMN erased_at TIMESTAMPTZ;
COMMENT ON COLUMN accounts.erased_at IS 'Nothing of a person is left in the row; the account stays closed.';
`;

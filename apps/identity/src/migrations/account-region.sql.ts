/** Replicas of the build before neither read nor write the column, so they may run beside it. */
export const accountRegionSql = `
ALTER TABLE accounts ADD COLUMN region TEXT CHECK (region ~ '^[A-Z]{2}$');
COMMENT ON COLUMN accounts.region IS 'ISO 3166-1 alpha-2; NULL where it is not known.';
`;

const markPattern = /^\/\*\* @postgres-versions\b/m;

/**
 * Is the spec marked to run on every version of PostgreSQL that the project supports, not only on the newest? The mark
 * is a line that begins with the tag and says what may differ, such as a plan, the text of an error, or a migration.
 */
export function isForEveryPostgres(content: string): boolean {
  return markPattern.test(content);
}

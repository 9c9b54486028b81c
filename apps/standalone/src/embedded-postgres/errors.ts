/** What keeps the embedded database from starting, worded for the person who starts it. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

/** The reason why the embedded database cannot start, worded for the person who starts it. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

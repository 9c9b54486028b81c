/** A batch met a stream that is not where its writer believed it to be. Nothing of the batch was written. */
export class AppendConflictError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AppendConflictError';
  }
}

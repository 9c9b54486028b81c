/**
 * The caller's fault that no schema can say: an expression that does not parse, a unit that does not exist. Its message
 * is shown to the caller and says what to change. Recognised by its name, because it crosses a thread.
 */
export class ToolInputError extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'ToolInputError';
  }
}

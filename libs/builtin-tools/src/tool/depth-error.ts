import { ToolInputError } from './tool-input-error.js';

/** Runs a parser that recurses. A document that is nested so deep that the stack ends is the caller's fault. */
export function parseNested<T>(what: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ToolInputError(`${what} is nested too deeply to be read. Flatten it, or send a part of it.`, {
      cause: error,
    });
  }
}

import type { Progress } from '../progress.mjs';

/** Why there is nothing to start, worded for a person: what the compiler said, or what is missing. */
export class BuildError extends Error {}

/**
 * Builds what standalone needs for a start. Resolves to what was done; throws `BuildError`.
 * `setStop` is told how to end what runs at the moment.
 */
export function buildIfNeeded(
  root: string,
  progress: Progress,
  setStop?: (stop: () => void) => void,
): Promise<'none' | 'transpiled' | 'checked'>;
